import { createScanner } from 'jsonc-parser';
import {
  type JsonDocument,
  type JsonKind,
  JsonNode,
  type JsonProblem,
  type JsonProblemCode,
  type JsonProperty,
  NO_ITEMS,
  NO_PROPERTIES,
} from './jsonNode';
import { parseStrictJson } from './jsonStrict';
import { type Message, t } from './message';
import type { Span } from './span';
import { isWellFormed } from './utf16';

export {
  type JsonDocument,
  type JsonKind,
  JsonNode,
  type JsonProblem,
  type JsonProblemCode,
  type JsonProperty,
  syntaxFault,
} from './jsonNode';

/** The scanner's token kinds. jsonc-parser declares them as a const enum, which no isolated module can read. */
const SyntaxKind = {
  OpenBraceToken: 1,
  CloseBraceToken: 2,
  OpenBracketToken: 3,
  CloseBracketToken: 4,
  CommaToken: 5,
  ColonToken: 6,
  NullKeyword: 7,
  TrueKeyword: 8,
  FalseKeyword: 9,
  StringLiteral: 10,
  NumericLiteral: 11,
  LineCommentTrivia: 12,
  BlockCommentTrivia: 13,
  LineBreakTrivia: 14,
  Trivia: 15,
  Unknown: 16,
  EOF: 17,
} as const;

/** The scanner's errors, for the same reason. */
const ScanError = {
  None: 0,
  UnexpectedEndOfComment: 1,
  UnexpectedEndOfString: 2,
  InvalidUnicode: 4,
  InvalidEscapeCharacter: 5,
  InvalidCharacter: 6,
} as const;

/**
 * `parseJson` keeps this many faults at most, so that a binary file does not fill the memory, and apart from them
 * this many places that are fine in JSON with comments.
 */
const MAX_PROBLEMS = 200;

/** Readings of one text at most, and the length in UTF-16 units beyond which a text is read once. */
const MAX_READINGS = 6;
const MAX_REREAD_LENGTH = 4_000_000;

/** Steps outwards in search of a list, over the whole text; the widest indentation that is looked at. */
const MAX_STEPS = 1_000_000;
const MAX_INDENT = 400;

/** Tokens that start a value and cannot be a key. */
const VALUE_STARTS = new Set<number>([
  SyntaxKind.OpenBraceToken,
  SyntaxKind.OpenBracketToken,
  SyntaxKind.NumericLiteral,
  SyntaxKind.TrueKeyword,
  SyntaxKind.FalseKeyword,
  SyntaxKind.NullKeyword,
]);

const enum State {
  /** Before a value. */
  Value,
  /** Behind a value: a comma or the end of the container. */
  AfterValue,
  /** Before a key, or at the end of an object. */
  Key,
}

/**
 * Parses JSON, with comments and trailing commas tolerated and reported, into a tree with offsets.
 *
 * Never throws and never loses text: each member and element that can be told apart is in the tree, also
 * in half-typed text. It keeps a stack of its own, so nesting is limited by memory only. A byte order mark
 * at the start is skipped.
 */
export function parseJson(text: string): JsonDocument {
  const root = parseStrictJson(text);
  return root === undefined ? parseTolerant(text) : { text, root, problems: [] };
}

/** As `parseJson`, by the tolerant parser in any case. */
export function parseTolerant(text: string): JsonDocument {
  const stray = new Set<number>();
  for (let reading = 1; ; reading++) {
    const parser = new Parser(text, stray);
    const document = parser.parse();
    // A bracket too many closed the outermost value early: read again without it, so that the rest is in the tree.
    const culprit = parser.culprit;
    if (culprit < 0 || reading === MAX_READINGS || text.length > MAX_REREAD_LENGTH) return document;
    stray.add(culprit);
  }
}

class Parser {
  readonly #scanner;
  readonly #problems: JsonProblem[] = [];
  /** Containers that are open, by kind. */
  readonly #open = { object: 0, array: 0 };
  #steps = 0;
  #faults = 0;
  #notes = 0;
  /** Offset of the last bracket that closed a container further out, or -1. */
  #forced = -1;
  /** Offset of the bracket without which less of the text is left over, or -1. */
  culprit = -1;
  #root: JsonNode | undefined;
  #token: number = SyntaxKind.Unknown;
  #container: JsonNode | undefined;
  #property: JsonProperty | undefined;
  /** Offset of the last comma when nothing has followed it yet, else -1. */
  #comma = -1;

  readonly #wellFormed: boolean;

  constructor(
    readonly text: string,
    readonly stray: ReadonlySet<number>,
  ) {
    this.#wellFormed = isWellFormed(text);
    this.#scanner = createScanner(text, false);
    if (text.charCodeAt(0) === 0xfeff) this.#scanner.setPosition(1);
  }

  parse(): JsonDocument {
    let state = State.Value;
    this.#next();
    while (this.#token !== SyntaxKind.EOF) {
      if (state === State.Value) state = this.#value();
      else if (state === State.Key) state = this.#key();
      else if (this.#container === undefined) {
        this.#problem('end-expected', t('The text goes on behind the end of the JSON value.'));
        this.culprit = this.#forced >= 0 || this.#token !== SyntaxKind.CommaToken ? this.#forced : this.#root!.end - 1;
        break;
      } else state = this.#afterValue();
    }
    this.#finish(state);
    return { text: this.text, root: this.#root, problems: this.#problems };
  }

  /** One step before a value. */
  #value(): State {
    switch (this.#token) {
      case SyntaxKind.OpenBraceToken:
        this.#enter('object');
        return State.Key;
      case SyntaxKind.OpenBracketToken:
        this.#enter('array');
        return State.Value;
      case SyntaxKind.StringLiteral:
        this.#scalar('string', this.#scanner.getTokenValue());
        return State.AfterValue;
      case SyntaxKind.NumericLiteral:
        this.#scalar('number', this.#scanner.getTokenValue());
        return State.AfterValue;
      case SyntaxKind.TrueKeyword:
        this.#scalar('boolean', 'true');
        return State.AfterValue;
      case SyntaxKind.FalseKeyword:
        this.#scalar('boolean', 'false');
        return State.AfterValue;
      case SyntaxKind.NullKeyword:
        this.#scalar('null', 'null');
        return State.AfterValue;
      case SyntaxKind.CloseBracketToken:
      case SyntaxKind.CloseBraceToken:
        return this.#valueMissing();
      case SyntaxKind.CommaToken:
        this.#problem('value-expected', t('A value is missing here.'));
        this.#property = undefined;
        return this.#takeComma();
      default:
        this.#problem('unexpected-token', t('This is not a JSON value.'));
        this.#next();
        if (this.#container?.kind === 'object') {
          this.#property = undefined;
          return State.AfterValue;
        }
        return this.#container === undefined ? State.Value : State.AfterValue;
    }
  }

  /** A closing bracket stands where a value was due. */
  #valueMissing(): State {
    const container = this.#container;
    if (container === undefined) {
      this.#problem('unexpected-token', t('Nothing is open here that this could close.'));
      this.#next();
      return State.Value;
    }
    if (container.kind === 'array') {
      const closes = this.#token === SyntaxKind.CloseBracketToken;
      if (closes && this.#comma >= 0) this.#trailingComma();
      return closes ? this.#close() : this.#mismatch();
    }
    this.#problem('value-expected', t('A value is missing here.'));
    this.#property = undefined;
    return State.AfterValue;
  }

  #key(): State {
    switch (this.#token) {
      case SyntaxKind.StringLiteral: {
        const start = this.#scanner.getTokenOffset();
        this.#checkString();
        const end = start + this.#scanner.getTokenLength();
        const property = this.#addProperty(this.#scanner.getTokenValue(), start, end);
        this.#next();
        if ((this.#token as number) === SyntaxKind.ColonToken) {
          this.#property = property;
          this.#next();
          return State.Value;
        }
        this.#problem('colon-expected', t('A colon and a value are missing behind this key.'), {
          start: property.keyStart,
          end: property.keyEnd,
        });
        if (!VALUE_STARTS.has(this.#token)) return State.AfterValue;
        this.#property = property;
        return State.Value;
      }
      case SyntaxKind.CloseBraceToken:
        if (this.#comma >= 0) this.#trailingComma();
        return this.#close();
      case SyntaxKind.CloseBracketToken:
        return this.#mismatch();
      case SyntaxKind.CommaToken:
        this.#problem('property-expected', t('A key in double quotes is missing here.'));
        return this.#takeComma();
      case SyntaxKind.OpenBraceToken:
      case SyntaxKind.OpenBracketToken:
        return this.#bracketInsteadOfKey();
      default:
        return this.#bareKey();
    }
  }

  /**
   * A bracket opens where a key is due. A brace at the place of an item of an open list is that item, and what is
   * open within the list lacks its end. Else it is read as a value of no member, so that brackets stay balanced.
   */
  #bracketInsteadOfKey(): State {
    const list = this.#token === SyntaxKind.OpenBraceToken ? this.#listAround() : undefined;
    if (list === undefined) this.#problem('property-expected', t('A key in double quotes is expected here.'));
    else this.#closeInnerOf(list);
    return State.Value;
  }

  /**
   * The open list whose items start where this token does: at the same indentation on lines of their own, the
   * innermost of several. Where lines tell nothing, the innermost list.
   */
  #listAround(): JsonNode | undefined {
    const nearest = this.#nearest('array');
    const column = this.#ownColumn(this.#scanner.getTokenOffset());
    if (nearest === undefined || column < 0) return nearest;
    for (let node = this.#container; node !== undefined; node = node.parent) {
      if (this.#steps++ > MAX_STEPS) return undefined;
      const first = node.kind === 'array' ? node.items[0] : undefined;
      if (first !== undefined && this.#ownColumn(first.offset) === column) return node;
    }
    return this.#ownColumn(nearest.items[0]?.offset ?? 0) < 0 ? nearest : undefined;
  }

  /** Characters before the offset on its line if they are all white space, else -1. */
  #ownColumn(offset: number): number {
    let start = offset;
    while (start > 0 && offset - start < MAX_INDENT) {
      const code = this.text.charCodeAt(start - 1);
      if (code === 0x0a || code === 0x0d) return offset - start;
      if (code !== 0x20 && code !== 0x09) return -1;
      start--;
    }
    return -1;
  }

  /** Something that is no string where a key is due: a key without its quotes if a colon follows. */
  #bareKey(): State {
    this.#problem('property-expected', t('A key in double quotes is expected here.'));
    const start = this.#scanner.getTokenOffset();
    const end = start + this.#scanner.getTokenLength();
    this.#next();
    if (this.#token !== SyntaxKind.ColonToken) return State.Key;
    this.#property = this.#addProperty(this.text.slice(start, end).replace(/^'(.*)'$/s, '$1'), start, end);
    this.#next();
    return State.Value;
  }

  #addProperty(key: string, keyStart: number, keyEnd: number): JsonProperty {
    const owner = this.#container!;
    const property: JsonProperty = { key, keyStart, keyEnd, owner, value: undefined };
    if (owner.properties === NO_PROPERTIES) owner.properties = [];
    owner.properties.push(property);
    this.#comma = -1;
    return property;
  }

  #afterValue(): State {
    const container = this.#container!;
    switch (this.#token) {
      case SyntaxKind.CommaToken:
        return this.#takeComma();
      case SyntaxKind.CloseBraceToken:
        return container.kind === 'object' ? this.#close() : this.#mismatch();
      case SyntaxKind.CloseBracketToken:
        return container.kind === 'array' ? this.#close() : this.#mismatch();
      case SyntaxKind.ColonToken:
        return this.#colonBehindValue(container);
      default:
        this.#problem('comma-expected', t('A comma is missing before this.'));
        if (container.kind === 'object') return State.Key;
        if (this.#token === SyntaxKind.OpenBraceToken) this.#closeInnerOf(this.#listAround() ?? container);
        return State.Value;
    }
  }

  /** A colon behind a string in an object: the string is a key, and the member before it has no value yet. */
  #colonBehindValue(container: JsonNode): State {
    const property = container.properties.at(-1);
    const value = property?.value;
    if (property === undefined || value?.kind !== 'string') {
      this.#problem('unexpected-token', t('A colon has no place here.'));
      this.#next();
      return State.AfterValue;
    }
    this.#problem('value-expected', t('A value is missing here.'), { start: property.keyStart, end: property.keyEnd });
    property.value = undefined;
    this.#property = this.#addProperty(value.text, value.offset, value.end);
    this.#next();
    return State.Value;
  }

  #takeComma(): State {
    this.#comma = this.#scanner.getTokenOffset();
    this.#next();
    return this.#container?.kind === 'object' ? State.Key : State.Value;
  }

  #trailingComma(): void {
    this.#problem('trailing-comma', t('A comma before the end is not JSON.'), {
      start: this.#comma,
      end: this.#comma + 1,
    });
  }

  /** A bracket of the other kind: closes this container if one further out fits, else it is passed over. */
  #mismatch(): State {
    const wanted = this.#token === SyntaxKind.CloseBraceToken ? 'object' : 'array';
    const outer = this.#nearest(wanted);
    if (outer === undefined) {
      this.#problem('unexpected-token', t('Nothing is open here that this could close.'));
      this.#next();
      return State.AfterValue;
    }
    this.#forced = this.#scanner.getTokenOffset();
    this.#closeInnerOf(outer);
    return this.#close();
  }

  /** The innermost open container of a kind. Those between are closed next, so walks are short on the whole. */
  #nearest(kind: 'object' | 'array'): JsonNode | undefined {
    if (this.#open[kind] === 0) return undefined;
    let node = this.#container;
    while (node !== undefined && node.kind !== kind) node = node.parent;
    return node;
  }

  /** Closes every container inside of `outer`, each of which lacks its bracket. */
  #closeInnerOf(outer: JsonNode): void {
    while (this.#container !== outer) {
      const open: JsonNode = this.#container!;
      this.#notClosed(open);
      this.#leave(open, this.#scanner.getTokenOffset());
    }
  }

  #notClosed(open: JsonNode): void {
    const bracket = open.kind === 'object' ? '}' : ']';
    this.#problem('not-closed', t('The "{0}" that closes this is missing.', bracket), {
      start: open.offset,
      end: open.offset + 1,
    });
  }

  #enter(kind: 'object' | 'array'): void {
    this.#open[kind]++;
    const start = this.#scanner.getTokenOffset();
    const node = this.#add(kind, start, start + 1, '');
    node.height = 1;
    this.#container = node;
    this.#next();
  }

  #scalar(kind: JsonKind, text: string): void {
    const start = this.#scanner.getTokenOffset();
    if (kind === 'string') this.#checkString();
    else if (kind === 'number' && (this.#scanner.getTokenError() as number) !== ScanError.None) {
      this.#problem('bad-number', t('This is not a JSON number.'));
    }
    const node = this.#add(kind, start, start + this.#scanner.getTokenLength(), text);
    if (kind === 'number' && text.length >= 19) {
      node.hasLongNumber = true;
      if (node.parent !== undefined) node.parent.hasLongNumber = true;
    }
    this.#next();
  }

  #add(kind: JsonKind, start: number, end: number, text: string): JsonNode {
    const parent = this.#container;
    this.#comma = -1;
    if (parent === undefined) {
      const node = new JsonNode(kind, start, end, undefined, -1, text);
      this.#root = node;
      return node;
    }
    if (parent.kind === 'array') {
      if (parent.items === NO_ITEMS) parent.items = [];
      const node = new JsonNode(kind, start, end, parent, parent.items.length, text);
      parent.items.push(node);
      return node;
    }
    const property = this.#property;
    const node = new JsonNode(kind, start, end, parent, property ?? -1, text);
    if (property !== undefined) property.value = node;
    this.#property = undefined;
    return node;
  }

  #close(): State {
    const node = this.#container!;
    this.#leave(node, this.#scanner.getTokenOffset() + 1);
    this.#next();
    return State.AfterValue;
  }

  #leave(node: JsonNode, end: number): void {
    node.end = end;
    this.#open[node.kind as 'object' | 'array']--;
    this.#comma = -1;
    this.#container = node.parent;
    // A value of no member counts for nothing.
    if (node.parent === undefined || (node.index < 0 && node.property === undefined)) return;
    if (node.parent.height <= node.height) node.parent.height = node.height + 1;
    if (node.hasLongNumber) node.parent.hasLongNumber = true;
  }

  #finish(state: State): void {
    const end = this.text.length;
    if (this.#root === undefined) {
      if (state === State.Value && this.#problems.every(({ code }) => code === 'comment')) {
        const start = this.#problems.length === 0 ? 0 : end;
        this.#record('value-expected', t('There is no JSON value here.'), { start, end });
      }
      return;
    }
    if (this.#container !== undefined && state === State.Value && this.#property !== undefined) {
      this.#record('value-expected', t('A value is missing here.'), {
        start: this.#property.keyStart,
        end: this.#property.keyEnd,
      });
    }
    // Each container that is still open ends where the text ends; the innermost one is reported.
    if (this.#container !== undefined) this.#notClosed(this.#container);
    while (this.#container !== undefined) this.#leave(this.#container, end);
    this.#problems.sort((a, b) => a.span.start - b.span.start);
  }

  /** To the next token that is no white space and no comment. */
  #next(): void {
    for (;;) {
      const token: number = this.#scanner.scan();
      if (token === SyntaxKind.Trivia || token === SyntaxKind.LineBreakTrivia) continue;
      if (token === SyntaxKind.LineCommentTrivia || token === SyntaxKind.BlockCommentTrivia) {
        if ((this.#scanner.getTokenError() as number) === ScanError.UnexpectedEndOfComment) {
          this.#problem('not-closed', t('The comment is not closed.'));
        } else this.#problem('comment', t('Comments are not JSON.'));
        continue;
      }
      if (this.stray.size > 0 && this.stray.has(this.#scanner.getTokenOffset())) {
        this.#problem('unexpected-token', t('This bracket closes something that is needed further down.'));
        continue;
      }
      this.#token = token;
      return;
    }
  }

  #checkString(): void {
    const error: number = this.#scanner.getTokenError();
    if (error === ScanError.UnexpectedEndOfString) {
      this.#problem('bad-string', t('The closing quote of this string is missing.'));
    } else if (error === ScanError.InvalidUnicode || error === ScanError.InvalidEscapeCharacter) {
      this.#problem('bad-escape', t('This string has an escape that JSON does not know.'));
    } else if (error === ScanError.InvalidCharacter) {
      this.#problem('bad-string', t('This string has a control character that must be escaped.'));
    }
    // Only an escape can spell half a pair in a text that is well-formed itself.
    const value = this.#scanner.getTokenValue();
    const escaped = this.#scanner.getTokenLength() !== value.length + 2;
    if ((escaped || !this.#wellFormed) && !isWellFormed(value)) {
      this.#problem('lone-surrogate', t('This string has half of a surrogate pair, which no UTF-8 text can hold.'));
    }
  }

  #problem(code: JsonProblemCode, message: Message, span?: Span): void {
    const start = this.#scanner.getTokenOffset();
    // The scanner puts the end of a comment that is not closed behind the text.
    const end = Math.min(start + this.#scanner.getTokenLength(), this.text.length);
    this.#record(code, message, span ?? { start, end });
  }

  #record(code: JsonProblemCode, message: Message, span: Span): void {
    const harmless = code === 'comment' || code === 'trailing-comma';
    if ((harmless ? this.#notes++ : this.#faults++) < MAX_PROBLEMS) this.#problems.push({ code, message, span });
  }
}
