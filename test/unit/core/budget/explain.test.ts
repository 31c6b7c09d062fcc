import { describe, expect, test } from 'vitest';
import { explainPlace } from '../../../../server/src/core/budget/explain';
import { type CheckOptions, createChecker } from '../../../../server/src/core/check';
import { placeAt } from '../../../../server/src/core/text/jsonTree';
import { render } from '../../../../server/src/core/text/message';

/** What is said about the place at the mark `‸`: the title, then the rows as `label: text`. */
function explain(marked: string, options: CheckOptions = {}): string[] | undefined {
  const offset = marked.indexOf('‸');
  const text = marked.replace('‸', '');
  const result = createChecker().check({ uri: 'file:///w/shop.tools.json', text }, options);
  const tool = result.set.tools[0]!;
  const explanation = explainPlace(
    placeAt(result.document.root!, offset)!,
    {
      tool,
      codex: true,
      compiled: result.compile(tool),
      wireName: () => ({ namespace: 'mcp__shop', name: tool.name ?? '' }),
    },
    (name, span) => `[${name}@${text.slice(0, span.start).split('\n').length}]`,
  );
  if (explanation === undefined) return undefined;
  return [
    render(explanation.title),
    ...explanation.rows.map(({ label, text: row }) => `${render(label)}: ${render(row)}`),
  ];
}

/** A tool of an MCP server with these members of its input schema. */
const schema = (members: string): string =>
  `{"name":"f","description":"Does it.","inputSchema":{"type":"object",${members}}}`;

describe('a property', () => {
  test('that the second pass empties', () => {
    const text = schema(
      `"properties":{"pla‸ce":{"$ref":"#/$defs/Place","description":"Where."}},
      "$defs":{"Place":{"type":"string","enum":["here","there"]}}`,
    );
    expect(explain(text, { budgetBytes: 90 })).toEqual([
      '**Sent as `{}`.** The model can put anything into `place`.',
      'Pass 1: its description goes, −23 bytes',
      'Pass 2: `$ref` to [Place@2] (41 bytes) becomes `{}`, the table goes',
      'Why: 148 bytes are 58 over the budget; after pass 1 still 35 over',
    ]);
  });

  test('that lowering empties', () => {
    expect(explain(schema('"properties":{"any‸":{"description":"Anything."}}'))).toEqual([
      '**Sent as `{}`.** The model can put anything into `any`.',
      'Lowering: no type and nothing to infer one from, so all of it goes, a description too',
    ]);
  });

  test('that the third and the fourth pass empty', () => {
    const deep =
      '"properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c‸":{"type":"array","items":{"type":"string"}}}}}}}';
    expect(explain(schema(deep), { budgetBytes: 150 })?.slice(0, 2)).toEqual([
      '**Sent as `{}`.** The model can put anything into `c`.',
      'Pass 3: a schema with structure at depth 3 becomes `{}`',
    ]);
    const union = '"properties":{"u‸":{"anyOf":[{"type":"string"},{"type":"null"}]}}';
    expect(explain(schema(union), { budgetBytes: 60 })?.slice(0, 2)).toEqual([
      '**Sent as `{}`.** The model can put anything into `u`.',
      'Pass 4: a schema with `anyOf` becomes `{}`',
    ]);
  });

  test('that is sent as it is', () => {
    expect(explain(schema('"properties":{"q‸":{"type":"string"}}'))).toEqual([
      '**Sent as written.**',
      'Size: 17 bytes',
    ]);
  });

  test('that is sent, but not all that is in it', () => {
    const inner =
      '{"type":"object","properties":{"a":{"type":"string","minLength":1,"format":"date"},"b":{"default":1}}}';
    expect(explain(schema(`"properties":{"q‸":${inner}}`))).toEqual([
      '**Sent, but not all of it.**',
      'Inside: 2 keywords are dropped and 1 schema becomes `{}`',
      'Size: 61 bytes',
    ]);
    const text = schema(`"properties":{"q‸":{"type":"array","items":{"type":"string","description":"Long."}}}`);
    expect(explain(text, { budgetBytes: 90 })).toEqual([
      '**Sent with 42 of its 64 bytes.**',
      'Inside: 1 description goes',
      'Why: 101 bytes are 11 over the budget',
    ]);
  });

  test('that is sent with losses', () => {
    expect(explain(schema('"properties":{"q‸":{"minimum":1,"default":2}}'))).toEqual([
      '**Sent, but not as written.**',
      'Lowering: no usable type; `number` is inferred',
      'Dropped: `minimum` and `default`',
      'Size: 17 bytes',
    ]);
  });

  test('that goes with what holds it', () => {
    const text = schema(
      '"properties":{"q":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"object","properties":{"x‸":{"type":"string"}}}}',
    );
    expect(explain(text, { budgetBytes: 60 })).toEqual([
      '**Not sent.** The model never sees `x`.',
      'Why: pass 2 removes the definitions',
    ]);
  });

  test('whose schema is a boolean', () => {
    expect(explain(schema('"properties":{"q‸":true}'))?.[0]).toBe(
      '**Sent as `{"type":"string"}`.** Codex turns a boolean schema into that.',
    );
  });

  test('with a name that could be Markdown', () => {
    expect(explain(schema('"properties":{"a`b‸":{"default":1}}'))?.[0]).toContain('`` a`b ``');
  });
});

describe('a keyword', () => {
  test('that no version reads', () => {
    expect(explain(schema('"properties":{"q":{"type":"integer","mini‸mum":1}}'))).toEqual([
      '**Not sent.** The model never sees `minimum`.',
      'Versions: not read by codex-0.171 and codex-0.148',
      'Instead: say it in the description',
    ]);
  });

  test('that some versions read', () => {
    const text = schema('"properties":{"q":{"type":"array","items":{"type":"string"},"min‸Items":1}}');
    expect(explain(text)).toEqual(['**Sent.** Codex reads `minItems`.', 'But: not read by codex-0.148']);
    expect(explain(text, { profile: 'codex-0.148' })).toEqual([
      '**Not sent.** The model never sees `minItems`.',
      'Versions: not read by codex-0.148',
      'But: read by codex-0.171',
      'Instead: say it in the description',
    ]);
  });

  test('on its value, and in its data', () => {
    expect(explain(schema('"properties":{"q":{"type":"str‸ing"}}'))?.[0]).toBe('**Sent.** Codex reads `type`.');
    expect(explain(schema('"properties":{"q":{"type":"string","enum":["a","b‸"]}}'))?.[0]).toBe(
      '**Sent.** Codex reads `enum`.',
    );
    expect(explain(schema('"properties":{"q":{"type":"object","default":{"in‸ner":1}}}'))?.[0]).toBe(
      '**Not sent.** The model never sees `default`.',
    );
  });

  test('that becomes another', () => {
    expect(explain(schema('"properties":{"q":{"type":"string","con‸st":"a"}}'))).toEqual([
      '**Sent, but not as written.**',
      'Lowering: `const` becomes a one-value `enum`',
    ]);
  });

  test('that a pass takes', () => {
    const text = schema('"properties":{"q":{"type":"string","descr‸iption":"Long."}}');
    expect(explain(text, { budgetBytes: 70 })).toEqual([
      '**Not sent.**',
      'Pass 1: its description goes, −22 bytes',
      'Why: 76 bytes are 6 over the budget',
    ]);
  });

  test('in a schema that is emptied goes with it', () => {
    expect(explain(schema('"properties":{"q":{"descr‸iption":"d"}}'))?.[0]).toBe(
      '**Not sent.** `description` goes with its schema.',
    );
  });

  test('of an unused definition', () => {
    expect(explain(schema('"properties":{},"$defs":{"A":{"ty‸pe":"string"}}'))).toEqual([
      '**Not sent.** `type` goes with its schema.',
      'Why: no reference reaches this definition',
    ]);
  });
});

describe('a key of the tool', () => {
  test('its name: what it is sent as, by which route, how large', () => {
    expect(explain('{"name":"f‸","description":"d","inputSchema":{"type":"object"}}')).toEqual([
      '**Sent as `f` in the namespace `mcp__shop`.**',
      'Route: tool of the MCP server `shop`',
      'Size: 33 of 5,000 bytes',
    ]);
  });

  test('its schema: sizes and passes', () => {
    expect(explain('{"name":"f","description":"d","input‸Schema":{"type":"object"}}')).toEqual([
      '**33 of 5,000 bytes.** Nothing is shrunk.',
    ]);
    const text = '{"name":"f","description":"d","input‸Schema":{"type":"object","description":"Long."}}';
    expect(explain(text, { budgetBytes: 40 })).toEqual([
      '**55 bytes, 15 over the budget of 40.** So descriptions go, and 33 bytes are sent.',
      'Pass 1: descriptions go, −22 bytes to 33 bytes',
    ]);
  });

  test('a schema in which the passes find nothing', () => {
    expect(explain('{"name":"f","description":"d","input‸Schema":{"type":"object"}}', { budgetBytes: 9 })).toEqual([
      '**33 bytes, sent as they are.** No pass finds anything to take.',
      'Pass 1: finds no descriptions',
      'Pass 2: finds no definitions',
      'Pass 3: finds no deep schemas',
      'Pass 4: finds no unions',
    ]);
    expect(explain('{"name":"f‸","description":"d","inputSchema":{"type":"object"}}', { budgetBytes: 9 })?.[2]).toBe(
      'Size: 33 of 9 bytes',
    );
  });

  test('a schema that is refused', () => {
    expect(explain('{"name":"f","description":"d","input‸Schema":{"type":"object","properties":{"q":5}}}')).toEqual([
      '**Codex refuses this tool.** The model never sees it.',
      expect.stringMatching(/^Reason: `.+`$/),
    ]);
  });

  test('what never leaves', () => {
    const of = (members: string): string | undefined =>
      explain(`{"name":"f","description":"d","inputSchema":{"type":"object"},${members}}`)?.[0];
    expect(of('"x-tool‸spec":{}')).toBe('**Not sent.** These are local facts for ToolSpec.');
    expect(of('"output‸Schema":{}')).toContain('**Not sent.** The model never sees the output schema');
    expect(of('"annot‸ations":{}')).toBe('**Not sent.** Codex does not read `annotations` into the tool.');
  });

  test('the description is free', () => {
    expect(explain('{"name":"f","descr‸iption":"d","inputSchema":{"type":"object"}}')?.[0]).toBe(
      '**Sent in full.** The description of a tool does not count against the budget of its schema.',
    );
  });

  test('nothing is said between values and about unknown keys', () => {
    expect(explain('{"name":"f","description":"d",‸ "inputSchema":{"type":"object"}}')).toBeUndefined();
    expect(explain('{"name":"f","description":"d","inputSchema":{"type":"object"},"own‸":1}')).toBeUndefined();
  });
});
