/**
 * What the value of a keyword must be.
 *
 * - `types`: a type word or a list of them, each once
 * - `text`, `flag`, `number`, `list`: a JSON value of that kind
 * - `positive`: a number above zero; `count`: a whole number from zero on
 * - `schema-map`: an object of schemas; `schema-list`: a list of at least one schema
 * - `names`: a list of strings, each once; `name-lists`: an object of such lists
 */
export type KeywordValue =
  | 'types'
  | 'text'
  | 'flag'
  | 'number'
  | 'positive'
  | 'count'
  | 'list'
  | 'names'
  | 'name-lists'
  | 'schema-map'
  | 'schema-list';

/**
 * Values that the meta-schemas of JSON Schema, draft 4 to 2020-12, ask for. Keywords whose value is one schema are not
 * among them, nor is `items`, which takes a list in older drafts.
 */
export const KEYWORD_VALUES: ReadonlyMap<string, KeywordValue> = new Map<string, KeywordValue>([
  ['type', 'types'],
  ['$ref', 'text'],
  ['$id', 'text'],
  ['$anchor', 'text'],
  ['$schema', 'text'],
  ['title', 'text'],
  ['description', 'text'],
  ['pattern', 'text'],
  ['format', 'text'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['multipleOf', 'positive'],
  ['minLength', 'count'],
  ['maxLength', 'count'],
  ['minItems', 'count'],
  ['maxItems', 'count'],
  ['minProperties', 'count'],
  ['maxProperties', 'count'],
  ['minContains', 'count'],
  ['maxContains', 'count'],
  ['uniqueItems', 'flag'],
  ['enum', 'list'],
  ['required', 'names'],
  ['dependentRequired', 'name-lists'],
  ['properties', 'schema-map'],
  ['patternProperties', 'schema-map'],
  ['dependentSchemas', 'schema-map'],
  ['dependencies', 'schema-map'],
  ['$defs', 'schema-map'],
  ['definitions', 'schema-map'],
  ['allOf', 'schema-list'],
  ['anyOf', 'schema-list'],
  ['oneOf', 'schema-list'],
  ['prefixItems', 'schema-list'],
  ['examples', 'list'],
  ['deprecated', 'flag'],
  ['readOnly', 'flag'],
  ['writeOnly', 'flag'],
  ['$comment', 'text'],
]);

/** Keywords that only inform. Older drafts do not know them and take any value there, so a wrong one harms little. */
export const INFORMING: ReadonlySet<string> = new Set(['examples', 'deprecated', 'readOnly', 'writeOnly', '$comment']);

/** The types of JSON Schema. */
export const TYPE_WORDS: ReadonlySet<string> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);

/** Words of programming languages, databases and older schema dialects, and the type that each means. */
export const MEANT_TYPES: ReadonlyMap<string, string> = new Map([
  ['str', 'string'],
  ['text', 'string'],
  ['char', 'string'],
  ['varchar', 'string'],
  ['unicode', 'string'],
  ['enum', 'string'],
  ['date', 'string'],
  ['datetime', 'string'],
  ['date-time', 'string'],
  ['timestamp', 'string'],
  ['time', 'string'],
  ['uri', 'string'],
  ['url', 'string'],
  ['uuid', 'string'],
  ['email', 'string'],
  ['int', 'integer'],
  ['int32', 'integer'],
  ['int64', 'integer'],
  ['long', 'integer'],
  ['short', 'integer'],
  ['bigint', 'integer'],
  ['float', 'number'],
  ['float32', 'number'],
  ['float64', 'number'],
  ['double', 'number'],
  ['decimal', 'number'],
  ['numeric', 'number'],
  ['real', 'number'],
  ['bool', 'boolean'],
  ['list', 'array'],
  ['tuple', 'array'],
  ['set', 'array'],
  ['vector', 'array'],
  ['sequence', 'array'],
  ['dict', 'object'],
  ['dictionary', 'object'],
  ['map', 'object'],
  ['hash', 'object'],
  ['record', 'object'],
  ['struct', 'object'],
  ['json', 'object'],
  ['none', 'null'],
  ['nil', 'null'],
  ['undefined', 'null'],
  ['nonetype', 'null'],
]);

/** Words that mean every type: JSON Schema says it by leaving `type` out. */
export const ANY_WORDS: ReadonlySet<string> = new Set(['any', 'unknown', 'mixed', 'variant', 'dynamic']);
