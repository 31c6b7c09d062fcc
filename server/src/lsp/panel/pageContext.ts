import type { ToolDefinition } from '../../core/tools/model';
import type { PanelParams } from '../../panelProtocol';
import type { FileState } from '../files';
import type { Grammars } from '../wireText';

/** What every page is made of. */
export interface PageContext {
  readonly state: FileState;
  readonly tool: ToolDefinition;
  readonly params: PanelParams;
  /** The grammar files that the tools of the file name. */
  readonly grammars: Grammars;
  /** o200k tokens of a text; `undefined` where they cannot be counted. */
  readonly countTokens: ((text: string) => number) | undefined;
}
