import type { Span } from '../text/span';
import { judgeForEngine } from './dialect/engineCheck';
import type {
  Provider,
  ProviderAnswer,
  ProviderEnd,
  ProviderFailure,
  ProviderGrammar,
  ProviderRefusal,
  ProviderSyntax,
} from './provider';
import { findCulprits, type Retry } from './providerPlace';

/** What the provider's engine says of a grammar as a whole. Spans are UTF-16 offsets in the grammar. */
export type ProviderOpinion =
  | {
      readonly state: 'taken';
      readonly warnings: readonly string[];
      /** It gives up as soon as a text begins. */
      readonly failure?: ProviderFailure & { readonly culprits: readonly Span[] };
    }
  | {
      readonly state: 'refused';
      readonly refusal: ProviderRefusal;
      /** The culprit where our own reading of the engine's dialect has none: from the engine, or found by trying. */
      readonly culprits: readonly Span[];
    }
  /** There is no verdict: it took too long, or the engine broke over the grammar. */
  | {
      readonly state: 'gave-up';
      readonly end: Extract<ProviderEnd, { readonly state: 'timed-out' | 'crashed' }>;
    };

/** What the provider's engine says of a text, as far as it is known. */
export type OpinionOf = (syntax: ProviderSyntax, text: string) => ProviderOpinion | undefined;

export interface OpinionOptions {
  /** Questions with the same key are about versions of one text: a newer one makes the older ones outdated. */
  readonly key?: string;
  /** For the grammar itself; 3,000. */
  readonly milliseconds?: number;
}

/** For one of the changed texts by which a culprit is found; the first one that takes longer ends the search. */
const RETRY_MILLISECONDS = 3_000;

/**
 * Asks the engine about a grammar. `undefined` when a newer question took this one's place, and where there is no engine.
 * A refusal that our own reading of the dialect does not foresee is given a place.
 */
export async function askOpinion(
  provider: Provider,
  grammar: ProviderGrammar,
  options: OpinionOptions = {},
): Promise<ProviderOpinion | undefined> {
  const { end, load, failure } = await provider.ask({ kind: 'load', grammar, begin: true }, options);
  const ask = (text: string): Promise<ProviderAnswer> => {
    const retry = { milliseconds: RETRY_MILLISECONDS, ...(options.key === undefined ? {} : { key: options.key }) };
    return provider.ask({ kind: 'load', grammar: { ...grammar, text }, begin: failure !== undefined }, retry);
  };
  if (load?.ok === true && end.state !== 'outdated') {
    const { warnings } = load;
    // Broken by the first byte. Where that only took too long nothing is known of it.
    if (end.state === 'crashed')
      return { state: 'taken', warnings, failure: { error: end.detail, always: true, culprits: [] } };
    if (failure === undefined) return { state: 'taken', warnings };
    const culprits =
      grammar.syntax === 'regex'
        ? []
        : await findCulprits(grammar.text, failure.error, async (text): Promise<Retry> => {
            const answer = await ask(text);
            if (answer.failure !== undefined) return { message: answer.failure.error };
            return answer.load === undefined ? 'stop' : 'loads';
          });
    return { state: 'taken', warnings, failure: { ...failure, culprits } };
  }
  if (load?.ok === false) {
    const { refusal } = load;
    const foreseen = grammar.syntax === 'regex' || !judgeForEngine(grammar.text).loads;
    if (foreseen) return { state: 'refused', refusal, culprits: [] };
    const named = refusal.offset === undefined ? [] : [wordAt(grammar.text, refusal.offset)];
    // What it says of the lexer and of the syntax is exact; its other places are where a list of alternatives begins.
    if (named.length > 0 && !refusal.firstLine.startsWith('at ')) return { state: 'refused', refusal, culprits: named };
    const found = await findCulprits(grammar.text, refusal.message, async (text): Promise<Retry> => {
      const answer = await ask(text);
      if (answer.load !== undefined) return answer.load.ok ? 'loads' : { message: answer.load.refusal.message };
      return answer.end.state === 'crashed' ? { message: answer.end.detail } : 'stop';
    });
    return { state: 'refused', refusal, culprits: found.length === 0 ? named : found };
  }
  return end.state === 'timed-out' || end.state === 'crashed' ? { state: 'gave-up', end } : undefined;
}

/** The word at an offset, or the character there. Behind the end it is the last character. */
function wordAt(text: string, offset: number): Span {
  const start = Math.min(offset, Math.max(0, text.length - 1));
  const word = /^(?:[%\w-]+|"(?:[^"\\\n]|\\.)*"?|\/(?:[^/\\\n]|\\.)*\/?|.)/s.exec(text.slice(start))?.[0] ?? '';
  return { start, end: start + word.length };
}
