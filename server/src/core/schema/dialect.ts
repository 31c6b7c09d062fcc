import type { JsonNode } from '../text/json';

/** A draft of JSON Schema, by its usual number. */
export type Draft = 3 | 4 | 6 | 7 | 2019 | 2020;

const DRAFTS: ReadonlyMap<string, Draft> = new Map([
  ['json-schema.org/draft-03/schema', 3],
  ['json-schema.org/draft-04/schema', 4],
  ['json-schema.org/draft-06/schema', 6],
  ['json-schema.org/draft-07/schema', 7],
  ['json-schema.org/draft/2019-09/schema', 2019],
  ['json-schema.org/draft/2020-12/schema', 2020],
]);

/** The draft that a `$schema` address names; `undefined` for an address that is none of the known ones. */
export function draftOf(address: string): Draft | undefined {
  return DRAFTS.get(address.replace(/^https?:\/\//, '').replace(/#$/, ''));
}

/** The draft that a schema declares. `undefined` when it declares none, or one that is not known. */
export function declaredDraft(root: JsonNode): Draft | undefined {
  const address = root.value('$schema')?.string;
  return address === undefined ? undefined : draftOf(address);
}
