import { applyEdits, joinEdits } from '../../text/edits';
import type { TextEdit } from '../../text/finding';
import { type JsonNode, parseJson } from '../../text/json';
import { nodeSpan } from '../../text/jsonTree';
import type { ToolDefinition } from '../model';

/** Types of BFCL, which are those of Python, and what JSON Schema calls them. */
const PYTHON_TYPES: ReadonlyMap<string, string> = new Map([
  ['dict', 'object'],
  ['float', 'number'],
  ['tuple', 'array'],
  ['list', 'array'],
  ['bool', 'boolean'],
  ['int', 'integer'],
  ['str', 'string'],
]);

/** Members whose values are data, not schemas. */
const DATA = new Set(['enum', 'const', 'default', 'example', 'examples', 'required']);
/** Members whose values have names of the user's own for keys. */
const MAPS = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas']);

/**
 * A schema in the words of JSON Schema: Gemini writes types in capitals and `nullable` beside them, BFCL has the types of
 * Python. `undefined` where the schema is JSON Schema as it stands.
 */
export function inJsonSchema(tool: ToolDefinition, schema: JsonNode, file: string): JsonNode | undefined {
  const own = tool.shape === 'bfcl' || (tool.shape === 'gemini' && tool.schemaKey === 'parameters');
  if (!own) return undefined;
  const edits: TextEdit[] = [];
  const stack: { readonly node: JsonNode; readonly names: boolean }[] = [{ node: schema, names: false }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { node, names } = step;
    if (node.kind === 'object' && !names) edits.push(...typeEdits(node));
    for (const item of node.items) stack.push({ node: item, names: false });
    for (const { key, value } of node.properties) {
      if (value !== undefined && (names || !DATA.has(key))) stack.push({ node: value, names: !names && MAPS.has(key) });
    }
  }
  if (edits.length === 0) return undefined;
  const start = schema.offset;
  const moved = edits.map(({ span, newText }) => ({
    span: { start: span.start - start, end: span.end - start },
    newText,
  }));
  return parseJson(applyEdits(file.slice(start, schema.end), joinEdits(moved))).root;
}

function typeEdits(node: JsonNode): TextEdit[] {
  const type = node.value('type');
  const word = type?.string;
  if (type === undefined || word === undefined) return [];
  const plain = PYTHON_TYPES.get(word) ?? (/^[A-Z]+$/.test(word) ? word.toLowerCase() : word);
  const nullable = node.get('nullable');
  const orNull = nullable?.value?.boolean === true;
  if (plain === word && !orNull) return [];
  const edits: TextEdit[] = [{ span: nodeSpan(type), newText: orNull ? `["${plain}","null"]` : `"${plain}"` }];
  // The member itself stays: to JSON Schema it is an unknown word, which says nothing.
  return edits;
}
