import { describe, expect, test } from 'vitest';
import { CONFIG_FILE_NAME, createChecker } from '../../../server/src/core/check';
import { CODEX_PROFILES } from '../../../server/src/core/profiles/codex';
import { TARGETS } from '../../../server/src/core/profiles/targets';
import { RULE_IDS } from '../../../server/src/core/rules/registry';
import { LEVELS } from '../../../server/src/core/text/finding';
import { compileSchema, loadSchema } from './support';

const validate = compileSchema('config.schema.json');
const checker = createChecker();

/** Whether the rule about the form of config files speaks. */
function refusedByRule(value: unknown): boolean {
  const { findings } = checker.check({ uri: `file:///${CONFIG_FILE_NAME}`, text: JSON.stringify(value) });
  return findings.some((finding) => finding.rule === 'config/shape');
}

const whole = {
  $schema: './config.schema.json',
  targets: ['codex', 'openai', 'mcp'],
  include: ['tools/**/*.json'],
  exclude: ['vendor'],
  rules: { 'tool/missing-description': 'off', 'schema/open-map': 'warning' },
  budgetBytes: 4000,
  profile: 'codex-0.148',
  provider: { namespaces: true, webSearch: false },
  webSearch: 'live',
  handlers: {
    plan: { command: ['python3', 'parse.py'], timeoutMs: 2000, cwd: '.', env: { A: 'b' } },
    edit: { builtin: 'apply_patch' },
    note: { module: './note.mjs', export: 'parse' },
    '*': { mcp: { command: ['node', 'server.mjs'] } },
  },
  sources: [
    { mcp: { command: ['node', 'server.mjs'] }, out: 'server.tools.json' },
    { command: ['python3', 'dump.py'], out: 'my.tools.json' },
  ],
};

describe('the schema of the config', () => {
  test.each<[about: string, value: unknown]>([
    ['an empty one', {}],
    ['a whole one', whole],
    ['every target', { targets: ['all'] }],
    ['no target', { targets: [] }],
  ])('takes %s, as the rule does', (_about, value) => {
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
    expect(refusedByRule(value)).toBe(false);
  });

  test.each<[about: string, value: unknown]>([
    ['a list', []],
    ['an unknown key', { target: ['codex'] }],
    ['an unknown target', { targets: ['codexx'] }],
    ['a target that is no list', { targets: 'codex' }],
    ['an unknown level', { rules: { 'tool/missing-name': 'fatal' } }],
    ['a budget of nothing', { budgetBytes: 0 }],
    ['half a byte', { budgetBytes: 0.5 }],
    ['an unknown profile', { profile: 'codex-9' }],
    ['a word for a boolean', { provider: { namespaces: 'yes' } }],
    ['an unknown ability', { provider: { images: true } }],
    ['an unknown mode', { webSearch: 'on' }],
    ['a handler of no kind', { handlers: { a: { timeoutMs: 5 } } }],
    ['an empty command', { handlers: { a: { command: [] } } }],
    ['a source without a file', { sources: [{ command: ['a'] }] }],
    ['a source of two kinds', { sources: [{ command: ['a'], mcp: { command: ['b'] }, out: 'c' }] }],
    ['a pattern that is no text', { include: [5] }],
  ])('refuses %s, as the rule does', (_about, value) => {
    expect(validate(value)).toBe(false);
    expect(refusedByRule(value)).toBe(true);
  });

  test('refuses a builtin handler that is none', () => {
    expect(validate({ handlers: { a: { builtin: 'magic' } } })).toBe(false);
  });

  test('has the words of the profiles', () => {
    const { properties } = loadSchema('config.schema.json') as {
      properties: {
        targets: { items: { enum: string[]; enumDescriptions: string[] } };
        profile: { enum: string[] };
        rules: { additionalProperties: { enum: string[] }; propertyNames: { pattern: string } };
      };
    };
    expect(properties.targets.items.enum).toEqual([...TARGETS, 'all']);
    expect(properties.targets.items.enumDescriptions).toHaveLength(properties.targets.items.enum.length);
    expect(properties.profile.enum).toEqual(CODEX_PROFILES.map((profile) => profile.id));
    expect(properties.rules.additionalProperties.enum).toEqual(['off', ...LEVELS]);
    const pattern = new RegExp(properties.rules.propertyNames.pattern);
    expect([...RULE_IDS].filter((id) => !pattern.test(id))).toEqual([]);
  });
});
