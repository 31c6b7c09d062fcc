import { describe, expect, test } from 'vitest';
import { CODEX_PROFILES, DEFAULT_CODEX_PROFILE } from '../../../server/src/core/profiles/codex';
import { DEFAULT_TARGETS, TARGETS } from '../../../server/src/core/profiles/targets';
import { defaultLevel } from '../../../server/src/core/rules/levels';
import { RULES } from '../../../server/src/core/rules/registry';
import { readSettings } from '../../../server/src/lsp/settings';
import { readJson } from './sources';

interface Setting {
  default: unknown;
  enum?: string[];
  items?: { enum?: string[] };
  properties?: Record<string, { enum: string[]; markdownDescription: string }>;
}

const manifest = readJson<{ contributes: { configuration: { properties: Record<string, Setting> }[] } }>(
  'package.json',
);
const titles = readJson<Record<string, string>>('package.nls.json');
const settings: Record<string, Setting> = Object.assign(
  {},
  ...manifest.contributes.configuration.map(({ properties }) => properties),
);

/** The defaults of the manifest as an editor answers them. */
function defaults(): Record<string, unknown> {
  const section: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const keys = name.split('.').slice(1);
    let at = section;
    for (const key of keys.slice(0, -1)) {
      at[key] ??= {};
      at = at[key] as Record<string, unknown>;
    }
    at[keys[keys.length - 1]!] = setting.default;
  }
  return section;
}

describe('settings', () => {
  // `node scripts/settings.mjs` writes what these expect.
  test('every rule has a level to set, with its summary, and no other has', () => {
    const rules = settings['toolspec.rules']?.properties ?? {};
    expect(Object.keys(rules)).toEqual(RULES.map(({ id }) => id));
    const wrong = RULES.filter(({ id, summary, ...rule }) => {
      const text = titles[`rules.${id}`] ?? '';
      const level = defaultLevel({ id, summary, ...rule }, TARGETS);
      return text.toLowerCase() !== `${summary}. default: ${level}.`.toLowerCase();
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  test('targets and profiles are those of the core', () => {
    expect(settings['toolspec.targets']?.items?.enum).toEqual([...TARGETS]);
    expect(settings['toolspec.profile']?.enum).toEqual(CODEX_PROFILES.map(({ id }) => id));
  });

  test('the defaults mean the same to the server as no settings at all', () => {
    const read = readSettings(defaults());
    expect(read).toEqual({
      ...readSettings(undefined),
      targets: [...DEFAULT_TARGETS],
      profile: DEFAULT_CODEX_PROFILE.id,
    });
  });

  test('the server reads every setting', () => {
    const changed = {
      targets: ['mcp'],
      profile: 'codex-0.148',
      budgetBytes: 7,
      rules: { 'codex/keyword-dropped': 'off' },
      files: { include: ['x.json'] },
      codeLens: { enabled: false, references: true },
      hover: { enabled: false },
      drift: { runs: 7, seed: 3 },
      inlayHints: { sizes: false, losses: false, notSent: false },
    };
    const keys = Object.entries(changed).flatMap(([name, value]) =>
      Array.isArray(value) || typeof value !== 'object' || name === 'rules'
        ? [`toolspec.${name}`]
        : Object.keys(value).map((key) => `toolspec.${name}.${key}`),
    );
    // The trace is read by the protocol library of the client.
    expect(keys.sort()).toEqual(
      Object.keys(settings)
        .filter((key) => key !== 'toolspec.trace.server')
        .sort(),
    );
    expect(readSettings(changed)).toEqual({
      targets: ['mcp'],
      profile: 'codex-0.148',
      budgetBytes: 7,
      rules: new Map([['codex/keyword-dropped', 'off']]),
      include: ['x.json'],
      lens: false,
      referencesLens: true,
      hover: false,
      drift: { runs: 7, seed: 3 },
      hints: new Set(),
    });
  });
});
