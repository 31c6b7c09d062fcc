import type { Fix, TextEdit } from '../../text/finding';
import type { Message } from '../../text/message';
import type { Span } from '../../text/span';

/** A fix made of edits of the grammar's text. */
export function fix(title: Message, edits: readonly TextEdit[], more: Partial<Omit<Fix, 'title' | 'edits'>> = {}): Fix {
  const { safe = false, preferred = true, kind = 'quickfix' } = more;
  const sorted = [...edits].sort((a, b) => a.span.start - b.span.start);
  return { title, safe, preferred, kind, edits: () => sorted };
}

/** Takes a part of the text away. */
export function removal(span: Span): TextEdit {
  return { span, newText: '' };
}

/** Puts text in at an offset. */
export function insertion(at: number, newText: string): TextEdit {
  return { span: { start: at, end: at }, newText };
}

/** The lines of a definition or directive, with one line end. */
export function wholeLines(text: string, span: Span): Span {
  const start = text.lastIndexOf('\n', span.start - 1) + 1;
  const after = text.indexOf('\n', span.end);
  const end = after < 0 ? text.length : after + 1;
  const before = text.slice(start, span.start);
  const rest = text.slice(span.end, end).trim();
  // What else stands on these lines stays.
  if (before.trim() !== '' || (rest !== '' && !rest.startsWith('//') && !rest.startsWith('#'))) return span;
  return { start, end };
}
