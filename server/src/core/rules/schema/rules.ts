import type { Rule } from '../rule';

/** Rules about schemas that hold for every target, in the order of the documentation. */
export const SCHEMA_RULES: readonly Rule[] = [];
