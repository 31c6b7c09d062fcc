import { describe, expect, it } from 'vitest';
import { createWire } from '../../../../server/src/core/wire/wire';
import { fn, list, notes, SCHEMA, sent, toolSet } from './support';

const space = (name: string, tools: unknown[], description = ''): object => ({
  type: 'namespace',
  name,
  description,
  tools,
});

describe('responses', () => {
  it('writes keys in their order and leaves local and foreign ones out', () => {
    const source = `{"x-toolspec":{"server":"s"},"output_schema":{},"parameters":{"properties":{"b":{"type":"integer"},
      "a":{"enum":[1.0,1E3]}},"required":["b"],"title":"T"},"strict":true,"defer_loading":true,
      "description":"é \\u2028\\/","name":"f","type":"function"}`;
    expect(createWire(toolSet(source), { mode: 'responses' }).set().text).toBe(
      '[{"type":"function","name":"f","description":"é \u2028/","strict":true,"defer_loading":true,' +
        '"parameters":{"type":"object","properties":{"a":{"type":"string","enum":[1.0,1e+3]},"b":{"type":"integer"}},' +
        '"required":["b"]}}]',
    );
  });

  it('takes what a shape may leave out', () => {
    const tools = [
      { type: 'function', name: 'a', description: null, parameters: null, strict: null, defer_loading: false },
    ];
    expect(list(tools, 'responses')).toEqual([
      { type: 'function', name: 'a', description: '', strict: false, parameters: { type: 'object', properties: {} } },
    ]);
    expect(list([{ type: 'custom', name: 'c' }, { type: 'tool_search' }, { type: 'web_search' }], 'responses')).toEqual(
      [{ type: 'custom', name: 'c', description: '' }, { type: 'tool_search' }, { type: 'web_search' }],
    );
  });

  it('joins namespaces of one name at the first, sorted, with the first text that is not blank', () => {
    const tools = [
      fn('z'),
      space('two', [fn('b'), { type: 'custom', name: 'a2', description: 'c' }], ' '),
      fn('y'),
      space('two', [fn('a')], 'Text.'),
      space('bare', [fn('a')]),
    ];
    expect(list(tools, 'responses')).toEqual([
      sent('z'),
      space('two', [sent('a'), { type: 'custom', name: 'a2', description: 'c' }, sent('b')], 'Text.'),
      sent('y'),
      space('bare', [sent('a')], 'Tools in the bare namespace.'),
    ]);
  });

  it('registers a name once', () => {
    const set = toolSet([
      fn('a'),
      fn('a', { description: 'second' }),
      space('functions', [fn('a')]),
      space('n', [fn('a')]),
    ]);
    const view = createWire(set, { mode: 'responses' }).set();
    expect(JSON.parse(view.text)).toEqual([sent('a'), space('n', [sent('a')], 'Tools in the n namespace.')]);
    expect(notes(view)).toEqual([
      'left-out: A tool of this name is registered already, so Codex leaves this one out.',
      'left-out: A tool of this name is registered already, so Codex leaves this one out.',
    ]);
  });

  it('leaves out deferred and hidden tools', () => {
    const tools = [
      fn('a', { 'x-toolspec': { exposure: 'deferred' } }),
      fn('b', { 'x-toolspec': { exposure: 'hidden' } }),
      fn('c', { 'x-toolspec': { exposure: 'direct' } }),
    ];
    const view = createWire(toolSet(tools), { mode: 'responses' }).set();
    expect(JSON.parse(view.text)).toEqual([sent('c')]);
    expect(notes(view)).toEqual([
      'left-out: The tool is deferred: only a tool search shows it to the model.',
      'left-out: The tool is hidden, so no request has it.',
    ]);
  });

  it('drops namespaces and web search that the provider lacks', () => {
    const set = toolSet([fn('a'), space('n', [fn('b')], 'N'), { type: 'web_search' }]);
    const view = createWire(set, { mode: 'responses', provider: { namespaces: false, webSearch: false } }).set();
    expect(JSON.parse(view.text)).toEqual([sent('a')]);
    expect(notes(view)).toEqual([
      'left-out: Web search is switched off.',
      'left-out: The provider has no namespaces, so the tools of "n" are left out.',
    ]);
  });

  it.each([
    [
      undefined,
      '{"type":"web_search","external_web_access":true,"filters":{"allowed_domains":["a.b"]},"search_context_size":"low","extra":1}',
    ],
    [
      'cached',
      '{"type":"web_search","external_web_access":false,"filters":{"allowed_domains":["a.b"]},"search_context_size":"low","extra":1}',
    ],
    [
      'indexed',
      '{"type":"web_search","external_web_access":true,"indexed_web_access":true,"filters":{"allowed_domains":["a.b"]},"search_context_size":"low","extra":1}',
    ],
    [
      'live',
      '{"type":"web_search","external_web_access":true,"filters":{"allowed_domains":["a.b"]},"search_context_size":"low","extra":1}',
    ],
    ['disabled', undefined],
  ] as const)('sets the flags of web search by mode %s', (webSearch, text) => {
    const tool =
      '{"search_context_size":"low","extra":1,"filters":{"allowed_domains":["a.b"]},"external_web_access":true,"type":"web_search"}';
    const view = createWire(toolSet(`[${tool}]`), { mode: 'responses', webSearch }).set();
    expect(view.text).toBe(text === undefined ? '[]' : `[${text}]`);
  });

  it('passes hosted tools through and leaves out those of other providers', () => {
    expect(list([{ type: 'file_search', vector_store_ids: ['v'], 'x-toolspec': {} }], 'responses')).toEqual([
      { type: 'file_search', vector_store_ids: ['v'] },
    ]);
    const anthropic = [
      { name: 'a', input_schema: { type: 'object' } },
      { type: 'bash_20250124', name: 'bash' },
    ];
    expect(list(anthropic, 'responses')).toEqual([
      { type: 'function', name: 'a', description: '', strict: false, parameters: { type: 'object', properties: {} } },
    ]);
  });

  it('inlines grammar files', () => {
    const custom = {
      type: 'custom',
      name: 'c',
      description: 'd',
      format: { type: 'grammar', syntax: 'lark', definition: { $file: './c.lark' } },
    };
    const grammar = (path: string): string | undefined => (path === './c.lark' ? 'start: "é"\n' : undefined);
    expect(list([custom], 'responses', { grammar })).toEqual([
      { ...custom, format: { type: 'grammar', syntax: 'lark', definition: 'start: "é"\n' } },
    ]);
    const view = createWire(toolSet([custom]), { mode: 'responses' }).set();
    expect(view.text).toBe('[]');
    expect(notes(view)).toEqual([
      'refused: The grammar file "./c.lark" cannot be read, so the tool cannot be shown as it goes out.',
    ]);
  });

  it('does not shrink a trusted schema', () => {
    const parameters = { type: 'object', description: 'x'.repeat(6000), properties: {} };
    const tools = [fn('a', { parameters, 'x-toolspec': { trusted: true } }), fn('b', { parameters })];
    expect(list(tools, 'responses')).toEqual([
      sent('a', { parameters }),
      sent('b', { parameters: { type: 'object', properties: {} } }),
    ]);
  });

  it('tells which tool Codex refuses and shows the others', () => {
    const set = toolSet([fn('a', { parameters: { required: true } }), fn('b'), { type: 'function', parameters: {} }]);
    const view = createWire(set, { mode: 'responses' }).set();
    expect(JSON.parse(view.text)).toEqual([sent('b')]);
    expect(notes(view)).toEqual([
      'refused: Codex refuses the schema: invalid type: boolean `true`, expected a sequence.',
      'refused: The tool has no name, so it cannot be sent.',
    ]);
    expect(createWire(set, { mode: 'responses' }).tool(set.tools[0]!).refusal?.reason).toBe(
      'invalid type: boolean `true`, expected a sequence',
    );
  });
});

describe('MCP and dynamic shapes', () => {
  const mcp = {
    tools: [
      { name: 'get.item', description: 'd', inputSchema: SCHEMA },
      { name: 'b', inputSchema: {} },
    ],
  };

  it('goes by MCP in the namespace of the server', () => {
    const item = sent('get_item', { description: 'd' });
    const bare = {
      type: 'function',
      name: 'b',
      description: '',
      strict: false,
      parameters: { type: 'object', properties: {} },
    };
    expect(list(mcp, 'responses')).toEqual([space('mcp__shop', [bare, item], 'Tools in the mcp__shop namespace.')]);
    expect(list(mcp, 'responses', { server: 'my-yard' })).toEqual([
      space('mcp__my_yard', [bare, item], 'Tools in the mcp__my_yard namespace.'),
    ]);
    const set = toolSet(mcp);
    expect(JSON.parse(createWire(set, { mode: 'responses' }).tool(set.tools[0]!).text)).toEqual(item);
  });

  it('refuses all tools of a server that fails', () => {
    const set = toolSet({ tools: [...mcp.tools, { name: 'c', description: 'no schema' }] });
    const view = createWire(set, { mode: 'responses' }).set();
    expect(view.text).toBe('');
    expect(view.refusal?.reason).toBe('Unexpected response type');
    expect(createWire(set, { mode: 'lite' }).tool(set.tools[0]!).refusal?.reason).toBe('Unexpected response type');
  });

  const dynamic = (name: string, more: object = {}): object => ({
    type: 'function',
    name,
    description: `Does ${name}.`,
    inputSchema: SCHEMA,
    ...more,
  });

  it('validates dynamic tools as a whole', () => {
    const set = toolSet({ dynamicTools: [dynamic('a'), dynamic('mcp__b')] });
    const view = createWire(set, { mode: 'responses' }).set();
    expect(view.text).toBe('');
    expect(view.refusal).toMatchObject({ reason: 'dynamic tool name is reserved: mcp__b', tool: set.tools[1] });
    expect(createWire(set, { mode: 'responses' }).tool(set.tools[1]!).refusal?.reason).toBe(
      'dynamic tool name is reserved: mcp__b',
    );
  });

  it('leaves out names of built-in tools and deferred ones', () => {
    const tools = [
      dynamic('view_image'),
      dynamic('exec_command'),
      dynamic('a'),
      {
        type: 'namespace',
        name: 'n',
        description: 'N',
        tools: [dynamic('z', { deferLoading: true }), dynamic('view_image')],
      },
    ];
    const view = createWire(toolSet({ dynamicTools: tools }), { mode: 'responses' }).set();
    expect(JSON.parse(view.text)).toEqual([sent('a'), space('n', [sent('view_image')], 'N')]);
    expect(view.notes.map((note) => note.reason)).toEqual([
      'WARN codex_core::tools::registry: skipping duplicate external tool that is already registered tool_name=view_image',
      'WARN codex_core::tools::registry: skipping external tool with reserved name tool_name=exec_command',
      undefined,
    ]);
    expect(list({ dynamicTools: tools }, 'deferred')).toEqual([space('n', [sent('z', { defer_loading: true })], 'N')]);
  });

  it('groups flat dynamic tools by their namespace', () => {
    const flat = (name: string, namespace?: string): object => ({
      ...dynamic(name),
      type: undefined,
      namespace,
      exposeToContext: true,
    });
    expect(list([flat('b', 'n'), flat('x'), flat('a', 'n')], 'responses')).toEqual([
      space('n', [sent('a'), sent('b')], 'Tools in the n namespace.'),
      sent('x'),
    ]);
  });
});

describe('lite', () => {
  const search = { type: 'tool_search', execution: 'client', description: 's', parameters: SCHEMA };
  const custom = {
    type: 'custom',
    name: 'exec',
    description: 'd',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
  };

  it('gathers plain tools in the namespace "functions" at the place of the first', () => {
    const tools = [
      search,
      fn('lookup_order'),
      space('editor', [fn('edit')], 'E'),
      custom,
      space('functions', [fn('existing')], 'Existing default tools'),
      fn('last'),
    ];
    expect(list(tools, 'lite')).toEqual([
      search,
      space('functions', [sent('lookup_order'), custom, sent('existing'), sent('last')], 'Existing default tools'),
      space('editor', [sent('edit')], 'E'),
    ]);
    expect(list([search], 'lite')).toEqual([search]);
    expect(list([search, fn('a')], 'lite')).toEqual([search, space('functions', [sent('a')])]);
    expect(list([fn('a'), search], 'lite')).toEqual([space('functions', [sent('a')]), search]);
  });

  it('has no tools that run at the provider, and no wrapper without namespaces', () => {
    const set = [fn('a'), { type: 'web_search' }, { type: 'code_interpreter', container: 'auto' }];
    expect(list(set, 'lite')).toEqual([space('functions', [sent('a')])]);
    expect(list(set, 'lite', { provider: { namespaces: false } })).toEqual([sent('a')]);
  });
});

describe('deferred', () => {
  it('wraps plain tools, joins namespaces and keeps the order', () => {
    const custom = { type: 'custom', name: 'c', description: 'd', format: { type: 'text' } };
    const tools = [
      space('n', [fn('z'), fn('a')], 'N'),
      fn('p'),
      custom,
      { type: 'tool_search' },
      space('n', [fn('b')], 'M'),
    ];
    const view = createWire(toolSet(tools), { mode: 'deferred' }).set();
    const late = (name: string): object => sent(name, { defer_loading: true });
    expect(JSON.parse(view.text)).toEqual([
      space('n', [late('z'), late('a'), late('b')], 'N'),
      space('functions', [
        late('p'),
        { type: 'custom', name: 'c', description: 'd', defer_loading: true, format: { type: 'text' } },
      ]),
    ]);
    expect(view.text).toContain('"description":"d","defer_loading":true,"format"');
    expect(notes(view)).toEqual(['left-out: A tool of this kind cannot be deferred.']);
  });

  it('has only the marked tools where some are marked', () => {
    expect(list([fn('a'), fn('b', { defer_loading: true })], 'deferred')).toEqual([
      space('functions', [sent('b', { defer_loading: true })]),
    ]);
  });

  it('needs namespaces', () => {
    expect(list([fn('a')], 'deferred', { provider: { namespaces: false } })).toEqual([]);
  });

  it('shows one tool alone, whatever its exposure', () => {
    const set = toolSet([fn('a'), { type: 'web_search' }]);
    expect(JSON.parse(createWire(set, { mode: 'deferred' }).tool(set.tools[0]!).text)).toEqual(
      sent('a', { defer_loading: true }),
    );
    expect(notes(createWire(set, { mode: 'deferred' }).tool(set.tools[1]!))).toEqual([
      'left-out: A tool of this kind cannot be deferred.',
    ]);
  });
});

describe('request', () => {
  const set = toolSet([fn('a'), fn('b', { 'x-toolspec': { exposure: 'deferred' } })]);
  const head = '{"model":"<model>","stream":true,"input":';
  const tail = (parallel: boolean, reasoning: string): string =>
    `"tool_choice":"auto","parallel_tool_calls":${parallel},"reasoning":${reasoning},"store":false,"include":["reasoning.encrypted_content"]}`;
  const a = JSON.stringify(sent('a'));
  const b = JSON.stringify(sent('b')).replace('"parameters"', '"defer_loading":true,"parameters"');

  it('has the keys of each kind of request in their order', () => {
    expect(createWire(set, { mode: 'responses' }).request().text).toBe(`${head}[],"tools":[${a}],${tail(true, '{}')}`);
    const wrapped = `{"type":"namespace","name":"functions","description":"","tools":[${a}]}`;
    expect(createWire(set, { mode: 'lite' }).request().text).toBe(
      `${head}[{"type":"additional_tools","role":"developer","tools":[${wrapped}]}],${tail(false, '{"context":"all_turns"}')}`,
    );
    const found = `{"type":"namespace","name":"functions","description":"","tools":[${b}]}`;
    expect(createWire(set, { mode: 'deferred' }).request().text).toBe(
      `${head}[{"type":"tool_search_output","status":"completed","execution":"client","tools":[${found}]}],"tools":[${a}],${tail(true, '{}')}`,
    );
  });

  it('keeps the item of a Lite request without any tool', () => {
    expect(createWire(toolSet([{ type: 'web_search' }]), { mode: 'lite' }).request().text).toContain(
      '"role":"developer","tools":[]}',
    );
  });

  it('counts bytes, not characters', () => {
    const view = createWire(toolSet([fn('a', { description: 'é😀' })]), { mode: 'responses' }).set();
    expect(view.bytes).toBe(Buffer.byteLength(view.text));
  });
});

describe('half-typed files', () => {
  it.each([
    '',
    '[',
    '[{"type":"function","name":',
    '[{"type":"function","name":"a","parameters":{"type":',
    '{"tools":[{"name":"a","inputSchema":',
    '{"dynamicTools":[{"type":"function","name":"a","inputSchema":{}},',
    '{"dynamicTools":[{"type":"namespace","name":"a","tools":[{"type":',
    `[{"type":"function","name":"a","parameters":${'{"not":'.repeat(100_000)}`,
    `[{"type":"file_search","deep":${'['.repeat(100_000)}`,
  ])('never throws: %#', (text) => {
    for (const mode of ['responses', 'lite', 'deferred', 'chat', 'mcp', 'anthropic'] as const) {
      const set = toolSet(text);
      const wire = createWire(set, { mode });
      for (const tool of set.tools) expect(wire.tool(tool).bytes).toBeGreaterThanOrEqual(0);
      expect(wire.set().bytes).toBeGreaterThanOrEqual(0);
      expect(wire.request().bytes).toBeGreaterThanOrEqual(0);
    }
  });
});
