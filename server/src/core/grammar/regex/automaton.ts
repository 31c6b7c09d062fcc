import { buildTerm, NotRegular } from './buildTerm';
import { type CharSet, has, intersect, memberAt, sample, single, size, subtract, unionAll } from './charSet';
import { type Context, Derivatives, partition } from './derivative';
import { literalSet } from './pythonCase';
import { foldedSet } from './rustCase';
import { OverBudget, type Term, Terms } from './terms';
import type { RegexDialect, RegexNode, RegexTree } from './tree';

/** The answer is not known: the question needs more work than allowed, or the expression is not regular. */
export const UNKNOWN: unique symbol = Symbol('unknown');
export type Unknown = typeof UNKNOWN;

/** A set of texts. Made and asked by one `Languages`. */
export interface Language {
  readonly term: Term;
  /** How many characters back something looks, and at which sets. */
  readonly lookBack: number;
}

export interface LanguageLimits {
  /** Steps for one question; a step is one formula made or visited. */
  readonly steps?: number;
  /** States that one search visits. */
  readonly states?: number;
}

interface State {
  readonly term: Term;
  readonly context: Context;
  readonly accepting: boolean;
  /** Classes of characters that are told apart here, and where each leads. */
  blocks: readonly CharSet[] | undefined;
  readonly next: (State | undefined)[];
  live: boolean | undefined;
  /** The shortest text that leads to the end, `undefined` within for none. */
  way: { readonly text: string | undefined } | undefined;
  /** Characters that lead on to the end. */
  onward: CharSet | undefined;
  /** The latest answer of `stopsBefore`, and to what. */
  stop: { readonly following: string; readonly text: string | undefined } | undefined;
}

const NOTHING_KNOWN = { way: undefined, onward: undefined, stop: undefined };

const DEFAULT_STEPS = 200_000;
const STEPS_PER_CHARACTER = 16;
const DEFAULT_STATES = 20_000;

/**
 * Sets of texts and questions about them, decided on automata that grow as far as a question needs. A text is
 * matched from end to end with nothing around it; `^`, `$`, look-around and word boundaries are taken so. All
 * questions are bounded and answer `UNKNOWN` beyond. Texts are read as code points.
 */
export class Languages {
  private readonly terms = new Terms();
  private readonly derivatives = new Derivatives(this.terms);
  private readonly states = new Map<string | Term, State>();
  /** Block of each ASCII character, by blocks. */
  private readonly asciiBlocks = new WeakMap<readonly CharSet[], Uint16Array>();
  private readonly steps: number;
  private readonly maxStates: number;
  private lookBack = 0;
  /** Sets that something looks back at; all states tell them apart. */
  private lookBackSets: readonly CharSet[] = [];
  private lookBackBlocks: readonly CharSet[] = [];

  constructor(limits: LanguageLimits = {}) {
    this.steps = limits.steps ?? DEFAULT_STEPS;
    this.maxStates = limits.states ?? DEFAULT_STATES;
  }

  /** How many formulas have been made; they are kept for as long as this is. */
  get size(): number {
    return this.terms.size;
  }

  // ---- Making languages.

  /** What an expression, or a part of it alone, matches; `UNKNOWN` for back-references and the like. */
  ofTree(tree: RegexTree, part: RegexNode = tree.root): Language | Unknown {
    return this.ask(() => {
      const { term, lookBack } = buildTerm(tree, part, this.terms);
      if (lookBack > 0) this.addLookBack(term, lookBack);
      return { term, lookBack };
    });
  }

  /** One text; on wish also in other letter cases, as Python or the given dialect ignores case. */
  ofText(text: string, ignoreCase: boolean | RegexDialect = false): Language | Unknown {
    const setOf = (code: number): CharSet => {
      if (ignoreCase === false) return single(code);
      return ignoreCase !== 'rust' ? literalSet(code, 'unicode') : foldedSet(single(code), false);
    };
    return this.make(() => this.terms.sequence([...text].map((char) => this.terms.set(setOf(char.codePointAt(0)!)))));
  }

  /** One character out of a set. */
  ofSet(set: CharSet): Language | Unknown {
    return this.make(() => this.terms.set(set));
  }

  sequence(parts: readonly Language[]): Language | Unknown {
    return this.make(() => this.terms.sequence(parts.map((part) => part.term)), parts);
  }

  union(parts: readonly Language[]): Language | Unknown {
    return this.make(() => this.terms.or(parts.map((part) => part.term)), parts);
  }

  intersection(parts: readonly Language[]): Language | Unknown {
    return this.make(() => this.terms.and(parts.map((part) => part.term)), parts);
  }

  /** All texts that are not in the language. */
  complement(part: Language): Language | Unknown {
    return this.make(() => this.terms.not(part.term), [part]);
  }

  repeat(part: Language, min: number, max: number): Language | Unknown {
    return this.make(() => this.terms.repeat(part.term, min, max), [part]);
  }

  private make(term: () => Term, parts: readonly Language[] = []): Language | Unknown {
    return this.ask(() => ({ term: term(), lookBack: Math.max(0, ...parts.map((part) => part.lookBack)) }));
  }

  /** Runs a question under the budget; a longer text to read may take more. */
  private ask<T>(question: () => T, text = ''): T | Unknown {
    this.terms.budget = this.steps + text.length * STEPS_PER_CHARACTER;
    try {
      return question();
    } catch (error) {
      if (error instanceof OverBudget || error instanceof NotRegular) return UNKNOWN;
      // A formula can be too deep for the stack; that is a budget too.
      if (error instanceof RangeError) return UNKNOWN;
      throw error;
    } finally {
      this.terms.budget = Number.POSITIVE_INFINITY;
    }
  }

  private addLookBack(term: Term, width: number): void {
    const sets = new Set(this.lookBackSets);
    const seen = new Set<Term>();
    const stack: [Term, boolean][] = [[term, false]];
    for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
      const [each, inside] = entry;
      if (!inside && seen.has(each)) continue;
      seen.add(each);
      if (inside && each.kind === 'set') sets.add(each.set);
      for (const part of each.parts) stack.push([part, inside || each.kind === 'behind']);
    }
    this.lookBackSets = [...sets];
    this.lookBackBlocks = partition(this.lookBackSets, this.terms);
    this.lookBack = Math.max(this.lookBack, width);
    this.states.clear();
  }

  // ---- States.

  private state(term: Term, context: Context): State {
    const key = term.looksBack ? `${term.id}/${context.join()}` : term;
    let state = this.states.get(key);
    if (state === undefined) {
      const accepting = this.derivatives.accepts(term, context);
      state = { term, context, accepting, blocks: undefined, next: [], live: undefined, ...NOTHING_KNOWN };
      this.states.set(key, state);
    }
    return state;
  }

  private initial(language: Language): State {
    return this.state(language.term, []);
  }

  private blocks(state: State): readonly CharSet[] {
    state.blocks ??= this.derivatives.blocks(state.term, state.term.looksBack ? this.lookBackSets : []);
    return state.blocks;
  }

  private follow(state: State, block: number): State {
    let next = state.next[block];
    if (next === undefined) {
      const code = sample(this.blocks(state)[block]!);
      const term = this.derivatives.after(state.term, code, state.context);
      next = this.state(term, term.looksBack ? this.contextAfter(state.context, code) : []);
      state.next[block] = next;
    }
    return next;
  }

  private contextAfter(context: Context, code: number): Context {
    const block = this.lookBackBlocks.find((each) => has(each, code));
    const representative = block === undefined ? code : sample(block);
    return [...context, representative].slice(-this.lookBack);
  }

  private step(state: State, code: number): State {
    const blocks = this.blocks(state);
    let block: number;
    if (code < 128) {
      let table = this.asciiBlocks.get(blocks);
      if (table === undefined) {
        table = Uint16Array.from({ length: 128 }, (_, each) => blocks.findIndex((set) => has(set, each)));
        this.asciiBlocks.set(blocks, table);
      }
      block = table[code]!;
    } else {
      block = blocks.findIndex((set) => has(set, code));
    }
    return this.follow(state, block);
  }

  /** Whether some text leads from here to the end. */
  private isLive(state: State): boolean {
    if (state.live === undefined) {
      if (state.accepting) state.live = true;
      else if (state.term === this.terms.never) state.live = false;
      else state.live = state.term.plain || this.shortest(state) !== undefined;
    }
    return state.live;
  }

  /** The shortest text that leads to the end; of those the one of the most telling characters. */
  private shortest(from: State): string | undefined {
    from.way ??= { text: this.search(from) };
    return from.way.text;
  }

  private search(from: State): string | undefined {
    if (from.accepting) return '';
    const seen = new Map<State, { before: State; code: number } | undefined>([[from, undefined]]);
    const queue = [from];
    for (let i = 0; i < queue.length; i++) {
      const state = queue[i]!;
      if (state.term === this.terms.never || state.live === false) continue;
      const blocks = this.blocks(state);
      for (let block = 0; block < blocks.length; block++) {
        this.terms.spend();
        const next = this.follow(state, block);
        if (seen.has(next)) continue;
        seen.set(next, { before: state, code: sample(blocks[block]!) });
        if (next.accepting) return this.trace(next, seen);
        if (queue.push(next) > this.maxStates) throw new OverBudget();
      }
    }
    for (const state of queue) state.live = false;
    return undefined;
  }

  private trace(last: State, seen: ReadonlyMap<State, { before: State; code: number } | undefined>): string {
    const codes: number[] = [];
    for (let step = seen.get(last); step !== undefined; step = seen.get(step.before)) codes.push(step.code);
    return codes
      .reverse()
      .map((code) => String.fromCodePoint(code))
      .join('');
  }

  // ---- Questions.

  /** Whether the empty text is in the language. */
  isNullable(language: Language): boolean | Unknown {
    return this.ask(() => this.initial(language).accepting);
  }

  isEmpty(language: Language): boolean | Unknown {
    return this.ask(() => !this.isLive(this.initial(language)));
  }

  /** Whether the language has texts of so many characters and more. */
  hasTextOf(language: Language, length: number): boolean | Unknown {
    return this.ask(() => {
      const { term } = language;
      if (term.plain) return this.terms.longest(term) >= length;
      const long = this.terms.repeat(this.terms.any, length, Number.POSITIVE_INFINITY);
      return this.shortest(this.state(this.terms.and([term, long]), [])) !== undefined;
    });
  }

  /** The shortest text of the language; `undefined` for none. The same one every time. */
  witness(language: Language): string | undefined | Unknown {
    return this.ask(() => this.shortest(this.initial(language)));
  }

  /** The shortest text that is in both; `undefined` where they have none in common. */
  common(a: Language, b: Language): string | undefined | Unknown {
    return this.ask(() => this.shortest(this.state(this.terms.and([a.term, b.term]), [])));
  }

  /** The shortest text of `a` that is not in `b`; `undefined` where `a` is a subset. */
  counterExample(a: Language, b: Language): string | undefined | Unknown {
    return this.ask(() => this.shortest(this.state(this.terms.and([a.term, this.terms.not(b.term)]), [])));
  }

  /** Whether the whole text is in the language. */
  matches(language: Language, text: string): boolean | Unknown {
    return this.ask(() => this.run(language, text).accepting, text);
  }

  private run(language: Language, text: string): State {
    let state = this.initial(language);
    for (const char of text) {
      if (state.term === this.terms.never) break;
      this.terms.spend();
      state = this.step(state, char.codePointAt(0)!);
    }
    return state;
  }

  /** Whether the text, or the text and something behind it, is in the language. */
  canBecome(language: Language, text: string): boolean | Unknown {
    return this.ask(() => this.isLive(this.run(language, text)), text);
  }

  /** Whether the text can be made longer and then be in the language. */
  canGrow(language: Language, text: string): boolean | Unknown {
    const next = this.nextCharacters(language, text);
    return next === UNKNOWN ? UNKNOWN : next.length > 0;
  }

  /**
   * The shortest text of the language that can be told to be at its end by one of the characters `following`: no longer
   * text of the language goes on with it. `undefined` where each of them can always belong to a longer text.
   */
  stopsBefore(language: Language, following: CharSet): string | undefined | Unknown {
    return this.ask(() => {
      const start = this.initial(language);
      const key = following.join();
      if (start.stop?.following !== key) start.stop = { following: key, text: this.stop(start, following) };
      return start.stop.text;
    });
  }

  private stop(start: State, following: CharSet): string | undefined {
    const seen = new Map<State, { before: State; code: number } | undefined>([[start, undefined]]);
    const queue = [start];
    for (let i = 0; i < queue.length; i++) {
      const state = queue[i]!;
      if (!this.isLive(state)) continue;
      const blocks = this.blocks(state);
      const live = blocks.flatMap((_, block) => (this.isLive(this.follow(state, block)) ? [block] : []));
      const onward = unionAll(live.map((block) => blocks[block]!));
      if (state.accepting && subtract(following, onward).length > 0) return this.trace(state, seen);
      for (const block of live) {
        this.terms.spend();
        const next = this.follow(state, block);
        if (seen.has(next)) continue;
        seen.set(next, { before: state, code: sample(blocks[block]!) });
        if (queue.push(next) > this.maxStates) throw new OverBudget();
      }
    }
    return undefined;
  }

  /** Characters that a text of the language can start with. */
  firstCharacters(language: Language): CharSet | Unknown {
    return this.nextCharacters(language, '');
  }

  /** Characters that can come behind the text, on the way to a text of the language. */
  nextCharacters(language: Language, text: string): CharSet | Unknown {
    return this.ask(() => {
      const state = this.run(language, text);
      if (state.onward === undefined) {
        const blocks = this.blocks(state);
        state.onward = unionAll(blocks.filter((_, block) => this.isLive(this.follow(state, block))));
      }
      return state.onward;
    }, text);
  }

  /** What completes the text in the shortest way: the empty text where it is in the language already. */
  completion(language: Language, text: string): string | undefined | Unknown {
    return this.ask(() => this.shortest(this.run(language, text)), text);
  }

  /**
   * End (UTF-16 offset) of the longest text of the language that starts at an offset; `undefined` for none. What
   * stands before the offset is not looked at.
   */
  longestMatch(language: Language, text: string, from = 0): number | undefined | Unknown {
    return this.ask(() => {
      let state = this.initial(language);
      let end = state.accepting ? from : undefined;
      for (let i = from; i < text.length && state.term !== this.terms.never; ) {
        const code = text.codePointAt(i)!;
        i += code > 0xffff ? 2 : 1;
        state = this.step(state, code);
        if (state.accepting) end = i;
        else if (state.live === false) break;
      }
      return end;
    }, text);
  }

  /**
   * Texts of the language, all different: the shortest first, then some by chance from the seed. `length` is about
   * how many characters they may have before they are brought to an end.
   */
  samples(language: Language, options: { count: number; seed?: number; length?: number }): readonly string[] | Unknown {
    return this.ask(() => {
      const { count, seed = 1, length = 12 } = options;
      const start = this.initial(language);
      const shortest = this.shortest(start);
      if (shortest === undefined) return [];
      const out = new Set([shortest]);
      const random = generator(seed);
      for (let i = 0; i < count * 8 && out.size < count; i++) out.add(this.wander(start, random, length));
      return [...out].slice(0, count);
    });
  }

  private wander(start: State, random: () => number, length: number): string {
    let state = start;
    let text = '';
    for (let i = 0; i < length; i++) {
      const from = state;
      if (from.accepting && random() < 0.2) return text;
      const blocks = this.blocks(from);
      const ways = blocks.flatMap((_, block) => (this.isLive(this.follow(from, block)) ? [block] : []));
      if (ways.length === 0) return text;
      // The first blocks hold letters and digits.
      const way = ways[Math.floor(random() * random() * ways.length)]!;
      text += String.fromCodePoint(member(blocks[way]!, random));
      state = this.follow(from, way);
    }
    return text + (this.shortest(state) ?? '');
  }
}

const FAMILIAR: readonly CharSet[] = [
  [0x61, 0x7a],
  [0x30, 0x39, 0x41, 0x5a],
  [0x20, 0x7e],
  [0xa1, 0x24f],
];

/** A member of a set by chance, from the most familiar range that has some. */
function member(set: CharSet, random: () => number): number {
  for (const range of FAMILIAR) {
    const some = intersect(set, range);
    if (some.length > 0) return memberAt(some, Math.floor(random() * size(some)));
  }
  return sample(set);
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}
