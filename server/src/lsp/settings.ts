import type { HintArea } from '../core/budget/hints';
import type { CheckOptions } from '../core/check';
import type { ToolSpecConfig } from '../core/config/read';
import { DEFAULT_TARGETS, isTarget, type Target } from '../core/profiles/targets';
import { LEVELS, type RuleLevel } from '../core/text/finding';

/** The settings of the section `toolspec` for one resource. Anything wrongly typed counts as not set. */
export interface Settings {
  readonly targets: readonly string[] | undefined;
  readonly profile: string | undefined;
  readonly budgetBytes: number | undefined;
  readonly rules: ReadonlyMap<string, RuleLevel>;
  readonly hints: ReadonlySet<HintArea>;
  readonly lens: boolean;
  /** A lens over each definition of a grammar: how often it is used. */
  readonly referencesLens: boolean;
  readonly hover: boolean;
  /** Of a search for drift: how many inputs are judged for each tool, and the seed that they are made with. */
  readonly drift: { readonly runs: number; readonly seed: number };
  readonly include: readonly string[];
}

/** Inputs that a search judges for each tool, as many as on the command line. */
const DRIFT_RUNS = 5000;

const HINT_AREAS: readonly HintArea[] = ['sizes', 'losses', 'notSent'];

/** Reads what an editor answers for the section `toolspec`. Never throws; clients may send anything. */
export function readSettings(value: unknown): Settings {
  const section = objectOf(value);
  const hints = objectOf(section['inlayHints']);
  const lens = objectOf(section['codeLens']);
  const drift = objectOf(section['drift']);
  return {
    targets: stringsOf(section['targets']),
    profile: stringOf(section['profile']),
    budgetBytes: wholeNumber(section['budgetBytes']),
    rules: levelsOf(section['rules']),
    hints: new Set(HINT_AREAS.filter((area) => hints[area] !== false)),
    lens: lens['enabled'] !== false,
    referencesLens: lens['references'] === true,
    hover: objectOf(section['hover'])['enabled'] !== false,
    drift: { runs: wholeNumber(drift['runs']) ?? DRIFT_RUNS, seed: wholeNumber(drift['seed']) ?? 1 },
    include: stringsOf(objectOf(section['files'])['include']) ?? [],
  };
}

/**
 * What a check runs with. The config file is the truth about the project; settings fill in what it leaves open. Levels
 * of rules are taken one by one.
 */
export function checkOptions(settings: Settings, config: ToolSpecConfig | undefined): CheckOptions {
  const targets = config?.targets ?? settings.targets?.filter(isTarget);
  const profile = config?.profile ?? settings.profile;
  const budgetBytes = config?.budgetBytes ?? settings.budgetBytes;
  return {
    ...(targets === undefined ? {} : { targets }),
    ...(profile === undefined ? {} : { profile }),
    ...(budgetBytes === undefined ? {} : { budgetBytes }),
    levels: new Map([...settings.rules, ...(config?.rules ?? [])]),
  };
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function stringsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function levelsOf(value: unknown): Map<string, RuleLevel> {
  const levels = new Map<string, RuleLevel>();
  for (const [id, level] of Object.entries(objectOf(value))) {
    if (level === 'off' || (LEVELS as readonly unknown[]).includes(level)) levels.set(id, level as RuleLevel);
  }
  return levels;
}

/** Whether the provider's engine has a say for these targets. */
export function isForEngine(targets: Iterable<Target> | undefined): boolean {
  const on = new Set(targets ?? DEFAULT_TARGETS);
  return on.has('openai') || on.has('llguidance');
}
