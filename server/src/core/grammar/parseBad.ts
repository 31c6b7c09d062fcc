import { type Message, t } from '../text/message';
import type { Token } from './lex';

/** Why no dialect reads a token of kind `bad`. */
export function badMessage(source: string, token: Token): Message {
  const text = source.slice(token.start, token.end);
  if (text.startsWith('"')) return t('The string does not end on its line: a closing quote is missing.');
  if (text.startsWith('/')) return t('The regular expression does not end: a closing slash is missing.');
  if (text.startsWith("'")) return t('Strings stand in double quotes.');
  if (text.startsWith('%')) return t('{0} is no directive.', text);
  if (text === '\uFEFF') {
    return t('The text starts with a byte order mark, which is read as a character of the grammar.');
  }
  if (text.startsWith('__')) return t('Names do not start with two underscores.');
  if (/^[\p{L}\p{N}_]/u.test(text)) {
    return t('Names are made of the letters a to z or A to Z, digits and underscores; {0} is not.', text);
  }
  if (text === ';') return t('Nothing stands at the end of a definition but the end of its line.');
  return t('No token of a grammar starts with {0}.', JSON.stringify(text));
}
