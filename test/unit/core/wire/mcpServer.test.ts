import { describe, expect, it } from 'vitest';
import { codexProfile, DEFAULT_CODEX_PROFILE } from '../../../../server/src/core/profiles/codex';
import { parseJson } from '../../../../server/src/core/text/json';
import { pointerOf } from '../../../../server/src/core/text/jsonTree';
import { type McpServer, readMcpServers } from '../../../../server/src/core/wire/mcpServer';
import { emitSpecs } from '../../../../server/src/core/wire/spec';

const tool = (name: string, more: object = {}): object => ({
  name,
  description: 'd',
  inputSchema: { type: 'object', properties: {} },
  ...more,
});

const server = (tools: unknown, more: Partial<McpServer> = {}): McpServer => ({
  name: 's',
  tools: parseJson(JSON.stringify(tools)).root!.items,
  ...more,
});

const read = (...servers: McpServer[]) => readMcpServers(servers, { profile: DEFAULT_CODEX_PROFILE });

interface Container {
  name: string;
  description: string;
  tools: { name: string; description: string; parameters: object }[];
}

const containers = (...servers: McpServer[]): Container[] =>
  JSON.parse(emitSpecs(read(...servers).containers)) as Container[];

describe('MCP servers', () => {
  it('gives one namespace a server, by the bytes of raw names, tools by final names', () => {
    const shown = containers(
      server([tool('b'), tool('a-z'), tool('a_a')], { name: 'z' }),
      server([tool('x')], { name: 'Y' }),
    );
    expect(shown.map((each) => [each.name, each.tools.map((one) => one.name)])).toEqual([
      ['mcp__Y', ['x']],
      ['mcp__z', ['a_a', 'a_z', 'b']],
    ]);
  });

  it('takes the instructions as description, trimmed and cut at a character', () => {
    const text = `é${'é'.repeat(300_000)}`;
    expect(containers(server([tool('a')], { instructions: ` \n${text} ` }))[0]!.description).toBe('é'.repeat(262_144));
    expect(containers(server([tool('a')], { instructions: ' x ' }))[0]!.description).toBe('x');
    expect(containers(server([tool('a')], { instructions: '\u0085' }))[0]!.description).toBe(
      'Tools in the mcp__s namespace.',
    );
  });

  it('sends an empty description where there is none', () => {
    expect(
      containers(server([tool('a', { description: undefined }), tool('b', { description: null })]))[0]!.tools,
    ).toEqual([
      { type: 'function', name: 'a', description: '', strict: false, parameters: { type: 'object', properties: {} } },
      { type: 'function', name: 'b', description: '', strict: false, parameters: { type: 'object', properties: {} } },
    ]);
  });

  it('filters by raw names, then hides what the model may not see', () => {
    const tools = [
      tool('a.b'),
      tool('off'),
      tool('other'),
      tool('hidden', { _meta: { ui: { visibility: [] } } }),
      tool('seen', { _meta: { ui: { visibility: 'app' } } }),
    ];
    const result = read(server(tools, { enabled: ['a.b', 'off', 'hidden', 'seen'], disabled: ['off'] }));
    expect(result.containers[0]!.tools.map((each) => each.name)).toEqual(['a_b', 'seen']);
    expect(result.drops.map((drop) => [drop.name, drop.reason, drop.log])).toEqual([
      ['off', 'filtered', undefined],
      ['other', 'filtered', undefined],
      ['hidden', 'invisible', undefined],
    ]);
  });

  it('keeps the first of a repeated name', () => {
    const result = read(server([tool('a', { description: 'first' }), tool('a', { description: 'second' })]));
    expect(result.containers[0]!.tools.map((each) => each.description)).toEqual(['first']);
    expect(result.drops).toMatchObject([
      { reason: 'repeated', log: 'WARN codex_mcp::tools: skipping duplicated tool a' },
    ]);
  });

  it('drops only the tool whose schema Codex refuses', () => {
    const result = read(server([tool('good'), tool('b.ad', { inputSchema: { type: 'null' } })]));
    const message = 'tool input schema must not be a singleton null type';
    expect(result.containers[0]!.tools.map((each) => each.name)).toEqual(['good']);
    expect(result.drops[0]).toMatchObject({
      reason: 'schema',
      message,
      log: `WARN codex_core::mcp_tool_exposure: Skipping MCP tool \`mcp__sb_ad\`: failed to build tool spec: ${message}`,
    });
    expect(pointerOf(result.drops[0]!.cause!)).toBe('/1/inputSchema/type');
  });

  it.each([
    [[5], '/0'],
    [[{ inputSchema: {} }], '/0'],
    [[tool('a', { name: 5 })], '/0/name'],
    [[tool('ok'), tool('a', { inputSchema: undefined })], '/1'],
    [[tool('a', { inputSchema: true })], '/0/inputSchema'],
    [[tool('a', { description: 5 })], '/0/description'],
    [[tool('a', { title: 5 })], '/0/title'],
    [[tool('a', { outputSchema: true })], '/0/outputSchema'],
    [[tool('a', { annotations: { readOnlyHint: 'yes' } })], '/0/annotations'],
    [[tool('a', { icons: [{}] })], '/0/icons'],
  ])('fails as a whole for the malformed list %#', (tools, pointer) => {
    const result = read(server(tools));
    expect(result.containers).toEqual([]);
    expect(result.failures.map(({ message, node }) => [message, pointerOf(node!)])).toEqual([
      ['Unexpected response type', pointer],
    ]);
  });

  it('takes null for what may be absent', () => {
    const nulls = { title: null, outputSchema: null, annotations: null, icons: null, _meta: null, execution: null };
    expect(read(server([tool('a', nulls)])).failures).toEqual([]);
  });

  it('says nothing of a server that is empty or nested too deeply', () => {
    let deep: object = {};
    for (let i = 0; i < 122; i++) deep = { d: deep };
    expect(read(server([tool('a', { inputSchema: { default: deep } })])).failures[0]?.message).toBe(
      'absent from the request, nothing logged',
    );
    expect(read(server([tool('a', { inputSchema: deep })])).failures).toEqual([]);
    expect(read(server([])).failures[0]?.message).toBe('absent from the request, nothing logged');
  });

  it('obeys the budget of the server', () => {
    const inputSchema = { type: 'object', description: 'x'.repeat(6000), properties: {} };
    const parameters = (more: Partial<McpServer>): object =>
      containers(server([tool('a', { inputSchema })], more))[0]!.tools[0]!.parameters;
    expect(parameters({})).toEqual({ type: 'object', properties: {} });
    expect(parameters({ maxSchemaBytes: 7000 })).toEqual(inputSchema);
  });

  it('has a lower name limit in the older profile', () => {
    const long = 'n'.repeat(70);
    const result = readMcpServers([server([tool(long)])], { profile: codexProfile('codex-0.148')! });
    expect(result.containers[0]!.tools[0]!.name).toMatch(/^n{43}_[0-9a-f]{12}$/);
  });
});

describe('servers of agent plugins', () => {
  const plugin = 'Yard';
  const first = (tools: unknown, more: Partial<McpServer> = {}) => containers(server(tools, { plugin, ...more }))[0];

  it('names the plugin in each description', () => {
    const note = 'This tool is part of plugin `Yard`.';
    const texts = ['Does it', 'Does it!', ' ', 'x'.repeat(2000)];
    const tools = texts.map((description, i) => tool(`t${i}`, { description }));
    expect(first(tools)!.tools.map((each) => each.description)).toEqual([
      `Does it. ${note}`,
      `Does it! ${note}`,
      note,
      'x'.repeat(1000),
    ]);
  });

  it('cuts the text of the namespace', () => {
    expect(first([tool('a')], { instructions: 'é'.repeat(600) })!.description).toBe('é'.repeat(500));
  });

  const wide = (bytes: number): object => {
    const names: string[] = [];
    for (let left = bytes; left > 0; left -= 100) names.push('v'.repeat(97));
    return { type: 'object', properties: { p: { type: 'string', enum: names } } };
  };

  it('opens the schema of a function over 8,000 bytes', () => {
    const open = { type: 'object', properties: {}, additionalProperties: true };
    const result = first([tool('a', { inputSchema: wide(9000) }), tool('b', { inputSchema: wide(7000) })]);
    expect(result!.tools[0]!.parameters).toEqual(open);
    expect(result!.tools[1]!.parameters).toEqual(wide(7000));
  });

  it('drops a container of more than 8,000 bytes in silence', () => {
    const result = read(server([tool('a', { inputSchema: wide(7600) })], { plugin, instructions: 'i'.repeat(900) }));
    expect(result.containers).toEqual([]);
    expect(result.drops).toMatchObject([{ reason: 'plugin-size', log: undefined }]);
  });

  it('stops at 64,000 bytes in all, but takes smaller ones behind', () => {
    const tools = Array.from({ length: 20 }, (_, i) =>
      tool(`t${String(i).padStart(2, '0')}`, { inputSchema: wide(4300) }),
    );
    const result = read(server([...tools, tool('tz')], { plugin }));
    expect(result.drops.every((drop) => drop.reason === 'plugin-total')).toBe(true);
    expect(result.containers[0]!.tools.map((each) => each.name).slice(-2)).toEqual(['t13', 'tz']);
  });
});
