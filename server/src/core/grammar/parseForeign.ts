import { type Message, t } from '../text/message';
import type { Span } from '../text/span';
import type { Expression, GrammarItem } from './ast';
import type { Token } from './lex';
import { type Cursor, spanOf } from './parseCursor';
import type { GrammarProblemCode } from './problems';

/** Reports a problem at a token, or at another place for it. */
export type Say = (code: GrammarProblemCode, token: Token, message: Message, span?: Span) => void;

/** llguidance: `%json`, `%regex`, `<token>` and `@grammar`, each a single token. */
export function outsideExpression(cursor: Cursor, token: Token): Expression {
  cursor.next();
  const span = spanOf(token);
  if (token.kind === 'special' || token.kind === 'grammarName') {
    cursor.mark(token.kind === 'special' ? 'special-token' : 'grammar-name', 'llguidance', token, token.at);
    return { kind: token.kind, span };
  }
  const json = token.kind === 'json';
  cursor.mark(json ? 'json' : 'structured-regex', 'llguidance', token, token.at);
  const behind = token.start + (json ? '%json' : '%regex').length;
  const text = cursor.slice({ start: behind, end: token.end });
  const start = behind + (text.length - text.trimStart().length);
  const valueSpan = { start: Math.min(start, token.end), end: token.end };
  return { kind: json ? 'json' : 'structuredRegex', span, valueSpan };
}

/** llguidance: `%lark { … }`. `undefined` when too many stand inside one another. */
export function nestedGrammar(
  cursor: Cursor,
  token: Token,
  nestedItems: () => GrammarItem[] | undefined,
  say: Say,
): Expression | undefined {
  cursor.next();
  cursor.mark('nested-grammar', 'llguidance', token, token.at);
  const open = cursor.accept('leftBrace');
  if (open === undefined) {
    say('syntax.other', cursor.token, t('A grammar in braces follows %lark.'), token);
    return { kind: 'nested', span: spanOf(token), items: [], closed: false };
  }
  const items = nestedItems();
  if (items === undefined) {
    say('too-complex', token, t('Too many grammars stand inside one another.'));
    return undefined;
  }
  const before = cursor.previous?.kind;
  const close = cursor.accept('rightBrace');
  if (close === undefined) {
    const message = t('The grammar behind %lark does not end: a closing brace is missing.');
    say('syntax.unclosed-paren', cursor.token, message, open);
  } else if (before !== 'newline') {
    say('syntax.other', close, t('The closing brace of %lark stands on a line of its own.'));
  }
  const span = { start: token.start, end: close?.end ?? cursor.previous?.end ?? token.end };
  return { kind: 'nested', span, items, closed: close !== undefined };
}
