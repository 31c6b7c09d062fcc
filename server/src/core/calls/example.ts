import { generateSentences } from '../grammar/generate';
import type { JsonNode } from '../text/json';
import { larkReading } from './contractLark';
import { SchemaInputs } from './drift/schemaInputs';
import { declaredProperties, viewOf } from './drift/schemaView';

/** Arguments of a schema are looked for among so many. */
const MOST_TRIES = 3;

/** Branches of a schema that are tried; most that make nothing have too many required properties. */
const MOST_BRANCHES = 8;

/**
 * Arguments that a schema allows, as JSON text: the required properties, or all of them where none is required. `{}`
 * where the schema allows nothing that can be made up.
 */
export function exampleArguments(schema: JsonNode | undefined): string {
  if (schema === undefined) return '{}';
  let text = known.get(schema);
  if (text === undefined) {
    text = makeArguments(schema);
    known.set(schema, text);
  }
  return text;
}

const known = new WeakMap<JsonNode, string>();

function makeArguments(schema: JsonNode): string {
  const empty = declaredProperties(viewOf(schema, schema)).length === 0;
  let tries = 0;
  for (const { text } of new SchemaInputs(schema, 1).systematic(MOST_BRANCHES)) {
    if (text !== '{}' || empty || ++tries >= MOST_TRIES) return text;
  }
  return '{}';
}

/** Input that a Lark grammar allows, the shortest that is not empty; an empty text where Lark has none. */
export function exampleInput(grammar: string | undefined): string {
  const parser = grammar === undefined ? undefined : larkReading(grammar).parser;
  if (parser === undefined) return '';
  const texts = generateSentences(parser, { seed: 1, count: 4 }).sentences.map(({ text }) => text);
  return texts.filter((text) => text !== '').sort((a, b) => a.length - b.length)[0] ?? '';
}
