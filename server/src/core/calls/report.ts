import type { Level } from '../text/finding';
import type { Message } from '../text/message';
import type { ToolDefinition } from '../tools/model';
import type { HandlerStop } from './handler';
import type { CallOutcome, HandlerEntry, SampleCall } from './model';
import type { ValueDifference } from './partial';

/** A finding about a call: where it is in the payload, in one of the ways that the payload has. */
export interface CallFinding {
  readonly rule: string;
  readonly level: Level;
  readonly message: Message;
  /** JSON Pointer into the arguments, or into a stored result behind `/result`; absent for text. */
  readonly pointer: string | undefined;
  /** UTF-16 offset in the argument text or input, from 0. */
  readonly offset: number | undefined;
  /** Line and column of that offset, from 1. */
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** Whether the model could have generated this. */
export interface ContractVerdict {
  readonly verdict: 'accepted' | 'rejected';
  readonly findings: readonly CallFinding[];
  /** `false` where nothing was judged, so that `verdict` says nothing: no tool, no payload, or no grammar that holds. */
  readonly judged?: false;
  /**
   * For functions: what the compiled schema says, which is what the model sees; for grammars: what the provider's
   * engine and what Lark say. `undefined` where there is none.
   */
  readonly compiled?: 'accepted' | 'rejected';
  readonly provider?: 'accepted' | 'rejected' | 'refused' | 'unavailable' | 'gave-up';
  readonly lark?: 'accepted' | 'rejected' | 'refused' | 'gave-up';
  /** What Lark has against the input or the grammar, in its own right; part of `findings` only where it decides. */
  readonly larkFinding?: CallFinding;
}

export interface HandlerVerdict {
  readonly kind: 'builtin' | 'module' | 'command' | 'mcp' | 'none';
  readonly verdict: 'accepted' | 'rejected' | 'crashed' | 'timed-out' | 'aborted' | 'none';
  /** JSON text. */
  readonly value?: string;
  readonly feedback?: string;
  /** Why there is no answer: what happened to the process, in English words. */
  readonly detail?: string;
  /** The same for programs; there wherever the verdict is neither `accepted` nor `rejected`. */
  readonly reason?: HandlerReason;
  /** Where the payload is at fault, as far as the handler says it: UTF-16 offset. */
  readonly offset?: number;
  readonly notes: readonly string[];
}

/**
 * Why a call has no verdict of its handler: what stopped it, or why it was not run.
 *
 * - `no-handler`: none is named
 * - `not-reached`: the call did not get so far, or sends nothing
 * - `withheld`: no process may be started
 * - `unsuited`: it can say nothing about calls of this tool
 */
export type HandlerReason = HandlerStop | NotRunReason;

export interface NotRunReason {
  readonly kind: 'no-handler' | 'not-reached' | 'withheld' | 'unsuited';
  readonly message: Message;
  /** The handler that is unsuited, where it is named. */
  readonly entry?: HandlerEntry;
}

/** What happened at a step of a call, for people. */
export interface CallStep {
  readonly step: 'route' | 'payload' | 'contract' | 'handler' | 'output';
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly message: Message;
}

/** Everything about one call that was run. */
export interface CallReport {
  readonly call: SampleCall;
  readonly name: string;
  readonly tool: string;
  readonly namespace: string | undefined;
  readonly state: 'passed' | 'failed' | 'errored' | 'skipped';
  /** Why it did not pass, or why it was not run. */
  readonly reason: Message | undefined;
  /** What the call was expected to come to, and what it came to; `undefined` where nothing came of it. */
  readonly expected: CallOutcome | undefined;
  readonly outcome: CallOutcome | undefined;
  /** Where the accepted value is not the expected one. */
  readonly difference: ValueDifference | undefined;
  /** The exact text of the payload; `undefined` where there is none. */
  readonly text: string | undefined;
  /** The tool that the call leads to, and the file that defines it. */
  readonly target: { readonly uri: string; readonly tool: ToolDefinition } | undefined;
  /** Pairs the call with its output. */
  readonly callId: string;
  readonly contract: ContractVerdict;
  readonly handler: HandlerVerdict;
  /** Differences between contract, handler and expectation; faults of a result. */
  readonly findings: readonly CallFinding[];
  readonly steps: readonly CallStep[];
  /** The item that goes back to the model, as JSON text; `undefined` only for a call that could not be run at all. */
  readonly output: string | undefined;
  readonly durationMs: number;
}
