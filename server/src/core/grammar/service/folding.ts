import type { Span } from '../../text/span';
import type { GrammarDocument, GrammarItem } from '../ast';
import type { Token } from '../lex';

/** A part of a grammar that can be shown as its first line alone. */
export interface Fold {
  readonly span: Span;
  readonly kind: 'definition' | 'comment' | 'imports' | 'region';
}

const OPENS: ReadonlySet<Token['kind']> = new Set<Token['kind']>(['leftParen', 'leftBracket', 'leftBrace']);
const CLOSES: ReadonlySet<Token['kind']> = new Set<Token['kind']>(['rightParen', 'rightBracket', 'rightBrace']);

/**
 * Definitions, brackets, runs of comment lines, runs of imports and regions (`// region` to `// endregion`) that take
 * more than one line, in text order.
 */
export function folds(document: GrammarDocument): Fold[] {
  const found = [...definitionFolds(document.items), ...bracketFolds(document), ...commentFolds(document)];
  found.push(...importFolds(document), ...regionFolds(document));
  const lines = (span: Span): boolean => document.text.slice(span.start, span.end).includes('\n');
  return found.filter(({ span }) => lines(span)).sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
}

function definitionFolds(items: readonly GrammarItem[]): Fold[] {
  return items.map(({ span }) => ({ span, kind: 'definition' }));
}

/** Brackets that hold a line break. What is not closed does not fold. */
function bracketFolds({ tokens }: GrammarDocument): Fold[] {
  const open: Token[] = [];
  const found: Fold[] = [];
  for (const token of tokens) {
    if (OPENS.has(token.kind)) open.push(token);
    else if (CLOSES.has(token.kind)) {
      const first = open.pop();
      if (first !== undefined) found.push({ span: { start: first.start, end: token.end }, kind: 'definition' });
    }
  }
  return found;
}

/** Comments that stand on lines of their own, one below the other. */
function commentFolds({ text, tokens }: GrammarDocument): Fold[] {
  const found: Fold[] = [];
  let run: Span | undefined;
  const flush = (): void => {
    if (run !== undefined) found.push({ span: run, kind: 'comment' });
    run = undefined;
  };
  for (const token of tokens) {
    if (token.kind !== 'comment' || !startsLine(text, token.start)) continue;
    if (isRegion(text, token) !== undefined) flush();
    else if (run !== undefined && /^[ \t]*\r?\n[ \t]*$/.test(text.slice(run.end, token.start))) {
      run = { start: run.start, end: token.end };
    } else {
      flush();
      run = { start: token.start, end: token.end };
    }
  }
  flush();
  return found;
}

function importFolds({ items }: GrammarDocument): Fold[] {
  const found: Fold[] = [];
  for (let i = 0; i < items.length; i++) {
    let last = i;
    while (items[last]?.kind === 'import' && items[last + 1]?.kind === 'import') last++;
    if (last > i) found.push({ span: { start: items[i]!.span.start, end: items[last]!.span.end }, kind: 'imports' });
    i = last;
  }
  return found;
}

function regionFolds({ text, tokens }: GrammarDocument): Fold[] {
  const open: Token[] = [];
  const found: Fold[] = [];
  for (const token of tokens) {
    const mark = token.kind === 'comment' ? isRegion(text, token) : undefined;
    if (mark === 'start') open.push(token);
    else if (mark === 'end') {
      const first = open.pop();
      if (first !== undefined) found.push({ span: { start: first.start, end: token.end }, kind: 'region' });
    }
  }
  return found;
}

function isRegion(text: string, { start, end }: Token): 'start' | 'end' | undefined {
  const mark = /^(?:\/\/|#)[ \t]*#?(region|endregion)\b/.exec(text.slice(start, end))?.[1];
  return mark === undefined ? undefined : mark === 'region' ? 'start' : 'end';
}

function startsLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset));
}
