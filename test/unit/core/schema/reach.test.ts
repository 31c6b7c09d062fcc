import { describe, expect, test } from 'vitest';
import { definitionPointer } from '../../../../server/src/core/schema/definitionPointer';
import { compile, history } from './helper';

/** The definitions that are left of `A` to `D` in `$defs`, for an object with these further members. */
function kept(members: string, definitions = '"A":{"type":"string"},"B":{"type":"null"}'): string[] {
  const result = compile(`{"type":"object",${members},"$defs":{${definitions}}}`);
  return Object.keys((JSON.parse(result.text) as { $defs?: object }).$defs ?? {});
}

describe('local definition pointers', () => {
  test.each([
    ['a plain one', '#/$defs/A', '$defs', 'A'],
    ['the other table', '#/definitions/A', 'definitions', 'A'],
    ['deeper tokens are ignored', '#/$defs/A/properties/b', '$defs', 'A'],
    ['an empty name', '#/$defs/', '$defs', ''],
    ['percent sequences in the table', '#/%24defs/A', '$defs', 'A'],
    ['percent sequences in the name', '#/$defs/%41%20b', '$defs', 'A b'],
    ['decoding comes before splitting', '#/$defs%2FA', '$defs', 'A'],
    ['also for a slash that was meant to be part of the name', '#/$defs/a%2Fb', '$defs', 'a'],
    ['an escaped slash', '#/$defs/a~1b', '$defs', 'a/b'],
    ['an escaped tilde', '#/$defs/a~0b', '$defs', 'a~b'],
    ['an escaped tilde before a 1', '#/$defs/a~01', '$defs', 'a~1'],
    ['an escape that is percent-encoded', '#/$defs/a%7E1b', '$defs', 'a/b'],
    ['a plus is no space', '#/$defs/a+b', '$defs', 'a+b'],
    ['a bad percent sequence is literal', '#/$defs/%zz%4', '$defs', '%zz%4'],
    ['decoded once only', '#/$defs/%2541', '$defs', '%41'],
    ['characters of several bytes', '#/$defs/%F0%9F%98%80é', '$defs', '😀é'],
    ['a name of another language', '#/$defs/__proto__', '$defs', '__proto__'],
  ])('%s: %s', (_, reference, table, name) => {
    expect(definitionPointer(reference)).toEqual({ table, name });
  });

  test.each([
    ['the root', '#'],
    ['a table without a name', '#/$defs'],
    ['no fragment', '/$defs/A'],
    ['another document', 'other.json#/$defs/A'],
    ['an anchor', '#A'],
    ['another place', '#/properties/a'],
    ['another spelling', '#/$Defs/A'],
    ['a bad escape', '#/$defs/a~2'],
    ['a bad escape in a deeper token', '#/$defs/A/b~'],
    ['bytes that are no UTF-8', '#/$defs/%ff'],
    ['half a character', '#/$defs/%E2%82'],
    ['an encoded surrogate', '#/$defs/%ED%A0%80'],
    ['white space before it', ' #/$defs/A'],
    ['nothing', ''],
  ])('%s is none: %s', (_, reference) => {
    expect(definitionPointer(reference)).toBeUndefined();
  });
});

describe('definitions that stay', () => {
  const ref = '{"$ref":"#/$defs/A"}';

  test.each([
    ['properties', `"properties":{"p":${ref}}`],
    ['items', `"items":${ref}`],
    ['additionalProperties', `"additionalProperties":${ref}`],
    ['anyOf', `"anyOf":[${ref}]`],
    ['oneOf', `"oneOf":[{},${ref}]`],
    ['allOf', `"allOf":[${ref}]`],
    ['the root itself', '"$ref":"#/$defs/A"'],
    ['several levels', `"properties":{"p":{"items":{"anyOf":[{"additionalProperties":${ref}}]}}}`],
  ])('referenced through %s', (_, members) => {
    expect(kept(members)).toEqual(['A']);
  });

  test.each([
    ['not', `"not":${ref}`],
    ['if', `"if":${ref}`],
    ['prefixItems', `"prefixItems":[${ref}]`],
    ['patternProperties', `"patternProperties":{"x":${ref}}`],
    ['dependentSchemas', `"dependentSchemas":{"x":${ref}}`],
    ['data', `"enum":[${ref}],"default":${ref}`],
    ['a table of a subschema', `"properties":{"p":{"type":"string","$defs":{"N":${ref}}}}`],
    ['the other table', '"properties":{"p":{"$ref":"#/definitions/A"}}'],
    ['a bad pointer', '"properties":{"p":{"$ref":"#/$defs/A/~"}}'],
  ])('not referenced through %s', (_, members) => {
    expect(kept(members)).toEqual([]);
  });

  test('inside a used definition every value counts, data and dropped keywords too', () => {
    const use = `"properties":{"p":${ref}}`;
    for (const place of [
      '"default":{"$ref":"#/$defs/B"}',
      '"enum":[[{"$ref":"#/$defs/B"}]]',
      '"not":{"$ref":"#/$defs/B"}',
      '"prefixItems":[{"$ref":"#/$defs/B"}]',
      '"x-any":{"y":[{"$ref":"#/$defs/B"}]}',
      '"$defs":{"N":{"$ref":"#/$defs/B"}}',
    ]) {
      expect(kept(use, `"A":{"type":"string",${place}},"B":{"type":"null"},"C":{"type":"null"}`)).toEqual(['A', 'B']);
    }
  });

  test('what lowering empties or overwrites leads nowhere any more', () => {
    const use = `"properties":{"p":${ref}}`;
    expect(kept(use, '"A":{"default":{"$ref":"#/$defs/B"}},"B":{"type":"null"}')).toEqual(['A']);
    expect(kept(use, '"A":{"enum":[{"$ref":"#/$defs/B"}],"const":1},"B":{"type":"null"}')).toEqual(['A']);
    expect(kept(use, '"A":{"const":{"$ref":"#/$defs/B"}},"B":{"type":"null"}')).toEqual(['A', 'B']);
  });

  test('rings end, and a ring that nothing leads into goes', () => {
    const ring = '"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"},"C":{"$ref":"#/$defs/D"},"D":{"$ref":"#/$defs/C"}';
    expect(kept(`"properties":{"p":${ref}}`, ring)).toEqual(['A', 'B']);
  });

  test('names that JavaScript treats in its own way', () => {
    const result = compile(
      '{"anyOf":[{"$ref":"#/$defs/__proto__"},{"$ref":"#/$defs/10"}],"$defs":{"9":true,"__proto__":true,"10":true,"constructor":true}}',
    );
    expect(result.text).toContain('"$defs":{"10":{"type":"string"},"__proto__":{"type":"string"}}');
    expect(result.unreachable.map(({ pointer }) => pointer)).toEqual(['/$defs/9', '/$defs/constructor']);
  });

  test('references that lead nowhere are left alone', () => {
    const text =
      '{"anyOf":[{"$ref":"#/$defs/None"},{"$ref":"#"},{"$ref":"https://a.example/b#/$defs/A"},{"$ref":"#x"}]}';
    expect(compile(text).text).toBe(text);
  });

  test('tables of subschemas are sent whole', () => {
    const nested = '{"type":"string","$defs":{"A":{"type":"null"}},"definitions":{"B":{"type":"null"}}}';
    expect(compile(`{"type":"array","items":${nested}}`).text).toBe(`{"type":"array","items":${nested}}`);
  });
});

describe('what pruning tells', () => {
  const result = compile({
    properties: { a: { $ref: '#/$defs/Used/properties/x' }, b: { $ref: '#/%24defs/Used' } },
    $defs: { 'a/b~': { type: 'null' }, Used: { not: { $ref: '#/$defs/Next' }, type: 'string' }, Next: true },
    definitions: { Old: {} },
  });

  test('the definitions that go, with their places', () => {
    expect(result.unreachable.map(({ pointer, property }) => [pointer, property.key])).toEqual([
      ['/$defs/a~1b~0', 'a/b~'],
      ['/definitions/Old', 'Old'],
    ]);
    expect(history(result).filter((line) => line.startsWith('prune'))).toEqual([
      'prune definition-removed a/b~',
      'prune definition-removed Old',
      'prune table-removed definitions',
    ]);
  });

  test('for each that stays the reference that reached it first', () => {
    expect([...result.reachedBy]).toEqual([
      ['$defs/Used', '#/$defs/Used/properties/x'],
      ['$defs/Next', '#/$defs/Next'],
    ]);
  });

  test('a fault in an unused definition does not matter; in a used one it does', () => {
    expect(compile('{"type":"string","$defs":{"A":null,"B":{"type":"string","description":1}}}').text).toBe(
      '{"type":"string"}',
    );
    const used = compile('{"$ref":"#/$defs/A","$defs":{"A":null}}').refusal!;
    expect([used.message, used.pointer]).toEqual(['invalid type: null, expected struct JsonSchema', '/$defs/A']);
  });
});
