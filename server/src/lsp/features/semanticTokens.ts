import {
  type SemanticTokens,
  SemanticTokensBuilder,
  type SemanticTokensOptions,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
} from 'vscode-languageserver';
import { grammarNames } from '../../core/grammar/resolve';
import { semanticTokens, TOKEN_MODIFIERS, TOKEN_TYPES } from '../../core/grammar/service/semanticTokens';
import type { Span } from '../../core/text/span';
import type { ServerContext } from '../context';
import { feature } from '../feature';
import type { GrammarText } from '../grammars';

const OPTIONS: SemanticTokensOptions = {
  legend: { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [...TOKEN_MODIFIERS] },
  full: true,
  range: true,
};

/** The meaning of names in grammars, for the whole document. */
export const semanticTokensFull = feature({
  type: SemanticTokensRequest.type,
  announce: (capabilities) => {
    capabilities.semanticTokensProvider = OPTIONS;
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri } }, context): Promise<SemanticTokens | null> {
    const texts = await context.grammars.in(uri);
    return encode(context, texts, (text) => ({ start: 0, end: text.document.text.length }));
  },
});

/** The same for the part that is shown. */
export const semanticTokensRange = feature({
  type: SemanticTokensRangeRequest.type,
  announce: (capabilities) => {
    capabilities.semanticTokensProvider = OPTIONS;
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri }, range }, context): Promise<SemanticTokens | null> {
    return encode(context, await context.grammars.in(uri), (text) => text.part(range));
  },
});

function encode(
  context: ServerContext,
  texts: readonly GrammarText[],
  part: (text: GrammarText) => Span | undefined,
): SemanticTokens | null {
  if (texts.length === 0) return null;
  // An editor that colors by itself colors literals finer than these tokens could.
  const everything = context.client.capabilities.textDocument?.semanticTokens?.augmentsSyntaxTokens !== true;
  const builder = new SemanticTokensBuilder();
  for (const text of texts) {
    const range = part(text);
    if (range === undefined) continue;
    for (const token of semanticTokens(text.document, grammarNames(text.document), { range, everything })) {
      const { start, end } = text.range(token.span);
      const modifiers = token.modifiers.reduce((bits, each) => bits | (1 << TOKEN_MODIFIERS.indexOf(each)), 0);
      const length = end.character - start.character;
      builder.push(start.line, start.character, length, TOKEN_TYPES.indexOf(token.type), modifiers);
    }
  }
  return builder.build();
}
