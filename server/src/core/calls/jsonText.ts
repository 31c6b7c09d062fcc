import { serdeErrorText } from './builtin/serdeJson';
import { SerdeFault, SerdeReader } from './builtin/serdeReader';

/** So many levels are too many for serde_json. */
const TOO_DEEP = 128;

/**
 * Why a text is no JSON, in the words of `serde_json::from_str` into any value (serde_json 1, as in Codex 0.171.0);
 * `undefined` when it is JSON. Keeps a stack of its own.
 */
export function jsonTextError(text: string): string | undefined {
  const reader = new SerdeReader(text);
  try {
    readValue(reader);
    return undefined;
  } catch (fault) {
    if (fault instanceof SerdeFault) return serdeErrorText(fault.error);
    throw fault;
  }
}

/** Reads values until every bracket is closed. `open` holds the brackets that are. */
function readValue(reader: SerdeReader): void {
  const open: ('list' | 'object')[] = [];
  for (;;) {
    if (startsContainer(reader, open)) continue;
    // A value has ended: so may containers, and then another value follows, or nothing.
    while (open.length > 0 && closes(reader, open.at(-1)!)) open.pop();
    if (open.length === 0) break;
    if (open.at(-1) === 'object') readKey(reader);
  }
  if (reader.peekValue() !== undefined) throw reader.peekFault('trailing characters');
}

/** Takes a scalar, an empty container, or the beginning of one up to its first value, which gives `true`. */
function startsContainer(reader: SerdeReader, open: ('list' | 'object')[]): boolean {
  const byte = reader.peekValue();
  if (byte === undefined) throw reader.peekFault('EOF while parsing a value');
  const letter = String.fromCharCode(byte);
  if (letter === '[' || letter === '{') {
    if (open.length + 1 >= TOO_DEEP) throw reader.peekFault('recursion limit exceeded');
    reader.take();
    const first = reader.peekValue();
    const kind = letter === '[' ? 'list' : 'object';
    if (first === undefined) throw reader.peekFault(`EOF while parsing ${kind === 'list' ? 'a list' : 'an object'}`);
    if (first === closing(kind)) {
      reader.take();
      return false;
    }
    open.push(kind);
    if (kind === 'object') readKey(reader);
    return true;
  }
  if (letter === '"') {
    reader.take();
    reader.takeString();
  } else if (letter === '-' || (byte >= 0x30 && byte <= 0x39)) {
    if (letter === '-') reader.take();
    reader.takeNumber(letter === '-');
  } else {
    const rest = letter === 'n' ? 'ull' : letter === 't' ? 'rue' : letter === 'f' ? 'alse' : undefined;
    if (rest === undefined) throw reader.peekFault('expected value');
    reader.take();
    reader.takeWord(rest);
  }
  return false;
}

/** Takes the end of a container, or the comma before its next member. */
function closes(reader: SerdeReader, kind: 'list' | 'object'): boolean {
  const byte = reader.peekValue();
  if (byte === undefined) throw reader.peekFault(`EOF while parsing ${kind === 'list' ? 'a list' : 'an object'}`);
  if (byte === closing(kind)) {
    reader.take();
    return true;
  }
  if (byte !== 0x2c) throw reader.peekFault(`expected \`,\` or \`${kind === 'list' ? ']' : '}'}\``);
  reader.take();
  const next = reader.peekValue();
  if (next === closing(kind)) throw reader.peekFault('trailing comma');
  if (next === undefined) throw reader.peekFault('EOF while parsing a value');
  return false;
}

function closing(kind: 'list' | 'object'): number {
  return kind === 'list' ? 0x5d : 0x7d;
}

/** Takes a key and its colon. */
function readKey(reader: SerdeReader): void {
  if (reader.peekValue() !== 0x22) throw reader.peekFault('key must be a string');
  reader.take();
  reader.takeString();
  const colon = reader.peekValue();
  if (colon === undefined) throw reader.peekFault('EOF while parsing an object');
  if (colon !== 0x3a) throw reader.peekFault('expected `:`');
  reader.take();
}
