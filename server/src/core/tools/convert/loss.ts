import type { Level } from '../../text/finding';
import type { JsonNode } from '../../text/json';
import { escapePointerToken, headSpan, pointerOf } from '../../text/jsonTree';
import type { Message } from '../../text/message';
import type { Span } from '../../text/span';
import type { ToolDefinition } from '../model';

/**
 * What a conversion does to a place of the source.
 *
 * - `lost`: it goes. Deleting it from the source makes no difference to the result.
 * - `changed`: another value stands there
 * - `added`: a value stands there that the source leaves open
 * - `unwrapped`: a namespace goes, and its tools stand where it stood
 * - `note`: nothing of the tools is lost, and there is something to know
 */
export type LossKind = 'lost' | 'changed' | 'added' | 'unwrapped' | 'note';

/** An entry of the report on a conversion. Applied to the source, all entries together give what the result can hold. */
export interface Loss {
  readonly kind: LossKind;
  /** `error` for a whole tool, `warning` for what means something, `info` for the rest. */
  readonly level: Level;
  /** Name of the tool. */
  readonly tool: string | undefined;
  /** JSON Pointer into the source. For `added` it names the member that is not there. */
  readonly pointer: string;
  /** The place in the source; that of the owner for `added`. */
  readonly span: Span;
  /** What happens and why. */
  readonly message: Message;
  /** For `changed` and `added`: the JSON text of the value that the result stands for. */
  readonly value: string | undefined;
}

/** Collects the losses of a conversion. */
export class LossReport {
  readonly #losses: Loss[] = [];

  /** Entries by their places in the source. */
  get losses(): Loss[] {
    return [...this.#losses].sort((a, b) => a.span.start - b.span.start || (a.pointer < b.pointer ? -1 : 1));
  }

  /** About a value of the source. */
  at(
    kind: LossKind,
    level: Level,
    node: JsonNode,
    tool: ToolDefinition | undefined,
    message: Message,
    value?: string,
  ): void {
    this.#losses.push({
      kind,
      level,
      tool: tool?.name,
      pointer: pointerOf(node),
      span: headSpan(node),
      message,
      value,
    });
  }

  /** About a member that an object of the source has not. */
  added(owner: JsonNode, key: string, value: string, tool: ToolDefinition | undefined, message: Message): void {
    const pointer = `${pointerOf(owner)}/${escapePointerToken(key)}`;
    const span = headSpan(owner);
    this.#losses.push({ kind: 'added', level: 'info', tool: tool?.name, pointer, span, message, value });
  }
}
