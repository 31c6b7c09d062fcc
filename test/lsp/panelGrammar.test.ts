import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type {
  GrammarPage,
  PanelGenerateParams,
  PanelGenerateResult,
  PanelModel,
  PanelParams,
} from '../../server/src/panelProtocol';
import { METHODS } from '../../server/src/protocol';
import { startEngine } from '../engineFiles';
import { FOLDER, Session, type SessionOptions } from './harness';

const engine = startEngine();
afterAll(() => engine.close());
let session: Session;
afterEach(() => session.stop());

const GRAMMAR = readFileSync('samples/apply_patch.lark', 'utf8');
const TOOL = readFileSync('samples/apply_patch.tool.json', 'utf8');
const INPUT = `*** Begin Patch
*** Update File: docs/forecast.md
@@ ## Today
-Rain from noon, 4 mm.
+Rain from 15:00, 9 mm.
*** Remove File: docs/old.md
*** End Patch
`;

const custom = (definition: string, syntax = 'lark'): string =>
  JSON.stringify([
    { type: 'custom', name: 'own', description: 'Own.', format: { type: 'grammar', syntax, definition } },
    { type: 'function', name: 'fun', description: 'Fun.', parameters: { type: 'object', properties: {} } },
  ]);

const start = async (options: SessionOptions = {}): Promise<void> => {
  session = await Session.start({ engine, ...options });
};

const ask = (params: Omit<PanelParams, 'page'>): Promise<PanelModel | null> =>
  session.request<PanelModel | null>(METHODS.panel, { ...params, page: 'grammar' });

/** The page with an input, as if the user had typed it. */
async function page(uri: string, input?: string, more: Partial<PanelParams> = {}): Promise<GrammarPage> {
  const first = await ask({ uri, ...more });
  expect(first?.content.name).toBe('grammar');
  const content = first!.content as GrammarPage;
  if (input === undefined) return content;
  const second = await ask({ uri, ...more, drafts: [{ of: content.of, text: input }] });
  return second!.content as GrammarPage;
}

const generate = (params: PanelGenerateParams): Promise<PanelGenerateResult> =>
  session.request(METHODS.panelGenerate, params);

describe('page Grammar', () => {
  test('says where the input stops fitting, by both engines, and what may come there', async () => {
    await start({ files: { [`${FOLDER}/apply_patch.lark`]: GRAMMAR } });
    const uri = await session.open('apply_patch.tool.json', TOOL);
    const { answer, verdicts, stop, marks, next, tree } = await page(uri, INPUT);
    expect(answer).toMatchObject({
      icon: 'error',
      title: 'The input stops fitting on line 6: `Remove` cannot stand there.',
    });
    expect(answer.detail).toMatch(/^Both engines load this grammar and accept the same \d+ of \d+ bytes\.$/);
    expect(verdicts.left).toMatchObject({ verdict: 'rejected', label: `Rejected at byte ${stop}` });
    expect(verdicts.right).toMatchObject({ verdict: 'rejected', label: 'Rejected' });
    expect(verdicts.relation).toEqual({ kind: 'agree', label: 'Agree' });
    expect(INPUT.slice(stop)).toMatch(/^Remove/);
    expect(marks).toEqual([{ start: stop, end: INPUT.length, kind: 'rest', title: 'Does not fit.' }]);
    const offers = next.options.map(({ begun, label }) => begun + label);
    expect(offers).toContain('*** End Patch');
    expect(offers).toContain('*** Add File: ');
    for (const { insert } of next.options) {
      const longer = await page(uri, INPUT.slice(0, stop) + insert);
      expect(longer.stop).toBe(stop + insert.length);
    }
    expect(tree.title).toBe('of the part that fits');
    const anchor = tree.rows.find(({ name }) => name === 'anchor')!;
    expect(INPUT.slice(anchor.start, anchor.end)).toContain('## Today');
    expect(tree.rows.some(({ open }) => open)).toBe(true);
  });

  test('a refused grammar says why in the words of each engine, and why nothing may come next', async () => {
    await start();
    const uri = await session.open('a.tools.json', custom('start: WORD | NUMBER\nWORD: /[a-z+/\n'));
    const { answer, verdicts, next } = await page(uri, 'ab');
    expect(answer.title).toBe("The provider's engine refuses this grammar.");
    expect(answer.detail).toMatch(/: unclosed character class\. The API refuses a tool with such a grammar\.$/);
    expect(verdicts.left.lines.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^invalid regex .*: unclosed character class\.$/),
    ]);
    expect(next.notes).toEqual(['The grammar is refused, so no text can be written by it.']);
  });

  test('gives the tree of an input that fits, each node with its part of it', async () => {
    await start();
    const uri = await session.open(
      'a.tools.json',
      custom('start: pair+\npair: KEY "=" VALUE ";"\nKEY: /[a-z]+/\nVALUE: /[0-9]+/'),
    );
    const input = 'ab=12;c=3;';
    const { tree, answer } = await page(uri, input);
    expect(answer).toMatchObject({ icon: 'fine', title: 'Both engines accept this input.' });
    const rows = tree.rows.map(({ depth, name, text, start: from, end }) => [
      depth,
      name,
      text,
      input.slice(from, end),
    ]);
    expect(rows).toEqual([
      [0, 'start', undefined, 'ab=12;c=3'],
      [1, 'pair', undefined, 'ab=12'],
      [2, 'KEY', '"ab"', 'ab'],
      [2, 'VALUE', '"12"', '12'],
      [1, 'pair', undefined, 'c=3'],
      [2, 'KEY', '"c"', 'c'],
      [2, 'VALUE', '"3"', '3'],
    ]);
  });

  test('follows an edit of the grammar that nobody has saved', async () => {
    await start();
    const uri = await session.open('a.tools.json', custom('start: "ab"'));
    expect((await page(uri, 'ac')).answer.icon).toBe('error');
    await session.replace(uri, 'start: \\"ab\\"', 'start: \\"a\\" (\\"b\\" | other)\\nother: \\"c\\"');
    const after = await page(uri, 'ac', { grammar: { rule: 'other' } });
    expect(after.answer.icon).toBe('fine');
    expect(after.definitions).toEqual([
      { name: 'start', kind: 'rule', uses: 'entry' },
      { name: 'other', kind: 'rule', uses: '1×' },
    ]);
    expect(after.diagram).toMatchObject({ name: 'other', usedBy: ['start'] });
  });

  test('follows the grammar in a file of its own while that is edited', async () => {
    await start();
    const grammar = await session.open('apply_patch.lark', GRAMMAR, 'lark');
    const uri = await session.open('apply_patch.tool.json', TOOL);
    await session.replace(grammar, '"*** Delete File: "', '"*** Remove File: "');
    expect((await page(uri, INPUT)).answer).toMatchObject({ icon: 'fine' });
  });

  test('draws the rule that is asked for, with links to others and no style of its own', async () => {
    await start({ files: { [`${FOLDER}/apply_patch.lark`]: GRAMMAR } });
    const uri = await session.open('apply_patch.tool.json', TOOL);
    const { diagram } = await page(uri, undefined, { grammar: { rule: 'updating' } });
    expect(diagram).toMatchObject({
      name: 'updating',
      usedBy: ['section'],
      place: { uri: `${FOLDER}/apply_patch.lark` },
    });
    expect(diagram!.svg).toMatch(/<a href="#moving">/);
    expect(diagram!.svg).not.toMatch(/<style|style=/);
    expect(GRAMMAR.split('\n')[diagram!.place.line]).toMatch(/^updating:/);
  });

  test('lists what is imported, and draws it from where it comes', async () => {
    await start();
    const uri = await session.open('apply_patch.lark', GRAMMAR, 'lark');
    const { definitions, diagram } = await page(uri, undefined, { grammar: { rule: 'LF' } });
    const uses = GRAMMAR.match(/\bLF\b/g)!.length - 1;
    expect(definitions.at(-1)).toEqual({ name: 'LF', kind: 'terminal', uses: `${uses}×` });
    expect(diagram).toMatchObject({ name: 'LF', place: { label: expect.stringMatching(/^common\.lark:/) } });
  });

  test('says why the engines differ', async () => {
    await start();
    const uri = await session.open('a.tools.json', custom('start: "a" | "b"\n%ignore " "'));
    const { answer, verdicts } = await page(uri, ' a');
    expect(verdicts.relation).toEqual({ kind: 'differ', label: 'Differ' });
    expect(answer).toMatchObject({
      icon: 'warning',
      title: "The engines differ: Lark accepts this input, the provider's does not.",
    });
    expect(answer.detail).toMatch(/skips nothing in front of the first terminal/);
  });

  test('leads to the place of a refusal', async () => {
    await start();
    const uri = await session.open('a.tools.json', custom('start: missing'));
    const { answer } = await page(uri, 'x');
    expect(answer.icon).toBe('error');
    expect(answer.title).toMatch(/refuses this grammar/);
    expect(answer.link).toMatchObject({ action: { kind: 'place' } });
  });

  test('shows of a lone expression what there is, and why the rest is missing', async () => {
    await start();
    const uri = await session.open('a.tools.json', custom('[a-c]{2}', 'regex'));
    const { verdicts, tree, noDiagram, definitions, next } = await page(uri, 'az');
    expect(verdicts.left.label).toBe('Rejected at byte 1');
    expect(verdicts.right).toMatchObject({ verdict: 'not-run' });
    expect(verdicts.relation).toBeUndefined();
    expect(definitions).toEqual([]);
    expect(tree).toMatchObject({ rows: [], note: expect.stringContaining('no tree') });
    expect(noDiagram).toMatch(/`regex`/);
    expect(next.notes.join(' ')).toContain('a–c');
  });

  test('works without the provider’s engine, and says so', async () => {
    session = await Session.start();
    const uri = await session.open('a.tools.json', custom('start: "ab"'));
    const { verdicts, stop } = await page(uri, 'ax');
    expect(verdicts.left.verdict).toBe('not-run');
    expect(verdicts.right.verdict).toBe('rejected');
    expect(stop).toBe(1);
  });

  test('walks through generation', async () => {
    await start();
    const uri = await session.open('a.tools.json', custom('start: "ab" /[x-z]/'));
    const { walk } = await page(uri, 'ab?', { grammar: { walk: true } });
    expect(walk!.rows.map(({ place, refused, next }) => [place, refused, next])).toEqual([
      ['1:1', false, 'must be "ab" 2 bytes'],
      ['1:3', true, 'refused, x–z'],
    ]);
    expect(walk!.verdict).toMatch(/^The text is refused at 1:3/);
  });

  test('generates the same input for the same seed, one that both engines take', async () => {
    await start({ files: { [`${FOLDER}/apply_patch.lark`]: GRAMMAR } });
    const uri = await session.open('apply_patch.tool.json', TOOL);
    const one = await generate({ uri, seed: 3 });
    expect(one).toEqual(await generate({ uri, seed: 3 }));
    if (one.failure !== null) throw new Error(one.failure);
    expect(one.text).toMatch(/^\*\*\* Begin Patch\n/);
    const shown = await page(uri);
    expect(one.of).toBe(shown.of);
    expect((await page(uri, one.text)).answer.title).toBe('Both engines accept this input.');
    const regex = await session.open('r.tools.json', custom('[a-c]{2}', 'regex'));
    expect(await generate({ uri: regex, seed: 1 })).toMatchObject({ text: expect.stringMatching(/^[a-c]{2}$/) });
  });

  test('begins with the input of a stored sample', async () => {
    const samples = JSON.stringify({
      definitions: ['./apply_patch.tool.json'],
      calls: [{ name: 'mine', tool: 'apply_patch', input: INPUT }],
    });
    await start({
      files: { [`${FOLDER}/apply_patch.lark`]: GRAMMAR, [`${FOLDER}/apply_patch.samples.json`]: samples },
    });
    const uri = await session.open('apply_patch.tool.json', TOOL);
    const { input, from } = await page(uri);
    expect(input).toBe(INPUT);
    expect(from).toBe('the sample `mine`');
  });

  test('says why there is no grammar, with the way to a tool that has one', async () => {
    await start();
    const uri = await session.open('a.tools.json', custom('start: "a"'));
    const model = await ask({ uri, tool: { pointer: '/1', name: 'fun', namespace: '' } });
    expect(model!.content).toMatchObject({
      name: 'empty',
      empty: { title: '`fun` has no grammar.', link: { label: 'Show own' } },
    });
  });

  test('is about a grammar file in front too, and the other pages lead to its tool', async () => {
    await start({ files: { [`${FOLDER}/apply_patch.tool.json`]: TOOL } });
    const uri = await session.open('apply_patch.lark', GRAMMAR, 'lark');
    const model = await ask({ uri });
    expect(model!.tool).toMatchObject({ key: { name: 'apply_patch.lark' }, kind: 'Lark grammar of apply_patch' });
    expect((await page(uri, INPUT)).answer.icon).toBe('error');
    for (const name of ['wire', 'compile', 'calls', 'search'] as const) {
      const other = await session.request<PanelModel>(METHODS.panel, { uri, page: name });
      expect(other.content).toMatchObject({
        name: 'empty',
        empty: { link: { label: 'Show apply_patch', action: { uri: `${FOLDER}/apply_patch.tool.json`, page: name } } },
      });
    }
    await session.replace(uri, '"*** Delete File: "', '"*** Remove File: "');
    expect((await page(uri, INPUT)).answer.icon).toBe('fine');
  });
});
