import { rustDebug } from '../../text/rustDebug';
import { expecting, oneOf, type SerdeStruct, type SerdeType, type SerdeValue, withElements } from './serdeModel';
import { type SerdeError, SerdeFault, SerdeReader } from './serdeReader';

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;
const MINUS = 0x2d;

/** A refusal by a type, which does not know where it is: the decoder around it adds the place. */
class Unplaced {
  constructor(readonly message: string) {}
}

export type SerdeResult =
  | { readonly ok: true; readonly value: SerdeValue }
  | { readonly ok: false; readonly error: SerdeError };

/**
 * Decodes a JSON text into a type as `serde_json::from_str` does (serde_json 1 with `arbitrary_precision`, as Codex
 * 0.171.0 is built): the same first error, in the same words, at the same place. Unknown fields are refused.
 *
 * The types are finite, so nothing here recurses with the text; white space alone of any length is fine too.
 */
export function decodeSerde(text: string, type: SerdeType): SerdeResult {
  const decoder = new Decoder(text);
  try {
    return { ok: true, value: decoder.whole(type) };
  } catch (fault) {
    if (fault instanceof SerdeFault) return { ok: false, error: fault.error };
    throw fault;
  }
}

/** `message at line L column C`, as serde_json prints an error. */
export function serdeErrorText({ message, line, column }: SerdeError): string {
  return `${message} at line ${line} column ${column}`;
}

class Decoder {
  readonly #reader: SerdeReader;

  constructor(text: string) {
    this.#reader = new SerdeReader(text);
  }

  whole(type: SerdeType): SerdeValue {
    const value = this.#value(type);
    if (this.#reader.peekValue() !== undefined) throw this.#reader.peekFault('trailing characters');
    return value;
  }

  #value(type: SerdeType): SerdeValue {
    switch (type.kind) {
      case 'string':
        return { kind: 'string', text: this.#string(type) };
      case 'sequence':
        return this.#sequence(type);
      case 'option':
        if (this.#reader.peekValue() !== 0x6e) return this.#value(type.inner);
        this.#reader.take();
        this.#reader.takeWord('ull');
        return { kind: 'none' };
      case 'struct':
        return this.#struct(type);
      default:
        return this.#enum(type.variants);
    }
  }

  #valueStart(): number {
    const byte = this.#reader.peekValue();
    if (byte === undefined) throw this.#reader.peekFault('EOF while parsing a value');
    return byte;
  }

  #string(type: SerdeType): string {
    if (this.#valueStart() !== QUOTE) throw this.#wrongType(expecting(type));
    this.#reader.take();
    return this.#reader.takeString();
  }

  #sequence(type: SerdeType & { kind: 'sequence' }): SerdeValue {
    if (this.#valueStart() !== OPEN_BRACKET) throw this.#wrongType(expecting(type));
    const items: SerdeValue[] = [];
    this.#inBrackets(() => {
      for (let first = true; this.#hasElement(first); first = false) items.push(this.#value(type.item));
    });
    return { kind: 'sequence', items };
  }

  #struct(type: SerdeStruct): SerdeValue {
    const start = this.#valueStart();
    const found: (SerdeValue | undefined)[] = type.fields.map(() => undefined);
    if (start === OPEN_BRACKET) this.#inBrackets(() => this.#positional(type, found));
    else if (start === OPEN_BRACE) this.#inBraces(() => this.#members(type, found));
    else throw this.#wrongType(expecting(type));
    return { kind: 'struct', members: type.fields.map(({ name }, i) => [name, found[i] ?? { kind: 'none' }] as const) };
  }

  #positional(type: SerdeStruct, found: (SerdeValue | undefined)[]): void {
    let more = true;
    for (const [i, field] of type.fields.entries()) {
      more = more && this.#hasElement(i === 0);
      if (more) found[i] = this.#value(field.type);
      else if (field.defaulted !== true) throw new Unplaced(`invalid length ${i}, expected ${withElements(type)}`);
    }
  }

  #members(type: SerdeStruct, found: (SerdeValue | undefined)[]): void {
    const reader = this.#reader;
    for (let first = true; this.#hasKey(first); first = false) {
      reader.take();
      const key = reader.takeString();
      const index = type.fields.findIndex(({ name }) => name === key);
      if (index < 0) {
        throw new Unplaced(`unknown field \`${key}\`, expected ${oneOf(type.fields.map(({ name }) => name))}`);
      }
      if (found[index] !== undefined) throw new Unplaced(`duplicate field \`${key}\``);
      this.#colon();
      found[index] = this.#value(type.fields[index]!.type);
    }
    for (const [i, field] of type.fields.entries()) {
      if (found[i] !== undefined || field.defaulted === true || field.type.kind === 'option') continue;
      throw new Unplaced(`missing field \`${field.name}\``);
    }
  }

  /** A unit variant: its name, or an object with the name as its only key and `null` behind it. */
  #enum(variants: readonly string[]): SerdeValue {
    const reader = this.#reader;
    const start = reader.peekValue();
    if (start === QUOTE) return { kind: 'string', text: this.#variant(variants) };
    if (start !== OPEN_BRACE) {
      throw reader.peekFault(start === undefined ? 'EOF while parsing a value' : 'expected value');
    }
    reader.take();
    const text = this.#variant(variants);
    this.#colon();
    if (this.#valueStart() !== 0x6e) throw this.#wrongType('unit');
    reader.take();
    reader.takeWord('ull');
    const end = reader.peekValue();
    if (end !== CLOSE_BRACE) throw reader.fault(end === undefined ? 'EOF while parsing an object' : 'expected value');
    reader.take();
    return { kind: 'string', text };
  }

  #variant(variants: readonly string[]): string {
    if (this.#valueStart() !== QUOTE) throw this.#wrongType('variant identifier');
    this.#reader.take();
    const name = this.#reader.takeString();
    if (!variants.includes(name)) {
      throw this.#reader.fault(`unknown variant \`${name}\`, expected ${oneOf(variants)}`);
    }
    return name;
  }

  /** Runs `inside` between brackets. A refusal without a place gets the one behind the end, if the end is there. */
  #inBrackets(inside: () => void): void {
    this.#closed(inside, () => {
      const reader = this.#reader;
      const byte = reader.peekValue();
      if (byte === undefined) throw reader.peekFault('EOF while parsing a list');
      if (byte === COMMA) {
        reader.take();
        throw reader.peekFault(reader.peekValue() === CLOSE_BRACKET ? 'trailing comma' : 'trailing characters');
      }
      if (byte !== CLOSE_BRACKET) throw reader.peekFault('trailing characters');
      reader.take();
    });
  }

  #inBraces(inside: () => void): void {
    this.#closed(inside, () => {
      const reader = this.#reader;
      const byte = reader.peekValue();
      if (byte === undefined) throw reader.peekFault('EOF while parsing an object');
      if (byte !== CLOSE_BRACE) throw reader.peekFault(byte === COMMA ? 'trailing comma' : 'trailing characters');
      reader.take();
    });
  }

  /** The library looks for the end in any case; an error from inside wins, but its place is where it then stands. */
  #closed(inside: () => void, end: () => void): void {
    this.#reader.take();
    let failure: unknown;
    try {
      inside();
    } catch (error) {
      failure = error;
    }
    if (failure === undefined) {
      end();
      return;
    }
    if (!(failure instanceof Unplaced)) throw failure;
    try {
      end();
    } catch (error) {
      if (!(error instanceof SerdeFault)) throw error;
    }
    throw this.#reader.fault(failure.message);
  }

  #hasElement(first: boolean): boolean {
    const reader = this.#reader;
    const byte = reader.peekValue();
    if (byte === undefined) throw reader.peekFault('EOF while parsing a list');
    if (byte === CLOSE_BRACKET) return false;
    if (first) return true;
    if (byte !== COMMA) throw reader.peekFault('expected `,` or `]`');
    reader.take();
    const next = reader.peekValue();
    if (next === CLOSE_BRACKET) throw reader.peekFault('trailing comma');
    if (next === undefined) throw reader.peekFault('EOF while parsing a value');
    return true;
  }

  #hasKey(first: boolean): boolean {
    const reader = this.#reader;
    let byte = reader.peekValue();
    if (byte === undefined) throw reader.peekFault('EOF while parsing an object');
    if (byte === CLOSE_BRACE) return false;
    if (!first) {
      if (byte !== COMMA) throw reader.peekFault('expected `,` or `}`');
      reader.take();
      byte = reader.peekValue();
      if (byte === CLOSE_BRACE) throw reader.peekFault('trailing comma');
      if (byte === undefined) throw reader.peekFault('EOF while parsing a value');
    }
    if (byte !== QUOTE) throw reader.peekFault('key must be a string');
    return true;
  }

  #colon(): void {
    const byte = this.#reader.peekValue();
    if (byte === undefined) throw this.#reader.peekFault('EOF while parsing an object');
    if (byte !== COLON) throw this.#reader.peekFault('expected `:`');
    this.#reader.take();
  }

  /** The value that stands here is of another type. Scalars are consumed, containers are not. */
  #wrongType(expected: string): SerdeFault {
    const found = this.#unexpected();
    return this.#reader.fault(`invalid type: ${found}, expected ${expected}`);
  }

  #unexpected(): string {
    const reader = this.#reader;
    const byte = reader.peek()!;
    switch (byte) {
      case 0x6e:
        reader.take();
        reader.takeWord('ull');
        return 'null';
      case 0x74:
        reader.take();
        reader.takeWord('rue');
        return 'boolean `true`';
      case 0x66:
        reader.take();
        reader.takeWord('alse');
        return 'boolean `false`';
      case QUOTE:
        reader.take();
        return `string ${rustDebug(reader.takeString())}`;
      case OPEN_BRACKET:
        return 'sequence';
      case OPEN_BRACE:
        return 'map';
      case MINUS:
        reader.take();
        return numberWords(reader.takeNumber(true));
      default:
        if (byte < 0x30 || byte > 0x39) throw reader.peekFault('expected value');
        return numberWords(reader.takeNumber(false));
    }
  }
}

const U64_MAX = 18446744073709551615n;
const I64_MIN = -9223372036854775808n;

/** With arbitrary precision a number that is no 64-bit integer stays a text, so it has no value to be named. */
function numberWords(spelling: string): string {
  if (!/^-?\d{1,20}$/.test(spelling)) return 'number';
  const value = BigInt(spelling);
  return value > U64_MAX || value < I64_MIN ? 'number' : `integer \`${value}\``;
}
