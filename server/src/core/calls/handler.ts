import type { Message } from '../text/message';
import type { HandlerSpec } from './model';

/** A call as a handler gets it. */
export interface HandlerRequest {
  /** Names the call; the answer carries it too. */
  readonly id: string;
  readonly tool: string;
  readonly namespace: string | undefined;
  readonly kind: 'function' | 'custom';
  /** Arguments or input: the exact text. */
  readonly text: string;
}

/**
 * Why a handler gave no answer.
 *
 * - `not-started`: there is no such program or folder, or an MCP server refused the session
 * - `exited`, `signal`: its process ended before it answered
 * - `output-limit`: it wrote more than is allowed, and was ended
 * - `bad-answer`: it answered with something that is no answer
 * - `fault`: its module cannot be loaded, or made something that is no value
 * - `start-timeout`, `timeout`: it was not ready, or gave no answer, in time
 * - `canceled`: the run was canceled
 */
export interface HandlerStop {
  readonly kind:
    | 'not-started'
    | 'exited'
    | 'signal'
    | 'output-limit'
    | 'bad-answer'
    | 'fault'
    | 'start-timeout'
    | 'timeout'
    | 'canceled';
  readonly exitCode?: number;
  /** Name of the signal: `SIGKILL`. */
  readonly signal?: string;
  /** Milliseconds that it had. */
  readonly limitMs?: number;
  /** What it wrote instead: lines that are no answer, or a line that has no end. */
  readonly wrote?: 'junk' | 'unfinished';
  /** What happened, where the kind alone does not say it. Words of programs and of the system stand in it as they are. */
  readonly words?: Message;
}

/** What became of a call. Each call has exactly one outcome. */
export type HandlerOutcome =
  | {
      readonly verdict: 'accepted';
      /** The value as JSON text; `undefined` when the handler gave none. */
      readonly value: string | undefined;
      readonly notes: readonly string[];
    }
  | {
      readonly verdict: 'rejected';
      /** What the model is told. */
      readonly feedback: string;
      /** Place in the text that the handler names, where it names one: UTF-16 offset. */
      readonly offset?: number;
      /** For MCP: the whole result as JSON text. */
      readonly value?: string;
      readonly notes: readonly string[];
    }
  | {
      /**
       * - `crashed`: the process ended, could not be started, or answered with something that is no answer
       * - `timed-out`: no answer in time; the process was ended
       * - `aborted`: the run was canceled before there was an answer
       */
      readonly verdict: 'crashed' | 'timed-out' | 'aborted';
      /** What happened, in English words for people. */
      readonly detail: string;
      /** The same for programs. */
      readonly stop?: HandlerStop;
      /** What the process wrote to its error output lately, progress and log messages of an MCP server. */
      readonly notes: readonly string[];
    };

/** Tells a runner that the caller lost interest. Compatible with `AbortSignal`. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Handlers that need a process, as hosts inject them. Never rejects. */
export interface HandlerRunner {
  /**
   * Runs one call. Processes are started on first use, kept, reused and replaced.
   *
   * @param spec a handler that is no `builtin`
   * @param folder absolute path of the folder that the handler's paths start in
   */
  call(
    spec: Exclude<HandlerSpec, { kind: 'builtin' }>,
    folder: string,
    request: HandlerRequest,
    signal?: CancelSignal,
  ): Promise<HandlerOutcome>;
  /** Ends every process, with its children. */
  dispose(): Promise<void>;
}
