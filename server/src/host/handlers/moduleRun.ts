/** A call as a module gets it, beside its text. */
export interface HandlerCall {
  readonly tool: string;
  readonly namespace: string | null;
  readonly kind: 'function' | 'custom';
  readonly arguments?: string;
  readonly input?: string;
}

/** What takes the calls in a module. */
export interface ModuleRun {
  /** Gives the accepted value; throws a rejection. */
  run(text: string, call: HandlerCall): unknown;
  /** What the model is told after `run` has thrown, and the offset of the place, where there is one. */
  refusal(error: unknown, text: string): { readonly feedback: string; readonly offset?: number };
}
