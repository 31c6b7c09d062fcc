import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkSamples, type SampleCheckOptions } from '../../../server/src/core/checkSamples';
import { SAMPLE_RULES } from '../../../server/src/core/rules/sample/rules';
import { applyEdits } from '../../../server/src/core/text/edits';
import { compareFindings, type Finding } from '../../../server/src/core/text/finding';
import { type Files, SAMPLES_URI, workspaceOf } from './calls/support';
import { unmark } from './rules/helper';

const parameters = { type: 'object', properties: {} };
const fn = (name: string): object => ({ type: 'function', name, description: 'd', parameters });
const FILES: Files = {
  'plan.tools.json': [
    fn('update_plan'),
    { type: 'namespace', name: 'fleet', description: 'd', tools: [fn('find'), fn('lone')] },
    { type: 'namespace', name: 'port', description: 'd', tools: [fn('find')] },
  ],
  'patch.tools.json': [{ type: 'custom', name: 'apply_patch', description: 'd' }],
  'empty.tools.json': {},
  'add.patch': '*** Begin Patch',
  'handler.mjs': '',
};

async function check(text: string, options: SampleCheckOptions = {}, jsonc = true): Promise<readonly Finding[]> {
  const result = await checkSamples({ uri: SAMPLES_URI, text, jsonc }, workspaceOf(FILES), options);
  return result.findings;
}

/** Expects the rule to speak at the marked places and nowhere else. */
async function checkMarked(rule: string, marked: string): Promise<readonly Finding[]> {
  const { text, spans } = unmark(marked);
  const findings = (await check(text)).filter((finding) => finding.rule === rule);
  const show = (list: readonly { start: number; end: number }[]): string[] =>
    list.map(({ start, end }) => `${start}:${text.slice(start, end)}`);
  expect(show(findings.map(({ span }) => span))).toEqual(show(spans));
  return findings;
}

const file = (calls: string, more = ''): string =>
  `{"definitions":["plan.tools.json","patch.tools.json"],${more}"calls":[${calls}]}`;

describe('places', () => {
  test.each<[rule: string, marked: string]>([
    ['sample/shape', '{"calls": ⟦5⟧, "definitions": ["plan.tools.json"]}'],
    ['sample/shape', '⟦{ "definitions": ["plan.tools.json"] }⟧'],
    ['sample/shape', '{"definitions":[⟦5⟧],"calls":[]}'],
    ['sample/shape', file('{"tool":"update_plan",⟦"argument"⟧:1,"arguments":{}}')],
    ['sample/shape', file('⟦{"tool":"update_plan"}⟧')],
    ['sample/shape', file('⟦{"arguments":{}}⟧')],
    ['sample/shape', file('{"tool":"update_plan","arguments":{},"expect":{"outcome":⟦"acepted"⟧}}')],
    ['sample/shape', file('', '"handlers":{"update_plan":{"builtin":⟦"aply_patch"⟧}},')],
    ['sample/shape', file('', '"handlers":{⟦"update_plan"⟧:{"a":1}},')],
    ['sample/ambiguous-input', file('{"tool":"apply_patch","arguments":{},⟦"input"⟧:"x"}')],
    ['sample/ambiguous-input', file('{"tool":"apply_patch","input":"x",⟦"inputFile"⟧:"add.patch",⟦"arguments"⟧:1}')],
    [
      'sample/ambiguous-input',
      file('{"tool":"update_plan","arguments":{},"expect":{"outcome":"accepted","state":⟦"crashed"⟧}}'),
    ],
    [
      'sample/ambiguous-input',
      file('{"tool":"update_plan","arguments":{},"expect":{"outcome":"crashed","state":"crashed"}}'),
    ],
    [
      'sample/unknown-definitions',
      '{"definitions":[⟦"no.tools.json"⟧,"plan.tools.json",⟦"empty.tools.json"⟧],"calls":[]}',
    ],
    [
      'sample/missing-file',
      file('{"tool":"apply_patch","inputFile":⟦"no.patch"⟧},{"tool":"apply_patch","inputFile":"./add.patch"}'),
    ],
    [
      'sample/missing-file',
      file('', '"handlers":{"update_plan":{"module":⟦"no.mjs"⟧},"apply_patch":{"module":"handler.mjs"}},'),
    ],
    ['sample/unknown-tool', file('{"tool":⟦"update_pan"⟧,"arguments":{}}')],
    [
      'sample/unknown-tool',
      file('{"tool":⟦"find"⟧,"arguments":{}},{"tool":"find","namespace":"fleet","arguments":{}}'),
    ],
    ['sample/unknown-tool', file('{"tool":"lone","arguments":{}},{"tool":"lone","namespace":⟦"port"⟧,"arguments":{}}')],
    ['sample/unknown-tool', file('{"tool":"nope","arguments":{},"expect":{"feedback":"unsupported call: nope"}}')],
    ['sample/unknown-tool', file('{"tool":"tool_search","arguments":{"query":"q"}}')],
    [
      'sample/unknown-tool',
      file(
        '',
        '"handlers":{⟦"update_pan"⟧:{"builtin":"grammar"},"*":{"builtin":"grammar"},"fleet.find":{"builtin":"json-schema"}},',
      ),
    ],
    [
      'handler/unsuited-builtin',
      file(
        '',
        '"handlers":{"update_plan":{"builtin":⟦"grammar"⟧},"apply_patch":{"builtin":⟦"json-schema"⟧},"fleet.find":{"builtin":⟦"apply_patch"⟧},"*":{"builtin":⟦"grammar"⟧}},',
      ),
    ],
    ['handler/unsuited-builtin', file('', '"handlers":{"*":{"builtin":"json-schema"}},')],
    [
      'handler/unsuited-builtin',
      '{"definitions":["plan.tools.json"],"handlers":{"*":{"builtin":⟦"grammar"⟧}},"calls":[]}',
    ],
    ['sample/unknown-tool', '{"definitions":["no.tools.json"],"calls":[{"tool":"t","arguments":{}}]}'],
    ['call/wrong-kind', file('{"tool":"update_plan",⟦"input"⟧:"{}"},{"tool":"apply_patch",⟦"arguments"⟧:"x"}')],
    ['call/wrong-kind', file('{"tool":"update_plan",⟦"inputFile"⟧:"add.patch"}')],
    ['call/wrong-kind', file('{"tool":"apply_patch","arguments":{},"expect":{"feedback":"incompatible payload"}}')],
  ])('%s: %s', async (rule, marked) => {
    await checkMarked(rule, marked);
  });

  test('a fault has the tool of its call', async () => {
    const [finding] = await check(file('{"tool":"update_plan","input":"x"}'));
    expect(finding).toMatchObject({ rule: 'call/wrong-kind', tool: 'update_plan', pointer: '/calls/0/input' });
  });
});

describe('fixes', () => {
  test.each<[before: string, after: string]>([
    ['{"tool":"update_pan","arguments":{}}', '{"tool":"update_plan","arguments":{}}'],
    ['{"tool":"lone","namespace":"port","arguments":{}}', '{"tool":"lone","namespace":"fleet","arguments":{}}'],
    ['{"tool":"update_plan","input":"{}"}', '{"tool":"update_plan","arguments":"{}"}'],
    ['{"tool":"apply_patch","arguments":"x"}', '{"tool":"apply_patch","input":"x"}'],
  ])('%s becomes %s', async (before, after) => {
    const [finding] = await check(file(before));
    const fixed = applyEdits(file(before), finding!.fixes[0]!.edits());
    expect(fixed).toBe(file(after));
    expect(await check(fixed)).toEqual([]);
  });

  test('an object as arguments of a custom tool has no fix: its text is open', async () => {
    const [finding] = await check(file('{"tool":"apply_patch","arguments":{}}'));
    expect(finding?.fixes).toEqual([]);
  });
});

describe('checkSamples', () => {
  test('a sound file has no findings', async () => {
    const calls = [
      '{"name":"n","tool":"update_plan","arguments":{},"expect":{"outcome":"accepted","value":{}}}',
      '{"tool":"apply_patch","inputFile":"./add.patch"}',
      '{"tool":"lone","result":{}}',
    ];
    expect(await check(file(calls.join(',')))).toEqual([]);
  });

  test('levels and switches hold, and findings come in order', async () => {
    const text = file('{"tool":"update_pan","arguments":{}},{"tool":"update_plan","argument":1,"arguments":{}}');
    const levels = new Map([
      ['sample/unknown-tool', 'hint' as const],
      ['sample/shape', 'off' as const],
    ]);
    expect((await check(text, { levels })).map(({ rule, level }) => [rule, level])).toEqual([
      ['sample/unknown-tool', 'hint'],
    ]);
    expect((await check(text, { shape: false })).map(({ rule }) => rule)).toEqual(['sample/unknown-tool']);
    const findings = await check(text);
    expect([...findings].sort(compareFindings)).toEqual(findings);
  });

  test('broken JSON is said where it is asked for', async () => {
    const rules = async (options: SampleCheckOptions): Promise<string[]> =>
      (await check('{"definitions":["plan.tools.json"],"calls":[}', options)).map(({ rule }) => rule);
    expect(await rules({ syntax: true })).toContain('json/syntax');
    expect(await rules({})).not.toContain('json/syntax');
  });

  test('a key that stands twice is said', async () => {
    const rules = (await check(file('{"tool":"update_plan","tool":"update_plan","arguments":{}}'))).map(
      ({ rule }) => rule,
    );
    expect(rules).toEqual(['json/duplicate-key']);
  });
});

describe('pages of the rules', () => {
  const examples = (page: string, heading: string): string[] => {
    const section = new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(page)?.[1] ?? '';
    return [...section.matchAll(/^```json\n([\s\S]*?)\n```$/gm)].map((match) => match[1]!);
  };

  test.each(SAMPLE_RULES.map(({ id }) => id).filter((id) => id !== 'call/unknown-tool'))('%s', async (id) => {
    const page = readFileSync(path.resolve(import.meta.dirname, `../../../docs/rules/${id}.md`), 'utf8');
    const speaks = async (text: string): Promise<boolean> => (await check(text)).some(({ rule }) => rule === id);
    for (const text of examples(page, 'Bad')) expect([text, await speaks(text)]).toEqual([text, true]);
    for (const text of examples(page, 'Good')) expect([text, await check(text)]).toEqual([text, []]);
    expect(examples(page, 'Bad').length).toBeGreaterThan(0);
  });
});
