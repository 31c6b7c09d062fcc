import type { Message } from '../../text/message';
import type { Span } from '../../text/span';
import type { CharSet } from './charSet';

/** The two dialects of regular expressions: Python 3.11's `re` and Rust's `regex-syntax` as llguidance 1.9.1 uses it. */
export type RegexDialect = 'python' | 'rust';

/** A regular expression as read. Spans are UTF-16 offsets in `source`; nesting is at most `MAX_REGEX_NESTING`. */
export interface RegexTree {
  readonly dialect: RegexDialect;
  readonly source: string;
  readonly root: RegexNode;
  /** Capturing groups by number; 0 is empty. */
  readonly groups: readonly (GroupNode | undefined)[];
  /** What the dialect takes but a reader should know of. */
  readonly marks: readonly RegexMark[];
}

/** Deepest nesting of groups. Python 3.11 runs out of its stack beyond (observed in Lark 1.3.1). */
export const MAX_REGEX_NESTING = 491;

export type RegexNode =
  | EmptyNode
  | SetNode
  | SequenceNode
  | AlternationNode
  | GroupNode
  | RepeatNode
  | AnchorNode
  | LookNode
  | ReferenceNode
  | ConditionalNode;

interface NodeBase {
  readonly span: Span;
}

export interface EmptyNode extends NodeBase {
  readonly kind: 'empty';
}

/** One character out of a set. */
export interface SetNode extends NodeBase {
  readonly kind: 'set';
  /** What it matches, all flags applied. */
  readonly set: CharSet;
  readonly written: 'character' | 'dot' | 'escape' | 'class';
  /** The code point of a plain character. */
  readonly code: number | undefined;
  /** `[^…]`. */
  readonly negated: boolean;
  /** Parts of a class, as written. */
  readonly items: readonly ClassItem[];
}

export type ClassItem =
  | { readonly kind: 'range'; readonly span: Span; readonly first: number; readonly last: number }
  | { readonly kind: 'named'; readonly span: Span; readonly set: CharSet };

export interface SequenceNode extends NodeBase {
  readonly kind: 'sequence';
  readonly items: readonly RegexNode[];
}

export interface AlternationNode extends NodeBase {
  readonly kind: 'alternation';
  readonly items: readonly RegexNode[];
}

export interface GroupNode extends NodeBase {
  readonly kind: 'group';
  /** Number of a capturing group. */
  readonly capture: number | undefined;
  readonly name: string | undefined;
  /** `(?>…)`: once matched, never tried again another way. */
  readonly atomic: boolean;
  readonly body: RegexNode;
}

export type RepeatMode = 'greedy' | 'lazy' | 'possessive';

export interface RepeatNode extends NodeBase {
  readonly kind: 'repeat';
  readonly min: number;
  /** `Infinity` for none. */
  readonly max: number;
  readonly mode: RepeatMode;
  readonly body: RegexNode;
  readonly operatorSpan: Span;
}

export type AnchorType =
  | 'start'
  | 'end'
  | 'line-start'
  | 'line-end'
  | 'before-last-line-end'
  | 'boundary'
  | 'no-boundary';

export interface AnchorNode extends NodeBase {
  readonly kind: 'anchor';
  readonly type: AnchorType;
  /** For boundaries: the characters that make words. */
  readonly word: CharSet;
}

export interface LookNode extends NodeBase {
  readonly kind: 'look';
  readonly ahead: boolean;
  readonly negative: boolean;
  readonly body: RegexNode;
}

export interface ReferenceNode extends NodeBase {
  readonly kind: 'reference';
  readonly group: number;
  readonly named: boolean;
  readonly ignoreCase: boolean;
}

export interface ConditionalNode extends NodeBase {
  readonly kind: 'conditional';
  readonly group: number;
  readonly yes: RegexNode;
  readonly no: RegexNode | undefined;
}

export type RegexProblemCode =
  | 'bad-escape'
  | 'bad-flag'
  | 'bad-group-name'
  | 'bad-property'
  | 'bad-range'
  | 'bad-reference'
  | 'bad-repeat'
  | 'flag-position'
  | 'flag-conflict'
  | 'look-behind-width'
  | 'multiple-repeat'
  | 'nothing-to-repeat'
  | 'too-deep'
  | 'too-large'
  | 'unicode-category'
  | 'unknown-character-name'
  | 'unknown-extension'
  | 'unmatched-parenthesis'
  | 'unterminated-class'
  | 'unterminated-comment'
  | 'unterminated-group'
  | 'untranslatable'
  // Rust alone: what Python has and Rust's engine does not.
  | 'atomic'
  | 'backreference'
  | 'boundary'
  | 'comment'
  | 'conditional'
  | 'empty-class'
  | 'inner-anchor'
  | 'literal-brace'
  | 'lookaround'
  | 'nested-class'
  | 'octal'
  | 'possessive-name'
  | 'surrogate'
  | 'z-anchor';

/** Why an expression is refused. */
export interface RegexProblem {
  readonly code: RegexProblemCode;
  readonly span: Span;
  readonly message: Message;
}

export type RegexMarkCode =
  | 'lazy'
  | 'possessive'
  | 'stacked'
  | 'class-operator'
  | 'posix-class'
  | 'nested-set'
  | 'anchor'
  /** `(?i)` at the start: fails where a lexer joins expressions. */
  | 'global-flags'
  /** A property whose members cannot be told here; its set is empty in the tree. */
  | 'unknown-set';

/** Something that the dialect takes and another reader would take differently. */
export interface RegexMark {
  readonly code: RegexMarkCode;
  readonly span: Span;
}

/** The tree, or why there is none. Never both. */
export type RegexResult =
  | { readonly tree: RegexTree; readonly problem?: undefined }
  | { readonly tree?: undefined; readonly problem: RegexProblem };

/** A node without the brackets around it, as long as they only group. */
export function unwrap(node: RegexNode): RegexNode {
  let inner = node;
  while (inner.kind === 'group' && !inner.atomic) inner = inner.body;
  return inner;
}

/** Direct parts of a node. */
export function children(node: RegexNode): readonly RegexNode[] {
  switch (node.kind) {
    case 'sequence':
    case 'alternation':
      return node.items;
    case 'group':
    case 'repeat':
    case 'look':
      return [node.body];
    case 'conditional':
      return node.no === undefined ? [node.yes] : [node.yes, node.no];
    default:
      return [];
  }
}
