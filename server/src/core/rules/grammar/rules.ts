import { FAULT_RULES } from './faultRules';
import type { GrammarRule } from './grammarRule';
import { LINT_RULES } from './lints';
import { PROVIDER_RULES } from './providerRules';

/** Rules about grammars, in the order of the documentation. */
export const GRAMMAR_RULES: readonly GrammarRule[] = [...FAULT_RULES, ...LINT_RULES, ...PROVIDER_RULES];
