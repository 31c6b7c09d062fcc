import { libraryText } from '../../../../../server/src/core/grammar/libraries';
import type { ImportRequest } from '../../../../../server/src/core/grammar/load/definitions';
import { parseGrammar } from '../../../../../server/src/core/grammar/parse';
import { GrammarLinks } from '../../../../../server/src/core/grammar/resolveFiles';
import type { Span } from '../../../../../server/src/core/text/span';

/** The patch grammar that stands for real work in the tests. */
export const PATCH = `start: head section+ tail
head: "*** Begin Patch" LF
tail: "*** End Patch" LF?
section: adding | deleting | updating
adding: "*** Add File: " TEXT LF plus_row+
deleting: "*** Delete File: " TEXT LF
updating: "*** Update File: " TEXT LF moving? edits?
moving: "*** Move to: " TEXT LF
edits: (anchor | row)+ at_eof?
anchor: "@@" LF | "@@ " TEXT LF
row: (" " | "+" | "-") TEXT? LF
plus_row: "+" TEXT? LF
at_eof: "*** End of File" LF
TEXT: /.+/
%import common.LF
`;

/** Grammars by file name; relative imports lead from one to the other. */
export function linksOf(texts: Readonly<Record<string, string>>): GrammarLinks {
  const documents = new Map(Object.entries(texts).map(([file, text]) => [file, parseGrammar(text)]));
  const document = (file: string) => {
    const library = file.startsWith('lark:') ? libraryText(file.slice('lark:'.length)) : undefined;
    if (library !== undefined && !documents.has(file)) documents.set(file, parseGrammar(library));
    return documents.get(file);
  };
  return new GrammarLinks({
    document,
    resolve({ path, relative }: ImportRequest) {
      const file = relative ? path : `lark:${path}`;
      return document(file) === undefined ? undefined : file;
    },
    importers: () => Object.keys(texts),
  });
}

/** A text without its cursor mark `‸`, with the offset of the mark. */
export function cursor(marked: string): { text: string; offset: number } {
  const offset = marked.indexOf('‸');
  if (offset < 0) throw new Error('no cursor');
  return { text: marked.replace('‸', ''), offset };
}

/** A text without its marks `⟦…⟧`, with the spans between them. */
export function marks(marked: string): { text: string; spans: Span[] } {
  const spans: Span[] = [];
  const open: number[] = [];
  let text = '';
  for (const c of marked) {
    if (c === '⟦') open.push(text.length);
    else if (c === '⟧') spans.push({ start: open.pop()!, end: text.length });
    else text += c;
  }
  return { text, spans: spans.sort((a, b) => a.start - b.start || b.end - a.end) };
}
