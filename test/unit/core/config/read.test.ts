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
    });
  });

  test.each([[''], ['[]'], ['null'], ['"x"'], ['{'], ['{}'], ['{"include":'], ['{"rules":[]}']])(
    '%s is empty',
    (text) => {
      expect(read(text)).toEqual(EMPTY_CONFIG);
    },
  );

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
