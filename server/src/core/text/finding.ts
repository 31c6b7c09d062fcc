import type { Message } from './message';
import type { Span } from './span';

/** How serious a finding is, in the words of editors. */
export type Level = 'error' | 'warning' | 'info' | 'hint';

/** A level, or `off`: what settings and config files may say of a rule. */
export type RuleLevel = Level | 'off';

/** From the least to the most serious. */
export const LEVELS: readonly Level[] = ['hint', 'info', 'warning', 'error'];

/** Replaces a part of a text. */
export interface TextEdit {
  readonly span: Span;
  readonly newText: string;
}

/** Another place that belongs to a finding, in the same file unless `uri` says otherwise. */
export interface RelatedPlace {
  readonly uri?: string;
  readonly span: Span;
  readonly message: Message;
}

/** A change that removes the cause of a finding. */
export interface Fix {
  readonly title: Message;
  /** Keeps the meaning, so "fix all" and `check --fix` may apply it unasked. */
  readonly safe: boolean;
  /** The one that the editor offers first. At most one fix of a finding is. */
  readonly preferred: boolean;
  /** `refactor` for changes that restructure more than the finding's place. */
  readonly kind: 'quickfix' | 'refactor';
  /** Edits of the text that the finding is about, in text order and without overlaps. Made on demand. */
  edits(): TextEdit[];
}

/** One thing to say about one place of a text. */
export interface Finding {
  /** An id of the rule registry. */
  readonly rule: string;
  readonly level: Level;
  readonly span: Span;
  /** A sentence or a few, rendered where they are shown. */
  readonly message: Message;
  /** The targets, among those switched on, for which the rule speaks; empty when it holds for all. */
  readonly targets: readonly string[];
  /** Name of the tool that it is about. */
  readonly tool: string | undefined;
  /** JSON Pointer of the place, from the document's root; `undefined` where a place has none. */
  readonly pointer: string | undefined;
  readonly related: readonly RelatedPlace[];
  readonly fixes: readonly Fix[];
  /** The text is shown faded: nothing reads it. */
  readonly unnecessary: boolean;
}

/** Order of findings in every report: by place, then by seriousness, then by rule. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    a.span.start - b.span.start ||
    a.span.end - b.span.end ||
    LEVELS.indexOf(b.level) - LEVELS.indexOf(a.level) ||
    (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0)
  );
}
