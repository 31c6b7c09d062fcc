import type { GrammarRule } from './grammarRule';

/** Rules about grammars that load and yet do not do what their author wants. */
export const LINT_RULES: readonly GrammarRule[] = [];
