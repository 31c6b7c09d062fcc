import { ENGINE_COMMON_NAMES } from '../../profiles/llguidance';
import type { TextEdit } from '../../text/finding';
import { type Message, t } from '../../text/message';
import type { Span } from '../../text/span';
import type { GrammarDocument } from '../ast';
import { type Token, TRIVIA } from '../lex';
import { LIBRARY_NAMES } from '../libraries';
import type { GrammarNames, Scope } from '../resolve';
import type { GrammarLinks } from '../resolveFiles';
import { definitionSource, scopeAt } from './scopes';
import { ATTRIBUTES, BODY_WORDS, DIRECTIVES, MODIFIERS, type Word } from './words';

export type CompletionKind =
  | 'rule'
  | 'template'
  | 'terminal'
  | 'parameter'
  | 'alias'
  | 'directive'
  | 'attribute'
  | 'modifier'
  | 'module';

/** Something that can stand at the cursor. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** What takes the place of `replace`. */
  readonly insert: string;
  /** `insert` has places to fill in, as in snippets of the Language Server Protocol. */
  readonly snippet: boolean;
  readonly replace: Span;
  /** A few words beside the label. */
  readonly detail: Message | undefined;
  /** Its definition, as written. */
  readonly source: string | undefined;
  /** Lower comes first. */
  readonly rank: number;
  /** Further edits: the import of a terminal that is not imported yet. */
  readonly more: readonly TextEdit[];
}

export interface CompletionOptions {
  /** Names of grammar files beside this one, without extension. */
  readonly modules?: readonly string[];
}

/** Where the cursor stands: what is in front of it in its line or definition. */
interface Place {
  readonly links: GrammarLinks;
  readonly file: string;
  readonly document: GrammarDocument;
  readonly names: GrammarNames;
  readonly scope: Scope;
  /** The word that is being typed, with what follows of it. */
  readonly replace: Span;
  readonly typed: string;
  /** Tokens of the definition or directive up to the word. */
  readonly before: readonly Token[];
}

/**
 * What can stand at an offset of a grammar: names in scope, terminals of `common` with their import, directives and
 * modifiers at the start of a line, modules and their names behind `%import`, names of tree nodes behind `->`,
 * attributes in brackets. Nothing in comments and literals.
 */
export function completions(
  links: GrammarLinks,
  file: string,
  offset: number,
  { modules = [] }: CompletionOptions = {},
): Completion[] {
  const document = links.files.document(file);
  const names = links.names(file);
  if (document === undefined || names === undefined || inLiteral(document, offset)) return [];
  const { text } = document;
  const typed = /%?[A-Za-z0-9_]*$/.exec(text.slice(Math.max(0, offset - 200), offset))![0];
  const start = offset - typed.length;
  const rest = /^[A-Za-z0-9_]*/.exec(text.slice(offset, offset + 200))![0];
  const before = statement(document, start);
  const replace = { start, end: offset + rest.length };
  const place: Place = {
    links,
    file,
    document,
    names,
    scope: scopeAt(document, names, offset),
    replace,
    typed,
    before,
  };
  const first = before[0];
  if (first === undefined) return lineStart(place);
  if (first.kind === 'directive') {
    switch (text.slice(first.start, first.end)) {
      case '%import':
        return imports(place, modules);
      case '%ignore':
        return before.at(-1)!.kind === 'arrow' ? [] : [...scopeNames(place, true), ...libraryNames(place)];
      case '%declare':
        return undefinedNames(place, true).map((name) => nameItem(place, name, 'terminal', 1, undefined));
      default:
        if (before.length === 1) return importedNames(place);
    }
  }
  return definition(place);
}

function inLiteral({ text, tokens }: GrammarDocument, offset: number): boolean {
  return tokens.some(({ kind, start, end, open }) => {
    if (start >= offset) return false;
    if (kind === 'comment') return offset <= end;
    if (kind === 'string' || kind === 'regexp' || kind === 'json' || kind === 'structuredRegex' || kind === 'header') {
      return offset < end || (open === true && offset === end);
    }
    return kind === 'bad' && open === true && /["/]/.test(text[start]!) && offset <= end;
  });
}

/** Tokens of the definition or directive that the offset stands in, up to the offset. */
function statement({ text, tokens }: GrammarDocument, offset: number): Token[] {
  let found: Token[] = [];
  for (const token of tokens) {
    if (token.start >= offset) break;
    if (token.kind === 'newline') {
      if (text.slice(token.start, Math.min(token.end, offset)).includes('\n')) found = [];
    } else if (token.kind === 'nested') found = [];
    else if (token.kind === 'leftBrace' && found.length === 0 && isNestedBrace(tokens, token)) continue;
    else if (!TRIVIA.has(token.kind)) found.push(token);
    else if (found.length > 0 && token.kind === 'comment' && text.slice(token.end, offset).includes('\n')) {
      // The line end behind a comment ends the definition, unless a bar goes on.
      const next = tokens.find((each) => each.start >= token.end && !TRIVIA.has(each.kind));
      if (next !== undefined && next.start >= offset && next.kind !== 'or') found = [];
    }
  }
  return found;
}

function isNestedBrace(tokens: readonly Token[], brace: Token): boolean {
  const index = tokens.indexOf(brace);
  for (let i = index - 1; i >= 0; i--) if (!TRIVIA.has(tokens[i]!.kind)) return tokens[i]!.kind === 'nested';
  return false;
}

function lineStart(place: Place): Completion[] {
  const words = DIRECTIVES.map((word) => wordItem(place, word, 'directive', 2, `${word.text} `));
  if (place.typed.startsWith('%')) return words;
  const missing = undefinedNames(place, undefined).map((name) => {
    const kind = /[A-Z]/.test(name) ? 'terminal' : 'rule';
    return { ...nameItem(place, name, kind, 1, t('used, but not defined yet')), insert: `${name}: ` };
  });
  return [...missing, ...words, ...(place.typed === '' ? modifiers(place) : [])];
}

function modifiers(place: Place): Completion[] {
  return MODIFIERS.map((word) => wordItem(place, word, 'modifier', 3, word.text));
}

function definition(place: Place): Completion[] {
  const { before, document } = place;
  const colon = before.findIndex(({ kind }) => kind === 'colon');
  const name = before.find(({ kind }) => kind === 'rule' || kind === 'terminal');
  const last = before.at(-1)!;
  if (colon < 0) {
    if (isOpen(before, 'leftBracket', 'rightBracket')) return attributes(place, last);
    // Behind `?` or `!` goes the name of a rule.
    if (name !== undefined || last.kind !== 'modifiers') return [];
    return undefinedNames(place, false).map((each) => ({
      ...nameItem(place, each, 'rule', 1, t('used, but not defined yet')),
      insert: `${each}: `,
    }));
  }
  if (last.kind === 'arrow') return aliases(place);
  if (last.kind === 'tilde' || last.kind === 'dotDot') return [];
  if (place.typed.startsWith('%')) {
    const body = name?.kind === 'terminal' ? BODY_WORDS.filter(({ text }) => text === '%regex') : BODY_WORDS;
    return body.map((word) => wordItem(place, word, 'directive', 2, `${word.text} `));
  }
  const own = name === undefined ? undefined : document.text.slice(name.start, name.end);
  const terminalsOnly = name?.kind === 'terminal';
  return [...parameters(place, own), ...scopeNames(place, terminalsOnly, own), ...libraryNames(place)];
}

function isOpen(tokens: readonly Token[], left: Token['kind'], right: Token['kind']): boolean {
  const opens = tokens.findLastIndex(({ kind }) => kind === left);
  return opens >= 0 && tokens.findLastIndex(({ kind }) => kind === right) < opens;
}

function attributes(place: Place, last: Token): Completion[] {
  if (last.kind !== 'leftBracket' && last.kind !== 'comma') return [];
  return ATTRIBUTES.map((word) => {
    const insert = word.value === undefined ? word.text : `${word.text}=${word.value}`;
    return { ...wordItem(place, word, 'attribute', 1, insert), snippet: word.value !== undefined };
  });
}

/** Names of tree nodes that other alternatives have, those of the same rule first. */
function aliases(place: Place): Completion[] {
  const rule = place.document.text.slice(place.before[0]!.start, place.before[0]!.end);
  const found = new Map<string, number>();
  for (const { role, name, scope, container } of place.names.occurrences) {
    if (role !== 'alias' || scope !== place.scope || name.span.start === place.replace.start || name.text === '')
      continue;
    const rank = container?.name.text === rule ? 1 : 2;
    found.set(name.text, Math.min(rank, found.get(name.text) ?? rank));
  }
  return [...found].map(([name, rank]) => nameItem(place, name, 'alias', rank, t('name of a tree node')));
}

function imports(place: Place, modules: readonly string[]): Completion[] {
  const { before, document, scope, links, file } = place;
  const tokens = before.slice(1);
  const last = tokens.at(-1);
  if (tokens.some(({ kind }) => kind === 'arrow')) return [];
  const relative = tokens[0]?.kind === 'dot';
  const paren = tokens.findIndex(({ kind }) => kind === 'leftParen');
  const path = tokens
    .slice(0, paren < 0 ? undefined : paren)
    .filter(({ kind }) => kind === 'rule' || kind === 'terminal')
    .map(({ start, end }) => document.text.slice(start, end));
  if (last === undefined || (relative && path.length === 0 && last.kind === 'dot')) {
    const libraries = relative ? [] : LIBRARY_NAMES.map((name) => moduleItem(place, name, t('comes with Lark'), 1));
    const files = modules.map((name) => moduleItem(place, relative ? name : `.${name}`, t('file beside this one'), 2));
    return [...libraries, ...files];
  }
  const inList = paren >= 0 && !tokens.some(({ kind }) => kind === 'rightParen');
  if (path.length === 0 || (inList ? last.kind !== 'leftParen' && last.kind !== 'comma' : last.kind !== 'dot'))
    return [];
  const target = links.files.resolve({ path: `${path.join('/')}.lark`, relative, from: file });
  const symbols = target === undefined ? undefined : links.names(target)?.root.symbols;
  const taken = new Set(
    scope.imports.filter((each) => each.local.span.start !== place.replace.start).map(({ local }) => local.text),
  );
  return [...(symbols?.values() ?? [])].flatMap((symbol) => {
    if (symbol.definitions.length === 0) return [];
    const kind = symbol.terminal ? 'terminal' : 'rule';
    const detail = taken.has(symbol.name) ? t('imported already') : undefined;
    const source = definitionSource(links, target!, symbol.name);
    return [
      {
        ...nameItem(place, symbol.name, kind, taken.has(symbol.name) ? 3 : helperRank(symbol.name, 1), detail),
        source,
      },
    ];
  });
}

/** Names with an underscore are parts of others, and come behind them. */
function helperRank(name: string, rank: number): number {
  return name.startsWith('_') ? rank + 1 : rank;
}

function moduleItem(place: Place, name: string, detail: Message, rank: number): Completion {
  return { ...nameItem(place, name, 'module', rank, detail), insert: name };
}

/** Names that `%override` and `%extend` can be about. */
function importedNames(place: Place): Completion[] {
  return place.scope.imports.map(({ local }) =>
    nameItem(place, local.text, local.terminal ? 'terminal' : 'rule', 1, t('imported')),
  );
}

function parameters(place: Place, own: string | undefined): Completion[] {
  const found = new Set<string>();
  for (const { role, name, template, scope } of place.names.occurrences) {
    if (role === 'parameter' && scope === place.scope && template?.name.text === own) found.add(name.text);
  }
  return [...found].map((name) => nameItem(place, name, 'parameter', 0, t('parameter')));
}

/** Rules and terminals that are defined, declared or imported. */
function scopeNames(place: Place, terminalsOnly: boolean, own?: string): Completion[] {
  const { links, file, scope, replace } = place;
  return [...scope.symbols.values()].flatMap((symbol) => {
    if (terminalsOnly && !symbol.terminal) return [];
    // A terminal cannot use itself; and the word that is being typed is no name yet.
    if (symbol.terminal && symbol.name === own) return [];
    const places = symbol.definitions.filter(({ name }) => name.span.start !== replace.start);
    const first = places[0];
    if (first === undefined) return [];
    const template = first.container?.parameters;
    const kind = symbol.terminal ? 'terminal' : template === undefined ? 'rule' : 'template';
    const source = definitionSource(links, file, symbol.name, scope);
    const item = { ...nameItem(place, symbol.name, kind, 1, roleDetail(first.role)), source };
    if (template === undefined) return [item];
    const fields = template.map(({ text }, i) => `\${${i + 1}:${text}}`).join(', ');
    return [{ ...item, insert: `${symbol.name}{${fields}}`, snippet: true }];
  });
}

function roleDetail(role: string): Message | undefined {
  if (role === 'import') return t('imported');
  return role === 'declare' ? t('declared') : undefined;
}

/** Terminals of `common` that are not imported yet; taking one adds the import. Both dialects know these. */
function libraryNames(place: Place): Completion[] {
  const { document, scope, links, file } = place;
  if (scope !== place.names.root) return [];
  const target = links.files.resolve({ path: 'common.lark', relative: false, from: file });
  return ENGINE_COMMON_NAMES.flatMap((name) => {
    if (scope.symbols.has(name) && scope.symbols.get(name)!.definitions.length > 0) return [];
    const more = [importEdit(document, name)];
    const source = target === undefined ? undefined : definitionSource(links, target, name);
    return [
      { ...nameItem(place, name, 'terminal', helperRank(name, 2), t('from common, adds the import')), source, more },
    ];
  });
}

/** The edit that imports a terminal of `common`: below the last import, else above the first item. */
function importEdit({ text, items }: GrammarDocument, name: string): TextEdit {
  const line = `%import common.${name}`;
  const newline = /\r?\n/.exec(text)?.[0] ?? '\n';
  const last = items.findLast(({ kind }) => kind === 'import');
  if (last !== undefined) {
    return { span: { start: last.span.end, end: last.span.end }, newText: `${newline}${line}` };
  }
  const start = items[0]?.span.start ?? 0;
  return { span: { start, end: start }, newText: `${line}${newline}` };
}

/** Names that are used and not defined. */
function undefinedNames(place: Place, terminal: boolean | undefined): string[] {
  return [...place.scope.symbols.values()]
    .filter(({ definitions, references, name, terminal: isTerminal }) => {
      if (name === '' || (terminal !== undefined && isTerminal !== terminal)) return false;
      const known = definitions.some(({ name: { span } }) => span.start !== place.replace.start);
      return !known && references.some(({ name: { span } }) => span.start !== place.replace.start);
    })
    .map(({ name }) => name);
}

function nameItem(
  { replace }: Place,
  label: string,
  kind: CompletionKind,
  rank: number,
  detail: Message | undefined,
): Completion {
  return { label, kind, insert: label, snippet: false, replace, detail, source: undefined, rank, more: [] };
}

function wordItem(place: Place, { text, about }: Word, kind: CompletionKind, rank: number, insert: string): Completion {
  return { ...nameItem(place, text, kind, rank, about), insert };
}
