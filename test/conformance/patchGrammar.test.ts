import { afterAll, describe, expect, test } from 'vitest';
import { parseJson } from '../../server/src/core/text/json';
import { readTools } from '../../server/src/core/tools/read';
import { startEngine } from '../engineFiles';

// The grammar of Codex's patches in words of our own, as a tool definition has it.
const GRAMMAR = `start: head env? section+ tail
head: "*** Begin Patch" LF
env: "*** Environment ID: " TEXT LF
tail: "*** End Patch" LF?
section: adding | deleting | updating
adding: "*** Add File: " TEXT LF plus_row+
deleting: "*** Delete File: " TEXT LF
updating: "*** Update File: " TEXT LF moving? edits?
moving: "*** Move to: " TEXT LF
edits: (anchor | row)+ at_eof?
anchor: "@@" LF | "@@ " TEXT LF
row: (" " | "+" | "-") TEXT? LF
plus_row: "+" TEXT? LF
at_eof: "*** End of File" LF
TEXT: /.+/
%import common.LF
`;

const definition = JSON.stringify({
  type: 'custom',
  name: 'apply_patch',
  description: 'Changes files.',
  format: { type: 'grammar', syntax: 'lark', definition: GRAMMAR },
});

const service = startEngine();
afterAll(() => service.close());

/** The verdict on a text, by the grammar as the definition file holds it. */
async function accepts(input: string, change: (grammar: string) => string = (grammar) => grammar): Promise<boolean> {
  const [tool] = readTools(parseJson(definition), { baseName: 'apply_patch' }).tools;
  const text = change(tool!.format!.definitionNode!.string!);
  const answer = await service.ask(
    { kind: 'judge', grammar: { syntax: 'lark', text }, inputs: [input] },
    { milliseconds: 60_000 },
  );
  expect(answer.end.state).toBe('done');
  return answer.inputs[0]!.verdict.accepted;
}

const begin = '*** Begin Patch\n';
const end = '*** End Patch\n';
const update = '*** Update File: a\n';
const patch = (...lines: string[]): string => `${begin}${lines.map((line) => `${line}\n`).join('')}${end}`;

describe('patches that the grammar accepts', () => {
  test.each([
    [
      'one of each kind',
      patch('*** Add File: a', '+x', '+', '*** Delete File: b', '*** Update File: c', '@@ f', ' k', '-o', '+n'),
    ],
    ['no line end behind the last line', patch('*** Delete File: a').slice(0, -1)],
    ['an environment', patch('*** Environment ID: e1', '*** Delete File: a')],
    ['a move with a change', patch('*** Update File: a', '*** Move to: b', '@@', '+x')],
    ['an end of file', patch('*** Update File: a', '@@', '+x', '*** End of File')],
    ['an update without a change', `${begin}${update}${end}`],
    ['a move alone', patch('*** Update File: a', '*** Move to: b')],
    ['an anchor alone', patch('*** Update File: a', '@@')],
    ['an anchor behind an anchor', patch('*** Update File: a', '@@ class A', '@@ def f', '+x')],
    ['an anchor at the end', patch('*** Update File: a', '+x', '@@')],
    ['an anchor, then the end of file', patch('*** Update File: a', '@@', '*** End of File')],
    ['a file name of blanks', patch('*** Delete File:   ')],
    ['an environment of blanks', patch('*** Environment ID:   ', '*** Delete File: a')],
    ['a header behind a blank is a row', patch('*** Update File: a', '@@', ' *** Delete File: b', '+x')],
    ['a carriage return in a file name', patch('*** Delete File: a\r')],
  ])('%s', async (_what, input) => {
    expect(await accepts(input)).toBe(true);
  });
});

describe('patches that the grammar refuses', () => {
  test.each([
    ['two line ends at the end', `${patch('*** Delete File: a')}\n`],
    ['an empty line at the beginning', `\n${patch('*** Delete File: a')}`],
    ['a blank before the begin line', ` ${patch('*** Delete File: a')}`],
    ['a blank behind the begin line', `*** Begin Patch \n*** Delete File: a\n${end}`],
    ['a no-break space behind the end line', `${begin}*** Delete File: a\n*** End Patch\u00a0\n`],
    ['an indented header', patch(' *** Delete File: a')],
    ['no change at all', patch()],
    ['an added file without a line', patch('*** Add File: a')],
    ['an empty line in an update', patch('*** Update File: a', '@@', '', '+x')],
    ['an empty line behind an update', patch('*** Update File: a', '+x', '', '*** Delete File: b')],
    ['an anchor behind the end of file', patch('*** Update File: a', '+x', '*** End of File', '@@', '+y')],
    ['an empty line behind the end of file', patch('*** Update File: a', '+x', '*** End of File', '')],
    ['an end of file with blanks', patch('*** Update File: a', '+x', '*** End of File ')],
    ['an end of file first', patch('*** Update File: a', '*** End of File', '+x')],
    ['an anchor with a blank alone', patch('*** Update File: a', '@@ ', '+x')],
    ['CRLF', patch('*** Delete File: a').replaceAll('\n', '\r\n')],
    ['a here-document', `<<'EOF'\n${patch('*** Delete File: a')}EOF\n`],
    ['an environment without the blank', patch('*** Environment ID:e', '*** Delete File: a')],
    ['an environment alone', patch('*** Environment ID: e')],
    ['an empty line behind the begin line', patch('', '*** Delete File: a')],
    ['an empty line behind an added file', patch('*** Add File: a', '+x', '', '*** Delete File: b')],
    ['a move behind an anchor', patch('*** Update File: a', '@@', '*** Move to: b')],
    ['two moves', patch('*** Update File: a', '*** Move to: b', '*** Move to: c')],
    ['an anchor without a blank', patch('*** Update File: a', '@@x')],
    ['a context line behind a tab', patch('*** Update File: a', '@@', '\tx')],
    ['text behind the end', `${patch('*** Delete File: a')}x`],
    ['carriage returns as line ends', patch('*** Delete File: a').replaceAll('\n', '\r')],
    ['a deleted file with lines', patch('*** Delete File: a', '-x')],
    ['an unknown header', patch('*** Rename File: a')],
    ['rows behind the end of file', patch('*** Update File: a', '+x', '*** End of File', '+y')],
    ['two ends of file', patch('*** Update File: a', '+x', '*** End of File', '*** End of File')],
    ['two environments', patch('*** Environment ID: a', '*** Environment ID: b', '*** Delete File: a')],
    ['an environment behind a change', patch('*** Delete File: a', '*** Environment ID: e')],
    ['an empty file name', patch('*** Delete File: ')],
  ])('%s', async (_what, input) => {
    expect(await accepts(input)).toBe(false);
  });

  test('an environment where the grammar has none', async () => {
    const plain = (grammar: string): string => grammar.replace(' env?', '').replace(/^env: .*\n/m, '');
    expect(await accepts(patch('*** Delete File: a'), plain)).toBe(true);
    expect(await accepts(patch('*** Environment ID: e', '*** Delete File: a'), plain)).toBe(false);
  });
});

test('texts that are generated are accepted, and the same for the same seed', async () => {
  const grammar = { syntax: 'lark', text: GRAMMAR } as const;
  const job = { kind: 'generate', grammar, seed: 11, count: 5, mostBytes: 400 } as const;
  const { texts } = await service.ask(job, { milliseconds: 60_000 });
  expect(texts.length).toBe(5);
  expect((await service.ask(job, { milliseconds: 60_000 })).texts).toEqual(texts);
  for (const text of texts) expect(await accepts(text)).toBe(true);
});
