import type {
  CharacterRange,
  JudgedInput,
  ProviderAnswer,
  ProviderEnd,
  ProviderPart,
  ProviderRefusal,
  ProviderStep,
} from './provider';

/** The UTF-8 bytes of a text. Half a surrogate pair becomes U+FFFD, as everywhere. */
export function utf8Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code >= 0xd800 && code < 0xe000) {
      const whole = text.codePointAt(i)!;
      if (whole > 0xffff) {
        code = whole;
        i++;
      } else code = 0xfffd;
    }
    if (code < 0x80) {
      bytes[length++] = code;
      continue;
    }
    if (code < 0x800) bytes[length++] = 0xc0 | (code >> 6);
    else {
      if (code < 0x10000) bytes[length++] = 0xe0 | (code >> 12);
      else {
        bytes[length++] = 0xf0 | (code >> 18);
        bytes[length++] = 0x80 | ((code >> 12) & 0x3f);
      }
      bytes[length++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[length++] = 0x80 | (code & 0x3f);
  }
  return bytes.slice(0, length);
}

/** How many bytes a character has, by its first byte; 0 for bytes that begin none. */
export function characterLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

/**
 * The characters of UTF-8 bytes, at most `most` UTF-16 units of them (one more if the last is a pair). An unfinished
 * character at the end is left out; other bytes that are no character become U+FFFD.
 */
export function utf8Text(bytes: Uint8Array, most = Number.POSITIVE_INFINITY): string {
  const parts: string[] = [];
  let length = 0;
  for (let i = 0; i < bytes.length && length < most; ) {
    const first = bytes[i]!;
    const size = characterLength(first);
    if (size > 0 && i + size > bytes.length) break;
    const code = size === 0 ? undefined : codePoint(bytes, i, size);
    const part = code === undefined ? '\ufffd' : String.fromCodePoint(code);
    parts.push(part);
    length += part.length;
    i += code === undefined ? 1 : size;
  }
  return parts.join('');
}

/** The code point of a whole character, or `undefined` when the bytes are none. */
function codePoint(bytes: Uint8Array, at: number, size: number): number | undefined {
  if (size === 1) return bytes[at]!;
  let code = bytes[at]! & (0x7f >> size);
  for (let i = 1; i < size; i++) {
    const byte = bytes[at + i]!;
    if ((byte & 0xc0) !== 0x80) return undefined;
    code = (code << 6) | (byte & 0x3f);
  }
  const least = size === 2 ? 0x80 : size === 3 ? 0x800 : 0x10000;
  return code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? undefined : code;
}

/** Neighbors joined to ranges. The numbers are in ascending order. */
export function ranges(numbers: readonly number[]): CharacterRange[] {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last !== undefined && last[1] + 1 === number) last[1] = number;
    else found.push([number, number]);
  }
  return found;
}

/** A place in a text by its UTF-8 bytes; within a character it is where that character begins. */
export function placeOfByte(text: string, bytes: number): { offset: number; line: number; column: number } {
  let used = 0;
  let offset = 0;
  let line = 1;
  let lineStart = 0;
  while (offset < text.length) {
    const code = text.codePointAt(offset)!;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (used + size > bytes) break;
    used += size;
    offset += code < 0x10000 ? 1 : 2;
    if (code === 10) {
      line++;
      lineStart = offset;
    }
  }
  return { offset, line, column: offset - lineStart + 1 };
}

const PLACE = /^(?:at )?(\d+)\((\d+)\): /;

/** Reads the engine's refusal of a grammar (shapes of llguidance 1.9.1). */
export function readRefusal(text: string, grammar: string): ProviderRefusal {
  const end = text.indexOf('\n');
  const firstLine = end < 0 ? text : text.slice(0, end);
  const match = PLACE.exec(firstLine);
  // What the parser of an expression says stands in a later line.
  const cause = /^\s*error: (.+)$/m.exec(text)?.[1];
  const said = firstLine.slice(match?.[0].length ?? 0);
  const message = cause === undefined ? said : `${said.replace(/[:\s]+$/, '')}: ${cause}`;
  if (match === null) return { text, firstLine, message, place: undefined, offset: undefined };
  const place = { line: Number(match[1]), byteColumn: Number(match[2]) };
  return { text, firstLine, message, place, offset: offsetOf(place, grammar) };
}

/** The engine counts line feeds alone as line ends, and bytes within a line. */
function offsetOf(place: { readonly line: number; readonly byteColumn: number }, grammar: string): number {
  let start = 0;
  for (let line = 1; line < place.line; line++) {
    const next = grammar.indexOf('\n', start);
    if (next < 0) return grammar.length;
    start = next + 1;
  }
  const end = grammar.indexOf('\n', start);
  const line = grammar.slice(start, end < 0 ? grammar.length : end);
  return start + placeOfByte(line, place.byteColumn - 1).offset;
}

/** Puts the parts of a job's answer together. */
export class AnswerParts {
  #load: ProviderAnswer['load'];
  #failure: ProviderAnswer['failure'];
  readonly #inputs: (JudgedInput | undefined)[] = [];
  readonly #steps: ProviderStep[] = [];
  readonly #texts: string[] = [];

  constructor(readonly grammar: string) {}

  add(part: ProviderPart): void {
    switch (part.kind) {
      case 'refused':
        this.#load = { ok: false, refusal: readRefusal(part.text, this.grammar) };
        break;
      case 'loaded':
        this.#load = { ok: true, warnings: part.warnings };
        break;
      case 'begun':
        this.#failure = part.failure;
        break;
      case 'verdict':
        this.#inputs[part.input] = {
          verdict: part.verdict,
          next: undefined,
          generation: undefined,
          terminals: undefined,
        };
        break;
      case 'next':
        this.#change(part.input, { next: part.next });
        break;
      case 'generation':
        this.#change(part.input, { generation: part.generation });
        break;
      case 'terminals':
        this.#change(part.input, { terminals: part.terminals });
        break;
      case 'steps':
        for (const step of part.steps) this.#steps.push(step);
        break;
      case 'text':
        this.#texts.push(part.text);
    }
  }

  #change(input: number, change: Partial<JudgedInput>): void {
    const judged = this.#inputs[input];
    if (judged !== undefined) this.#inputs[input] = { ...judged, ...change };
  }

  answer(end: ProviderEnd): ProviderAnswer {
    return {
      end,
      load: this.#load,
      failure: this.#failure,
      inputs: this.#inputs,
      steps: this.#steps,
      texts: this.#texts,
    };
  }
}
