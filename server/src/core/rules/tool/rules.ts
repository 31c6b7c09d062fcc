import type { Rule } from '../rule';

/** Rules about files, tools, names and descriptions, in the order of the documentation. */
export const TOOL_RULES: readonly Rule[] = [];
