import { parseJson } from '../../../../../server/src/core/text/json';
import { type JsonValue, pointerOf, toValue, unescapePointerToken } from '../../../../../server/src/core/text/jsonTree';
import { type Converted, convertTools } from '../../../../../server/src/core/tools/convert/convert';
import type { Loss } from '../../../../../server/src/core/tools/convert/loss';
import type { ConvertTarget } from '../../../../../server/src/core/tools/convert/targets';
import type { ToolSet } from '../../../../../server/src/core/tools/model';
import { readTools } from '../../../../../server/src/core/tools/read';

export function read(text: string): ToolSet {
  return readTools(parseJson(text), { baseName: 'file' });
}

export function convert(text: string, target: ConvertTarget): Converted {
  return convertTools(read(text), target);
}

/** Into another shape and back. */
export function roundTrip(text: string, target: ConvertTarget): { there: Converted; back: JsonValue[] } {
  const there = convert(text, target);
  const back = JSON.parse(convert(there.text, 'responses').text) as JsonValue;
  return { there, back: listOf(back) };
}

/** The tools of a file of the Responses shape, whatever is around them. */
export function listOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  const tools = (value as { tools?: JsonValue; type?: string } | null)?.tools;
  const isNamespace = (value as { type?: string } | null)?.type === 'namespace';
  return Array.isArray(tools) && !isNamespace ? tools : [value];
}

interface Slot {
  value: Tree;
  gone: boolean;
}
type Tree = null | boolean | number | string | Slot[] | Map<string, Slot>;

/** A value in which places stay where they are while others go. */
function treeOf(value: JsonValue): Tree {
  if (Array.isArray(value)) return value.map((item) => ({ value: treeOf(item), gone: false }));
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, each]) => [key, { value: treeOf(each), gone: false }]));
}

function plainOf(tree: Tree): JsonValue {
  if (Array.isArray(tree)) return tree.filter((slot) => !slot.gone).map((slot) => plainOf(slot.value));
  if (!(tree instanceof Map)) return tree;
  return Object.fromEntries(
    [...tree].filter(([, slot]) => !slot.gone).map(([key, slot]) => [key, plainOf(slot.value)]),
  );
}

/** The tools of a source with all that a report names taken out, put in or changed. */
export function applyLosses(text: string, losses: readonly Loss[]): JsonValue[] {
  const document = parseJson(text);
  const root: Slot = { value: treeOf(toValue(document.root!)), gone: false };
  const find = (tokens: readonly string[]): Slot | undefined => {
    let slot: Slot | undefined = root;
    for (const token of tokens) {
      const tree: Tree | undefined = slot?.value;
      slot = tree instanceof Map ? tree.get(token) : Array.isArray(tree) ? tree[Number(token)] : undefined;
    }
    return slot;
  };
  const tokensOf = ({ pointer }: Loss): string[] => pointer.split('/').slice(1).map(unescapePointerToken);
  // Outer values first: what is added to one that changes is added to the new one.
  const inOrder = [...losses].sort((a, b) => tokensOf(a).length - tokensOf(b).length);
  for (const loss of inOrder) {
    const tokens = tokensOf(loss);
    if (loss.kind === 'added') {
      const owner = find(tokens.slice(0, -1));
      if (!(owner?.value instanceof Map)) throw new Error(`Nothing to add to at ${loss.pointer}`);
      owner.value.set(tokens.at(-1)!, { value: treeOf(JSON.parse(loss.value!)), gone: false });
      continue;
    }
    if (loss.kind === 'note' || loss.kind === 'unwrapped') continue;
    const slot = find(tokens);
    if (slot === undefined) throw new Error(`Nothing at ${loss.pointer}`);
    if (loss.kind === 'lost') slot.gone = true;
    else slot.value = treeOf(JSON.parse(loss.value!));
  }
  const unwrapped = new Set(losses.filter(({ kind }) => kind === 'unwrapped').map(({ pointer }) => pointer));
  return read(text).entries.flatMap((entry): JsonValue[] => {
    const pointer = pointerOf('tool' in entry ? entry.tool.node : entry.namespace.node);
    const slot = find(pointer.split('/').slice(1).map(unescapePointerToken))!;
    if (slot.gone) return [];
    if (!unwrapped.has(pointer)) return [plainOf(slot.value)];
    return plainOf((slot.value as Map<string, Slot>).get('tools')!.value) as JsonValue[];
  });
}
