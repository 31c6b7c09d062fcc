import { type JsonNode, parseJson } from '../text/json';
import { effectiveProperties, pointerOf } from '../text/jsonTree';
import { type Message, t } from '../text/message';
import type { Span } from '../text/span';

/** Cuts texts into the tokens of a model. The host loads one on first use: its tables weigh more than all else. */
export interface TokenCounter {
  /** The encoding, as `o200k_base`. */
  readonly encoding: string;
  /** Tokens of a text. Text that looks like a control token counts as plain text. */
  count(text: string): number;
  /** The UTF-8 bytes of each token of a text, in order. */
  lengths(text: string): number[];
}

/** What counts of tokens are worth. */
export const TOKENS_NOTE: Message = t(
  'Counted on the JSON that is sent. The provider shows tools to the model in a form of its own, so what it bills differs.',
);

/** A text cut into tokens, so that every part of it can be asked for its share. */
export class TokenizedText {
  readonly total: number;
  /** The UTF-16 offset at which each token starts. */
  readonly #starts: readonly number[];

  constructor(
    readonly text: string,
    counter: TokenCounter,
  ) {
    const lengths = counter.lengths(text);
    this.total = lengths.length;
    this.#starts = startsOf(text, lengths);
  }

  /**
   * Tokens that start in a part of the text. Parts that do not overlap and fill the text have the tokens of the whole
   * together: a token over a border belongs to the part in which it starts.
   */
  in({ start, end }: Span): number {
    return this.#before(end) - this.#before(start);
  }

  /** Tokens that start before an offset. */
  #before(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Byte lengths to UTF-16 offsets. A token that starts inside of a character counts as starting with it. */
function startsOf(text: string, lengths: readonly number[]): number[] {
  const starts: number[] = [];
  let offset = 0;
  let byte = 0;
  let start = 0;
  for (const length of lengths) {
    while (offset < text.length) {
      const [units, bytes] = sizeAt(text, offset);
      if (byte + bytes > start) break;
      offset += units;
      byte += bytes;
    }
    starts.push(offset);
    start += length;
  }
  return starts;
}

/** UTF-16 units and UTF-8 bytes of the character at an offset; a lone surrogate is written as U+FFFD. */
function sizeAt(text: string, offset: number): readonly [units: number, bytes: number] {
  const code = text.codePointAt(offset)!;
  if (code < 0x80) return [1, 1];
  if (code < 0x800) return [1, 2];
  return code < 0x10000 ? [1, 3] : [2, 4];
}

/** The tokens of one value of a JSON text, its key included. */
export interface NodeTokens {
  /** JSON Pointer from the root of the text. */
  readonly pointer: string;
  readonly tokens: number;
  /** Levels below the root. */
  readonly depth: number;
}

/** How far down values are listed. */
export interface NodeTokensOptions {
  /** Values with fewer tokens are left out, and what is in them. Default: 1. */
  readonly least?: number;
  /** Default: 64. */
  readonly maxDepth?: number;
}

/** What each value of a compact JSON text takes, in text order; the whole text first, with the empty pointer. */
export function tokensByNode(text: string, counter: TokenCounter, options: NodeTokensOptions = {}): NodeTokens[] {
  const { least = 1, maxDepth = 64 } = options;
  const tokenized = new TokenizedText(text, counter);
  const result: NodeTokens[] = [{ pointer: '', tokens: tokenized.total, depth: 0 }];
  const { root } = parseJson(text);
  const stack: { readonly node: JsonNode; readonly depth: number }[] =
    root === undefined ? [] : [{ node: root, depth: 0 }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { node, depth } = step;
    if (depth > 0) {
      const tokens = tokenized.in({ start: node.property?.keyStart ?? node.offset, end: node.end });
      if (tokens < least) continue;
      result.push({ pointer: pointerOf(node), tokens, depth });
    }
    if (depth === maxDepth) continue;
    const children = node.kind === 'array' ? node.items : effectiveProperties(node).map(({ value }) => value!);
    for (let i = children.length - 1; i >= 0; i--) stack.push({ node: children[i]!, depth: depth + 1 });
  }
  return result;
}
