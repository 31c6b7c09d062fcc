import { TOKENS_NOTE, type TokenCounter, tokensByNode } from '../../core/budget/tokens';
import { formatNumber, render } from '../../core/text/message';
import { count, plain, type Style } from '../style';

/** How the tokens of a schema are listed. */
export interface TokenReportOptions {
  readonly style: Style;
  /** Every value, not the root's properties alone. */
  readonly all: boolean;
}

/** Values with fewer tokens are not listed one by one. */
const LEAST = 4;

/** The tokens of a compiled schema, and what its values take of them. */
export function tokenReport(text: string, counter: TokenCounter, { style, all }: TokenReportOptions): string {
  const [whole, ...rest] = tokensByNode(text, counter, { least: LEAST });
  const rows = all ? rest : rest.filter(({ pointer }) => /^\/(?:properties|\$defs|definitions)\/[^/]*$/.test(pointer));
  const width = formatNumber(whole?.tokens ?? 0).length;
  const lines = rows.map(({ pointer, tokens, depth }) => {
    const indent = all ? '  '.repeat(depth - 1) : '';
    return `    ${formatNumber(tokens).padStart(width)}  ${indent}${plain(all ? lastOf(pointer) : pointer)}\n`;
  });
  const head = `  ${style(count(whole?.tokens ?? 0, 'token'), 'bold')} of ${counter.encoding}\n`;
  return head + lines.join('');
}

/** The last token of a pointer. */
function lastOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

/** The size of a whole text, with what the count is worth. */
export function tokenLine(text: string, bytes: number, counter: TokenCounter): string {
  return `${count(bytes, 'byte')}, ${count(counter.count(text), 'token')} of ${counter.encoding}. ${render(TOKENS_NOTE)}`;
}
