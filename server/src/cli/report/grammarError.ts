import type { CompiledGrammar } from '../../core/grammar/compiled';
import type { ParseError } from '../../core/grammar/engine';
import { plain, type Style } from '../style';

/** So many of the terminals that would have been right are named. */
const MOST_EXPECTED = 20;
/** Characters of the line that are shown on each side of the place. */
const AROUND = 60;

/**
 * Why a text is refused: `file:line:column error …`, the line with a mark below the place, and what could stand there.
 */
export function refusalText(
  error: ParseError,
  text: string,
  shown: string,
  grammar: CompiledGrammar,
  style: Style,
): string {
  const atEnd = error.kind === 'UnexpectedEOF' || error.token?.type === '$END';
  // At the end Lark names the place of the last token; what is missing is missing behind all of the text.
  const pos = atEnd ? text.length : error.pos;
  const lines: string[] = [];
  const where = pos === undefined ? plain(shown) : `${plain(shown)}:${placeText(text, pos)}`;
  lines.push(`${where} ${style('error', 'red')} ${reason(error, text)} ${style(`[${error.kind}]`, 'gray')}`);
  if (pos !== undefined) lines.push(...excerpt(text, pos, style));
  const { expected } = error;
  if (expected.length > 0) {
    const names = expected.slice(0, MOST_EXPECTED).map((name) => terminalText(name, grammar));
    const more = expected.length - names.length;
    const tail = more > 0 ? ` and ${more.toLocaleString('en-US')} more` : '';
    lines.push(`  expected ${expected.length === 1 ? '' : 'one of '}${names.join(', ')}${tail}`);
  }
  return `${lines.join('\n')}\n`;
}

function reason({ kind, token, pos, message }: ParseError, text: string): string {
  if (kind === 'too-complex') return 'The text is too complex to parse with this grammar: the budget is used up.';
  if (kind === 'UnexpectedEOF' || token?.type === '$END') return 'The text ends too early.';
  if (token !== undefined) return `${JSON.stringify(token.value)} (${token.type}) cannot stand here.`;
  if (pos !== undefined) {
    const character = String.fromCodePoint(text.codePointAt(pos) ?? 0);
    return `No terminal matches at ${JSON.stringify(character)}.`;
  }
  return message === undefined ? 'The text is refused.' : plain(message);
}

function placeText(text: string, pos: number): string {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < pos; at = text.indexOf('\n', at + 1)) {
    line++;
    start = at + 1;
  }
  return `${line}:${pos - start + 1}`;
}

/** The line of a place and a mark below it. Tabs become blanks, so that the mark stands right. */
export function excerpt(text: string, pos: number, style: Style): string[] {
  const lineStart = text.lastIndexOf('\n', pos - 1) + 1;
  const lineEnd = text.indexOf('\n', pos) < 0 ? text.length : text.indexOf('\n', pos);
  const from = Math.max(lineStart, pos - AROUND);
  const to = Math.min(lineEnd, pos + AROUND);
  const show = (part: string): string => plain(part.replaceAll('\t', ' ').replace(/[\r\n]+$/, ''));
  const lead = from > lineStart ? '…' : '';
  const before = lead + show(text.slice(from, pos));
  const behind = show(text.slice(pos, to)) + (to < lineEnd ? '…' : '');
  return [`  ${before}${behind}`, `  ${' '.repeat([...before].length)}${style('^', 'red', 'bold')}`];
}

/** `NAME`, or `"+" (PLUS)` where it stands for one fixed text. */
function terminalText(name: string, grammar: CompiledGrammar): string {
  if (name === '$END') return 'the end';
  const terminal = grammar.terminals.find((each) => each.name === name);
  if (terminal?.pattern.kind !== 'string') return name;
  return `${JSON.stringify(terminal.pattern.value)} (${name})`;
}
