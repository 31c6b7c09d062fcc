import type { Message } from './message';
import type { Span } from './span';

/** The six JSON value kinds. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** Why a place in the text is not JSON. `comment` and `trailing-comma` are fine in JSON with comments. */
export type JsonProblemCode =
  | 'comment'
  | 'trailing-comma'
  | 'unexpected-token'
  | 'value-expected'
  | 'property-expected'
  | 'colon-expected'
  | 'comma-expected'
  | 'not-closed'
  | 'end-expected'
  | 'bad-string'
  | 'bad-escape'
  | 'bad-number'
  | 'lone-surrogate';

/** A place where the text is not JSON. Parsing goes on behind it. */
export interface JsonProblem {
  readonly code: JsonProblemCode;
  readonly span: Span;
  readonly message: Message;
}

/** A member of an object. `value` is missing in half-typed text such as `{"name":}`. */
export interface JsonProperty {
  readonly key: string;
  /** Offset of the opening quote of the key. */
  readonly keyStart: number;
  /** Offset behind the closing quote of the key. */
  readonly keyEnd: number;
  readonly owner: JsonNode;
  value: JsonNode | undefined;
}

/** Members of large objects by key. Few objects are large, so the nodes themselves need no room for it. */
const indexes = new WeakMap<JsonNode, Map<string, JsonProperty>>();

/** The items of nodes that have none; one list for all empty children. */
export const NO_ITEMS: JsonNode[] = [];
/** The properties of nodes that have none. */
export const NO_PROPERTIES: JsonProperty[] = NO_ITEMS as never[];

/** What a node says in its bits, beside its height. */
const PLAIN = 1;
const LONG_NUMBER = 2;
const HEIGHT_SHIFT = 2;

/**
 * A JSON value with its place in the text. Offsets count UTF-16 code units; `end` is exclusive.
 *
 * All nodes have the same few fields, whatever their kind: a file of 1,000 tools has a hundred thousand nodes, and
 * what they weigh decides how often the garbage collector copies them.
 */
export class JsonNode {
  end: number;
  #children: JsonNode[] | JsonProperty[] = NO_ITEMS;
  #bits = 0;
  /** The member that holds this node, or its position in an array, or -1. */
  readonly #place: JsonProperty | number;

  constructor(
    readonly kind: JsonKind,
    readonly offset: number,
    end: number,
    readonly parent: JsonNode | undefined,
    place: JsonProperty | number,
    /** The decoded text of a string, the spelling of a number, `true`, `false` or `null`; empty for containers. */
    readonly text: string,
  ) {
    this.end = end;
    this.#place = place;
  }

  /** The member of the parent object that holds this node. */
  get property(): JsonProperty | undefined {
    return typeof this.#place === 'number' ? undefined : this.#place;
  }

  /** The position in the parent array, or -1. */
  get index(): number {
    return typeof this.#place === 'number' ? this.#place : -1;
  }

  /** Elements of an array, in order; empty for other kinds. */
  get items(): JsonNode[] {
    return this.kind === 'array' ? (this.#children as JsonNode[]) : NO_ITEMS;
  }

  set items(items: JsonNode[]) {
    this.#children = items;
  }

  /** Members of an object in text order, repeated keys included; empty for other kinds. */
  get properties(): JsonProperty[] {
    return this.kind === 'object' ? (this.#children as JsonProperty[]) : NO_PROPERTIES;
  }

  set properties(properties: JsonProperty[]) {
    this.#children = properties;
  }

  /** Levels of containers below and including this one: 0 for scalars, 1 for `[]`, 2 for `[[]]`. */
  get height(): number {
    return this.#bits >> HEIGHT_SHIFT;
  }

  set height(height: number) {
    this.#bits = (height << HEIGHT_SHIFT) | (this.#bits & (PLAIN | LONG_NUMBER));
  }

  /** Whether a number of 19 characters or more, which may exceed 64 bits, stands here or below. */
  get hasLongNumber(): boolean {
    return (this.#bits & LONG_NUMBER) !== 0;
  }

  set hasLongNumber(has: true) {
    if (has) this.#bits |= LONG_NUMBER;
  }

  /** Known to have neither repeated keys nor members without a value; objects for which this is false may still have none. */
  get plain(): boolean {
    return (this.#bits & PLAIN) !== 0;
  }

  set plain(plain: true) {
    if (plain) this.#bits |= PLAIN;
  }

  /** The member with this key. Of repeated keys the last counts, as in every JSON reader. */
  get(key: string): JsonProperty | undefined {
    const list = this.properties;
    if (list.length <= 8) {
      for (let i = list.length - 1; i >= 0; i--) if (list[i]!.key === key) return list[i];
      return undefined;
    }
    let byKey = indexes.get(this);
    if (byKey === undefined) {
      byKey = new Map();
      for (const property of list) byKey.set(property.key, property);
      indexes.set(this, byKey);
    }
    return byKey.get(key);
  }

  /** The value of the member with this key, or `undefined` when the key or its value is missing. */
  value(key: string): JsonNode | undefined {
    return this.get(key)?.value;
  }

  /** Whether the object has this key, whatever its value. */
  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** The decoded text if this is a string. */
  get string(): string | undefined {
    return this.kind === 'string' ? this.text : undefined;
  }

  /** The value if this is a boolean. */
  get boolean(): boolean | undefined {
    return this.kind === 'boolean' ? this.text === 'true' : undefined;
  }
}

/** A parsed text: a tree as far as there is one, and every problem met. */
export interface JsonDocument {
  readonly text: string;
  /** The outermost value; `undefined` for an empty text. */
  readonly root: JsonNode | undefined;
  /** In text order. */
  readonly problems: readonly JsonProblem[];
}

/** The first fault of a text that is neither JSON nor JSON with comments; `undefined` where it is one of the two. */
export function syntaxFault({ problems }: Pick<JsonDocument, 'problems'>): JsonProblem | undefined {
  return problems.find(({ code }) => code !== 'comment' && code !== 'trailing-comma');
}
