import type { TokenCounter } from '../core/budget/tokens';
import type { HandlerRunner } from '../core/calls/handler';
import type { Provider } from '../core/grammar/provider';

/** What a command may touch of the world. Tests pass their own. */
export interface Io {
  readonly cwd: string;
  /** The version of ToolSpec. */
  readonly version: string;
  /** Where the answer goes. Resolves once the reader has room for more. */
  out(text: string): Promise<void>;
  /** Where notes and progress go. */
  err(text: string): void;
  /** Whether the reader of `out` has gone, as `head` does: more output is pointless. */
  readonly closed: boolean;
  /** Colors are fine: `out` is a terminal, and nobody asked for none. */
  readonly color: boolean;
  /** `err` is a terminal, so progress may be drawn and wiped. */
  readonly progress: boolean;
  /** Width of the terminal in characters; 100 when there is none. */
  readonly columns: number;
  /** Standard input, piece by piece. */
  input(): AsyncIterable<Uint8Array>;
  /** Loads the tokenizer. */
  tokens(): Promise<TokenCounter>;
  /** Starts the provider's grammar engine, which must be closed. */
  engine(): Promise<ClosableProvider>;
  /** Makes ready what runs handlers in processes; `parallel` of them at once. Must be disposed. */
  handlers(parallel: number): Promise<HandlerRunner>;
}

/** The provider's grammar engine, until it is closed. */
export interface ClosableProvider extends Provider {
  close(): Promise<void>;
}

/** Exit codes of every command. */
export const EXIT = {
  /** Nothing to complain about. */
  fine: 0,
  /** Findings at or above the threshold, or a tool that Codex refuses. */
  findings: 1,
  /** Wrong use, or input that cannot be read. */
  usage: 2,
} as const;

/** Ends a command with exit code 2. The message is for the one who typed the command. */
export class UsageError extends Error {
  /** `hint` is printed below the message. */
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
