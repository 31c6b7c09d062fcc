import { describe, expect, test } from 'vitest';
import { queryReading, searchAnswer } from '../../../../server/src/core/search/answer';
import { searchOutput } from '../../../../server/src/core/search/output';
import {
  createSearch,
  type SearchOptions,
  type SearchResult,
  type ToolSearch,
} from '../../../../server/src/core/search/search';
import { parseJson } from '../../../../server/src/core/text/json';
import { render } from '../../../../server/src/core/text/message';
import { readTools } from '../../../../server/src/core/tools/read';

function over(files: readonly unknown[], options: SearchOptions = {}): ToolSearch {
  const sources = files.map((value, i) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { file: `${i}.tools.json`, set: readTools(parseJson(text), { baseName: 'shop' }), options: {} };
  });
  return createSearch(sources, options);
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const fn = (name: string, description: string, more: object = {}) => ({
  type: 'function',
  name,
  description,
  parameters: object({}),
  defer_loading: true,
  ...more,
});

/** The search text of the only tool. */
function textOf(file: unknown): string {
  const search = over([file], { all: true });
  expect(search.size).toBe(1);
  const { hits, misses } = search.search('zzz');
  return [...hits, ...misses][0]!.text.text;
}

const found = (result: SearchResult): string[] =>
  result.hits.map(({ name, namespace }) => (namespace === undefined ? name : `${namespace}.${name}`));

describe('search texts', () => {
  test('a function: its name, the words of it, its description, and what the schema says', () => {
    const parameters = object({
      starts_at: { type: 'string', description: '  When it begins.  ' },
      list: { type: 'array', items: { type: 'string', description: 'One item.' } },
      any: { anyOf: [{ type: 'string', description: 'A branch.' }, { type: 'null' }] },
      one: { oneOf: [{ type: 'string', description: 'Never read.' }] },
      pick: { type: 'string', enum: ['never', 'read'] },
      map: object({}, { additionalProperties: { type: 'string', description: 'Nor this.' } }),
    });
    expect(textOf([fn('create_event', ' Makes an entry. ', { parameters })])).toBe(
      'create_event create event Makes an entry. any A branch. list One item. map one pick starts_at When it begins.',
    );
  });

  test('a namespace goes before the tool, a custom tool has its syntax and no grammar', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "secret"' };
    const tools = [{ type: 'custom', name: 'run_sql', description: 'Runs.', format }];
    expect(textOf([{ type: 'namespace', name: 'db', description: 'The data.', tools }])).toBe(
      'db The data. run_sql Runs. lark',
    );
  });

  test('an MCP tool: names, server, title, description and top-level properties', () => {
    const tool = {
      name: 'find-it',
      title: 'Finder',
      description: 'Finds.',
      inputSchema: object({ b: { type: 'string', description: 'Not read.' }, a: object({ deep: {} }) }),
    };
    expect(textOf({ tools: [tool] })).toBe('mcp__shopfind_it find_it find-it shop Finder Finds. a b');
  });

  test('a description that the compilation drops is not in it', () => {
    const parameters = object({ q: { type: 'string', description: 'tide '.repeat(1200) } });
    expect(textOf([fn('find', 'Finds.', { parameters })])).toBe('find find Finds. q');
  });
});

describe('which tools are searched', () => {
  test('deferred ones by their own word, by local facts, and those of MCP servers', () => {
    const own = [
      fn('a', 'rain'),
      fn('b', 'rain', { defer_loading: false }),
      fn('c', 'rain', { defer_loading: undefined, 'x-toolspec': { exposure: 'deferred' } }),
      fn('d', 'rain', { 'x-toolspec': { exposure: 'hidden' } }),
      fn('e', 'rain', { 'x-toolspec': { exposure: 'direct' } }),
      { type: 'web_search' },
    ];
    const mcp = { tools: [{ name: 'm', description: 'rain', inputSchema: object({}) }] };
    const dynamic = {
      dynamicTools: [
        {
          type: 'namespace',
          name: 'n',
          description: 'Some.',
          tools: [{ type: 'function', name: 'x', description: 'rain', inputSchema: object({}), deferLoading: true }],
        },
      ],
    };
    const result = over([dynamic, mcp, own]).search('rain');
    expect(found(result).sort()).toEqual(['a', 'c', 'mcp__shop.m', 'n.x']);
    expect(result.notSearched.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      'b direct',
      'd hidden',
      'e direct',
      'web_search kind',
    ]);
    expect(found(over([own], { all: true }).search('rain')).sort()).toEqual(['a', 'b', 'c', 'e']);
  });

  test('equal scores stand in the order of registration: own tools, MCP, dynamic tools', () => {
    const dynamic = [{ name: 'x', description: 'rain', inputSchema: object({}), namespace: 'a', deferLoading: true }];
    const result = over([dynamic, [fn('x', 'rain'), fn('x_', 'rain')]]).search('rain');
    expect(result.hits.map(({ tool }) => tool.shape)).toEqual(['responses', 'responses', 'codex-dynamic-legacy']);
    const twins = over([[fn('b', 'rain'), fn('c', 'rain'), fn('e', 'rain')]]).search('rain');
    expect(new Set(twins.hits.map(({ score }) => score)).size).toBe(1);
    expect(found(twins)).toEqual(['b', 'c', 'e']);
  });

  test('a tool that Codex refuses', () => {
    const result = over([[fn('a', 'rain'), fn('b', 'rain', { parameters: { required: 'x' } })]]).search('rain');
    expect(found(result)).toEqual(['a']);
    expect(result.notSearched[0]).toMatchObject({ name: 'b', reason: 'refused' });
  });

  test('none where the provider has no namespaces', () => {
    const set = readTools(parseJson(JSON.stringify([fn('a', 'rain')])), { baseName: 'shop' });
    const search = createSearch([{ file: 'a', set, options: { provider: { namespaces: false } } }]);
    const result = search.search('rain');
    expect(result.notSearched).toMatchObject([{ name: 'a', reason: 'provider' }]);
    expect(render(searchAnswer(result).headline)).toContain('without them there is no tool search');
  });

  test('none: how a tool becomes one', () => {
    const answer = searchAnswer(over([[fn('a', 'rain', { defer_loading: false })]]).search('rain'));
    expect(render(answer.headline)).toBe('No tool is deferred, so there is nothing to search.');
    expect(render(answer.detail!)).toContain('"defer_loading": true');
  });
});

describe('arguments', () => {
  const search = over([[fn('a', 'rain')]]);

  test.each([
    ['  ', 8, 'query must not be empty'],
    ['rain', 0, 'limit must be greater than zero'],
    ['', 0, 'query must not be empty'],
  ])('%j with limit %i', (query, limit, error) => {
    const result = search.search(query, limit);
    expect(result.error).toBe(error);
    expect(result.hits).toEqual([]);
    expect(searchAnswer(result).level).toBe('error');
  });

  test('eight tools are given back by default', () => {
    const many = over([Array.from({ length: 11 }, (_, i) => fn(`t${i}`, 'rain'))]).search('rain');
    expect(many.hits.filter(({ within }) => within)).toHaveLength(8);
    expect(many.hits).toHaveLength(11);
    expect(render(searchAnswer(many).headline)).toBe(
      '11 of 11 deferred tools match. The best has every word. The limit lets 8 through.',
    );
  });
});

describe('reasons', () => {
  test('each match has its part and its place in the file', () => {
    const text =
      '[{ "type": "function", "name": "tell_rain", "description": "Says \\"Rain\\" or not: \\u0072ains.", "defer_loading": true,' +
      ' "parameters": { "type": "object", "properties": { "rain": { "type": "string", "description": "Of rain." } } } }]';
    const [hit] = over([text]).search('rains').hits;
    expect(hit!.matches.map(({ part, source }) => [part, text.slice(source!.start, source!.end)])).toEqual([
      ['name-words', 'rain'],
      ['description', 'Rain'],
      ['description', '\\u0072ains'],
      ['property', 'rain'],
      ['schema', 'rain'],
    ]);
    expect(hit!.parts).toHaveLength(1);
    expect(hit!.parts[0]).toMatchObject({ token: 'rain', repeats: 1, documents: 1, frequency: 5 });
    const inText = hit!.matches.map(({ span }) => hit!.text.text.slice(span.start, span.end));
    expect(inText).toEqual(['rain', 'Rain', 'rains', 'rain', 'rain']);
  });

  test('the words of the query: stems, stop words, and how many tools have them', () => {
    const result = over([[fn('a', 'warnings of rain'), fn('b', 'rain')]]).search('rain warnings in Oslo');
    expect(result.words.map(({ text, token, tools }) => [text, token, tools])).toEqual([
      ['rain', 'rain', 2],
      ['warnings', 'warn', 1],
      ['in', undefined, 0],
      ['oslo', 'oslo', 0],
    ]);
    expect(render(queryReading(result))).toBe('Searched as: rain, warn and oslo (in no tool). Left out: in.');
    expect(render(searchAnswer(result).headline)).toBe('2 of 2 deferred tools match. The best has 2 of 3 words.');
  });

  test.each<[kind: string, query: string, tool: object, words: string]>([
    ['stem', 'rain', fn('a', 'Rainfall by day.'), '"rainfall" reads as "rainfal", not "rain". Say "rain" as well.'],
    [
      'underscore',
      'starts',
      { type: 'custom', name: 'starts_at', description: 'Begins.', defer_loading: true },
      '"starts_at" is one word to the ranking, so "starts" is not in it. Say "starts" on its own as well.',
    ],
    [
      'underscore',
      'create_note',
      fn('a', 'Create things.'),
      'The query\'s "create_note" is one word to the ranking, and the tool says "create". Ask with spaces.',
    ],
    [
      'unsearched',
      'celsius',
      fn('a', 'Tells.', { parameters: object({ u: { type: 'string', enum: ['celsius'] } }) }),
      '"celsius" stands in a value under "enum" that is not searched. Say it in the description of the tool as well.',
    ],
    [
      'spelling',
      'forcast',
      fn('a', 'A forecast.'),
      'The tool says "forecast", and the query "forcast". The ranking takes words as they are spelled.',
    ],
  ])('a near miss by %s: %s', (kind, query, tool, words) => {
    const { hits, misses } = over([[tool]]).search(query);
    expect(hits).toEqual([]);
    expect(misses[0]!.near).toMatchObject({ kind });
    expect(render(misses[0]!.near!.message)).toBe(words);
  });

  test('no near miss where nothing comes near, and stop words are said to be none', () => {
    const search = over([[fn('a', 'Tide tables.')]]);
    expect(search.search('music').misses[0]!.near).toBeUndefined();
    expect(render(searchAnswer(search.search('music')).headline)).toBe(
      'None of 1 deferred tools has a word of the query.',
    );
    expect(render(searchAnswer(search.search('the of')).headline)).toBe(
      'No word of the query is searched, so no tool is found.',
    );
  });
});

describe('output', () => {
  test('tools by rank, namespaces joined at the first of them', () => {
    const namespace = (name: string, ...tools: object[]) => ({
      type: 'namespace',
      name,
      description: `All of ${name}.`,
      tools,
    });
    const search = over([
      [
        namespace('sea', fn('tide', 'rain rain rain'), fn('wave', 'rain and many more words here')),
        fn('plain', 'rain rain rain rain'),
      ],
    ]);
    const result = search.search('rain');
    expect(found(result)).toEqual(['plain', 'sea.tide', 'sea.wave']);
    const output = JSON.parse(searchOutput(search, result, 'c1'));
    expect(Object.keys(output)).toEqual(['type', 'call_id', 'status', 'execution', 'tools']);
    expect(
      output.tools.map(({ name, tools }: { name: string; tools: { name: string }[] }) => [
        name,
        tools.map((each) => each.name),
      ]),
    ).toEqual([
      ['functions', ['plain']],
      ['sea', ['tide', 'wave']],
    ]);
    expect(output.tools[0].tools[0].defer_loading).toBe(true);
    expect(JSON.parse(searchOutput(search, search.search('rain', 1))).tools).toHaveLength(1);
  });
});

describe('MCP tools of several files', () => {
  const list = (server: string, ...names: string[]): object => ({
    'x-toolspec': { server },
    tools: names.map((name) => ({ name, description: `Finds vessels by ${name}.`, inputSchema: object({}) })),
  });
  const names = (search: ToolSearch): string[] =>
    search.search('vessels', 20).hits.map(({ namespace, name }) => `${namespace}.${name}`);

  test('have names that are told apart over all servers, as in one file', () => {
    const apart = over([list('my-shop', 'find'), list('my_shop', 'find')]);
    expect(names(apart)).toEqual([
      expect.stringMatching(/^mcp__my_shop_[0-9a-f]{12}\.find$/),
      expect.stringMatching(/^mcp__my_shop_[0-9a-f]{12}\.find$/),
    ]);
    const merged = over([
      {
        tools: ['my-shop', 'my_shop'].flatMap((server) =>
          (list(server, 'find') as { tools: object[] }).tools.map((tool) => ({ ...tool, 'x-toolspec': { server } })),
        ),
      },
    ]);
    expect(new Set(names(apart))).toEqual(new Set(names(merged)));
    expect(apart.notSearched).toEqual([]);
  });

  test('of one server get hashes where their names become equal', () => {
    const found = names(over([list('shop', 'a-b'), list('shop', 'a_b', 'c')]));
    expect(found).toContainEqual('mcp__shop.c');
    expect(found.filter((name) => /^mcp__shop\.a_b_[0-9a-f]{12}$/.test(name))).toHaveLength(2);
  });

  test('that one server has twice are dropped but for the first', () => {
    const search = over([list('shop', 'find'), list('shop', 'find', 'c')]);
    expect(names(search)).toEqual(['mcp__shop.find', 'mcp__shop.c']);
    expect(search.notSearched.map(({ name, message }) => `${name}: ${render(message)}`)).toEqual([
      'find: The server has a tool of this name already, so Codex leaves this one out.',
    ]);
  });
});
