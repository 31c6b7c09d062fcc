import type { CancellationToken } from 'vscode-languageserver';
import type {
  Provider,
  ProviderAnswer,
  ProviderAskOptions,
  ProviderGrammar,
  ProviderJob,
  ProviderRefusal,
  ProviderVerdict,
} from '../core/grammar/provider';
import { askOpinion, type ProviderOpinion } from '../core/grammar/providerOpinion';
import { t } from '../core/text/message';
import { say } from './language';

/** A grammar of an open document. */
export interface AskedGrammar {
  /** Names it among others: a newer text under the same name makes questions about older ones outdated. */
  readonly id: string;
  /** The document that it stands in. */
  readonly uri: string;
  readonly grammar: ProviderGrammar;
}

/** What `Verdicts` needs of the rest of the server. */
export interface VerdictParts {
  /** Starts the engine; `undefined` where the host has none. */
  readonly engine: (() => Promise<Provider>) | undefined;
  after(milliseconds: number, call: () => void): () => void;
  /** A verdict has come after its document had been answered for without it. */
  late(uri: string): void;
  /** There is no engine here, and why. Told once. */
  missing(detail: string): void;
}

/**
 * An answer waits this long, in milliseconds, for the engine: verdicts mostly come sooner, so that findings appear all at
 * once. What takes longer comes with a refresh.
 */
const PATIENCE = 200;

/** So many grammars keep the verdicts on their inputs. */
const MOST_JUDGED = 20;

/** So many verdicts are remembered. */
const MOST_KNOWN = 200;

/** What the engine says of a text: a verdict, or why there is none. */
export type TextVerdict = { readonly verdict: ProviderVerdict } | { readonly refusal: ProviderRefusal } | 'gave-up';

/** An input may take this long, in milliseconds. */
const JUDGE_MILLISECONDS = 2_000;

/** Texts longer than this are not judged while someone types. */
const MOST_UNITS = 200_000;

/** What the provider's engine says of the grammars in open documents. Each text is asked about once. */
export class Verdicts {
  /** The one used last stands last. */
  readonly #known = new Map<string, ProviderOpinion>();
  readonly #judged = new Map<string, Map<string, TextVerdict>>();
  readonly #asking = new Map<string, { readonly key: string; readonly done: Promise<void> }>();
  readonly #arrivals = new Map<string, number>();
  #engine: Promise<Provider | undefined> | undefined;
  #missing: string | undefined;

  constructor(readonly parts: VerdictParts) {}

  /** Why there is no engine; `undefined` as long as nothing speaks against it. */
  get missing(): string | undefined {
    return this.#missing ?? (this.parts.engine === undefined ? say(t('This host has no engine.')) : undefined);
  }

  /** What is known about a text. */
  known({ syntax, text }: ProviderGrammar): ProviderOpinion | undefined {
    const key = keyOf(syntax, text);
    const found = this.#known.get(key);
    if (found !== undefined) {
      this.#known.delete(key);
      this.#known.set(key, found);
    }
    return found;
  }

  /** How often something new has become known about the grammars of a document. */
  arrivals(uri: string): number {
    return this.#arrivals.get(uri) ?? 0;
  }

  /** A document has been closed. */
  close(uri: string): void {
    this.#arrivals.delete(uri);
  }

  /** What is known about an input of a grammar. */
  judged({ syntax, text }: ProviderGrammar, input: string): TextVerdict | undefined {
    return this.#judged.get(keyOf(syntax, text))?.get(input);
  }

  /** Asks about grammars and waits a moment for the answers. What comes later is told by `late`. Never rejects. */
  settle(grammars: readonly AskedGrammar[], token?: CancellationToken): Promise<void> {
    return this.wait(
      grammars.flatMap((each) => this.#ask(each) ?? []),
      grammars.map(({ uri }) => uri),
      token,
    );
  }

  /** Asks about inputs of a grammar, and waits as `settle` does. */
  judge(asked: AskedGrammar, inputs: readonly string[], token?: CancellationToken): Promise<void> {
    const { grammar } = asked;
    const unknown = inputs.filter((input) => this.judged(grammar, input) === undefined);
    return this.wait(unknown.length === 0 ? [] : [this.#judge(asked, unknown)], [asked.uri], token);
  }

  /** Something new has become known about a document. */
  arrived(uri: string): void {
    this.#arrivals.set(uri, this.arrivals(uri) + 1);
  }

  /** The engine, for whoever asks it directly. */
  readonly provider: Provider = {
    ask: async (job, options) =>
      (await this.ask(job, options)) ?? {
        end: { state: 'unavailable', detail: this.missing ?? '' },
        load: undefined,
        inputs: [],
        steps: [],
        texts: [],
      },
  };

  /** Waits a moment for work about documents; when it comes later, and has brought something new, `late` tells. */
  async wait(open: readonly Promise<void>[], uris: readonly string[], token?: CancellationToken): Promise<void> {
    if (open.length === 0 || this.missing !== undefined) return;
    let waited = false;
    const patience = new Promise<void>((resolve) => {
      const cancel = this.parts.after(PATIENCE, () => {
        waited = true;
        resolve();
      });
      void Promise.all(open).then(() => {
        cancel();
        resolve();
      });
      token?.onCancellationRequested(() => resolve());
    });
    await patience;
    if (!waited) return;
    for (const uri of new Set(uris)) {
      const before = this.arrivals(uri);
      void Promise.all(open).then(() => {
        if (this.arrivals(uri) > before) this.parts.late(uri);
      });
    }
  }

  /** Asks the engine for something else, such as a walk. `undefined` where there is none. */
  async ask(job: ProviderJob, options?: ProviderAskOptions): Promise<ProviderAnswer | undefined> {
    const engine = await this.#start();
    return engine?.ask(job, options);
  }

  /** Asks about a text that nothing is known of; gives what ends with the answer. */
  #ask({ id, uri, grammar }: AskedGrammar): Promise<void> | undefined {
    if (this.missing !== undefined || this.known(grammar) !== undefined) return undefined;
    const key = keyOf(grammar.syntax, grammar.text);
    const asking = this.#asking.get(id);
    if (asking?.key === key) return asking.done;
    const done = this.#opinion(id, grammar).then((opinion) => {
      if (this.#asking.get(id)?.done === done) this.#asking.delete(id);
      if (opinion === undefined) return;
      this.#known.set(key, opinion);
      if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value!);
      this.#arrivals.set(uri, this.arrivals(uri) + 1);
    });
    this.#asking.set(id, { key, done });
    return done;
  }

  #judge({ id, uri, grammar }: AskedGrammar, inputs: readonly string[]): Promise<void> {
    const key = JSON.stringify([keyOf(grammar.syntax, grammar.text), inputs]);
    const asking = this.#asking.get(`judge ${id}`);
    if (asking?.key === key) return asking.done;
    const done = this.#judgeAll(`judge ${id}`, grammar, inputs).then(() => {
      if (this.#asking.get(`judge ${id}`)?.done === done) this.#asking.delete(`judge ${id}`);
      this.#arrivals.set(uri, this.arrivals(uri) + 1);
    });
    this.#asking.set(`judge ${id}`, { key, done });
    return done;
  }

  /** Judges inputs one after the other; one that takes too long does not take the others with it. */
  async #judgeAll(key: string, grammar: ProviderGrammar, inputs: readonly string[]): Promise<void> {
    const engine = await this.#start();
    const known = new Map(this.#judged.get(keyOf(grammar.syntax, grammar.text)));
    for (const input of inputs) if (input.length > MOST_UNITS) known.set(input, 'gave-up');
    for (let left = inputs.filter((input) => !known.has(input)); engine !== undefined && left.length > 0; ) {
      const job = { kind: 'judge', grammar, inputs: left } as const;
      const { end, load, inputs: judged } = await engine.ask(job, { key, milliseconds: JUDGE_MILLISECONDS });
      if (end.state === 'outdated' || end.state === 'unavailable') return;
      for (const [index, input] of left.entries()) {
        const verdict = judged[index]?.verdict;
        if (verdict !== undefined) known.set(input, { verdict });
        else if (load?.ok === false) known.set(input, { refusal: load.refusal });
      }
      left = left.filter((input) => !known.has(input));
      // The first one without a verdict is the one that it broke over.
      if (left.length > 0) known.set(left.shift()!, 'gave-up');
    }
    const place = keyOf(grammar.syntax, grammar.text);
    this.#judged.delete(place);
    this.#judged.set(place, known);
    if (this.#judged.size > MOST_JUDGED) this.#judged.delete(this.#judged.keys().next().value!);
  }

  async #opinion(id: string, grammar: ProviderGrammar): Promise<ProviderOpinion | undefined> {
    const engine = await this.#start();
    return engine === undefined ? undefined : askOpinion(engine, grammar, { key: `load ${id}` });
  }

  #start(): Promise<Provider | undefined> {
    this.#engine ??= this.#make();
    return this.#engine;
  }

  async #make(): Promise<Provider | undefined> {
    if (this.parts.engine === undefined) return undefined;
    try {
      const engine = await this.parts.engine();
      return {
        ask: async (job, options) => {
          const answer = await engine.ask(job, options);
          if (answer.end.state === 'unavailable') this.#lack(answer.end.detail);
          return answer;
        },
      };
    } catch (error) {
      this.#lack(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  #lack(detail: string): void {
    if (this.#missing !== undefined) return;
    this.#missing = detail;
    this.parts.missing(detail);
  }
}

const keyOf = (syntax: string, text: string): string => `${syntax}\n${text}`;
