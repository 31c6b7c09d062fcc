import type { JsonNode } from '../../text/json';
import { effectiveProperties } from '../../text/jsonTree';
import type { ToolContext } from '../rule';
import { characters } from '../tool/names';
import { strictSites } from './strictSites';

/** What strict mode counts over a whole schema. */
export interface Totals {
  readonly properties: number;
  readonly enumValues: number;
  /** Characters of property names, definition names, enum and const values. */
  readonly stringCharacters: number;
  /** Enums with strings only, with their number of values and of characters. */
  readonly stringEnums: readonly { readonly node: JsonNode; readonly values: number; readonly characters: number }[];
}

/** Counts what the guide limits (OpenAI guide Structured model outputs, 2026). */
export function totals(context: ToolContext): Totals {
  let properties = 0;
  let enumValues = 0;
  let stringCharacters = 0;
  const stringEnums: { node: JsonNode; values: number; characters: number }[] = [];
  for (const { node } of context.memo(strictSites)) {
    if (node.kind !== 'object') continue;
    const map = node.value('properties');
    if (map?.kind === 'object') {
      const members = effectiveProperties(map);
      properties += members.length;
      for (const { key } of members) stringCharacters += characters(key);
    }
    for (const table of ['$defs', 'definitions']) {
      const definitions = node.value(table);
      if (definitions?.kind !== 'object') continue;
      for (const { key } of effectiveProperties(definitions)) stringCharacters += characters(key);
    }
    const constant = node.value('const')?.string;
    if (constant !== undefined) stringCharacters += characters(constant);
    const list = node.value('enum');
    if (list?.kind !== 'array') continue;
    enumValues += list.items.length;
    let own = 0;
    for (const item of list.items) if (item.string !== undefined) own += characters(item.string);
    stringCharacters += own;
    if (list.items.every((item) => item.kind === 'string')) {
      stringEnums.push({ node: list, values: list.items.length, characters: own });
    }
  }
  return { properties, enumValues, stringCharacters, stringEnums };
}
