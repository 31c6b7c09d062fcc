// JSON Schemas by chance, as they stand behind `%json`.

/**
 * @param {() => number} random
 * @param {() => string} pattern Makes an expression.
 */
export function schemaMaker(random, pattern) {
  const below = (/** @type {number} */ most) => Math.floor(random() * most);
  /** @template T @param {readonly T[]} list @returns {T} */
  const one = (list) => /** @type {T} */ (list[below(list.length)]);
  const often = (/** @type {number} */ share) => random() < share;

  const NAMES = ['a', 'b', 'ab', 'x-y', 'é', '', 'a/b'];
  const VALUES = [null, true, false, 0, 1, -1, 2.5, 'a', 'b', 'é', '', [], ['a'], [1, 'a'], {}, { a: 1 }, { a: 'b' }];
  const NUMBERS = [0, 1, 2, 3, -1, 5, 10, 0.5, 1.5, 100, 255, -7.25, 1e6];
  const HUGE = [1e18, 1e19, 1e20, -1e19, 9007199254740992, 1e300];
  const WRONG = [null, 'x', true, [], {}, -1, 1.5];
  const TYPES = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'];
  const FORMATS = [
    'date-time',
    'date',
    'time',
    'email',
    'uuid',
    'ipv4',
    'uri',
    'unknown',
    'hostname',
    'duration',
    'ipv6',
  ];

  const number = () => (often(0.05) ? one(HUGE) : one(NUMBERS));
  const count = () => below(4);

  /** @type {Record<string, (depth: number) => unknown>} */
  const KEYWORDS = {
    type: () => (often(0.2) ? Array.from({ length: below(4) }, () => one(TYPES)) : one(TYPES)),
    enum: () => Array.from({ length: below(4) + (often(0.9) ? 1 : 0) }, () => one(VALUES)),
    const: () => one(VALUES),
    minimum: () => number() - (often(0.8) ? 5 : 0),
    maximum: () => number() + (often(0.8) ? 5 : 0),
    exclusiveMinimum: () => (often(0.2) ? often(0.5) : number()),
    exclusiveMaximum: () => (often(0.2) ? often(0.5) : number()),
    multipleOf: () => one([1, 2, 3, 0.5, 0.1, 0.01, 0.07, 5, 7, 10, -2, ...(often(0.1) ? [0, 1e10] : [])]),
    minLength: () => below(3),
    maxLength: () => count() + 2,
    pattern: () => pattern(),
    format: () => (often(0.05) ? 'nope' : one(FORMATS)),
    items: (depth) => (often(0.1) ? [schema(depth - 1)] : schema(depth - 1)),
    prefixItems: (depth) => Array.from({ length: below(3) }, () => schema(depth - 1)),
    additionalItems: (depth) => schema(depth - 1),
    minItems: () => below(3),
    maxItems: () => count() + 1,
    properties: (depth) => named(depth),
    additionalProperties: (depth) => (often(0.6) ? false : schema(depth - 1)),
    patternProperties: (depth) =>
      Object.fromEntries(
        Array.from({ length: 1 + below(2) }, () => [often(0.5) ? `^${one(NAMES)}` : pattern(), schema(depth - 1)]),
      ),
    required: () => Array.from({ length: below(3) }, () => one(NAMES)),
    minProperties: () => below(2),
    maxProperties: () => count() + 1,
    anyOf: (depth) => Array.from({ length: below(4) }, () => schema(depth - 1)),
    oneOf: (depth) => Array.from({ length: below(4) }, () => schema(depth - 1)),
    allOf: (depth) => Array.from({ length: 1 + below(3) }, () => schema(depth - 1)),
    $ref: () => one(['#', '#/$defs/a', '#/$defs/b', '#/properties/a', '#/', '#/$defs/nope', '#a', 'other.json']),
    title: () => 'x',
    description: () => 'y',
    unheard: () => 1,
  };
  const REFUSED = ['not', 'if', 'then', 'else', 'uniqueItems', 'contains', 'propertyNames', 'dependencies'];
  const MORE = [
    'dependentRequired',
    'unevaluatedProperties',
    '$dynamicRef',
    'contentSchema',
    'deprecated',
    'minContains',
  ];

  /** @param {number} depth */
  function named(depth) {
    return Object.fromEntries(Array.from({ length: below(4) }, () => [one(NAMES), schema(depth - 1)]));
  }

  /** @param {number} depth @returns {unknown} */
  function schema(depth) {
    if (often(0.06)) return often(0.7);
    if (often(0.004)) return one(VALUES);
    const typed = often(0.6) ? one(TYPES) : undefined;
    /** @type {[string, unknown][]} */
    const members = typed === undefined ? [] : [['type', typed]];
    const own =
      typed === undefined
        ? Object.keys(KEYWORDS)
        : Object.keys(KEYWORDS).filter((key) => {
            if (typed === 'string') return /Length|pattern$|format|enum|const/.test(key);
            if (typed === 'array') return /tems/.test(key);
            if (typed === 'object') return /ropert|required|enum/.test(key);
            return typed === 'number' || typed === 'integer'
              ? /imum|multipleOf|enum/.test(key)
              : /enum|const/.test(key);
          });
    for (let left = below(typed === undefined ? 3 : 4); left > 0; left--) {
      const key = one(own);
      if (depth <= 0 && /items|ropert|Of$|\$ref/i.test(key)) continue;
      members.push([key, often(0.01) ? one(WRONG) : KEYWORDS[key]?.(depth)]);
    }
    if (often(0.02)) members.push([one([...REFUSED, ...MORE]), often(0.5) ? true : {}]);
    return Object.fromEntries(often(0.2) ? members.reverse() : members);
  }

  const GUIDANCE = () => ({
    ...(often(0.3) && { lenient: often(0.8) }),
    ...(often(0.3) && { coerce_one_of: often(0.8) }),
    ...(often(0.2) && { whitespace_flexible: often(0.5) }),
    ...(often(0.2) && { whitespace_pattern: one([null, ' ?', '[ \\n]*', '(']) }),
    ...(often(0.2) && { item_separator: one([',', ', ?', ')']) }),
    ...(often(0.2) && { key_separator: one([':', ': ?', '*']) }),
    ...(often(0.2) && { json_allowed_escapes: one([null, 'nrbtf\\"', '', 'x', 'nu']) }),
    ...(often(0.2) && { json_allow_general_unicode_escapes: often(0.5) }),
    ...(often(0.1) && { [one(['lenien', 'max', 'retriever'])]: true }),
    ...(often(0.05) && { lenient: one([1, 'yes', null]) }),
  });
  const DRAFTS = [
    'http://json-schema.org/draft-04/schema#',
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema',
    'http://example.com/other',
  ];

  /** The text of a schema. */
  return function made() {
    let root = schema(3);
    if (typeof root === 'object' && root !== null && !Array.isArray(root)) {
      /** @type {Record<string, unknown>} */
      const whole = { ...root };
      if (often(0.25)) whole.$defs = { a: schema(2), b: schema(2) };
      if (often(0.1)) whole['x-guidance'] = often(0.05) ? one([[], null, 1, [','], {}]) : GUIDANCE();
      if (often(0.05)) whole.$schema = one(DRAFTS);
      root = whole;
    }
    const text = JSON.stringify(root, null, often(0.1) ? 1 : undefined);
    if (!often(0.03)) return text;
    const at = below(text.length);
    return often(0.5)
      ? text.slice(0, at) + text.slice(at + 1)
      : `${text.slice(0, at)}${one([',', '"', '}', ' ', '1', "'", '//'])}${text.slice(at)}`;
  };
}
