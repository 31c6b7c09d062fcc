import type { checkGrammar } from '../server/src/core/checkGrammar';
import type { judgeForEngine } from '../server/src/core/grammar/dialect/engineCheck';
import type { Provider } from '../server/src/core/grammar/provider';
import type { render } from '../server/src/core/text/message';

export interface Parts {
  readonly engine: Provider;
  readonly checkGrammar: typeof checkGrammar;
  readonly judgeForEngine: typeof judgeForEngine;
  readonly render: typeof render;
}

export interface Agreement {
  /** What finding and engine say of a grammar; `undefined` where they agree or the engine does not answer. */
  disagreement(grammar: string): Promise<{ readonly kind: string; readonly detail: string } | undefined>;
  readonly counts: { taken: number; refused: number; unanswered: number };
  /** Refusals for size, by kind. */
  readonly limits: Map<string, { readonly times: number; readonly grammar: string }>;
  /** Grammars about which the engine said nothing in time. */
  readonly silent: readonly string[];
}

export declare function agreement(parts: Parts): Agreement;
