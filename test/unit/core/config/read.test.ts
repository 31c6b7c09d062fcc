import { describe, expect, test } from 'vitest';
import { EMPTY_CONFIG, readConfig, type ToolSpecConfig } from '../../../../server/src/core/config/read';
import { TARGETS } from '../../../../server/src/core/profiles/targets';
import { parseJson } from '../../../../server/src/core/text/json';

const read = (text: string): ToolSpecConfig => readConfig(parseJson(text));

describe('readConfig', () => {
  test('reads every key', () => {
    expect(
      read(`{
        // Comments are fine.
        "include": ["agents/*.json"], "exclude": ["old/"], "targets": ["mcp", "gemini"],
        "rules": { "codex/node-emptied": "off", "schema/open-map": "error" },
        "budgetBytes": 4000, "profile": "codex-0.148",
        "provider": { "namespaces": false, "webSearch": true }, "webSearch": "live",
      }`),
    ).toEqual({
      include: ['agents/*.json'],
      exclude: ['old/'],
      targets: ['mcp', 'gemini'],
      rules: new Map([
        ['codex/node-emptied', 'off'],
        ['schema/open-map', 'error'],
      ]),
      budgetBytes: 4000,
      profile: 'codex-0.148',
      provider: { namespaces: false, webSearch: true },
      webSearch: 'live',
      handlers: [],
      sources: [],
    });
  });

  test.each([[''], ['[]'], ['null'], ['"x"'], ['{'], ['{}'], ['{"include":'], ['{"rules":[]}']])(
    '%s is empty',
    (text) => {
      expect(read(text)).toEqual(EMPTY_CONFIG);
    },
  );

  test('reads handlers and sources', () => {
    const { handlers, sources } = read(`{
      "handlers": {
        "a": { "builtin": "grammar", "timeoutMs": 5 },
        "b": { "module": "./b.mjs", "export": "parse" },
        "__proto__": { "command": ["python3", "c.py"], "env": { "__proto__": "1", "N": 2 } },
        "*": { "mcp": { "command": ["node", "s.mjs"], "cwd": "in", "env": { "A": "in" } }, "cwd": "out", "env": { "A": "x", "B": "y" } },
        "bad": { "command": [], "module": 5 }, "two": { "module": "a", "builtin": "grammar" }
      },
      "sources": [
        { "mcp": { "command": ["node", "s.mjs"] }, "out": "s.tools.json" },
        { "command": ["dump"], "out": "d.tools.json", "timeoutMs": 9 },
        { "command": ["dump"] }, 5
      ]
    }`);
    const none = { timeoutMs: undefined, cwd: undefined, env: new Map() };
    expect(handlers.map(({ tool, spec }) => [tool, spec])).toEqual([
      ['a', { ...none, kind: 'builtin', name: 'grammar', timeoutMs: 5 }],
      ['b', { ...none, kind: 'module', module: './b.mjs', export: 'parse' }],
      ['__proto__', { ...none, kind: 'command', command: ['python3', 'c.py'], env: new Map([['__proto__', '1']]) }],
      [
        '*',
        {
          ...none,
          kind: 'mcp',
          command: ['node', 's.mjs'],
          cwd: 'in',
          env: new Map([
            ['A', 'in'],
            ['B', 'y'],
          ]),
        },
      ],
      ['bad', undefined],
      ['two', undefined],
    ]);
    expect(sources.map(({ node, ...rest }) => rest)).toEqual([
      { ...none, kind: 'mcp', command: ['node', 's.mjs'], out: 's.tools.json' },
      { ...none, kind: 'command', command: ['dump'], out: 'd.tools.json', timeoutMs: 9 },
    ]);
  });

  test('what is wrong counts as absent, the rest counts', () => {
    const { include, targets, rules, budgetBytes, provider } = read(`{
      "include": ["a", 5, null], "targets": ["codex", "codx"], "rules": { "a": "loud", "b": 1, "c": "hint", "__proto__": "off" },
      "budgetBytes": -1, "provider": []
    }`);
    expect({ include, targets, budgetBytes, provider }).toEqual({
      include: ['a'],
      targets: ['codex'],
      budgetBytes: undefined,
      provider: EMPTY_CONFIG.provider,
    });
    expect([...rules]).toEqual([
      ['c', 'hint'],
      ['__proto__', 'off'],
    ]);
  });

  test.each([
    ['["all"]', TARGETS],
    ['["codex","all"]', TARGETS],
    ['[]', []],
    ['["codx"]', undefined],
    ['"codex"', undefined],
  ])('targets %s', (text, targets) => {
    expect(read(`{"targets":${text}}`).targets).toEqual(targets);
  });

  test.each([['0'], ['1.5'], ['1e400'], ['"5000"'], ['null']])('budgetBytes %s is no budget', (text) => {
    expect(read(`{"budgetBytes":${text}}`).budgetBytes).toBeUndefined();
  });
});
