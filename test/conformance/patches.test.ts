import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseApplyPatch } from '../../server/src/core/calls/builtin/applyPatch';
import { createParser, type GrammarParser } from '../../server/src/core/grammar/engine';
import { loadGrammar } from '../../server/src/core/grammar/load/load';
import { parseGrammar } from '../../server/src/core/grammar/parse';
import type { ProviderAnswer } from '../../server/src/core/grammar/provider';
import { startEngine } from '../engineFiles';

// Three judges of a patch: the grammar by the provider's engine, the grammar by Lark's parsers, and the hand-written
// parser that gets the patch in the end. The first two agree on all of this; the third does not.
const GRAMMAR = readFileSync(
  path.join(fileURLToPath(new URL('../../', import.meta.url)), 'samples/apply_patch.lark'),
  'utf8',
);
/** As Codex sends it when there is one environment only. */
const PLAIN = GRAMMAR.replace(' env?', '').replace(/^env: .*\n/m, '');

const service = startEngine();
afterAll(() => service.close());

function parserFor(text: string, parser: 'earley' | 'lalr'): GrammarParser {
  const lexer = parser === 'lalr' ? 'contextual' : 'dynamic';
  const { grammar } = loadGrammar(parseGrammar(text), { start: ['start'], lexer });
  return createParser(grammar!, { parser }).parser!;
}

const parsers = { earley: parserFor(GRAMMAR, 'earley'), lalr: parserFor(GRAMMAR, 'lalr') };

const begin = '*** Begin Patch\n';
const end = '*** End Patch\n';
const patch = (...lines: string[]): string => `${begin}${lines.map((line) => `${line}\n`).join('')}${end}`;
const update = (...lines: string[]): string => patch('*** Update File: a', ...lines);

const EMPTY = "invalid hunk at line 2, Update file hunk for path 'a' is empty";
const NO_LINES = 'Update hunk does not contain any lines';
const ROWS = "Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)";
const unexpected = (line: number, text: string): string =>
  `invalid hunk at line ${line}, Unexpected line found in update hunk: '${text}'. ${ROWS}`;
const noAnchor = (line: number, text: string): string =>
  `invalid hunk at line ${line}, Expected update hunk to start with a @@ context marker, got: '${text}'`;
const noHeader = (line: number, text: string): string =>
  `invalid hunk at line ${line}, '${text}' is not a valid hunk header. Valid hunk headers: ` +
  "'*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'";
const FIRST = "invalid patch: The first line of the patch must be '*** Begin Patch'";
const LAST = "invalid patch: The last line of the patch must be '*** End Patch'";

/** A patch: what it shows, its text, and what the hand-written parser says when it refuses it. */
type Row = readonly [what: string, input: string, refusal?: string];

const BOTH_ACCEPT: readonly Row[] = [
  [
    'one of each kind',
    patch('*** Add File: a', '+x', '+', '*** Delete File: b', '*** Update File: c', '@@ f', ' k', '-o', '+n'),
  ],
  ['no line end behind the last line', patch('*** Delete File: a').slice(0, -1)],
  ['an environment', patch('*** Environment ID: e1', '*** Delete File: a')],
  ['a move with a change', update('*** Move to: b', '@@', '+x')],
  ['an end of file', update('@@', '+x', '*** End of File')],
  ['a header behind a blank is a row', update('@@', ' *** Delete File: b', '+x')],
  ['blanks at the end of a path', patch('*** Delete File: a  ')],
  ['a carriage return in a file name', patch('*** Delete File: a\r')],
];

const GRAMMAR_ACCEPTS: readonly Row[] = [
  ['an update without a change', update(), EMPTY],
  ['a move alone', update('*** Move to: b'), EMPTY],
  ['an anchor alone', update('@@'), `invalid hunk at line 4, ${NO_LINES}`],
  ['an anchor behind an anchor', update('@@ class A', '@@ def f', '+x'), unexpected(4, '@@ def f')],
  ['an anchor at the end', update('+x', '@@'), `invalid hunk at line 5, ${NO_LINES}`],
  ['an anchor, then the end of file', update('@@', '*** End of File'), `invalid hunk at line 4, ${NO_LINES}`],
  ['a file name of blanks', patch('*** Delete File:   '), noHeader(2, '*** Delete File:')],
  ['a file name of blanks to move to', update('*** Move to:  ', '+x'), unexpected(3, '*** Move to:  ')],
  [
    'an environment of blanks',
    patch('*** Environment ID:   ', '*** Delete File: a'),
    'apply_patch environment_id cannot be empty',
  ],
];

const PARSER_ACCEPTS: readonly Row[] = [
  ['two line ends at the end', `${patch('*** Delete File: a')}\n`],
  ['many line ends at the end', `${patch('*** Delete File: a')}\n\n\n`],
  ['an empty line at the beginning', `\n${patch('*** Delete File: a')}`],
  ['a blank before the begin line', ` ${patch('*** Delete File: a')}`],
  ['a blank behind the begin line', `*** Begin Patch \n*** Delete File: a\n${end}`],
  ['a no-break space behind the end line', `${begin}*** Delete File: a\n*** End Patch\u00a0\n`],
  ['an indented end line', `${begin}*** Delete File: a\n  *** End Patch\n`],
  ['an indented header', patch(' *** Delete File: a')],
  ['an added file without a line', patch('*** Add File: a')],
  ['an empty line in an update', update('@@', '', '+x')],
  ['an empty line behind an update', update('+x', '', '*** Delete File: b')],
  ['an empty line before the end line', update('+x', '')],
  ['an anchor behind the end of file', update('+x', '*** End of File', '@@', '+y')],
  ['an empty line behind the end of file', update('+x', '*** End of File', '')],
  ['an end of file with blanks', update('+x', '*** End of File ')],
  ['an end of file first', update('*** End of File', '+x')],
  ['an anchor with a blank alone', update('@@ ', '+x')],
  ['CRLF', patch('*** Delete File: a').replaceAll('\n', '\r\n')],
  ...['EOF', "'EOF'", '"EOF"'].map(
    (tag): Row => [`a here-document <<${tag}`, `<<${tag}\n${patch('*** Delete File: a')}EOF\n`],
  ),
  ['a here-document with a longer last line', `<<EOF\n${patch('*** Delete File: a')}xxEOF\n`],
  ['an environment without the blank', patch('*** Environment ID:e', '*** Delete File: a')],
];

const BOTH_REFUSE: readonly Row[] = [
  ['no change at all', patch(), 'patch rejected: empty patch'],
  ['an environment alone', patch('*** Environment ID: e'), 'patch rejected: empty patch'],
  ['nothing', '', FIRST],
  ['an empty line behind the begin line', patch('', '*** Delete File: a'), noHeader(2, '')],
  ['an empty line behind an added file', patch('*** Add File: a', '+x', '', '*** Delete File: b'), noHeader(4, '')],
  ['an empty line behind a deleted file', patch('*** Delete File: a', '', '*** Delete File: b'), noHeader(3, '')],
  ['a move behind an anchor', update('@@', '*** Move to: b'), unexpected(4, '*** Move to: b')],
  ['two moves', update('*** Move to: b', '*** Move to: c'), unexpected(4, '*** Move to: c')],
  ['an anchor without a blank', update('@@x'), unexpected(3, '@@x')],
  ['a context line behind a tab', update('@@', '\tx'), unexpected(4, '\tx')],
  ['a row without a sign behind others', update('+x', 'y'), noAnchor(4, 'y')],
  ['text behind the end', `${patch('*** Delete File: a')}x`, LAST],
  ['carriage returns as line ends', patch('*** Delete File: a').replaceAll('\n', '\r'), FIRST],
  ['a deleted file with lines', patch('*** Delete File: a', '-x'), noHeader(3, '-x')],
  ['a here-document with another tag', `<<PATCH\n${patch('*** Delete File: a')}PATCH\n`, FIRST],
  ['an unknown header', patch('*** Rename File: a'), noHeader(2, '*** Rename File: a')],
  ['rows behind the end of file', update('+x', '*** End of File', '+y'), noAnchor(5, '+y')],
  ['two ends of file', update('+x', '*** End of File', '*** End of File'), noAnchor(5, '*** End of File')],
  [
    'two environments',
    patch('*** Environment ID: a', '*** Environment ID: b', '*** Delete File: a'),
    'apply_patch environment_id cannot be specified more than once',
  ],
  [
    'an environment behind a change',
    patch('*** Delete File: a', '*** Environment ID: e'),
    noHeader(3, '*** Environment ID: e'),
  ],
  ['an empty file name', patch('*** Delete File: '), noHeader(2, '*** Delete File:')],
  ['no end line', `${begin}*** Delete File: a\n`, LAST],
  ['the first line with a tail', '*** Begin Patch ***\n*** End Patch ***\n', FIRST],
  ['a byte order mark', `\ufeff${patch('*** Delete File: a')}`, FIRST],
];

const ALL = [...BOTH_ACCEPT, ...GRAMMAR_ACCEPTS, ...PARSER_ACCEPTS, ...BOTH_REFUSE];
const ACCEPTED = new Set([...BOTH_ACCEPT, ...GRAMMAR_ACCEPTS].map(([, input]) => input));

let answer: ProviderAnswer;
let plainAnswer: ProviderAnswer;
const inputs = ALL.map(([, input]) => input);

beforeAll(async () => {
  const ask = (text: string): Promise<ProviderAnswer> =>
    service.ask({ kind: 'judge', grammar: { syntax: 'lark', text }, inputs }, { milliseconds: 60_000 });
  answer = await ask(GRAMMAR);
  plainAnswer = await ask(PLAIN);
  expect([answer.end.state, plainAnswer.end.state]).toEqual(['done', 'done']);
});

describe.each<readonly [group: string, rows: readonly Row[]]>([
  ['both accept', BOTH_ACCEPT],
  ['the grammar accepts, the parser refuses', GRAMMAR_ACCEPTS],
  ['the parser accepts, the grammar refuses', PARSER_ACCEPTS],
  ['both refuse', BOTH_REFUSE],
])('%s', (_group, rows) => {
  test.each(rows.map(([what, input, refusal]) => ({ what, input, refusal })))('$what', ({ input, refusal }) => {
    const accepted = ACCEPTED.has(input);
    expect(answer.inputs[inputs.indexOf(input)]!.verdict.accepted).toBe(accepted);
    expect(parsers.earley.parse(input, { tree: false }).accepted).toBe(accepted);
    expect(parsers.lalr.parse(input, { tree: false }).accepted).toBe(accepted);
    const result = parseApplyPatch(input);
    const feedback = result.ok ? undefined : result.feedback.replace('apply_patch verification failed: ', '');
    expect(feedback).toBe(refusal);
  });
});

test('an environment where the grammar has none is refused by the grammar alone', () => {
  const verdict = (input: string): boolean => plainAnswer.inputs[inputs.indexOf(input)]!.verdict.accepted;
  expect(verdict(patch('*** Delete File: a').slice(0, -1))).toBe(true);
  const input = patch('*** Environment ID: e1', '*** Delete File: a');
  expect(verdict(input)).toBe(false);
  expect(parseApplyPatch(input).ok).toBe(true);
  expect(parseApplyPatch(input, { environments: false })).toMatchObject({
    feedback: 'apply_patch environment selection is unavailable for this turn',
    offset: begin.length,
  });
});

test('texts that are generated are accepted, and the same for the same seed', async () => {
  const grammar = { syntax: 'lark', text: GRAMMAR } as const;
  const job = { kind: 'generate', grammar, seed: 11, count: 5, mostBytes: 400 } as const;
  const { texts } = await service.ask(job, { milliseconds: 60_000 });
  expect(texts.length).toBe(5);
  expect((await service.ask(job, { milliseconds: 60_000 })).texts).toEqual(texts);
  const judged = await service.ask({ kind: 'judge', grammar, inputs: texts }, { milliseconds: 60_000 });
  expect(judged.inputs.map((each) => each?.verdict.accepted)).toEqual(texts.map(() => true));
});
