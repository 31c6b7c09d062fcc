import { expect, test } from 'vitest';
import { jsonCursor } from '../../../../server/src/core/calls/cursor';
import { parseJson } from '../../../../server/src/core/text/json';

/** What can be written at the mark: kind, path, and the text that is replaced. */
function at(marked: string): string | undefined {
  const offset = marked.indexOf('‸');
  const text = marked.replace('‸', '');
  const cursor = jsonCursor(parseJson(text), offset);
  if (cursor === undefined) return undefined;
  const { kind, path, replace, hasColon, needsComma } = cursor;
  const flags = `${hasColon ? ' colon' : ''}${needsComma ? ' comma' : ''}`;
  return `${kind} /${path.join('/')} [${text.slice(replace.start, replace.end)}]${flags}`;
}

test.each([
  ['{ ‸ }', 'key / []'],
  ['{ "a‸b": 1 }', 'key / ["ab"] colon'],
  ['{ ab‸ }', 'key / [ab]'],
  ['{ "a": 1, ‸ }', 'key / []'],
  ['{ "‸" "b": 1 }', 'key / [""] comma'],
  ['{ "a": ‸ }', 'value /a []'],
  ['{ "a": ‸, "b": 1 }', 'value /a []'],
  ['{ "a": "x‸y" }', 'value /a ["xy"]'],
  ['{ "a": tr‸ }', 'value /a [tr]'],
  ['{ "a": [1, ‸] }', 'value /a/1 []'],
  ['{ "a": [‸] }', 'value /a/0 []'],
  ['{ "a": [{ "b": ‸ }] }', 'value /a/0/b []'],
  ['{ "a": "x‸\n}', 'value /a ["x]'],
])('%s', (marked, expected) => {
  expect(at(marked)).toBe(expected);
});

test.each(['‸{}', '{ "a": 12 }‸', '{ "a" ‸ }', '{ "a": "x"‸ }', '[1 ‸]', '‸'])('nothing at %s', (marked) => {
  expect(at(marked)).toBeUndefined();
});
