import type { Rule } from '../rule';

/** Rules about the config file, in the order of the documentation. */
export const CONFIG_RULES: readonly Rule[] = [];
