import { type Message, sentences, t } from '../../text/message';
import { type Span, touches } from '../../text/span';
import { list } from '../../text/words';
import type { GrammarDocument } from '../ast';
import { MAX_WIDTH } from '../compiled';
import { Languages, UNKNOWN } from '../regex/automaton';
import { parsePythonRegex } from '../regex/parsePython';
import type { RegexTree } from '../regex/tree';
import { regexWidth } from '../regex/width';
import type { FilePlace, Occurrence } from '../resolve';
import type { GrammarLinks } from '../resolveFiles';
import { charactersOf, widthOf } from './characters';
import { engineFact } from './engineHover';
import { type Excerpt, excerptOf, textsOf } from './excerpt';
import { callers } from './navigation';
import { definitionOf, sourceOf } from './scopes';
import { treeShapes } from './treeShape';
import { ATTRIBUTES, BODY_WORDS, DIRECTIVES, MODIFIERS, SIGNS, type Word } from './words';

/** What is told about a place of a grammar. Messages are Markdown. */
export interface GrammarHover {
  readonly span: Span;
  /** What stands here and where it is used. */
  readonly title: Message;
  /** The definition as written, unless the place is in it. */
  readonly source: string | undefined;
  readonly rows: readonly { readonly label: Message; readonly text: Message }[];
  /** What the texts are: the shortest ones, or samples. */
  readonly textsTitle: Message;
  /** Texts that it matches, the shortest first. */
  readonly texts: readonly string[];
}

/** Shows a name as a link to a place. */
export type Show = (name: string, place: FilePlace) => string;

const MOST_TEXTS = 3;
const MOST_USERS = 3;
const MOST_SHAPES = 4;

const SAMPLES = t('Sample texts:');
const SHORTEST = t('Shortest texts:');

/** Steps of the automata for one answer: some milliseconds. */
const STEPS = 30_000;

/** What to tell about the name, the expression or the sign at an offset; `undefined` where there is nothing. */
export function grammarHover(links: GrammarLinks, file: string, offset: number, show: Show): GrammarHover | undefined {
  const document = links.files.document(file);
  if (document === undefined) return undefined;
  const occurrence = links.at(file, offset);
  if (occurrence !== undefined) return nameHover(links, file, occurrence, show);
  const engine = engineFact(document, offset);
  if (engine !== undefined) return about(engine.span, sentences(engine.title, ...engine.facts));
  const token = document.tokens.find(({ start, end, kind }) => start <= offset && offset < end && kind !== 'space');
  if (token === undefined) return undefined;
  const text = document.text.slice(token.start, token.end);
  if (token.kind === 'regexp') return regexpHover(document, token);
  const word =
    wordOf(text, token.kind === 'rule' ? ATTRIBUTES : [...DIRECTIVES, ...BODY_WORDS]) ??
    (token.kind === 'modifiers' ? modifierWord(text, offset - token.start) : undefined);
  if (word !== undefined) return about({ start: token.start, end: token.end }, wordTitle(word));
  const sign = token.kind === 'operator' || token.kind === 'arrow' ? SIGNS.get(text) : undefined;
  return sign === undefined ? undefined : about({ start: token.start, end: token.end }, sign);
}

function about(span: Span, title: Message): GrammarHover {
  return { span, title, source: undefined, rows: [], textsTitle: SAMPLES, texts: [] };
}

function wordOf(text: string, words: readonly Word[]): Word | undefined {
  const name = /^%[a-z]+|^[a-z_]+/.exec(text)?.[0];
  return words.find((word) => word.text === name);
}

function modifierWord(text: string, at: number): Word | undefined {
  return MODIFIERS.find((word) => word.text === text[at]);
}

function wordTitle({ text, about: what, only }: Word): Message {
  if (only === 'lark') return t('**{0}** {1} llguidance and so the provider refuse it.', text, what);
  if (only === 'llguidance') return t('**{0}** {1} Only llguidance reads it, Lark does not.', text, what);
  return t('**{0}** {1}', text, what);
}

function nameHover(links: GrammarLinks, file: string, occurrence: Occurrence, show: Show): GrammarHover | undefined {
  const { role, name, template, container, item, scope } = occurrence;
  const { span } = name;
  if (name.text === '') return undefined;
  if (role === 'alias') {
    return about(
      span,
      t('**{0}** names the tree node of this alternative of {1}.', name.text, container?.name.text ?? ''),
    );
  }
  if (role === 'module') {
    return item?.relative === true
      ? about(span, t('**{0}** is a part of the path to another grammar file.', name.text))
      : about(span, t('**{0}** is a grammar that comes with Lark.', name.text));
  }
  if (template !== undefined) {
    return about(span, t('**{0}** is a parameter of the template {1}.', name.text, template.name.text));
  }
  const imported = scope.imports.find((each) => each.local === name || each.name === name);
  const target = role === 'imported' ? importedTarget(links, file, occurrence) : { file, name: name.text, scope };
  const found = target === undefined ? undefined : definitionOf(links, target.file, target.name, target.scope);
  if (found === undefined) {
    if (role === 'declare') return about(span, t('**{0}** is declared: code makes its tokens.', name.text));
    if (imported !== undefined) return about(span, t('**{0}** is imported from {1}.', name.text, imported.path));
    const known = scope.symbols.get(name.text)?.definitions.length ?? 0;
    return known > 0 ? undefined : about(span, t('**{0}** is not defined.', name.text));
  }
  const { definition } = found;
  const text = links.files.document(found.file)!.text;
  const inside = found.file === file && touches(definition.span, span.start);
  const excerpt = excerptOf(links, target!.file, target!.scope, target!.name);
  return {
    span,
    title: title(links, found, show),
    source: inside ? undefined : sourceOf(text, definition),
    rows: [...terminalRows(excerpt), ...treeRows(text, definition)],
    textsTitle: definition.name.terminal ? SAMPLES : SHORTEST,
    texts: excerpt === undefined ? [] : textsOf(excerpt, MOST_TEXTS),
  };
}

function importedTarget(links: GrammarLinks, file: string, { name, item, scope }: Occurrence) {
  const imported = scope.imports.find((each) => each.item === item && each.name === name);
  const target = imported && links.files.resolve({ path: imported.path, relative: imported.relative, from: file });
  const root = target === undefined ? undefined : links.names(target)?.root;
  return target === undefined || root === undefined ? undefined : { file: target, name: name.text, scope: root };
}

function title(
  links: GrammarLinks,
  { file, definition }: NonNullable<ReturnType<typeof definitionOf>>,
  show: Show,
): Message {
  const { name, parameters } = definition;
  const kind = name.terminal ? t('terminal') : parameters === undefined ? t('rule') : t('template');
  const item = { file, name: name.text, terminal: name.terminal, span: definition.span, nameSpan: name.span };
  const users = callers(links, item).filter(
    ({ item: user }) => user.nameSpan.start !== name.span.start || user.file !== file,
  );
  const shown = users.map(({ item: user }) => show(user.name, { file: user.file, span: user.nameSpan }));
  if (shown.length > 0) return t('**{0}** {1}, used in {2}.', name.text, kind, list(shown, MOST_USERS));
  return name.text === 'start'
    ? t('**{0}** {1}, where reading starts.', name.text, kind)
    : t('**{0}** {1}.', name.text, kind);
}

function terminalRows(excerpt: Excerpt | undefined): GrammarHover['rows'] {
  const terminal = excerpt?.terminal;
  if (terminal === undefined || terminal.declared) return [];
  const rows = [{ label: t('Length'), text: widthOf(terminal.minWidth, terminal.maxWidth, MAX_WIDTH) }];
  const { tree } = parsePythonRegex(terminal.regexp);
  return tree === undefined ? rows : [...rows, ...startRows(tree)];
}

/** What a text of an expression can start with. */
function startRows(tree: RegexTree): GrammarHover['rows'] {
  const languages = new Languages({ steps: STEPS });
  const language = languages.ofTree(tree);
  const first = language === UNKNOWN ? UNKNOWN : languages.firstCharacters(language);
  return first === UNKNOWN || first.length === 0 ? [] : [{ label: t('Starts with'), text: charactersOf(first) }];
}

function treeRows(
  text: string,
  definition: NonNullable<ReturnType<typeof definitionOf>>['definition'],
): GrammarHover['rows'] {
  const { name, modifiers } = definition;
  if (name.terminal) return [];
  if (name.text.startsWith('_')) return [{ label: t('Tree'), text: t('no node: its children go into the parent') }];
  const shapes = treeShapes(text, definition);
  const shown = list(
    shapes.map((shape) => code(shape)),
    MOST_SHAPES,
  );
  const single = modifiers.includes('?') ? t('{0}; a single child takes its place', shown) : shown;
  return [{ label: t('Tree'), text: single }];
}

/** A text as code in Markdown. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + space + text + space + fence;
}

function regexpHover(document: GrammarDocument, span: Span): GrammarHover | undefined {
  const [, body, flags] = /^\/(.*)\/([a-z]*)$/s.exec(document.text.slice(span.start, span.end)) ?? [];
  if (body === undefined || flags === undefined) return undefined;
  const result = parsePythonRegex(body.replaceAll('\\/', '/'), flags.replace('l', ''));
  if (result.tree === undefined) return undefined;
  const { min, max } = regexWidth(result.tree);
  const languages = new Languages({ steps: STEPS });
  const language = languages.ofTree(result.tree);
  const texts = language === UNKNOWN ? UNKNOWN : languages.samples(language, { count: MOST_TEXTS });
  return {
    span: { start: span.start, end: span.end },
    title: t('Regular expression.'),
    source: undefined,
    rows: [{ label: t('Length'), text: widthOf(min, max, MAX_WIDTH) }, ...startRows(result.tree)],
    textsTitle: SAMPLES,
    texts: texts === UNKNOWN ? [] : texts.filter((text) => text !== ''),
  };
}
