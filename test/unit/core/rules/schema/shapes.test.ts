import { describe, expect, test } from 'vitest';
import { applyFix, check, checkMarked, expectFinding } from '../helper';
import { mcp, object, responses } from './tools';

describe('schema/open-map', () => {
  const rule = 'schema/open-map';

  test('any value under any name, said in words', () => {
    const text = mcp(
      object(
        `"a": { "type": "object", ⟦"additionalProperties"⟧: true }, "b": { "type": "object", ⟦"additionalProperties"⟧: { "description": "Any." } },
         "c": { "type": "object", "additionalProperties": { "type": "string" } }, "d": { "type": "object", "additionalProperties": false }, "e": { "type": "object" }`,
      ),
    );
    expectFinding(checkMarked(text, { rule }), {
      level: 'hint',
      pointer: '/inputSchema/properties/a/additionalProperties',
    });
  });

  test('an object with names is closed, a map gets a type', () => {
    const map = check(mcp(object('"a": { "type": "object", "additionalProperties": true }')), { rule });
    expect(applyFix(map, map.findings[0]!)).toMatch(/"additionalProperties": \{ ?"type": "string" ?\}/);
    const named = check(mcp(object('"a": { "type": "string" }', ', "additionalProperties": {}')), { rule });
    expect(applyFix(named, named.findings[0]!)).toContain('"additionalProperties": false');
    expect([...map.findings, ...named.findings].flatMap(({ fixes }) => fixes).some(({ safe }) => safe)).toBe(false);
  });
});

describe('schema/open-variant', () => {
  const rule = 'schema/open-variant';
  const arm = (name: string, more = ''): string =>
    `"type": "object", "properties": { "${name}": { "type": "string" } }${more} }`;

  test('object branches that stay open', () => {
    const text = responses(
      object(
        `"a": { "anyOf": [⟦{⟧ ${arm('x')}, { ${arm('y', ', "additionalProperties": false')}, ⟦{⟧ "$ref": "#/$defs/Z" }, { "type": "null" }] }`,
        `, "$defs": { "Z": { ${arm('z')} }`,
      ),
    );
    const checked = checkMarked(text, { rule });
    expect(checked.findings.map(({ level, related }) => [level, related.length])).toEqual([
      ['hint', 0],
      ['hint', 1],
    ]);
    for (const finding of checked.findings) applyFix(checked, finding);
  });

  test('one object among other types, closed as a whole, or only refined', () => {
    checkMarked(
      responses(
        object(
          `"a": { "anyOf": [{ ${arm('x')}, { "type": "string" }] },
           "b": { "unevaluatedProperties": false, "oneOf": [{ ${arm('x')}, { ${arm('y')}] },
           "c": { "type": "object", "properties": { "z": {} }, "oneOf": [{ "properties": { "z": { "const": 1 } } }, { "properties": { "z": { "const": 2 } } }] }`,
        ),
      ),
      { rule },
    );
  });
});

describe('schema/tuple-items', () => {
  const rule = 'schema/tuple-items';

  test('a list under "items"', () => {
    const text = mcp(
      object(
        '"p": { "type": "array", ⟦"items"⟧: [{ "type": "string" }, { "type": "number" }] }, "q": { "type": "array", "items": { "type": "string" } }',
      ),
    );
    expectFinding(checkMarked(text, { rule }), { level: 'warning', pointer: '/inputSchema/properties/p/items' });
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), { rule, targets: ['mcp'] });
  });

  const fixed = (member: string): { schema: unknown; safe: boolean } => {
    const checked = check(mcp(object(`"p": { "type": "array", ${member} }`)), { rule });
    const finding = checked.findings[0]!;
    return { schema: JSON.parse(applyFix(checked, finding)).inputSchema.properties.p, safe: finding.fixes[0]!.safe };
  };

  test('equal elements of a closed tuple become one schema with the same meaning', () => {
    expect(fixed('"items": [{ "type": "number" }, { "type": "number" }], "minItems": 2, "maxItems": 2')).toEqual({
      schema: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
      safe: true,
    });
    expect(fixed('"items": [{ "type": "number" }, { "type": "number" }], "additionalItems": false')).toEqual({
      schema: { type: 'array', items: { type: 'number' }, maxItems: 2 },
      safe: true,
    });
  });

  test('others become a union, which is wider', () => {
    expect(fixed('"items": [{ "type": "string" }, { "type": "number" }, { "type": "string" }], "maxItems": 3')).toEqual(
      {
        schema: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] }, maxItems: 3 },
        safe: false,
      },
    );
    expect(fixed('"items": [{ "type": "string" }]').safe).toBe(false);
  });

  test('a list that holds no schemas has no fix', () => {
    for (const items of ['[]', '["string"]']) {
      expect(check(mcp(object(`"p": { "type": "array", "items": ${items} }`)), { rule }).findings[0]!.fixes).toEqual(
        [],
      );
    }
  });
});

describe('any text', () => {
  const targets = ['codex', 'openai', 'chat', 'mcp', 'anthropic', 'gemini'] as const;
  const failed = (text: string) => check(text, { rule: 'internal/rule-failed', targets }).findings;

  test('deep nesting', () => {
    const depth = 100_000;
    for (const [open, close] of [
      ['{"type":"object","properties":{"a":', '}}'],
      ['{"allOf":[', ']}'],
      ['{"anyOf":[{"type":"null"},', ']}'],
      ['{"items":', '}'],
    ]) {
      expect(failed(mcp(`${open!.repeat(depth)}{"$ref":"#/properties/a"}${close!.repeat(depth)}`))).toEqual([]);
    }
  });

  test('schemas of every wrong kind', () => {
    const values = [
      'null',
      '5',
      '"x"',
      '[]',
      '[null]',
      '{}',
      'true',
      '[[]]',
      '{"a":null}',
      '{"a":[]}',
      '{"":{"$ref":"#"}}',
    ];
    const keywords = [
      'type',
      'enum',
      'const',
      '$ref',
      '$id',
      '$schema',
      '$defs',
      'properties',
      'required',
      'items',
      'anyOf',
      'oneOf',
      'allOf',
      'not',
      'additionalProperties',
      'prefixItems',
      'minimum',
      'exclusiveMinimum',
      'minItems',
      'maxProperties',
      'dependencies',
      'if',
      'patternProperties',
      'propertyNames',
    ];
    for (const keyword of keywords) {
      for (const value of values) {
        expect(failed(mcp(`{"${keyword}":${value}}`, `{"${keyword}":${value}}`))).toEqual([]);
        expect(
          failed(mcp(object(`"p": {"type":"array","${keyword}":${value}}`, `,"$defs":{"a":{"${keyword}":${value}}}`))),
        ).toEqual([]);
      }
    }
  });

  test('keys that objects of the language have by themselves', () => {
    const text = mcp(
      object(
        '"__proto__": { "$ref": "#/$defs/constructor" }, "toString": { "$ref": "#/$defs/__proto__" }',
        ', "required": ["__proto__"], "$defs": { "__proto__": false, "x": {} }',
      ),
    );
    expect(failed(text)).toEqual([]);
    expect(check(text, { rule: 'schema/unresolved-ref' }).findings.map(({ pointer }) => pointer)).toEqual([
      '/inputSchema/properties/__proto__/$ref',
    ]);
  });
});
