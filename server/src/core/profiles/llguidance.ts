// Source of everything here: llguidance 1.9.1 (with derivre 0.3.13), observed at work through its Python package with its
// byte tokenizer.

/** What `%import` can bring, as a regular expression in the engine's own dialect. */
export const ENGINE_COMMON: ReadonlyMap<string, string> = new Map([
  ['common.DIGIT', '[0-9]'],
  ['common.HEXDIGIT', '[a-fA-F0-9]'],
  ['common.INT', '[0-9]+'],
  ['common.SIGNED_INT', '[+-]?[0-9]+'],
  ['common.DECIMAL', '[0-9]+\\.[0-9]*|\\.[0-9]+'],
  ['common._EXP', '[eE][+-]?[0-9]+'],
  ['common.FLOAT', '(?:[0-9]+\\.[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+'],
  ['common.SIGNED_FLOAT', '[+-]?(?:(?:[0-9]+\\.[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)'],
  ['common.NUMBER', '[0-9]+|(?:[0-9]+\\.[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+'],
  ['common.SIGNED_NUMBER', '[+-]?(?:[0-9]+|(?:[0-9]+\\.[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)'],
  ['common.ESCAPED_STRING', '"(?:[^"\\\\]|\\\\.)*"'],
  ['common.LCASE_LETTER', '[a-z]'],
  ['common.UCASE_LETTER', '[A-Z]'],
  ['common.LETTER', '[A-Za-z]'],
  ['common.WORD', '[A-Za-z]+'],
  ['common.CNAME', '[_A-Za-z][_A-Za-z0-9]*'],
  ['common.WS_INLINE', '[ \\t]+'],
  ['common.WS', '[ \\t\\f\\r\\n]+'],
  ['common.CR', '\\r'],
  ['common.LF', '\\n'],
  ['common.NEWLINE', '(?:\\r?\\n)+'],
  ['common.SH_COMMENT', '#[^\\n]*'],
  ['common.CPP_COMMENT', '//[^\\n]*'],
  ['common.C_COMMENT', '/\\*[^*]*\\*+(?:[^/*][^*]*\\*+)*/'],
  ['common.SQL_COMMENT', '--[^\\n]*'],
]);

/** Names of the engine's `common`, without the module. */
export const ENGINE_COMMON_NAMES: readonly string[] = [...ENGINE_COMMON.keys()].map((path) =>
  path.slice('common.'.length),
);

/** Numbers of tokens from here on are too large for the byte tokenizer; hosts have larger ones. */
export const ENGINE_SPECIAL_RANGE = 261;

/** Items in one row of the parser; lists that recurse to the right end there. */
export const ENGINE_ROW_LIMIT = 2000;

/** Brackets inside one another that still load. */
export const ENGINE_NESTING = 28;

/** Keywords of JSON Schema that `%json` enforces. */
export const ENGINE_SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  'const',
  'enum',
  'type',
  'items',
  'additionalItems',
  'prefixItems',
  'minItems',
  'maxItems',
  'properties',
  'additionalProperties',
  'patternProperties',
  'required',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
]);

/** Keywords of JSON Schema 2020-12 that `%json` refuses, because it cannot enforce them. */
export const ENGINE_SCHEMA_REFUSED: ReadonlySet<string> = new Set([
  'not',
  'if',
  'then',
  'else',
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
  '$dynamicRef',
  '$dynamicAnchor',
  'contentSchema',
  'deprecated',
  '$vocabulary',
]);

/** Formats that `%json` knows. */
export const ENGINE_SCHEMA_FORMATS: ReadonlySet<string> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'uri',
  'unknown',
]);
