import {
  type FoldingRange,
  FoldingRangeKind,
  FoldingRangeRequest,
  type SelectionRange,
  SelectionRangeRequest,
} from 'vscode-languageserver';
import { type Fold, folds } from '../../core/grammar/service/folding';
import { selectionSteps } from '../../core/grammar/service/selection';
import { feature } from '../feature';

const KINDS: Readonly<Partial<Record<Fold['kind'], FoldingRangeKind>>> = {
  comment: FoldingRangeKind.Comment,
  imports: FoldingRangeKind.Imports,
  region: FoldingRangeKind.Region,
};

/** Parts of grammar files that take several lines. A JSON string takes one, so there is nothing to fold in it. */
export const foldingRanges = feature({
  type: FoldingRangeRequest.type,
  announce: (capabilities) => {
    capabilities.foldingRangeProvider = true;
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri } }, context): Promise<FoldingRange[] | null> {
    const texts = await context.grammars.in(uri);
    if (texts.length === 0) return null;
    const seen = new Set<number>();
    return texts.flatMap((text) =>
      folds(text.document).flatMap(({ span, kind }) => {
        const { start, end } = text.range(span);
        // Editors take one fold a line: the first is the largest.
        if (end.line === start.line || seen.has(start.line)) return [];
        seen.add(start.line);
        const name = KINDS[kind];
        return [{ startLine: start.line, endLine: end.line, ...(name === undefined ? {} : { kind: name }) }];
      }),
    );
  },
});

/** What an editor selects step by step around each place. */
export const selectionRanges = feature({
  type: SelectionRangeRequest.type,
  announce: (capabilities) => {
    capabilities.selectionRangeProvider = true;
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri }, positions }, context): Promise<SelectionRange[] | null> {
    const texts = await context.grammars.in(uri);
    if (texts.length === 0) return null;
    return positions.map((position) => {
      const text = texts.find((each) => each.contains(each.lines.offset(position)));
      // A place without a part of its own still has an answer: answers go by places.
      const nothing: SelectionRange = { range: { start: position, end: position } };
      if (text === undefined) return nothing;
      const steps = selectionSteps(text.document, text.offset(position)).map((span) => text.range(span));
      return (
        steps.reduceRight<SelectionRange | undefined>(
          (parent, range) => (parent === undefined ? { range } : { range, parent }),
          undefined,
        ) ?? nothing
      );
    });
  },
});
