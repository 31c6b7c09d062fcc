import { type Bnf, type Lexeme, makeBnf, type Occurrence } from '../../../grammar/analyse/bnf';
import { END, type Flow, flowOf } from '../../../grammar/analyse/flow';
import { TerminalLanguages } from '../../../grammar/analyse/languages';
import type { GrammarNames } from '../../../grammar/analyse/names';
import { expressions } from '../../../grammar/analyse/walk';
import { type Language, UNKNOWN } from '../../../grammar/regex/automaton';
import { type CharSet, unionAll } from '../../../grammar/regex/charSet';
import type { Span } from '../../../text/span';
import type { GrammarContext } from '../grammarRule';
import { grammarNamesOf } from '../names';

/** What lints ask of a grammar. */
export interface Analysis {
  readonly names: GrammarNames;
  readonly bnf: Bnf;
  readonly rust: TerminalLanguages;
  readonly python: TerminalLanguages;
  /** Terminals that can be empty count as left out, as in llguidance. */
  readonly flow: Flow;
  /** By lexeme of `bnf`: it can match nothing, for llguidance. */
  readonly empty: readonly boolean[];
  /** By lexeme of `bnf`: its occurrences that can be reached from the start. */
  readonly occurrences: readonly (readonly Occurrence[])[];
}

/** Grammars with more lexemes than this are not compared pair by pair. */
export const MOST_COMPARED = 80;

/** Alternatives of symbols, both dialects. */
export function bnfOf(context: GrammarContext): Bnf {
  return makeBnf(context.document, context.memo(grammarNamesOf));
}

/** Made once per grammar. */
export function analysis(context: GrammarContext): Analysis {
  const names = context.memo(grammarNamesOf);
  const bnf = context.memo(bnfOf);
  const rust = new TerminalLanguages(context.document, names, 'rust', context.memory);
  const python = new TerminalLanguages(context.document, names, 'python', context.memory);
  const empty = bnf.lexemes.map((lexeme) => rust.isNullable(lexeme));
  const flow = flowOf(bnf, (lexeme) => empty[lexeme]!);
  return { names, bnf, rust, python, flow, empty, occurrences: reachedOccurrences(bnf) };
}

function reachedOccurrences(bnf: Bnf): Occurrence[][] {
  const found: Occurrence[][] = bnf.lexemes.map(() => []);
  if (bnf.start === undefined) return found;
  const reached = new Set([bnf.start.id]);
  for (const id of reached) {
    for (const { symbols } of bnf.nonterminals[id]!.productions) {
      for (const each of symbols) {
        if (each.symbol < 0) reached.add(~each.symbol);
        else found[each.symbol]!.push(each);
      }
    }
  }
  return found;
}

/** The name of the definition that a place lies in. */
export function ownerName({ document }: GrammarContext, span: Span): string | undefined {
  for (const item of document.items) {
    if (item.kind === 'definition' && item.span.start <= span.start && span.end <= item.span.end) return item.name.text;
  }
  return undefined;
}

/** Lexemes that nothing follows but text that they would swallow themselves (llguidance: the longest match, no way back). */
export interface Swallower {
  readonly lexeme: Lexeme;
  /** A text of it. */
  readonly text: string;
  /** What should come next. */
  readonly next: Lexeme;
  /** Only one character is possible each time, so the engine goes on without asking the model. */
  readonly forced: boolean;
}

export function swallowers(context: GrammarContext): readonly Swallower[] {
  const { bnf, rust, flow, occurrences } = context.memo(analysis);
  const skip = rust.skip();
  const skipped = skip === undefined ? [] : rust.of.firstCharacters(skip);
  const ignores = context.document.items.some((item) => item.kind === 'ignore');
  // Where it is not known what is skipped, anything may be.
  if (bnf.incomplete || skipped === UNKNOWN || (ignores && skip === undefined)) return [];
  const found: Swallower[] = [];
  // Many lexemes have the same ones behind them, in one set.
  const known = new Map<ReadonlySet<number>, CharSet | undefined>();
  const followingOf = (after: ReadonlySet<number>): CharSet | undefined => {
    if (known.has(after)) return known.get(after);
    const firsts = [...after].map((id) => {
      const language = id === END ? undefined : rust.lexeme(bnf.lexemes[id]!);
      return language === undefined ? UNKNOWN : rust.of.firstCharacters(language);
    });
    const following = firsts.includes(UNKNOWN) ? undefined : unionAll([...(firsts as CharSet[]), skipped]);
    known.set(after, following);
    return following;
  };
  for (const lexeme of bnf.lexemes) {
    // Nothing goes on with a fixed text.
    if (lexeme.expression?.kind === 'string') continue;
    const after = flow.after[lexeme.id]!;
    if (after.size === 0 || after.has(END) || occurrences[lexeme.id]!.length === 0) continue;
    const language = rust.lexeme(lexeme);
    if (language === undefined || rust.of.isNullable(language) !== false) continue;
    const following = followingOf(after);
    if (following === undefined || following.length === 0) continue;
    if (rust.of.stopsBefore(language, following) !== undefined) continue;
    const [next] = after;
    const text = rust.of.witness(language);
    if (typeof text !== 'string') continue;
    const onward = rust.of.nextCharacters(language, text);
    const forced = onward !== UNKNOWN && onward.length === 2 && onward[0] === onward[1];
    found.push({ lexeme, text, next: bnf.lexemes[next!]!, forced });
  }
  return found;
}

/** Lexemes of rules that the skip takes before the parser sees them, in llguidance's dialect. */
export function alwaysSkipped(context: GrammarContext): ReadonlySet<number> {
  const { bnf, rust, flow, occurrences } = context.memo(analysis);
  const skip = rust.skip();
  const found = new Set<number>();
  if (skip === undefined || bnf.start === undefined) return found;
  const atStart = flow.atStart;
  const initial = skipsInitially(context);
  const spared = behindEmbedded(context.memo(analysis));
  for (const lexeme of bnf.lexemes) {
    // Nothing is skipped in front of the first lexeme.
    if (occurrences[lexeme.id]!.length === 0 || (atStart.has(lexeme.id) && !initial)) continue;
    if (spared.has(lexeme.id)) continue;
    const language = rust.lexeme(lexeme);
    if (language === undefined || rust.of.isNullable(language) !== false) continue;
    if (swallowed(rust, language, skip)) found.add(lexeme.id);
  }
  return found;
}

/**
 * Lexemes that can stand behind a grammar within the grammar (`%json`, `%lark`) where that, or another, may go on: what
 * is skipped there is what that one ignores, not what the grammar around it does (llguidance 1.9.1, observed).
 */
function behindEmbedded({ names, bnf, flow }: Analysis): ReadonlySet<number> {
  const kinds = bnf.lexemes.map((lexeme) => embeddedKind(lexeme, names));
  const found = new Set<number>();
  if (kinds.every((kind) => kind === undefined)) return found;
  const embedded = (id: number): boolean => kinds[id] !== undefined;
  const open = (id: number): boolean => kinds[id] === 'open';
  // A text may be read as one of these and as a lexeme of its own at the same time.
  const beside = new Set<number>();
  const beforeOpen = new Set<number>();
  for (const set of [flow.atStart, ...flow.after]) {
    const ids = [...set];
    if (ids.some(embedded)) for (const id of ids) beside.add(id);
    if (ids.some(open)) for (const id of ids) beforeOpen.add(id);
  }
  for (const id of beside) {
    const after = [...(flow.after[id] ?? [])];
    if (beforeOpen.has(id) || after.some(embedded)) for (const next of after) found.add(next);
  }
  return found;
}

/** A value behind `%json` is `whole` at its end; texts of `%lark` and of other grammars are `open` to more. */
function embeddedKind({ expression, special, label }: Lexeme, names: GrammarNames): 'whole' | 'open' | undefined {
  const definition = special ? names.symbols.get(label)?.definition : undefined;
  const within = definition === undefined ? [expression] : expressions(definition.body);
  const kinds = within.map((each) => each?.kind);
  if (kinds.includes('nested') || kinds.includes('grammarName')) return 'open';
  return kinds.includes('json') ? 'whole' : undefined;
}

/** Whether all texts of a language, and there are some, belong to another. */
export function swallowed({ of }: TerminalLanguages, language: Language, by: Language): boolean {
  // One text that does not belong is found fast and settles most cases.
  const text = of.witness(language);
  if (typeof text !== 'string' || of.matches(by, text) !== true) return false;
  return of.counterExample(language, by) === undefined;
}

function skipsInitially({ document, slice }: GrammarContext): boolean {
  return document.items.some(
    (item) => item.kind === 'header' && /"allow_initial_skip"\s*:\s*true/.test(slice(item.valueSpan)),
  );
}

/** A text as it is shown in a message. */
export function shown(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
}
