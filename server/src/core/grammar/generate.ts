import type { GrammarParser } from './engine';
import { CostQueue, type ShortestDerivations, shortestDerivations } from './parser/shortest';
import type { NumberedGrammar } from './parser/symbols';
import { SeededRandom } from './random';
import { TerminalTexts } from './terminalTexts';

export interface GenerateOptions {
  /** The same seed gives the same sentences. */
  readonly seed?: number;
  /** How many sentences to look for beside those that cover the alternatives. */
  readonly count?: number;
  /** About how many tokens a sentence by chance has at most. */
  readonly length?: number;
  /** Stop looking for alternatives after this many sentences. */
  readonly maxCovering?: number;
}

export interface Sentence {
  readonly text: string;
  /** Numbers of the rules (`CompiledGrammar.rules`) that its tree is made by. */
  readonly rules: ReadonlySet<number>;
}

export interface GeneratedSentences {
  /** Each accepted by the parser. Covering ones first, in the order of the rules. */
  readonly sentences: readonly Sentence[];
  /** Rules that derive no text at all, or stand nowhere in a sentence. */
  readonly unusable: readonly number[];
  /** Rules of which no accepted sentence was found: the lexer or another reading comes first, or a budget was met. */
  readonly uncovered: readonly number[];
}

/** How often a text is looked for with other tokens before it is given up. */
const ATTEMPTS = 6;

/**
 * Sentences of a grammar: first one for each alternative (a shortest context, and the alternative in it), then some by
 * chance. Every sentence is parsed, and only what the parser accepts is given; an alternative counts as covered when
 * the parser's tree uses it.
 */
export function generateSentences(parser: GrammarParser, options: GenerateOptions = {}): GeneratedSentences {
  return new Generator(parser, options).run();
}

class Generator {
  readonly #grammar: NumberedGrammar;
  readonly #shortest: ShortestDerivations;
  readonly #texts: TerminalTexts;
  readonly #random: SeededRandom;
  readonly #found = new Map<string, Sentence>();
  readonly #covered = new Set<number>();
  readonly #tried = new Map<string, ReadonlySet<number> | undefined>();
  /** How each nonterminal is reached from the start: a rule and a place in it. */
  readonly #contextRule: Int32Array;
  readonly #contextPlace: Int32Array;
  readonly #reached: Uint8Array;
  readonly #start: number;
  readonly #gap: readonly string[];

  constructor(
    private readonly parser: GrammarParser,
    private readonly options: GenerateOptions,
  ) {
    const grammar = parser.grammar;
    this.#grammar = grammar;
    this.#shortest = shortestDerivations(grammar);
    this.#random = new SeededRandom(options.seed ?? 1);
    this.#texts = new TerminalTexts(options.seed ?? 1);
    const count = grammar.nonterminalNames.length;
    this.#contextRule = new Int32Array(count).fill(-1);
    this.#contextPlace = new Int32Array(count).fill(-1);
    this.#reached = new Uint8Array(count);
    this.#start = grammar.nonterminalIds.get(grammar.grammar.start[0]!)!;
    this.#findContexts();
    // Ignored text that can stand between two tokens that would otherwise be one.
    this.#gap = grammar.ignore.flatMap((id) => {
      const terminal = grammar.terminals[id];
      return terminal === undefined ? [] : this.#texts.samples(terminal).slice(0, 3);
    });
  }

  run(): GeneratedSentences {
    const { count = 10, maxCovering = 2000 } = this.options;
    const unusable: number[] = [];
    const rules = this.#grammar.rules.length;
    for (let rule = 0; rule < rules; rule++) {
      const usable = this.#reached[this.#grammar.left[rule]!] === 1 && Number.isFinite(this.#shortest.ruleCost[rule]!);
      if (!usable) unusable.push(rule);
      else if (!this.#covered.has(rule) && this.#found.size < maxCovering) this.#cover(rule);
    }
    if (Number.isFinite(this.#shortest.cost[this.#start]!)) {
      const wanted = this.#found.size + count;
      for (let tries = count * 4; tries > 0 && this.#found.size < wanted; tries--) {
        const tokens = this.#derive([this.#grammar.terminalCount + this.#start], this.options.length ?? 30);
        if (tokens !== undefined) this.#tryTokens(tokens, undefined);
      }
    }
    const known = new Set(unusable);
    const uncovered: number[] = [];
    for (let rule = 0; rule < rules; rule++) if (!known.has(rule) && !this.#covered.has(rule)) uncovered.push(rule);
    return { sentences: [...this.#found.values()], unusable, uncovered };
  }

  /** Cheapest ways from the start to each nonterminal. */
  #findContexts(): void {
    const { terminalCount } = this.#grammar;
    const cost = new Float64Array(this.#reached.length).fill(Number.POSITIVE_INFINITY);
    const queue = new CostQueue();
    cost[this.#start] = 0;
    queue.push(this.#start, 0);
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (this.#reached[next] === 1) continue;
      this.#reached[next] = 1;
      for (const rule of this.#grammar.rulesOf[next]!) {
        const whole = this.#shortest.ruleCost[rule]!;
        if (!Number.isFinite(whole)) continue;
        this.#grammar.right[rule]!.forEach((symbol, place) => {
          if (symbol < terminalCount) return;
          const inner = symbol - terminalCount;
          const total = cost[next]! + whole - this.#shortest.cost[inner]!;
          if (this.#reached[inner] === 1 || total >= cost[inner]!) return;
          cost[inner] = total;
          this.#contextRule[inner] = rule;
          this.#contextPlace[inner] = place;
          queue.push(inner, total);
        });
      }
    }
  }

  /** Looks for a sentence that uses a rule: in the shortest context, then with longer parts around it. */
  #cover(rule: number): void {
    for (const length of [0, 0, 12]) {
      const before: number[][] = [];
      const behind: number[][] = [];
      let nonterminal = this.#grammar.left[rule]!;
      while (nonterminal !== this.#start) {
        const context = this.#contextRule[nonterminal]!;
        const symbols = [...this.#grammar.right[context]!];
        const place = this.#contextPlace[nonterminal]!;
        before.push(symbols.slice(0, place));
        behind.push(symbols.slice(place + 1));
        nonterminal = this.#grammar.left[context]!;
      }
      const symbols = [...before.reverse().flat(), ...this.#grammar.right[rule]!, ...behind.flat()];
      const tokens = this.#derive(symbols, length);
      if (tokens !== undefined && this.#tryTokens(tokens, rule)) return;
    }
  }

  /** Terminals of a text of the symbols: by chance as long as there is room, then in the shortest way. */
  #derive(symbols: readonly number[], length: number): number[] | undefined {
    const { terminalCount } = this.#grammar;
    const out: number[] = [];
    const stack = [...symbols].reverse();
    for (let symbol = stack.pop(); symbol !== undefined; symbol = stack.pop()) {
      if (out.length + stack.length > 5000) return undefined;
      if (symbol < terminalCount) {
        out.push(symbol);
        continue;
      }
      const nonterminal = symbol - terminalCount;
      let rule = this.#shortest.rule[nonterminal]!;
      if (out.length + stack.length < length) {
        const choices = this.#grammar.rulesOf[nonterminal]!.filter((each) =>
          Number.isFinite(this.#shortest.ruleCost[each]!),
        );
        rule = this.#random.pick(choices) ?? rule;
      }
      if (rule < 0) return undefined;
      const right = this.#grammar.right[rule]!;
      for (let i = right.length - 1; i >= 0; i--) stack.push(right[i]!);
    }
    return out;
  }

  /** Finds texts for terminals that make an accepted sentence, which uses `rule` if one is asked for. */
  #tryTokens(tokens: readonly number[], rule: number | undefined): boolean {
    let accepted = false;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const parts: string[] = [];
      for (const token of tokens) {
        const terminal = this.#grammar.terminals[token];
        const samples = terminal === undefined ? [] : this.#texts.samples(terminal);
        if (samples.length === 0) return accepted;
        const shortest = attempt === 0 && rule !== undefined;
        parts.push(shortest ? samples[0]! : this.#random.pick(samples)!);
      }
      for (const text of this.#spacings(parts)) {
        const known = this.#found.get(text);
        const used = known?.rules ?? this.#rulesUsed(text);
        if (used === undefined) continue;
        accepted = true;
        if (rule !== undefined && !used.has(rule)) continue;
        if (known === undefined) this.#found.set(text, { text, rules: used });
        for (const each of used) this.#covered.add(each);
        return true;
      }
      if (rule === undefined && accepted) return true;
    }
    return false;
  }

  /** What the parser's tree of a text uses. Each text is parsed once: terminals with one text give it again and again. */
  #rulesUsed(text: string): ReadonlySet<number> | undefined {
    if (this.#tried.has(text)) return this.#tried.get(text);
    const used = this.parser.rulesUsed(text);
    this.#tried.set(text, used);
    return used;
  }

  /** The parts without anything between, with ignored text where two words would touch, and everywhere. */
  #spacings(parts: readonly string[]): readonly string[] {
    const out = new Set([parts.join('')]);
    for (const gap of this.#gap) {
      out.add(parts.reduce((text, part) => (touches(text, part) ? text + gap : text) + part, ''));
      out.add(parts.join(gap));
    }
    return [...out];
  }
}

/** Whether two parts would read as one word. */
function touches(text: string, part: string): boolean {
  return /[\p{L}\p{N}_]$/u.test(text) && /^[\p{L}\p{N}_]/u.test(part);
}

/**
 * Texts that are almost sentences: each differs from a sentence in one place (a character dropped, doubled, put in,
 * changed or swapped, or the end cut off), and the parser refuses it.
 */
export function generateRefused(
  parser: GrammarParser,
  sentences: readonly Sentence[],
  options: { readonly seed?: number; readonly count?: number } = {},
): readonly string[] {
  const { seed = 1, count = 10 } = options;
  const random = new SeededRandom(seed);
  const texts = sentences.map((sentence) => sentence.text);
  const characters = [...new Set([...texts.join(''), '?', '"', '0', 'z'])];
  const out = new Set<string>();
  for (let tries = count * 12; tries > 0 && out.size < count && texts.length > 0; tries--) {
    const text = mutate([...random.pick(texts)!], characters, random);
    if (out.has(text) || texts.includes(text)) continue;
    if (!parser.parse(text, { tree: false }).accepted) out.add(text);
  }
  return [...out];
}

function mutate(text: string[], characters: readonly string[], random: SeededRandom): string {
  const at = random.below(text.length + 1);
  const other = random.pick(characters)!;
  switch (random.below(6)) {
    case 0:
      text.splice(at, 1);
      break;
    case 1:
      if (at < text.length) text.splice(at, 0, text[at]!);
      break;
    case 2:
      text.splice(at, 0, other);
      break;
    case 3:
      text.splice(at, 1, other);
      break;
    case 4:
      if (at + 1 < text.length) [text[at], text[at + 1]] = [text[at + 1]!, text[at]!];
      break;
    default:
      text.length = at;
  }
  return text.join('');
}
