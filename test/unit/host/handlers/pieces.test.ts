// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are variables of config files
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLine, requestLine } from '../../../../server/src/host/handlers/answers';
import { cleanEnvironment } from '../../../../server/src/host/handlers/environment';
import { LineSplitter } from '../../../../server/src/host/handlers/lineSplitter';
import { Notes } from '../../../../server/src/host/handlers/notes';

/** Lines of a text that comes in these pieces, and how often a line was too long. */
function split(pieces: readonly Buffer[], limit = 1_000) {
  const lines: string[] = [];
  let tooLong = 0;
  const splitter = new LineSplitter(
    limit,
    (bytes) => lines.push(bytes.toString('utf8')),
    () => tooLong++,
  );
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return { lines, tooLong };
}

describe('lines', () => {
  test('are the same however the bytes come in', () => {
    const text = fc.array(fc.constantFrom('ä', '😀', '\n', 'x', '{'), { maxLength: 40 }).map((parts) => parts.join(''));
    const cuts = fc.array(fc.nat(200), { maxLength: 10 });
    fc.assert(
      fc.property(text, cuts, (whole, places) => {
        const bytes = Buffer.from(whole);
        const sorted = [0, ...places.map((place) => Math.min(place, bytes.length)).sort((a, b) => a - b), bytes.length];
        const pieces = sorted.slice(1).map((end, i) => bytes.subarray(sorted[i], end));
        const expected = whole.split('\n');
        if (expected.at(-1) === '') expected.pop();
        expect(split(pieces).lines).toEqual(expected);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test('that are too long are told once and left out; the next one is whole again', () => {
    const pieces = ['a\n', 'x'.repeat(6), 'x'.repeat(6), 'x'.repeat(6), 'y\nb\n'].map((each) => Buffer.from(each));
    expect(split(pieces, 10)).toEqual({ lines: ['a', 'b'], tooLong: 1 });
    expect(split([Buffer.from('0123456789\n')], 10)).toEqual({ lines: ['0123456789'], tooLong: 0 });
  });
});

describe('calls and answers', () => {
  test('a call is one line of JSON, whatever its text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.option(fc.string(), { nil: undefined }), (text, namespace) => {
        const line = requestLine('1', { id: '1', tool: 't', namespace, kind: 'custom', text });
        expect(line).not.toContain('\n');
        expect(JSON.parse(line)).toEqual({
          id: '1',
          tool: 't',
          namespace: namespace ?? null,
          kind: 'custom',
          input: text,
        });
      }),
      { seed: 1 },
    );
  });

  test('a value comes back as it was written', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const line = readLine(`{"value": ${json}, "ok": true, "id": "a"}`, 'a', () => false);
        const value = line.kind === 'answer' && line.outcome.verdict === 'accepted' ? line.outcome.value : undefined;
        expect(JSON.parse(value ?? 'x')).toEqual(JSON.parse(json));
      }),
      { seed: 1 },
    );
  });

  test.each([
    ['{"id":"a","ok":true,"value":"\\ud83d\\ude00"}', { verdict: 'accepted', value: '"😀"' }],
    ['{"id":"a","ok":true,"value":"cut \\ud83d"}', { verdict: 'accepted', value: '"cut \\ud83d"' }],
    ['{"id":"a","ok":false,"feedback":"no \\ud83d\\ude00"}', { verdict: 'rejected', feedback: 'no 😀' }],
  ])('characters may be escaped, as Python does: %s', (line, outcome) => {
    expect(readLine(line, 'a', () => false)).toEqual({ kind: 'answer', outcome });
  });

  test('an answer that nobody waits for is late, another line is noise', () => {
    expect(readLine('{"id":"a","ok":true}', undefined, () => false)).toEqual({ kind: 'late', id: 'a' });
    expect(readLine('{"id":"a","ok":true}', 'b', (id) => id === 'a')).toEqual({ kind: 'late', id: 'a' });
    expect(readLine('{"level":"info"}', 'b', () => false)).toEqual({ kind: 'noise' });
    expect(readLine('{"ok":true}', 'b', () => false)).toMatchObject({
      outcome: { verdict: 'crashed', detail: 'The handler answered with no id where "b" was asked.' },
    });
  });
});

describe('the clean environment', () => {
  const from = { PATH: '/bin', HOME: '/h', LANG: 'C', SECRET: 's', Path: 'C:\\x', SystemRoot: 'C:\\W' };

  test('has what programs need, what was asked for, and a mark', () => {
    const own = new Map([
      ['OWN', 'a ${env:SECRET} ${env:NOTHING}b'],
      ['__proto__', 'x'],
    ]);
    const result = cleanEnvironment(own, 'm', from, 'linux');
    expect(Object.entries(result)).toEqual([
      ['PATH', '/bin'],
      ['HOME', '/h'],
      ['LANG', 'C'],
      ['OWN', 'a s b'],
      ['__proto__', 'x'],
      ['TOOLSPEC_HANDLER', 'm'],
    ]);
  });

  test('knows the names of Windows in any case', () => {
    const { PATH: _, ...windows } = from;
    expect(Object.keys(cleanEnvironment(new Map(), 'm', windows, 'win32'))).toEqual([
      'LANG',
      'Path',
      'SystemRoot',
      'TOOLSPEC_HANDLER',
    ]);
  });
});

test('of many notes the latest are kept, and the others counted', () => {
  const notes = new Notes();
  for (let i = 1; i <= 1_045; i++) notes.add(`line ${i}`);
  const lines = notes.take();
  expect(lines).toHaveLength(41);
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(['… 1,005 earlier lines', 'line 1006', 'line 1045']);
  expect(notes.take()).toEqual([]);
  notes.addBytes(Buffer.from('x'.repeat(5_000)));
  expect(notes.take()[0]).toHaveLength(501);
});
