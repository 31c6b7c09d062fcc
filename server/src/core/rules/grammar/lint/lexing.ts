import type { Lexeme } from '../../../grammar/analyse/bnf';
import { END } from '../../../grammar/analyse/flow';
import { expressions, owners } from '../../../grammar/analyse/walk';
import type { Alternatives, Expression } from '../../../grammar/ast';
import type { CompiledTerminal } from '../../../grammar/compiled';
import { compareTerminals } from '../../../grammar/lexer/basic';
import { type Language, UNKNOWN } from '../../../grammar/regex/automaton';
import type { RegexNode } from '../../../grammar/regex/tree';
import { t } from '../../../text/message';
import type { Span } from '../../../text/span';
import { fix } from '../fixes';
import { forAll, forEngine, type GrammarContext, type GrammarRule } from '../grammarRule';
import { literals } from '../literalFacts';
import { analysis, MOST_COMPARED, shown } from './analysis';

const WORD = /^[A-Za-z_][A-Za-z0-9_]+$/;
const WORD_PART = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

type FixedText = { readonly text: string; readonly span: Span };

/** The texts of a lexeme that is nothing but fixed texts: a string, or a terminal of strings. */
function fixedTexts(context: GrammarContext, lexeme: Lexeme): readonly FixedText[] | undefined {
  return context.memo(allFixedTexts)[lexeme.id];
}

function allFixedTexts(context: GrammarContext): readonly (readonly FixedText[] | undefined)[] {
  return context.memo(analysis).bnf.lexemes.map((lexeme) => textsOf(context, lexeme));
}

function textsOf(context: GrammarContext, lexeme: Lexeme): readonly FixedText[] | undefined {
  const { rust, names } = context.memo(analysis);
  const of = (expression: Expression): { text: string; span: Span }[] | undefined => {
    if (expression.kind !== 'string' || expression.raw.endsWith('i')) return undefined;
    const text = rust.stringText(expression.raw);
    return text === undefined ? undefined : [{ text, span: expression.span }];
  };
  const body = (alternatives: Alternatives): { text: string; span: Span }[] | undefined => {
    const all = alternatives.items.map(({ items }) => (items.length === 1 ? of(items[0]!) : undefined));
    return all.includes(undefined) ? undefined : all.flatMap((each) => each!);
  };
  if (lexeme.expression !== undefined) return of(lexeme.expression);
  const definition = lexeme.name === undefined ? undefined : names.symbols.get(lexeme.name)?.definition;
  return definition === undefined || !definition.name.terminal ? undefined : body(definition.body);
}

export const keywordOverlap: GrammarRule = {
  id: 'grammar/keyword-overlap',
  section: 'grammar',
  summary: 'A keyword and what follows it match with no space between',
  levels: forAll('warning'),
  check(context) {
    const { bnf, flow, rust, occurrences } = context.memo(analysis);
    const going = firstOfEach((after) => {
      for (const id of after) {
        const next = id === END ? undefined : bnf.lexemes[id]!;
        if (next === undefined || fixedTexts(context, next) !== undefined) continue;
        const language = rust.lexeme(next);
        const firsts = language === undefined ? UNKNOWN : rust.of.firstCharacters(language);
        const c = firsts === UNKNOWN ? undefined : wordStart(firsts);
        if (c !== undefined) return { next, c };
      }
      return undefined;
    });
    for (const lexeme of bnf.lexemes) {
      const word = fixedTexts(context, lexeme)?.find(({ text }) => WORD.test(text));
      if (word === undefined || occurrences[lexeme.id]!.length === 0) continue;
      const onward = going(flow.after[lexeme.id]!);
      if (onward !== undefined) {
        const { next, c } = onward;
        context.report({
          span: lexeme.expression === undefined ? word.span : occurrences[lexeme.id]![0]!.span,
          message: t(
            '`{0}` matches with no space between {1} and {2}. Require a separator, such as a terminal for spaces.',
            word.text + c,
            lexeme.label,
            next.label,
          ),
          related: [{ span: next.span, message: t('This can follow directly.') }],
        });
      }
    }
  },
};

/** Many lexemes have the same ones behind them, in one set: what is looked for there is found once. */
function firstOfEach<T>(find: (after: ReadonlySet<number>) => T): (after: ReadonlySet<number>) => T {
  const known = new Map<ReadonlySet<number>, T>();
  return (after) => {
    if (!known.has(after)) known.set(after, find(after));
    return known.get(after) as T;
  };
}

/** A letter or digit out of a set. */
function wordStart(set: readonly number[]): string | undefined {
  const wanted = [0x78, 0x61, 0x58, 0x41, 0x30];
  for (const code of wanted) {
    for (let i = 0; i < set.length; i += 2)
      if (set[i]! <= code && code <= set[i + 1]!) return String.fromCharCode(code);
  }
  for (let i = 0; i < set.length; i += 2) {
    for (let j = 0; j < WORD_PART.length; j += 2) {
      const first = Math.max(set[i]!, WORD_PART[j]!);
      if (first <= Math.min(set[i + 1]!, WORD_PART[j + 1]!)) return String.fromCharCode(first);
    }
  }
  return undefined;
}

export const whitespaceMissing: GrammarRule = {
  id: 'grammar/whitespace-missing',
  section: 'grammar',
  summary: 'Nothing allows a space between two words',
  levels: forAll('info'),
  check(context) {
    const { bnf, flow, rust, occurrences } = context.memo(analysis);
    if (context.document.items.some((item) => item.kind === 'ignore')) return;
    const space = rust.of.ofText(' ');
    if (space === UNKNOWN) return;
    const wordBehind = firstOfEach((after) => {
      for (const id of after) {
        const next = id === END ? undefined : bnf.lexemes[id]!;
        const language = next === undefined ? undefined : rust.lexeme(next);
        const firsts = language === undefined ? UNKNOWN : rust.of.firstCharacters(language);
        if (next === undefined || firsts === UNKNOWN || wordStart(firsts) === undefined) continue;
        // It may begin with a space itself.
        if (!firsts.some((first, i) => i % 2 === 0 && first <= 0x20 && 0x20 <= firsts[i + 1]!)) return next;
      }
      return undefined;
    });
    for (const lexeme of bnf.lexemes) {
      const word = fixedTexts(context, lexeme)?.find(({ text }) => WORD.test(text));
      if (word === undefined || occurrences[lexeme.id]!.length === 0) continue;
      const next = wordBehind(flow.after[lexeme.id]!);
      if (next === undefined) continue;
      context.report({
        span: occurrences[lexeme.id]![0]!.span,
        message: t('Nothing allows a space between {0} and {1}.', lexeme.label, next.label),
      });
    }
  },
};

export const duplicateTerminal: GrammarRule = {
  id: 'grammar/duplicate-terminal',
  section: 'grammar',
  summary: 'Two terminals match the same texts',
  levels: { lark: 'warning' },
  check(context) {
    for (const { first, second } of context.memo(equalTerminals)) {
      context.report({
        span: second.span,
        message: t(
          '`{0}` matches the same texts as `{1}`, so a lexer always reports one of them. llguidance tries both.',
          second.name,
          first.name,
        ),
        related: [{ span: first.span, message: t('`{0}` is defined here.', first.name) }],
      });
    }
  },
};

interface Named {
  readonly name: string;
  readonly span: Span;
  readonly language: Language;
}

/** Named terminals that rules use, with their languages as Lark reads them, in text order. */
function namedTerminals(context: GrammarContext): Named[] {
  const { bnf, names, python, occurrences } = context.memo(analysis);
  const used = bnf.lexemes.flatMap((lexeme) => {
    const symbol = lexeme.name === undefined ? undefined : names.symbols.get(lexeme.name);
    return symbol === undefined || occurrences[lexeme.id]!.length === 0 ? [] : [{ lexeme, symbol }];
  });
  const found: Named[] = [];
  // One alone is compared with nothing.
  if (used.length < 2) return found;
  for (const { lexeme, symbol } of used.sort((a, b) => a.symbol.span.start - b.symbol.span.start)) {
    if (found.length === MOST_COMPARED) break;
    const language = python.lexeme(lexeme);
    if (language !== undefined) found.push({ name: symbol.name, span: symbol.span, language });
  }
  return found;
}

function equalTerminals(context: GrammarContext): { first: Named; second: Named }[] {
  const { python } = context.memo(analysis);
  const named = namedTerminals(context);
  const found: { first: Named; second: Named }[] = [];
  named.forEach((second, i) => {
    const first = named.slice(0, i).find(({ language }) => {
      if (language.term === second.language.term) return true;
      if (!sameStart(context, language, second.language)) return false;
      return (
        python.of.counterExample(language, second.language) === undefined &&
        python.of.counterExample(second.language, language) === undefined
      );
    });
    if (first !== undefined) found.push({ first, second });
  });
  return found;
}

function sameStart(context: GrammarContext, a: Language, b: Language): boolean {
  const { python } = context.memo(analysis);
  const first = python.of.firstCharacters(a);
  const second = python.of.firstCharacters(b);
  return (
    first !== UNKNOWN && second !== UNKNOWN && first.length === second.length && first.every((c, i) => c === second[i])
  );
}

export const terminalShadowed: GrammarRule = {
  id: 'grammar/terminal-shadowed',
  section: 'grammar',
  summary: 'A terminal comes first in the lexer and matches every text of another',
  levels: { lark: 'warning' },
  check(context) {
    const { grammar } = context.loaded;
    if (!context.on('lark') || grammar === undefined || grammar.terminals.length > MOST_COMPARED) return;
    const { python, bnf, flow } = context.memo(analysis);
    if (bnf.start === undefined) return;
    const places = [flow.atStart, ...flow.after];
    const equal = new Set(
      context
        .memo(equalTerminals)
        .flatMap(({ first, second }) => [`${first.name} ${second.name}`, `${second.name} ${first.name}`]),
    );
    const ordered = grammar.terminals.filter(({ declared }) => !declared).sort(compareTerminals);
    const languages = new Map<CompiledTerminal, Language | undefined>();
    const byLabel = new Map(bnf.lexemes.map((lexeme) => [lexeme.label, lexeme] as const));
    const lexemeOf = ({ name, pattern: { raw } }: CompiledTerminal): Lexeme | undefined =>
      byLabel.get(name) ?? (raw === undefined ? undefined : byLabel.get(raw));
    /** The contextual lexer only tries what can stand at a place. */
    const meet = (a: CompiledTerminal, b: CompiledTerminal): boolean => {
      const first = lexemeOf(a)?.id;
      const second = lexemeOf(b)?.id;
      if (first === undefined || second === undefined) return true;
      return places.some((set) => set.has(first) && set.has(second));
    };
    const languageOf = (terminal: CompiledTerminal): Language | undefined => {
      if (!languages.has(terminal)) {
        const lexeme = lexemeOf(terminal);
        languages.set(terminal, lexeme === undefined ? python.named(terminal.name) : python.lexeme(lexeme));
      }
      return languages.get(terminal);
    };
    let compared = 0;
    ordered.forEach((later, i) => {
      if (grammar.ignore.includes(later.name) || later.span === undefined) return;
      for (const earlier of ordered.slice(0, i)) {
        // A fixed text that an expression of equal priority matches is a keyword: it is told apart by its text.
        const keyword =
          later.pattern.kind === 'string' && earlier.pattern.kind === 'regexp' && earlier.priority === later.priority;
        if (keyword || equal.has(`${earlier.name} ${later.name}`) || grammar.ignore.includes(earlier.name)) continue;
        if (later.minWidth > earlier.maxWidth || !meet(earlier, later) || ++compared > 1500) continue;
        const a = languageOf(earlier);
        const b = languageOf(later);
        if (a === undefined || b === undefined || python.of.counterExample(b, a) !== undefined) continue;
        const text = python.of.witness(b);
        if (typeof text !== 'string') continue;
        context.report({
          span: later.span,
          message: t(
            'A lexer can never produce `{0}`: `{1}` comes first and matches every text of it, such as `{2}`.',
            label(later),
            label(earlier),
            shown(text),
          ),
          related:
            earlier.span === undefined ? [] : [{ span: earlier.span, message: t('`{0}` is here.', label(earlier)) }],
        });
        return;
      }
    });
  },
};

function label({ name, pattern }: CompiledTerminal): string {
  return name.startsWith('__') ? (pattern.raw ?? name) : name;
}

export const literalPrefix: GrammarRule = {
  id: 'grammar/literal-prefix',
  section: 'grammar',
  summary: 'A literal is the beginning of another that can stand at the same place',
  levels: forEngine('info'),
  check(context) {
    const { bnf, flow } = context.memo(analysis);
    const strings = bnf.lexemes.flatMap((lexeme) => {
      const texts = lexeme.expression === undefined ? undefined : fixedTexts(context, lexeme);
      return texts === undefined ? [] : [{ lexeme, text: texts[0]!.text }];
    });
    if (strings.length > MOST_COMPARED || bnf.start === undefined) return;
    const places = [flow.atStart, ...flow.after];
    for (const { lexeme: long, text } of strings) {
      const short = strings.find(
        (other) =>
          other.text !== '' &&
          other.text.length < text.length &&
          text.startsWith(other.text) &&
          places.some((set) => set.has(long.id) && set.has(other.lexeme.id)),
      );
      if (short === undefined) continue;
      context.report({
        span: long.span,
        message: t(
          '{0} starts like {1}, which can stand here too; the engine takes the longest match.',
          long.label,
          short.lexeme.label,
        ),
        related: [{ span: short.lexeme.span, message: t('{0} is here.', short.lexeme.label) }],
      });
    }
  },
};

export const literalIsConcatenation: GrammarRule = {
  id: 'grammar/literal-is-concatenation',
  section: 'grammar',
  summary: 'A literal also reads as several terminals in a row',
  levels: forAll('hint'),
  check(context) {
    const { bnf, flow } = context.memo(analysis);
    if (bnf.start === undefined || bnf.lexemes.length > MOST_COMPARED * 2) return;
    const fixed = bnf.lexemes.flatMap((lexeme) => {
      const texts = fixedTexts(context, lexeme);
      return texts === undefined ? [] : [{ lexeme, texts }];
    });
    const places = [flow.atStart, ...flow.after];
    const parts = new FixedParts(fixed);
    for (const { lexeme, texts } of fixed) {
      if (!texts.some(({ text }) => parts.compose(text))) continue;
      // Where the literal can stand, the first of the others must be able to.
      const canStart = (id: number): boolean => places.some((set) => set.has(lexeme.id) && set.has(id));
      for (const { text, span } of texts) {
        const found = text.length < 2 || text.length > 200 ? undefined : split(text, parts, canStart, flow.after);
        if (found === undefined) continue;
        const names = found.map((id) => bnf.lexemes[id]!.label).join(' ');
        context.report({ span, message: t('The same text also reads as {0}.', names) });
      }
    }
  },
};

type FixedLexeme = { readonly lexeme: Lexeme; readonly texts: readonly { readonly text: string }[] };

/** Lexemes of fixed texts by their texts. */
class FixedParts {
  /** By text: the lexemes that have it, as their places in the list, in order. */
  readonly #places = new Map<string, number[]>();
  readonly #lengths: readonly number[];

  constructor(readonly fixed: readonly FixedLexeme[]) {
    fixed.forEach(({ texts }, place) => {
      for (const { text } of texts) {
        const known = this.#places.get(text);
        if (known === undefined) this.#places.set(text, [place]);
        else if (known.at(-1) !== place) known.push(place);
      }
    });
    const lengths = new Set([...this.#places.keys()].map(({ length }) => length));
    lengths.delete(0);
    this.#lengths = [...lengths].sort((a, b) => a - b);
  }

  /** Whether a text begins with a shorter one and ends with one. */
  compose(text: string): boolean {
    const shorter = this.#lengths.filter((length) => length < text.length);
    return (
      shorter.some((length) => this.#places.has(text.slice(0, length))) &&
      shorter.some((length) => this.#places.has(text.slice(text.length - length)))
    );
  }

  /** The lexemes that a text goes on with, each with those of its texts that fit, in the order of the lexemes. */
  at(text: string, at: number): { lexeme: Lexeme; lengths: number[] }[] {
    const found = new Map<number, number[]>();
    for (const length of this.#lengths) {
      if (at + length > text.length || length === text.length) continue;
      for (const place of this.#places.get(text.slice(at, at + length)) ?? []) {
        const known = found.get(place);
        if (known === undefined) found.set(place, [length]);
        else known.push(length);
      }
    }
    const places = [...found].sort(([a], [b]) => a - b);
    return places.map(([place, lengths]) => ({ lexeme: this.fixed[place]!.lexeme, lengths }));
  }
}

/** Lexemes of fixed texts, at least two, that spell a text and can follow each other. */
function split(
  text: string,
  fixed: FixedParts,
  canStart: (id: number) => boolean,
  after: readonly ReadonlySet<number>[],
): number[] | undefined {
  const ways: { id: number; before: number; at: number }[][] = Array.from({ length: text.length + 1 }, () => []);
  for (let at = 0; at < text.length; at++) {
    if (at > 0 && ways[at]!.length === 0) continue;
    for (const { lexeme, lengths } of fixed.at(text, at)) {
      const before = at === 0 ? -1 : ways[at]!.findIndex(({ id }) => after[id]!.has(lexeme.id));
      if (at === 0 ? !canStart(lexeme.id) : before < 0) continue;
      for (const length of lengths) {
        const list = ways[at + length]!;
        if (!list.some(({ id }) => id === lexeme.id)) list.push({ id: lexeme.id, before, at });
      }
    }
  }
  const last = ways[text.length]![0];
  if (last === undefined) return undefined;
  const parts: number[] = [];
  for (let step: typeof last | undefined = last; step !== undefined; ) {
    parts.unshift(step.id);
    step = step.at === 0 ? undefined : ways[step.at]![step.before];
  }
  return parts;
}

export const ignoreInsideTerminal: GrammarRule = {
  id: 'grammar/ignore-inside-terminal',
  section: 'grammar',
  summary: 'What is ignored is not ignored between the parts of a terminal',
  levels: forAll('hint'),
  check(context) {
    const { document } = context;
    if (!document.items.some((item) => item.kind === 'ignore')) return;
    const { names, bnf, occurrences } = context.memo(analysis);
    const used = new Set(bnf.lexemes.filter(({ id }) => occurrences[id]!.length > 0).map(({ name }) => name));
    for (const item of document.items) {
      if (item.kind !== 'definition' || !item.name.terminal || !used.has(item.name.text)) continue;
      for (const { items } of item.body.items) {
        const parts = items.filter((each) => each.kind === 'reference' && names.symbols.has(each.name.text));
        if (parts.length < 2 || items.length !== parts.length) continue;
        const [first, second] = parts as [Expression & { kind: 'reference' }, Expression & { kind: 'reference' }];
        const rule = item.name.text.toLowerCase();
        context.report({
          span: first.span,
          message: t(
            'Between `{0}` and `{1}` nothing is skipped, because a terminal is read in one piece. As a rule, `{2}`, it would be.',
            first.name.text,
            second.name.text,
            rule,
          ),
        });
        break;
      }
    }
  },
};

export const ignoreEdges: GrammarRule = {
  id: 'grammar/ignore-edges',
  section: 'grammar',
  summary: 'The engine skips nothing at the beginning of the text',
  levels: forEngine('info'),
  check({ document, slice, report }) {
    const first = document.items.find((item) => item.kind === 'ignore');
    const initial = document.items.some(
      (item) => item.kind === 'header' && slice(item.valueSpan).includes('allow_initial_skip'),
    );
    if (first?.kind !== 'ignore' || initial) return;
    report({
      span: first.directiveSpan,
      message: t(
        'The engine skips nothing in front of the first terminal, and behind the last one only while the grammar can go on. Lark does both.',
      ),
    });
  },
};

/** Repetitions without an upper bound in a body, at what they repeat. */
function unbounded(body: Alternatives): Span[] {
  return expressions(body).flatMap((node) => {
    const endless =
      node.kind === 'repeat' &&
      node.most === undefined &&
      (node.range || node.operator === '*' || node.operator === '+');
    return endless ? [node.span] : [];
  });
}

export const unboundedRepetition: GrammarRule = {
  id: 'grammar/unbounded-repetition',
  section: 'grammar',
  summary: 'A repetition without an upper bound',
  levels: { openai: 'hint' },
  check(context) {
    if (!context.on('openai')) return;
    const message = t(
      'Nothing bounds this repetition; OpenAI advises an upper bound, so that the model comes to an end.',
    );
    for (const owner of owners(context.document.items)) {
      if (owner.kind === 'ignore') continue;
      for (const span of unbounded(owner.body)) context.report({ span, message });
    }
    for (const { node, rust, offset } of context.memo(literals).regexes) {
      if (rust.tree === undefined || isIgnored(context, node.span)) continue;
      for (const each of endlessRepeats(rust.tree.root)) {
        context.report({ span: { start: offset + each.start, end: offset + each.end }, message });
      }
    }
  },
};

function isIgnored({ document }: GrammarContext, span: Span): boolean {
  return document.items.some(
    (item) => item.kind === 'ignore' && item.span.start <= span.start && span.end <= item.span.end,
  );
}

function endlessRepeats(root: RegexNode): Span[] {
  const found: Span[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'repeat') {
      if (node.max === Number.POSITIVE_INFINITY)
        found.push({ start: node.body.span.start, end: node.operatorSpan.end });
      open.push(node.body);
    } else if (node.kind === 'sequence' || node.kind === 'alternation') open.push(...node.items);
    else if (node.kind === 'group') open.push(node.body);
  }
  return found.sort((a, b) => a.start - b.start);
}

export const ignoreOpenEnded: GrammarRule = {
  id: 'grammar/ignore-open-ended',
  section: 'grammar',
  summary: '%ignore without an upper bound',
  levels: { openai: 'warning' },
  check(context) {
    const { rust } = context.memo(analysis);
    if (!context.on('openai')) return;
    for (const item of context.document.items) {
      if (item.kind !== 'ignore') continue;
      const language = rust.body(item.body);
      if (language === undefined || !endless(context, language)) continue;
      context.report({
        span: item.body.span.start < item.body.span.end ? trimmed(context, item.body.span) : item.directiveSpan,
        message: t(
          'What is ignored has no end. OpenAI advises explicit terminals for white space instead, so that the model cannot go on with blanks.',
        ),
      });
    }
  },
};

function trimmed({ slice }: GrammarContext, span: Span): Span {
  const text = slice(span);
  return { start: span.start + (text.length - text.trimStart().length), end: span.start + text.trimEnd().length };
}

/** Whether a language has texts of 100 characters and more. */
function endless(context: GrammarContext, language: Language): boolean {
  return context.memo(analysis).rust.of.hasTextOf(language, 100) === true;
}

export const charRepeat: GrammarRule = {
  id: 'grammar/char-repeat',
  section: 'grammar',
  summary: 'A token of one character is repeated in a rule',
  levels: forAll('warning'),
  check(context) {
    const { rust } = context.memo(analysis);
    const any = rust.of.ofSet([0, 0x10ffff]);
    if (any === UNKNOWN) return;
    for (const owner of owners(context.document.items)) {
      if (owner.kind !== 'definition' || owner.name.terminal) continue;
      for (const node of expressions(owner.body)) {
        if (node.kind !== 'repeat' || (node.operator !== '*' && node.operator !== '+')) continue;
        const { item } = node;
        if (item.kind !== 'regexp' && item.kind !== 'range') continue;
        const language = rust.expression(item);
        if (language === undefined || rust.of.isEmpty(language) !== false) continue;
        if (rust.of.counterExample(language, any) !== undefined) continue;
        const better =
          item.kind === 'regexp' ? `/${context.slice(item.bodySpan)}${node.operator}/${item.flags}` : undefined;
        context.report({
          span: node.span,
          message: t(
            'Each character is a token of its own here: ignored text may stand between them, and it is slow. Repeat inside one terminal.',
          ),
          fixes:
            better === undefined || !simpleSet(context.slice(item.span))
              ? []
              : [fix(t('Write {0}', better), [{ span: node.span, newText: better }])],
        });
      }
    }
  },
};

function simpleSet(raw: string): boolean {
  return /^\/(?:\[(?:\\.|[^\]\\])+\]|\\?.)\/[a-z]*$/.test(raw);
}
