import type { Rule } from '../rule';

/** Rules about definitions that come out of code. They speak when a source has been run, which is never done unasked. */
export const SOURCE_RULES: readonly Rule[] = [
  {
    id: 'source/stale-snapshot',
    section: 'config',
    summary: 'Stored definitions are not what their source says now',
    levels: { all: 'warning' },
  },
];
