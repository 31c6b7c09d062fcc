import type { Rule } from '../rule';

/** Rules of OpenAI's API, in the order of the documentation. */
export const OPENAI_RULES: readonly Rule[] = [];
