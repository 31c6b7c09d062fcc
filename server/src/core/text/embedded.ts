import type { TextEdit } from './finding';
import type { Span } from './span';

/** An escape of a literal, or a pair of escapes that spell one character. */
interface Escape {
  /** Offset in the text of what it spells. */
  readonly at: number;
  /** UTF-16 units that it spells: 2 for a surrogate pair, 0 for an escape that JSON does not know. */
  readonly units: number;
  /** Its place in the document. */
  readonly start: number;
  readonly end: number;
}

/** Which edge an offset goes to when it lies inside something that has only edges. */
export type Edge = 'start' | 'end';

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

const HEX = /[0-9A-Fa-f]{0,4}/y;

/**
 * The text inside a JSON string literal, with its place in the document. Reads what `parseJson` reads: an escape that
 * JSON does not know spells nothing, and a literal without its closing quote ends with its line. Offsets are UTF-16.
 */
export class EmbeddedText {
  /** What the literal spells. */
  readonly text: string;
  /** The literal, quotes included. */
  readonly literal: Span;
  /** Whether the literal has its closing quote. */
  readonly closed: boolean;
  /** Sorted by their places in both texts; runs between them are the same in both. */
  readonly #escapes: readonly Escape[];
  readonly #contentEnd: number;
  #spellsAscii: boolean | undefined;

  /**
   * @param document the JSON text
   * @param start offset of the opening quote
   */
  constructor(
    readonly document: string,
    start: number,
  ) {
    const parts: string[] = [];
    const escapes: Escape[] = [];
    let length = 0;
    let run = start + 1;
    let at = run;
    let last: { unit: number; spelling: Escape } | undefined;
    const flush = (): void => {
      parts.push(document.slice(run, at));
      length += at - run;
    };
    for (; at < document.length; ) {
      const c = document[at]!;
      if (c === '"' || c === '\n' || c === '\r') break;
      if (c !== '\\') {
        at++;
        continue;
      }
      flush();
      const [spelled, end] = readEscape(document, at);
      const unit = spelled.charCodeAt(0);
      const before = last?.spelling;
      if (before !== undefined && before.end === at && isHigh(last!.unit) && isLow(unit)) {
        escapes[escapes.length - 1] = { at: before.at, units: 2, start: before.start, end };
        last = undefined;
      } else {
        const spelling = { at: length, units: spelled.length, start: at, end };
        escapes.push(spelling);
        last = { unit, spelling };
      }
      parts.push(spelled);
      length += spelled.length;
      at = end;
      run = at;
    }
    flush();
    this.text = parts.join('');
    this.closed = document[at] === '"';
    this.#contentEnd = at;
    this.#escapes = escapes;
    this.literal = { start, end: this.closed ? at + 1 : at };
  }

  /** Whether a place in the document lies between the quotes, at their inner edges included. */
  contains(offset: number): boolean {
    return this.literal.start < offset && offset <= this.#contentEnd;
  }

  /**
   * The place in the document of an offset in the text. Half a surrogate pair that one pair of escapes spells goes to
   * an edge of the pair. `edge` also tells where to stand at an escape that spells nothing: in front of it, or behind.
   */
  toDocument(offset: number, edge: Edge = 'start'): number {
    const clamped = Math.max(0, Math.min(offset, this.text.length));
    let index = this.#lastEscape((spelling) => spelling.at < clamped);
    let place = this.literal.start + 1 + clamped;
    const spelling = this.#escapes[index];
    if (spelling !== undefined) {
      const over = clamped - spelling.at - spelling.units;
      if (over < 0) return edge === 'start' ? spelling.start : spelling.end;
      place = spelling.end + over;
    }
    if (edge === 'end') {
      for (let next = this.#escapes[++index]; next?.at === clamped && next.units === 0; next = this.#escapes[++index]) {
        place = next.end;
      }
    }
    return place;
  }

  /** The offset in the text of a place in the document. A place inside an escape goes to one of its edges. */
  toText(offset: number, edge: Edge = 'start'): number {
    const clamped = Math.max(this.literal.start + 1, Math.min(offset, this.#contentEnd));
    const spelling = this.#escapes[this.#lastEscape(({ start }) => start < clamped)];
    if (spelling === undefined) return clamped - this.literal.start - 1;
    if (clamped < spelling.end) return edge === 'start' ? spelling.at : spelling.at + spelling.units;
    return spelling.at + spelling.units + clamped - spelling.end;
  }

  /** The place in the document of a part of the text; it holds whole escapes. An empty part stays empty. */
  spanToDocument({ start, end }: Span): Span {
    if (end <= start) {
      const place = this.toDocument(start);
      return { start: place, end: place };
    }
    return {
      start: this.#pairAround(start)?.start ?? this.toDocument(start, 'end'),
      end: this.#pairAround(end)?.end ?? this.toDocument(end),
    };
  }

  /**
   * The part of the text that a part of the document stands for, grown to whole escapes and cut at the quotes;
   * `undefined` if it lies outside of the literal's content.
   */
  spanToText({ start, end }: Span): Span | undefined {
    if (end < this.literal.start + 1 || start > this.#contentEnd) return undefined;
    const from = this.toText(start);
    return { start: from, end: end <= start ? from : Math.max(from, this.toText(end, 'end')) };
  }

  /**
   * Edits of the document that do to the text what `edits` (in text order, without overlaps) say. What stays of the
   * text keeps its escapes. New text is escaped as JSON asks for, and where the literal spells every character beyond
   * ASCII by an escape, so does the new text.
   */
  edits(edits: readonly TextEdit[]): TextEdit[] {
    return this.#apart(edits).map(({ span, newText }) => {
      const first = this.#pairAround(span.start);
      const last = this.#pairAround(span.end);
      // An edit that cuts a pair spells the other half anew.
      const before = first === undefined ? '' : this.text.slice(first.at, span.start);
      const after = last === undefined ? '' : this.text.slice(span.end, last.at + last.units);
      const start = first?.start ?? this.toDocument(span.start);
      // Escapes that spell nothing go with what is replaced behind them: cut off, they might swallow what follows.
      const end = last?.end ?? this.toDocument(span.end);
      return { span: { start, end }, newText: this.escape(before + newText + after) };
    });
  }

  /** The edits without what they do not change, and as one where they meet inside a pair. */
  #apart(edits: readonly TextEdit[]): TextEdit[] {
    const result: TextEdit[] = [];
    for (const edit of edits.map((each) => this.#trim(each))) {
      if (edit.span.start === edit.span.end && edit.newText === '') continue;
      const before = result.at(-1);
      const pair = before && this.#pairAround(before.span.end);
      if (before === undefined || pair === undefined || edit.span.start >= pair.at + pair.units) result.push(edit);
      else {
        const between = this.text.slice(before.span.end, edit.span.start);
        const span = { start: before.span.start, end: edit.span.end };
        result[result.length - 1] = { span, newText: before.newText + between + edit.newText };
      }
    }
    return result;
  }

  /** Text as it stands inside the quotes of this literal. */
  escape(text: string): string {
    const escaped = JSON.stringify(text).slice(1, -1);
    if (!this.#ascii()) return escaped;
    return escaped.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }

  #ascii(): boolean {
    if (this.#spellsAscii === undefined) {
      const inner = this.document.slice(this.literal.start + 1, this.#contentEnd);
      this.#spellsAscii = !/[\u0080-\uffff]/.test(inner) && /[\u0080-\uffff]/.test(this.text);
    }
    return this.#spellsAscii;
  }

  /** The edit without what old and new text have in common at their ends, cutting no character. */
  #trim({ span, newText }: TextEdit): TextEdit {
    const old = this.text.slice(span.start, span.end);
    const most = Math.min(old.length, newText.length);
    let head = 0;
    while (head < most && old[head] === newText[head]) head++;
    if (head > 0 && isHigh(old.charCodeAt(head - 1))) head--;
    let tail = 0;
    while (tail < most - head && old[old.length - 1 - tail] === newText[newText.length - 1 - tail]) tail++;
    if (tail > 0 && isLow(old.charCodeAt(old.length - tail))) tail--;
    return {
      span: { start: span.start + head, end: span.end - tail },
      newText: newText.slice(head, newText.length - tail),
    };
  }

  /** The pair of escapes that the offset cuts. */
  #pairAround(offset: number): Escape | undefined {
    const spelling = this.#escapes[this.#lastEscape(({ at }) => at < offset)];
    return spelling !== undefined && offset < spelling.at + spelling.units ? spelling : undefined;
  }

  /** The index of the last escape for which the condition, true for a first part of them, holds; -1 if for none. */
  #lastEscape(holds: (spelling: Escape) => boolean): number {
    let low = 0;
    let high = this.#escapes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(this.#escapes[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** What the escape at an offset spells, and where it ends. */
function readEscape(document: string, at: number): [spelled: string, end: number] {
  const c = document[at + 1];
  if (c === undefined) return ['', at + 1];
  if (c !== 'u') return [SIMPLE.get(c) ?? '', at + 2];
  HEX.lastIndex = at + 2;
  const digits = HEX.exec(document)![0];
  const end = at + 2 + digits.length;
  return [digits.length === 4 ? String.fromCharCode(Number.parseInt(digits, 16)) : '', end];
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
