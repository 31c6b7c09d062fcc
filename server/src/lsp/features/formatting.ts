import {
  DocumentFormattingRequest,
  DocumentRangeFormattingRequest,
  type FormattingOptions,
  type TextEdit,
} from 'vscode-languageserver';
import { type FormatOptions, formatGrammar, formatGrammarRange } from '../../core/grammar/format';
import { feature } from '../feature';

// JSON documents have formatters of their own, and an editor asks which one to use where there are two. So these are
// registered for grammar files alone where the client can do that.
const GRAMMAR_FILES = { documentSelector: [{ language: 'lark' }, { pattern: '**/*.lark' }] };

/** Lays a grammar file out. */
export const formatting = feature({
  type: DocumentFormattingRequest.type,
  announce: (capabilities, client) => {
    if (client.textDocument?.formatting?.dynamicRegistration !== true) capabilities.documentFormattingProvider = true;
  },
  register: (client) => (client.textDocument?.formatting?.dynamicRegistration === true ? GRAMMAR_FILES : undefined),
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri }, options }, context): Promise<TextEdit[] | null> {
    if (!context.grammars.isFile(uri)) return null;
    const [text] = await context.grammars.in(uri);
    return text === undefined ? null : text.edits(formatGrammar(text.document, formatOptions(options)));
  },
});

/** Lays the definitions out that a selection touches, also those of a grammar inside JSON. */
export const rangeFormatting = feature({
  type: DocumentRangeFormattingRequest.type,
  announce: (capabilities, client) => {
    if (client.textDocument?.rangeFormatting?.dynamicRegistration !== true) {
      capabilities.documentRangeFormattingProvider = true;
    }
  },
  register: (client) =>
    client.textDocument?.rangeFormatting?.dynamicRegistration === true ? GRAMMAR_FILES : undefined,
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri }, range, options }, context): Promise<TextEdit[] | null> {
    for (const text of await context.grammars.in(uri)) {
      const offsets = [text.lines.offset(range.start), text.lines.offset(range.end)];
      const part = offsets.every((offset) => text.contains(offset)) ? text.part(range) : undefined;
      if (part !== undefined) return text.edits(formatGrammarRange(text.document, part, formatOptions(options)));
    }
    return null;
  },
});

function formatOptions({ tabSize, insertSpaces }: FormattingOptions): FormatOptions {
  return { tabSize, insertSpaces };
}
