import type { Level } from './core/text/finding';

/**
 * Sample calls between client and server. Ranges are those of the Language Server Protocol; texts are ready for
 * display in the client's language.
 */

interface PositionLike {
  readonly line: number;
  readonly character: number;
}

export interface RangeLike {
  readonly start: PositionLike;
  readonly end: PositionLike;
}

/** One stored call of a samples file. */
export interface SampleCallInfo {
  /** Its place in `calls`. */
  readonly index: number;
  readonly name: string;
  /** The tool as the call names it, with its namespace; empty where it names none. */
  readonly tool: string;
  /** The call's name where it has one, else the whole call. */
  readonly range: RangeLike;
}

/** A samples file with its calls. */
export interface SampleFileInfo {
  readonly uri: string;
  /** Why the file cannot be used, if it cannot. */
  readonly failure: string | null;
  readonly calls: readonly SampleCallInfo[];
  /** Files whose change may change the outcome: definitions, grammars, inputs, handlers. */
  readonly dependencies: readonly string[];
}

/** Which samples files are wanted: one, or all of the workspace. */
export interface SamplesParams {
  readonly uri?: string;
}

export interface SamplesResult {
  readonly files: readonly SampleFileInfo[];
}

/** Calls to run. */
export interface RunSamplesParams {
  readonly uri: string;
  /** Places in `calls`; absent for all. */
  readonly calls?: readonly number[];
  /** Names the run in notifications. */
  readonly run: string;
}

/** A finding about a call. */
export interface CallFindingInfo {
  readonly rule: string;
  readonly level: Level;
  readonly message: string;
  readonly href: string;
  /** Where in the samples file, if it can be told. */
  readonly range: RangeLike | null;
}

/** What became of one call. */
export interface CallResultInfo {
  readonly index: number;
  readonly state: 'passed' | 'failed' | 'errored' | 'skipped';
  /** Why it did not pass, or was not run. */
  readonly reason: string | null;
  readonly contract: 'accepted' | 'rejected';
  readonly handler: 'accepted' | 'rejected' | 'crashed' | 'timed-out' | 'aborted' | 'none';
  /** Contract and handler differ. */
  readonly drift: boolean;
  /** JSON laid out for a comparison; `null` where nothing was expected or nothing came. */
  readonly expected: string | null;
  readonly actual: string | null;
  readonly findings: readonly CallFindingInfo[];
  /** The steps of the call, and what the process said, for the output of the run. */
  readonly log: readonly string[];
  readonly durationMs: number;
}

/** Server to client, while a run goes on. */
export interface CallProgress {
  readonly run: string;
  readonly uri: string;
  readonly index: number;
  /** `null` when the call begins. */
  readonly result: CallResultInfo | null;
}

export interface RunSamplesResult {
  /** Why nothing was run, if nothing was. */
  readonly failure: string | null;
  /** Calls whose handlers were not run because the workspace is not trusted. */
  readonly untrusted: number;
}

/** Client to server: whether code of the workspace may run. */
export interface TrustParams {
  readonly trusted: boolean;
}

/** A search for drift between contract and handler of the tools of a samples or definition file. */
export interface FindDriftParams {
  readonly uri: string;
  /** Name of the tool; absent for all. */
  readonly tool?: string;
  readonly runs: number;
  readonly seed: number;
  /** Names the search in notifications. */
  readonly run: string;
}

export interface DriftInfo {
  readonly tool: string;
  readonly kind: 'contract-accepts' | 'handler-accepts';
  readonly input: string;
  readonly feedback: string;
  /** The sample call that keeps it, as JSON text. */
  readonly sample: string;
}

export interface FindDriftResult {
  readonly failure: string | null;
  readonly runs: number;
  readonly drifts: readonly DriftInfo[];
  /** What was covered, in words. */
  readonly coverage: readonly string[];
}
