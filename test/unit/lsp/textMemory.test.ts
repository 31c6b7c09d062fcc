import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../server/src/core/text/json';
import type { FileState } from '../../../server/src/lsp/files';
import { TextMemory } from '../../../server/src/lsp/textMemory';

const stateOf = (text: string, uri = 'file:///a.json'): FileState => ({ uri, input: { text } }) as unknown as FileState;

/** Asks for every item of a list what its source is; gives the answers, and how many were not known. */
function sources(memory: TextMemory<string>, text: string, how = 'h', uri?: string): { found: string[]; made: number } {
  const state = stateOf(text, uri);
  let made = 0;
  const found = (parseJson(text).root?.items ?? []).map((node) => {
    const known = memory.get(how, state, node);
    if (known !== undefined) return known;
    made++;
    const source = text.slice(node.offset, node.end);
    memory.set(how, state, node, source);
    return source;
  });
  return { found, made };
}

const fresh = (text: string): string[] =>
  (parseJson(text).root?.items ?? []).map((node) => text.slice(node.offset, node.end));

describe('what is remembered by how it is written', () => {
  test('an edit costs what it touches, wherever it stands', () => {
    const memory = new TextMemory<string>(1_000_000, () => 0);
    const items = Array.from({ length: 100 }, (_, i) => `{"n": ${i}}`);
    expect(sources(memory, `[${items.join(', ')}]`).made).toBe(100);
    for (const at of [0, 50, 99]) {
      items[at] = `{"n": "changed ${at}"}`;
      const text = `[${items.join(', ')}]`;
      const { found, made } = sources(memory, text);
      expect(made).toBe(1);
      expect(found).toEqual(items);
    }
    // Moved, and in another file: known by its text.
    expect(sources(memory, `[${[...items].reverse().join(',\n')}]`).made).toBe(0);
    expect(sources(memory, `[${items[7]}]`, 'h', 'file:///b.json').made).toBe(0);
    // Asked in another way.
    expect(sources(memory, `[${items[7]}]`, 'other').made).toBe(1);
  });

  test('what is asked about one text is not taken for that of another at the same place', () => {
    const item = fc.constantFrom('1', '12', '"a"', '"ab"', '[1]', '[1,1]', '{}', '{"a":1}');
    const texts = fc.array(
      fc.array(item, { maxLength: 6 }).map((items) => `[${items.join(',')}]`),
      { minLength: 2, maxLength: 8 },
    );
    fc.assert(
      fc.property(texts, fc.nat({ max: 40 }), (versions, most) => {
        const memory = new TextMemory<string>(most, (made) => made.length);
        for (const text of versions) expect(sources(memory, text).found).toEqual(fresh(text));
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  test('in long texts an edit costs what it touches, too', () => {
    const memory = new TextMemory<string>(10_000_000, () => 0);
    const items = Array.from({ length: 400 }, (_, i) => `"${String(i).padStart(97, 'x')}"`);
    expect(sources(memory, `[${items.join(',')}]`).made).toBe(400);
    for (const at of [0, 39, 40, 41, 42, 200, 358, 359, 360, 399]) {
      items[at] = `"changed ${at} ${'y'.repeat(at % 7)}"`;
      const { found, made } = sources(memory, `[${items.join(',')}]`);
      expect([found, made]).toEqual([items, 1]);
    }
  });

  test('more than may be kept is forgotten', () => {
    const memory = new TextMemory<string>(20, () => 0);
    expect(sources(memory, '["aaaaaaaa", "bbbbbbbb"]').made).toBe(2);
    expect(sources(memory, '["cccccccc"]', 'h', 'file:///b.json').made).toBe(1);
    expect(sources(memory, '["aaaaaaaa"]', 'h', 'file:///c.json').made).toBe(1);
  });
});
