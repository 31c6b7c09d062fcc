import { JsonNode, type JsonProperty } from './jsonNode';
import { isWellFormed } from './utf16';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const BYTE_ORDER_MARK = 0xfeff;

/** A number as JSON writes it. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** An escape that JSON does not know. */
const UNKNOWN_ESCAPE = /\\(?:u(?![0-9a-fA-F]{4})|[^"\\/bfnrtu])/;

/**
 * Reads a text that is JSON to the letter, into the same tree as the tolerant parser and several times faster. Gives
 * `undefined` for every other text, and where it would have to look twice. Almost every text that is read is plain JSON,
 * so this is what large files and long batches live on.
 *
 * Keeps stacks of its own: nesting is limited by memory only.
 *
 * @param halves whether escapes may spell half of a surrogate pair. Programs write that where they cut a text in the
 * middle of a character, and `JSON.parse` reads it.
 */
export function parseStrictJson(text: string, { halves = false } = {}): JsonNode | undefined {
  return isWellFormed(text) ? new StrictParser(text, halves).parse() : undefined;
}

class StrictParser {
  #at: number;
  /** Items of all arrays that are open, innermost last; those above `#items` are left over and mean nothing. */
  readonly #itemStack: JsonNode[] = [];
  #items = 0;
  /** The same for members of objects. */
  readonly #memberStack: JsonProperty[] = [];
  #members = 0;
  /** Where the children of each open container start on their stack. */
  readonly #starts: number[] = [];

  constructor(
    readonly text: string,
    readonly halves: boolean,
  ) {
    this.#at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  }

  parse(): JsonNode | undefined {
    let container: JsonNode | undefined;
    let member: JsonProperty | undefined;
    for (;;) {
      const code = this.#skip();
      let node: JsonNode | undefined;
      if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        const isObject = code === OPEN_BRACE;
        node = this.#node(isObject ? 'object' : 'array', this.#at, container, member, '');
        node.height = 1;
        this.#at++;
        if (this.#skip() !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
          this.#starts.push(isObject ? this.#members : this.#items);
          container = node;
          member = undefined;
          if (isObject) {
            member = this.#member(node);
            if (member === undefined) return undefined;
          }
          continue;
        }
        node.end = ++this.#at;
        node.plain = true;
        if (node.parent !== undefined && node.parent.height < 2) node.parent.height = 2;
      } else {
        node = this.#scalar(code, container, member);
        if (node === undefined) return undefined;
      }
      // Behind a value: close what ends here, then go on to the next item or member.
      for (;;) {
        const next = this.#skip();
        if (container === undefined) return Number.isNaN(next) ? node : undefined;
        const isObject: boolean = container.kind === 'object';
        if (next === COMMA) {
          this.#at++;
          if (isObject) {
            this.#skip();
            member = this.#member(container);
            if (member === undefined) return undefined;
          }
          break;
        }
        if (next !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return undefined;
        node = container;
        this.#close(node);
        container = node.parent;
      }
    }
  }

  /** The code of the next character that is no white space; NaN at the end. */
  #skip(): number {
    const { text } = this;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
    this.#at = at;
    return code;
  }

  #close(node: JsonNode): void {
    const start = this.#starts.pop()!;
    // Arrays of the exact length: those that grow by `push` take several times the memory.
    if (node.kind === 'object') {
      node.properties = this.#memberStack.slice(start, this.#members);
      this.#members = start;
      if (haveDistinctKeys(node.properties)) node.plain = true;
    } else {
      node.items = this.#itemStack.slice(start, this.#items);
      this.#items = start;
      node.plain = true;
    }
    node.end = ++this.#at;
    const { parent } = node;
    if (parent === undefined) return;
    if (parent.height <= node.height) parent.height = node.height + 1;
    if (node.hasLongNumber) parent.hasLongNumber = true;
  }

  /** Reads a key and its colon. */
  #member(owner: JsonNode): JsonProperty | undefined {
    const keyStart = this.#at;
    if (this.text.charCodeAt(keyStart) !== QUOTE) return undefined;
    const key = this.#string();
    if (key === undefined) return undefined;
    const member: JsonProperty = { key, keyStart, keyEnd: this.#at, owner, value: undefined };
    this.#memberStack[this.#members++] = member;
    if (this.#skip() !== COLON) return undefined;
    this.#at++;
    return member;
  }

  #scalar(code: number, parent: JsonNode | undefined, member: JsonProperty | undefined): JsonNode | undefined {
    const start = this.#at;
    if (code === QUOTE) {
      const value = this.#string();
      return value === undefined ? undefined : this.#node('string', start, parent, member, value);
    }
    if (this.text.startsWith('true', start)) return this.#word('boolean', 'true', parent, member);
    if (this.text.startsWith('false', start)) return this.#word('boolean', 'false', parent, member);
    if (this.text.startsWith('null', start)) return this.#word('null', 'null', parent, member);
    NUMBER.lastIndex = start;
    if (!NUMBER.test(this.text)) return undefined;
    this.#at = NUMBER.lastIndex;
    const node = this.#node('number', start, parent, member, this.text.slice(start, this.#at));
    if (node.text.length >= 19) {
      node.hasLongNumber = true;
      if (parent !== undefined) parent.hasLongNumber = true;
    }
    return node;
  }

  #word(
    kind: 'boolean' | 'null',
    word: string,
    parent: JsonNode | undefined,
    member: JsonProperty | undefined,
  ): JsonNode | undefined {
    const start = this.#at;
    this.#at += word.length;
    return this.#node(kind, start, parent, member, word);
  }

  /** Reads a string from its opening quote on; `undefined` if there is anything about it. */
  #string(): string | undefined {
    const { text } = this;
    const start = this.#at + 1;
    let at = start;
    let escaped = false;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        escaped = true;
        at += 2;
      } else if (code >= 0x20) at++;
      // A control character, or the end of the text.
      else return undefined;
    }
    this.#at = at + 1;
    if (!escaped) return text.slice(start, at);
    const raw = text.slice(start - 1, at + 1);
    if (UNKNOWN_ESCAPE.test(raw.replaceAll('\\\\', ''))) return undefined;
    const value = JSON.parse(raw) as string;
    return this.halves || isWellFormed(value) ? value : undefined;
  }

  #node(
    kind: JsonNode['kind'],
    start: number,
    parent: JsonNode | undefined,
    member: JsonProperty | undefined,
    text: string,
  ): JsonNode {
    if (parent?.kind !== 'array') {
      const node = new JsonNode(kind, start, this.#at, parent, member ?? -1, text);
      if (member !== undefined) member.value = node;
      return node;
    }
    const index = this.#items - this.#starts[this.#starts.length - 1]!;
    const node = new JsonNode(kind, start, this.#at, parent, index, text);
    this.#itemStack[this.#items++] = node;
    return node;
  }
}

function haveDistinctKeys(members: readonly JsonProperty[]): boolean {
  if (members.length > 8) return new Set(members.map((member) => member.key)).size === members.length;
  for (let i = 1; i < members.length; i++) {
    const { key } = members[i]!;
    for (let j = 0; j < i; j++) if (members[j]!.key === key) return false;
  }
  return true;
}
