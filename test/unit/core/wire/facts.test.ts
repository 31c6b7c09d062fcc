import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { wireLine } from '../../../../server/src/core/wire/jsonl';

// What is expected here was worked out by hand from what Codex 0.171.0 was seen to do, not with the code under test.

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } };

/** A tool of an MCP server. */
const tool = (name: string, more: object = {}): object => ({
  name,
  description: `About ${name}.`,
  inputSchema: SCHEMA,
  ...more,
});

/** A dynamic tool in the canonical form. */
const dynamic = (name: string, more: object = {}): object => ({ type: 'function', ...tool(name), ...more });

const group = (name: string, tools: readonly object[], more: object = {}): object => ({
  type: 'namespace',
  name,
  description: 'A group.',
  tools,
  ...more,
});

/** What is sent for a tool: the name that the model sees, and the name that it had. */
const sent = (name: string, raw = name, more: object = {}): object => ({
  type: 'function',
  name,
  description: `About ${raw}.`,
  strict: false,
  ...more,
  parameters: SCHEMA,
});

const container = (
  name: string,
  tools: readonly object[],
  description = `Tools in the ${name} namespace.`,
): object => ({
  type: 'namespace',
  name,
  description,
  tools,
});

const hash = (text: string): string => `_${createHash('sha1').update(text).digest('hex').slice(0, 12)}`;
const toolHash = (server: string, name: string): string => hash(`${server}\0${server}\0\0${name}\0${name}`);
const serverHash = (server: string): string => hash(`${server}\0${server}\0`);

interface Answer {
  ok: boolean;
  wireText?: string;
  warnings?: string[];
  error?: string;
}

const ask = (request: object): Answer => JSON.parse(wireLine(JSON.stringify({ id: 1, ...request }))) as Answer;
const server = (input: object): Answer => ask({ route: 'mcp-server', input });
const dynamicList = (tools: readonly unknown[]): Answer => ask({ route: 'dynamic-list', input: { tools } });

/** The names of the containers and of the tools in each. */
function names({ wireText }: Answer): [string, string[]][] {
  const containers = JSON.parse(wireText ?? '[]') as { name: string; tools: { name: string }[] }[];
  return containers.map(({ name, tools }) => [name, tools.map((each) => each.name)]);
}

describe('names of MCP servers and their tools', () => {
  it.each([
    ['', '_'],
    ['naïve', 'na_ve'],
    ['a😀b', 'a_b'],
    ['a--b', 'a__b'],
    ['a.b/c d', 'a_b_c_d'],
    ['__x__', '__x__'],
    ['0', '0'],
    ['mcp__x__y', 'mcp__x__y'],
  ])('%j is %j for the model', (raw, final) => {
    expect(server({ server: 'oracle', tools: [tool(raw)] }).wireText).toBe(
      JSON.stringify([container('mcp__oracle', [sent(final, raw)])]),
    );
  });

  it.each([
    ['mcp__shop', 'mcp__shop'],
    ['mcp-shop', 'mcp__mcp_shop'],
    ['mcp_shop', 'mcp__mcp_shop'],
    ['a@b:c/d.e-f', 'mcp__a_b_c_d_e_f'],
    ['Shop', 'mcp__Shop'],
  ])('the server %j has the namespace %j', (raw, final) => {
    expect(server({ server: raw, tools: [tool('t')] }).wireText).toBe(JSON.stringify([container(final, [sent('t')])]));
  });

  it.each(['', 'a b', 'é', 'a\n', 'a_b!'])('the server %j cannot start', (raw) => {
    const answer = server({ server: raw, tools: [tool('t')] });
    expect(answer.ok).toBe(false);
    expect(answer.error).toBe(`Invalid MCP server name '${raw}': must match pattern ^[a-zA-Z0-9_:@/.-]+$`);
  });

  it('equal names get a hash each, also the one that was equal already', () => {
    expect(names(server({ server: 'my.shop', tools: [tool('x y'), tool('x_y'), tool('z')] }))).toEqual([
      ['mcp__my_shop', [`x_y${toolHash('my.shop', 'x y')}`, `x_y${toolHash('my.shop', 'x_y')}`, 'z'].sort()],
    ]);
  });

  it('the hash of a server with the prefix is that of its raw name', () => {
    expect(names(server({ server: 'mcp__s', tools: [tool('x-y'), tool('x.y')] }))).toEqual([
      ['mcp__s', [`x_y${toolHash('mcp__s', 'x-y')}`, `x_y${toolHash('mcp__s', 'x.y')}`].sort()],
    ]);
  });

  it.each([114, 115, 116, 128, 200])('a name of %i characters beside a namespace of 11', (length) => {
    const raw = 'n'.repeat(length);
    // 11 + 2 + 115 are the 128 bytes that there are; a hash with its underscore takes 13 of them.
    const final = length <= 115 ? raw : `${'n'.repeat(102)}${toolHash('oracle', raw)}`;
    expect(names(server({ server: 'oracle', tools: [tool(raw)] }))).toEqual([['mcp__oracle', [final]]]);
  });

  it('two long names that are cut at one place differ by their hashes', () => {
    const raw = ['n'.repeat(120), `${'n'.repeat(119)}m`];
    expect(names(server({ server: 'oracle', tools: raw.map((each) => tool(each)) }))).toEqual([
      ['mcp__oracle', raw.map((each) => `${'n'.repeat(102)}${toolHash('oracle', each)}`).sort()],
    ]);
  });

  it('the first of two tools with one raw name is kept', () => {
    const answer = server({ server: 'oracle', tools: [tool('t', { description: 'First.' }), tool('t')] });
    expect(answer.wireText).toBe(JSON.stringify([container('mcp__oracle', [{ ...sent('t'), description: 'First.' }])]));
    expect(answer.warnings).toHaveLength(1);
  });

  it('two servers with one namespace get a hash each, in the order of their raw names', () => {
    const servers = [
      { server: 'my_shop', tools: [tool('b')] },
      { server: 'other', tools: [tool('c')] },
      { server: 'my-shop', tools: [tool('a')] },
    ];
    expect(names(server({ servers }))).toEqual([
      [`mcp__my_shop${serverHash('my-shop')}`, ['a']],
      [`mcp__my_shop${serverHash('my_shop')}`, ['b']],
      ['mcp__other', ['c']],
    ]);
  });

  it('servers go by the bytes of their names, tools by those of their final names', () => {
    const servers = ['b', 'a', 'B', 'a-', 'a_'].map((each) => ({
      server: each,
      tools: ['z', 'Z', 'a'].map((n) => tool(n)),
    }));
    expect(names(server({ servers })).map(([name]) => name)).toEqual([
      'mcp__B',
      'mcp__a',
      `mcp__a_${serverHash('a-')}`,
      `mcp__a_${serverHash('a_')}`,
      'mcp__b',
    ]);
    expect(names(server({ servers }))[0]![1]).toEqual(['Z', 'a', 'z']);
  });
});

describe('what a server says', () => {
  it('instructions are cut at 524,288 bytes, before a character that does not fit', () => {
    const answer = server({ server: 's', instructions: `a${'é'.repeat(300_000)}`, tools: [tool('t')] });
    const [{ description }] = JSON.parse(answer.wireText!) as [{ description: string }];
    expect(description).toBe(`a${'é'.repeat(262_143)}`);
  });

  it('enabled tools are chosen by raw names, and disabled ones taken from them', () => {
    const config = { enabled_tools: ['a-b', 'c', 'a_b'], disabled_tools: ['c'] };
    const tools = ['a-b', 'c', 'd'].map((name) => tool(name));
    expect(names(server({ server: 's', config, tools }))).toEqual([['mcp__s', ['a_b']]]);
  });

  it('a server with nothing left has no container', () => {
    const answer = server({ server: 's', config: { enabled_tools: [] }, tools: [tool('a')] });
    expect(answer).toEqual({ id: 1, ok: false, error: 'absent from the request, nothing logged' });
  });

  it('a description that is no string fails the whole server', () => {
    const tools = [tool('a'), tool('b', { description: 5 })];
    expect(server({ server: 's', tools }).error).toBe('Unexpected response type');
  });

  it('neither strict, deferral nor the output schema of an MCP tool goes out', () => {
    const more = { strict: true, deferLoading: true, defer_loading: true, outputSchema: SCHEMA, title: 'T' };
    expect(server({ server: 's', tools: [tool('t', more)] }).wireText).toBe(
      JSON.stringify([container('mcp__s', [sent('t')])]),
    );
  });
});

describe('dynamic tools are validated in order, and the first fault refuses them all', () => {
  const refusal = (tools: readonly unknown[], error: string): void => {
    expect(dynamicList(tools)).toEqual({ id: 1, ok: false, error });
  };
  const bad = { inputSchema: { type: 'null' } };

  it.each([
    ['  ', 'dynamic tool name must not be empty'],
    [' a b', 'dynamic tool name has leading/trailing whitespace:  a b'],
    ['a b', 'dynamic tool name must match ^[a-zA-Z0-9_-]+$ to match Responses API: a b'],
    ['naïve', 'dynamic tool name must match ^[a-zA-Z0-9_-]+$ to match Responses API: na\\u{ef}ve'],
    [
      `${'x'.repeat(128)}!`,
      `dynamic tool name must match ^[a-zA-Z0-9_-]+$ to match Responses API: ${'x'.repeat(128)}!`,
    ],
    [
      `mcp__${'x'.repeat(124)}`,
      `dynamic tool name must be at most 128 characters to match Responses API: mcp__${'x'.repeat(124)}`,
    ],
    ['mcp', 'dynamic tool name is reserved: mcp'],
    ['mcp__', 'dynamic tool name is reserved: mcp__'],
  ])('the name %j, with a bad schema too', (name, error) => {
    refusal([dynamic(name, bad)], error);
  });

  it('a name of 128 characters and one that only starts like a reserved one pass', () => {
    expect(dynamicList([dynamic('x'.repeat(128)), dynamic('mcp_x'), dynamic('mcpx')]).ok).toBe(true);
  });

  it('repeated names before deferral, deferral before the schema', () => {
    refusal([dynamic('a'), dynamic('a', { deferLoading: true, ...bad })], 'duplicate dynamic tool name: a');
    refusal([dynamic('a', { deferLoading: true, ...bad })], 'deferred dynamic tool must include a namespace: a');
    refusal(
      [dynamic('a', bad)],
      'dynamic tool input schema is not supported for a: tool input schema must not be a singleton null type',
    );
  });

  it('the order of the list before the order of the rules', () => {
    refusal(
      [dynamic('a', bad), dynamic('')],
      'dynamic tool input schema is not supported for a: tool input schema must not be a singleton null type',
    );
  });

  it('what cannot be read at all before what is not valid', () => {
    const { description: _left, ...mute } = dynamic('b') as { description: string };
    refusal([dynamic(''), mute], 'Invalid request: missing field `description`');
  });

  const text = 'd'.repeat(1025);
  it.each([
    [group('', [], { description: text }), 'dynamic tool namespace must not be empty'],
    [group('g ', []), 'dynamic tool namespace has leading/trailing whitespace: g '],
    [group('g.h', []), 'dynamic tool namespace must match ^[a-zA-Z0-9_-]+$ to match Responses API: g.h'],
    [group('mcp__x', [], { description: text }), 'dynamic tool namespace description must be at most 1024 characters'],
    [group('mcp', []), 'dynamic tool namespace is reserved: mcp'],
    [group('python', []), 'dynamic tool namespace collides with a reserved Responses API namespace: python'],
    [group('g', []), 'dynamic tool namespace must contain at least one tool: g'],
    [group('g', [dynamic('a'), dynamic('a')]), 'duplicate dynamic tool name in namespace g: a'],
  ])('a namespace, case %#', (namespace, error) => {
    refusal([namespace], error);
  });

  it('a repeated namespace before its lack of tools; 64 characters of name and 1,024 of text pass', () => {
    refusal([group('g', [dynamic('a')]), group('g', [])], 'duplicate dynamic tool namespace: g');
    const large = group('g'.repeat(64), [dynamic('a')], { description: 'é'.repeat(1024) });
    expect(dynamicList([large]).ok).toBe(true);
  });

  it.each(['shell', 'memory', 'web_search', 'apply_patch', 'Functions'])('the namespace %s passes', (name) => {
    expect(dynamicList([group(name, [dynamic('a')])]).ok).toBe(true);
  });

  it('canonical and flat entries do not mix', () => {
    refusal(
      [dynamic('a'), tool('b')],
      'Invalid request: dynamic tools must use either canonical or legacy format consistently',
    );
  });

  it('flat entries are grouped where their namespace comes first; plain ones keep their places', () => {
    const flat = [tool('z'), tool('b', { namespace: 'n' }), tool('y'), tool('a', { namespace: 'n' })];
    expect(JSON.parse(dynamicList(flat).wireText!)).toEqual([
      sent('z'),
      container('n', [sent('a'), sent('b')]),
      sent('y'),
    ]);
  });
});

describe('definitions that are kept', () => {
  const kept = (ref: string, ...defs: string[]): string[] => {
    const $defs = Object.fromEntries(defs.map((name) => [name, { type: 'string' }]));
    const inputSchema = { type: 'object', properties: { p: { $ref: ref } }, $defs };
    const answer = ask({ route: 'function', input: { name: 'f', description: 'F.', inputSchema } });
    const { parameters } = JSON.parse(answer.wireText!) as {
      parameters: { $defs?: object; properties: { p: object } };
    };
    expect(parameters.properties.p).toEqual({ $ref: ref });
    return Object.keys(parameters.$defs ?? {});
  };

  it.each([
    ['#/%24defs/A', ['A', 'B'], ['A']],
    ['#/$defs/a%2Fb', ['a', 'a/b'], ['a']],
    ['#/$defs/a~1b', ['a', 'a/b'], ['a/b']],
    ['#/$defs/a~01b', ['a/b', 'a~1b'], ['a~1b']],
    ['#/$defs/a%7E1b', ['a/b', 'a~1b'], ['a/b']],
    ['#/$defs/%zz', ['%zz', 'zz'], ['%zz']],
    ['#/$defs/%2', ['%2', '2'], ['%2']],
    ['#/$defs/a+b', ['a+b', 'a b'], ['a+b']],
    ['#/$defs/a%20b', ['a+b', 'a b'], ['a b']],
    ['#/$defs/%C3%A9', ['é', 'e'], ['é']],
    ['#/$defs/%ff', ['%ff', 'ÿ'], []],
    ['#/$defs/A~2', ['A', 'A~2'], []],
    ['#/$defs/', ['', 'A'], ['']],
    ['#/$defs', ['A'], []],
    ['#/$defs/A/properties/x', ['A', 'B'], ['A']],
    ['#/definitions/A', ['A'], []],
    [' #/$defs/A', ['A'], []],
    ['x#/$defs/A', ['A'], []],
  ] as [string, string[], string[]][])('%j', (ref, defs, expected) => {
    expect(kept(ref, ...defs)).toEqual(expected);
  });
});

describe('the first fault of a schema, as maps are kept', () => {
  const error = (inputSchemaText: string): string | undefined =>
    ask({ route: 'function', via: 'mcp', input: { name: 'f', description: 'F.' }, inputSchemaText }).error;
  const STRING = 'invalid type: number, expected a string';
  const LIST = 'invalid type: number, expected a sequence';

  it.each([
    ['{"properties":{},"required":1,"description":2}', LIST],
    ['{"properties":{},"description":2,"required":1}', STRING],
    // A key that goes away is replaced by the last one.
    ['{"properties":{},"$defs":null,"required":1,"description":2}', STRING],
    ['{"properties":{},"const":1,"enum":[2],"required":1,"description":2}', STRING],
    // Codex takes `const` out before it puts `enum` in.
    ['{"properties":{},"const":1,"required":1,"description":2}', STRING],
    ['{"properties":{},"const":1,"description":2,"required":1}', LIST],
  ])('%s', (schema, expected) => {
    expect(error(schema)).toBe(expected);
  });
});
