import { t } from '../text/message';
import type { RangeExpression, RegexpLiteral, StringLiteral } from './ast';
import type { Token } from './lex';
import { type Cursor, spanOf } from './parseCursor';
import type { Say } from './parseForeign';

/** A string, or a range of two strings. */
export function stringExpression(cursor: Cursor, token: Token, say: Say): StringLiteral | RangeExpression {
  cursor.next();
  const from = stringLiteral(cursor, token);
  const dots = cursor.accept('dotDot');
  if (dots === undefined) return from;
  const second = cursor.accept('string');
  if (second === undefined) {
    const span = { start: token.start, end: dots.end };
    say('syntax.other', cursor.token, t('A range ends with a string of one character.'), span);
    return from;
  }
  const to = stringLiteral(cursor, second);
  return { kind: 'range', span: { start: token.start, end: second.end }, from, to };
}

function stringLiteral(cursor: Cursor, token: Token): StringLiteral {
  return { kind: 'string', span: spanOf(token), raw: cursor.slice(token), open: token.open === true };
}

/** A regular expression. Two of them make no range. */
export function regexpExpression(cursor: Cursor, token: Token, say: Say): RegexpLiteral {
  cursor.next();
  const raw = cursor.slice(token);
  const slash = raw.lastIndexOf('/');
  const dots = cursor.accept('dotDot');
  if (dots !== undefined) {
    say('syntax.expected-value', dots, t('A range stands between two strings of one character.'));
    if (cursor.at('regexp', 'string')) cursor.next();
  }
  const bodySpan = { start: token.start + 1, end: token.start + slash };
  const flags = raw.slice(slash + 1);
  return { kind: 'regexp', span: spanOf(token), raw, bodySpan, flags, open: token.open === true };
}
