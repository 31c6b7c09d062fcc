import { formatNumber, type Message, t } from '../../text/message';
import type { Span } from '../../text/span';
import { alternatives, expressions, owners } from '../analyse/walk';
import type { Expression, GrammarDocument, GrammarItem } from '../ast';

/** What stands at a place that only llguidance reads, or reads in a way of its own. Messages are Markdown. */
export interface EngineFact {
  readonly span: Span;
  readonly title: Message;
  /** What llguidance 1.9.1 was seen to do with it. */
  readonly facts: readonly Message[];
}

const ONLY = t('Only llguidance reads it, Lark does not.');

/** The construct of the engine at an offset; `undefined` where none stands. */
export function engineFact({ text, items }: GrammarDocument, offset: number): EngineFact | undefined {
  const inside = ({ start, end }: Span): boolean => start <= offset && offset < end;
  const open: GrammarItem[] = [...items];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (!inside(item.span)) continue;
    if (item.kind === 'definition' && item.parametric !== undefined && inside(item.parametric)) {
      return fact(item.parametric, t('**{0}** gives the rule a number of 64 bits.', slice(text, item.parametric)), [
        t('Uses hand it on or change it (`set_bit`, `incr` …), and `%if` asks for it.'),
      ]);
    }
    for (const owner of owners([item])) {
      for (const { alternative } of alternatives(owner.body)) {
        const { condition } = alternative;
        if (condition === undefined || !inside(condition)) continue;
        return fact(condition, t('**%if** keeps this alternative only while the condition holds.'), [
          t('The condition is about the number of the rule: `bit_set`, `is_zeros`, `lt`, `and` …'),
        ]);
      }
      for (const node of expressions(owner.body)) {
        if (!inside(node.span)) continue;
        if (node.kind === 'nested') open.push(...node.items);
        const found = factOf(node, text, inside);
        if (found !== undefined) return found;
      }
    }
  }
  return undefined;
}

function factOf(node: Expression, text: string, inside: (span: Span) => boolean): EngineFact | undefined {
  switch (node.kind) {
    case 'json': {
      const word = { start: node.span.start, end: node.span.start + '%json'.length };
      if (!inside(word)) return undefined;
      return fact(word, t('**%json** A JSON value that a JSON Schema describes.'), [
        t('Properties come in the order of the schema, with blanks between tokens and none around the value.'),
        t(
          'Unknown keywords have no effect; `not`, `if`, `uniqueItems`, `contains`, `propertyNames` are refused, and `oneOf` unless its parts exclude each other.',
        ),
        t('Ignored text is not skipped in front of it nor inside.'),
      ]);
    }
    case 'structuredRegex': {
      const word = { start: node.span.start, end: node.span.start + '%regex'.length };
      if (!inside(word)) return undefined;
      return fact(word, t('**%regex** A part of a given text.'), [
        t(
          'One key: `substring_words`, `substring_chars` or `substring_chunks`. The empty text always matches, and long texts are too much for the lexer.',
        ),
      ]);
    }
    case 'intersection': {
      if (node.operands.some(({ span }) => inside(span))) return undefined;
      return fact(node.span, t('**&** Text that both sides match.'), [
        t('Works on terminals only; each side is a whole sequence, and `&` binds tighter than `|`.'),
      ]);
    }
    case 'negation': {
      const sign = { start: node.span.start, end: node.item.span.start };
      if (!inside(sign)) return undefined;
      return fact(sign, t('**~** Any text that this does not match.'), [
        t('It also takes bytes that are no characters. `/(?s:.*)/ & ~x` stays with text.'),
      ]);
    }
    case 'repeat': {
      if ((node.operator !== '{}' && node.operator !== '~') || !inside(node.operatorSpan)) return undefined;
      return {
        span: node.operatorSpan,
        title: countOf(node, text),
        facts: node.operator === '{}' ? [ONLY] : tilde(node),
      };
    }
    case 'special':
      return fact(node.span, t('**{0}** A token of the model itself, no text.', slice(text, node.span)), [
        t('The name or number must be one of the tokenizer. For plain text write a string.'),
      ]);
    case 'grammarName':
      return fact(node.span, t('**{0}** Another grammar of the same list.', slice(text, node.span)), [
        t('A custom tool has one grammar alone, so it is refused there.'),
      ]);
    case 'reference': {
      if (node.parameter === undefined || !inside(node.parameter)) return undefined;
      return fact(node.parameter, t('**{0}** The number that the rule gets.', slice(text, node.parameter)), []);
    }
    default:
      return undefined;
  }
}

function countOf(node: Extract<Expression, { kind: 'repeat' }>, text: string): Message {
  const sign = slice(text, node.operatorSpan);
  const { least, most, range } = node;
  if (!range) return t('**{0}** Exactly {1} times.', sign, formatNumber(least));
  if (most === undefined) return t('**{0}** {1} times or more.', sign, formatNumber(least));
  return t('**{0}** Between {1} and {2} times.', sign, formatNumber(least), formatNumber(most));
}

function tilde({ range }: Extract<Expression, { kind: 'repeat' }>): Message[] {
  return range ? [t('llguidance before 1.9 refuses `~n..m` without blanks around the dots.')] : [];
}

function fact(span: Span, title: Message, facts: readonly Message[]): EngineFact {
  return { span, title, facts: [...facts, ONLY] };
}

const slice = (text: string, { start, end }: Span): string => text.slice(start, end);
