/** Shapes of OpenAI's own APIs, whose schemas go to them as they are written. */
export const OPENAI_SHAPES: ReadonlySet<string> = new Set(['responses', 'chat', 'chat-legacy']);

/**
 * Keywords that the API refuses in a function's schema with and without strict mode: "'propertyNames' is not permitted",
 * as reported by users of generated schemas (2024 to 2026).
 */
export const REFUSED_KEYWORDS: readonly string[] = ['propertyNames'];

/**
 * Keywords that may not stand at the root of a function's schema: "schema must have type 'object' and not have
 * 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level" (the API's words, 2026).
 */
export const ROOT_COMBINATORS = {
  openai: ['anyOf', 'oneOf', 'allOf', 'enum', 'not'],
  /** "input_schema does not support oneOf, allOf, or anyOf at the top level" (Anthropic Messages API, 2025). */
  anthropic: ['anyOf', 'oneOf', 'allOf'],
  /** Those that Codex 0.171.0 sends on (observed); it drops `not`. */
  codex: ['anyOf', 'oneOf', 'allOf', 'enum'],
} as const;

/** Limits of a schema in strict mode (OpenAI guide Structured model outputs, 2026). */
export const STRICT_LIMITS = {
  /** Levels of objects; the root is the first. Older copies of the guide say 5. */
  nestingLevels: 10,
  /** Properties of all objects. */
  properties: 5000,
  /** Enum values in the whole schema. */
  enumValues: 1000,
  /** Characters of property names, definition names, enum and const values in the whole schema. */
  stringCharacters: 120_000,
  /** An enum of strings with more values than this … */
  largeEnumValues: 250,
  /** … may have this many characters in all its values. */
  largeEnumCharacters: 15_000,
} as const;

/** Formats of strings that strict mode takes (OpenAI guide Structured model outputs, 2026). */
export const STRICT_FORMATS: readonly string[] = [
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
];

/** How strict mode takes a keyword that it does not support. */
export interface StrictKeyword {
  readonly level: 'error' | 'warning';
  /** The keyword says nothing about which values are valid, so it can go without a change of meaning. */
  readonly annotation: boolean;
}

const REFUSED: StrictKeyword = { level: 'error', annotation: false };
const DIFFERS: StrictKeyword = { level: 'warning', annotation: false };

/**
 * Keywords that strict mode does not take.
 *
 * Not supported by the guide's own list (OpenAI guide Structured model outputs, 2026): `allOf`, `not`, `if`, `then`, `else`,
 * `dependentRequired`, `dependentSchemas`. Refused by the API in reports of 2024 to 2026 ("'oneOf' is not permitted"):
 * `oneOf`, `default`. In no list of supported keywords and named as unsupported by the guide's first edition (2024) and by
 * Azure OpenAI's copy of it: the keywords about items and members. Tuples by `prefixItems`: openai-agents-python, issue
 * 4752 (2026). Where models and copies of the guide differ, a keyword is a warning only.
 */
export const STRICT_KEYWORDS: ReadonlyMap<string, StrictKeyword> = new Map([
  ['allOf', REFUSED],
  ['oneOf', REFUSED],
  ['not', REFUSED],
  ['if', REFUSED],
  ['then', REFUSED],
  ['else', REFUSED],
  ['dependentRequired', REFUSED],
  ['dependentSchemas', REFUSED],
  ['default', { level: 'error', annotation: true }],
  ['prefixItems', REFUSED],
  ['unevaluatedItems', REFUSED],
  ['contains', REFUSED],
  ['minContains', REFUSED],
  ['maxContains', REFUSED],
  ['uniqueItems', REFUSED],
  ['unevaluatedProperties', REFUSED],
  ['minProperties', REFUSED],
  ['maxProperties', REFUSED],
  ['patternProperties', DIFFERS],
  ['minLength', DIFFERS],
  ['maxLength', DIFFERS],
  ['discriminator', { level: 'warning', annotation: true }],
]);

/** What may stand in one request (OpenAI API, observed refusals; guides Function calling and Tool search, 2026). */
export const REQUEST_LIMITS = {
  /** "array too long" beyond this. */
  tools: 128,
  /** The guide advises fewer functions than this at the start of a turn. */
  advisedTools: 20,
  /** The guide advises fewer functions than this in a namespace. */
  advisedNamespaceTools: 10,
} as const;

/** Characters of a description that Chat Completions took until 2025 and some endpoints still take at most. */
export const CHAT_DESCRIPTION_CHARACTERS = 1024;
