import type { Rule } from '../rule';

/** Stands for a rule that threw. It has no check of its own: the runner reports it. */
export const RULE_FAILED: Rule = {
  id: 'internal/rule-failed',
  section: 'file',
  summary: 'A rule failed on this file, so its findings are missing',
  levels: { all: 'warning' },
};
