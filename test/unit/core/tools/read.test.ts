import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../../server/src/core/text/json';
import { pointerOf, toValue } from '../../../../server/src/core/text/jsonTree';
import { render } from '../../../../server/src/core/text/message';
import { baseNameOf } from '../../../../server/src/core/tools/local';
import type { ToolDefinition, ToolSet, ToolShape } from '../../../../server/src/core/tools/model';
import { readTools } from '../../../../server/src/core/tools/read';

const folder = path.resolve(import.meta.dirname, '../../../fixtures/tools');
const readText = (text: string, shape?: ToolShape): ToolSet => readTools(parseJson(text), { baseName: 'base', shape });
const readFile = (name: string): ToolSet => readText(readFileSync(path.join(folder, name), 'utf8'));
const read = (value: unknown, shape?: ToolShape): ToolSet => readText(JSON.stringify(value), shape);
const only = (set: ToolSet): ToolDefinition => {
  expect(set.tools).toHaveLength(1);
  return set.tools[0]!;
};
/** A tool in short: shape (if not the set's), namespace, name, kind, where its schema stands. */
const short = (set: ToolSet) =>
  set.tools.map((tool) =>
    [
      tool.shape === set.shape ? '' : `${tool.shape}:`,
      tool.namespace === undefined ? '' : `${tool.namespace.name}/`,
      tool.name ?? '-',
      tool.kind === 'function' ? '' : ` ${tool.kind}`,
      tool.schemaNode === undefined ? '' : ` ${pointerOf(tool.schemaNode)}`,
    ].join(''),
  );
const problems = (set: ToolSet) =>
  set.problems.map(({ kind, node, details }) => [`${kind} ${pointerOf(node)}`.trim(), ...details].join(' '));

describe('every shape', () => {
  const table: Record<string, [container: string, shape: string | undefined, tools: string[], problems?: string[]]> = {
    'responses-single.tool.json': ['single', 'responses', ['tide_at /parameters']],
    'responses-array.tools.jsonc': ['array', 'responses', ['tide_at', 'shout custom', 'whisper custom', 'edit custom']],
    'responses-namespace.tool.json': [
      'single',
      'responses',
      ['fleet/find /tools/0/parameters', 'fleet/route_note custom'],
    ],
    'responses-hosted.tools.json': [
      'array',
      'responses',
      ['- web-search', '- web-search', '- tool-search /2/parameters', '- hosted', '- hosted', 'tide_at /5/parameters'],
    ],
    'responses-body.tools.json': [
      'responses-body',
      'responses',
      [
        'tide_at /tools/0/parameters',
        'fleet/find /tools/1/tools/0/parameters',
        'fleet/route_note custom',
        'route_note custom',
        '- web-search',
      ],
    ],
    'lite-body.tools.json': [
      'lite-body',
      'responses',
      ['functions/tide_at /input/0/tools/0/tools/0/parameters', 'functions/route_note custom', '- tool-search'],
    ],
    'tool-search-output.tools.json': ['tool-search-output', 'responses', ['fleet/find /tools/0/tools/0/parameters']],
    'chat-single.tool.json': ['single', 'chat', ['tide_at /function/parameters']],
    'chat-array.tools.json': ['array', 'chat', ['tide_at /0/function/parameters', 'route_note custom']],
    'chat-body.tools.json': ['chat-body', 'chat', ['tide_at /tools/0/function/parameters', 'now']],
    'chat-legacy-array.tools.json': ['array', 'chat-legacy', ['tide_at /0/parameters', 'now /1/parameters']],
    'chat-legacy-body.tools.json': ['chat-body', 'chat-legacy', ['tide_at /functions/0/parameters', 'now']],
    'mcp-single.tool.json': ['single', 'mcp', ['tide_at /inputSchema']],
    'mcp-array.tools.json': ['array', 'mcp', ['tide-at /0/inputSchema', 'tide.next /1/inputSchema']],
    'mcp-list.tools.json': ['mcp-list', 'mcp', ['tide_at /tools/0/inputSchema', 'next_tide /tools/1/inputSchema']],
    'mcp-rpc.tools.json': ['mcp-list', 'mcp', ['tide_at /result/tools/0/inputSchema']],
    'mcp-result.tools.json': ['mcp-list', 'mcp', ['tide_at /result/tools/0/inputSchema']],
    'dynamic-single.tool.json': ['single', 'codex-dynamic', ['tide_at /inputSchema']],
    'dynamic-array.tools.json': [
      'array',
      'codex-dynamic',
      ['tide_at /0/inputSchema', 'fleet/find /1/tools/0/inputSchema'],
    ],
    'dynamic-object.tools.json': ['dynamic-tools', 'codex-dynamic', ['tide_at /dynamicTools/0/inputSchema']],
    'dynamic-request.tools.json': ['dynamic-tools', 'codex-dynamic', ['tide_at /params/dynamicTools/0/inputSchema']],
    'dynamic-legacy.tools.json': [
      'array',
      'codex-dynamic-legacy',
      ['tide_at /0/inputSchema', 'now /1/inputSchema', 'later /2/inputSchema'],
    ],
    'anthropic-single.tool.json': ['single', 'anthropic', ['tide_at /input_schema']],
    'anthropic-array.tools.json': [
      'array',
      'anthropic',
      [
        'tide_at /0/input_schema',
        'bash hosted',
        'web_search hosted',
        'tool_search_tool_regex hosted',
        'now /4/input_schema',
      ],
    ],
    'anthropic-body.tools.json': ['anthropic-body', 'anthropic', ['tide_at /tools/0/input_schema']],
    'gemini-single.tool.json': ['single', 'gemini', ['tide_at /parameters']],
    'gemini-object.tools.json': [
      'function-declarations',
      'gemini',
      ['tide_at /functionDeclarations/0/parameters', 'now'],
    ],
    'gemini-array.tools.json': [
      'function-declarations',
      'gemini',
      ['tide_at /0/functionDeclarations/0/parametersJsonSchema'],
    ],
    'gemini-body.tools.json': [
      'function-declarations',
      'gemini',
      [
        'tide_at /tools/0/functionDeclarations/0/parameters',
        '- hosted',
        'next /tools/2/function_declarations/0/parameters_json_schema',
      ],
    ],
    'vscode-array.tools.json': ['array', 'vscode', ['tide_at /0/inputSchema']],
    'vscode-object.tools.json': [
      'language-model-tools',
      'vscode',
      ['tide_at /languageModelTools/0/inputSchema', 'now'],
    ],
    'vscode-package.json': [
      'language-model-tools',
      'vscode',
      ['tide_at /contributes/languageModelTools/0/inputSchema'],
    ],
    'bfcl-array.tools.json': ['array', 'bfcl', ['tide.at /0/parameters']],
    'local-facts.tools.json': ['mcp-list', 'mcp', ['tide_at /tools/0/inputSchema', 'now /tools/1/inputSchema']],
    'mixed.tools.json': [
      'array',
      'responses',
      [
        'tide_at /0/parameters',
        'chat:tide_at /1/function/parameters',
        'next /2/parameters',
        'chat-legacy:tide_at /3/parameters',
        '- web-search',
      ],
      ['mixed-shapes /1 chat responses responses 3 chat 1 chat-legacy 1'],
    ],
    'half-typed.tools.json': ['array', 'responses', ['tide_at', '-', 'last /2/parameters']],
    'no-tools.tools.json': ['none', undefined, [], ['unknown-shape']],
  };

  test('has a fixture and a fixture has a row', () => {
    expect(Object.keys(table).sort()).toEqual(readdirSync(folder).sort());
  });

  test.each(Object.entries(table))('%s', (file, [container, shape, tools, faults]) => {
    const set = readFile(file);
    expect([set.container, set.shape]).toEqual([container, shape]);
    expect(short(set)).toEqual(tools);
    expect(problems(set)).toEqual(faults ?? []);
    expect(set.reasons.length).toBeGreaterThan(0);
    for (const reason of set.reasons) expect(render(reason)).toMatch(/^[A-Z].*\.$/);
  });

  test('can be chosen by hand', () => {
    const bare = read({ name: 'a', description: 'b' }, 'mcp');
    expect([bare.shape, ...problems(bare)]).toEqual(['mcp', 'missing-schema inputSchema']);
    const tool = { name: 'a', description: 'b', inputSchema: { type: 'object' } };
    expect(read([tool], 'codex-dynamic-legacy').shape).toBe('codex-dynamic-legacy');
    expect(problems(read([tool, 5], 'mcp'))).toEqual(['not-a-tool /1']);
  });
});

describe('tools in full', () => {
  test('a Responses function', () => {
    const tool = only(readFile('responses-single.tool.json'));
    expect(tool).toMatchObject({ kind: 'function', strict: true, deferred: false, description: 'Height of the tide.' });
    expect(pointerOf(tool.strictNode!)).toBe('/strict');
    expect(tool.local).toMatchObject({ server: 'base', plugin: false, trusted: false, exposure: undefined });
  });

  test('null parameters, output schema, deferral', () => {
    const tool = readFile('responses-array.tools.jsonc').tools[0]!;
    expect([tool.schemaNode, tool.schemaKey, tool.deferred]).toEqual([undefined, 'parameters', true]);
    expect(toValue(tool.outputSchemaNode!)).toEqual({ type: 'number' });
  });

  test('formats of custom tools', () => {
    const [, text, none, file] = readFile('responses-array.tools.jsonc').tools.map((tool) => tool.format);
    expect(text).toMatchObject({ type: 'text', definitionNode: undefined });
    expect(none).toBeUndefined();
    expect(file).toMatchObject({ type: 'grammar', syntax: 'lark', file: './edit.lark' });
    expect(pointerOf(file!.definitionNode!)).toBe('/3/format/definition/$file');
    const nested = readFile('chat-array.tools.json').tools[1]!;
    expect(nested.format).toMatchObject({ type: 'grammar', syntax: 'regex', file: undefined });
    expect(pointerOf(nested.format!.definitionNode!)).toBe('/1/custom/format/grammar/definition');
    expect(pointerOf(nested.body)).toBe('/1/custom');
  });

  test('a namespace in its place among the entries', () => {
    const set = readFile('responses-body.tools.json');
    expect(set.entries.map((entry) => ('tool' in entry ? entry.tool.name : entry.namespace.name))).toEqual([
      'tide_at',
      'fleet',
      'route_note',
      undefined,
    ]);
    const [fleet] = set.namespaces;
    expect(fleet).toMatchObject({ shape: 'responses', description: 'Vessel records.' });
    expect(fleet!.tools).toEqual(set.tools.slice(1, 3));
    expect(pointerOf(set.listNode!)).toBe('/tools');
  });

  test('MCP output schema, and the title is no description', () => {
    const tool = only(readFile('mcp-single.tool.json'));
    expect(pointerOf(tool.outputSchemaNode!)).toBe('/outputSchema');
    expect(tool.description).toBe('Height of the tide.');
  });

  test('the older flat dynamic form: deferLoading before exposeToContext', () => {
    expect(readFile('dynamic-legacy.tools.json').tools.map((tool) => tool.deferred)).toEqual([true, false, true]);
  });

  test('VS Code describes a tool to the model under another key', () => {
    const tool = only(readFile('vscode-package.json'));
    expect([tool.description, pointerOf(tool.descriptionNode!)]).toEqual([
      'Height of the tide.',
      '/contributes/languageModelTools/0/modelDescription',
    ]);
  });

  test('local facts: the file gives defaults, the tool decides', () => {
    const [first, second] = readFile('local-facts.tools.json').tools.map((tool) => tool.local);
    expect(first).toMatchObject({
      server: 'harbor',
      trusted: true,
      exposure: 'deferred',
      plugin: false,
      node: undefined,
    });
    expect(second).toMatchObject({ server: 'harbor', trusted: false, exposure: 'direct', plugin: true });
    expect(toValue(second!.handler!.node)).toEqual({ module: './now.mjs' });
  });

  test('local facts of the wrong kind count as not given', () => {
    const local = { exposure: 'maybe', server: 5, plugin: 'yes', trusted: null, handler: [] };
    const tool = only(read({ name: 'a', inputSchema: {}, 'x-toolspec': local }));
    expect(tool.local).toMatchObject({
      exposure: undefined,
      server: 'base',
      plugin: false,
      trusted: false,
      handler: undefined,
    });
    expect(only(read({ name: 'a', inputSchema: {}, 'x-toolspec': 5 })).local.node).toBeUndefined();
  });

  test('the file name gives the server its name', () => {
    expect(
      ['/a/shop.tools.json', 'C:\\a\\shop.tool.jsonc', 'tools.json', 'my.server.json', '.tools.json'].map(baseNameOf),
    ).toEqual(['shop', 'shop', 'tools', 'my.server', '.tools']);
  });
});

describe('what decides between shapes', () => {
  const schema = { type: 'object', properties: {} };
  const shapeOf = (value: unknown) => read(value).shape;

  test.each<[about: string, value: unknown, shape: ToolShape | undefined]>([
    ['name, description and inputSchema alone', { name: 'a', description: 'b', inputSchema: schema }, 'mcp'],
    [
      'namespace beside inputSchema, even null',
      { name: 'a', inputSchema: schema, namespace: null },
      'codex-dynamic-legacy',
    ],
    [
      'namespace beside a type',
      { type: 'function', name: 'a', inputSchema: schema, namespace: 'n' },
      'codex-dynamic-legacy',
    ],
    ['type and inputSchema', { type: 'function', name: 'a', inputSchema: schema }, 'codex-dynamic'],
    ['type alone', { type: 'function', name: 'a' }, 'responses'],
    ['deferLoading', { type: 'function', name: 'a', deferLoading: true }, 'codex-dynamic'],
    ['custom with input_schema', { type: 'custom', name: 'a', input_schema: schema }, 'anthropic'],
    ['custom with format', { type: 'custom', name: 'a', format: { type: 'text' } }, 'responses'],
    ['custom with neither', { type: 'custom', name: 'a' }, 'responses'],
    ['custom with cache_control', { type: 'custom', name: 'a', cache_control: {} }, 'anthropic'],
    ['a dated type', { type: 'text_editor_20250728', name: 'a' }, 'anthropic'],
    ['a dated web search of OpenAI', { type: 'web_search_2025_08_26' }, 'responses'],
    ['upper-case types', { name: 'a', parameters: { type: 'OBJECT' } }, 'gemini'],
    ['dict', { name: 'a', parameters: { type: 'dict' } }, 'bfcl'],
    ['dict with a type', { type: 'function', name: 'a', parameters: { type: 'dict' } }, 'responses'],
    ['nested without a type', { function: { name: 'a', parameters: schema } }, 'chat'],
    ['an MCP key beside parameters', { name: 'a', parameters: schema, annotations: {} }, 'mcp'],
    ['parameters that are a list', { name: 'a', parameters: [{ name: 'x' }] }, undefined],
    ['a schema', { type: 'object', properties: {} }, undefined],
    ['a name and a text', { name: 'a', description: 'b' }, undefined],
    ['an unknown type without a schema', { type: 'teleport', name: 'a' }, undefined],
    ['an unknown type with a schema', { type: 'func', name: 'a', parameters: schema }, 'responses'],
    [
      'a namespace of canonical dynamic tools',
      { type: 'namespace', name: 'a', tools: [{ type: 'function', name: 'a', inputSchema: {} }] },
      'codex-dynamic',
    ],
    ['an empty namespace', { type: 'namespace', name: 'a', tools: [] }, 'responses'],
    ['a word', 'tool', undefined],
    ['an unfinished list', { tools: {} }, undefined],
  ])('%s', (_about, value, shape) => {
    expect(shapeOf(value)).toBe(shape);
  });

  test('items that fit several shapes follow the others', () => {
    const items = [
      { type: 'function', name: 'a', inputSchema: schema },
      { type: 'function', name: 'b' },
    ];
    expect(problems(read(items))).toEqual(['missing-schema /1 inputSchema']);
    const untyped = read([items[0], { name: 'c', inputSchema: schema }]);
    expect(problems(untyped)).toEqual([
      'mixed-shapes /1 codex-dynamic-legacy codex-dynamic codex-dynamic 1 codex-dynamic-legacy 1',
    ]);
    const mcp = read([
      { name: 'a', inputSchema: schema, annotations: {} },
      { name: 'b', description: 'c' },
    ]);
    expect([mcp.shape, ...problems(mcp)]).toEqual(['mcp', 'missing-schema /1 inputSchema']);
    const anthropic = read([
      { name: 'a', input_schema: schema },
      { type: 'custom', name: 'b' },
    ]);
    expect([anthropic.shape, ...problems(anthropic)]).toEqual(['anthropic', 'missing-schema /1 input_schema']);
  });

  test('bodies and answers', () => {
    const tool = { type: 'function', name: 'a', parameters: schema };
    const chat = { type: 'function', function: { name: 'a' } };
    const anthropic = { name: 'a', input_schema: schema };
    const container = (value: unknown) => read(value).container;
    expect(container({ tools: [tool], tool_choice: 'auto' })).toBe('responses-body');
    expect(container({ tools: [tool] })).toBe('tools-object');
    expect(container({ tools: [chat], model: 'm' })).toBe('chat-body');
    expect(container({ tools: [anthropic], max_tokens: 5, model: 'm' })).toBe('anthropic-body');
    expect(container({ tools: [], messages: [], system: 's' })).toBe('anthropic-body');
    expect(container({ tools: [anthropic] })).toBe('tools-object');
    expect(container({ tools: [] })).toBe('tools-object');
    expect(container({ jsonrpc: '2.0', id: 1, result: { tools: [] } })).toBe('mcp-list');
    expect(container({ jsonrpc: '2.0', id: 1, result: {} })).toBe('none');
    expect(container([])).toBe('array');
  });

  test('a Lite body has the tools of each of its items and its own', () => {
    const item = (name: string) => ({ type: 'additional_tools', tools: [{ type: 'custom', name }] });
    const set = read({ tools: [{ type: 'custom', name: 'a' }], input: [item('b'), { type: 'message' }, item('c')] });
    expect([set.container, ...short(set)]).toEqual(['lite-body', 'a custom', 'b custom', 'c custom']);
    expect(short(read(item('d')))).toEqual(['d custom']);
  });
});

describe('a schema under the wrong key', () => {
  const schema = { type: 'object', properties: {} };

  test.each<[about: string, value: unknown, problem: string | undefined]>([
    [
      'Responses by strict',
      { type: 'function', name: 'a', inputSchema: schema, strict: false },
      '/inputSchema inputSchema parameters responses strict',
    ],
    [
      'Responses by defer_loading',
      { type: 'function', name: 'a', inputSchema: schema, defer_loading: true },
      '/inputSchema inputSchema parameters responses defer_loading',
    ],
    [
      'Responses by its type',
      { type: 'function', name: 'a', input_schema: schema },
      '/input_schema input_schema parameters responses type',
    ],
    [
      'Responses by the body',
      { model: 'm', tools: [{ type: 'function', name: 'a', inputSchema: schema }] },
      '/tools/0/inputSchema inputSchema parameters responses model',
    ],
    [
      'MCP by annotations',
      { name: 'a', parameters: schema, annotations: {} },
      '/parameters parameters inputSchema mcp annotations',
    ],
    [
      'MCP by outputSchema',
      { name: 'a', input_schema: schema, outputSchema: {} },
      '/input_schema input_schema inputSchema mcp outputSchema',
    ],
    [
      'MCP by the answer around it',
      { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'a', parameters: schema }] } },
      '/result/tools/0/parameters parameters inputSchema mcp result',
    ],
    [
      'Anthropic by cache_control',
      { name: 'a', inputSchema: schema, cache_control: {} },
      '/inputSchema inputSchema input_schema anthropic cache_control',
    ],
    [
      'Anthropic by its type',
      { type: 'custom', name: 'a', inputSchema: schema },
      '/inputSchema inputSchema input_schema anthropic type',
    ],
    [
      'Chat by its nesting',
      { type: 'function', function: { name: 'a', inputSchema: schema } },
      '/function/inputSchema inputSchema parameters chat function',
    ],
    [
      'Codex dynamic by its container',
      { dynamicTools: [{ type: 'function', name: 'a', parameters: schema }] },
      '/dynamicTools/0/parameters parameters inputSchema codex-dynamic dynamicTools',
    ],
    [
      'the same in a namespace',
      {
        dynamicTools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'a', parameters: schema }] }],
      },
      '/dynamicTools/0/tools/0/parameters parameters inputSchema codex-dynamic dynamicTools',
    ],
    [
      'Gemini by its container',
      { functionDeclarations: [{ name: 'a', inputSchema: schema }] },
      '/functionDeclarations/0/inputSchema inputSchema parameters gemini functionDeclarations',
    ],
    [
      'VS Code by its own keys',
      { name: 'a', modelDescription: 'b', parameters: schema },
      '/parameters parameters inputSchema vscode modelDescription',
    ],
    ['not: a Codex dynamic tool', { type: 'function', name: 'a', description: 'b', inputSchema: schema }, undefined],
    [
      'not: both keys',
      { type: 'function', name: 'a', parameters: schema, inputSchema: schema, strict: true },
      undefined,
    ],
    ['not: an MCP tool with strict', { name: 'a', inputSchema: schema, strict: true }, undefined],
    [
      'not: Gemini with a JSON Schema',
      { functionDeclarations: [{ name: 'a', parametersJsonSchema: schema }] },
      undefined,
    ],
  ])('%s', (_about, value, problem) => {
    const set = read(value);
    expect(problems(set)).toEqual(problem === undefined ? [] : [`wrong-schema-key ${problem}`]);
    const tool = only(set);
    expect(toValue(tool.schemaNode!)).toEqual(schema);
    if (problem === undefined) return;
    expect([tool.schemaKey, tool.shape]).toEqual(problem.split(' ').slice(2, 4));
    expect(set.problems[0]!.tool).toBe(tool);
    const { start, end } = set.problems[0]!.span;
    expect(set.document.text.slice(start, end)).toBe(`"${problem.split(' ')[1]}"`);
  });
});

describe('what a shape demands', () => {
  const schema = { type: 'object' };

  test.each<[value: unknown, problems: string[]]>([
    [{ type: 'function', parameters: schema }, ['missing-name name']],
    [{ type: 'function', name: 5, parameters: schema }, ['missing-name /name name']],
    [{ type: 'function', function: { parameters: schema } }, ['missing-name /function name']],
    [{ type: 'custom', format: { type: 'text' } }, ['missing-name name']],
    [{ type: 'namespace', tools: [] }, ['missing-name name']],
    [{ type: 'web_search' }, []],
    [{ inputSchema: schema }, ['missing-name name']],
    [{ name: 'a', annotations: {} }, ['missing-schema inputSchema']],
    [{ type: 'function', name: 'a', deferLoading: false }, ['missing-schema inputSchema']],
    [{ type: 'custom', name: 'a', cache_control: {} }, ['missing-schema input_schema']],
    [{ type: 'bash_20250124', name: 'bash' }, []],
    [{ type: 'function', name: 'a' }, []],
    [{ type: 'function', function: { name: 'a' } }, []],
    [{ functionDeclarations: [{ name: 'a' }] }, []],
    [{ name: 'a', inputSchema: null }, []],
  ])('%j', (value, expected) => {
    expect(problems(read(value))).toEqual(expected);
  });

  test('null is a schema that is no schema, but for Responses', () => {
    expect(only(read({ name: 'a', inputSchema: null })).schemaNode?.kind).toBe('null');
    expect(only(read({ type: 'function', name: 'a', parameters: null })).schemaNode).toBeUndefined();
  });

  test("a value that is being typed is the text's fault", () => {
    expect(problems(readText('{"name": "a", "inputSchema":}'))).toEqual([]);
    expect(problems(readText('{"name": , "inputSchema": {}}'))).toEqual([]);
  });

  test('one problem a list for mixed items, each item that is none', () => {
    const chat = { type: 'function', function: { name: 'a' } };
    const flat = { type: 'function', name: 'a', parameters: schema };
    expect(problems(read([chat, flat, flat, 5, { x: 1 }, null]))).toEqual([
      'mixed-shapes /0 chat responses responses 2 chat 1',
      'not-a-tool /3',
      'not-a-tool /4',
      'not-a-tool /5',
    ]);
    const inner = {
      type: 'namespace',
      name: 'n',
      tools: [flat, chat, flat, { type: 'namespace', name: 'm', tools: [] }],
    };
    expect(problems(read([inner]))).toEqual([
      'mixed-shapes /0/tools/1 chat responses responses 2 chat 1',
      'not-a-tool /0/tools/3 namespace',
    ]);
  });

  test('a file without tools has one problem, an empty list none', () => {
    expect(problems(read([1, 2]))).toEqual(['unknown-shape']);
    expect(problems(read({ a: 1 }))).toEqual(['unknown-shape']);
    expect(problems(read(5))).toEqual(['unknown-shape']);
    expect(problems(readText(''))).toEqual([]);
    expect(problems(read([]))).toEqual([]);
    expect(problems(read({ tools: [] }))).toEqual([]);
    expect(render(read({ a: 1, b: 2 }).reasons[0]!)).toContain('"a" and "b"');
  });
});
