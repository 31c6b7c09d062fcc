import { describe, expect, test } from 'vitest';
import { CONFIG_FILE_NAME, createChecker } from '../../../server/src/core/check';
import { CODEX_PROFILES } from '../../../server/src/core/profiles/codex';
import { TARGETS } from '../../../server/src/core/profiles/targets';
import { RULE_IDS } from '../../../server/src/core/rules/registry';
import { LEVELS } from '../../../server/src/core/text/finding';
import { compileSchema, loadSchema } from './support';

const validate = compileSchema('config.schema.json');
const checker = createChecker();

/** Whether the rule about the form of config files speaks, or one of these others. */
function refusedByRule(value: unknown, ...others: string[]): boolean {
  const { findings } = checker.check({ uri: `file:///${CONFIG_FILE_NAME}`, text: JSON.stringify(value) });
  return findings.some(({ rule }) => rule === 'config/shape' || others.includes(rule));
}

type Path = readonly (string | number)[];

/** The places of all values in a value, its own first. */
function pathsIn(value: unknown, at: Path = []): Path[] {
  const entries = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return [at, ...entries.flatMap(([key, inner]) => pathsIn(inner, [...at, key]))];
}

/** A copy with another value at a place, or without it. Lists and objects alone have places inside. */
function changed(value: unknown, path: Path, make: (() => unknown) | undefined): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return make?.();
  if (Array.isArray(value)) {
    if (rest.length === 0 && make === undefined) return value.filter((_, index) => index !== key);
    return value.map((each, index) => (index === key ? changed(each, rest, make) : each));
  }
  if (!isObject(value)) return value;
  const copy = { ...value };
  if (rest.length === 0 && make === undefined) delete copy[key];
  else copy[key] = changed(copy[key], rest, make);
  return copy;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

  test('agrees with the rule about every value in the place of every other, and about every key left out or added', () => {
    const others = [null, true, 5, 0, -1, 0.5, 'x', '', [], ['x'], [5], {}, { x: 5 }, { x: 'off' }];
    const wrong: unknown[] = [];
    let count = 0;
    const judge = (value: unknown): void => {
      count++;
      // The pattern of rule ids stands for the rule that knows them all.
      if (validate(value) === refusedByRule(value, 'config/unknown-rule')) wrong.push(value);
    };
    for (const path of pathsIn(whole)) {
      for (const other of others) judge(changed(whole, path, () => other));
      if (path.length > 0) judge(changed(whole, path, undefined));
      judge(changed(whole, [...path, 'extra'], () => 5));
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(700);
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
