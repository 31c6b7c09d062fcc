import { describe, expect, it } from 'vitest';
import { createWire } from '../../../../server/src/core/wire/wire';
import { fn, list, notes, SCHEMA, toolSet } from './support';

const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' };
const custom = { type: 'custom', name: 'c', description: 'd', format: grammar };
const mcp = {
  name: 'm.x',
  title: 'M',
  description: 'd',
  inputSchema: SCHEMA,
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};

describe('chat', () => {
  it('nests functions and grammars', () => {
    const tools = [
      fn('a', { strict: true }),
      custom,
      { type: 'custom', name: 'free' },
      { type: 'function', name: 'bare' },
    ];
    expect(createWire(toolSet(tools), { mode: 'chat' }).set().text).toBe(
      `[{"type":"function","function":{"name":"a","description":"Does a.","parameters":${JSON.stringify(SCHEMA)},"strict":true}},` +
        '{"type":"custom","custom":{"name":"c","description":"d","format":{"type":"grammar","grammar":{"syntax":"lark","definition":"start: \\"x\\""}}}},' +
        '{"type":"custom","custom":{"name":"free"}},{"type":"function","function":{"name":"bare"}}]',
    );
  });

  it('shows the source schema, its numbers and keys as written', () => {
    const tool = '[{"name":"a","inputSchema":{"type":"object","properties":{"b":{"minimum":1.50},"a":{"const":1E3}}}}]';
    expect(createWire(toolSet(tool), { mode: 'chat' }).set().text).toBe(
      '[{"type":"function","function":{"name":"a","parameters":{"type":"object","properties":{"b":{"minimum":1.50},"a":{"const":1E3}}}}}]',
    );
  });

  it('gives its own shape back, without local facts', () => {
    const chat = { type: 'function', function: { name: 'a', parameters: SCHEMA, strict: false } };
    expect(list([{ ...chat, 'x-toolspec': { exposure: 'direct' } }], 'chat')).toEqual([chat]);
    const nested = {
      type: 'custom',
      custom: { name: 'c', format: { type: 'grammar', grammar: { syntax: 'regex', definition: '[a-z]' } } },
    };
    expect(list([nested], 'chat')).toEqual([nested]);
    expect(list([nested], 'responses')).toEqual([
      { type: 'custom', name: 'c', description: '', format: { type: 'grammar', syntax: 'regex', definition: '[a-z]' } },
    ]);
  });

  it('says what it loses', () => {
    const tools = [
      { type: 'namespace', name: 'n', description: 'N', tools: [fn('a', { defer_loading: true })] },
      { type: 'web_search' },
    ];
    const view = createWire(toolSet(tools), { mode: 'chat' }).set();
    expect(JSON.parse(view.text)).toEqual([
      { type: 'function', function: { name: 'n__a', description: 'Does a.', parameters: SCHEMA } },
    ]);
    expect(notes(view)).toEqual([
      'changed: Tools cannot be deferred here, so this one is always sent.',
      'changed: There are no namespaces here, so the name becomes "n__a".',
      'left-out: Chat Completions has no tool of this kind.',
    ]);
  });
});

describe('mcp', () => {
  it('gives its own shape back, key by key', () => {
    expect(list({ tools: [{ ...mcp, 'x-toolspec': {} }] }, 'mcp')).toEqual([mcp]);
    expect(createWire(toolSet([mcp]), { mode: 'mcp' }).request().text).toBe(`{"tools":[${JSON.stringify(mcp)}]}`);
  });

  it('makes the root an object', () => {
    const tools = [
      { type: 'function', name: 'none' },
      { type: 'function', name: 'untyped', parameters: { anyOf: [] } },
      { type: 'function', name: 'map', parameters: { properties: {} } },
      { type: 'function', name: 'text', parameters: { type: 'string' } },
      { type: 'function', name: 'yes', parameters: true, output_schema: { type: 'object' }, strict: true },
      custom,
    ];
    const view = createWire(toolSet(tools), { mode: 'mcp' }).set();
    expect(JSON.parse(view.text)).toEqual([
      { name: 'none', inputSchema: { type: 'object', properties: {} } },
      { name: 'untyped', inputSchema: { type: 'object', anyOf: [] } },
      { name: 'map', inputSchema: { type: 'object', properties: {} } },
      { name: 'text', inputSchema: { type: 'string' } },
      { name: 'yes', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } },
    ]);
    expect(notes(view)).toEqual([
      'changed: The root of the schema must say the type "object" here, so it is put in.',
      'changed: The root of the schema must have the type "object" here.',
      'changed: MCP has no strict mode.',
      'changed: The schema must be an object here, so it becomes one that takes any object.',
      'left-out: MCP has functions only.',
    ]);
  });
});

describe('anthropic', () => {
  it('has input_schema, and strict and deferral where they are set', () => {
    expect(list([fn('a', { strict: false, defer_loading: true }), mcp], 'anthropic')).toEqual([
      { name: 'a', description: 'Does a.', input_schema: SCHEMA, strict: false, defer_loading: true },
      { name: 'm.x', description: 'd', input_schema: SCHEMA },
    ]);
  });

  it('gives its own shape back, server tools included', () => {
    const tools = [
      { name: 'a', input_schema: SCHEMA, cache_control: { type: 'ephemeral' } },
      { type: 'bash_20250124', name: 'bash' },
    ];
    expect(list(tools, 'anthropic')).toEqual(tools);
    expect(createWire(toolSet(tools), { mode: 'anthropic' }).request().text).toBe(
      `{"model":"<model>","messages":[],"tools":${JSON.stringify(tools)}}`,
    );
  });

  it('leaves out custom tools and hidden ones', () => {
    const view = createWire(toolSet([custom, fn('a', { 'x-toolspec': { exposure: 'hidden' } })]), {
      mode: 'anthropic',
    }).set();
    expect(view.text).toBe('[]');
    expect(notes(view)).toEqual([
      'left-out: Anthropic has no tools with a grammar or free text.',
      'left-out: The tool is hidden, so no request has it.',
    ]);
  });
});
