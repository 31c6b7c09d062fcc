import { describe, expect, it } from 'vitest';
import { DEFAULT_CODEX_PROFILE } from '../../../../server/src/core/profiles/codex';
import { parseJson } from '../../../../server/src/core/text/json';
import { pointerOf } from '../../../../server/src/core/text/jsonTree';
import { readDynamicTools } from '../../../../server/src/core/wire/dynamic';

const tool = (more: object = {}): object => ({
  type: 'function',
  name: 'alpha',
  description: 'd',
  inputSchema: { type: 'object' },
  ...more,
});
const flat = (more: object = {}): object => ({ ...tool(more), type: undefined });
const group = (more: object = {}): object => ({
  type: 'namespace',
  name: 'group',
  description: 'd',
  tools: [tool()],
  ...more,
});

const read = (items: unknown) => {
  const root = parseJson(typeof items === 'string' ? items : JSON.stringify(items)).root!;
  return readDynamicTools(root.items, { profile: DEFAULT_CODEX_PROFILE });
};

/** The refusal that Codex reports and its place. */
const refusal = (items: unknown): [string, string] | undefined => {
  const first = read(items).refusals[0];
  return first && [first.message, pointerOf(first.node)];
};

describe('validation of dynamic tools', () => {
  const name = (value: string): unknown => [tool({ name: value })];
  const space = (value: string): unknown => [group({ name: value })];
  const to = 'to match Responses API';

  it.each([
    [name(' \u0085 '), 'dynamic tool name must not be empty', '/0/name'],
    [name(' a\t'), 'dynamic tool name has leading/trailing whitespace:  a\\t', '/0/name'],
    [name('\ufeffa'), `dynamic tool name must match ^[a-zA-Z0-9_-]+$ ${to}: \\u{feff}a`, '/0/name'],
    [name('a\'"\\\n~'), `dynamic tool name must match ^[a-zA-Z0-9_-]+$ ${to}: a\\'\\"\\\\\\n~`, '/0/name'],
    [name('é'.repeat(200)), `dynamic tool name must match ^[a-zA-Z0-9_-]+$ ${to}: ${'\\u{e9}'.repeat(200)}`, '/0/name'],
    [name('a'.repeat(129)), `dynamic tool name must be at most 128 characters ${to}: ${'a'.repeat(129)}`, '/0/name'],
    [name('mcp'), 'dynamic tool name is reserved: mcp', '/0/name'],
    [name('mcp__a'), 'dynamic tool name is reserved: mcp__a', '/0/name'],
    [[tool(), tool()], 'duplicate dynamic tool name: alpha', '/1/name'],
    [[group({ tools: [tool(), tool()] })], 'duplicate dynamic tool name in namespace group: alpha', '/0/tools/1/name'],
    [[tool({ deferLoading: true })], 'deferred dynamic tool must include a namespace: alpha', '/0/deferLoading'],
    [[flat({ exposeToContext: false })], 'deferred dynamic tool must include a namespace: alpha', '/0/exposeToContext'],
    [
      [tool({ inputSchema: { properties: { p: null } } })],
      'dynamic tool input schema is not supported for alpha: invalid type: null, expected struct JsonSchema',
      '/0/inputSchema/properties/p',
    ],
    [space(''), 'dynamic tool namespace must not be empty', '/0/name'],
    [space('a '), 'dynamic tool namespace has leading/trailing whitespace: a ', '/0/name'],
    [space('a.b'), `dynamic tool namespace must match ^[a-zA-Z0-9_-]+$ ${to}: a.b`, '/0/name'],
    [space('g'.repeat(65)), `dynamic tool namespace must be at most 64 characters ${to}: ${'g'.repeat(65)}`, '/0/name'],
    [
      [group({ description: '😀'.repeat(1025), name: 'mcp' })],
      'dynamic tool namespace description must be at most 1024 characters',
      '/0/description',
    ],
    [space('mcp__x'), 'dynamic tool namespace is reserved: mcp__x', '/0/name'],
    [
      space('python_user_visible'),
      'dynamic tool namespace collides with a reserved Responses API namespace: python_user_visible',
      '/0/name',
    ],
    [[group(), group({ tools: [tool({ name: 'b' })] })], 'duplicate dynamic tool namespace: group', '/1/name'],
    [[group({ tools: [] })], 'dynamic tool namespace must contain at least one tool: group', '/0'],
  ])('case %#: %s', (items, message, pointer) => {
    expect(refusal(items)).toEqual([message, pointer]);
  });

  it.each([
    [[tool({ name: 'a'.repeat(128) })]],
    [[group({ description: '😀'.repeat(1024) })]],
    [[tool(), group(), group({ name: 'other' })]],
    [[flat(), flat({ name: 'b', namespace: 'n', deferLoading: true }), flat({ name: 'c', namespace: 'n' })]],
    [[flat({ namespace: null, exposeToContext: null, deferLoading: null })]],
    [[tool({ inputSchema: true })]],
  ])('takes case %#', (items) => {
    expect(read(items).refusals).toEqual([]);
  });

  it('reports the first fault in the order of the list, and the others behind it', () => {
    const items = [tool(), tool({ name: 'mcp' }), tool({ name: 'b', inputSchema: null }), group({ name: 'web' })];
    expect(read(items).refusals.map((each) => each.code)).toEqual(['name-reserved', 'schema', 'namespace-collision']);
    expect(read(items).refusals.map((each) => each.subject)).toEqual(['mcp', 'b', 'web']);
  });
});

describe('decoding of dynamic tools', () => {
  const MIX = 'Invalid request: dynamic tools must use either canonical or legacy format consistently';

  it.each([
    ['[{"type":"function","name":"a","inputSchema":{}}]', 'Invalid request: missing field `description`', '/0'],
    ['[{"type":"function","description":"d"}]', 'Invalid request: missing field `name`', '/0'],
    ['[{"type":"function","name":"a","description":"d"}]', 'Invalid request: missing field `inputSchema`', '/0'],
    ['[{"name":"a","description":"d"}]', 'Invalid request: missing field `inputSchema`', '/0'],
    ['[{"type":"namespace","name":"a","description":"d"}]', 'Invalid request: missing field `tools`', '/0'],
    ['[{"type":"function","name":5}]', 'Invalid request: invalid type: integer `5`, expected a string', '/0/name'],
    ['[{"name":5}]', 'Invalid request: invalid type: number, expected a string', '/0/name'],
    ['[{"type":"function","name":-0}]', 'Invalid request: invalid type: integer `0`, expected a string', '/0/name'],
    [
      '[{"type":"function","name":1.5}]',
      'Invalid request: invalid type: floating point `1.5`, expected a string',
      '/0/name',
    ],
    ['[{"type":"function","name":1.50}]', 'Invalid request: invalid type: map, expected a string', '/0/name'],
    ['[{"type":"function","name":1e3}]', 'Invalid request: invalid type: map, expected a string', '/0/name'],
    ['[{"type":"function","name":null}]', 'Invalid request: invalid type: null, expected a string', '/0/name'],
    ['[{"type":"function","name":["a"]}]', 'Invalid request: invalid type: sequence, expected a string', '/0/name'],
    [
      '[{"type":"function","deferLoading":"yes","name":5}]',
      'Invalid request: invalid type: string "yes", expected a boolean',
      '/0/deferLoading',
    ],
    [
      '[{"type":"function","deferLoading":null,"name":5}]',
      'Invalid request: invalid type: null, expected a boolean',
      '/0/deferLoading',
    ],
    [
      '[{"type":"namespace","name":"n","description":"d","tools":{}}]',
      'Invalid request: invalid type: map, expected a sequence',
      '/0/tools',
    ],
    [
      '[{"type":"custom","name":"a"}]',
      'Invalid request: unknown variant `custom`, expected `function` or `namespace`',
      '/0/type',
    ],
    ['[{"type":5}]', 'Invalid request: invalid type: number, expected variant identifier', '/0/type'],
    [
      '[{"type":"namespace","name":"n","description":"d","tools":[{"type":"namespace"}]}]',
      'Invalid request: unknown variant `namespace`, expected `function`',
      '/0/tools/0/type',
    ],
    ['[5]', 'Invalid request: invalid type: number, expected struct LegacyDynamicToolSpec', '/0'],
    ['["a"]', 'Invalid request: invalid type: string "a", expected struct LegacyDynamicToolSpec', '/0'],
    ['[[]]', 'Invalid request: invalid length 0, expected struct LegacyDynamicToolSpec with 6 elements', '/0'],
    ['[{"type":"function","name":"a","description":"d","inputSchema":{},"namespace":null}]', MIX, '/0'],
    ['[{"type":"function","name":"a","description":"d","inputSchema":{}},{"name":"b"}]', MIX, '/1'],
    ['[{"type":"namespace","name":"n","description":"d","tools":[{"name":"a"}]}]', MIX, '/0/tools/0'],
    [
      '[{"type":"function","name":"mcp","description":"d","inputSchema":{"default":-9223372036854775809}}]',
      'Invalid request: invalid type: integer `-9223372036854775809` as i128, expected any value',
      '/0/inputSchema/default',
    ],
  ])('%s', (items, message, pointer) => {
    expect(refusal(items)).toEqual([message, pointer]);
  });

  it('looks at the request as a whole before it validates any tool', () => {
    const items =
      '[{"type":"function","name":"mcp","description":"d","inputSchema":{}},{"type":"function","name":"b"}]';
    expect(refusal(items)?.[0]).toBe('Invalid request: missing field `description`');
  });

  it('survives any nesting', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const items = `[{"type":"function","name":"a","description":"d","inputSchema":${deep}}]`;
    expect(refusal(items)?.[0]).toBe('recursion limit exceeded');
  });
});
