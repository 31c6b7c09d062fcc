import type { Provider, ProviderGrammar } from '../core/grammar/provider';
import { askOpinion, type OpinionOf, type ProviderOpinion } from '../core/grammar/providerOpinion';
import { DEFAULT_TARGETS, type Target } from '../core/profiles/targets';
import type { ClosableProvider, Io } from './io';
import { plain } from './style';

/** A grammar may take this long to load. */
const MILLISECONDS = 10_000;

/** What the provider's engine says of grammars, asked for before they are checked. The engine starts with the first. */
export class Opinions {
  readonly #known = new Map<string, ProviderOpinion>();
  #engine: ClosableProvider | undefined;
  #missing: string | undefined;

  constructor(readonly io: Io) {}

  /** What is known about a text. */
  readonly of: OpinionOf = (syntax, text) => this.#known.get(`${syntax}\n${text}`);

  /** Asks about grammars that nothing is known of, where the targets are those of the engine. */
  async learn(grammars: readonly ProviderGrammar[], targets: Iterable<Target> = DEFAULT_TARGETS): Promise<void> {
    const on = new Set(targets);
    if (!on.has('openai') && !on.has('llguidance')) return;
    for (const grammar of grammars) {
      if (this.#missing !== undefined || this.of(grammar.syntax, grammar.text) !== undefined) continue;
      this.#engine ??= await this.io.engine();
      const opinion = await askOpinion(this.#noticing(this.#engine), grammar, { milliseconds: MILLISECONDS });
      if (opinion !== undefined) this.#known.set(`${grammar.syntax}\n${grammar.text}`, opinion);
    }
  }

  /** The engine; where it turns out that there is none, that is said once. */
  #noticing(engine: Provider): Provider {
    return {
      ask: async (job, options) => {
        const answer = await engine.ask(job, options);
        if (answer.end.state === 'unavailable' && this.#missing === undefined) {
          this.#missing = answer.end.detail;
          this.io.err(`toolspec: the provider's grammar engine does not run here: ${plain(this.#missing)}\n`);
        }
        return answer;
      },
    };
  }

  async close(): Promise<void> {
    await this.#engine?.close();
  }
}
