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

/**
 * Bytes in a row without a choice on which the engine surely gives up ("too many expressions constructed"): it writes them
 * in one step, and its lexer has fuel for half as many bytes as its limits say (200,000 in a step, 1,000,000 from loading
 * up to the first mask). At best 97,900 and 497,500 pass, in nested counts; of flat ones half as many do.
 */
export const ENGINE_FORCED = { atStart: 500_000, later: 100_000 } as const;

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

const DATE =
  '[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))';
const TIME =
  '(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[zZ]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';

/** Counts with their units: from any unit on, each may have the next behind it, and none is left out between. */
function units(names: string): string {
  const from = [...names].map((_, i) =>
    [...names.slice(i)].reduceRight((rest, name) => `[0-9]+${name}${rest && `(?:${rest})?`}`, ''),
  );
  return `(?:${from.join('|')})`;
}

const OCTET = '(?:[1-9]?[0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])';
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`;

/** Eight groups, or at most seven with `::` somewhere; never an IPv4 address at the end. */
function ipv6(): string {
  const group = '[0-9a-fA-F]{1,4}';
  const shortened = Array.from({ length: 7 }, (_, left) => {
    const before = left === 0 ? ':' : `(?:${group}:){${left}}`;
    return `${before}(?::|(?::${group}){1,${7 - left}})`;
  });
  return `(?:${group}:){7}(?:${group}|:)|${shortened.join('|')}`;
}

/** Names with dots between them; a hyphen is neither first nor last. */
function domain(inner: string): string {
  const label = `[a-zA-Z0-9](?:[a-zA-Z0-9-]${inner}[a-zA-Z0-9])?`;
  return `${label}(?:\\.${label})*`;
}

function uri(): string {
  const plain = "-a-zA-Z0-9._~!$&'()*+,;=";
  const among = (more: string): string => `(?:[${plain}${more}]|%[0-9a-fA-F]{2})`;
  const future = `v[0-9a-fA-F]+\\.[${plain}:]+`;
  const authority = `(?:${among(':')}*@)?(?:\\[(?:${ipv6()}|${future})\\]|${among('')}*)(?::[0-9]*)?`;
  const segments = `(?:/${among(':@')}*)*`;
  const path = `//${authority}${segments}|/|/?${among(':@')}+${segments}|`;
  return `[a-zA-Z][a-zA-Z0-9+.-]*:(?:${path})(?:\\?${among(':@/?')}*)?(?:#${among(':@/?')}*)?`;
}

const LOCAL = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+";

/** Formats that `%json` knows, and the texts of each. */
export const ENGINE_SCHEMA_FORMATS: ReadonlyMap<string, string> = new Map([
  ['date-time', `${DATE}[tT]${TIME}`],
  ['time', TIME],
  ['date', DATE],
  ['duration', `P(?:${units('YMD')}(?:T${units('HMS')})?|T${units('HMS')}|[0-9]+W)`],
  ['email', `${LOCAL}(?:\\.${LOCAL})*@(?:${domain('*')}|\\[${IPV4}\\])`],
  ['hostname', domain('{0,61}')],
  ['ipv4', IPV4],
  ['ipv6', ipv6()],
  ['uuid', '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'],
  ['uri', uri()],
  ['unknown', '(?s:.*)'],
]);
