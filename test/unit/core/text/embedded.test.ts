import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../../../server/src/core/text/edits';
import { EmbeddedText } from '../../../../server/src/core/text/embedded';
import type { TextEdit } from '../../../../server/src/core/text/finding';
import { parseJson } from '../../../../server/src/core/text/json';

const inside = (document: string): EmbeddedText => new EmbeddedText(document, document.indexOf('"'));

/** The part of the document for the part of the text between the marks. */
function documentPart(document: string, marked: string): string {
  const start = marked.indexOf('⟦');
  const end = marked.indexOf('⟧') - 1;
  const { start: from, end: to } = inside(document).spanToDocument({ start, end });
  return document.slice(from, to);
}

/** The part of the text for the part of the document between the marks. */
function textPart(marked: string): string | undefined {
  const start = marked.indexOf('⟦');
  const end = marked.indexOf('⟧') - 1;
  const embedded = inside(marked.replace(/[⟦⟧]/g, ''));
  const span = embedded.spanToText({ start, end });
  return span && embedded.text.slice(span.start, span.end);
}

describe('the text of a literal', () => {
  test('spells what its escapes say', () => {
    const embedded = inside('{"a": 1} "x\\n\\u0041\\ud83d\\ude00\\/😀"'.slice(9));
    expect(embedded.text).toBe('x\nA😀/😀');
    expect(embedded.closed).toBe(true);
  });

  test('ends with its line when the quote is missing', () => {
    const document = '"abc\n"d"';
    const embedded = inside(document);
    expect(embedded).toMatchObject({ text: 'abc', closed: false, literal: { start: 0, end: 4 } });
    expect(embedded.contains(4)).toBe(true);
    expect(embedded.contains(5)).toBe(false);
  });

  test('ends with the document, even behind a backslash', () => {
    expect(inside('"abc\\')).toMatchObject({ text: 'abc', closed: false, literal: { start: 0, end: 5 } });
    expect(inside('"')).toMatchObject({ text: '', closed: false, literal: { start: 0, end: 1 } });
  });

  test('leaves out escapes that JSON does not know', () => {
    expect(inside('"a\\qb\\u12xc"').text).toBe('abxc');
  });
});

describe('places', () => {
  test('of the text stand for whole escapes', () => {
    expect(documentPart('"a\\nb"', 'a⟦\n⟧b')).toBe('\\n');
    expect(documentPart('"a\\u00e9b"', '⟦aé⟧b')).toBe('a\\u00e9');
    expect(documentPart('"\\ud83d\\ude00x"', '⟦😀⟧x')).toBe('\\ud83d\\ude00');
  });

  test('of half a character stand for all of it', () => {
    const embedded = inside('"\\ud83d\\ude00x"');
    expect(embedded.spanToDocument({ start: 1, end: 2 })).toEqual({ start: 1, end: 13 });
    expect(embedded.spanToDocument({ start: 0, end: 1 })).toEqual({ start: 1, end: 13 });
    expect(embedded.toDocument(1)).toBe(1);
    expect(embedded.toDocument(1, 'end')).toBe(13);
  });

  test('next to an escape that spells nothing leave it out', () => {
    expect(documentPart('"a\\qb"', 'a⟦b⟧')).toBe('b');
    expect(documentPart('"a\\qb"', '⟦a⟧b')).toBe('a');
    expect(documentPart('"a\\qb"', '⟦ab⟧')).toBe('a\\qb');
  });

  test('of the document inside an escape grow to it', () => {
    expect(textPart('"a\\⟦u00⟧41b"')).toBe('A');
    expect(textPart('"a⟦\\⟧nb"')).toBe('\n');
    expect(textPart('"\\ud83d⟦\\ude00⟧x"')).toBe('😀');
    expect(textPart('⟦"ab"⟧')).toBe('ab');
    expect(textPart('"ab"⟦, 1⟧')).toBeUndefined();
  });

  test('an empty part of the document stays empty', () => {
    const embedded = inside('"a\\nb"');
    expect(embedded.spanToText({ start: 3, end: 3 })).toEqual({ start: 1, end: 1 });
  });
});

describe('edits', () => {
  const change = (document: string, marked: string, newText: string): string => {
    const span = { start: marked.indexOf('⟦'), end: marked.indexOf('⟧') - 1 };
    return applyEdits(document, inside(document).edits([{ span, newText }]));
  };

  test('escape what is new', () => {
    expect(change('"a: x\\n"', 'a: ⟦x⟧\n', '"b"\t\\')).toBe('"a: \\"b\\"\\t\\\\\\n"');
  });

  test('keep the escapes of what stays', () => {
    expect(change('"\\u0061 \\/ \\u0062"', '⟦a / b⟧', 'a / c')).toBe('"\\u0061 \\/ c"');
    expect(change('"\\u0061\\u000a"', '⟦a⟧\n', 'bb')).toBe('"bb\\u000a"');
  });

  test('spell characters beyond ASCII as the literal does', () => {
    expect(change('"é x"', 'é ⟦x⟧', 'ü')).toBe('"é ü"');
    expect(change('"\\u00e9 x"', 'é ⟦x⟧', 'ü😀')).toBe('"\\u00e9 \\u00fc\\ud83d\\ude00"');
    expect(change('"e x"', 'e ⟦x⟧', 'ü')).toBe('"e ü"');
  });

  test('of half a pair spell the other half anew', () => {
    expect(inside('"\\ud83d\\ude00"').edits([{ span: { start: 0, end: 1 }, newText: 'x' }])).toEqual([
      { span: { start: 1, end: 13 }, newText: 'x\\ude00' },
    ]);
  });

  test('that change nothing are none', () => {
    expect(inside('"abc"').edits([{ span: { start: 0, end: 3 }, newText: 'abc' }])).toEqual([]);
  });

  test('go in front of a backslash that nothing follows', () => {
    expect(applyEdits('"a\\', inside('"a\\').edits([{ span: { start: 1, end: 1 }, newText: 'n' }]))).toBe('"an\\');
  });
});

const piece = fc.oneof(
  fc.constantFrom(
    '\\n',
    '\\"',
    '\\\\',
    '\\/',
    '\\u0041',
    '\\ud83d\\ude00',
    '\\ud83d',
    '\\ude00',
    '\\uD83d\\uDE00',
    '😀',
    'é',
  ),
  fc.constantFrom('\\q', '\\u1', '\\u12', '\\', '0', 'f', 'a', '"', '\n', '\t', '\\u00e9'),
  fc.string({ unit: 'grapheme', maxLength: 2 }),
);
const literal = fc.array(piece, { maxLength: 12 }).map((parts) => `"${parts.join('')}`);
const runs = { seed: 17, numRuns: 1000 };

describe('laws', () => {
  test('the text is the one that the JSON parser reads', () => {
    fc.assert(
      fc.property(literal, (document) => {
        const node = parseJson(document).root!;
        const embedded = inside(document);
        expect(embedded.text).toBe(node.text);
        expect(embedded.literal).toEqual({ start: node.offset, end: node.end });
      }),
      runs,
    );
  });

  test('places go there and back', () => {
    fc.assert(
      fc.property(literal, (document) => {
        const embedded = inside(document);
        let before = 0;
        for (let i = 0; i <= embedded.text.length; i++) {
          const place = embedded.toDocument(i);
          expect(place).toBeGreaterThanOrEqual(before);
          expect(embedded.toDocument(i, 'end')).toBeGreaterThanOrEqual(place);
          expect([embedded.toText(place), embedded.toText(embedded.toDocument(i, 'end'), 'end')]).toSatisfy(
            ([down, up]: number[]) => down! <= i && up! >= i && up! - down! <= 2,
          );
          before = place;
        }
        for (let i = 0; i <= document.length; i++) {
          const span = embedded.spanToText({ start: i, end: i + 1 });
          if (span === undefined || span.start === span.end) continue;
          const back = embedded.spanToDocument(span);
          expect(back.start <= Math.max(i, 1) && back.end >= Math.min(i + 1, back.end)).toBe(true);
        }
      }),
      runs,
    );
  });

  test('edits of the literal do to the text what edits of the text do', () => {
    const cuts = fc.array(fc.tuple(fc.nat(9), fc.nat(3), fc.string({ unit: 'binary', maxLength: 4 })), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(literal, cuts, (document, steps) => {
        const embedded = inside(document);
        const { text } = embedded;
        const edits: TextEdit[] = [];
        let at = 0;
        for (const [skip, length, newText] of steps) {
          const start = at + skip;
          if (start > text.length) break;
          const end = Math.min(start + length, text.length);
          edits.push({ span: { start, end }, newText });
          at = end + 1;
        }
        const changed = applyEdits(document, embedded.edits(edits));
        expect(inside(changed).text).toBe(applyEdits(text, edits));
        expect(changed.length - inside(changed).literal.end).toBe(document.length - embedded.literal.end);
      }),
      runs,
    );
  });

  test('adjacent edits that meet inside a pair work as one', () => {
    const document = '"x\\ud83d\\ude00y"';
    const edits = [
      { span: { start: 0, end: 2 }, newText: 'A' },
      { span: { start: 2, end: 4 }, newText: 'B' },
    ];
    expect(applyEdits(document, inside(document).edits(edits))).toBe('"AB"');
  });
});
