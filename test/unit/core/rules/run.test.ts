import { describe, expect, test } from 'vitest';
import { DEFAULT_CODEX_PROFILE } from '../../../../server/src/core/profiles/codex';
import { type FileFacts, Recall } from '../../../../server/src/core/rules/context';
import type { Rule } from '../../../../server/src/core/rules/rule';
import { activateRules, runFile, runTool } from '../../../../server/src/core/rules/run';
import { parseJson } from '../../../../server/src/core/text/json';
import { pointerOf } from '../../../../server/src/core/text/jsonTree';
import { render, t } from '../../../../server/src/core/text/message';
import { readTools } from '../../../../server/src/core/tools/read';
import { check, describeFinding, expectFinding } from './helper';
import { mcp, responses } from './tools';

function factsOf(value: unknown): FileFacts {
  const document = parseJson(JSON.stringify(value));
  return {
    document,
    set: readTools(document, { baseName: 't' }),
    profile: DEFAULT_CODEX_PROFILE,
    targets: new Set(['codex', 'openai']),
    jsonc: false,
    ruleIds: new Set(['a/b']),
    recall: new Recall(),
  };
}

const active = (...rules: Rule[]) => activateRules(rules, new Set(['codex', 'openai']), new Map());
const rule = (id: string, more: Partial<Rule>): Rule => ({
  id,
  section: 'file',
  summary: 'X',
  levels: { all: 'warning' },
  ...more,
});

describe('running rules', () => {
  test('a rule that throws is reported once, by name, and stops no other', () => {
    const facts = factsOf(responses({ type: 'object', properties: { a: {}, b: {} } }));
    const broken = rule('x/broken', {
      site() {
        throw new TypeError('oops');
      },
    });
    const fine = rule('x/fine', { site: ({ site, report }) => report({ node: site.node, message: t('Seen.') }) });
    const { verdicts } = runTool(active(broken, fine), facts, facts.set.tools[0]!);
    expect(verdicts.filter((each) => each.rule === 'x/fine')).toHaveLength(3);
    const failed = verdicts.filter((each) => each.rule === 'internal/rule-failed');
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ level: 'warning' });
    expect(render(failed[0]!.message)).toBe(
      'The rule x/broken failed, so its findings are missing here: TypeError: oops.',
    );
  });

  test('schemas come parents first, those of the output only to rules that ask for them', () => {
    const facts = factsOf(
      mcp({ type: 'object', properties: { a: { type: 'string' } } }, { outputSchema: { type: 'object' } }),
    );
    const seen: string[] = [];
    const note = (id: string, outputSchemas: boolean) =>
      rule(id, {
        outputSchemas,
        site: ({ site, output, root }) => seen.push(`${id} ${output} ${pointerOf(site.node)} ${pointerOf(root)}`),
      });
    runTool(active(note('x/input', false), note('x/both', true)), facts, facts.set.tools[0]!);
    expect(seen).toEqual([
      'x/input false /inputSchema /inputSchema',
      'x/both false /inputSchema /inputSchema',
      'x/input false /inputSchema/properties/a /inputSchema',
      'x/both false /inputSchema/properties/a /inputSchema',
      'x/both true /outputSchema /outputSchema',
    ]);
  });

  test('set checks run only where there is a tool', () => {
    const seen: string[] = [];
    const noting = rule('x/y', { file: () => seen.push('file'), set: () => seen.push('set') });
    runFile(active(noting), factsOf([{ x: 1 }]));
    runFile(active(noting), factsOf([mcp({})]));
    expect(seen).toEqual(['file', 'file', 'set']);
  });

  test('what a context makes is made once per tool, and the compilation only on demand', () => {
    const facts = factsOf(mcp({ type: 'object', properties: { a: {} } }));
    let made = 0;
    const count = () => ++made;
    const asking = rule('x/y', { site: ({ memo }) => expect(memo(count)).toBe(1) });
    expect(runTool(active(asking), facts, facts.set.tools[0]!).compiled).toBeUndefined();
    const compiling = rule('x/z', { tool: ({ compile }) => expect(compile()).toBe(compile()) });
    expect(runTool(active(compiling), facts, facts.set.tools[0]!).compiled?.text).toContain('"properties"');
    expect(made).toBe(1);
  });

  test('a rule of a target that is off is not even called', () => {
    const facts = factsOf(mcp({}));
    const other = rule('x/y', {
      levels: { gemini: 'error' },
      tool() {
        throw new Error('called');
      },
    });
    expect(runTool(active(other), facts, facts.set.tools[0]!).verdicts).toEqual([]);
  });

  test('schemas that nest without end are walked and judged down to a depth', () => {
    const deep = `${'{"items":'.repeat(100_000)}{}${'}'.repeat(100_000)}`;
    const { findings } = check(
      `[{"name": "a", "description": "A.", "inputSchema": ${deep}}, {"name": "a", "inputSchema": 5}]`,
    );
    expect(findings.map((each) => each.rule)).toEqual(
      expect.arrayContaining(['codex/schema-unsupported', 'tool/duplicate-name', 'tool/missing-description']),
    );
    expect(findings.length).toBeLessThan(20);
  });
});

describe('one fault, one finding', () => {
  test('an error at the node for which Codex refuses the tool speaks for both', () => {
    const tool = mcp({ type: 'object', properties: { a: { type: 'string' } }, required: 'a' });
    const checked = check(tool);
    expect(checked.findings.filter(({ level }) => level === 'error').map(describeFinding)).toHaveLength(1);
    expectFinding(checked, {
      rule: 'schema/invalid-keyword-value',
      pointer: '/inputSchema/required',
      message: /Codex refuses the tool for it\.$/,
    });
  });

  test('where the other rule is off, Codex speaks itself', () => {
    const tool = mcp({ type: 'object', required: 'a' });
    const checked = check(tool, { levels: new Map([['schema/invalid-keyword-value', 'off']]) });
    expectFinding(checked, { rule: 'codex/schema-unsupported', level: 'error', pointer: '/inputSchema/required' });
  });

  test('a warning at the node does not silence Codex', () => {
    const tool = mcp({ type: 'object', properties: { p: { type: 'array', items: [{ type: 'string' }] } } });
    const at = '/inputSchema/properties/p/items';
    const rules = check(tool)
      .findings.filter(({ pointer }) => pointer === at)
      .map((each) => `${each.level} ${each.rule}`);
    expect(rules).toEqual(expect.arrayContaining(['error codex/schema-unsupported', 'warning schema/tuple-items']));
  });
});
