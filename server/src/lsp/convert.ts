import { DiagnosticSeverity, type Range, type TextEdit } from 'vscode-languageserver';
import type { TextEdit as CoreEdit, Level } from '../core/text/finding';
import type { LineIndex } from '../core/text/lines';
import type { Message } from '../core/text/message';
import type { Span } from '../core/text/span';
import { say } from './language';

/** Levels as the protocol counts them. */
export const SEVERITIES: Readonly<Record<Level, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

export function toRange(lines: LineIndex, span: Span): Range {
  return lines.range(span);
}

export function toEdits(lines: LineIndex, edits: readonly CoreEdit[]): TextEdit[] {
  return edits.map(({ span, newText }) => ({ range: lines.range(span), newText }));
}

/** A message as plain text in the client's language. */
export function plain(message: Message): string {
  return say(message);
}

/**
 * A place as a link target: editors open `uri#L<line>,<column>` there, counted from 1.
 */
export function linkTo(uri: string, lines: LineIndex, span: Span): string {
  const { line, character } = lines.position(span.start);
  return `${uri}#L${line + 1},${character + 1}`;
}

/** Text for a link's name in Markdown. */
export function linkText(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#+\-.!|]/g, '\\$&').replace(/\s+/g, ' ');
}
