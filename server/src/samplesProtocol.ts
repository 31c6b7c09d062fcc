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
  /** Both in words: what each said, or why it said nothing. */
  readonly verdicts: string;
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

/** A search for drift between contract and handler of the tools of a samples file or a file of definitions. */
export interface FindDriftParams {
  readonly uri: string;
  /** Name of the tool, behind that of its namespace where it has one; absent for all. */
  readonly tool?: string;
  /** In a file of definitions, instead of `tool`: JSON Pointer of the tool, or a place in it. */
  readonly pointer?: string;
  readonly offset?: number;
  /** Inputs to judge for each tool; what the settings say without it. */
  readonly runs?: number;
  /** Another seed makes other inputs; what the settings say without it. */
  readonly seed?: number;
  /** Names the search in notifications, and for `StoreDriftParams`. */
  readonly run: string;
}

/** Server to client, while a search goes on. */
export interface DriftProgressInfo {
  readonly run: string;
  readonly tool: string;
  /** Where the search is, in words. */
  readonly message: string;
  /** Of this tool, from 0 to 1. */
  readonly share: number;
}

/** One way in which contract and handler differ. */
export interface DriftInfo {
  readonly kind: 'contract-accepts' | 'handler-accepts';
  /** The smallest input that was found for it: JSON text of arguments, or raw input. */
  readonly input: string;
  /** What the side that refuses says. */
  readonly feedback: string;
  /** The handler neither took nor refused it. */
  readonly verdict: 'accepted' | 'rejected' | 'crashed' | 'timed-out' | 'aborted';
  /** How many inputs of the search differ in this way. */
  readonly count: number;
  readonly rule: string;
  readonly href: string;
}

/** What came of the search for one tool. */
export interface ToolDriftInfo {
  readonly tool: string;
  readonly namespace: string | null;
  /** Why nothing was searched, if nothing was. */
  readonly skipped: string | null;
  /** Nothing was searched because the workspace is not trusted. */
  readonly untrusted: boolean;
  readonly drifts: readonly DriftInfo[];
  /** What was judged and covered, in words. */
  readonly log: readonly string[];
  /** Where the definition stands. */
  readonly uri: string;
  readonly range: RangeLike;
}

export interface FindDriftResult {
  /** Why nothing was searched, if nothing was. */
  readonly failure: string | null;
  /** The samples file in which drifts can be stored; it may not exist yet. */
  readonly samples: string;
  readonly tools: readonly ToolDriftInfo[];
}

/** Drifts to be stored as sample calls: all of a search, or one of them. Answered by `AddSampleResult`. */
export interface StoreDriftParams {
  readonly run: string;
  /** Place in `FindDriftResult.tools`. */
  readonly tool?: number;
  /** Place in the `drifts` of that tool. */
  readonly drift?: number;
}

/** A sample call to be made. Nothing is written: the answer says what to change. */
export interface AddSampleParams {
  /** A samples file, or a file of tool definitions. */
  readonly uri: string;
  /** In a file of definitions: a place in the tool, in UTF-16 units. */
  readonly offset?: number;
  /** In a file of definitions, instead of `offset`: JSON Pointer of the tool. */
  readonly pointer?: string;
  /** Name of the tool, with its namespace where the name is not enough. */
  readonly tool?: string;
  readonly namespace?: string;
}

export interface AddSampleTool {
  readonly tool: string;
  /** `null` where the name is enough. */
  readonly namespace: string | null;
  readonly description: string;
}

/**
 * - `edit`: a change of a file that is there; `selection` holds after it
 * - `new`: a file to be made
 * - `tools`: there are several tools; ask again with one
 * - `none`: nothing can be added, with the reason
 */
export type AddSampleResult =
  | {
      readonly kind: 'edit';
      readonly uri: string;
      readonly edit: { readonly range: RangeLike; readonly newText: string };
      readonly selection: RangeLike;
    }
  | { readonly kind: 'new'; readonly uri: string; readonly text: string; readonly selection: RangeLike }
  | { readonly kind: 'tools'; readonly tools: readonly AddSampleTool[] }
  | { readonly kind: 'none'; readonly reason: string };
