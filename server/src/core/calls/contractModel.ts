import type { Provider } from '../grammar/provider';
import type { CodexProfile } from '../profiles/codex';
import type { ToolDefinition } from '../tools/model';

/** Where the text of a grammar file comes from, by the path that the definition names. */
export type GrammarText = (path: string, tool: ToolDefinition) => string | undefined | Promise<string | undefined>;

/** A payload, and the tool whose contract it is held against. */
export interface ContractRequest {
  readonly tool: ToolDefinition;
  /** The payload's kind; the caller has made sure that the tool takes it. */
  readonly kind: 'function' | 'custom';
  /** Arguments or input: the exact text that the model sent. */
  readonly text: string;
  /** Default: the newest observed version of Codex. */
  readonly profile?: CodexProfile | undefined;
  /** Needed for tools whose grammar stands in a file of its own. */
  readonly grammar?: GrammarText | undefined;
  /** The provider's grammar engine; without it Lark's verdict stands. */
  readonly provider?: Provider | undefined;
}
