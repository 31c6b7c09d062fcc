import { TextDocumentContentRequest } from 'vscode-languageserver';
import { DOCUMENT_SCHEME } from '../../protocol';
import { feature } from '../feature';
import { libraryContent } from '../grammars';

/** Texts of the read-only documents of our scheme. The client is told when one has to be read again. */
export const documentContent = feature({
  type: TextDocumentContentRequest.type,
  announce: (capabilities) => {
    capabilities.workspace = { ...capabilities.workspace, textDocumentContent: { schemes: [DOCUMENT_SCHEME] } };
  },
  empty: { text: '' },
  about: () => undefined,
  handle: async ({ uri }, context) => ({
    text: libraryContent(uri) ?? (await context.walks.text(uri)) ?? (await context.views.text(uri)),
  }),
});
