import { describe, expect, test } from 'vitest';
import { render } from '../../../../../server/src/core/text/message';
import { applyFix, check, checkMarked, describeFinding, expectFinding } from '../helper';

const codex = { targets: ['codex'] as const };

/** An MCP tool whose parameters have exactly `bytes` bytes through one long description. */
function toolOf(bytes: number, extra: Record<string, unknown> = {}): unknown {
  const make = (text: string): unknown => ({
    name: 'find',
    description: 'Find.',
    inputSchema: { type: 'object', properties: { q: { type: 'string', description: text } }, ...extra },
  });
  const rest = '{"type":"object","properties":{"q":{"type":"string","description":""}}}'.length;
  return make('x'.repeat(bytes - rest));
}

describe('codex/schema-compacted', () => {
  test('the budget is inclusive', () => {
    expect(check(toolOf(5000), { ...codex, rule: 'codex/schema-compacted' }).findings).toEqual([]);
    const checked = check(toolOf(5001), { ...codex, rule: 'codex/schema-compacted' });
    const finding = expectFinding(checked, { level: 'warning', pointer: '/inputSchema' });
    expect(render(finding.message)).toBe(
      '5,001 bytes, 1 over the budget of 5,000: descriptions go. 1 byte less would save what pass 1 takes. Pass 1 takes the only description (−4,947 bytes).',
    );
  });

  test('each pass is counted with what it takes', () => {
    const properties: Record<string, unknown> = {};
    for (let i = 0; i < 40; i++) {
      properties[`field_number_${i}`] = { $ref: '#/$defs/Item' };
      properties[`plain_${i}`] = { type: 'string', description: `Plain value ${i}.`, enum: ['one', 'two', 'three'] };
    }
    const $defs = { Item: { type: 'object', properties: { text: { type: 'string', enum: ['x'.repeat(1200)] } } } };
    const tool = { name: 'wide', description: 'Wide.', inputSchema: { type: 'object', properties, $defs } };
    const checked = check(tool, { ...codex, rule: 'codex/schema-compacted' });
    expect(checked.findings.map((finding) => render(finding.message))).toMatchInlineSnapshot(`
      [
        "6,569 bytes, 1,569 over the budget of 5,000: descriptions and definitions go. 299 bytes less would save what pass 2 takes. Pass 1 takes all 40 descriptions (−1,270 bytes). Pass 2 takes the definitions, and 40 schemas that refer to them become {} (−2,127 bytes).",
      ]
    `);
  });

  test('another budget counts', () => {
    const options = { ...codex, budgetBytes: 60, rule: 'codex/schema-compacted' };
    expect(check(toolOf(80), options).findings.map(describeFinding)).toHaveLength(1);
    expect(check(toolOf(80), { ...options, budgetBytes: 80 }).findings).toEqual([]);
  });

  test('trusted tools keep their size', () => {
    const trusted = { ...(toolOf(6000) as object), 'x-toolspec': { trusted: true } };
    expect(
      check(trusted, codex)
        .findings.map(describeFinding)
        .filter((line) => line.includes('compact')),
    ).toEqual([]);
  });
});

describe('codex/over-budget', () => {
  test('what is left after the last pass goes out as it is', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 400 }, (_, i) => [`property_${String(i).padStart(3, '0')}`, { type: 'string' }]),
    );
    const tool = { name: 'flat', description: 'Flat.', inputSchema: { type: 'object', properties } };
    const bytes = JSON.stringify(tool.inputSchema).length;
    const words = (schema: object): string[] =>
      check({ ...tool, inputSchema: schema }, codex).findings.flatMap(({ rule, message }) =>
        /over-budget|schema-compacted/.test(rule) ? `${rule}: ${render(message)}` : [],
      );
    expect(words({ ...tool.inputSchema, description: 'Flat.' }).sort()).toEqual([
      expect.stringContaining(`codex/over-budget: ${bytes.toLocaleString('en')} bytes are left after the last pass`),
      expect.stringContaining('codex/schema-compacted: '),
    ]);
    // Where nothing is taken, the size is the only fault, and one finding tells it.
    expect(words(tool.inputSchema)).toEqual([
      `codex/over-budget: ${bytes.toLocaleString('en')} bytes, ${(bytes - 5000).toLocaleString('en')} over the budget of 5,000, and no pass finds anything to take. They go out as they are. Fewer or shorter properties would fit.`,
    ]);
  });

  test('silent where a pass brings it below', () => {
    expect(check(toolOf(6000), { ...codex, rule: 'codex/over-budget' }).findings).toEqual([]);
  });
});

const WITH_TABLE = (budget: number): { targets: readonly ['codex']; budgetBytes: number } => ({
  ...codex,
  budgetBytes: budget,
});

describe('codex/definitions-dropped', () => {
  const marked = `{ "name": "t", "description": "T.", "inputSchema": { "type": "object",
    "properties": { "a": { "$ref": "#/$defs/A" } },
    ⟦"$defs"⟧: { "A": { "type": "string" } } } }`;

  test('at the table, when the second pass runs', () => {
    const checked = checkMarked(marked, { ...WITH_TABLE(88), rule: 'codex/definitions-dropped' });
    expect(render(checked.findings[0]!.message)).toBe(
      'Pass 2 takes these definitions, and every reference to them becomes {}: after pass 1 the parameters have 89 bytes, 1 over the budget.',
    );
  });

  test('silent within the budget', () => {
    checkMarked(marked.replaceAll(/[⟦⟧]/g, ''), { ...WITH_TABLE(89), rule: 'codex/definitions-dropped' });
  });
});

describe('codex/node-emptied', () => {
  test('pass 2: references, with the definition as related place', () => {
    const checked = checkMarked(
      `{ "name": "t", "description": "T.", "inputSchema": { "type": "object",
        "properties": { ⟦"a"⟧: { "$ref": "#/$defs/A" }, "s": { "type": "string" }, ⟦"gone"⟧: { "$ref": "#/$defs/Missing" } },
        "$defs": { "A": { "type": "string" } } } }`,
      { ...WITH_TABLE(60), rule: 'codex/node-emptied' },
    );
    expect(checked.findings.map((each) => render(each.message))).toEqual([
      'Pass 2 makes this node {}: it refers to A.',
      'Pass 2 makes this node {}: it refers to Missing, which is not defined.',
    ]);
    const [related] = checked.findings[0]!.related;
    expect(checked.text.slice(related!.span.start, related!.span.end)).toBe('"A"');
  });

  test('the definition can be inlined where it survives', () => {
    const properties = { a: { $ref: '#/$defs/A', description: 'Where.' }, b: { $ref: '#/$defs/B' } };
    const $defs = { A: { type: 'string', enum: ['here', 'there'] }, B: { type: 'string', enum: ['x'.repeat(400)] } };
    const tool = { name: 't', description: 'T.', inputSchema: { type: 'object', properties, $defs } };
    const checked = check(tool, { ...WITH_TABLE(300), rule: 'codex/node-emptied' });
    const finding = expectFinding(checked, { pointer: '/inputSchema/properties/a' });
    expect(finding.fixes.map(({ title, safe }) => [render(title), safe])).toEqual([
      ['Inline "A": 41 bytes survive', false],
    ]);
    const changed = JSON.parse(applyFix(checked, finding)).inputSchema.properties.a;
    expect(changed).toEqual({ description: 'Where.', type: 'string', enum: ['here', 'there'] });
  });

  test('no inlining of what leads back to itself or would be emptied by a later pass', () => {
    const properties = { a: { $ref: '#/$defs/A' }, b: { $ref: '#/$defs/B' } };
    const $defs = {
      A: { type: 'object', properties: { again: { $ref: '#/$defs/A' } } },
      B: { anyOf: [{ type: 'string', enum: ['x'.repeat(400)] }] },
    };
    const tool = { name: 't', description: 'T.', inputSchema: { type: 'object', properties, $defs } };
    const checked = check(tool, { ...WITH_TABLE(100), rule: 'codex/node-emptied' });
    expect(checked.findings.map((finding) => [finding.pointer, finding.fixes.length])).toEqual([
      ['/inputSchema/properties/a', 0],
      ['/inputSchema/properties/b', 0],
    ]);
  });

  test('pass 3: structure at depth 3, pass 4: combinators; what lies inside is not reported again', () => {
    const checked = checkMarked(
      `{ "name": "t", "description": "T.", "inputSchema": { "type": "object", "properties": {
        "one": { "type": "object", "properties": { "two": { "type": "object", "properties": {
          ⟦"three"⟧: { "type": "object", "properties": { "four": { "type": "array" } } }, "word": { "type": "string" } } } } },
        ⟦"either"⟧: { "anyOf": [ { "type": "string" }, { "type": "array" } ] } } } }`,
      { ...WITH_TABLE(20), rule: 'codex/node-emptied' },
    );
    expect(checked.findings.map((each) => render(each.message))).toEqual([
      'Pass 3 makes this node {}: it has structure of its own at depth 3.',
      'Pass 4 makes this node {}: it has anyOf.',
    ]);
  });
});

describe('codex/root-emptied', () => {
  const message = (inputSchema: unknown, options: Record<string, unknown> = {}): string[] =>
    check(
      { name: 't', description: 'T.', ...(inputSchema as object) },
      { ...codex, ...options, rule: 'codex/root-emptied' },
    ).findings.map(describeFinding);

  test('a root that pass 2 or 4 empties', () => {
    const definitions = { $ref: '#/$defs/A', $defs: { A: { type: 'object' } } };
    expect(message({ inputSchema: definitions }, { budgetBytes: 20 })).toEqual([
      'error codex/root-emptied /inputSchema: Pass 2 makes the whole parameters {}, which the provider refuses: the root itself has $ref. Move that into a property, or get below the budget.',
    ]);
    const union = { type: 'object', properties: {}, anyOf: [{ required: ['a'] }] };
    expect(message({ inputSchema: union }, { budgetBytes: 20 })).toEqual([
      'error codex/root-emptied /inputSchema: Pass 4 makes the whole parameters {}, which the provider refuses: the root itself has anyOf. Move that into a property, or get below the budget.',
    ]);
  });

  test('a root without a type, and one of another type', () => {
    expect(message({ parameters: { description: 'Anything.' }, type: 'function' })).toEqual([
      'error codex/root-emptied /parameters: The root has no type, so the parameters are sent as {}, which the provider refuses. Give it the type "object".',
    ]);
    expect(message({ inputSchema: { type: 'string' } })).toHaveLength(1);
    expect(message({ inputSchema: { $ref: '#/$defs/A', $defs: { A: { type: 'object' } } } })).toHaveLength(1);
  });

  test('silent for an object, also for MCP roots that Codex makes one', () => {
    expect(message({ inputSchema: { type: 'object' } })).toEqual([]);
    expect(message({ inputSchema: {} })).toEqual([]);
  });
});
