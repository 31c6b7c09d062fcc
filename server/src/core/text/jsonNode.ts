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

/** The items of nodes that have none. */
export const NO_ITEMS: JsonNode[] = [];
/** The properties of nodes that have none. */
export const NO_PROPERTIES: JsonProperty[] = [];

/**
 * A JSON value with its place in the text. Offsets count UTF-16 code units; `end` is exclusive.
 *
 * All nodes have the same fields, whatever their kind, so that walks over large files stay fast.
 */
export class JsonNode {
  /** Elements of an array, in order; empty for other kinds. */
  items: JsonNode[] = NO_ITEMS;
  /** Members of an object in text order, repeated keys included; empty for other kinds. */
  properties: JsonProperty[] = NO_PROPERTIES;
  end: number;
  /** Levels of containers below and including this one: 0 for scalars, 1 for `[]`, 2 for `[[]]`. */
  height = 0;
  /** Whether a number of 19 characters or more, which may exceed 64 bits, stands here or below. */
  hasLongNumber = false;
  #byKey: Map<string, JsonProperty> | undefined;

  constructor(
    readonly kind: JsonKind,
    readonly offset: number,
    end: number,
    readonly parent: JsonNode | undefined,
    /** The member of the parent object that holds this node. */
    readonly property: JsonProperty | undefined,
    /** The position in the parent array, or -1. */
    readonly index: number,
    /** The decoded text of a string, the spelling of a number, `true`, `false` or `null`; empty for containers. */
    readonly text: string,
  ) {
    this.end = end;
  }

  /** The member with this key. Of repeated keys the last counts, as in every JSON reader. */
  get(key: string): JsonProperty | undefined {
    const list = this.properties;
    if (list.length <= 8) {
      for (let i = list.length - 1; i >= 0; i--) if (list[i]!.key === key) return list[i];
      return undefined;
    }
    if (this.#byKey === undefined) {
      this.#byKey = new Map();
      for (const property of list) this.#byKey.set(property.key, property);
    }
    return this.#byKey.get(key);
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
