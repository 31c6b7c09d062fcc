import { CALL_RULES } from './calls/rules';
import { CODEX_RULES } from './codex/rules';
import { CONFIG_RULES } from './config/rules';
import { missingFile } from './grammar/missingFile';
import { GRAMMAR_RULES } from './grammar/rules';
import { RULE_FAILED } from './internal/ruleFailed';
import { OPENAI_RULES } from './openai/rules';
import { PORTABILITY_RULES } from './portability/rules';
import type { Rule } from './rule';
import { SAMPLE_RULES } from './sample/rules';
import { SCHEMA_RULES } from './schema/rules';
import { SOURCE_RULES } from './source/rules';
import { TOOL_RULES } from './tool/rules';

/** Every rule, in the order of the documentation. */
export const RULES: readonly Rule[] = [
  ...TOOL_RULES,
  ...SCHEMA_RULES,
  ...OPENAI_RULES,
  ...CODEX_RULES,
  ...PORTABILITY_RULES,
  ...GRAMMAR_RULES,
  missingFile,
  ...SAMPLE_RULES,
  ...CALL_RULES,
  ...CONFIG_RULES,
  ...SOURCE_RULES,
  RULE_FAILED,
];

const BY_ID: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

/** Ids of all rules, for settings and config files. */
export const RULE_IDS: ReadonlySet<string> = new Set(BY_ID.keys());

/** The rule with this id. */
export function ruleById(id: string): Rule | undefined {
  return BY_ID.get(id);
}
