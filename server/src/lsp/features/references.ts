import {
  type DocumentHighlight,
  DocumentHighlightKind,
  DocumentHighlightRequest,
  type Location,
  ReferencesRequest,
} from 'vscode-languageserver';
import { highlights, references } from '../../core/grammar/service/navigation';
import { feature } from '../feature';
import { sampleReferences } from '../sampleAssist';

/** All places of a name, in all grammars of the workspace; all sample calls of a tool. */
export const grammarReferences = feature({
  type: ReferencesRequest.type,
  announce: (capabilities) => {
    capabilities.referencesProvider = true;
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle(
    { textDocument: { uri }, position, context: { includeDeclaration } },
    context,
  ): Promise<Location[] | null> {
    const place = await context.grammars.at(uri, position, true);
    if (place === undefined) return (await sampleReferences(uri, position, includeDeclaration, context)) ?? null;
    const { text, offset, links, world } = place;
    return references(links, text.id, offset, includeDeclaration).flatMap((each) => world.location(each) ?? []);
  },
});

/** All places of a name in its grammar. */
export const documentHighlights = feature({
  type: DocumentHighlightRequest.type,
  announce: (capabilities) => {
    capabilities.documentHighlightProvider = true;
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri }, position }, context): Promise<DocumentHighlight[] | null> {
    const place = await context.grammars.at(uri, position);
    if (place === undefined) return null;
    const { text, offset, links } = place;
    return highlights(links, text.id, offset).map(({ span, write }) => ({
      range: text.range(span),
      kind: write ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
    }));
  },
});
