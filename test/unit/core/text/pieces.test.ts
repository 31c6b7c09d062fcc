import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../../../server/src/core/text/edits';
import type { TextEdit } from '../../../../server/src/core/text/finding';
import { PieceText } from '../../../../server/src/core/text/pieces';

const edit = (start: number, end: number, newText: string): TextEdit => ({ span: { start, end }, newText });

describe('a text in pieces', () => {
  test('without an edit has no difference', () => {
    const pieces = new PieceText('abc');
    expect(pieces.text).toBe('abc');
    expect(pieces.edits()).toEqual([]);
  });

  test('joins an edit of what an edit has made with it', () => {
    const pieces = new PieceText('one two three');
    pieces.apply([edit(4, 7, '2')]);
    pieces.apply([edit(3, 6, ', zwei, ')]);
    expect(pieces.text).toBe('one, zwei, three');
    expect(pieces.edits()).toEqual([edit(3, 8, ', zwei, ')]);
  });

  test('keeps edits far apart as they are', () => {
    const pieces = new PieceText('a b c d');
    pieces.apply([edit(0, 1, 'A'), edit(4, 5, '')]);
    pieces.apply([edit(5, 6, 'D')]);
    expect(pieces.edits()).toEqual([edit(0, 1, 'A'), edit(4, 5, ''), edit(6, 7, 'D')]);
  });

  test('insertions at the edges stay where they are', () => {
    const pieces = new PieceText('x');
    pieces.apply([edit(0, 0, '<'), edit(1, 1, '>')]);
    expect(pieces.edits()).toEqual([edit(0, 0, '<'), edit(1, 1, '>')]);
  });

  test('the difference makes the present text out of the original, whatever the edits', () => {
    const cuts = fc.array(fc.tuple(fc.nat(40), fc.nat(5), fc.string({ maxLength: 4 })), { maxLength: 4 });
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.array(cuts, { maxLength: 5 }), (original, rounds) => {
        const pieces = new PieceText(original);
        let text = original;
        for (const round of rounds) {
          const edits: TextEdit[] = [];
          let from = 0;
          for (const [gap, length, newText] of round) {
            const start = from + gap;
            if (start + length > text.length) break;
            edits.push(edit(start, start + length, newText));
            from = start + length + 1;
          }
          pieces.apply(edits);
          text = applyEdits(text, edits);
          expect(pieces.text).toBe(text);
        }
        const difference = pieces.edits();
        expect(applyEdits(original, difference)).toBe(text);
        for (let i = 1; i < difference.length; i++) {
          expect(difference[i]!.span.start).toBeGreaterThan(difference[i - 1]!.span.end);
        }
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
