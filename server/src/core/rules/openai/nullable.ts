import type { References } from '../../schema/references';
import { appendItem, changeObject, joinEdits, replaceValue } from '../../text/edits';
import { emitString } from '../../text/emit';
import type { TextEdit } from '../../text/finding';
import type { JsonNode } from '../../text/json';
import { formatLike } from '../../text/style';
import { followed, isObjectSchema, typeWords } from './common';

/** Keywords that may refuse null whatever the type says. */
const JUDGES: readonly string[] = ['$ref', 'const', 'anyOf', 'oneOf', 'allOf', 'not', 'if'];

/** Whether a schema surely takes null: by its type and its values, or by an arm of its union. */
export function takesNull(schema: JsonNode, references: References | undefined): boolean {
  const node = followed(schema, references);
  if (node.kind !== 'object') return node.boolean === true;
  const judges = JUDGES.filter((keyword) => node.has(keyword));
  const values = node.value('enum');
  if (values !== undefined && !values.items.some((item) => item.kind === 'null')) return false;
  if (node.has('type') && !typeWords(node).some((word) => word.string === 'null')) return false;
  if (judges.length === 0) return node.has('type') || !isObjectSchema(node);
  const union = judges.length === 1 ? (node.value('anyOf')?.items ?? []) : [];
  return union.some((arm) => {
    const words = typeWords(followed(arm, references));
    return words.length === 1 && words[0]!.string === 'null';
  });
}

/**
 * Edits that make a schema take null too, in the form that strict mode knows: `null` in the type list and in the enum, or
 * one more arm of the union; anything else becomes an arm beside null.
 */
export function allowNull(text: string, schema: JsonNode): TextEdit[] {
  const judges = JUDGES.filter((keyword) => schema.has(keyword));
  const type = schema.value('type');
  const values = schema.value('enum');
  const arms = schema.value('anyOf');
  const isUnion = arms?.kind === 'array' && judges.length === 1 && type === undefined && values === undefined;
  if (isUnion) return appendItem(text, arms, formatLike(text, arms, { type: 'null' }));
  if (judges.length > 0 || type === undefined) return besideNull(text, schema);
  // A type of the wrong kind is the concern of another rule, and there is no list to add to.
  if (type.kind !== 'string' && type.kind !== 'array') return [];
  const edits: TextEdit[][] = [];
  if (type.kind === 'string') {
    if (type.text !== 'null') edits.push(replaceValue(type, `[${emitString(type.text)}, "null"]`));
  } else if (!type.items.some((word) => word.string === 'null')) edits.push(appendItem(text, type, '"null"'));
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
