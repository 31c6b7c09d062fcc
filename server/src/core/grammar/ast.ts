import type { Span } from '../text/span';
import type { Token } from './lex';
import type { GrammarProblem } from './problems';

/** A grammar text as read: everything that is written in it, in the union of both dialects. */
export interface GrammarDocument {
  readonly text: string;
  /** All tokens and trivia in text order; put together they are the text. */
  readonly tokens: readonly Token[];
  readonly items: readonly GrammarItem[];
  /** What no dialect reads. */
  readonly problems: readonly GrammarProblem[];
  /** What one dialect reads and the other does not, in text order. */
  readonly marks: readonly DialectMark[];
}

export type Dialect = 'lark' | 'llguidance';

/** Kinds of constructs that only one of the dialects has. Semantic differences (escapes, regex flavor) are not here. */
export type MarkKind =
  // llguidance alone.
  | 'dash-name'
  | 'attributes'
  | 'parameter'
  | 'condition'
  | 'intersection'
  | 'negation'
  | 'brace-repeat'
  | 'json'
  | 'structured-regex'
  | 'nested-grammar'
  | 'special-token'
  | 'grammar-name'
  | 'header'
  // Reference Lark alone.
  | 'priority'
  | 'template-definition'
  | 'template-use'
  | 'modifier-order'
  | 'declare'
  | 'override'
  | 'extend'
  | 'relative-import'
  | 'continuation'
  | 'interrupted-bar';

export interface DialectMark {
  readonly kind: MarkKind;
  /** The dialect that reads it. */
  readonly only: Dialect;
  readonly span: Span;
  /** Where reference Lark stops, for what only llguidance reads. */
  readonly at: number;
}

export type GrammarItem = Definition | IgnoreItem | ImportItem | DeclareItem | HeaderItem;

/** A name with its place. `terminal` tells upper case from lower case. */
export interface Name {
  readonly text: string;
  readonly terminal: boolean;
  readonly span: Span;
}

/** A rule, template or terminal, also one inside `%override` and `%extend`. */
export interface Definition {
  readonly kind: 'definition';
  /** From the directive or the modifiers to the end of the body, without the line end. */
  readonly span: Span;
  readonly directive: 'override' | 'extend' | undefined;
  readonly directiveSpan: Span | undefined;
  /** As written: `!`, `?`, `!?` or `?!`; empty without. */
  readonly modifiers: string;
  readonly modifiersSpan: Span | undefined;
  readonly name: Name;
  /** Parameters of a template; `undefined` without braces. */
  readonly parameters: readonly Name[] | undefined;
  readonly parametersSpan: Span | undefined;
  readonly priority: { readonly value: number; readonly span: Span } | undefined;
  /** llguidance: `name[lazy, stop="x"]`. */
  readonly attributes: readonly Attribute[];
  readonly attributesSpan: Span | undefined;
  /** llguidance: `name::_`. */
  readonly parametric: Span | undefined;
  readonly colon: number | undefined;
  readonly body: Alternatives;
  /** A cause is reported inside: what the definition lacks may be due to it. */
  readonly broken: boolean;
}

export interface Attribute {
  readonly name: string;
  readonly nameSpan: Span;
  readonly value: { readonly text: string; readonly span: Span } | undefined;
  readonly span: Span;
}

export interface IgnoreItem {
  readonly kind: 'ignore';
  readonly span: Span;
  readonly directiveSpan: Span;
  readonly body: Alternatives;
  readonly broken: boolean;
}

export interface ImportItem {
  readonly kind: 'import';
  readonly span: Span;
  readonly directiveSpan: Span;
  /** `%import .path.NAME`. */
  readonly relative: boolean;
  /** Names between dots. In a single import the last one is what is imported. */
  readonly path: readonly Name[];
  /** `%import path (A, b)`. */
  readonly names: readonly Name[] | undefined;
  readonly alias: Name | undefined;
  readonly broken: boolean;
}

export interface DeclareItem {
  readonly kind: 'declare';
  readonly span: Span;
  readonly directiveSpan: Span;
  readonly names: readonly Name[];
  readonly broken: boolean;
}

/** llguidance: `%llguidance {…}`. */
export interface HeaderItem {
  readonly kind: 'header';
  readonly span: Span;
  readonly directiveSpan: Span;
  /** The JSON behind it; empty when there is none. */
  readonly valueSpan: Span;
}

export interface Alternatives {
  readonly kind: 'alternatives';
  readonly span: Span;
  readonly items: readonly Alternative[];
}

export interface Alternative {
  readonly kind: 'alternative';
  /** Empty, at the place where something could stand, for an empty alternative. */
  readonly span: Span;
  readonly items: readonly Expression[];
  readonly alias: Name | undefined;
  readonly arrow: Span | undefined;
  /** llguidance: `%if …`. */
  readonly condition: Span | undefined;
  /** The `|` in front of it. */
  readonly bar: Span | undefined;
}

export type Expression =
  | Reference
  | StringLiteral
  | RegexpLiteral
  | RangeExpression
  | TemplateUse
  | Brackets
  | Repeat
  | Negation
  | Intersection
  | JsonExpression
  | NestedGrammar
  | OutsideReference;

export interface Reference {
  readonly kind: 'reference';
  readonly span: Span;
  readonly name: Name;
  /** llguidance: `name::expr`. */
  readonly parameter: Span | undefined;
}

export interface StringLiteral {
  readonly kind: 'string';
  readonly span: Span;
  /** As written, quotes and flag included. */
  readonly raw: string;
  /** The last quote is escaped. */
  readonly open: boolean;
}

export interface RegexpLiteral {
  readonly kind: 'regexp';
  readonly span: Span;
  /** As written, slashes and flags included. */
  readonly raw: string;
  /** Between the slashes. */
  readonly bodySpan: Span;
  readonly flags: string;
  /** The last slash is escaped. */
  readonly open: boolean;
}

export interface RangeExpression {
  readonly kind: 'range';
  readonly span: Span;
  readonly from: StringLiteral;
  readonly to: StringLiteral;
}

export interface TemplateUse {
  readonly kind: 'template';
  readonly span: Span;
  readonly name: Name;
  readonly arguments: readonly Expression[];
}

/** `( )` or `[ ]`. */
export interface Brackets {
  readonly kind: 'group' | 'optional';
  readonly span: Span;
  readonly body: Alternatives;
  readonly closed: boolean;
}

export interface Repeat {
  readonly kind: 'repeat';
  readonly span: Span;
  readonly item: Expression;
  readonly operator: '?' | '*' | '+' | '~' | '{}';
  readonly operatorSpan: Span;
  /** Of `~n`, `~n..m` and `{n,m}`: the least count. */
  readonly least: number;
  /** The greatest count; `undefined` for `~n` (the same as the least) and where there is no bound. */
  readonly most: number | undefined;
  /** `~n..m` and `{n,m}`, also with a side left out. */
  readonly range: boolean;
}

/** llguidance: `~x`. */
export interface Negation {
  readonly kind: 'negation';
  readonly span: Span;
  readonly item: Expression;
}

/** llguidance: `A & B`; each side is a whole sequence. */
export interface Intersection {
  readonly kind: 'intersection';
  readonly span: Span;
  readonly operands: readonly { readonly span: Span; readonly items: readonly Expression[] }[];
}

/** llguidance: `%json {…}` and `%regex {…}`. */
export interface JsonExpression {
  readonly kind: 'json' | 'structuredRegex';
  readonly span: Span;
  readonly valueSpan: Span;
}

/** llguidance: `%lark { … }`, a grammar of its own. */
export interface NestedGrammar {
  readonly kind: 'nested';
  readonly span: Span;
  readonly items: readonly GrammarItem[];
  readonly closed: boolean;
}

/** llguidance: `<token>` and `@grammar`. */
export interface OutsideReference {
  readonly kind: 'special' | 'grammarName';
  readonly span: Span;
}
