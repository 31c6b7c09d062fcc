import { pointerOf, resolvePointer } from '../core/text/jsonTree';
import type { ToolDefinition, ToolSet } from '../core/tools/model';
import type { PanelToolKey } from '../panelProtocol';
import type { ViewParams } from '../protocol';
import type { FileState } from './files';

/** The innermost tool whose text an offset lies in, or `undefined`. */
export function toolAt({ result }: Pick<FileState, 'result'>, offset: number): ToolDefinition | undefined {
  const inside = result.set.tools.filter(({ node }) => node.offset <= offset && offset <= node.end);
  return inside[inside.length - 1];
}

/** The tool that a request means: by its pointer, or by an offset. */
export function toolFor(
  state: FileState,
  { tool, offset }: Pick<ViewParams, 'tool' | 'offset'>,
): ToolDefinition | undefined {
  if (offset !== undefined) return toolAt(state, offset) ?? nextTool(state, offset);
  const { root } = state.result.document;
  const node = root === undefined ? undefined : resolvePointer(root, tool ?? '');
  return node === undefined ? undefined : toolAt(state, node.offset);
}

/** Between tools the next one is meant, behind the last one the last. */
function nextTool({ result }: FileState, offset: number): ToolDefinition | undefined {
  const { tools } = result.set;
  return tools.find(({ node }) => node.offset > offset) ?? tools[tools.length - 1];
}

/** Names a tool so that `findTool` knows it after edits. */
export function keyOf(tool: ToolDefinition): PanelToolKey {
  return { pointer: pointerOf(tool.node), name: tool.name ?? '', namespace: tool.namespace?.name ?? '' };
}

/** Keys of the tools of sets, in their order. */
const keys = new WeakMap<ToolSet, readonly PanelToolKey[]>();

/** The keys of all tools of a file. They are made once for each of its versions. */
export function keysOf({ result: { set } }: Pick<FileState, 'result'>): readonly PanelToolKey[] {
  let known = keys.get(set);
  if (known === undefined) {
    known = set.tools.map(keyOf);
    keys.set(set, known);
  }
  return known;
}

/** A tool again after edits: the one at its place if it has its name, else the one with its name. */
export function findTool(state: Pick<FileState, 'result'>, key: PanelToolKey): ToolDefinition | undefined {
  const { tools } = state.result.set;
  const keys = keysOf(state);
  const same = (own: PanelToolKey): boolean => own.name === key.name && own.namespace === key.namespace;
  const there = keys.findIndex(({ pointer }) => pointer === key.pointer);
  if (there >= 0 && same(keys[there]!)) return tools[there];
  return tools[keys.findIndex(same)] ?? tools[there];
}
