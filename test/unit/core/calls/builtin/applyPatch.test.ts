import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseApplyPatch } from '../../../../../server/src/core/calls/builtin/applyPatch';
import { trim } from '../../../../../server/src/core/calls/builtin/rustLines';

const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
const PREFIX = 'apply_patch verification failed: ';

function refusal(text: string, files?: Record<string, string>): { feedback: string; place: string } {
  const result = parseApplyPatch(text, files === undefined ? {} : { files: new Map(Object.entries(files)) });
  if (result.ok) throw new Error(`taken: ${result.value}`);
  const before = text.slice(0, result.offset).split('\n');
  return { feedback: result.feedback, place: `${before.length}:${before.at(-1)!.length + 1}` };
}

test('the value names each change', () => {
  const text = patch(
    '*** Environment ID: prod ',
    '*** Add File: new.txt ',
    '+a',
    '+',
    '*** Delete File: old.txt',
    '*** Update File: b.py',
    '*** Move to: c.py',
    '@@ def f():  ',
    ' keep',
    '-out',
    '+in',
    '',
    '@@',
    '+last',
    '*** End of File',
  );
  const result = parseApplyPatch(text);
  expect(result.ok && JSON.parse(result.value)).toEqual({
    environment: 'prod',
    hunks: [
      { kind: 'add', path: 'new.txt', content: 'a\n\n' },
      { kind: 'delete', path: 'old.txt' },
      {
        kind: 'update',
        path: 'b.py',
        moveTo: 'c.py',
        chunks: [
          { context: 'def f():', old: ['keep', 'out', ''], new: ['keep', 'in', ''] },
          { old: [], new: ['last'], endOfFile: true },
        ],
      },
    ],
  });
});

describe('where a refusal is', () => {
  test.each([
    [
      'the second anchor',
      patch('*** Update File: a.txt', '@@', '@@ def f', '+x'),
      '4:1',
      "found in update hunk: '@@ def f'",
    ],
    [
      'the header of an empty update',
      patch('*** Delete File: b', '*** Update File: a'),
      '3:1',
      'at line 3, Update file',
    ],
    ['the first line', 'x\ny', '1:1', 'first line'],
    ['the first line behind blank ones', '\n\n x\ny', '3:2', 'first line'],
    ['the last line', '*** Begin Patch\n*** Delete File: a', '2:1', 'last line'],
    ['nothing', ' \n', '2:1', 'first line'],
    ['a line in a here-document', `<<EOF\n${patch('*** Delete File: a', 'x')}EOF`, '4:1', 'at line 3,'],
    ['behind carriage returns', patch('*** Delete File: a', 'x').replaceAll('\n', '\r\n'), '3:1', 'at line 3,'],
    ['the second change of a file', patch('*** Delete File: a', '*** Add File: ./a'), '3:1', 'target ./a'],
    ['the end of an empty patch', patch(), '2:1', 'patch rejected: empty patch'],
  ])('%s', (_what, text, place, words) => {
    const refused = refusal(text);
    expect(refused.place).toBe(place);
    expect(refused.feedback).toContain(words);
  });
});

describe('against files', () => {
  const file = 'def a():\n    one  \n    “two”\n\ndef b():\n    one\n';
  const update = (...lines: string[]): string => patch('*** Update File: f', ...lines);

  test.each([
    ['equal lines', update('@@ def b():', '-    one', '+    1')],
    ['blanks at the end are no difference', update('-    one', '+    1')],
    ['blanks at both ends are none', update('-one', '+    1')],
    ['typographic marks are none', update('-"two"', '+2')],
    ['lines without any to find', update('@@ def b():', '+x')],
    ['an empty line that stands for the end', update(' def b():', '     one', ' ')],
    ['the end of the file', update('-    one', '+x', '*** End of File')],
    ['added files need none', patch('*** Add File: g', '+x')],
    ['a file that goes', patch('*** Delete File: f')],
  ])('%s', (_what, text) => {
    expect(parseApplyPatch(text, { files: new Map([['f', file]]) })).toMatchObject({ ok: true });
  });

  test.each([
    ['no such file', patch('*** Update File: g', '+x'), 'Failed to read file to update g: No such file'],
    ['nothing to delete', patch('*** Delete File: g'), 'Failed to read g: No such file'],
    ['no such context', update('@@ def c():', '+x'), "Failed to find context 'def c():' in f"],
    [
      'context above the place',
      update('@@ def b():', ' one', '@@ def a():', '+x'),
      "Failed to find context 'def a():' in f",
    ],
    ['no such lines', update('-three', '-four', '+x'), 'Failed to find expected lines in f:\nthree\nfour'],
    ['not at the end', update('-def a():', '*** End of File'), 'Failed to find expected lines in f:\ndef a():'],
    ['longer than the file', update(...Array.from({ length: 9 }, () => '-x')), 'Failed to find expected lines in f:'],
  ])('%s', (_what, text, words) => {
    const { feedback } = refusal(text, { f: file });
    expect(feedback.startsWith(PREFIX + words)).toBe(true);
  });
});

test('what is white space is as in Rust', () => {
  expect(trim('\u0085\u00a0\u2003a\u3000\u2028')).toBe('a');
  expect(trim('\ufeffa\u200b\u180e')).toBe('\ufeffa\u200b\u180e');
});

test('any text has one answer, whose place is in the text', () => {
  const line = fc.constantFrom(
    '*** Begin Patch',
    '*** End Patch',
    '*** Add File: a',
    '*** Delete File: b',
    '*** Update File: c',
    '*** Move to: d',
    '*** End of File',
    '*** Environment ID: e',
    '*** Environment ID:',
    '@@',
    '@@ f',
    '@@x',
    '+a',
    '-b',
    ' c',
    '',
    ' ',
    'z',
    '<<EOF',
    'EOF',
  );
  const text = fc
    .tuple(fc.constantFrom('', '*** Begin Patch\n'), fc.array(line), fc.constantFrom('', '*** End Patch\n'))
    .map(([first, lines, last]) => first + lines.map((each) => `${each}\n`).join('') + last);
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (input) => {
      const result = parseApplyPatch(input);
      if (result.ok) expect(JSON.parse(result.value).hunks.length).toBeGreaterThan(0);
      else {
        expect(result.offset).toBeGreaterThanOrEqual(0);
        expect(result.offset).toBeLessThanOrEqual(input.length);
      }
    }),
    { seed: 5, numRuns: 2000 },
  );
});

test('long texts take no long time', () => {
  const blank = ' '.repeat(200_000);
  expect(parseApplyPatch(`${blank}x${blank}`).ok).toBe(false);
  const rows = Array.from({ length: 100_000 }, () => '+x');
  expect(parseApplyPatch(patch('*** Add File: a', ...rows)).ok).toBe(true);
});
