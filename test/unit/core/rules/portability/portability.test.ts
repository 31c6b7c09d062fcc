import { describe, expect, test } from 'vitest';
import { applyFix, check, checkMarked, expectFinding } from '../helper';
import { mcp, object, responses } from '../schema/tools';

const DRAFT7 = '"$schema": "http://json-schema.org/draft-07/schema#"';
const DRAFT2020 = '"$schema": "https://json-schema.org/draft/2020-12/schema"';

describe('mcp/schema-dialect', () => {
  const at = { rule: 'mcp/schema-dialect', targets: ['mcp'] as const };
  const marked = (line: string): string => line.replace(/"http[^"]*"/, '⟦$&⟧');

  test('another dialect, in both schemas', () => {
    const checked = checkMarked(mcp(object('', `, ${marked(DRAFT7)}`), object('"a": {}', `, ${marked(DRAFT7)}`)), at);
    expect(checked.findings.map(({ level }) => level)).toEqual(['warning', 'warning']);
    checkMarked(mcp(object('', `, ${DRAFT7}`)), { rule: at.rule });
  });

  test('the default itself is a hint', () => {
    const checked = checkMarked(mcp(object('', `, ${marked(DRAFT2020)}`)), at);
    const finding = expectFinding(checked, { level: 'hint' });
    expect(finding.fixes[0]!.safe).toBe(true);
    expect(applyFix(checked, finding)).toBe(mcp(object('')));
  });

  test('removing is safe only where both dialects mean the same', () => {
    const safe = (properties: string, line = DRAFT7): boolean =>
      check(mcp(object(properties, `, ${line}`)), at).findings[0]!.fixes[0]!.safe;
    expect(safe('"a": { "type": "string", "description": "A.", "const": "x" }')).toBe(true);
    expect(safe('"a": { "$ref": "#/definitions/A", "description": "A." }')).toBe(true);
    expect(safe('"a": { "$ref": "#/definitions/A", "minLength": 2 }')).toBe(false);
    expect(safe('"a": { "type": "array", "items": [{ "type": "string" }] }')).toBe(false);
    expect(safe('"a": { "type": "object", "dependencies": { "x": ["y"] } }')).toBe(false);
    expect(safe('"a": { "type": "array", "prefixItems": [{}] }')).toBe(false);
    expect(safe('"a": { "const": 1 }', '"$schema": "http://json-schema.org/draft-04/schema#"')).toBe(false);
    expect(safe('', '"$schema": "https://a.example/dialect"')).toBe(false);
  });

  test('an address of the wrong kind has a rule of its own', () => {
    checkMarked(mcp(object('', ', "$schema": 7')), at);
  });
});

describe('mcp/output-root', () => {
  const at = { rule: 'mcp/output-root', targets: ['mcp'] as const };

  test('roots that are no object', () => {
    expectFinding(checkMarked(mcp(object(''), '{ ⟦"type"⟧: "array", "items": {} }'), at), {
      level: 'warning',
      message: /up to 2025-11-25/,
    });
    checkMarked(mcp(object(''), '{ ⟦"type"⟧: ["object", "null"] }'), at);
    for (const root of ['true', '{}', '{ "anyOf": [] }', '{ "properties": {} }']) {
      checkMarked(mcp(object(''), root).replace('"outputSchema"', '⟦"outputSchema"⟧'), at);
    }
    checkMarked(mcp(object(''), object('')), at);
    checkMarked(mcp(object('')), at);
  });

  test('a type is added where there are properties', () => {
    const checked = check(mcp(object(''), '{ "properties": { "a": {} } }'), at);
    expect(applyFix(checked, checked.findings[0]!)).toContain(
      '"outputSchema": { "type": "object", "properties": { "a": {} } }',
    );
  });
});

describe('mcp/empty-output-schema', () => {
  const at = { rule: 'mcp/empty-output-schema', targets: ['mcp'] as const };

  test('schemas that say nothing', () => {
    for (const root of [
      '{}',
      'true',
      '{ "type": "object" }',
      '{ "type": "string", "description": "Text." }',
      '{ "type": "object", "properties": {}, "required": [] }',
    ]) {
      const checked = checkMarked(mcp(object(''), root).replace('"outputSchema"', '⟦"outputSchema"⟧'), at);
      expect(checked.findings[0]!.level).toBe('hint');
      expect(applyFix(checked, checked.findings[0]!)).toBe(mcp(object('')));
    }
  });

  test('schemas that say something', () => {
    for (const root of [
      'false',
      object('"a": {}'),
      '{ "type": "object", "additionalProperties": false }',
      '{ "type": "object", "minProperties": 1 }',
    ]) {
      checkMarked(mcp(object(''), root), at);
    }
  });
});

describe('anthropic/property-key', () => {
  const at = { rule: 'anthropic/property-key', targets: ['anthropic'] as const };

  test('top-level names outside of the pattern', () => {
    const long = 'k'.repeat(65);
    const text = mcp(
      object(
        `⟦"filter[id]"⟧: { "type": "object", "properties": { "x y": {} } }, "a.b-c_1": {}, ⟦"${long}"⟧: {}, ⟦""⟧: {}, ⟦"größe"⟧: {}`,
      ),
    );
    expectFinding(checkMarked(text, at), {
      pointer: '/inputSchema/properties/filter[id]',
      level: 'warning',
      message: /Name it "filter_id" and map it in the handler\.$/,
    });
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), { rule: at.rule });
  });

  test('the fix renames it, in "required" too', () => {
    const checked = check(mcp(object('"filter[id]": { "type": "string" }', ', "required": ["filter[id]"]')), at);
    expect(applyFix(checked, checked.findings[0]!)).toBe(
      mcp(object('"filter_id": { "type": "string" }', ', "required": ["filter_id"]')),
    );
    expect(check(mcp(object('"a b": {}, "a_b": {}')), at).findings[0]!.fixes).toEqual([]);
    expect(check(mcp(object('"名前": {}')), at).findings[0]!.fixes).toEqual([]);
  });
});

describe('gemini/unsupported-keyword', () => {
  const at = { rule: 'gemini/unsupported-keyword', targets: ['gemini'] as const };

  test('each keyword that the schema type lacks', () => {
    const text = mcp(
      `{ ⟦"$schema"⟧: "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {
           "n": { "type": "integer", ⟦"exclusiveMinimum"⟧: 0, "title": "N", "default": 1, "maximum": 5 },
           "c": { "type": "string", ⟦"const"⟧: "x" }, "const": { "type": "string", "minLength": 1, "pattern": "a" },
           "u": { ⟦"oneOf"⟧: [{ "type": "string", ⟦"x-order"⟧: 1 }, { ⟦"$ref"⟧: "#/$defs/A" }], "nullable": true },
           "m": { "type": "object", ⟦"additionalProperties"⟧: { "type": "string", "const": "told once" } }
         }, ⟦"additionalProperties"⟧: false,
         ⟦"$defs"⟧: { "A": { "type": "array", "items": { "type": "string", ⟦"contentEncoding"⟧: "base64" } }, "Unused": { "const": 1 } } }`,
    );
    expectFinding(checkMarked(text, at), {
      pointer: '/inputSchema/additionalProperties',
      level: 'warning',
      message: /strict mode needs it, so keep it here/,
    });
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), { rule: at.rule });
  });

  test('parametersJsonSchema takes more', () => {
    const tool = (key: string): string =>
      `{ "functionDeclarations": [{ "name": "f", "description": "F.", "${key}": { "type": "object", "properties": { "a": { "$ref": "#/$defs/A" } }, "additionalProperties": false, "$defs": { "A": { "type": "string", ⟦"minLength"⟧: 1 } } } }] }`;
    checkMarked(tool('parametersJsonSchema'), at);
    expect(
      check(tool('parameters').replaceAll(/[⟦⟧]/g, ''), at).findings.map(({ pointer }) => pointer!.split('/').at(-1)),
    ).toEqual(['$ref', 'additionalProperties', '$defs']);
  });

  test('what can be said in another way', () => {
    const fixed = (schema: string): [unknown, boolean] => {
      const checked = check(mcp(object(`"a": ${schema}`)), at);
      const [finding] = checked.findings;
      return [JSON.parse(applyFix(checked, finding!)).inputSchema.properties.a, finding!.fixes[0]!.safe];
    };
    expect(fixed('{ "type": "string", "const": "x" }')).toEqual([{ type: 'string', enum: ['x'] }, true]);
    expect(fixed('{ "oneOf": [{ "type": "string" }, { "type": "integer" }] }')).toEqual([
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      false,
    ]);
    expect(fixed('{ "type": "integer", "exclusiveMinimum": 0 }')).toEqual([{ type: 'integer', minimum: 1 }, true]);
    expect(fixed('{ "type": "integer", "exclusiveMaximum": 10 }')).toEqual([{ type: 'integer', maximum: 9 }, true]);
    const none = (schema: string): void =>
      expect(check(mcp(object(`"a": ${schema}`)), at).findings[0]!.fixes).toEqual([]);
    none('{ "type": "number", "exclusiveMinimum": 0 }');
    none('{ "type": "integer", "exclusiveMinimum": 0.5 }');
    none('{ "const": 1 }');
  });
});

describe('gemini: values, unions and names', () => {
  const targets = ['gemini'] as const;

  test('gemini/enum-not-string at the first value', () => {
    const rule = 'gemini/enum-not-string';
    const text = mcp(
      object(
        '"a": { "type": "integer", "enum": [⟦1⟧, 2] }, "b": { "enum": ["x", ⟦true⟧] }, "c": { "enum": ["x", null] }',
      ),
    );
    expectFinding(checkMarked(text, { rule, targets }), {
      pointer: '/inputSchema/properties/a/enum/0',
      level: 'warning',
      message: /2 values/,
    });
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), { rule });
  });

  test('gemini/enum-null', () => {
    const rule = 'gemini/enum-null';
    expectFinding(
      checkMarked(mcp(object('"c": { "enum": ["x", ⟦null⟧] }, "d": { "default": null }')), { rule, targets }),
      { level: 'warning' },
    );
  });

  test('gemini/null-union at the branch or the word', () => {
    const rule = 'gemini/null-union';
    const text = mcp(
      object(
        '"a": { "anyOf": [{ "type": "string" }, ⟦{⟧ "type": "null" }] }, "b": { "type": ["string", ⟦"null"⟧] }, "c": { "type": "null" }, "d": { "allOf": [{ "type": "null" }] }',
      ),
    );
    expectFinding(checkMarked(text, { rule, targets }), {
      pointer: '/inputSchema/properties/a/anyOf/1',
      level: 'warning',
    });
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), { rule });
  });

  test('parametersJsonSchema takes numbers and null', () => {
    const tool = `{ "functionDeclarations": [{ "name": "f", "description": "F.", "parametersJsonSchema": ${object('"a": { "type": ["integer", "null"] }, "b": { "enum": [1] }')} }] }`;
    for (const rule of ['gemini/null-union', 'gemini/enum-not-string', 'compat/type-list'])
      checkMarked(tool, { rule, targets });
  });

  test('gemini/name-start', () => {
    const rule = 'gemini/name-start';
    const tool = (name: string): string => mcp(object('')).replace('"t"', name);
    const checked = checkMarked(tool('⟦"3d_render"⟧'), { rule, targets });
    expect(applyFix(checked, expectFinding(checked, { level: 'warning' }))).toContain('"name": "_3d_render"');
    checkMarked(tool('⟦"-x"⟧'), { rule, targets });
    checkMarked(tool('"_x"'), { rule, targets });
    checkMarked(tool('"3d"'), { rule });
  });
});

describe('compat/type-list', () => {
  const at = { rule: 'compat/type-list', targets: ['gemini'] as const };

  test('no fix where the properties beside it would make an object of the schema', () => {
    const text = mcp(object('"a": { "type": ["string", "null"], "properties": { "b": {} } }'));
    expect(expectFinding(check(text, at), { level: 'hint' }).fixes).toEqual([]);
  });

  test('several types in a list', () => {
    const text = mcp(
      object(
        '"a": { ⟦"type"⟧: ["string", "null"], "description": "A." }, "b": { "type": ["string"] }, "c": { ⟦"type"⟧: ["object", "null"] }',
      ),
    );
    const checked = checkMarked(text, at);
    expect(checked.findings.map(({ level, fixes }) => [level, fixes.length])).toEqual([
      ['hint', 1],
      ['hint', 0],
    ]);
    expect(JSON.parse(applyFix(checked, checked.findings[0]!)).inputSchema.properties.a).toEqual({
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'A.',
    });
    checkMarked(checked.text, { rule: at.rule });
  });
});

describe('export', () => {
  const custom = (type: string): string =>
    `{ ${type}: "custom", "name": "edit", "description": "Edits.", "format": { "type": "grammar", "syntax": "lark", "definition": "start: /.+/" } }`;

  test('export/custom-unsupported', () => {
    const rule = 'export/custom-unsupported';
    for (const target of ['chat', 'anthropic', 'gemini'] as const) {
      expectFinding(checkMarked(custom('⟦"type"⟧'), { rule, targets: [target] }), {
        level: 'info',
        pointer: '/type',
        message: /nothing enforces the grammar/,
      });
    }
    checkMarked(custom('"type"'), { rule });
    const free = '{ "type": "custom", "name": "edit", "description": "Edits." }';
    expectFinding(check(free, { rule, targets: ['chat'] }), { message: /one string parameter it goes there\.$/ });
  });

  test('export/namespace-unsupported', () => {
    const rule = 'export/namespace-unsupported';
    const text = `{ ⟦"type"⟧: "namespace", "name": "files", "description": "Files.", "tools": [${responses(object(''))}] }`;
    expectFinding(checkMarked(text, { rule, targets: ['chat'] }), { level: 'info', pointer: '/type' });
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), { rule });
  });
});
