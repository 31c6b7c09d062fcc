import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import {
  BACKTICK,
  type CallsPage,
  type CompilePage,
  type PanelModel,
  type PanelParams,
  type PanelTextParams,
  type PanelTextResult,
  type SearchPage,
  type WirePage,
} from '../../server/src/panelProtocol';
import { METHODS } from '../../server/src/protocol';
import { Session } from './harness';

let session: Session;
afterEach(() => session.stop());

const WEATHER = readFileSync('samples/weather.tools.json', 'utf8');
const ORDERS = readFileSync('samples/orders.tools.json', 'utf8');

const ask = (params: PanelParams): Promise<PanelModel | null> =>
  session.client.sendRequest<PanelModel | null>(METHODS.panel, params);

async function wire(params: PanelParams): Promise<{ model: PanelModel; page: WirePage }> {
  const model = await ask(params);
  expect(model?.content.name).toBe('wire');
  return { model: model!, page: model!.content as WirePage };
}

describe('panel', () => {
  test('knows the tools of the file, the one at the cursor, and the first otherwise', async () => {
    session = await Session.start();
    const uri = await session.open('orders.tools.json', ORDERS);
    const model = await ask({ uri, page: 'wire' });
    const groups = model!.list.groups!;
    const names = groups.flatMap(({ tools }) => tools.map(({ name }) => name));
    expect(model!.tool!.key.name).toBe(names[0]);
    const last = names[names.length - 1]!;
    const there = await ask({ uri, page: 'wire', offset: ORDERS.indexOf(`"${last}"`) });
    expect(there!.tool!.key.name).toBe(last);
    expect(there!.tool!.place.label).toMatch(/^orders\.tools\.json:\d+$/);
  });

  test('sends the list of tools once, and again when it has changed', async () => {
    session = await Session.start();
    const uri = await session.open('weather.tools.json', WEATHER);
    const first = await ask({ uri, page: 'wire' });
    const second = await ask({ uri, page: 'wire', list: first!.list.stamp });
    expect(second!.list).toEqual({ stamp: first!.list.stamp });
    const name = first!.tool!.key.name;
    await session.replace(uri, `"name": "${name}"`, '"name": "renamed"');
    const third = await ask({ uri, page: 'wire', list: first!.list.stamp });
    expect(third!.list.groups!.flatMap(({ tools }) => tools.map((tool) => tool.name))).toContain('renamed');
  });

  test('finds a tool again by its name when others come before it', async () => {
    session = await Session.start();
    const one = { type: 'function', name: 'one', description: 'One.', parameters: { type: 'object', properties: {} } };
    const uri = await session.open('a.tools.json', JSON.stringify([one]));
    const { model } = await wire({ uri, page: 'wire' });
    await session.change(uri, [{ text: JSON.stringify([{ ...one, name: 'zero' }, one]) }]);
    const again = await wire({ uri, page: 'wire', tool: model.tool!.key });
    expect(again.model.tool!.key).toEqual({ pointer: '/1', name: 'one', namespace: '' });
  });

  test('is nothing for a file that is none of ours, and says why for one without tools', async () => {
    session = await Session.start();
    const other = await session.open('package.json', '{"name": "x"}');
    expect(await ask({ uri: other, page: 'wire' })).toBeNull();
    const empty = await session.open('e.tools.json', '{"a": 1}');
    const model = await ask({ uri: empty, page: 'wire' });
    expect(model!.tool).toBeNull();
    expect(model!.content).toMatchObject({ name: 'empty' });
  });

  test.each([
    ['', 'The file is empty.'],
    [' \n', 'The file is empty.'],
    ['[]', 'The list is empty.'],
  ])('%j is the beginning of a file, and no fault', async (text, why) => {
    session = await Session.start();
    const uri = await session.open('e.tools.json', text);
    const model = await ask({ uri, page: 'wire' });
    expect(model!.broken).toBeNull();
    const detail = `${why} Type \`tool\` in it, and completion puts one in.`;
    expect(model!.content).toMatchObject({
      name: 'empty',
      empty: { title: 'There is no tool in e.tools.json.', detail },
    });
  });

  test('shows backticks of names, and takes none of them for the marks of code', async () => {
    session = await Session.start();
    const tool = {
      type: 'function',
      name: 'a`b',
      parameters: { type: 'object', properties: { 'x`y': { minLength: 1, type: 'string' } } },
    };
    const uri = await session.open('a.tools.json', JSON.stringify([tool]));
    const search = await ask({ uri, page: 'search' });
    expect(search!.content).toMatchObject({ empty: { detail: expect.stringContaining('`a′b`') } });
    const calls = await ask({ uri, page: 'calls' });
    expect((calls!.content as CallsPage).steps[0]!.text).toBe(`The name leads to the tool "a${BACKTICK}b".`);
    const compile = await ask({ uri, page: 'compile' });
    expect((compile!.content as CompilePage).losses[0]!.rows[0]).toMatchObject({
      pointer: '/properties/x`y',
      what: '`minLength` is dropped',
    });
  });

  test('names the broken line of half-typed text and shows what could be read', async () => {
    session = await Session.start();
    const uri = await session.open(
      'a.tools.json',
      `[{"type": "function", "name": "one",\n"description": "One.", }, x]`,
    );
    const model = await ask({ uri, page: 'wire' });
    expect(model!.broken!.title).toMatch(/^Line 2 is not JSON/);
    expect(model!.tool!.key.name).toBe('one');
  });
});

describe('page Wire', () => {
  test('marks each value that goes out as {}, and says what it was', async () => {
    session = await Session.start();
    const uri = await session.open('weather.tools.json', WEATHER);
    const { page, model } = await wire({ uri, page: 'wire' });
    expect(page.answer.icon).toBe('warning');
    expect(page.answer.title).toMatch(/values go out as `\{\}`\.$/);
    const lines = page.code!.text.split('\n');
    const marked = page.code!.notes.filter((note) => note.marked);
    expect(marked.length).toBeGreaterThan(0);
    for (const { line, label } of marked) {
      expect(lines[line]).toMatch(/\{\}/);
      expect(label).toMatch(/^was /);
    }
    expect(model.badges.compile!.label).toMatch(/^[\d,]+ over$/);
  });

  test('adds up: parts, frame and the whole', async () => {
    session = await Session.start();
    const uri = await session.open('weather.tools.json', WEATHER);
    const { page } = await wire({ uri, page: 'wire' });
    const parts = page.sizes.filter(({ role }) => role === 'part').reduce((sum, { bytes }) => sum + bytes, 0);
    const sum = page.sizes.find(({ role }) => role === 'sum')!;
    expect(parts).toBe(sum.bytes);
    const tool = (await ask({ uri, page: 'wire' }))!.tool!.key;
    const params: PanelTextParams = { uri, tool, wire: page.ask };
    const exact = await session.client.sendRequest<PanelTextResult | null>(METHODS.panelText, params);
    expect(Buffer.byteLength(exact!.text)).toBe(sum.bytes);
    expect(JSON.parse(page.code!.text)).toEqual(JSON.parse(exact!.text));
  });

  test('follows an edit that nobody has saved', async () => {
    session = await Session.start();
    const text = JSON.stringify([
      {
        type: 'function',
        name: 'one',
        description: 'One.',
        parameters: { type: 'object', properties: { q: { minLength: 2, type: 'string' } } },
      },
    ]);
    const uri = await session.open('a.tools.json', text);
    const before = await wire({ uri, page: 'wire' });
    expect(before.page.answer).toMatchObject({ icon: 'info', detail: expect.stringContaining('one keyword') });
    await session.replace(uri, '"minLength":2,', '');
    const after = await wire({ uri, page: 'wire' });
    expect(after.page.answer.icon).toBe('fine');
    expect(after.page.code!.text).toBe(before.page.code!.text);
  });

  test('compares two modes line by line', async () => {
    session = await Session.start();
    const uri = await session.open('orders.tools.json', ORDERS);
    const { page } = await wire({ uri, page: 'wire', wire: { mode: 'responses', scope: 'tool', compare: 'chat' } });
    expect(page.diff!.summary).toMatch(/^From Responses to Chat: /);
    const kinds = new Set(page.diff!.lines.map(({ kind }) => kind));
    expect(kinds).toContain('added');
  });

  test('shows a set with every tool folded, and a request', async () => {
    session = await Session.start();
    const uri = await session.open('orders.tools.json', ORDERS);
    const { page } = await wire({ uri, page: 'wire', wire: { mode: 'responses', scope: 'set' } });
    expect(page.code!.folded.length).toBeGreaterThan(0);
    expect(page.code!.notes.length).toBe(page.code!.folded.length);
    const request = await wire({ uri, page: 'wire', wire: { mode: 'responses', scope: 'request' } });
    expect(request.page.answer.title).toMatch(/^The whole request: /);
  });

  test('counts the tools that stand in the list of each mode', async () => {
    session = await Session.start();
    const one = (name: string, more: object = {}): object => ({
      type: 'function',
      name,
      description: 'd',
      parameters: { type: 'object', properties: {} },
      ...more,
    });
    const tools = [
      one('a'),
      one('b', { defer_loading: true }),
      one('c', { 'x-toolspec': { exposure: 'deferred' } }),
      { type: 'custom', name: 'd', description: 'd', format: { type: 'text' } },
    ];
    const uri = await session.open('a.tools.json', JSON.stringify(tools));
    for (const mode of ['responses', 'lite', 'deferred', 'chat', 'mcp', 'anthropic'] as const) {
      const { page } = await wire({ uri, page: 'wire', wire: { mode, scope: 'set' } });
      const names = ['a', 'b', 'c', 'd'].filter((name) => page.code!.text.includes(`"name": "${name}"`));
      expect([mode, page.answer.title]).toEqual([mode, expect.stringMatching(`^${names.length} of 4 tools: `)]);
    }
  });

  test('sends a long list without what stands in its tools, and follows an edit', async () => {
    session = await Session.start();
    const tools = Array.from({ length: 400 }, (_, index) => ({
      type: 'function',
      name: `tool_${index}`,
      description: 'Does one of many things, and says so in a few words.',
      parameters: { type: 'object', properties: { value: { type: 'string', description: 'What it is about.' } } },
    }));
    const uri = await session.open('many.tools.json', JSON.stringify(tools));
    const ask = { mode: 'responses', scope: 'set' } as const;
    const { page } = await wire({ uri, page: 'wire', wire: ask });
    const { text, notes, cut } = page.code!;
    expect(text.length).toBeLessThan(4000);
    expect(cut).toEqual(notes.map(({ line }) => line));
    const lines = text.split('\n');
    for (const line of cut!) expect(lines[line]).toMatch(/^ *\{…\},?$/);
    expect(notes[0]!.label).toMatch(/^tool_0, \d+ bytes$/);
    expect(notes.at(-1)!.label).toBe('150 more tools');
    await session.replace(uri, '"tool_0"', '"renamed"');
    const after = await wire({ uri, page: 'wire', wire: ask });
    expect(after.page.code!.notes[0]!.label).toMatch(/^renamed, /);
    expect(after.page.sizes[0]!.bytes).toBe(page.sizes[0]!.bytes + 'renamed'.length - 'tool_0'.length);
  });

  describe('of a huge tool', () => {
    const HUGE = (() => {
      const entries = Array.from({ length: 12_000 }, (_, i) => [
        `p${i}`,
        { type: 'string', description: `Word ${i}.` },
      ]);
      const properties = {
        ...Object.fromEntries(entries),
        zany: { description: 'Anything.' },
        last: { type: 'string' },
      };
      return JSON.stringify([
        { type: 'function', name: 'huge', description: 'd', parameters: { type: 'object', properties } },
      ]);
    })();
    const sizeOf = (model: PanelModel): number => JSON.stringify(model).length;

    test('sends the lines that are asked for, and all of it to be copied', async () => {
      session = await Session.start();
      const uri = await session.open('huge.tools.json', HUGE);
      const chat = { mode: 'chat', scope: 'tool' } as const;
      const { model, page } = await wire({ uri, page: 'wire', wire: chat });
      expect(sizeOf(model)).toBeLessThan(60_000);
      const exact = await session.request<PanelTextResult>(METHODS.panelText, { uri, wire: chat });
      const all = JSON.stringify(JSON.parse(exact.text), null, 2).split('\n');
      const { of, first, total, size, marked } = page.code!.part!;
      expect([first, total, size, marked]).toEqual([0, all.length, 500, []]);
      expect(page.code!.text.split('\n')).toEqual(all.slice(0, 500));
      const part = async (line: number, name = of): Promise<string[]> => {
        const there = await wire({ uri, page: 'wire', wire: { ...chat, part: { of: name, first: line } } });
        expect(sizeOf(there.model)).toBeLessThan(60_000);
        return there.page.code!.text.split('\n');
      };
      expect(await part(20_000)).toEqual(all.slice(20_000, 20_500));
      expect(await part(all.length - 3)).toEqual(all.slice(-3));
      expect(await part(10_000_000)).toEqual(all.slice(-1));
      expect(await part(-5)).toEqual(all.slice(0, 500));
      // An ask about another text counts as none.
      expect(await part(20_000, 'another')).toEqual(all.slice(0, 500));
    });

    test('tells which lines are marked, and marks them', async () => {
      session = await Session.start();
      const uri = await session.open('huge.tools.json', HUGE);
      const responses = { mode: 'responses', scope: 'tool' } as const;
      const { page } = await wire({ uri, page: 'wire', wire: responses });
      const { of, marked } = page.code!.part!;
      expect([marked.length, page.code!.notes]).toEqual([1, []]);
      const there = await wire({ uri, page: 'wire', wire: { ...responses, part: { of, first: marked[0]! - 1 } } });
      expect(there.page.code!.text.split('\n')[1]!.trim()).toBe('"zany": {}');
      expect(there.page.code!.notes).toMatchObject([{ line: marked[0]!, marked: true }]);
    });

    test('compares in parts', async () => {
      session = await Session.start();
      const uri = await session.open('huge.tools.json', HUGE);
      const ask = { mode: 'mcp', scope: 'tool', compare: 'responses' } as const;
      const { model, page } = await wire({ uri, page: 'wire', wire: ask });
      expect(sizeOf(model)).toBeLessThan(150_000);
      const { of, total } = page.diff!.part!;
      expect(page.diff!.lines).toHaveLength(500);
      const end = await wire({ uri, page: 'wire', wire: { ...ask, part: { of, first: total - 2 } } });
      expect(end.page.diff!.lines).toHaveLength(2);
    });

    test('cuts a line that is too long, and says by how much', async () => {
      session = await Session.start();
      const tool = {
        type: 'function',
        name: 'wordy',
        description: 'w'.repeat(300_000),
        parameters: { type: 'object', properties: {} },
      };
      const uri = await session.open('wordy.tools.json', JSON.stringify([tool]));
      const { model, page } = await wire({ uri, page: 'wire', wire: { mode: 'mcp', scope: 'tool' } });
      expect(sizeOf(model)).toBeLessThan(20_000);
      const line = page.code!.text.split('\n').findIndex((each) => each.includes('"description"'));
      expect(page.code!.notes).toEqual([{ line, label: '298,020 more characters', marked: false }]);
    });
  });

  test('says why there is nothing to show', async () => {
    session = await Session.start();
    const uri = await session.open(
      'a.tools.json',
      JSON.stringify([{ type: 'function', name: 'one', description: 'One.', parameters: { type: 'null' } }]),
    );
    const { page } = await wire({ uri, page: 'wire' });
    expect(page.answer).toMatchObject({ icon: 'error', title: '`one` is not sent: Codex refuses it.' });
    expect(page.code).toBeUndefined();
  });
});

async function compiled(params: PanelParams): Promise<CompilePage> {
  const model = await ask({ ...params, page: 'compile' });
  expect(model?.content.name).toBe('compile');
  return model!.content as CompilePage;
}

describe('page Compile', () => {
  test('counts every stage, the last being what is sent', async () => {
    session = await Session.start();
    const uri = await session.open('weather.tools.json', WEATHER);
    const page = await compiled({ uri, page: 'compile' });
    expect(page.answer.title).toBe('1,120 bytes over the budget, so Codex takes out descriptions and definitions.');
    expect(page.stages.map(({ label, state }) => `${label}: ${state}`)).toEqual([
      'Source: uncounted',
      'Lowered: uncounted',
      'Pruned: over',
      '1 Descriptions: over',
      '2 Definitions: fits',
      '3 Depth: unused',
      '4 Unions: unused',
      'Sent: result',
    ]);
    let bytes = page.stages[0]!.bytes!;
    for (const stage of page.stages.slice(1)) {
      if (stage.change !== undefined) expect(stage.bytes).toBe(bytes + stage.change);
      bytes = stage.bytes ?? bytes;
    }
  });

  test('names every place where something is lost, and leads there', async () => {
    session = await Session.start();
    const uri = await session.open('weather.tools.json', WEATHER);
    const { losses } = await compiled({ uri, page: 'compile' });
    expect(losses.map(({ stage }) => stage)).toEqual(['definitions', 'descriptions', 'pruned', 'lowered']);
    const lines = WEATHER.split('\n');
    const emptied = losses[0]!.rows.find(({ pointer }) => pointer === '/properties/place')!;
    expect(emptied.what).toBe('`$ref` to `Place` (1,052 bytes) becomes `{}`');
    // The table has one row of its own.
    expect(losses[0]!.rows.map(({ what }) => what).at(-1)).toBe('9 definitions go');
    expect(losses[0]!.summary).toBe('9 definitions and 5 references, −3,919 bytes');
    expect(lines[emptied.place.line]).toContain('"place"');
    // What is said about a whole table names the table.
    const tables = losses.flatMap(({ rows }) =>
      rows.filter(({ pointer }) => /^\/(?:\$defs|definitions)$/.test(pointer)),
    );
    expect(tables.length).toBeGreaterThan(0);
    for (const { place } of tables) expect(lines[place.line]).toMatch(/"(?:\$defs|definitions)"/);
  });

  test('lists a part of what a huge schema loses, and counts the rest', async () => {
    session = await Session.start();
    const names = Array.from({ length: 20_000 }, (_, index) => `p${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', description: 'One of many.' }]));
    const tool = { type: 'function', name: 'huge', description: 'Huge.', parameters: { type: 'object', properties } };
    const uri = await session.open('huge.tools.json', JSON.stringify([tool]));
    const { losses } = await compiled({ uri, page: 'compile' });
    const { rows, more, summary } = losses.find(({ stage }) => stage === 'descriptions')!;
    expect(rows.map(({ pointer }) => pointer)).toEqual(names.slice(0, 100).map((name) => `/properties/${name}`));
    expect(more).toBe(19_900);
    expect(summary).toMatch(/^20,000 descriptions, /);
  });

  test('compares the stages that are asked for', async () => {
    session = await Session.start();
    const uri = await session.open('weather.tools.json', WEATHER);
    const first = await compiled({ uri, page: 'compile' });
    expect(first.comparison).toMatchObject({ from: 'descriptions', to: 'definitions' });
    const other = await compiled({ uri, page: 'compile', compile: { from: 'source', to: 'lowered' } });
    expect(other.comparison).toMatchObject({ from: 'source', to: 'lowered' });
    expect(other.comparison!.diff.lines.some(({ kind }) => kind === 'removed')).toBe(true);
  });

  test('says why there is nothing to compile', async () => {
    session = await Session.start();
    const uri = await session.open(
      'a.tools.json',
      JSON.stringify([{ type: 'custom', name: 'raw', description: 'Raw.', format: { type: 'text' } }]),
    );
    const model = await ask({ uri, page: 'compile' });
    expect(model!.content).toMatchObject({ name: 'empty', empty: { title: 'Nothing of `raw` is compiled.' } });
  });
});

describe('page Search', () => {
  const deferred = JSON.stringify(
    ['rain', 'snow'].map((word) => ({
      type: 'function',
      name: `find_${word}`,
      description: `Tells when ${word} falls.`,
      parameters: { type: 'object', properties: {} },
      'x-toolspec': { exposure: 'deferred' },
    })),
  );
  const search = async (uri: string, query: string): Promise<SearchPage> => {
    const model = await ask({ uri, page: 'search', search: { query, limit: 8, all: false } });
    expect(model?.content.name).toBe('search');
    return model!.content as SearchPage;
  };

  test('ranks tools, marks what matched, and says why others are missing', async () => {
    session = await Session.start();
    const uri = await session.open('a.tools.json', deferred);
    const page = await search(uri, 'rain');
    expect(page.hits.map(({ name }) => name)).toEqual(['find_rain']);
    expect(page.hits[0]!.text.filter(({ marked }) => marked).map(({ text }) => text)).toContain('rain');
    expect(page.misses.map(({ name }) => name)).toEqual(['find_snow']);
    expect(page.answer.title).toMatch(/1 of 2/);
  });

  test('follows an edit that nobody has saved', async () => {
    session = await Session.start();
    const uri = await session.open('a.tools.json', deferred);
    expect((await search(uri, 'hail')).hits).toEqual([]);
    await session.replace(uri, 'when snow falls', 'when hail falls');
    expect((await search(uri, 'hail')).hits.map(({ name }) => name)).toEqual(['find_snow']);
  });

  test('says how a tool becomes one that is searched', async () => {
    session = await Session.start();
    const uri = await session.open(
      'weather.tools.json',
      JSON.stringify([JSON.parse(deferred)[0]].map(({ 'x-toolspec': _, ...tool }) => tool)),
    );
    const model = await ask({ uri, page: 'search' });
    expect(model!.content).toMatchObject({ name: 'empty', empty: { title: 'No tool of this file is deferred.' } });
  });
});
