import type { GrammarParser } from '../../grammar/engine';
import { generateSentences, type Sentence } from '../../grammar/generate';
import { SeededRandom } from '../../grammar/random';
import { type Message, t } from '../../text/message';
import { writtenName } from '../contractLark';
import { changeText, textChanges } from './changeText';
import type { InputSource, MadeInput } from './model';

/** Sentences by chance at the beginning, and in each further round. */
const FIRST_BY_CHANCE = 60;
const PER_ROUND = 40;
/** Tokens of sentences by chance, round by round. */
const LENGTHS = [12, 20, 35, 8, 60];
/** Rounds without a new sentence after which there is nothing more to make. */
const MOST_EMPTY = 6;
/** Sentences that keep their lines for others. */
const MOST_KEPT = 500;

/**
 * Input out of a grammar: a sentence for each alternative, sentences by chance, and changes of their lines and
 * characters. What Lark cannot load has sentences only as far as the provider's engine made some, and no branches.
 */
export class GrammarInputs implements InputSource {
  readonly names = new Set<string>();
  readonly branches = new Map<string, Message>();
  readonly #random: SeededRandom;
  readonly #kept: string[] = [];
  readonly #texts = new Set<string>();
  #round = 0;
  #empty = 0;

  /**
   * @param parser the grammar as Lark reads it, where Lark accepts it
   * @param made further texts that the grammar accepts
   */
  constructor(
    private readonly parser: GrammarParser | undefined,
    private readonly made: readonly string[],
    private readonly seed: number,
  ) {
    this.#random = new SeededRandom(seed);
  }

  *systematic(): Iterable<MadeInput> {
    if (this.parser !== undefined) {
      const { sentences, unusable } = generateSentences(this.parser, { seed: this.seed, count: FIRST_BY_CHANCE });
      const none = new Set(unusable);
      this.parser.grammar.rules.forEach(({ origin, order, expansion }, rule) => {
        if (none.has(rule)) return;
        const right = expansion.map(({ name }) => writtenName(name)).join(' ');
        const name = writtenName(origin);
        const words = right === '' ? t('{0}: alternative {1}, empty', name, order + 1) : t('{0}: {1}', name, right);
        this.branches.set(String(rule), words);
      });
      for (const sentence of sentences) yield* this.#new(sentence);
    }
    for (const text of this.made) yield* this.#new({ text, rules: new Set() });
  }

  random(): readonly MadeInput[] {
    if (this.parser === undefined || this.#empty >= MOST_EMPTY) return [];
    const length = LENGTHS[this.#round++ % LENGTHS.length]!;
    const options = { seed: this.seed + this.#round * 7919, count: PER_ROUND, length, maxCovering: 0 };
    const out = generateSentences(this.parser, options).sentences.flatMap((sentence) => [...this.#new(sentence)]);
    this.#empty = out.length === 0 ? this.#empty + 1 : 0;
    return out;
  }

  *#new({ text, rules }: Sentence): Iterable<MadeInput> {
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    if (this.#kept.length < MOST_KEPT) this.#kept.push(text);
    yield { text, branches: [...rules].map(String) };
  }

  changes(text: string): Iterable<string> {
    return textChanges(text);
  }

  change(text: string): string {
    return changeText(text, this.#kept, this.#random);
  }
}
