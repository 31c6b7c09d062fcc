import { describe, expect, test } from 'vitest';
import { render } from '../../../../../server/src/core/text/message';
import { applyFix, check, checkMarked, expectFinding } from '../helper';
import { mcp, object, responses } from './tools';

describe('schema/not-a-schema', () => {
  const rule = 'schema/not-a-schema';

  test('wherever a schema stands', () => {
    checkMarked(
      responses(
        object(
          `⟦"a"⟧: "string", ⟦"b"⟧: null, ⟦"c"⟧: ["string"], "d": true, "e": { "type": "array", ⟦"items"⟧: 5 },
           "f": { "type": "object", "properties": {}, ⟦"additionalProperties"⟧: "false" },
           "g": { "anyOf": [⟦"string"⟧, { "type": "null" }] }, "h": { "enum": ["x", null, 5], "default": 7 }`,
          ', "$defs": { "x": {"type": "string"}, ⟦"y"⟧: 1 }',
        ),
      ),
      { rule },
    );
  });

  test('the root too, but null says that there are no parameters in Responses', () => {
    expectFinding(checkMarked(mcp('"object"').replace('"inputSchema"', '⟦"inputSchema"⟧'), { rule }), {
      level: 'error',
    });
    checkMarked(responses('null'), { rule });
  });

  test('output schemas too, whatever the targets', () => {
    checkMarked(mcp(object(''), object('⟦"a"⟧: 3')), { rule, targets: ['mcp'] });
  });

  test('a type name alone becomes a schema', () => {
    const checked = checkMarked(responses(object('⟦"a"⟧: "string"')), { rule });
    expect(applyFix(checked, checked.findings[0]!)).toMatch(/"a": \{ ?"type": "string" ?\}/);
  });
});

describe('schema/unknown-type', () => {
  const rule = 'schema/unknown-type';
  const meant = (word: string): string =>
    render(check(responses(object(`"a": { "type": "${word}" }`)), { rule }).findings[0]!.message);

  test('says which word is meant', () => {
    for (const [word, type] of [
      ['strng', 'string'],
      ['str', 'string'],
      ['dict', 'object'],
      ['float', 'number'],
      ['list', 'array'],
      ['int', 'integer'],
      ['bool', 'boolean'],
      ['None', 'null'],
      ['STRING', 'string'],
      ['Object', 'object'],
      ['interger', 'integer'],
    ]) {
      expect(meant(word!), word).toBe(`"${word}" is no type of JSON Schema. Did you mean "${type}"?`);
    }
    expect(meant('any')).toMatch(/leave "type" out/);
    expect(meant('quaternion')).toMatch(/The types are/);
  });

  test('at the word, in lists too', () => {
    const checked = checkMarked(responses(object('"a": { "type": ⟦"str"⟧ }, "b": { "type": ["string", ⟦"nil"⟧] }')), {
      rule,
    });
    expectFinding(checked, { level: 'error', pointer: '/parameters/properties/a/type' });
    const fixed = applyFix(checked, checked.findings[1]!);
    expect(fixed).toContain('["string", "null"]');
  });

  test('a fix makes no other error: lists hold each word once, and the API asks arrays and objects for more', () => {
    const fixed = (member: string): string => {
      const checked = check(responses(object(`"a": { ${member} }`)), { rule });
      return applyFix(checked, checked.findings[0]!);
    };
    expect(fixed('"type": ["string", "str"]')).toContain('"a": { "type": ["string"] }');
    expect(fixed('"type": "list"')).toContain('"a": { "type": "array", "items": {} }');
    expect(fixed('"type": "dict", "properties": { "b": { "type": "null" } }')).toContain(
      '"a": { "type": "object", "properties": { "b"',
    );
    const strict = responses(
      object('"a": { "type": "dict" }', ', "required": ["a"], "additionalProperties": false'),
    ).replace(/}$/, ', "strict": true }');
    const checked = check(strict, { rule });
    expect(applyFix(checked, checked.findings[0]!)).toContain(
      '{ "type": "object", "properties": {}, "additionalProperties": false }',
    );
  });

  test('Gemini writes its own words in capitals', () => {
    const tool = (type: string): string =>
      `{ "functionDeclarations": [{ "name": "f", "description": "F.", "parameters": { "type": "OBJECT", "properties": { "a": { "type": ${type} } } } }] }`;
    checkMarked(tool('"STRING"'), { rule });
    checkMarked(tool('⟦"TEXT"⟧'), { rule });
  });

  test('a value that is no word is of the wrong kind instead', () => {
    checkMarked(responses(object('"a": { "type": 5 }')), { rule });
    checkMarked(responses(object('"a": { ⟦"type"⟧: 5 }')), { rule: 'schema/invalid-keyword-value' });
  });

  test('BFCL is not judged', () => {
    const tool =
      '[{ "name": "f", "description": "F.", "parameters": { "type": "dict", "properties": { "a": { "type": "float" } } } }]';
    checkMarked(tool, { rule });
  });
});

describe('schema/invalid-keyword-value', () => {
  const rule = 'schema/invalid-keyword-value';
  const bad = (member: string): void => void checkMarked(responses(object(`"a": { ${member} }`)), { rule });

  test('kinds of values', () => {
    for (const member of [
      '⟦"type"⟧: null',
      '⟦"type"⟧: []',
      '"type": ["string", ⟦5⟧]',
      '"type": ["string", ⟦"string"⟧]',
      '⟦"$ref"⟧: {}',
      '⟦"description"⟧: ["x"]',
      '⟦"title"⟧: 3',
      '⟦"pattern"⟧: /**/ null',
      '⟦"format"⟧: true',
      '⟦"enum"⟧: "a"',
      '⟦"enum"⟧: {}',
      '⟦"required"⟧: "a"',
      '⟦"required"⟧: null',
      '"required": ["a", ⟦1⟧]',
      '"required": ["a", "b", ⟦"a"⟧]',
      '⟦"properties"⟧: []',
      '⟦"$defs"⟧: null',
      '⟦"anyOf"⟧: {}',
      '⟦"anyOf"⟧: []',
      '⟦"minimum"⟧: "0"',
      '⟦"exclusiveMaximum"⟧: "0"',
      '⟦"multipleOf"⟧: 0',
      '⟦"minLength"⟧: -1',
      '⟦"maxItems"⟧: 1.5',
      '⟦"uniqueItems"⟧: "true"',
      '"dependentRequired": { ⟦"a"⟧: "b" }',
      '"dependencies": { "a": ["b", ⟦null⟧], "c": {} }',
    ]) {
      bad(member);
    }
  });

  test('what is fine in one draft or another', () => {
    for (const member of [
      '"type": "string", "minLength": 1.0, "maxLength": 1e3, "required": []',
      '"multipleOf": 0.01, "minimum": -1e400',
      '"const": null, "default": null, "examples": [1]',
      '"nullable": "yes", "example": null, "x-note": 5',
      '"items": [{ "type": "string" }]',
      '"enum": []',
      '"dependencies": { "a": ["b"], "c": {} }, "additionalItems": false',
      '"properties": { "required": { "type": "boolean" }, "type": { "type": "string" }, "enum": { "type": "string" } }',
    ]) {
      bad(member);
    }
  });

  test('null says nothing, and is taken out', () => {
    const checked = checkMarked(mcp('{ "type": "object", "properties": {}, ⟦"required"⟧: null }'), { rule });
    const finding = expectFinding(checked, {
      level: 'error',
      message:
        '"required" must be a list of property names, but it is null. Leave it out where there is nothing to say.',
    });
    expect(finding.fixes[0]!.safe).toBe(true);
    expect(applyFix(checked, finding)).toBe(mcp('{ "type": "object", "properties": {} }'));
  });

  test('quotes that should not be there, a name that should be a list, and a repetition', () => {
    const fixed = (member: string): string => {
      const checked = check(responses(object(`"a": { ${member} }`)), { rule });
      return applyFix(checked, checked.findings[0]!);
    };
    expect(fixed('"type": "number", "minimum": "-1.5"')).toContain('"minimum": -1.5');
    expect(fixed('"type": "string", "uniqueItems": "true"')).toContain('"uniqueItems": true');
    expect(fixed('"type": "string", "required": "b"')).toContain('"required": ["b"]');
    expect(fixed('"type": "string", "required": ["b", "c", "b"]')).toContain('"required": ["b", "c"]');
    expect(check(responses(object('"a": { "minLength": "1.5" }')), { rule }).findings[0]!.fixes).toEqual([]);
  });

  test('a required flag in the property moves to the list of the object', () => {
    const text = responses(
      object('"a": { "type": "string", ⟦"required"⟧: true }, "b": { "type": "string", ⟦"required"⟧: false }'),
    );
    const checked = checkMarked(text, { rule });
    const once = applyFix(checked, checked.findings[0]!);
    expect(once).toContain('"required": ["a"]');
    const twice = applyFix(check(once, { rule }), check(once, { rule }).findings[0]!);
    expect(check(twice, { rule }).findings).toEqual([]);
    expect(twice).toContain('"b": { "type": "string" }');
    const listed = check(responses(object('"a": { "type": "string", "required": true }', ', "required": ["b"]')), {
      rule,
    });
    expect(applyFix(listed, listed.findings[0]!)).toContain('"required": ["b", "a"]');
    checkMarked(
      responses(
        object('"a": { "type": "string", "required": true }', ', "$schema": "http://json-schema.org/draft-03/schema#"'),
      ),
      { rule },
    );
  });

  test('flags for exclusive limits are draft 4', () => {
    const checked = checkMarked(
      responses(object('"a": { "type": "number", "minimum": 5, ⟦"exclusiveMinimum"⟧: true }')),
      { rule },
    );
    const finding = expectFinding(checked, { level: 'warning', message: /since draft 6/ });
    expect(applyFix(checked, finding)).toContain('{ "type": "number", "exclusiveMinimum": 5 }');
    const off = check(responses(object('"a": { "type": "number", "maximum": 5, "exclusiveMaximum": false }')), {
      rule,
    });
    expect(applyFix(off, off.findings[0]!)).toContain('{ "type": "number", "maximum": 5 }');
    const draft4 = ', "$schema": "http://json-schema.org/draft-04/schema#"';
    checkMarked(responses(object('"a": { "minimum": 5, "exclusiveMinimum": true }', draft4)), { rule });
  });

  test('keywords that only inform are a warning', () => {
    expectFinding(check(responses(object('"a": { "type": "string", "examples": "x" }')), { rule }), {
      level: 'warning',
    });
  });

  test('half-typed text', () => {
    check('{ "name": "t", "inputSchema": { "type": "object", "properties": { "a": { "minimum": , "enum":', { rule });
    checkMarked('{ "name": "t", "inputSchema": { "type": "object", "properties": { "a": { "required": } } } }', {
      rule,
    });
  });
});

describe('schema/missing-type', () => {
  const rule = 'schema/missing-type';
  const targets = ['mcp'] as const;

  test('where nothing stands for a type', () => {
    const text = mcp(
      object(
        `⟦"a"⟧: { "description": "Rows." }, "b": { "enum": ["x"] }, "c": { "$ref": "#/$defs/d" }, "e": { "const": 1 },
         "f": { "anyOf": [{ "type": "string" }, ⟦{⟧ "minLength": 2 }] }, "g": { "type": "array", ⟦"items"⟧: {} }, "h": true`,
        ', "$defs": { "d": { "type": "string" } }',
      ),
    );
    expectFinding(checkMarked(text, { rule, targets }), { level: 'warning', pointer: '/inputSchema/properties/a' });
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), { rule, targets: ['codex', 'openai'] });
  });

  test('schemas that refine or exclude need none', () => {
    checkMarked(
      mcp(
        object(
          '"a": { "type": "object", "oneOf": [{ "required": ["x"] }, { "required": ["y"] }], "not": { "required": ["z"] }, "properties": {} }',
          ', "if": { "properties": { "a": { "minProperties": 1 } } }',
        ),
      ),
      { rule, targets },
    );
  });

  test('a misspelled key is named and renamed', () => {
    const checked = checkMarked(mcp(object('⟦"a"⟧: { "types": "string", "description": "A." }')), { rule, targets });
    const finding = expectFinding(checked, { message: /the keyword is "type", not "types"/ });
    expect(applyFix(checked, finding)).toContain('"a": { "type": "string", "description": "A." }');
  });

  test('what rules of their own say is not said twice', () => {
    const text = mcp(object('"kwargs": {}, "m": { "type": "object", "additionalProperties": {} }'));
    checkMarked(text, { rule, targets });
  });
});

describe('schema/opaque-parameter', () => {
  const rule = 'schema/opaque-parameter';

  test('names of variable arguments with a schema that says nothing', () => {
    for (const properties of [
      '⟦"kwargs"⟧: {}',
      '⟦"kwargs"⟧: { "title": "Kwargs" }, ⟦"args"⟧: { "title": "Args" }',
      '⟦"**kwargs"⟧: { "type": "object" }, ⟦"*args"⟧: { "type": "array" }',
      '⟦"kwargs"⟧: { "type": "object", "additionalProperties": true }, ⟦"args"⟧: { "type": "array", "items": {} }',
    ]) {
      expect(checkMarked(mcp(object(properties)), { rule }).findings[0]!.level).toBe('warning');
    }
  });

  test('declared ones are fine, and so are other names', () => {
    checkMarked(
      mcp(
        object(
          '"args": { "type": "array", "items": { "type": "string" } }, "kwargs": { "type": "object", "properties": { "a": {} } }, "arguments": {}, "value": {}, "deep": { "type": "object", "properties": { "kwargs": {} } }',
        ),
      ),
      { rule },
    );
  });
});
