import { ANY_WORDS, MEANT_TYPES, TYPE_WORDS } from '../../schema/keywords';
import { insertProperties, joinEdits, removeItem, replaceValue } from '../../text/edits';
import type { Fix } from '../../text/finding';
import type { JsonNode } from '../../text/json';
import { nodeSpan } from '../../text/jsonTree';
import { type Message, t } from '../../text/message';
import { didYouMean } from '../../text/words';
import type { ToolDefinition } from '../../tools/model';
import type { Rule, SiteContext } from '../rule';
import { neededMembers } from './common';

/** Gemini writes its own type words in capitals (Gemini API reference, `Type`, 2026); JSON Schema has seven words. */
export const unknownType: Rule = {
  id: 'schema/unknown-type',
  section: 'schema',
  summary: 'A type that JSON Schema does not know',
  levels: { all: 'error' },
  outputSchemas: true,
  site(context) {
    const type = context.site.node.value('type');
    if (type === undefined) return;
    for (const node of type.kind === 'array' ? type.items : [type]) {
      const word = node.string;
      if (word === undefined || TYPE_WORDS.has(word) || isGeminiWord(word, context.tool)) continue;
      const meant = meantType(word);
      context.report({
        node,
        span: nodeSpan(node),
        message: messageOf(word, meant),
        fixes: fixesOf(context, node, meant),
      });
    }
  },
};

const GEMINI_WORDS: ReadonlySet<string> = new Set([...TYPE_WORDS].map((word) => word.toUpperCase()));

function isGeminiWord(word: string, tool: ToolDefinition): boolean {
  return tool.shape === 'gemini' && (GEMINI_WORDS.has(word) || word === 'TYPE_UNSPECIFIED');
}

/** The type that a word stands for: the same in other letters, a word of a programming language, or a slip. */
export function meantType(word: string): string | undefined {
  const plain = word.trim().toLowerCase();
  if (TYPE_WORDS.has(plain)) return plain;
  if (ANY_WORDS.has(plain)) return undefined;
  return MEANT_TYPES.get(plain) ?? didYouMean(plain, TYPE_WORDS);
}

function messageOf(word: string, meant: string | undefined): Message {
  if (meant !== undefined) return t('"{0}" is no type of JSON Schema. Did you mean "{1}"?', word, meant);
  if (ANY_WORDS.has(word.trim().toLowerCase())) {
    return t(
      '"{0}" is no type of JSON Schema. Where every type is allowed, leave "type" out; better list those that are meant.',
      word,
    );
  }
  return t(
    '"{0}" is no type of JSON Schema. The types are string, number, integer, boolean, object, array and null.',
    word,
  );
}

function fixesOf(context: SiteContext, node: JsonNode, meant: string | undefined): Fix[] {
  if (meant === undefined) return [];
  const schema = context.site.node;
  const { text } = context.document;
  return [
    {
      title: t('Change the type to "{0}"', meant),
      safe: false,
      preferred: true,
      kind: 'quickfix',
      edits: () => {
        const type = schema.get('type')!;
        // A list may have the right word already.
        if (type.value?.items.some((item) => item.string === meant)) return removeItem(text, node);
        return joinEdits(
          replaceValue(node, `"${meant}"`),
          insertProperties(text, schema, neededMembers(meant, schema, context), { after: type }),
        );
      },
    },
  ];
}
