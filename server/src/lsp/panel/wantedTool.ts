import { syntaxFault } from '../../core/text/json';
import type { ToolDefinition } from '../../core/tools/model';
import type { PanelParams, PanelToolKey } from '../../panelProtocol';
import type { FileState } from '../files';
import { findTool, keysOf, toolFor } from '../toolAt';

/** The lists of so many files are remembered. */
const MOST_FILES = 20;

/** So many lists of a file are remembered: an ask that comes from further back finds its tool by the name alone. */
const MOST_LISTS = 32;

type ToolList = readonly PanelToolKey[];

/**
 * Finds the tool that the panel is about again after edits. A panel that follows the editor gets another one where its
 * own is gone. A pinned one gets its own or none. Its own is, from one text of the file to the next:
 *
 * 1. the tool with its name and namespace at its place;
 * 2. the tool at its place, if that is the only one in the list that has changed its name: a name that is typed may be
 *    that of another tool for a moment;
 * 3. the tool with its name and namespace at another place;
 * 4. the tool at its place, if no tool was added or removed and the name that stands there is new in the list: names of
 *    several tools have changed at once.
 *
 * Else it is gone. From then on it is found by its name and namespace alone, whatever stands at its place. A text that is
 * no JSON tells nothing about names: a file may be read while it is written.
 *
 * An ask names the tool as the last answer that the client has taken did. Answers that a newer ask has overtaken are
 * dropped there, so what a tool has become is followed from the text that it is named in to the newest, and an ask that
 * is made again gets the same tool.
 */
export class WantedTools {
  /** The tools of a file in the texts that were asked about, the newest last, by the file's uri. */
  readonly #lists = new Map<string, ToolList[]>();

  find(state: FileState, { tool: key, offset, pinned }: PanelParams): ToolDefinition | undefined {
    const { tools } = state.result.set;
    const now = keysOf(state);
    const before =
      syntaxFault(state.result.document) === undefined
        ? this.#remember(state.uri, now)
        : (this.#lists.get(state.uri) ?? []);
    if (key === undefined) return toolFor(state, { offset: offset ?? 0 });
    if (pinned !== true) return findTool(state, key) ?? tools[0];
    const at = placeByName(followed(key, before), now);
    return at === undefined ? undefined : tools[at];
  }

  /** Keeps the list, unless it is that of the text before, and gives all of the file. */
  #remember(uri: string, now: ToolList): readonly ToolList[] {
    const lists = this.#lists.get(uri) ?? [];
    this.#lists.delete(uri);
    this.#lists.set(uri, lists);
    if (this.#lists.size > MOST_FILES) this.#lists.delete(this.#lists.keys().next().value!);
    const last = lists.at(-1) ?? [];
    if (last === now) return lists;
    if (lists.length > 0 && last.length === now.length && last.every((each, index) => isAt(each, now[index]!)))
      return lists;
    // Lists share what they have alike.
    lists.push(now.map((each, index) => (index < last.length && isAt(each, last[index]!) ? last[index]! : each)));
    if (lists.length > MOST_LISTS) lists.shift();
    return lists;
  }
}

/** The name and place of a tool in the last list that has it, followed from the newest one that has it as it is named. */
function followed(key: PanelToolKey, lists: readonly ToolList[]): PanelToolKey {
  const start = lists.findLastIndex((list) => placeOf(key, list) !== undefined);
  if (start < 0) return key;
  let own = key;
  for (let index = start + 1; index < lists.length; index++) {
    const list = lists[index]!;
    const at = placeAfter(own, lists[index - 1]!, list);
    if (at !== undefined) own = list[at]!;
  }
  return own;
}

/** The index of a tool in the text that comes after another one; `undefined` where it is gone, or was before. */
function placeAfter(key: PanelToolKey, before: ToolList, now: ToolList): number | undefined {
  const at = before.length === now.length ? placeOf(key, before) : undefined;
  if (at === undefined || isAt(now[at]!, key)) return placeByName(key, now);
  if (now.every((each, index) => index === at || isSame(each, before[index]!))) return at;
  return placeByName(key, now) ?? (before.some((each) => isSame(each, now[at]!)) ? undefined : at);
}

/** Of tools with one name the one at the place goes first. */
function placeByName(key: PanelToolKey, now: ToolList): number | undefined {
  const same = now.findIndex((each) => isSame(each, key));
  return placeOf(key, now) ?? (same < 0 ? undefined : same);
}

function placeOf(key: PanelToolKey, list: ToolList): number | undefined {
  const at = list.findIndex((each) => isAt(each, key));
  return at < 0 ? undefined : at;
}

function isAt(a: PanelToolKey, b: PanelToolKey): boolean {
  return isSame(a, b) && a.pointer === b.pointer;
}

function isSame(a: PanelToolKey, b: PanelToolKey): boolean {
  return a.name === b.name && a.namespace === b.namespace;
}
