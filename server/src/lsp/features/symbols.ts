import {
  type DocumentSymbol,
  DocumentSymbolRequest,
  SymbolKind,
  type WorkspaceSymbol,
  WorkspaceSymbolRequest,
} from 'vscode-languageserver';
import { type OutlineSymbol, outline } from '../../core/grammar/service/outline';
import { feature } from '../feature';
import type { GrammarText } from '../grammars';
import { baseName } from '../uris';

const KINDS: Readonly<Record<OutlineSymbol['kind'], SymbolKind>> = {
  rule: SymbolKind.Function,
  template: SymbolKind.Function,
  terminal: SymbolKind.Constant,
  declared: SymbolKind.Constant,
  import: SymbolKind.Module,
  alias: SymbolKind.Property,
};

/** So many symbols are given at once; whoever looks for one types more of its name. */
const MOST_SYMBOLS = 1000;

/** What a grammar defines. Grammars inside JSON stand below the name of their tool. */
export const documentSymbols = feature({
  type: DocumentSymbolRequest.type,
  announce: (capabilities) => {
    capabilities.documentSymbolProvider = true;
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri } }, context): Promise<DocumentSymbol[] | null> {
    const texts = await context.grammars.in(uri);
    if (texts.length === 0) return null;
    return texts.flatMap((text) => {
      const symbols = outline(text.document).map((symbol) => toSymbol(symbol, text));
      if (text.embedded === undefined) return symbols;
      const range = text.lines.range(text.embedded.literal);
      const name = text.tool?.name || 'grammar';
      return [{ name, detail: 'Lark', kind: SymbolKind.Namespace, range, selectionRange: range, children: symbols }];
    });
  },
});

function toSymbol({ name, kind, detail, span, nameSpan, children }: OutlineSymbol, text: GrammarText): DocumentSymbol {
  return {
    name,
    detail,
    kind: KINDS[kind],
    range: text.range(span),
    selectionRange: text.range(nameSpan),
    ...(children.length > 0 ? { children: children.map((child) => toSymbol(child, text)) } : {}),
  };
}

/** Rules and terminals of all grammars of the workspace. */
export const workspaceSymbols = feature({
  type: WorkspaceSymbolRequest.type,
  announce: (capabilities) => {
    capabilities.workspaceSymbolProvider = true;
  },
  empty: null,
  about: () => undefined,
  async handle({ query }, context): Promise<WorkspaceSymbol[] | null> {
    const found: WorkspaceSymbol[] = [];
    for (const text of await context.grammars.all()) {
      for (const { name, kind, nameSpan } of outline(text.document)) {
        if (kind === 'import' || !isPartOf(query.toLowerCase(), name.toLowerCase())) continue;
        if (found.length >= MOST_SYMBOLS) return found;
        const containerName = text.tool?.name ?? baseName(text.uri);
        found.push({
          name,
          kind: KINDS[kind],
          containerName,
          location: { uri: text.uri, range: text.range(nameSpan) },
        });
      }
    }
    return found;
  },
});

/** Whether the characters of the one text come in the other, in their order. Editors rank by themselves. */
function isPartOf(query: string, name: string): boolean {
  let at = 0;
  for (const character of name) if (character === query[at]) at++;
  return at >= query.length;
}
