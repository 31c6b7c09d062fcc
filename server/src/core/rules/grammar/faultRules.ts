import type { RuleSection } from '../rule';
import { faultsById } from './faults';
import { ENGINE_ERROR, type GrammarRule, type TargetLevels } from './grammarRule';

const ALL: TargetLevels = { llguidance: 'error', openai: 'error', lark: 'error' };
const LARK: TargetLevels = { lark: 'error' };

/** A rule that reports the faults of its id. */
function faultRule(id: string, summary: string, levels: TargetLevels): GrammarRule {
  return {
    id: `grammar/${id}`,
    section: 'grammar' satisfies RuleSection,
    summary,
    levels,
    check(context) {
      for (const fault of context.memo(faultsById).get(`grammar/${id}`) ?? []) context.report(fault);
    },
  };
}

/** Rules about what keeps a grammar from loading, in the order of the documentation. */
export const FAULT_RULES: readonly GrammarRule[] = [
  faultRule('empty', 'The grammar has no rule, so there is no start', ALL),
  faultRule('gbnf-syntax', 'The text is written as GBNF or EBNF, not as Lark', ALL),
  faultRule('unterminated-regex', 'A regular expression has no closing slash', ALL),
  faultRule('undefined-name', 'A rule or terminal is used and not defined', ALL),
  faultRule('recursive-terminal', 'A terminal contains itself', ALL),
  faultRule('rule-modifiers', 'Modifiers in front of a name that an engine does not read', ALL),
  faultRule('import', 'An import that an engine cannot do', ALL),
  faultRule('declare', 'The provider has no %declare', ENGINE_ERROR),
  faultRule('template', 'The provider supports no templates', ENGINE_ERROR),
  faultRule('terminal-priority', 'The provider supports no priorities', ENGINE_ERROR),
  faultRule('override', 'The provider has no %override', ENGINE_ERROR),
  faultRule('extend', 'The provider has no %extend', ENGINE_ERROR),
  faultRule('lookaround', 'The provider refuses look-around in regular expressions', ENGINE_ERROR),
  faultRule('regex-backref', 'The provider refuses references to groups', ENGINE_ERROR),
  faultRule('regex-boundary', 'The provider refuses word boundaries', ENGINE_ERROR),
  faultRule('regex-inner-anchor', 'The provider takes anchors only at the ends of an expression', ENGINE_ERROR),
  faultRule('regex-atomic', 'The provider refuses atomic groups', ENGINE_ERROR),
  faultRule('regex-z-anchor', 'The provider refuses the anchor \\Z', ENGINE_ERROR),
  faultRule('regex-octal', 'The provider refuses octal escapes', ENGINE_ERROR),
  faultRule('regex-invalid', 'An engine cannot read a regular expression', ALL),
  faultRule('special-token', 'A special token in angle brackets', ALL),
  faultRule('engine-extension', 'Only llguidance reads this construct', {
    llguidance: 'warning',
    openai: 'warning',
    lark: 'error',
  }),
  faultRule('dash-name', 'A name with a dash, which Lark does not read', LARK),
  faultRule('alias-position', 'An alias that does not stand at the end of an alternative of a rule', LARK),
  faultRule('zero-width-terminal', 'A terminal in a rule can match nothing, which Lark refuses', LARK),
  faultRule('newline-in-regex', 'A line break inside a regular expression', {
    llguidance: 'warning',
    openai: 'warning',
    lark: 'error',
  }),
  faultRule('string-escape', 'An escape in a string that the provider refuses', { ...ENGINE_ERROR, lark: 'warning' }),
  faultRule('comment-before-pipe', 'A comment or a line of blanks in front of a bar ends the definition', ENGINE_ERROR),
  faultRule('continuation', 'The provider reads no backslash at the end of a line', ENGINE_ERROR),
  faultRule('nesting-depth', 'More brackets inside one another than the provider takes', ENGINE_ERROR),
  faultRule('start-undefined', 'There is no rule start', ALL),
  faultRule('name-duplicate', 'A name is defined twice', ALL),
  faultRule('syntax-bad-character', 'A character that no token starts with', ALL),
  faultRule('syntax-expected-definition', 'A line that is no definition and no directive', ALL),
  faultRule('syntax-expected-option', 'A line goes on without a bar', ALL),
  faultRule('syntax-expected-value', 'A name, a literal or a group is missing', ALL),
  faultRule('syntax-unexpected-colon', 'A colon out of place', ALL),
  faultRule('syntax-misplaced-operator', 'An operator that has nothing to repeat', ALL),
  faultRule('syntax-alias-name', 'An alias that is no name of a rule', ALL),
  faultRule('syntax-unclosed-paren', 'A bracket is not closed', ALL),
  faultRule('syntax-unmatched-paren', 'A bracket closes nothing', ALL),
  faultRule('syntax-mixed-case-name', 'A name mixes upper and lower case', ALL),
  faultRule('syntax-dotted-terminal', 'The name of a terminal has a dot', ALL),
  faultRule('syntax-import-name', 'An import without a name', ALL),
  faultRule('syntax-ignore-value', '%ignore without an expression', ALL),
  faultRule('syntax-template-arg-type', 'An argument of a template that is no single value', ALL),
  faultRule('syntax-other', 'The text is no Lark grammar', ALL),
  faultRule('terminal-rule-inside', 'A rule stands inside a terminal', ALL),
  faultRule('terminal-empty-definition', 'A terminal is empty', LARK),
  faultRule('terminal-empty-literal', 'An empty string', LARK),
  faultRule('rule-alias-on-inlined', 'An alias in a rule whose name starts with an underscore', LARK),
  faultRule('rule-duplicate-expansion', 'Two alternatives become the same when optional parts are left out', LARK),
  faultRule('repeat-bad-range', 'The counts of a repetition make no sense', ALL),
  faultRule('range-not-one-character', 'An end of a range is not one character', ALL),
  faultRule('literal-bad-escape', 'An escape lacks its digits', ALL),
  faultRule('template-undefined', 'A template is used and not defined', LARK),
  faultRule('template-arity', 'A template is used with a wrong number of arguments', LARK),
  faultRule('template-param-conflict', 'A parameter has the name of a definition', LARK),
  faultRule('template-param-duplicate', 'A template has two parameters of one name', LARK),
  faultRule('template-in-terminal', 'A template is used in a terminal', LARK),
  faultRule('declare-rule', '%declare names a rule', LARK),
  faultRule('override-missing', '%override without a definition before it', LARK),
  faultRule('extend-missing', '%extend without a definition before it', LARK),
  faultRule('extend-params', '%extend with other parameters than the definition', LARK),
  faultRule('extend-abstract', '%extend of a terminal that is only declared', LARK),
  faultRule('internal-assertion', 'Lark breaks on this with an error of its own', LARK),
  faultRule('too-complex', 'The grammar takes more work than is allowed', LARK),
];
