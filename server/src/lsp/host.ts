import type { Provider } from '../core/grammar/provider';
import type { RunnableHandlers } from './sampleRuns';
import type { SourceHost } from './sources';

/** What the server needs of the world beyond the connection. Hosts inject it; tests pass their own. */
export interface ServerHost {
  /** The version of ToolSpec. */
  readonly version: string;
  /** The text of a file on disk, or `undefined` when it cannot be read. Uris of other schemes are asked of the client. */
  readFile(uri: string): Promise<string | undefined>;
  /** Uris of the files below a folder whose names end so, without those that its `.gitignore` files name. */
  findFiles(folder: string, ending: string): Promise<readonly string[]>;
  /** Lets one message that has arrived meanwhile be read, so that a cancellation is seen before work begins. */
  breathe(): Promise<void>;
  /** Runs handlers in processes of their own. Absent where there can be no process. */
  handlers?(): Promise<RunnableHandlers>;
  /** The folder on disk in which a file lies, for its handlers. */
  folderOf?(uri: string): string;
  /** Runs the sources of config files. Absent where there can be no process. */
  sources?(): Promise<SourceHost>;
  /** Milliseconds of a clock. */
  now(): number;
  /** Counts o200k tokens; loads the tokenizer on first use. Absent where there is none. */
  countTokens?(): Promise<((text: string) => number) | undefined>;
  /** Calls back after so many milliseconds. Gives a function that cancels. */
  after(milliseconds: number, call: () => void): () => void;
  /** Makes the provider's grammar engine, when there is a first grammar to ask about. Absent where there is none. */
  engine?(): Promise<Provider>;
}
