import type * as vscode from 'vscode';
import type { PanelHost } from '../panel/panel';
import type { Server } from '../server';
import type { Tests } from '../tests/controller';
import type { DriftSearch } from '../tests/drift';
import type { ToolFiles } from '../toolFiles';
import type { ToolsView } from '../toolsView';

/** What commands work with. */
export interface CommandContext {
  readonly server: Server;
  readonly log: vscode.LogOutputChannel;
  readonly toolFiles: ToolFiles;
  readonly panel: PanelHost;
  readonly tests: Tests;
  readonly tools: ToolsView;
  readonly drift: DriftSearch;
}
