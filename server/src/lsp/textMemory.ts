import type { JsonNode } from '../core/text/json';
import type { FileState } from './files';

/** What is remembered of so many files by their places. */
const MOST_FILES = 8;

/** Where a value stands, and what came of it. */
interface Known<T> {
  readonly end: number;
  readonly made: T;
}

/** What came of the values of one text of a file: by what was asked, then by offset. */
interface Places<T> {
  readonly text: string;
  readonly known: Map<string, Map<number, Known<T>>>;
  /** Ends of what the text before has alike, from its beginning and from its end. */
  readonly before: { readonly places: Places<T>; readonly head: number; readonly tail: number } | undefined;
}

/**
 * Results that depend on how a value of a file is written and on nothing else. An edit makes all nodes of a file anew, but
 * it changes one value of a thousand: what comes of the others is known. They are found by their places, as far as those
 * only moved with an edit, or else by their texts. Only texts and results are kept, so that no former tree stays in memory.
 */
export class TextMemory<T> {
  /** By what is asked, then by source. */
  readonly #known = new Map<string, Map<string, T>>();
  readonly #files = new Map<string, Places<T>>();
  #characters = 0;

  /** @param most so many characters are remembered: of sources, and of what `size` gives for results */
  constructor(
    readonly most: number,
    readonly size: (made: T) => number,
  ) {}

  /** What is known of a value that is asked about in this way. */
  get(how: string, { uri, input: { text } }: FileState, node: JsonNode): T | undefined {
    const places = this.#places(uri, text);
    const there = placed(places, how, node);
    if (there !== undefined) return there.made;
    const made = this.#known.get(how)?.get(text.slice(node.offset, node.end));
    if (made !== undefined) put(places, how, node, made);
    return made;
  }

  set(how: string, { uri, input: { text } }: FileState, node: JsonNode, made: T): void {
    this.#characters += node.end - node.offset + this.size(made);
    if (this.#characters > this.most) {
      this.#known.clear();
      this.#characters = node.end - node.offset + this.size(made);
    }
    const bySource = this.#known.get(how) ?? new Map<string, T>();
    this.#known.set(how, bySource);
    bySource.set(text.slice(node.offset, node.end), made);
    put(this.#places(uri, text), how, node, made);
  }

  #places(uri: string, text: string): Places<T> {
    const last = this.#files.get(uri);
    if (last?.text === text) return last;
    const before = last && { places: { ...last, before: undefined }, ...alike(last.text, text) };
    const places: Places<T> = { text, known: new Map(), before };
    this.#files.delete(uri);
    this.#files.set(uri, places);
    if (this.#files.size > MOST_FILES) this.#files.delete(this.#files.keys().next().value!);
    return places;
  }
}

/** What is known at a place of a text, or was at the same place of the one before. */
function placed<T>(places: Places<T>, how: string, node: JsonNode): Known<T> | undefined {
  const own = places.known.get(how)?.get(node.offset);
  if (own?.end === node.end) return own;
  const { before, text } = places;
  if (before === undefined) return undefined;
  const moved = text.length - before.places.text.length;
  const by = node.end <= before.head ? 0 : node.offset >= text.length - before.tail ? moved : undefined;
  if (by === undefined) return undefined;
  const found = before.places.known.get(how)?.get(node.offset - by);
  if (found?.end !== node.end - by) return undefined;
  put(places, how, node, found.made);
  return found;
}

function put<T>({ known }: Places<T>, how: string, { offset, end }: JsonNode, made: T): void {
  const byOffset = known.get(how) ?? new Map<number, Known<T>>();
  known.set(how, byOffset);
  byOffset.set(offset, { end, made });
}

/** Characters that are compared in one go: whole strings are compared many times faster than one character after the other. */
const BLOCK = 4096;

/** How many characters two texts have alike at their beginnings, and at their ends behind that. */
function alike(a: string, b: string): { head: number; tail: number } {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head + BLOCK <= most && a.slice(head, head + BLOCK) === b.slice(head, head + BLOCK)) head += BLOCK;
  while (head < most && a.charCodeAt(head) === b.charCodeAt(head)) head++;
  const rest = most - head;
  let tail = 0;
  const block = (text: string): string => text.slice(text.length - tail - BLOCK, text.length - tail);
  while (tail + BLOCK <= rest && block(a) === block(b)) tail += BLOCK;
  while (tail < rest && a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)) tail++;
  return { head, tail };
}
