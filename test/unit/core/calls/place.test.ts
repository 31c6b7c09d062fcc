import { describe, expect, test } from 'vitest';
import { callSpan, findingSpan } from '../../../../server/src/core/calls/place';
import type { CallFinding } from '../../../../server/src/core/calls/report';
import { t } from '../../../../server/src/core/text/message';
import { unmark } from '../rules/helper';
import { readText } from './support';

/** The part of the text where the first call, or a finding about it, is shown. */
function shown(text: string, finding?: Partial<CallFinding>): string {
  const call = readText(text).calls[0]!;
  const whole: CallFinding = {
    rule: 'call/type',
    level: 'error',
    message: t('x'),
    pointer: undefined,
    offset: undefined,
    line: undefined,
    column: undefined,
    ...finding,
  };
  const { start, end } = finding === undefined ? callSpan(call) : findingSpan(call, whole, text);
  return `${start}:${text.slice(start, end)}`;
}

function expectAt(marked: string, finding?: Partial<CallFinding>): void {
  const { text, spans } = unmark(marked);
  expect(shown(text, finding)).toBe(`${spans[0]!.start}:${text.slice(spans[0]!.start, spans[0]!.end)}`);
}

const file = (call: string): string => `{"definitions":["a"],"calls":[${call}]}`;

describe('a call', () => {
  test.each([['{"tool":"t","name":⟦"n"⟧,"arguments":{}}'], ['{"arguments":{},"tool":⟦"t"⟧}'], ['⟦{⟧"arguments":{}}']])(
    '%s',
    (marked) => expectAt(file(marked)),
  );
});

describe('a finding', () => {
  test.each<[marked: string, finding: Partial<CallFinding>]>([
    // Within an object, at the value that the pointer names, or the innermost one around it.
    ['{"tool":"t","arguments":{"a":{⟦"b"⟧:[1,2]}}}', { pointer: '/a/b' }],
    ['{"tool":"t","arguments":{"a":{"b":[1,⟦2⟧]}}}', { pointer: '/a/b/1', offset: 3 }],
    ['{"tool":"t","arguments":{⟦"a"⟧:{"b":1}}}', { pointer: '/a/missing/deep' }],
    ['{"tool":"t",⟦"arguments"⟧:{"a":1}}', { pointer: '' }],
    ['{"tool":"t",⟦"arguments"⟧:{"a":1}}', { offset: 3 }],
    // Within a raw text, at the character, escapes counted.
    [String.raw`{"tool":"t","arguments":"{\"a\": ⟦x⟧}"}`, { offset: 6, pointer: '/a' }],
    [String.raw`{"tool":"c","input":"a⟦\n⟧b"}`, { offset: 1 }],
    [String.raw`{"tool":"c","input":"a\n⟦b⟧"}`, { offset: 2 }],
    ['{"tool":"c","input":"ab⟦⟧"}', { offset: 2 }],
    ['{"tool":"c","input":⟦"ab"⟧}', {}],
    // In another file: at the call.
    ['{"tool":"c","name":⟦"n"⟧,"inputFile":"x"}', { offset: 5 }],
    // About a result.
    ['{"tool":"t","result":{"structuredContent":{⟦"n"⟧:1}}}', { pointer: '/result/structuredContent/n' }],
    ['{"tool":"t",⟦"result"⟧:{}}', { pointer: '/result' }],
    ['{"tool":"t",⟦"result"⟧:{}}', { pointer: '/result/structuredContent' }],
    ['{"tool":⟦"t"⟧,"arguments":{}}', { pointer: '/result/x' }],
    // A name that only begins so is no result.
    ['{"tool":"t","arguments":{⟦"results"⟧:1},"result":{}}', { pointer: '/results' }],
  ])('%s %o', (marked, finding) => expectAt(file(marked), finding));
});
