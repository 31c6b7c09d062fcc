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

/**
 * The last token of the vocabulary that grammars are judged with: 256 single bytes and the end. The vocabularies of
 * models are larger.
 */
export const ENGINE_LAST_TOKEN = 256;

/** Names of special tokens in that vocabulary. */
export const ENGINE_TOKEN_NAMES: ReadonlySet<string> = new Set(['<|end|>']);

/** Numbers without a sign have 32 bits in the engine as WebAssembly (`max_tokens`, `minLength` and the like). */
export const ENGINE_LARGEST_NATURAL = 4294967295;

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

/**
 * Keywords that `%json` knows and refuses unless it is lenient, with the version of JSON Schema that brought them: 4, 6,
 * 7, 8 for 2019-09 and 9 for 2020-12.
 */
export const ENGINE_SCHEMA_REFUSED: ReadonlyMap<string, number> = new Map([
  ['dependencies', 4],
  ['not', 4],
  ['uniqueItems', 4],
  ['contains', 6],
  ['propertyNames', 6],
  ['if', 7],
  ['then', 7],
  ['else', 7],
  ['dependentRequired', 8],
  ['dependentSchemas', 8],
  ['minContains', 8],
  ['maxContains', 8],
  ['unevaluatedItems', 8],
  ['unevaluatedProperties', 8],
  ['$recursiveAnchor', 8],
  ['$recursiveRef', 8],
  ['$dynamicRef', 9],
  ['$dynamicAnchor', 9],
]);

/** Keywords that describe and do not constrain. */
export const ENGINE_SCHEMA_IGNORED: ReadonlySet<string> = new Set([
  '$anchor',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  'id',
  '$comment',
  'title',
  'description',
  'default',
  'readOnly',
  'writeOnly',
  'examples',
  'contentMediaType',
  'contentEncoding',
]);

/**
 * Formats that `%json` knows. Where texts may be told from one another, the characters that one may have; `email`, `uri`
 * and the like are not compared with anything.
 */
export const ENGINE_SCHEMA_FORMATS: ReadonlyMap<string, string | undefined> = new Map([
  ['date-time', '[0-9]{4}-[0-9]{2}-[0-9]{2}[tT][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?:[zZ]|[+-][0-9]{2}:[0-9]{2})'],
  ['time', '[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?:[zZ]|[+-][0-9]{2}:[0-9]{2})'],
  ['date', '[0-9]{4}-[0-9]{2}-[0-9]{2}'],
  ['duration', 'P[0-9YMDTHSW]+'],
  ['email', '[^@]+@[^@]+'],
  ['hostname', '[a-zA-Z0-9.-]+'],
  ['ipv4', '[0-9]{1,3}(?:\\.[0-9]{1,3}){3}'],
  ['ipv6', '[0-9a-fA-F:]{2,39}'],
  ['uuid', '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'],
  ['uri', '[a-zA-Z][a-zA-Z0-9+.-]*:.*'],
  ['unknown', undefined],
]);
