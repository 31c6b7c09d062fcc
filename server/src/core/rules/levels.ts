import { TARGETS, type Target } from '../profiles/targets';
import { LEVELS, type Level, type RuleLevel } from '../text/finding';
import type { Report, Rule } from './rule';

/** A rule that is switched on, with what the options make of it. */
export interface ActiveRule {
  readonly rule: Rule;
  /** The targets, among those switched on, for which it speaks; empty when it holds whatever the targets. */
  readonly targets: readonly Target[];
  /** The level that settings or a config file give it. */
  readonly configured: Level | undefined;
}

/**
 * The rule with its active targets, or `undefined` when none of its targets is on or it is switched off.
 * Such a rule is not run at all.
 */
export function activate(
  rule: Rule,
  targets: ReadonlySet<Target>,
  levels: ReadonlyMap<string, RuleLevel>,
): ActiveRule | undefined {
  const configured = levels.get(rule.id);
  if (configured === 'off') return undefined;
  const always = rule.levels.all !== undefined;
  const active = always ? [] : TARGETS.filter((target) => rule.levels[target] !== undefined && targets.has(target));
  return always || active.length > 0 ? { rule, targets: active, configured } : undefined;
}

/** The targets that a report is about, among those switched on; `undefined` when there is none and it is dropped. */
export function reportTargets(active: ActiveRule, report: Report): readonly Target[] | undefined {
  const wanted = report.targets;
  if (wanted === undefined || active.rule.levels.all !== undefined) return active.targets;
  const targets = active.targets.filter((target) => wanted.includes(target));
  return targets.length > 0 ? targets : undefined;
}

/** What counts: the configured level, else the report's own, else the highest of the rule's levels for its targets. */
export function reportLevel(active: ActiveRule, report: Report, targets: readonly Target[]): Level {
  return active.configured ?? report.level ?? defaultLevel(active.rule, targets);
}

/** The highest of a rule's default levels for these targets; `all` always counts. */
export function defaultLevel(rule: Rule, targets: Iterable<Target>): Level {
  let highest = rule.levels.all === undefined ? -1 : LEVELS.indexOf(rule.levels.all);
  for (const target of targets) {
    const level = rule.levels[target];
    if (level !== undefined) highest = Math.max(highest, LEVELS.indexOf(level));
  }
  return LEVELS[highest] ?? 'hint';
}
