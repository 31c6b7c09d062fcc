import { afterAll, describe, expect, test } from 'vitest';
import type { CodeLens, Location } from 'vscode-languageserver';
import { startEngine } from '../engineFiles';
import { inBoth, jsonOf, OpenGrammar } from './grammarSupport';
import { FOLDER, Session, type SessionOptions } from './harness';

const service = startEngine();
afterAll(() => service.close());

const EDITOR: SessionOptions = { engine: service, initialization: { commands: true } };

/** The lenses of the grammar as soon as all verdicts are there: the first ones may be late. */
async function settled(session: Session, uri: string, until: (titles: string[]) => boolean): Promise<CodeLens[]> {
  for (;;) {
    const news = session.next('workspace/codeLens/refresh');
    const lenses = (await session.lenses(uri)).filter(({ command }) => /OpenAI|Lark|sample/.test(command!.title));
    if (until(lenses.map(({ command }) => command!.title))) return lenses;
    await news;
  }
}

const titles = (lenses: readonly CodeLens[]): string[] => lenses.map(({ command }) => command!.title);
const byEngine = (all: string[]): boolean => all.some((title) => title.startsWith('OpenAI'));

describe('what both engines say, above start', () => {
  inBoth(
    'both take it',
    'a: "x"\n⟦start⟧: a+\n',
    async (grammar) => {
      const [lens, ...more] = await settled(grammar.session, grammar.uri, byEngine);
      expect(more).toEqual([]);
      expect(lens).toMatchObject({
        range: grammar.ranges[0],
        command: { title: 'OpenAI accepts it · Lark accepts it', command: '' },
      });
    },
    EDITOR,
  );

  inBoth(
    'the provider refuses it, with the words of the finding',
    'start: TEXT\nTEXT: /⟦(?!⟧x)y/\n',
    async (grammar) => {
      const [lens] = await settled(grammar.session, grammar.uri, byEngine);
      expect(lens!.command!.title).toMatch(/^OpenAI refuses it: .*look-around · Lark accepts it$/);
      expect(lens!.command!.command).toBe('toolspec.showReferences');
      const [uri, , places] = lens!.command!.arguments as [string, unknown, Location[]];
      expect(uri).toBe(grammar.uri);
      expect(places).toHaveLength(1);
      expect(places[0]!.range.start).toEqual(grammar.ranges[0]!.start);
    },
    EDITOR,
  );

  inBoth(
    'names are not in signs for code, which a lens would show',
    'start: ⟦NUMBER⟧\n',
    async (grammar) => {
      const [lens] = await settled(grammar.session, grammar.uri, byEngine);
      expect(lens!.command!.title).toMatch(
        /^OpenAI refuses it: The terminal NUMBER is not defined · Lark refuses it: /,
      );
    },
    EDITOR,
  );

  const many = Array.from({ length: 2_001 }, (_, index) => `"k${index}"`).join(' | ');

  inBoth(
    'the provider loads it and gives up at the first character',
    `start: item\nitem: ⟦${many}⟧\n`,
    async (grammar) => {
      const [lens] = await settled(grammar.session, grammar.uri, byEngine);
      expect(lens!.command!.title).toBe('OpenAI loads it and gives up at the first character · Lark accepts it');
      const [, , places] = lens!.command!.arguments as [string, unknown, Location[]];
      expect(places).toHaveLength(1);
    },
    EDITOR,
  );

  inBoth(
    'Lark refuses it',
    'start: ⟦/(.*)/⟧ "\\n"\n',
    async (grammar) => {
      const [lens] = await settled(grammar.session, grammar.uri, byEngine);
      expect(lens!.command!.title).toMatch(/^OpenAI accepts it · Lark refuses it: .*nothing/);
      const [, , places] = lens!.command!.arguments as [string, unknown, Location[]];
      expect(places.map(({ range }) => range)).toEqual(grammar.ranges);
    },
    EDITOR,
  );

  test('without the engine Lark alone has a say, and without start there is no lens', async () => {
    const session = await Session.start();
    const uri = await session.open('a.lark', 'start: "a"\n', 'lark');
    expect(titles(await session.lenses(uri))).toEqual(['Lark accepts it']);
    const other = await session.open('b.lark', 'begin: "a"\n', 'lark');
    expect(await session.lenses(other)).toEqual([]);
    await session.stop();
  });

  test('no lenses where the user wants none', async () => {
    const session = await Session.start({ ...EDITOR, settings: { codeLens: { enabled: false } } });
    const uri = await session.open('a.lark', 'start: "a"\n', 'lark');
    expect(await session.lenses(uri)).toEqual([]);
    await session.stop();
  });
});

describe('attached samples, above start', () => {
  const SAMPLES = (definitions: string, inputs: readonly string[], file = false): string =>
    JSON.stringify(
      {
        definitions: [definitions],
        calls: [
          ...inputs.map((input, index) => ({ name: `n${index}`, tool: 'patch', input })),
          ...(file ? [{ name: 'from a file', tool: 'patch', inputFile: './long.patch' }] : []),
          { name: 'of another tool', tool: 'other', input: 'b' },
          { name: 'no input', tool: 'patch', arguments: {} },
        ],
      },
      null,
      2,
    );

  test.each([false, true])('they are judged by the grammar, inside JSON: %s', async (inJson) => {
    const text = 'start: "a"+\n%ignore " "\n';
    const samples = SAMPLES('./patch.tool.json', ['a', 'aa', 'ab', ' a'], true);
    const session = await Session.start({
      ...EDITOR,
      files: {
        [`${FOLDER}/patch.samples.json`]: samples,
        [`${FOLDER}/long.patch`]: 'aaa',
        [`${FOLDER}/own.lark`]: text,
        [`${FOLDER}/patch.tool.json`]: inJson
          ? jsonOf(text)
          : jsonOf('').replace('"definition": ""', '"definition": {"$file": "./own.lark"}'),
      },
    });
    const grammar = new OpenGrammar(session, text, inJson);
    await session.open(grammar.uri, grammar.document, inJson ? 'json' : 'lark');
    const lenses = await settled(session, grammar.uri, (all) => all.some((title) => title.includes('fit')));
    expect(titles(lenses).at(-1)).toBe('3 of 5 samples fit, 4 for Lark');
    const [, , places] = lenses.at(-1)!.command!.arguments as [string, unknown, Location[]];
    const lines = samples.split('\n');
    expect(places.map(({ uri, range }) => [uri, lines[range.start.line]!.trim()])).toEqual([
      [`${FOLDER}/patch.samples.json`, '"input": "ab"'],
      [`${FOLDER}/patch.samples.json`, '"input": " a"'],
    ]);
    await session.stop();
  });

  test('of a grammar that nobody takes are only counted', async () => {
    const session = await Session.start({
      ...EDITOR,
      files: {
        [`${FOLDER}/patch.samples.json`]: SAMPLES('./patch.tool.json', ['a', 'b']),
        [`${FOLDER}/patch.tool.json`]: jsonOf('').replace('"definition": ""', '"definition": {"$file": "./own.lark"}'),
      },
    });
    const uri = await session.open('own.lark', 'start: x\n', 'lark');
    const lenses = await settled(session, uri, byEngine);
    expect(titles(lenses)).toEqual([expect.stringMatching(/^OpenAI refuses it: .* · Lark refuses it: /), '2 samples']);
    await session.stop();
  });

  test('a runaway grammar and a long text block nobody', async () => {
    // Nested repetitions and every way to split: neither engine comes to an end with this in a useful time.
    const text = 'start: s\ns: s s s | s s | ("a"* "a"*)* | \n';
    const session = await Session.start({
      ...EDITOR,
      files: {
        [`${FOLDER}/patch.samples.json`]: SAMPLES('./patch.tool.json', ['a'.repeat(20_000), 'a'.repeat(19_999)]),
        [`${FOLDER}/patch.tool.json`]: jsonOf('').replace('"definition": ""', '"definition": {"$file": "./own.lark"}'),
      },
    });
    const uri = await session.open('own.lark', text, 'lark');
    const other = await session.open('other.lark', 'start: x\n', 'lark');
    const lenses = session.lenses(uri);
    const diagnostics = session.diagnostics(uri);
    // Another document is answered for while the engine is at work.
    expect(await session.rules(other)).toContain('grammar/undefined-name');
    expect(titles(await lenses).some((title) => title.includes('2 samples'))).toBe(true);
    expect((await diagnostics).length).toBeGreaterThan(0);
    await session.stop();
  });
});
