import type { References } from '../../schema/references';
import { appendItem, changeObject, joinEdits, replaceValue } from '../../text/edits';
import { emitString } from '../../text/emit';
import type { TextEdit } from '../../text/finding';
import type { JsonNode } from '../../text/json';
import { formatLike } from '../../text/style';
import { followed, isObjectSchema, typeWords } from './common';

/** Whether a schema surely takes null: by its type, its values, or an arm of its union. */
export function takesNull(schema: JsonNode, references: References | undefined): boolean {
  const node = followed(schema, references);
  if (node.kind !== 'object') return node.boolean === true;
  const values = node.value('enum');
  if (values?.kind === 'array' && !values.items.some((item) => item.kind === 'null')) return false;
  const constant = node.value('const');
  if (constant !== undefined && constant.kind !== 'null') return false;
  if (node.has('type')) return typeWords(node).some((word) => word.string === 'null');
  for (const keyword of ['anyOf', 'oneOf']) {
    const arms = node.value(keyword);
    if (arms?.kind === 'array')
      return arms.items.some((arm) => typeWords(followed(arm, references)).some((w) => w.string === 'null'));
  }
  // Without a type everything passes that no other keyword speaks about.
  return !node.has('$ref') && !node.has('allOf') && !isObjectSchema(node);
}

/**
 * Edits that make a schema take null too, in the form that strict mode knows: `null` in the type list and in the enum, or
 * one more arm of the union; anything else becomes an arm beside null.
 */
export function allowNull(text: string, schema: JsonNode): TextEdit[] {
  const arms = schema.value('anyOf');
  if (arms?.kind === 'array' && !schema.has('type') && !schema.has('enum') && !schema.has('const')) {
    return appendItem(text, arms, formatLike(text, arms, { type: 'null' }));
  }
  const type = schema.value('type');
  const isPlain = type !== undefined && !schema.has('const') && !schema.has('$ref') && arms === undefined;
  if (!isPlain || schema.has('oneOf') || schema.has('allOf')) return besideNull(text, schema);
  const edits: TextEdit[][] = [];
  if (type.kind === 'string') edits.push(replaceValue(type, `[${emitString(type.text)}, "null"]`));
  else if (type.kind === 'array' && !type.items.some((word) => word.string === 'null')) {
    edits.push(appendItem(text, type, '"null"'));
  }
  const values = schema.value('enum');
  if (values?.kind === 'array' && !values.items.some((item) => item.kind === 'null')) {
    edits.push(appendItem(text, values, 'null'));
  }
  return joinEdits(...edits);
}

/** The schema as the first arm of a union with null. What describes it moves out of the arm and stays where it was read. */
function besideNull(text: string, schema: JsonNode): TextEdit[] {
  const outside = new Set(['description', 'title']);
  const inside = schema.properties.filter((property) => !outside.has(property.key) && property.value !== undefined);
  const members = inside.map(({ keyStart, value }) => text.slice(keyStart, value!.end));
  const arm = `[{${members.join(', ')}}, {"type": "null"}]`;
  return changeObject(text, schema, { remove: inside, add: [['anyOf', arm]] });
}
