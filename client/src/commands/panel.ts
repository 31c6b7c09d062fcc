import * as vscode from 'vscode';
import { PANEL_PAGES, type PanelPageName, type PanelToolKey } from '../../../server/src/panelProtocol';
import { isSamples } from '../sampleFiles';
import type { CommandContext } from './context';
import { placeOf } from './place';

/** Opens the panel for the tool at the cursor, of a lens, or of a menu's file; on a page, if one is named. */
export function openPanel({ panel }: CommandContext, argument: unknown): void {
  const place = placeOf(argument);
  // Who opens it from a samples file wants to see the call.
  const page =
    pageOf(argument) ?? (place !== undefined && isSamples(vscode.Uri.parse(place.uri, true)) ? 'calls' : undefined);
  const key = keyOf(argument);
  panel.show({
    ...(place === undefined ? {} : { uri: place.uri }),
    ...(place?.offset === undefined ? {} : { offset: place.offset }),
    ...(key === undefined ? {} : { key }),
    ...(page === undefined ? {} : { page }),
  });
}

/** Lets the panel stay with its tool, or follow the editor again. */
export function togglePanelPin({ panel }: CommandContext): void {
  panel.togglePin();
}

/** The tool that a lens names, or a row of the Tools view. */
function keyOf(argument: unknown): PanelToolKey | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const key = 'key' in argument ? argument.key : 'facts' in argument ? argument.facts : undefined;
  if (typeof key !== 'object' || key === null || !('pointer' in key && 'name' in key && 'namespace' in key)) {
    return undefined;
  }
  const { pointer, name, namespace } = key;
  return { pointer: String(pointer), name: String(name), namespace: String(namespace) };
}

function pageOf(argument: unknown): PanelPageName | undefined {
  if (typeof argument !== 'object' || argument === null || argument instanceof vscode.Uri) return undefined;
  return 'page' in argument ? PANEL_PAGES.find((each) => each === argument.page) : undefined;
}
