import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codexProfile, DEFAULT_CODEX_PROFILE } from '../../../../server/src/core/profiles/codex';
import { mcpNames, sanitizeMcpName } from '../../../../server/src/core/wire/mcpNames';

const hash = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 12);
const names = (tools: [server: string, tool: string][], profile = DEFAULT_CODEX_PROFILE): string[] =>
  mcpNames(
    tools.map(([server, tool]) => ({ server, tool })),
    profile,
  ).names.map(({ namespace, name }) => `${namespace} ${name}`);

describe('names of MCP tools', () => {
  it('are remembered for the very same list alone', () => {
    const lists = [
      [
        ['a', 'b'],
        ['a', 'c'],
      ],
      [['a', 'b,1:c']],
      [['a', 'b;1:a1:c']],
      [['a1:b', 'c']],
      [
        ['a', 'b'],
        ['c', 'b'],
      ],
      [
        ['a', 'c'],
        ['a', 'b'],
      ],
    ].map((list) => list.map(([server, tool]) => ({ server: server!, tool: tool! })));
    const shown = (list: (typeof lists)[number]): string[] =>
      mcpNames(list, DEFAULT_CODEX_PROFILE).names.map(({ index, namespace, name }) => `${index} ${namespace}.${name}`);
    const first = lists.map(shown);
    expect(new Set(first.map((each) => each.join())).size).toBe(lists.length);
    expect(lists.map(shown)).toEqual(first);
    expect(mcpNames(lists[0]!, DEFAULT_CODEX_PROFILE)).toBe(mcpNames([...lists[0]!], DEFAULT_CODEX_PROFILE));
    const long = [{ server: 's', tool: 't'.repeat(63) }];
    const limits = [64, 128].map((mcpNameBytes) => mcpNames(long, { ...DEFAULT_CODEX_PROFILE, mcpNameBytes }));
    expect(limits.map(({ names }) => names[0]!.hashed)).toEqual(['length', undefined]);
  });

  it('replaces every other character by one underscore', () => {
    expect(sanitizeMcpName('a-b.c/dé😀')).toBe('a_b_c_d__');
    expect(sanitizeMcpName('')).toBe('_');
  });

  it('does not double the prefix', () => {
    expect(names([['mcp__x', 'a']])).toEqual(['mcp__x a']);
  });

  it('orders by the bytes of the raw names', () => {
    const order = ['\uffff', '😀', 'Z', 'a'];
    const tools = order.map((tool): [string, string] => ['s', tool]);
    expect(
      mcpNames(
        tools.map(([server, tool]) => ({ server, tool })),
        DEFAULT_CODEX_PROFILE,
      ).names.map((n) => n.index),
    ).toEqual([2, 3, 0, 1]);
  });

  it('gives each of several equal names a hash of its raw names', () => {
    const identity = (tool: string): string => `s\0s\0\0${tool}\0${tool}`;
    expect(
      names([
        ['s', 'a.b'],
        ['s', 'a-b'],
        ['s', 'c'],
      ]),
    ).toEqual([`mcp__s a_b_${hash(identity('a-b'))}`, `mcp__s a_b_${hash(identity('a.b'))}`, 'mcp__s c']);
  });

  it('keeps namespaces of several servers apart', () => {
    expect(
      names([
        ['my_shop', 'a'],
        ['my-shop', 'a'],
      ]),
    ).toEqual([`mcp__my_shop_${hash('my-shop\0my-shop\0')} a`, `mcp__my_shop_${hash('my_shop\0my_shop\0')} a`]);
  });

  it('puts the hash of a namespace before underscores at its end', () => {
    expect(
      names([
        ['x__', 'a'],
        ['x--', 'a'],
      ]),
    ).toEqual([`mcp__x_${hash('x--\0x--\0')}__ a`, `mcp__x_${hash('x__\0x__\0')}__ a`]);
  });

  it('reports repeated raw names', () => {
    const result = mcpNames(
      [
        { server: 's', tool: 'a' },
        { server: 's', tool: 'a' },
      ],
      DEFAULT_CODEX_PROFILE,
    );
    expect(result.names).toHaveLength(1);
    expect(result.repeated).toEqual([1]);
  });

  it('cuts at the limit of the profile', () => {
    const limit64 = codexProfile('codex-0.148')!;
    const fits = 'n'.repeat(64 - 2 - 'mcp__s'.length);
    expect(names([['s', fits]], limit64)).toEqual([`mcp__s ${fits}`]);
    const long = `${fits}n`;
    const suffix = `_${hash(`s\0s\0\0${long}\0${long}`)}`;
    expect(names([['s', long]], limit64)).toEqual([`mcp__s ${'n'.repeat(fits.length - 13)}${suffix}`]);
    expect(names([['s', long]])).toEqual([`mcp__s ${long}`]);
  });

  it('tells names apart that only together with their namespaces are equal', () => {
    // Both would be mcp__a_b.
    expect(
      names([
        ['a', '_b'],
        ['a_', 'b'],
      ]),
    ).toEqual(['mcp__a _b', `mcp__a_ b_${hash('a_\0a_\0\0b\0b')}`]);
  });

  it('gives unique names within the limit, in ASCII, for any list', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', '-', '.', '_', 'é', '😀', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'),
    });
    fc.assert(
      fc.property(fc.array(fc.record({ server: name, tool: name }), { maxLength: 12 }), (tools) => {
        const result = mcpNames(tools, DEFAULT_CODEX_PROFILE);
        const flat = result.names.map((each) => each.namespace + each.name);
        expect(new Set(flat).size).toBe(flat.length);
        expect(result.names.length + result.repeated.length).toBe(tools.length);
        for (const each of flat) {
          expect(each).toMatch(/^mcp__[a-zA-Z0-9_]+$/);
          expect(each.length).toBeLessThanOrEqual(126);
        }
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
