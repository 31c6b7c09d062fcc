import type { Rule } from '../rule';

/** Rules about what Codex refuses, drops and changes, in the order of the documentation. */
export const CODEX_RULES: readonly Rule[] = [];
