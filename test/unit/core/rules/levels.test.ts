import { describe, expect, test } from 'vitest';
import { TARGETS, type Target } from '../../../../server/src/core/profiles/targets';
import { activate, defaultLevel, reportLevel, reportTargets } from '../../../../server/src/core/rules/levels';
import { RULES } from '../../../../server/src/core/rules/registry';
import type { Report, Rule } from '../../../../server/src/core/rules/rule';
import type { RuleLevel } from '../../../../server/src/core/text/finding';
import { parseJson } from '../../../../server/src/core/text/json';
import { t } from '../../../../server/src/core/text/message';

const rule = (levels: Rule['levels']): Rule => ({ id: 'x/y', section: 'file', summary: 'X', levels });
const on = (...targets: Target[]) => new Set(targets);
const configured = (level?: RuleLevel) => new Map<string, RuleLevel>(level === undefined ? [] : [['x/y', level]]);
const report = (more: Partial<Report> = {}): Report => ({ node: parseJson('1').root!, message: t('x'), ...more });

describe('levels', () => {
  const mixed = rule({ openai: 'warning', codex: 'error', chat: 'hint' });

  test('a rule none of whose targets is on is not active, nor one that is off', () => {
    expect(activate(mixed, on('mcp'), configured())).toBeUndefined();
    expect(activate(mixed, on('codex'), configured('off'))).toBeUndefined();
    expect(activate(rule({ all: 'hint' }), on(), configured())).toMatchObject({ targets: [] });
  });

  test('the highest level of the active targets counts', () => {
    expect(defaultLevel(mixed, ['openai', 'chat'])).toBe('warning');
    expect(defaultLevel(mixed, ['chat'])).toBe('hint');
    expect(defaultLevel(rule({ all: 'info', codex: 'error' }), ['chat'])).toBe('info');
  });

  test('a report of fewer targets has their level, and is dropped when none is on', () => {
    const active = activate(mixed, on('openai', 'chat'), configured())!;
    expect(active.targets).toEqual(['openai', 'chat']);
    expect(reportTargets(active, report({ targets: ['chat', 'codex'] }))).toEqual(['chat']);
    expect(reportLevel(active, report(), ['chat'])).toBe('hint');
    expect(reportTargets(active, report({ targets: ['codex'] }))).toBeUndefined();
  });

  test('what is configured wins over the report, which wins over the default', () => {
    const active = activate(mixed, on('codex'), configured())!;
    expect(reportLevel(active, report({ level: 'info' }), ['codex'])).toBe('info');
    const set = activate(mixed, on('codex'), configured('hint'))!;
    expect(reportLevel(set, report({ level: 'info' }), ['codex'])).toBe('hint');
  });
});

describe('registry', () => {
  test('ids are unique and have the form of a path', () => {
    const ids = RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+\/[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
  });

  test('each rule has a level, and a summary without a full stop', () => {
    for (const { id, levels, summary } of RULES) {
      expect(Object.keys(levels).length, id).toBeGreaterThan(0);
      expect(
        Object.keys(levels).every((key) => key === 'all' || TARGETS.includes(key as Target)),
        id,
      ).toBe(true);
      expect(summary, id).toMatch(/\w[^.]*[^.]$/);
    }
  });
});
