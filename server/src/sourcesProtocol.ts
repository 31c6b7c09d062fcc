import type { AddSampleResult } from './samplesProtocol';

/**
 * Definitions that come out of code, between client and server. The server writes no file: its answers say what is to
 * be written. Texts are ready for display in the client's language.
 */

/** An MCP server that a file of the workspace names. */
export interface SourceServer {
  readonly name: string;
  /** The file that names it. */
  readonly from: string;
  /** The workspace folder. */
  readonly folder: string;
  readonly command: string;
  /** Why it cannot be started, if it cannot. */
  readonly problem: string | null;
  /** The file that its tools would be stored in, from the folder of the config file. */
  readonly out: string;
}

export interface SourceServersResult {
  /** Why no server can be started here, if none can. */
  readonly failure: string | null;
  readonly servers: readonly SourceServer[];
}

/** A server that is to become a source. */
export interface ImportSourceParams {
  readonly folder: string;
  readonly from: string;
  readonly name: string;
  /** The file to store its tools in, from the workspace folder. */
  readonly out: string;
}

export type ImportSourceResult =
  | { readonly kind: 'failed'; readonly failure: string; readonly notes: readonly string[] }
  | {
      readonly kind: 'ready';
      /** What adds the source to the config file. */
      readonly config: Extract<AddSampleResult, { kind: 'edit' | 'new' }>;
      readonly out: string;
      /** The text to store; `null` where the file has it already. */
      readonly text: string | null;
      readonly tools: number;
    };

/** Which sources are to run: that of a stored file, those of a config file, or all. */
export interface SnapshotsParams {
  readonly uri?: string;
}

/** A stored file beside what its source says now. */
export interface SnapshotInfo {
  readonly out: string;
  readonly state: 'current' | 'stale' | 'missing' | 'failed';
  readonly tools: number;
  /** What differs, by tool and JSON Pointer. */
  readonly differences: readonly string[];
  /** The text to store; `null` where there is none. */
  readonly text: string | null;
  readonly failure: string | null;
  /** What the process said lately. */
  readonly notes: readonly string[];
}

export interface SnapshotsResult {
  /** Why nothing was run, if nothing was. */
  readonly failure: string | null;
  readonly snapshots: readonly SnapshotInfo[];
}
