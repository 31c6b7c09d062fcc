import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CheckResult, createChecker } from '../../../server/src/core/check';
import { TARGETS } from '../../../server/src/core/profiles/targets';
import { compareFindings, type Finding } from '../../../server/src/core/text/finding';
import { render } from '../../../server/src/core/text/message';
import { closed, mcp, responses } from './rules/tools';

const uri = 'file:///w/t.tools.json';

/** Everything that can be seen of a result, edits of fixes included. */
function seen(result: CheckResult): unknown {
  const finding = ({ message, related, fixes, ...rest }: Finding) => ({
    ...rest,
    message: render(message),
    related: related.map((each) => ({ ...each, message: render(each.message) })),
    fixes: fixes.map((fix) => ({ ...fix, title: render(fix.title), edits: fix.edits() })),
  });
  return { findings: result.findings.map(finding), sizes: result.set.tools.map((tool) => result.summary(tool)) };
}

/** Tools with a bit of everything that rules speak about. */
const TOOLS = [
  mcp({ type: 'object', properties: { a: { type: 'array' }, a2: { title: 'x' } } }),
  mcp({ type: 'object', required: 'a', $defs: { Unused: { type: 'string' } } }, { name: 'do-it' }),
  responses(
    {
      type: 'object',
      properties: { p: { oneOf: [{ $ref: '#/$defs/D', description: 'P.' }], default: 1 } },
      $defs: { D: closed({ x: {} }) },
    },
    { strict: true },
  ),
  responses({ type: 'array', description: 'x'.repeat(6000), items: { const: 5 } }, { name: 'a b' }),
  { name: 'no_schema', annotations: {} },
  { type: 'custom', name: 'patch', description: 'Does it.' },
];

describe('results that are reused', () => {
  test('after any edits a checker that remembers says what a new one says', () => {
    const edits = fc.array(
      fc.record({
        at: fc.nat(),
        remove: fc.nat({ max: 12 }),
        text: fc.constantFrom('', ' ', '\n\n', '"', '}', '{', ',', 'x', '"type": "object", ', 'null'),
      }),
      { minLength: 1, maxLength: 6 },
    );
    const order = fc.array(fc.nat({ max: TOOLS.length - 1 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(order, edits, (picks, list) => {
        const checker = createChecker();
        let text = JSON.stringify(
          picks.map((pick) => TOOLS[pick]),
          null,
          2,
        );
        checker.check({ uri, text });
        for (const { at, remove, text: added } of list) {
          const start = at % (text.length + 1);
          text = text.slice(0, start) + added + text.slice(start + remove);
          expect(seen(checker.check({ uri, text }))).toEqual(seen(createChecker().check({ uri, text })));
        }
      }),
      { seed: 20, numRuns: 60 },
    );
  });

  test('a tool that moved keeps its findings at the new place', () => {
    const checker = createChecker();
    const text = JSON.stringify(TOOLS, null, 2);
    checker.check({ uri, text }, { targets: TARGETS });
    const moved = `[${JSON.stringify(responses(closed({})))},\n\n${text.slice(1)}`;
    expect(seen(checker.check({ uri, text: moved }, { targets: TARGETS }))).toEqual(
      seen(createChecker().check({ uri, text: moved }, { targets: TARGETS })),
    );
  });

  test('the facts around a tool count: its server, its namespace, the shape of the others', () => {
    const checker = createChecker();
    const tool = { name: 'find', description: 'Finds.', inputSchema: { type: 'object' } };
    const texts = [
      JSON.stringify({ tools: [tool] }),
      JSON.stringify({ 'x-toolspec': { server: 's'.repeat(125) }, tools: [tool] }),
      JSON.stringify({ 'x-toolspec': { trusted: true }, tools: [tool] }),
      JSON.stringify({ dynamicTools: [tool] }),
      JSON.stringify([{ type: 'namespace', name: 'mcp', description: 'N.', tools: [{ type: 'function', ...tool }] }]),
      JSON.stringify([tool, tool]),
    ];
    for (const text of texts)
      expect(seen(checker.check({ uri, text }))).toEqual(seen(createChecker().check({ uri, text })));
  });

  test('other options are other results', () => {
    const checker = createChecker();
    const text = JSON.stringify(TOOLS);
    const all = [
      {},
      { targets: TARGETS },
      { budgetBytes: 100 },
      { profile: 'codex-0.148' },
      { levels: new Map([['tool/missing-description', 'off' as const]]) },
      { targets: [] },
    ];
    for (const options of all) {
      expect(seen(checker.check({ uri, text }, options))).toEqual(seen(createChecker().check({ uri, text }, options)));
    }
  });

  test('many versions, and forgetting, change nothing', () => {
    const checker = createChecker();
    for (let version = 0; version < 80; version++) {
      const tools = TOOLS.map((tool, i) => (i === version % TOOLS.length ? { ...tool, title: `T${version}` } : tool));
      const text = JSON.stringify(tools);
      expect(seen(checker.check({ uri, text }))).toEqual(seen(createChecker().check({ uri, text })));
      if (version === 40) checker.forget(uri);
    }
    checker.forget();
    expect(checker.check({ uri, text: '[]' }).findings.length).toBeLessThanOrEqual(1);
  });
});

describe('the facade', () => {
  test('findings stand in the order of reports', () => {
    const { findings } = createChecker().check({ uri, text: JSON.stringify(TOOLS) }, { targets: TARGETS });
    expect(findings.length).toBeGreaterThan(10);
    expect([...findings].sort(compareFindings)).toEqual(findings);
  });

  test('sizes of a tool, with the passes and the reason of a refusal', () => {
    const big = mcp({ type: 'object', properties: { p: { type: 'string', description: 'x'.repeat(6000) } } });
    const bad = mcp({ type: 'object', required: 5 }, { name: 'bad' });
    const result = createChecker().check({ uri, text: JSON.stringify([big, bad]) });
    const [first, second] = result.set.tools.map((tool) => result.summary(tool));
    expect(first).toMatchObject({ budgetBytes: 5000, passes: ['descriptions'], overBudget: false, refusal: undefined });
    expect(first!.sourceBytes).toBeGreaterThan(6000);
    expect(first!.bytes).toBe(result.compile(result.set.tools[0]!)!.text.length);
    expect(second).toMatchObject({ bytes: 0, refusal: 'invalid type: number, expected a sequence' });
  });

  test('sizes are known without the rules of Codex too', () => {
    const checker = createChecker();
    const text = JSON.stringify([mcp({ type: 'object' })]);
    for (let i = 0; i < 2; i++) {
      const result = checker.check({ uri, text }, { targets: ['openai'] });
      expect(result.summary(result.set.tools[0]!)).toMatchObject({ bytes: 33 });
    }
  });

  test('a config file gets rules of its own', () => {
    const result = createChecker().check({
      uri: 'file:///w/toolspec.config.json',
      text: '{"rules": {"no/such": "error"}, "rules": {}}',
    });
    expect(result.set.tools).toEqual([]);
    expect(result.findings.every(({ rule }) => rule.startsWith('config/') || rule.startsWith('json/'))).toBe(true);
    expect(result.findings.map(({ rule }) => rule)).toContain('json/duplicate-key');
  });

  test('an unknown profile counts as the default', () => {
    expect(createChecker().check({ uri, text: '[]' }, { profile: 'codex-9' }).profile.id).toBe('codex-0.171');
  });

  test('no text makes it throw', () => {
    const alphabet = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"name"',
      '"type"',
      '"function"',
      '"inputSchema"',
      '"properties"',
      'null',
      'true',
      '1',
      ' ',
      '//',
      '\\',
      '\ud83d',
      '\ufeff',
    );
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        const { findings } = createChecker().check({ uri, text }, { targets: TARGETS, syntax: true });
        for (const { span } of findings)
          expect(0 <= span.start && span.start <= span.end && span.end <= text.length).toBe(true);
        expect(findings.map(({ rule }) => rule)).not.toContain('internal/rule-failed');
      }),
      { seed: 3, numRuns: 400 },
    );
  });
});
