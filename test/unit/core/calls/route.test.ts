import { describe, expect, test } from 'vitest';
import { type CallItem, type Route, routeCall } from '../../../../server/src/core/calls/route';
import { ToolTable } from '../../../../server/src/core/calls/toolTable';
import { parseJson } from '../../../../server/src/core/text/json';
import { readTools } from '../../../../server/src/core/tools/read';

const schema = { type: 'object', properties: {} };
const OWN = [
  { type: 'function', name: 'plain', description: 'd', parameters: schema },
  { type: 'custom', name: 'patch', description: 'd' },
  { type: 'tool_search', execution: 'client', description: 'd', parameters: schema },
  {
    type: 'namespace',
    name: 'functions',
    description: 'd',
    tools: [{ type: 'function', name: 'inner', description: 'd', parameters: schema }],
  },
  {
    type: 'namespace',
    name: 'fleet',
    description: 'd',
    tools: [
      { type: 'function', name: 'find', description: 'd', parameters: schema },
      { type: 'function', name: 'plain', description: 'd', parameters: schema },
    ],
  },
  {
    type: 'namespace',
    name: 'port',
    description: 'd',
    tools: [{ type: 'function', name: 'find', description: 'd', parameters: schema }],
  },
];
const MCP = [{ name: 'create-order', description: 'd', inputSchema: schema }];

function tableOf(...files: readonly { uri: string; tools: unknown }[]): ToolTable {
  return new ToolTable(
    files.map(({ uri, tools }) => ({
      uri,
      set: readTools(parseJson(JSON.stringify(tools)), { baseName: uri.replace(/\..*/, '') }),
    })),
  );
}

const table = tableOf({ uri: 'own.tools.json', tools: OWN }, { uri: 'shop.tools.json', tools: MCP });

function route(name: string, more: Partial<CallItem> = {}): Route {
  return routeCall({ name, namespace: undefined, kind: 'arguments', text: '{}', ...more }, table);
}

/** The tool that a route leads to, as namespace and name. */
function reached(found: Route): string {
  return found.kind === 'tool' ? `${found.target.namespace ?? ''}/${found.target.name}` : found.kind;
}

describe('names', () => {
  test.each([[undefined], [''], ['functions']])('the namespace %s is the default one', (namespace) => {
    expect(reached(route('plain', { namespace }))).toBe('/plain');
    expect(reached(route('inner', { namespace }))).toBe('/inner');
  });

  test.each<[string, string | undefined, string]>([
    ['plain', 'fleet', 'fleet/plain'],
    ['find', 'fleet', 'fleet/find'],
    ['find', undefined, 'ambiguous'],
    ['find', '', 'feedback'],
    ['plain', 'nowhere', 'feedback'],
    ['create_order', undefined, 'mcp__shop/create_order'],
    ['create-order', undefined, 'mcp__shop/create_order'],
    ['create_order', 'mcp__shop', 'mcp__shop/create_order'],
    ['create-order', 'mcp__shop', 'mcp__shop/create_order'],
    ['create_order', 'functions', 'feedback'],
  ])('%s in %s leads to %s', (name, namespace, expected) => {
    expect(reached(route(name, { namespace }))).toBe(expected);
  });

  test('of two tools with one key the first counts', () => {
    const twice = tableOf({ uri: 'a.json', tools: [OWN[0]] }, { uri: 'b.json', tools: [OWN[0]] });
    expect(twice.tools.map(({ uri }) => uri)).toEqual(['a.json']);
  });

  test('names of objects are names like others', () => {
    expect(reached(route('constructor'))).toBe('feedback');
    expect(reached(route('__proto__'))).toBe('feedback');
  });
});

describe('feedback', () => {
  test.each<[string, Partial<CallItem>, string]>([
    ['nope', {}, 'unsupported call: nope'],
    ['nope', { kind: 'input' }, 'unsupported custom tool call: nope'],
    ['nope', { namespace: 'functions' }, 'unsupported call: nope'],
    // Nothing stands between namespace and name.
    ['nope', { namespace: 'mcp__shop' }, 'unsupported call: mcp__shopnope'],
  ])('%s %o: %s', (name, more, text) => {
    expect(route(name, more)).toMatchObject({ kind: 'feedback', reason: 'unknown-tool', text });
  });

  test.each<[string, Partial<CallItem>, string]>([
    ['plain', { kind: 'input' }, 'tool plain invoked with incompatible payload'],
    ['patch', {}, 'tool patch invoked with incompatible payload'],
    ['plain', { kind: 'input', namespace: 'fleet' }, 'tool fleetplain invoked with incompatible payload'],
  ])('%s %o ends the turn', (name, more, text) => {
    expect(route(name, more)).toMatchObject({ kind: 'fatal', text });
  });
});

describe('searches', () => {
  test.each<[string, string]>([
    ['{}', 'missing field `query`'],
    ['{"query":"q","limit":-1}', 'invalid number'],
    ['{"query":"q","limit":1.5}', 'invalid number'],
    ['{"query":5}', 'invalid type: number, expected a string'],
    ['"q"', 'invalid type: string "q", expected struct SearchToolCallParams'],
    ['', 'invalid type: null, expected struct SearchToolCallParams'],
  ])('%s is told as %s', (text, error) => {
    expect(route('tool_search', { text })).toEqual({
      kind: 'feedback',
      reason: 'search-arguments',
      text: `failed to parse tool_search arguments: ${error}`,
      form: 'function',
    });
  });

  test('unknown keys are ignored, and a limit may be null', () => {
    expect(route('tool_search', { text: '{"query":"q","limit":null,"x":1}' })).toMatchObject({
      kind: 'tool',
      form: 'tool-search',
      search: { query: 'q', limit: undefined },
    });
  });

  test('the client knows the search even where no file defines it', () => {
    const found = routeCall(
      { name: 'tool_search', namespace: undefined, kind: 'arguments', text: '{"query":"q"}' },
      tableOf(),
    );
    expect(found).toMatchObject({ kind: 'search' });
  });

  test('a search that the provider runs is no call for the client', () => {
    const hosted = tableOf({ uri: 'a.json', tools: [{ type: 'tool_search', execution: 'server' }] });
    const item: CallItem = { name: 'tool_search', namespace: undefined, kind: 'arguments', text: '{}' };
    expect(routeCall(item, hosted).kind).toBe('ignored');
  });
});
