import type { Rule } from '../rule';

/** Rules of MCP, Anthropic, Gemini and of conversions, in the order of the documentation. */
export const PORTABILITY_RULES: readonly Rule[] = [];
