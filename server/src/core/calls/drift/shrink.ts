import {
  children,
  isNumber,
  type Member,
  type Path,
  places,
  readValue,
  replaced,
  scalar,
  stringValue,
  textOf,
  type Value,
  valueText,
} from './value';

/** Runs up to this length are looked for everywhere: parts that only go together are seldom more. */
const SHORT_RUN = 4;

/** Tells which of the texts still differ in the same way. */
export type StillDiffers = (texts: readonly string[]) => Promise<readonly boolean[]>;

/** Candidates that are judged in one go: more would be judged in vain, fewer would be slow. */
const BATCH = 16;

/**
 * Makes an input smaller as long as it still differs in the same way: first without whole parts, then with simpler ones.
 * Deterministic; every step that is taken was judged, so the result always differs as the input does. Ends when no
 * candidate is left or `most` candidates were judged.
 */
export async function shrink(input: string, json: boolean, still: StillDiffers, most: number): Promise<string> {
  return new Shrinker(still, most).run(input, json);
}

class Shrinker {
  #left: number;

  constructor(
    private readonly still: StillDiffers,
    most: number,
  ) {
    this.#left = most;
  }

  async run(input: string, json: boolean): Promise<string> {
    let current = input;
    for (;;) {
      const value = json ? readValue(current) : undefined;
      const smaller = await this.#first(
        current,
        value === undefined ? textCandidates(current) : valueCandidates(value),
      );
      if (smaller === undefined) return current;
      current = smaller;
    }
  }

  /** The first candidate that is simpler and still differs. */
  async #first(current: string, candidates: Iterable<string>): Promise<string | undefined> {
    const seen = new Set<string>();
    let batch: string[] = [];
    for (const candidate of candidates) {
      if (this.#left <= 0) break;
      if (seen.has(candidate) || !isSimpler(candidate, current)) continue;
      seen.add(candidate);
      batch.push(candidate);
      this.#left--;
      if (batch.length < BATCH) continue;
      const found = await this.#pick(batch);
      if (found !== undefined) return found;
      batch = [];
    }
    return this.#pick(batch);
  }

  async #pick(batch: readonly string[]): Promise<string | undefined> {
    if (batch.length === 0) return undefined;
    const answers = await this.still(batch);
    return batch.find((_, i) => answers[i]);
  }
}

/** Shorter, or as long with simpler characters: an order without circles, so shrinking comes to an end. */
export function isSimpler(a: string, b: string): boolean {
  if (a.length !== b.length) return a.length < b.length;
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [rank(a.charCodeAt(i)), rank(b.charCodeAt(i))];
    if (x !== y) return x < y;
  }
  return false;
}

/** Letters first, from `a` on, then digits, then what else is visible. */
function rank(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x30 && code <= 0x39) return 100 + code;
  return 1000 + code;
}

/** A text without some lines, then without some characters, then with simpler characters. */
function* textCandidates(text: string): Iterable<string> {
  const lines = text.split('\n');
  yield* without(lines, (rest) => rest.join('\n'));
  // A name may have to stay the same in several places.
  for (const word of new Set(text.match(/[\p{L}\p{N}_]{2,}/gu) ?? [])) yield text.replaceAll(word, 'a');
  const characters = [...text];
  yield* without(characters, (rest) => rest.join(''));
  for (const [i, character] of characters.entries()) {
    const simple = /\p{L}/u.test(character) ? 'a' : /\p{N}/u.test(character) ? '0' : undefined;
    for (const other of simple === undefined ? ['a'] : [simple]) {
      if (other !== character) yield [...characters.slice(0, i), other, ...characters.slice(i + 1)].join('');
    }
  }
}

/** The list without a run of parts: runs of half the list first, then shorter ones, the shortest from every place on. */
function* without<T>(parts: readonly T[], join: (rest: readonly T[]) => string): Iterable<string> {
  for (let size = Math.ceil(parts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    const step = size <= SHORT_RUN ? 1 : size;
    for (let at = 0; at < parts.length; at += step) yield join([...parts.slice(0, at), ...parts.slice(at + size)]);
  }
}

/** Simpler arguments: a part in place of the whole, fewer members and items, simpler scalars. */
function* valueCandidates(root: Value): Iterable<string> {
  for (const child of children(root)) yield valueText(child);
  const all = places(root);
  for (const { path, value } of all) {
    for (const smaller of smallerLists(value)) yield valueText(replaced(root, path, smaller));
  }
  for (const { path, value } of all) {
    for (const simpler of simplerValues(value)) yield valueText(replaced(root, path, simpler));
    for (const renamed of renamedKeys(root, path, value)) yield renamed;
  }
}

function* smallerLists(value: Value): Iterable<Value> {
  if (value.kind === 'scalar') return;
  const parts = children(value);
  for (let size = Math.ceil(parts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < parts.length; at += size) {
      const stays = (_: unknown, i: number): boolean => i < at || i >= at + size;
      if (value.kind === 'array') yield { kind: 'array', items: value.items.filter(stays) };
      else yield { kind: 'object', members: value.members.filter(stays) };
    }
  }
}

function* simplerValues(value: Value): Iterable<Value> {
  if (value.kind !== 'scalar') {
    yield { kind: 'array', items: [] };
    yield { kind: 'object', members: [] };
    yield scalar('0');
    for (const child of children(value)) yield child;
    return;
  }
  const text = textOf(value);
  if (text !== undefined) {
    yield scalar('""');
    yield scalar('0');
    const characters = [...text];
    for (const smaller of without(characters, (rest) => rest.join(''))) yield stringValue(smaller);
    for (const [i, character] of characters.entries()) {
      if (character !== 'a') yield stringValue([...characters.slice(0, i), 'a', ...characters.slice(i + 1)].join(''));
    }
  } else if (isNumber(value)) {
    for (const simpler of ['0', '1', '2', '-1', '1.5', value.text.replace(/[.eE].*/, ''), value.text.slice(0, -1)]) {
      if (/\d$/.test(simpler)) yield scalar(simpler);
    }
    const number = Number(value.text);
    if (Number.isInteger(number)) {
      yield scalar(String(Math.trunc(number / 2)));
      yield scalar(String(number - Math.sign(number)));
    }
  } else yield scalar('0');
}

/** Keys that nobody declares may be shorter. */
function* renamedKeys(root: Value, path: Path, value: Value): Iterable<string> {
  if (value.kind !== 'object') return;
  for (const [i, [key, inner]] of value.members.entries()) {
    if (key === 'a') continue;
    const members = value.members.map((member, other): Member => (other === i ? ['a', inner] : member));
    yield valueText(replaced(root, path, { kind: 'object', members }));
  }
}
