import * as vscode from 'vscode';
import { PANEL_PAGES, type PanelPageName } from '../../../server/src/panelProtocol';
import type { CommandContext } from './context';
import { placeOf } from './place';

/** Opens the panel for the tool at the cursor, of a lens, or of a menu's file; on a page, if one is named. */
export function openPanel({ panel }: CommandContext, argument: unknown): void {
  const place = placeOf(argument);
  const page = pageOf(argument);
  panel.show({ ...(place === undefined ? {} : place), ...(page === undefined ? {} : { page }) });
}

/** Lets the panel stay with its tool, or follow the editor again. */
export function togglePanelPin({ panel }: CommandContext): void {
  panel.togglePin();
}

function pageOf(argument: unknown): PanelPageName | undefined {
  if (typeof argument !== 'object' || argument === null || argument instanceof vscode.Uri) return undefined;
  return 'page' in argument ? PANEL_PAGES.find((each) => each === argument.page) : undefined;
}
