import { describe, expect, test } from 'vitest';
import { render } from '../../../../../server/src/core/text/message';
import { applyFix, check, checkMarked, expectFinding } from '../helper';
import { mcp, object, responses } from './tools';

const branch = { rule: 'schema/never-branch' };
const matches = { rule: 'schema/never-matches' };

describe('schema/never-branch', () => {
  test('branches of a union', () => {
    const text = responses(
      object(
        `"a": { "anyOf": [{ "type": "string" }, ⟦false⟧, ⟦{⟧ "not": {} }, ⟦{⟧ "type": "integer", "enum": ["x"] }] },
         "b": { "oneOf": [{ "type": "null" }, ⟦{⟧ "minLength": 2, "maxLength": 1, "type": "string" }] }`,
      ),
    );
    expectFinding(checkMarked(text, branch), {
      level: 'warning',
      pointer: '/parameters/properties/a/anyOf/3',
      message:
        'No value matches this part of the schema. No value in "enum" fits the type "integer" and the rest of the schema.',
    });
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), matches);
  });

  test('a branch that requires what cannot be is told as a branch', () => {
    const text = responses(
      object(
        '"a": { "anyOf": [{ "type": "string" }, ⟦{⟧ "type": "object", "required": ["x"], "properties": { "x": false } }] }',
      ),
    );
    const finding = expectFinding(checkMarked(text, branch), { message: /requires "x", which nothing matches/ });
    expect(finding.related).toHaveLength(1);
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), matches);
  });

  test('optional parts that contradict themselves, but none that are forbidden on purpose', () => {
    checkMarked(
      responses(
        object(
          `⟦"a"⟧: { "type": "integer", "enum": ["1", "2"] }, "b": false, "c": { "not": {} },
           "d": { "type": "array", ⟦"items"⟧: { "type": "string", "const": 5 } }, "e": { "type": "array", "items": false },
           "f": { "type": "object", "additionalProperties": false, "patternProperties": { "x": false } }`,
        ),
      ),
      branch,
    );
  });

  test('a definition is told where it is used, or by itself', () => {
    const bad = '{ "type": "string", "enum": [1] }';
    checkMarked(
      responses(
        object('"a": { "anyOf": [⟦{⟧ "$ref": "#/$defs/no" }, { "type": "null" }] }', `, "$defs": { "no": ${bad} }`),
      ),
      branch,
    );
    checkMarked(responses(object('"a": { "$ref": "#/$defs/no" }', `, "$defs": { ⟦"no"⟧: ${bad} }`)), branch);
    checkMarked(responses(object('"a": { "$ref": "#/$defs/no" }', ', "$defs": { "no": false }')), branch);
  });

  test('nothing is said below "not" and "if"', () => {
    checkMarked(
      responses(
        object('"a": { "type": "string", "not": { "enum": [] } }', ', "if": { "required": ["z"] }, "then": false'),
      ),
      branch,
    );
  });

  test('the fix takes the branch out as long as another one is left', () => {
    const checked = check(responses(object('"a": { "anyOf": [{ "type": "string" }, { "not": {} }] }')), branch);
    expect(checked.findings[0]!.fixes[0]!.safe).toBe(true);
    expect(applyFix(checked, checked.findings[0]!)).toContain('"anyOf": [{ "type": "string" }] }');
    expect(check(responses(object('"a": { "anyOf": [false] }')), branch).findings[0]!.fixes).toEqual([]);
  });
});

describe('schema/never-matches', () => {
  test('the whole schema', () => {
    expectFinding(checkMarked(mcp('{ "not": {} }').replace('"inputSchema"', '⟦"inputSchema"⟧'), matches), {
      level: 'error',
      message: 'No value matches this schema, so no call can be right. "not" excludes every value.',
    });
    checkMarked(
      mcp('{ "type": "object" }', '{ "type": "object", "minProperties": 2, "maxProperties": 1 }').replace(
        '"outputSchema"',
        '⟦"outputSchema"⟧',
      ),
      matches,
    );
    checkMarked(
      mcp('{ "type": "object", "anyOf": [{ "type": "string" }, { "type": "null" }] }').replace(
        '"inputSchema"',
        '⟦"inputSchema"⟧',
      ),
      matches,
    );
  });

  test('a required property, at the innermost place', () => {
    const inner = '{ "type": "object", "properties": { ⟦"b"⟧: { "type": "string", "const": 5 } }, "required": ["b"] }';
    const checked = checkMarked(responses(object(`"a": ${inner}`, ', "required": ["a"]')), matches);
    expectFinding(checked, {
      pointer: '/parameters/properties/a/properties/b',
      message:
        'No value matches the required property "b", so no object is right. The constant is 5, which does not fit the type "string" and the rest.',
    });
    checkMarked(responses(object(`"a": ${inner}`)), matches);
    checkMarked(responses(object('⟦"a"⟧: false', ', "required": ["a"]')), matches);
  });

  test('a required reference to a definition that nothing matches', () => {
    const checked = checkMarked(
      responses(
        object(
          '⟦"a"⟧: { "$ref": "#/$defs/no" }',
          ', "required": ["a"], "$defs": { "no": { "type": "string", "enum": [1] } }',
        ),
      ),
      matches,
    );
    expect(checked.findings[0]!.related.map(({ message }) => render(message))).toEqual([
      'No value in "enum" fits the type "string" and the rest of the schema.',
    ]);
    checkMarked(checked.text, branch);
  });

  test('a value that needs itself without end, once', () => {
    const node = '{ "type": "object", "properties": { ⟦"next"⟧: { "$ref": "#/$defs/node" } }, "required": ["next"] }';
    const text = responses(
      object('"a": { "$ref": "#/$defs/node" }', `, "required": ["a"], "$defs": { "node": ${node} }`),
    );
    expectFinding(checkMarked(text, matches), { message: /needs a value of the same kind inside/ });
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), branch);
    const two = responses(
      object(
        '"a": { "$ref": "#/$defs/a" }',
        `, "$defs": {
          "a": { "type": "object", "properties": { ⟦"b"⟧: { "$ref": "#/$defs/b" } }, "required": ["b"] },
          "b": { "type": "object", "properties": { "a": { "$ref": "#/$defs/a" } }, "required": ["a"] } }`,
      ),
    );
    checkMarked(two, matches);
    const optional = responses(object('"a": { "$ref": "#" }'));
    checkMarked(optional, matches);
  });

  test('Gemini lists the values of a number as strings', () => {
    const tool = (shape: string): string =>
      `{ "functionDeclarations": [{ "name": "f", "description": "F.", "${shape}": ${object('"a": { "type": "integer", "format": "enum", "enum": ["101"] }', ', "required": ["a"]')} }] }`;
    checkMarked(tool('parameters'), matches);
    expect(check(tool('parametersJsonSchema'), matches).findings).toHaveLength(1);
  });
});
