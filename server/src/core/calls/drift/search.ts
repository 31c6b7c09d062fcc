import { SeededRandom } from '../../grammar/random';
import type {
  ContractSide,
  Drift,
  DriftJudge,
  DriftKind,
  DriftOptions,
  DriftReport,
  HandlerSide,
  InputSource,
  MadeInput,
} from './model';
import { shrink } from './shrink';
import { quotable, type SignedInput, sameButForInput, signatureOf, signed } from './signature';

/** The share of the runs that is kept for shrinking. */
const SHRINK_SHARE = 0.3;
/** Candidates for the smallest input of one drift. */
const MOST_SHRINK = 600;
/** The share of the search in which changes are tried one after the other. */
const CHANGES_SHARE = 0.45;
/** Longer inputs are judged, but not changed further. */
const MOST_CHANGED = 4000;
/** Inputs that are kept to be changed. */
const MOST_KEPT = 2000;
/** Changes that are tried to repair an input. */
const MOST_REPAIRS = 300;
/** Rounds without an input that was not judged before, after which the search ends. */
const MOST_IDLE = 40;

/** A drift while the search goes on. */
interface Found {
  readonly kind: DriftKind;
  /** Drifts of one kind with other verdicts besides are not the same. */
  readonly sort: string;
  readonly first: SignedInput;
  /** The input that was found first. */
  readonly found: string;
  /** The shortest input so far, with both verdicts. */
  shortest: Judged;
  count: number;
}

interface Judged {
  readonly text: string;
  readonly contract: ContractSide;
  readonly handler: HandlerSide;
}

/**
 * Looks for inputs about which contract and handler differ, and makes each kind of difference as small as it can. The
 * same seed, source and verdicts give the same report. Ends after `runs` inputs, when nothing new can be made, or when
 * it is canceled; what was found until then is reported.
 */
export async function findDrift(
  source: InputSource,
  json: boolean,
  judge: DriftJudge,
  seed: number,
  options: DriftOptions,
): Promise<DriftReport> {
  return new Search(source, json, judge, seed, options).run();
}

class Search {
  readonly #random: SeededRandom;
  readonly #seen = new Set<string>();
  /** Inputs that the contract accepts, to be changed. */
  readonly #pool: string[] = [];
  readonly #found: Found[] = [];
  /** By sort and signature. */
  readonly #byKey = new Map<string, Found>();
  readonly #covered = new Set<string>();
  readonly #searchRuns: number;
  readonly #batch: number;
  #runs = 0;
  #accepted = 0;
  #taken = 0;
  #open = 0;
  #answered = 0;
  #phase: 'search' | 'shrink' = 'search';

  constructor(
    private readonly source: InputSource,
    private readonly json: boolean,
    private readonly judge: DriftJudge,
    seed: number,
    private readonly options: DriftOptions,
  ) {
    this.#random = new SeededRandom(seed);
    this.#searchRuns = options.runs - Math.floor(options.runs * SHRINK_SHARE);
    this.#batch = options.batch ?? 64;
  }

  get #canceled(): boolean {
    return this.options.signal?.aborted ?? false;
  }

  async run(): Promise<DriftReport> {
    const seeds = (this.options.seeds ?? []).map((text) => ({ text, branches: [] }));
    await this.#all(seeds, this.#searchRuns);
    await this.#all(this.source.systematic(), this.#searchRuns);
    await this.#changes();
    await this.#byChance();
    this.#phase = 'shrink';
    const most = this.options.most ?? 100;
    const listed = this.#found.slice(0, most);
    const drifts: Drift[] = [];
    for (const [i, found] of listed.entries()) {
      const left = Math.floor((this.options.runs - this.#runs) / (listed.length - i));
      const drift = await this.#shrunk(found, Math.min(MOST_SHRINK, left));
      if (!(await this.#isBeside(drift, listed))) drifts.push(drift);
      this.#progress();
    }
    const missing = [...this.source.branches].flatMap(([id, words]) => (this.#covered.has(id) ? [] : words));
    return {
      runs: this.#runs,
      accepted: this.#accepted,
      taken: this.#taken,
      answered: this.#answered,
      open: this.#open,
      drifts: drifts.sort(byKind),
      unlisted: this.#found.length - listed.length,
      coverage: { covered: this.source.branches.size - missing.length, total: this.source.branches.size, missing },
      canceled: this.#canceled,
    };
  }

  /** Every change of one step of accepted inputs, those with new branches first. */
  async #changes(): Promise<void> {
    const until = this.#runs + Math.floor((this.#searchRuns - this.#runs) * CHANGES_SHARE);
    const texts = [...this.#pool];
    // One change of each in turn, so that no input uses up the runs alone.
    let open = texts.map((text) => this.source.changes(text)[Symbol.iterator]());
    while (open.length > 0 && this.#runs < until && !this.#canceled) {
      const next: Iterator<string>[] = [];
      const round: MadeInput[] = [];
      for (const changes of open) {
        const { value, done } = changes.next();
        if (done === true) continue;
        next.push(changes);
        round.push({ text: value, branches: [] });
      }
      open = next;
      await this.#all(round, until);
    }
  }

  async #byChance(): Promise<void> {
    let idle = 0;
    while (this.#runs < this.#searchRuns && idle < MOST_IDLE && !this.#canceled) {
      const made = [...this.source.random()];
      for (let i = made.length; i < this.#batch * 2 && this.#pool.length > 0; i++) {
        const text = this.#random.pick(this.#pool)!;
        made.push({ text: this.source.change(text), branches: [] });
      }
      const before = this.#runs;
      await this.#all(made, this.#searchRuns);
      idle = this.#runs === before ? idle + 1 : 0;
    }
  }

  /** Judges inputs that were not judged before, batch by batch. */
  async #all(inputs: Iterable<MadeInput>, until: number): Promise<void> {
    let batch: MadeInput[] = [];
    for (const input of inputs) {
      if (this.#canceled || this.#runs + batch.length >= until) break;
      if (this.#seen.has(input.text)) continue;
      this.#seen.add(input.text);
      batch.push(input);
      if (batch.length < this.#batch) continue;
      await this.#judgeBatch(batch);
      batch = [];
    }
    if (batch.length > 0 && !this.#canceled) await this.#judgeBatch(batch);
  }

  async #judgeBatch(inputs: readonly MadeInput[]): Promise<void> {
    const judged = await this.#verdicts(inputs.map(({ text }) => text));
    for (const [i, each] of judged.entries()) {
      const { contract, handler, text } = each;
      if (contract.accepted) {
        this.#accepted++;
        for (const branch of inputs[i]!.branches) this.#covered.add(branch);
        if (text.length <= MOST_CHANGED && this.#pool.length < MOST_KEPT) this.#pool.push(text);
      }
      if (handler.verdict === 'accepted') this.#taken++;
      if (contract.open === true) this.#open++;
      if (handler.verdict === 'accepted' || handler.verdict === 'rejected') this.#answered++;
      const kind = driftKind(contract, handler);
      if (kind !== undefined) this.#note(kind, each);
    }
    this.#progress();
  }

  #note(kind: DriftKind, judged: Judged): void {
    const found = this.#classOf(kind, judged);
    if (found === undefined) {
      const first = this.#signed(kind, judged);
      const made = { kind, sort: sortOf(kind, judged), first, found: judged.text, shortest: judged, count: 1 };
      this.#found.push(made);
      this.#byKey.set(JSON.stringify([made.sort, first.signature]), made);
      return;
    }
    found.count++;
    if (judged.text.length < found.shortest.text.length) found.shortest = judged;
  }

  #signed(kind: DriftKind, judged: Judged): SignedInput {
    return signed(feedbackOf(kind, judged), quotable(judged.text, this.json));
  }

  /** The drift that an input shows, if it is known. */
  #classOf(kind: DriftKind, judged: Judged): Found | undefined {
    const sort = sortOf(kind, judged);
    const each = this.#signed(kind, judged);
    const key = JSON.stringify([sort, each.signature]);
    const known =
      this.#byKey.get(key) ??
      this.#found.find((other) => other.sort === sort && sameButForInput(other.first, each, this.source.names));
    if (known !== undefined) this.#byKey.set(key, known);
    return known;
  }

  async #shrunk(found: Found, most: number): Promise<Drift> {
    const verdicts = new Map<string, Judged>([[found.shortest.text, found.shortest]]);
    const faults = faultsOf(found.shortest);
    const still = async (texts: readonly string[]): Promise<readonly boolean[]> => {
      if (this.#canceled) return texts.map(() => false);
      const judged = await this.#verdicts(texts);
      return judged.map((each) => {
        verdicts.set(each.text, each);
        const kind = driftKind(each.contract, each.handler);
        if (kind !== found.kind || this.#classOf(kind, each) !== found) return false;
        // A lost constraint shall stand out: no others are broken for the sake of a shorter input.
        return !each.contract.lost || [...faultsOf(each)].every((fault) => faults.has(fault));
      });
    };
    const input = await shrink(found.shortest.text, this.json, still, Math.max(0, most));
    const judged = verdicts.get(input)!;
    return {
      kind: found.kind,
      input,
      feedback: feedbackOf(found.kind, judged),
      signature: found.first.signature,
      contract: judged.contract,
      handler: judged.handler,
      shrunkFrom: found.found,
      count: found.count,
    };
  }

  /**
   * Whether a lost constraint is broken beside the point: the handler refuses the same where nothing is lost, and no
   * repair of one step makes it take the input.
   */
  async #isBeside(drift: Drift, listed: readonly Found[]): Promise<boolean> {
    const { kind, signature, contract, input } = drift;
    if (kind !== 'contract-accepts' || !contract.lost) return false;
    const twin = listed.some((each) => each.first.signature === signature && !each.shortest.contract.lost);
    if (!twin) return false;
    const changes: string[] = [];
    for (const change of this.source.changes(input)) {
      if (changes.push(change) >= MOST_REPAIRS) break;
    }
    if (this.#runs + changes.length > this.options.runs) return false;
    const judged = await this.#verdicts(changes);
    const repaired = judged.some(({ contract: { accepted, lost }, handler }) => {
      return accepted && !lost && handler.verdict === 'accepted';
    });
    return !repaired;
  }

  async #verdicts(texts: readonly string[]): Promise<Judged[]> {
    this.#runs += texts.length;
    await this.options.pause?.();
    const contract = await this.judge.contract(texts);
    const handler = await this.judge.handler(texts);
    return texts.map((text, i) => ({ text, contract: contract[i]!, handler: handler[i]! }));
  }

  #progress(): void {
    const { runs: of, onProgress } = this.options;
    onProgress?.({ phase: this.#phase, runs: this.#runs, of, drifts: this.#found.length });
  }
}

/** How the two differ, if they do. What was aborted or not judged says nothing. */
export function driftKind(contract: ContractSide, handler: HandlerSide): DriftKind | undefined {
  if (handler.verdict === 'aborted' || contract.open === true) return undefined;
  if (handler.verdict !== 'accepted') return contract.accepted ? 'contract-accepts' : undefined;
  // What only the compiled schema accepts is refused by the source, which is the contract as it is written.
  return contract.accepted && !contract.lost ? undefined : 'handler-accepts';
}

function feedbackOf(kind: DriftKind, { contract, handler }: Judged): string {
  return kind === 'contract-accepts' ? handler.feedback : contract.feedback;
}

/** What the source schema says against an input, fault by fault. */
function faultsOf({ contract, text }: Judged): ReadonlySet<string> {
  return new Set(contract.feedback.split('\n').map((line) => signatureOf(line, text)));
}

/** Besides the words: the kind, how the handler ended, and whether the compiled schema lost something. */
function sortOf(kind: DriftKind, { contract, handler }: Judged): string {
  return `${kind} ${handler.verdict}${contract.lost ? ' lost' : ''}`;
}

/** What the model may send comes first, in the order in which it was found. */
function byKind(a: Drift, b: Drift): number {
  return Number(a.kind === 'handler-accepts') - Number(b.kind === 'handler-accepts');
}
