import type { Span } from '../../text/span';
import type { GrammarDocument, GrammarItem } from '../ast';
import type { Token, TokenKind } from '../lex';
import type { GrammarNames, Occurrence, Role } from '../resolve';

/** Kinds of tokens, in the names of the Language Server Protocol. */
export const TOKEN_TYPES = [
  'function',
  'type',
  'parameter',
  'property',
  'namespace',
  'keyword',
  'modifier',
  'decorator',
  'number',
  'operator',
  'string',
  'regexp',
  'comment',
] as const;

export type TokenType = (typeof TOKEN_TYPES)[number];

/** What is said of a token besides its kind, in the names of the protocol. */
export const TOKEN_MODIFIERS = ['declaration', 'defaultLibrary'] as const;

export type TokenModifier = (typeof TOKEN_MODIFIERS)[number];

/** A part of a grammar with its meaning: rules are functions, terminals are types, names of tree nodes properties. */
export interface SemanticToken {
  readonly span: Span;
  readonly type: TokenType;
  readonly modifiers: readonly TokenModifier[];
}

export interface SemanticTokenOptions {
  /** Only what touches this part of the text. */
  readonly range?: Span;
  /**
   * Literals, comments, numbers and operators too. An editor that colors the text by itself does that finer: escapes
   * inside of literals, parts of regular expressions.
   */
  readonly everything?: boolean;
}

const DECLARES: ReadonlySet<Role> = new Set<Role>([
  'definition',
  'override',
  'extend',
  'declare',
  'import',
  'parameter',
]);

/** Kinds by the sort of token, for what is no name. */
const KEYWORDS: ReadonlyMap<TokenKind, TokenType> = new Map<TokenKind, TokenType>([
  ['directive', 'keyword'],
  ['nested', 'keyword'],
  ['modifiers', 'modifier'],
]);

const OTHERS: ReadonlyMap<TokenKind, TokenType> = new Map<TokenKind, TokenType>([
  ['string', 'string'],
  ['regexp', 'regexp'],
  ['comment', 'comment'],
  ['number', 'number'],
  ['operator', 'operator'],
  ['tilde', 'operator'],
  ['or', 'operator'],
  ['arrow', 'operator'],
  ['dotDot', 'operator'],
  ['and', 'operator'],
]);

/** The meaning of a grammar's tokens in text order, without overlaps; none spans a line end. */
export function semanticTokens(
  document: GrammarDocument,
  names: GrammarNames,
  { range = { start: 0, end: document.text.length }, everything = false }: SemanticTokenOptions = {},
): SemanticToken[] {
  const attributes = attributeSpans(document.items);
  const library = libraryNames(names);
  const found: SemanticToken[] = [];
  const add = (span: Span, type: TokenType, modifiers: readonly TokenModifier[] = []): void => {
    if (span.end > span.start && span.start <= range.end && span.end >= range.start) {
      found.push({ span: { start: span.start, end: span.end }, type, modifiers });
    }
  };
  let at = 0;
  let end = 0;
  for (const token of document.tokens) {
    if (token.start < end) continue;
    const { occurrences } = names;
    while (at < occurrences.length && occurrences[at]!.name.span.start < token.start) at++;
    const occurrence = occurrences[at];
    if (occurrence?.name.span.start === token.start) {
      // A name in mixed case is several tokens.
      end = occurrence.name.span.end;
      add(occurrence.name.span, typeOf(occurrence), modifiersOf(occurrence, library));
      continue;
    }
    if (token.kind === 'rule' && attributes.has(token.start)) add(token, 'decorator');
    else if (token.kind === 'json' || token.kind === 'structuredRegex' || token.kind === 'header') {
      add({ start: token.start, end: keywordEnd(document.text, token) }, 'keyword');
    } else if (token.kind === 'condition') add({ start: token.start, end: token.start + '%if'.length }, 'keyword');
    else {
      const type = KEYWORDS.get(token.kind) ?? (everything ? OTHERS.get(token.kind) : undefined);
      if (type !== undefined) for (const line of linesOf(document.text, token)) add(line, type);
    }
  }
  return found;
}

function typeOf({ role, name, template }: Occurrence): TokenType {
  if (role === 'alias') return 'property';
  if (role === 'module') return 'namespace';
  if (template !== undefined) return 'parameter';
  return name.terminal ? 'type' : 'function';
}

function modifiersOf(
  occurrence: Occurrence,
  library: ReadonlyMap<Occurrence['scope'], ReadonlySet<string>>,
): TokenModifier[] {
  const modifiers: TokenModifier[] = [];
  if (DECLARES.has(occurrence.role)) modifiers.push('declaration');
  const fromLibrary =
    occurrence.role === 'module' || occurrence.role === 'imported'
      ? occurrence.item?.relative === false
      : occurrence.role !== 'alias' &&
        occurrence.template === undefined &&
        library.get(occurrence.scope)?.has(occurrence.name.text) === true;
  if (fromLibrary) modifiers.push('defaultLibrary');
  return modifiers;
}

/** Names that come from Lark's own grammars, by scope. */
function libraryNames(names: GrammarNames): Map<Occurrence['scope'], ReadonlySet<string>> {
  const found = new Map<Occurrence['scope'], ReadonlySet<string>>();
  for (const { scope } of names.occurrences) {
    if (found.has(scope)) continue;
    found.set(scope, new Set(scope.imports.filter(({ relative }) => !relative).map(({ local }) => local.text)));
  }
  return found;
}

/** Where names of attributes start. */
function attributeSpans(items: readonly GrammarItem[]): Set<number> {
  const found = new Set<number>();
  for (const item of items) {
    if (item.kind !== 'definition') continue;
    for (const { nameSpan } of item.attributes) found.add(nameSpan.start);
  }
  return found;
}

function keywordEnd(text: string, { start, end }: Token): number {
  let at = start + 1;
  while (at < end && /[a-z_]/.test(text[at]!)) at++;
  return at;
}

/** The parts of a span on each line, without the line ends. */
function linesOf(text: string, { start, end }: Span): Span[] {
  const part = text.slice(start, end);
  if (!/[\r\n]/.test(part)) return [{ start, end }];
  return [...part.matchAll(/[^\r\n]+/g)].map(({ index, 0: line }) => ({
    start: start + index,
    end: start + index + line.length,
  }));
}
