import {
  type CompletionItem,
  CompletionItemKind,
  CompletionRequest,
  InsertTextFormat,
  MarkupKind,
} from 'vscode-languageserver';
import { type Completion, type CompletionKind, completions } from '../../core/grammar/service/completion';
import { plain } from '../convert';
import { feature } from '../feature';
import type { GrammarText } from '../grammars';
import { completeSample } from '../sampleAssist';

const KINDS: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  rule: CompletionItemKind.Function,
  template: CompletionItemKind.Function,
  terminal: CompletionItemKind.Constant,
  parameter: CompletionItemKind.Variable,
  alias: CompletionItemKind.Property,
  directive: CompletionItemKind.Keyword,
  attribute: CompletionItemKind.Property,
  modifier: CompletionItemKind.Operator,
  module: CompletionItemKind.Module,
};

/** What begins keys and values of JSON, and is nothing that a grammar goes on with. */
const IN_JSON: ReadonlySet<string> = new Set(['"', ':']);

/** What can stand at the cursor in a grammar or in a samples file. Elsewhere in JSON there is nothing of ours. */
export const completion = feature({
  type: CompletionRequest.type,
  announce: (capabilities) => {
    capabilities.completionProvider = { triggerCharacters: ['%', '.', '>', '[', '"', ':'], resolveProvider: false };
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri }, position, context: asked }, context): Promise<CompletionItem[] | null> {
    if (context.samples.isFile(uri)) return completeSample(uri, position, context);
    if (IN_JSON.has(asked?.triggerCharacter ?? '')) return null;
    const place = await context.grammars.at(uri, position);
    if (place === undefined) return null;
    const { text, offset, links } = place;
    const snippets = context.client.capabilities.textDocument?.completion?.completionItem?.snippetSupport === true;
    const modules = await context.grammars.beside(uri);
    const found = completions(links, text.id, offset, { modules });
    return found.map((each) => toItem(each, text, snippets));
  },
});

function toItem(item: Completion, text: GrammarText, snippets: boolean): CompletionItem {
  const { label, kind, snippet, detail, source, rank, more } = item;
  // Without snippets the places to fill in stay empty, or keep their names.
  const insert = snippet && !snippets ? item.insert.replace(/\$\{\d+:([^}]*)\}|\$\d+/g, '$1') : item.insert;
  const newText = text.embedded === undefined ? insert : text.embedded.escape(insert);
  return {
    label,
    kind: KINDS[kind],
    sortText: `${rank} ${label}`,
    filterText: label,
    textEdit: { range: text.range(item.replace), newText },
    insertTextFormat: snippet && snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    ...(detail === undefined ? {} : { detail: plain(detail) }),
    ...(source === undefined
      ? {}
      : { documentation: { kind: MarkupKind.Markdown, value: `\`\`\`lark\n${source}\n\`\`\`` } }),
    ...(more.length > 0 ? { additionalTextEdits: text.edits(more) } : {}),
  };
}
