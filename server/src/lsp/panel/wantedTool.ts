import { syntaxFault } from '../../core/text/json';
import type { ToolDefinition } from '../../core/tools/model';
import type { PanelParams, PanelToolKey } from '../../panelProtocol';
import type { FileState } from '../files';
import { findTool, keyOf, toolFor } from '../toolAt';

/** The lists of so many files are remembered. */
const MOST_FILES = 20;

/**
 * Finds the tool that the panel is about again after edits. A panel that follows the editor gets another one where its
 * own is gone. A pinned one gets its own or none, also by a new name, if the tool has got it where it stands.
 */
export class WantedTools {
  /** The tools of a file as they were when the wanted one was last among them, by the file's uri. */
  readonly #lists = new Map<string, readonly PanelToolKey[]>();

  find(state: FileState, { tool: key, offset, pinned }: PanelParams): ToolDefinition | undefined {
    const { tools } = state.result.set;
    const found =
      key === undefined
        ? toolFor(state, { offset: offset ?? 0 })
        : pinned === true
          ? this.#own(state, key)
          : (findTool(state, key) ?? tools[0]);
    if (found !== undefined) this.#remember(state);
    // What stands there after it has gone is another one, unless it was out of sight in broken text alone.
    else if (syntaxFault(state.result.document) === undefined) this.#lists.delete(state.uri);
    return found;
  }

  #remember({ uri, result }: FileState): void {
    this.#lists.delete(uri);
    this.#lists.set(uri, result.set.tools.map(keyOf));
    if (this.#lists.size > MOST_FILES) this.#lists.delete(this.#lists.keys().next().value!);
  }

  /** The very tool, by its name or by the new name that it has got where it stands; `undefined` where it is gone. */
  #own({ uri, result }: FileState, key: PanelToolKey): ToolDefinition | undefined {
    const { tools } = result.set;
    const now = tools.map(keyOf);
    const there = now.findIndex((each) => isSame(each, key) && each.pointer === key.pointer);
    if (there >= 0) return tools[there];
    // Of broken text nobody knows what stands where: a file may be read while it is written.
    const before = (syntaxFault(result.document) === undefined ? this.#lists.get(uri) : undefined) ?? [];
    const at = before.length === now.length ? before.findIndex(({ pointer }) => pointer === key.pointer) : -1;
    // While a name is typed it may be that of another tool for a moment.
    if (at >= 0 && now.every((each, index) => index === at || isSame(each, before[index]!))) return tools[at];
    const same = now.findIndex((each) => isSame(each, key));
    if (same >= 0) return tools[same];
    // Other names have changed with it.
    return at >= 0 && !before.some((each) => isSame(each, now[at]!)) ? tools[at] : undefined;
  }
}

function isSame(a: PanelToolKey, b: PanelToolKey): boolean {
  return a.name === b.name && a.namespace === b.namespace;
}
