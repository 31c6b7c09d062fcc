import { describe, expect, test } from 'vitest';
import { render } from '../../../../../server/src/core/text/message';
import { applyFix, check, checkMarked, describeFinding, expectFinding } from '../helper';

const codex = { targets: ['codex'] as const };

/** An MCP tool with these properties, as text with marks. */
function mcp(properties: string, rest = ''): string {
  return `{ "name": "t", "description": "T.", "inputSchema": { "type": "object", "properties": { ${properties} }${rest} } }`;
}

describe('codex/schema-unsupported', () => {
  const rule = 'codex/schema-unsupported';

  // Errors of these rules at the same value speak in its place.
  const levels = new Map<string, 'off'>([
    ['schema/invalid-keyword-value', 'off'],
    ['schema/not-a-schema', 'off'],
    ['schema/unknown-type', 'off'],
  ]);

  test('yields to an error of another rule at the value, which then says it too', () => {
    const checked = check(mcp('"p": { "type": "object", "required": "id" }'), codex);
    expectFinding(checked, { rule: 'schema/invalid-keyword-value', level: 'error', message: /Codex refuses/ });
    expect(checked.findings.filter((finding) => finding.rule === rule)).toEqual([]);
  });

  test.each([
    [
      'tuple items',
      '"p": { "type": "array", ⟦"items"⟧: [{ "type": "string" }] }',
      'Codex refuses this tool: invalid type: map, expected a string. "items" must be one schema, not a list of them. The other tools of the server stay.',
    ],
    [
      'required',
      '"p": { "type": "object", ⟦"required"⟧: "id" }',
      /invalid type: string "id", expected a sequence\. "required" must be a list of strings\./,
    ],
    [
      'enum',
      '"p": { ⟦"enum"⟧: { "a": 1 } }',
      /invalid type: map, expected a sequence\. "enum" must be a list of values\./,
    ],
    ['combiner', '"p": { ⟦"anyOf"⟧: "string" }', /"anyOf" must be a list of schemas\./],
    [
      'properties',
      '"p": { "type": "object", ⟦"properties"⟧: [] }',
      /expected a map\. "properties" must map names to schemas\./,
    ],
    ['description', '"p": { "type": "string", ⟦"description"⟧: ["a"] }', /"description" must be a string\./],
    [
      'minItems',
      '"p": { "type": "array", ⟦"minItems"⟧: 1.0 }',
      /invalid number\. "minItems" must be a plain whole number\./,
    ],
    [
      'type beside a reference',
      '"p": { ⟦"type"⟧: "text", "$ref": "#/$defs/A" }',
      /untagged enum JsonSchemaType\. Beside a reference/,
    ],
    [
      'inside additionalProperties',
      '"p": { "additionalProperties": { "type": "string", ⟦"description"⟧: 5 } }',
      /untagged enum AdditionalProperties/,
    ],
    ['a null where a schema is due', '⟦"p"⟧: null', /invalid type: null, expected struct JsonSchema\. The other/],
  ])('%s', (_, properties, message) => {
    const checked = checkMarked(mcp(properties), { ...codex, levels, rule });
    expectFinding(checked, { level: 'error', message });
  });

  test('dynamic tools take the whole thread with them', () => {
    const tool = { type: 'function', name: 't', description: 'T.', inputSchema: { properties: { a: 'string' } } };
    expectFinding(check(tool, { ...codex, levels, rule }), {
      pointer: '/inputSchema/properties/a',
      message: /One dynamic tool that is refused stops the whole thread from starting\.$/,
    });
  });

  test('integers beyond 64 bits stop dynamic tools only', () => {
    const text = (key: string): string =>
      `{ "type": "function", "name": "t", "description": "T.", "${key}": { "type": "object", "maximum": ⟦18446744073709551616⟧ } }`;
    const span = text('inputSchema').replaceAll(/[⟦⟧]/g, '');
    expectFinding(check(span, { ...codex, rule }), {
      pointer: '/inputSchema/maximum',
      message: /integer `18446744073709551616` as u128/,
    });
    expect(
      check(mcp('"n": { "type": "integer", "maximum": 18446744073709551616 }'), { ...codex, rule }).findings,
    ).toEqual([]);
  });

  test('nesting: 123 levels pass, the first container below is marked', () => {
    const nested = (levels: number): string => {
      // The property map and the object around it are two levels of their own.
      const inner = `${'{"properties":{"a":'.repeat((levels - 3) / 2)}{}${'}}'.repeat((levels - 3) / 2)}`;
      return `{"type":"function","name":"t","description":"T.","inputSchema":{"properties":{"p":${inner}}}}`;
    };
    expect(check(nested(123), { ...codex, rule }).findings).toEqual([]);
    const finding = expectFinding(check(nested(125), { ...codex, rule }), {
      message: /it reads 123 levels of nesting/,
    });
    expect(finding.pointer!.split('/').length - 2).toBe(123);
  });
});

describe('codex/null-root', () => {
  test.each([['"null"'], ['["null"]'], ['["null", "void"]']])('%s', (type) => {
    const text = `{ "name": "t", "description": "T.", "inputSchema": { ⟦"type"⟧: ${type} } }`;
    const checked = checkMarked(text, { ...codex, rule: 'codex/null-root' });
    expectFinding(checked, { level: 'error', message: /singleton null type\. Arguments are an object/ });
    expect(check(checked.text, { ...codex, rule: 'codex/schema-unsupported' }).findings).toEqual([]);
  });

  test('silent beside another type', () => {
    const text = '{ "name": "t", "description": "T.", "inputSchema": { "type": ["null", "object"] } }';
    checkMarked(text, { ...codex, rule: 'codex/null-root' });
  });
});

describe('codex/schema-emptied', () => {
  test('no type and no hint of one', () => {
    const checked = checkMarked(
      mcp(
        '⟦"a"⟧: { "description": "A." }, ⟦"b"⟧: { "type": "wat" }, ⟦"c"⟧: { "default": 3, "not": {} }, "d": {}, "e": { "minimum": 1 }',
      ),
      { ...codex, rule: 'codex/schema-emptied' },
    );
    expect(checked.findings.map((each) => render(each.message))).toEqual([
      'No type, so it is sent as {} and its description is lost.',
      'Codex does not know this type, so the schema is sent as {}: the model can put anything here.',
      'No type, so it is sent as {}: the model can put anything here. Lost: default and not.',
    ]);
  });

  test('silent for what goes anyway', () => {
    checkMarked(mcp('"a": { "type": "string" }', ', "$defs": { "Unused": { "description": "U." } }'), {
      ...codex,
      rule: 'codex/schema-emptied',
    });
  });
});

describe('codex/keyword-dropped', () => {
  test('each keyword at its key, annotations with other words', () => {
    const checked = checkMarked(
      mcp('"a": { "type": "integer", ⟦"minimum"⟧: 1, ⟦"title"⟧: "A", "description": "Kept." }', ', ⟦"$schema"⟧: "x"'),
      { ...codex, rule: 'codex/keyword-dropped' },
    );
    expect(checked.findings.map(describeFinding)).toEqual([
      'hint codex/keyword-dropped /inputSchema/properties/a/minimum: "minimum" is dropped: the model is not told, so only the handler can hold it to this.',
      'hint codex/keyword-dropped /inputSchema/properties/a/title: "title" is dropped: the model never sees it.',
      'hint codex/keyword-dropped /inputSchema/$schema: "$schema" is dropped: the model never sees it.',
    ]);
  });

  test('not in what is pruned or emptied as a whole', () => {
    checkMarked(mcp('"a": { "title": "A" }', ', "$defs": { "Unused": { "type": "string", "pattern": "x" } }'), {
      ...codex,
      rule: 'codex/keyword-dropped',
    });
  });

  test('minItems is kept by 0.171 and dropped by 0.148', () => {
    const text = mcp('"a": { "type": "array", "items": {}, "minItems": 1 }');
    const options = { ...codex, rule: 'codex/keyword-dropped' };
    expect(check(text, options).findings).toEqual([]);
    expectFinding(check(text, { ...options, profile: 'codex-0.148' }), {
      pointer: '/inputSchema/properties/a/minItems',
    });
  });
});

describe('codex/type-inferred', () => {
  test.each([
    ['⟦"a"⟧: { "properties": {} }', 'No type is written, so Codex sends the type "object".'],
    ['⟦"a"⟧: { "items": {} }', 'No type is written, so Codex sends the type "array".'],
    ['⟦"a"⟧: { "enum": ["x"] }', 'No type is written, so Codex sends the type "string".'],
    [
      '⟦"a"⟧: { "type": "wat", "maximum": 3 }',
      'The written type is unknown, so Codex sends the type "number" instead.',
    ],
    ['⟦"a"⟧: { "enum": [1] }', /beside values that are no strings: no value can satisfy both/],
    ['⟦"a"⟧: { "const": 42 }', /beside values that are no strings/],
  ])('%s', (properties, message) => {
    const checked = checkMarked(mcp(properties), { ...codex, rule: 'codex/type-inferred' });
    expectFinding(checked, { level: 'hint', message });
  });

  test('silent where a type, a reference or a combiner stands', () => {
    checkMarked(mcp('"a": { "type": "string" }, "b": { "anyOf": [{ "type": "string" }] }, "c": { "$ref": "#/x" }'), {
      ...codex,
      rule: 'codex/type-inferred',
    });
  });
});

describe('codex/items-defaulted', () => {
  test('arrays without items, unions with array too', () => {
    const checked = checkMarked(
      mcp('⟦"a"⟧: { "type": "array" }, ⟦"b"⟧: { "type": ["array", "null"] }, "c": { "type": "array", "items": {} }'),
      { ...codex, rule: 'codex/items-defaulted' },
    );
    expect(checked.findings.map((each) => each.level)).toEqual(['hint', 'hint']);
  });
});

describe('codex/const-to-enum', () => {
  test('the fix writes what is sent', () => {
    const checked = checkMarked(mcp('"a": { "type": "string", ⟦"const"⟧: "x" }'), {
      ...codex,
      rule: 'codex/const-to-enum',
    });
    const finding = expectFinding(checked, { level: 'hint', message: '"const" is sent as an enum of one value.' });
    expect(finding.fixes[0]!.safe).toBe(true);
    expect(applyFix(checked, finding)).toBe(mcp('"a": { "type": "string", "enum": ["x"] }'));
  });

  test('no fix at the root, where an enum is refused', () => {
    const tool = { name: 't', description: 'T.', inputSchema: { const: 'x' } };
    const checked = check(tool, { ...codex, rule: 'codex/const-to-enum' });
    expect(expectFinding(checked, { pointer: '/inputSchema/const' }).fixes).toEqual([]);
  });

  test('no fix where an enum beside it is lost', () => {
    const checked = checkMarked(mcp('"a": { "type": "string", "enum": ["x", "y"], ⟦"const"⟧: "x" }'), {
      ...codex,
      rule: 'codex/const-to-enum',
    });
    expect(checked.findings[0]!.fixes).toEqual([]);
  });
});

describe('codex/strict-lossy', () => {
  const tool = (schema: unknown, strict = true): unknown => ({
    type: 'function',
    name: 't',
    description: 'T.',
    strict,
    parameters: schema,
  });
  const closed = (properties: unknown): unknown => ({
    type: 'object',
    properties,
    required: ['a'],
    additionalProperties: false,
  });

  test('constraints that go are named at strict', () => {
    const checked = check(tool(closed({ a: { type: 'string', pattern: 'x', title: 'A', maxLength: 3 } })), {
      ...codex,
      rule: 'codex/strict-lossy',
    });
    expectFinding(checked, {
      level: 'warning',
      pointer: '/strict',
      message:
        '"strict" holds the model to the compiled schema, and that is not the one written here: "pattern" and "maxLength" go.',
    });
  });

  test('changes are said in words', () => {
    const properties = { a: { format: 'date' }, b: { type: 'array' }, c: { description: 'C.' } };
    const checked = check(tool(closed(properties)), { ...codex, rule: 'codex/strict-lossy' });
    expectFinding(checked, {
      message: /here: "format" goes, a type is put in, arrays take strings and a schema becomes \{\}\.$/,
    });
  });

  test('silent without strict, and where only texts go', () => {
    expect(
      check(tool(closed({ a: { type: 'string', pattern: 'x' } }), false), { ...codex, rule: 'codex/strict-lossy' })
        .findings,
    ).toEqual([]);
    expect(
      check(tool(closed({ a: { type: 'string', title: 'A', default: 'x' } })), { ...codex, rule: 'codex/strict-lossy' })
        .findings,
    ).toEqual([]);
  });
});

describe('codex/unreachable-definition', () => {
  const rule = 'codex/unreachable-definition';

  test('faded, and removed by a safe fix', () => {
    const checked = checkMarked(
      `{ "name": "t", "description": "T.", "inputSchema": {
  "type": "object", "properties": { "a": { "$ref": "#/$defs/A" } },
  "$defs": {
    "A": { "type": "string" },
    ⟦"B": { "type": "number" }⟧
  } } }`,
      { ...codex, rule },
    );
    const finding = expectFinding(checked, { level: 'hint', pointer: '/inputSchema/$defs/B' });
    expect(finding.unnecessary).toBe(true);
    expect(finding.fixes[0]!.safe).toBe(true);
    expect(JSON.parse(applyFix(checked, finding)).inputSchema.$defs).toEqual({ A: { type: 'string' } });
  });

  test('a table of which nothing is left goes as a whole, with all that refer to each other', () => {
    const checked = check(
      {
        name: 't',
        description: 'T.',
        inputSchema: { type: 'object', $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } },
      },
      { ...codex, rule },
    );
    expect(checked.findings).toHaveLength(2);
    const finding = expectFinding(checked, { pointer: '/inputSchema/$defs/B' });
    expect(render(finding.fixes[0]!.title)).toBe('Remove the definition "B" and 1 that refer to it');
    const text = applyFix({ ...checked, findings: [] }, finding);
    expect(JSON.parse(text).inputSchema).toEqual({ type: 'object' });
  });

  test('no fix where something that Codex does not follow refers to it', () => {
    const checked = check(
      {
        name: 't',
        description: 'T.',
        inputSchema: {
          type: 'object',
          patternProperties: { x: { $ref: '#/$defs/A' } },
          $defs: { A: { type: 'string' } },
        },
      },
      { ...codex, rule },
    );
    expect(expectFinding(checked, {}).fixes).toEqual([]);
  });
});
