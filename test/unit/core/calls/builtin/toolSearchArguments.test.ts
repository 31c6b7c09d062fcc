import { expect, test } from 'vitest';
import { readToolSearchArguments } from '../../../../../server/src/core/calls/builtin/toolSearchArguments';
import { parseJson } from '../../../../../server/src/core/text/json';

const read = (text: string) => readToolSearchArguments(parseJson(text).root!);

test.each([
  ['{"query":"a"}', 'a', undefined],
  ['{"query":"a","limit":null}', 'a', undefined],
  ['{"query":"a","limit":5,"other":[]}', 'a', '5'],
  ['{"query":5,"query":"b","limit":18446744073709551615}', 'b', '18446744073709551615'],
  ['["a"]', 'a', undefined],
  ['["a",2]', 'a', '2'],
])('%s is taken', (text, query, limit) => {
  expect(read(text)).toEqual({ ok: true, query, limit });
});

test.each([
  ['{}', 'missing field `query`'],
  ['{"limit":1}', 'missing field `query`'],
  ['{"query":null}', 'invalid type: null, expected a string'],
  ['{"query":5}', 'invalid type: number, expected a string'],
  ['{"query":["a"]}', 'invalid type: sequence, expected a string'],
  ['{"limit":1.5}', 'invalid number'],
  ['{"query":"a","limit":-1}', 'invalid number'],
  ['{"query":"a","limit":1e1}', 'invalid number'],
  ['{"query":"a","limit":18446744073709551616}', 'invalid number'],
  ['{"query":"a","limit":"5"}', 'invalid type: string "5", expected usize'],
  ['{"query":"a","limit":true}', 'invalid type: boolean `true`, expected usize'],
  ['{"query":"a","limit":{}}', 'invalid type: map, expected usize'],
  ['"x"', 'invalid type: string "x", expected struct SearchToolCallParams'],
  ['[]', 'invalid length 0, expected struct SearchToolCallParams with 2 elements'],
  ['["a",1,2]', 'invalid length 3, expected fewer elements in array'],
])('%s is refused', (text, error) => {
  expect(read(text)).toMatchObject({ ok: false, error });
});
