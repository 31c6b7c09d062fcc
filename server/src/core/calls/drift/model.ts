import type { Message } from '../../text/message';
import type { CancelSignal, HandlerOutcome, HandlerStop } from '../handler';

/**
 * How contract and handler differ.
 *
 * - `contract-accepts`: the model may send it, and the handler does not take it
 * - `handler-accepts`: the contract refuses it, and the handler takes it
 */
export type DriftKind = 'contract-accepts' | 'handler-accepts';

/** What the contract says of an input. */
export interface ContractSide {
  /** Whether the model could have generated it: by the compiled schema, or by the engine that enforces a grammar. */
  readonly accepted: boolean;
  /** The source schema refuses what the compiled one accepts: a constraint was lost on the way to the model. */
  readonly lost: boolean;
  /** Why it is refused in English, by the source where only that refuses; empty where nothing does. */
  readonly feedback: string;
  /** The same for people; absent where nothing refuses. */
  readonly words?: Message | undefined;
  /** Nobody has judged it: the engine gave up, and Lark does not take the grammar. It is no drift then. */
  readonly open?: true;
}

/** What the handler says of an input. `feedback` is empty for what it takes. */
export interface HandlerSide {
  readonly verdict: HandlerOutcome['verdict'];
  readonly feedback: string;
  /** What kept it from an answer. */
  readonly stop?: HandlerStop | undefined;
}

/** Both verdicts, for many inputs in one go and in their order. Never rejects. */
export interface DriftJudge {
  contract(texts: readonly string[]): Promise<readonly ContractSide[]>;
  handler(texts: readonly string[]): Promise<readonly HandlerSide[]>;
}

/** An input with the branches of the contract that it was made to take. */
export interface MadeInput {
  readonly text: string;
  readonly branches: readonly string[];
}

/** Where inputs come from: a schema or a grammar. The same seed gives the same inputs. */
export interface InputSource {
  /** Inputs that take each branch once, boundary values and near misses; none twice. */
  systematic(): Iterable<MadeInput>;
  /** Some inputs by chance; empty when there is nothing more to make. */
  random(): readonly MadeInput[];
  /** Every change of one step, as far as there are not too many. */
  changes(text: string): Iterable<string>;
  /** A change of one step by chance. */
  change(text: string): string;
  /** Words that a feedback may be about, such as the names of properties: they tell drifts apart. */
  readonly names: ReadonlySet<string>;
  /** What there is to cover, as far as it is known by now. */
  readonly branches: ReadonlyMap<string, Message>;
}

export interface DriftOptions {
  /** Inputs to judge, those of shrinking included. */
  readonly runs: number;
  readonly signal?: CancelSignal | undefined;
  /** Inputs that somebody wrote down: they are judged first, and changed like those that are made. */
  readonly seeds?: readonly string[] | undefined;
  /** Inputs that are judged in one go. Default: 64. */
  readonly batch?: number;
  /** The same drift in more kinds than this is not listed. Default: 100. */
  readonly most?: number;
  onProgress?(progress: DriftProgress): void;
  /** Lets other work of the host go on; called between batches. */
  readonly pause?: (() => Promise<void>) | undefined;
}

export interface DriftProgress {
  readonly phase: 'search' | 'shrink';
  readonly runs: number;
  readonly of: number;
  readonly drifts: number;
}

/** One way in which contract and handler differ, with the smallest input found for it. */
export interface Drift {
  readonly kind: DriftKind;
  readonly input: string;
  /** The words of the side that refuses, in English. */
  readonly feedback: string;
  /** `feedback` without numbers and quoted parts: drifts with the same are one. */
  readonly signature: string;
  readonly contract: ContractSide;
  readonly handler: HandlerSide;
  /** The input that was found first. */
  readonly shrunkFrom: string;
  /** How many inputs of the search differ in this way. */
  readonly count: number;
}

export interface DriftReport {
  /** Inputs that were judged. */
  readonly runs: number;
  /** What the model may send, and what the handler takes, of the inputs of the search. */
  readonly accepted: number;
  readonly taken: number;
  /** Inputs of the search that the handler answered, one way or the other. */
  readonly answered: number;
  /** Inputs of the search that the contract could not judge. */
  readonly open: number;
  readonly drifts: readonly Drift[];
  /** Drifts beyond those that are listed. */
  readonly unlisted: number;
  readonly coverage: Coverage;
  readonly canceled: boolean;
}

/** Branches of the contract that accepted inputs took. */
export interface Coverage {
  readonly covered: number;
  readonly total: number;
  /** What no accepted input took, in words. */
  readonly missing: readonly Message[];
}
