import type { RelatedPlace } from '../text/finding';
import type { Message } from '../text/message';
import type { Span } from '../text/span';

/** What can be wrong with a grammar. Each code stands for a load error of reference Lark 1.3.1, but `too-complex`. */
export type GrammarProblemCode =
  | 'syntax.bad-character'
  | 'syntax.expected-definition'
  | 'syntax.expected-option'
  | 'syntax.expected-value'
  | 'syntax.unexpected-colon'
  | 'syntax.misplaced-operator'
  | 'syntax.alias-name'
  | 'syntax.unclosed-paren'
  | 'syntax.unmatched-paren'
  | 'syntax.mixed-case-name'
  | 'syntax.dotted-terminal'
  | 'syntax.import-name'
  | 'syntax.ignore-value'
  | 'syntax.template-arg-type'
  | 'syntax.dialect'
  | 'syntax.other'
  | 'name.undefined'
  | 'name.duplicate'
  | 'import.collision'
  | 'import.nothing'
  | 'import.not-found'
  | 'import.cycle'
  | 'template.undefined'
  | 'template.arity'
  | 'template.param-conflict'
  | 'template.param-duplicate'
  | 'template.in-terminal'
  | 'terminal.recursion'
  | 'terminal.rule-inside'
  | 'terminal.empty-definition'
  | 'terminal.empty-literal'
  | 'terminal.alias'
  | 'terminal.zero-width'
  | 'rule.inline-and-conditional'
  | 'rule.alias-on-inlined'
  | 'rule.duplicate-expansion'
  | 'repeat.bad-range'
  | 'range.not-one-character'
  | 'literal.bad-escape'
  | 'literal.newline-in-regexp'
  | 'regex.invalid'
  | 'regex.unicode-category'
  | 'ignore.undefined'
  | 'declare.rule'
  | 'override.missing'
  | 'extend.missing'
  | 'extend.params'
  | 'extend.abstract'
  | 'start.undefined'
  | 'internal.assertion'
  | 'too-complex';

/** One cause for which a grammar does not load. */
export interface GrammarProblem {
  readonly code: GrammarProblemCode;
  /** The culprit, in the text of `file`. */
  readonly span: Span;
  /** Where reference Lark 1.3.1 stops reading, for `syntax.*`; it names no place for the others. */
  readonly at: number | undefined;
  readonly message: Message;
  readonly related: readonly RelatedPlace[];
  /** The imported file that it is in; `undefined` for the grammar's own text. */
  readonly file: string | undefined;
  /** The directive of the grammar's own text that imports that file. */
  readonly importedAt: Span | undefined;
}

/** A problem of the grammar's own text. */
export function problem(
  code: GrammarProblemCode,
  span: Span,
  message: Message,
  more: { at?: number; related?: readonly RelatedPlace[] } = {},
): GrammarProblem {
  const { at, related = [] } = more;
  return { code, span, at, message, related, file: undefined, importedAt: undefined };
}
