import { describe, expect, test } from 'vitest';
import { applyFix, check, checkMarked, expectFinding } from '../helper';
import { mcp, object, responses } from './tools';

const defs = (entries: string): string => `, "$defs": { ${entries} }`;

describe('long chains of references', () => {
  test('are followed in time that grows with the text', () => {
    const count = 8000;
    const chain = Array.from({ length: count }, (_, i) => `"D${i}": { "$ref": "#/$defs/D${i + 1}" }`).join(', ');
    const text = responses(
      object('"a": { "$ref": "#/$defs/D0" }', defs(`${chain}, "D${count}": { "type": "string" }`)),
    );
    const { findings } = check(text, { targets: ['codex', 'openai', 'mcp', 'gemini'] });
    expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
    expect(findings.filter((each) => each.rule === 'compat/ref-to-small-definition').length).toBeGreaterThan(0);
  });
});

describe('many references that name nothing', () => {
  test('are compared with many definitions in time that grows with the text', () => {
    const each = (of: (i: number) => string): string => Array.from({ length: 4000 }, (_, i) => of(i)).join(', ');
    const uses = each((i) => `"p${i}": { "$ref": "#/$defs/Missing${i}x" }`);
    const text = responses(object(uses, defs(each((i) => `"Definition${i}": { "type": "string" }`))));
    expect(check(text, { rule: 'schema/unresolved-ref' }).findings.length).toBeGreaterThan(1000);
  });
});

describe('schema/unresolved-ref', () => {
  const rule = 'schema/unresolved-ref';

  test('references that name nothing, also in output schemas', () => {
    const text = mcp(
      object(
        '"a": { "$ref": ⟦"#/$defs/A"⟧ }, "b": { "$ref": "#/$defs/B" }, "c": { "$ref": ⟦"#C"⟧ }, "d": { "$ref": "#" }',
        defs('"B": {}'),
      ),
      object('"screen": { "$ref": ⟦"#/$defs/Screen"⟧ }'),
    );
    const checked = checkMarked(text, { rule, targets: ['mcp'] });
    expectFinding(checked, {
      level: 'error',
      pointer: '/outputSchema/properties/screen/$ref',
      message: /names nothing in this schema/,
    });
  });

  test('never meant: a definition from whose own place the reference would lead in a circle', () => {
    const at = (a: string): string => responses(object('"x": { "$ref": "#/$defs/A" }', defs(`"A": ${a}`)));
    const offered = (a: string): number => expectFinding(check(at(a), { rule }), { level: 'error' }).fixes.length;
    expect(offered('{ "anyOf": [{ "not": { "$ref": "#/definitions/A" } }, { "type": "null" }] }')).toBe(0);
    expect(offered('{ "type": "array", "items": { "$ref": "#/definitions/A" } }')).toBe(1);
  });

  test('did you mean', () => {
    const fixed = (ref: string): string => {
      const checked = check(
        responses(object(`"a": { "$ref": "${ref}" }`, defs('"Address": { "type": "string" }, "a b": {}'))),
        { rule },
      );
      return /"\$ref": "([^"]*)"/.exec(applyFix(checked, checked.findings[0]!))![1]!;
    };
    expect(fixed('#/$defs/Adress')).toBe('#/$defs/Address');
    expect(fixed('#/definitions/Address')).toBe('#/$defs/Address');
    expect(fixed('#/components/schemas/Address')).toBe('#/$defs/Address');
    expect(fixed('#/$defs/ab')).toBe('#/$defs/a%20b');
    expect(fixed('#address')).toBe('#/$defs/Address');
    expect(
      check(responses(object('"a": { "$ref": "#/$defs/Zebra" }', defs('"Address": {}'))), { rule }).findings[0]!.fixes,
    ).toEqual([]);
  });

  test('addresses elsewhere are not ours, relative ones only where nobody else speaks', () => {
    const text = mcp(object('"a": { "$ref": "https://a.example/x.json" }, "b": { "$ref": "Point" }'));
    checkMarked(text, { rule });
    checkMarked(text.replace('"$ref": "Point"', '"$ref": ⟦"Point"⟧'), { rule, targets: ['mcp'] });
  });
});

describe('schema/ref-not-local', () => {
  const rule = 'schema/ref-not-local';

  test('relative and absolute references', () => {
    const text = responses(
      object(
        '"a": { "$ref": ⟦"other.json#/x"⟧ }, "b": { "$ref": ⟦"https://a.example/x"⟧ }, "c": { "$ref": "#/$defs/B" }, "d": { "$ref": "#" }',
        defs('"B": {}'),
      ),
    );
    expect(checkMarked(text, { rule }).findings.map(({ level }) => level)).toEqual(['error', 'error']);
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), { rule, targets: ['mcp', 'gemini', 'anthropic'] });
  });

  test('a definition with that name, by its key or its $id', () => {
    const named = check(responses(object('"a": { "$ref": "Address" }', defs('"Address": { "type": "string" }'))), {
      rule,
    });
    expectFinding(named, { message: /Write "#\/\$defs\/Address"\.$/ });
    expect(applyFix(named, named.findings[0]!)).toContain('"$ref": "#/$defs/Address"');
    const byId = check(
      responses(
        object(
          '"a": { "$ref": "https://a.example/B" }',
          defs('"B": { "$id": "https://a.example/B", "type": "string" }'),
        ),
      ),
      { rule },
    );
    expect(byId.findings[0]!.fixes[0]!.safe).toBe(true);
    expect(applyFix(byId, byId.findings[0]!)).toContain('"$ref": "#/$defs/B"');
  });

  test('a recursive schema with an $id moves to the definitions', () => {
    const group =
      '{ "$id": "Group", "anyOf": [{ "type": "string" }, { "type": "array", "items": { "$ref": "Group" } }] }';
    const checked = check(responses(object(`"filter": ${group}`)), { rule });
    const finding = expectFinding(checked, {
      message: /Move what it names under "\$defs" and write "#\/\$defs\/Group"\.$/,
    });
    const fixed = JSON.parse(applyFix(checked, finding));
    expect(fixed.parameters).toEqual({
      type: 'object',
      properties: { filter: { $ref: '#/$defs/Group' } },
      $defs: { Group: { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/Group' } }] } },
    });
  });
});

describe('schema/ref-outside-defs', () => {
  const rule = 'schema/ref-outside-defs';

  test('pointers to properties', () => {
    const text = mcp(
      object(
        '"start": { "type": "string" }, "end": { "$ref": ⟦"#/properties/start"⟧ }, "x": { "$ref": "#/$defs/A" }, "y": { "$ref": "#" }',
        defs('"A": {}'),
      ),
      object('"p": {}, "q": { "$ref": "#/properties/p" }'),
    );
    expectFinding(checkMarked(text, { rule }), { level: 'warning', targets: ['openai'] });
    const plain = text.replaceAll(/[⟦⟧]/g, '');
    expect(check(plain, { rule, targets: ['mcp'] }).findings.map(({ pointer }) => pointer)).toEqual([
      '/inputSchema/properties/end/$ref',
      '/outputSchema/properties/q/$ref',
    ]);
    checkMarked(plain, { rule, targets: ['codex'] });
  });

  test('inline, or move to the definitions', () => {
    const text = responses(`{
    "type": "object",
    "properties": {
      "start": {
        "type": "string",
        "format": "date"
      },
      "end": { "$ref": "#/properties/start" }
    }
  }`);
    const checked = check(text, { rule });
    expect(checked.findings[0]!.fixes.map(({ safe, preferred }) => ({ safe, preferred }))).toEqual([
      { safe: true, preferred: true },
      { safe: false, preferred: false },
    ]);
    expect(JSON.parse(applyFix(checked, checked.findings[0]!, 0)).parameters.properties).toEqual({
      start: { type: 'string', format: 'date' },
      end: { type: 'string', format: 'date' },
    });
    expect(JSON.parse(applyFix(checked, checked.findings[0]!, 1)).parameters).toEqual({
      type: 'object',
      properties: { start: { $ref: '#/$defs/start' }, end: { $ref: '#/$defs/start' } },
      $defs: { start: { type: 'string', format: 'date' } },
    });
  });

  test('a recursive one can only move; a free name is found', () => {
    const tree = '"tree": { "type": "object", "properties": { "left": { "$ref": "#/properties/tree" } } }';
    const checked = check(responses(object(tree, defs('"tree": { "type": "null" }'))), { rule });
    expect(checked.findings[0]!.fixes).toHaveLength(1);
    expect(JSON.parse(applyFix(checked, checked.findings[0]!)).parameters).toEqual({
      type: 'object',
      properties: { tree: { $ref: '#/$defs/tree2' } },
      $defs: { tree: { type: 'null' }, tree2: { type: 'object', properties: { left: { $ref: '#/$defs/tree2' } } } },
    });
  });

  test('what stands beside a reference stays, unless it judges', () => {
    const fixes = (beside: string) =>
      check(
        responses(
          object(`"a": { "type": "string", "description": "A." }, "b": { "$ref": "#/properties/a", ${beside} }`),
        ),
        { rule },
      );
    const noted = fixes('"description": "B."');
    expect(JSON.parse(applyFix(noted, noted.findings[0]!)).parameters.properties.b).toEqual({
      type: 'string',
      description: 'B.',
    });
    expect(fixes('"minLength": 2').findings[0]!.fixes).toHaveLength(1);
  });
});

describe('schema/ref-cycle', () => {
  const rule = 'schema/ref-cycle';

  test('one finding for each circle', () => {
    const text = responses(
      object(
        '"a": { "$ref": "#/$defs/A" }',
        defs(
          '"A": { "$ref": ⟦"#/$defs/B"⟧ }, "B": { "allOf": [{ "$ref": "#/$defs/A" }] }, "C": { "$ref": ⟦"#/$defs/C"⟧ }, "D": { "items": { "$ref": "#/$defs/D" } }',
        ),
      ),
    );
    const { findings } = checkMarked(text, { rule });
    expect(findings.map(({ level, related }) => [level, related.length])).toEqual([
      ['error', 1],
      ['error', 0],
    ]);
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), { rule: 'schema/never-branch' });
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), { rule: 'schema/unresolved-ref' });
  });
});

describe('schema/recursive', () => {
  const rule = 'schema/recursive';
  const targets = ['gemini'] as const;

  test('at the schema to which recursion returns', () => {
    const text = responses(
      object(
        '⟦"filter"⟧: { "$id": "Group", "anyOf": [{ "type": "object", "properties": { "and": { "type": "array", "items": { "$ref": "Group" } } } }] }',
      ),
    );
    expect(expectFinding(checkMarked(text, { rule, targets }), { level: 'info' }).related).toHaveLength(1);
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), { rule });
    checkMarked(
      responses(
        object(
          '"a": { "$ref": "#/$defs/N" }',
          defs('⟦"N"⟧: { "type": "object", "properties": { "n": { "$ref": "#/$defs/N" } } }'),
        ),
      ),
      { rule, targets },
    );
  });

  test('references that only lead to each other are no recursion', () => {
    checkMarked(responses(object('"a": { "$ref": "#/$defs/A" }', defs('"A": { "$ref": "#/$defs/A" }'))), {
      rule,
      targets,
    });
  });
});

describe('compat/ref-to-small-definition', () => {
  const rule = 'compat/ref-to-small-definition';
  const targets = ['mcp'] as const;

  test('used once, and small', () => {
    const long = `{ "type": "string", "description": "${'x'.repeat(200)}" }`;
    const text = mcp(
      object(
        '"a": { "$ref": ⟦"#/$defs/A"⟧ }, "b": { "$ref": "#/$defs/B" }, "c": { "$ref": "#/$defs/B" }, "d": { "$ref": "#/$defs/L" }, "e": { "$ref": "#/$defs/T" }',
        defs(
          `"A": { "type": "string" }, "B": { "type": "string" }, "L": ${long}, "T": { "items": { "$ref": "#/$defs/T" } }, "U": { "$ref": "#/$defs/V" }, "V": {}`,
        ),
      ),
    );
    expectFinding(checkMarked(text, { rule, targets }), {
      level: 'hint',
      message: /This definition has 17 bytes and is used only here/,
    });
    checkMarked(text.replaceAll(/[⟦⟧]/g, ''), { rule });
  });

  test('the fix writes it in place and removes it, with an empty table', () => {
    const checked = check(
      mcp(
        object('"a": { "$ref": "#/$defs/A", "description": "An a." }', defs('"A": { "type": "string", "title": "A" }')),
      ),
      { rule, targets },
    );
    expect(JSON.parse(applyFix(checked, checked.findings[0]!)).inputSchema).toEqual({
      type: 'object',
      properties: { a: { type: 'string', title: 'A', description: 'An a.' } },
    });
  });
});
