import fc from 'fast-check';

/**
 * Random schemas as JSON text, so that key order, repeated keys and the spelling of numbers are part of them.
 * They are dense in what the compilation looks at: references of every kind, tables at every level, null values,
 * lists where schemas stand, data that looks like schemas.
 */
type Text = fc.Arbitrary<string>;

const NAMES = [
  ...['a', 'b', 'A', 'B', 'C', '10', '9', 'a/b', 'a~b', 'a b', 'x%y', '', '\ufffd', '😀', '__proto__', 'toString'],
  ...['description', 'anyOf', 'properties', '$ref', '$defs', 'definitions', 'type', 'const', 'items', 'enum'],
];

const REFS = [
  ...['#/$defs/A', '#/$defs/B', '#/$defs/C', '#/definitions/A', '#/definitions/B', '#/$defs/a', '#/$defs/10'],
  ...['#/%24defs/A', '#/$defs/%41', '#/$defs%2FA', '#%2F$defs%2FB', '#/$d%65fs/B', '#/definitions%2fA'],
  ...['#/$defs/a~1b', '#/$defs/a~0b', '#/$defs/a~2b', '#/$defs/a~', '#/$defs/a%2Fb', '#/$defs/a%7e1b', '#/$defs/A/~2'],
  ...['#/$defs/x%25y', '#/$defs/%zz', '#/$defs/%ff', '#/$defs/%', '#/$defs/A%4', '#/$defs/a+b', '#/$defs/a%20b'],
  ...['#/$defs/%F0%9F%98%80', '#/$defs/😀', '#/$defs/%E2%82', '#/$defs/%EF%BF%BD', '#/$defs/%ED%A0%80', '#/$defs/'],
  ...['#/$defs', '#/', '#', '', '#A', '$defs/A', '/$defs/A', 'other.json#/$defs/A', '#/properties/a', '#/Defs/A'],
  ...['#/$defs/A/properties/b', '#/$defs/B/$defs/A', '#/definitions/A/', '#/$defs/__proto__', '#/definitions/10'],
  ...['#/$defs/$ref', '#/$defs/type', '#/%2524defs/A', ' #/$defs/A', '#/$defs/missing', '#/definitions/missing'],
];

const TYPES = ['string', 'number', 'boolean', 'integer', 'object', 'array', 'null'];
const NUMBERS = [
  ...['0', '1', '2', '-1', '1.0', '-0', '-0.0', '1e3', '1E3', '1e-2', '2.5E+10', '0.10', '1e400'],
  ...['9007199254740993', '18446744073709551615', '18446744073709551616', '-9223372036854775809'],
  ...['340282366920938463463374607431768211456', '10000000000000000000000000000000000000000'],
  ...['-12300000000000000000000000000000000000000000', '1361129467683753853853498429727072845824'],
];

const quote = (text: string): string => JSON.stringify(text);
const quoted = (...texts: string[]): Text => fc.constantFrom(...texts.map(quote));
const list = (element: Text, maxLength = 4): Text =>
  fc.array(element, { maxLength }).map((all) => `[${all.join(',')}]`);
const member = (key: string, value: Text): Text => value.map((text) => `${quote(key)}:${text}`);
const map = (value: Text, maxLength = 4): Text =>
  fc
    .array(
      fc.tuple(fc.constantFrom(...NAMES), value).map(([name, text]) => `${quote(name)}:${text}`),
      { maxLength },
    )
    .map((members) => `{${members.join(',')}}`);
/** One of several, each as often as its weight says. */
const either = (...choices: (readonly [weight: number, arbitrary: Text])[]): Text =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const ref = quoted(...REFS);
const likelyRef = either([3, quoted('#/$defs/A', '#/$defs/B', '#/definitions/A')], [2, ref]);
const words = fc.oneof(
  { weight: 6, arbitrary: quoted('', 'short', 'tab\tquote"back\\', 'é 😀 \u2028', '\u007f\u0007') },
  { weight: 1, arbitrary: fc.integer({ min: 20, max: 400 }).map((length) => quote('w'.repeat(length))) },
);
const number = fc.constantFrom(...NUMBERS);
const smallNumber = fc.constantFrom('0', '1', '2.5', '-3');

/** Any JSON, with references and words of schemas in it. */
const data: Text = fc.letrec<{ data: string }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'data' },
    either([3, words], [2, smallNumber], [1, number], [3, fc.constantFrom('null', 'true', 'false')]),
    member('$ref', likelyRef).map((text) => `{${text}}`),
    list(tie('data')),
    map(tie('data'), 3),
  ),
})).data;

/** How often things stand in a schema that Codex refuses. */
export type Kind = 'well-formed' | 'broken';

function schemas(kind: Kind): Text {
  const junk = fc.constantFrom(
    'null',
    'true',
    'false',
    '5',
    '-0',
    '"text"',
    '[]',
    '{}',
    '["a"]',
    '[1]',
    '{"a":1}',
    '[{}]',
  );
  /** The value, or null (a known keyword with it counts as absent), or something that does not belong there. */
  const flawed = (value: Text, asNull = true): Text =>
    kind === 'broken'
      ? either([10, value], [1, fc.constant('null')], [2, junk])
      : asNull
        ? either([14, value], [1, fc.constant('null')])
        : value;
  return fc.letrec<{ schema: string; root: string }>((tie) => {
    const schema = tie('schema') as Text;
    const value = flawed(schema, false);
    const branches = flawed(list(value));
    const table = either([6, map(value, 4)], [1, junk]);
    const likelyTable = fc.array(fc.tuple(fc.constantFrom('A', 'B', 'C', 'a/b', '10'), value), { maxLength: 4 });
    const type = either(
      [8, quoted(...TYPES)],
      [1, quoted('any', 'String', '')],
      [3, list(quoted(...TYPES, 'date'))],
      [1, list(either([2, quoted(...TYPES)], [1, junk]))],
      [1, kind === 'broken' ? junk : fc.constantFrom('null')],
      [1, fc.constantFrom('{"string":null}', '{"null":null}', '[{"array":null},"null"]', '{"object":{}}')],
    );
    const fifteen = fc
      .array(either([5, fc.constant('null')], [1, junk], [1, schema]), { minLength: 14, maxLength: 16 })
      .map((all) => `[${all.join(',')}]`);
    const keyword = either(
      [6, member('type', type)],
      [4, member('properties', flawed(map(value)))],
      [1, value.map((text) => `"properties":{"deep":{"items":{"properties":{"x":{"enum":[1]},"deeper":${text}}}}}`)],
      [3, member('description', flawed(words))],
      [3, member('$ref', flawed(likelyRef))],
      [
        2,
        member(
          'items',
          either([8, flawed(schema)], [kind === 'broken' ? 2 : 0, fifteen], [1, list(fc.constant('null'), 15)]),
        ),
      ],
      [1, member('items', fc.constant(`[${Array(15).fill('null').join(',')}]`))],
      [2, member('additionalProperties', flawed(either([1, fc.constantFrom('true', 'false')], [2, schema])))],
      [2, member('anyOf', branches)],
      [1, member('oneOf', branches)],
      [1, member('allOf', branches)],
      [2, member('enum', flawed(list(data)))],
      [2, member('const', data)],
      [1, member('required', flawed(list(kind === 'broken' ? either([5, words], [1, junk]) : words)))],
      [1, member('minItems', flawed(kind === 'broken' ? number : smallNumber.filter((text) => /^\d$/.test(text))))],
      [1, member('encrypted', flawed(fc.constantFrom('true', 'false')))],
      [1, member('$defs', table)],
      [1, member('definitions', table)],
      [1, member('prefixItems', either([3, list(schema)], [1, junk]))],
      [1, fc.oneof(...['not', 'if', 'contains', 'propertyNames'].map((key) => member(key, schema)))],
      [1, fc.oneof(...['patternProperties', 'dependentSchemas'].map((key) => member(key, map(schema))))],
      [1, fc.oneof(...['default', 'examples', 'x-any'].map((key) => member(key, data)))],
      [1, fc.oneof(...['minimum', 'multipleOf', 'maxLength', 'maxItems'].map((key) => member(key, number)))],
      [1, fc.oneof(...['format', 'title', 'pattern', '$id'].map((key) => member(key, words)))],
    );
    const object = fc.array(keyword, { maxLength: 5 }).map((members) => `{${members.join(',')}}`);
    const root = fc
      .tuple(fc.array(keyword, { minLength: 1, maxLength: 6 }), likelyTable, likelyTable, fc.nat({ max: 7 }))
      .map(([members, defs, definitions, shape]) => {
        const written = (entries: [string, string][]): string =>
          `{${entries.map(([name, text]) => `${quote(name)}:${text}`).join(',')}}`;
        const all = [...members];
        if (shape & 1) all.splice(shape % all.length, 0, `"$defs":${written(defs)}`);
        if (shape & 2) all.push(`"definitions":${written(definitions)}`);
        if (shape & 4) all.unshift('"type":"object"');
        return `{${all.join(',')}}`;
      });
    const odd = either([3, fifteen], [1, junk]);
    return {
      schema: fc.oneof(
        { maxDepth: 5, depthIdentifier: 'schema' },
        either([4, quoted(...TYPES).map((text) => `{"type":${text}}`)], [1, fc.constantFrom('true', 'false', '{}')]),
        object,
        object,
      ),
      root: kind === 'broken' ? either([20, root], [1, odd]) : root,
    };
  }).root;
}

/** A random root schema. */
export const wellFormedSchema = schemas('well-formed');
/** A random root schema that is probably refused. */
export const brokenSchema = schemas('broken');

/** A budget in bytes; below 0 it is a share of the schema's own bytes in percent, so that any number of passes run. */
export const budget: fc.Arbitrary<number> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(1, 30, 100, 200, 5000) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 5000 }) },
  { weight: 5, arbitrary: fc.integer({ min: -101, max: -1 }) },
);

export const way = fc.constantFrom('dynamic' as const, 'mcp' as const);

/** The budget in bytes for a schema of this many bytes. */
export function budgetOf(wanted: number, bytes: number): number {
  return wanted > 0 ? wanted : Math.max(1, Math.round((bytes * -wanted) / 100));
}
