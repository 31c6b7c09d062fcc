import { utf8Bytes, utf8Text } from '../../grammar/providerText';

/** Why a text is refused, in the words of serde_json 1. */
export interface SerdeError {
  /** Without the place. */
  readonly message: string;
  /** Line from 1; the column is the number of bytes of that line that are consumed, so it may be 0. */
  readonly line: number;
  readonly column: number;
  /** The place as an offset in UTF-16 units: the character that does not fit, or the end of what was taken. */
  readonly offset: number;
}

/** Carries an error out of the reader. Not an `Error`: nobody looks at the stack, and most texts have a fault. */
export class SerdeFault {
  constructor(readonly error: SerdeError) {}
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What a letter behind a backslash stands for. */
const ESCAPES: ReadonlyMap<number, string> = new Map(
  [...'"\\/bfnrt'].map((letter, i) => [letter.charCodeAt(0), '"\\/\b\f\n\r\t'[i]!]),
);

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/**
 * The bytes of a JSON text with a place in them, read as serde_json 1 reads a slice: the same steps in the same order,
 * for the places in its errors are those at which it stopped.
 */
export class SerdeReader {
  readonly #bytes: Uint8Array;
  #index = 0;

  constructor(text: string) {
    this.#bytes = utf8Bytes(text);
  }

  /** The byte that comes next, or `undefined` at the end. */
  peek(): number | undefined {
    return this.#bytes[this.#index];
  }

  /** As `peek`, behind white space. */
  peekValue(): number | undefined {
    let byte = this.#bytes[this.#index];
    while (byte === 0x20 || byte === 0x0a || byte === 0x09 || byte === 0x0d) byte = this.#bytes[++this.#index];
    return byte;
  }

  take(): number | undefined {
    return this.#bytes[this.#index++];
  }

  /** A fault behind what was consumed. */
  fault(message: string): SerdeFault {
    return this.#at(message, this.#index);
  }

  /** A fault whose column counts the byte that was only looked at, too. */
  peekFault(message: string): SerdeFault {
    return this.#at(message, Math.min(this.#bytes.length, this.#index + 1));
  }

  #at(message: string, end: number): SerdeFault {
    const bytes = this.#bytes;
    let line = 1;
    let lineStart = 0;
    for (let i = 0; i < end; i++) {
      if (bytes[i] !== 0x0a) continue;
      line++;
      lineStart = i + 1;
    }
    let offset = 0;
    for (let i = 0; i < Math.min(this.#index, bytes.length); i++) {
      const byte = bytes[i]!;
      // A character of four bytes is a pair of surrogates; continuing bytes count nothing.
      if (byte >= 0xf0) offset += 2;
      else if (byte < 0x80 || byte >= 0xc0) offset += 1;
    }
    return new SerdeFault({ message, line, column: end - lineStart, offset });
  }

  /** The rest of `null`, `true` or `false` behind its first letter. */
  takeWord(rest: string): void {
    for (const letter of rest) {
      if (this.#index >= this.#bytes.length) throw this.fault('EOF while parsing a value');
      if (this.take() !== letter.charCodeAt(0)) throw this.fault('expected ident');
    }
  }

  /** A string behind its opening quote. */
  takeString(): string {
    const bytes = this.#bytes;
    let text = '';
    for (let start = this.#index; ; ) {
      const byte = bytes[this.#index];
      if (byte === undefined) throw this.fault('EOF while parsing a string');
      if (byte === QUOTE) {
        text += utf8Text(bytes.subarray(start, this.#index));
        this.#index++;
        return text;
      }
      if (byte === BACKSLASH) {
        text += utf8Text(bytes.subarray(start, this.#index));
        this.#index++;
        text += this.#escape();
        start = this.#index;
      } else if (byte < 0x20) {
        this.#index++;
        throw this.fault('control character (\\u0000-\\u001F) found while parsing a string');
      } else this.#index++;
    }
  }

  #escape(): string {
    if (this.#index >= this.#bytes.length) throw this.fault('EOF while parsing a string');
    const letter = this.take()!;
    const plain = ESCAPES.get(letter);
    if (plain !== undefined) return plain;
    if (letter !== 0x75) throw this.fault('invalid escape');
    const first = this.#hex();
    if (first >= 0xdc00 && first <= 0xdfff) throw this.fault('lone leading surrogate in hex escape');
    if (first < 0xd800 || first > 0xdbff) return String.fromCharCode(first);
    for (const wanted of [BACKSLASH, 0x75]) {
      if (this.#index >= this.#bytes.length) throw this.fault('EOF while parsing a string');
      if (this.take() !== wanted) throw this.fault('unexpected end of hex escape');
    }
    const second = this.#hex();
    if (second < 0xdc00 || second > 0xdfff) throw this.fault('lone leading surrogate in hex escape');
    return String.fromCharCode(first, second);
  }

  #hex(): number {
    if (this.#index + 4 > this.#bytes.length) {
      this.#index = this.#bytes.length;
      throw this.fault('EOF while parsing a string');
    }
    const digits = String.fromCharCode(...this.#bytes.subarray(this.#index, this.#index + 4));
    this.#index += 4;
    if (!/^[0-9A-Fa-f]{4}$/.test(digits)) throw this.fault('invalid escape');
    return Number.parseInt(digits, 16);
  }

  /** A number; `negative` when its sign is already consumed. Gives its spelling. */
  takeNumber(negative: boolean): string {
    const start = this.#index;
    const first = this.#digitOrEnd();
    if (first === 0x30) {
      // One leading zero at most.
      if (isDigit(this.peek())) throw this.peekFault('invalid number');
    } else if (isDigit(first)) this.#digits();
    else throw this.fault('invalid number');
    if (this.peek() === 0x2e) {
      this.take();
      if (!this.#digits()) {
        throw this.peekFault(this.peek() === undefined ? 'EOF while parsing a value' : 'invalid number');
      }
    }
    if (this.peek() === 0x65 || this.peek() === 0x45) {
      this.take();
      if (this.peek() === 0x2b || this.peek() === 0x2d) this.take();
      if (!isDigit(this.#digitOrEnd())) throw this.fault('invalid number');
      this.#digits();
    }
    return (
      (negative ? '-' : '') + String.fromCharCode(...this.#bytes.subarray(start, Math.min(this.#index, start + 64)))
    );
  }

  #digitOrEnd(): number {
    if (this.#index >= this.#bytes.length) throw this.fault('EOF while parsing a value');
    return this.take()!;
  }

  /** Whether there was a digit. */
  #digits(): boolean {
    const start = this.#index;
    while (isDigit(this.peek())) this.#index++;
    return this.#index > start;
  }
}
