import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUpdatePlan } from '../../../../../server/src/core/calls/builtin/updatePlan';

const PREFIX = 'failed to parse function arguments: ';
const STEP = '{"plan":[{"step":"a","status":"pending"';

/** The feedback without its prefix; throws where the arguments are taken. */
function refusal(text: string): string {
  const result = parseUpdatePlan(text);
  if (result.ok) throw new Error(`taken: ${text}`);
  expect(result.feedback.startsWith(PREFIX)).toBe(true);
  return result.feedback.slice(PREFIX.length);
}

describe('refusals that were recorded', () => {
  test.each([
    ['', 'EOF while parsing a value at line 1 column 0'],
    ['{}', 'missing field `plan` at line 1 column 2'],
    ['{"plan":5}', 'invalid type: integer `5`, expected a sequence at line 1 column 9'],
    ['{"plan":null}', 'invalid type: null, expected a sequence at line 1 column 12'],
    ['{"plan":[{"step":"a"}]}', 'missing field `status` at line 1 column 21'],
    [
      '{"plan":[{"step":"a","status":"done"}]}',
      'unknown variant `done`, expected one of `pending`, `in_progress`, `completed` at line 1 column 36',
    ],
    ['{"plan":[{"step":"a","status":3}]}', 'expected value at line 1 column 31'],
    [`${STEP},"x":1}]}`, 'unknown field `x`, expected `step` or `status` at line 1 column 43'],
    ['{"plan":[],"note":1}', 'unknown field `note`, expected `explanation` or `plan` at line 1 column 17'],
    ['{"plan":[],"plan":[]}', 'duplicate field `plan` at line 1 column 17'],
    ['{"plan":[]} x', 'trailing characters at line 1 column 13'],
    ['{"plan":[],}', 'trailing comma at line 1 column 12'],
    ['{plan:[]}', 'key must be a string at line 1 column 2'],
    ['"x"', 'invalid type: string "x", expected struct UpdatePlanArgs at line 1 column 3'],
  ])('%s', (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });
});

describe('refusals that follow from the same laws', () => {
  test.each([
    ['   ', 'EOF while parsing a value at line 1 column 3'],
    ['\n\n', 'EOF while parsing a value at line 3 column 0'],
    ['\ufeff{}', 'expected value at line 1 column 1'],
    ['x', 'expected value at line 1 column 1'],
    ['nul', 'EOF while parsing a value at line 1 column 3'],
    ['nulx', 'expected ident at line 1 column 4'],
    ['null', 'invalid type: null, expected struct UpdatePlanArgs at line 1 column 4'],
    ['true', 'invalid type: boolean `true`, expected struct UpdatePlanArgs at line 1 column 4'],
    ['fals', 'EOF while parsing a value at line 1 column 4'],
    ['-7', 'invalid type: integer `-7`, expected struct UpdatePlanArgs at line 1 column 2'],
    ['-0', 'invalid type: integer `0`, expected struct UpdatePlanArgs at line 1 column 2'],
    ['1.50', 'invalid type: number, expected struct UpdatePlanArgs at line 1 column 4'],
    ['1e400', 'invalid type: number, expected struct UpdatePlanArgs at line 1 column 5'],
    [
      '18446744073709551615',
      'invalid type: integer `18446744073709551615`, expected struct UpdatePlanArgs at line 1 column 20',
    ],
    ['18446744073709551616', 'invalid type: number, expected struct UpdatePlanArgs at line 1 column 20'],
    ['01', 'invalid number at line 1 column 2'],
    ['1.', 'EOF while parsing a value at line 1 column 2'],
    ['1.x', 'invalid number at line 1 column 3'],
    ['1e', 'EOF while parsing a value at line 1 column 2'],
    ['1e+x', 'invalid number at line 1 column 4'],
    ['-', 'EOF while parsing a value at line 1 column 1'],
    ['-x', 'invalid number at line 1 column 2'],
    ['[]', 'invalid length 1, expected struct UpdatePlanArgs with 2 elements at line 1 column 2'],
    ['[null]', 'invalid length 1, expected struct UpdatePlanArgs with 2 elements at line 1 column 6'],
    ['[null,[],1]', 'trailing characters at line 1 column 10'],
    ['[null,[],]', 'trailing comma at line 1 column 10'],
    ['[null,[]', 'EOF while parsing a list at line 1 column 8'],
    ['[null [] ]', 'expected `,` or `]` at line 1 column 7'],
    ['[null,', 'EOF while parsing a value at line 1 column 6'],
    ['{', 'EOF while parsing an object at line 1 column 1'],
    ['{"plan"', 'EOF while parsing an object at line 1 column 7'],
    ['{"plan" []}', 'expected `:` at line 1 column 9'],
    ['{"plan":', 'EOF while parsing a value at line 1 column 8'],
    ['{"plan":[]', 'EOF while parsing an object at line 1 column 10'],
    ['{"plan":[] "explanation":1}', 'expected `,` or `}` at line 1 column 12'],
    ['{"plan":[],', 'EOF while parsing a value at line 1 column 11'],
    ['{"plan":[],1:2}', 'key must be a string at line 1 column 12'],
    ['{"plan":{}}', 'invalid type: map, expected a sequence at line 1 column 8'],
    ['{"plan":[[]]}', 'invalid length 0, expected struct PlanItemArg with 2 elements at line 1 column 11'],
    ['{"plan":[["a"]]}', 'invalid length 1, expected struct PlanItemArg with 2 elements at line 1 column 14'],
    ['{"plan":[5]}', 'invalid type: integer `5`, expected struct PlanItemArg at line 1 column 10'],
    ['{"plan":[,]}', 'expected value at line 1 column 10'],
    ['{"plan":[{"step":5}]}', 'invalid type: integer `5`, expected a string at line 1 column 18'],
    ['{"plan":[{"step":["a"]}]}', 'invalid type: sequence, expected a string at line 1 column 17'],
    ['{"explanation":5}', 'invalid type: integer `5`, expected a string at line 1 column 16'],
    ['{"explanation":nope}', 'expected ident at line 1 column 17'],
    // A fault without a place gets the one behind the end, where that end is there at once.
    ['{"a"  :1}', 'unknown field `a`, expected `explanation` or `plan` at line 1 column 6'],
    ['{"a"}', 'unknown field `a`, expected `explanation` or `plan` at line 1 column 5'],
    ['{"plan":[{"step":"a"\n}\n]}', 'missing field `status` at line 2 column 1'],
    [
      '{"plan":[\n {"step":"a","status":"ü"}]}',
      'unknown variant `ü`, expected one of `pending`, `in_progress`, `completed` at line 2 column 26',
    ],
    ['{"😀":1}', 'unknown field `😀`, expected `explanation` or `plan` at line 1 column 7'],
    ['"\\u00e9\\n"', 'invalid type: string "é\\n", expected struct UpdatePlanArgs at line 1 column 10'],
    ['"\u200b\\u0000"', 'invalid type: string "\\u{200b}\\0", expected struct UpdatePlanArgs at line 1 column 11'],
    ['{"pl\\u0061n":5}', 'invalid type: integer `5`, expected a sequence at line 1 column 14'],
    ['{"a', 'EOF while parsing a string at line 1 column 3'],
    ['{"a\\', 'EOF while parsing a string at line 1 column 4'],
    ['{"a\\x', 'invalid escape at line 1 column 5'],
    ['{"a\\u12', 'EOF while parsing a string at line 1 column 7'],
    ['{"a\\u12g4', 'invalid escape at line 1 column 9'],
    ['{"\\udc00"', 'lone leading surrogate in hex escape at line 1 column 8'],
    ['{"\\ud83d"', 'unexpected end of hex escape at line 1 column 9'],
    ['{"\\ud83d\\n', 'unexpected end of hex escape at line 1 column 10'],
    ['{"\\ud83d\\u0041', 'lone leading surrogate in hex escape at line 1 column 14'],
    ['{"\\ud83d', 'EOF while parsing a string at line 1 column 8'],
    ['{"a\tb":1}', 'control character (\\u0000-\\u001F) found while parsing a string at line 1 column 4'],
    ['{"a\nb":1}', 'control character (\\u0000-\\u001F) found while parsing a string at line 2 column 0'],
    [`{"plan":[{"step":"a","status":{}}]}`, 'expected value at line 1 column 32'],
    ['{"plan":[{"step":"a","status":', 'EOF while parsing a value at line 1 column 30'],
    ['{"plan":[{"step":"a","status":{"pending":1}}]}', 'invalid type: integer `1`, expected unit at line 1 column 42'],
    ['{"plan":[{"step":"a","status":{"pending":null,}}]}', 'expected value at line 1 column 45'],
    ['{"plan":[{"step":"a","status":{"pending"}}]}', 'expected `:` at line 1 column 41'],
    ['{"plan":[{"step":"a","status":{"pending":null', 'EOF while parsing an object at line 1 column 45'],
  ])('%s', (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });
});

describe('arguments that are taken', () => {
  test.each([
    ['{"plan":[]}', { explanation: null, plan: [] }],
    ['[null,[]]', { explanation: null, plan: [] }],
    ['["why",[["a","completed"]]]', { explanation: 'why', plan: [{ step: 'a', status: 'completed' }] }],
    [
      '{"plan":[{"status":{"pending":null},"step":""}]}',
      { explanation: null, plan: [{ step: '', status: 'pending' }] },
    ],
    [
      '{"plan":[{"step":"a","status":"in_progress"},{"step":"a","status":"in_progress"}],"explanation":null}',
      {
        explanation: null,
        plan: [
          { step: 'a', status: 'in_progress' },
          { step: 'a', status: 'in_progress' },
        ],
      },
    ],
    [' \t\r\n{"explanation":"\\ud83d\\ude00 \\/","plan":[]} ', { explanation: '😀 /', plan: [] }],
  ])('%s', (text, value) => {
    const result = parseUpdatePlan(text);
    expect(result.ok && JSON.parse(result.value)).toEqual(value);
    expect(result.ok && result.notes).toEqual(['Plan updated']);
  });

  test('what fits the types is taken, however it is laid out', () => {
    const step = fc.record({
      step: fc.string({ unit: 'grapheme' }),
      status: fc.constantFrom('pending', 'in_progress', 'completed'),
    });
    const plan = fc.record({ explanation: fc.option(fc.string()), plan: fc.array(step) });
    fc.assert(
      fc.property(plan, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const result = parseUpdatePlan(JSON.stringify(value, undefined, indent));
        expect(result.ok && JSON.parse(result.value)).toEqual(value);
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

test('the place of a refusal counts UTF-16 units', () => {
  const text = '{"plan":[{"step":"😀é","status":"no"}]}';
  const result = parseUpdatePlan(text);
  expect(!result.ok && text.slice(0, result.offset)).toBe('{"plan":[{"step":"😀é","status":"no"');
});

test('any text has one answer, and deep nesting is no danger', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const result = parseUpdatePlan(text);
      if (!result.ok) {
        expect(result.offset).toBeGreaterThanOrEqual(0);
        expect(result.offset).toBeLessThanOrEqual(text.length);
      }
    }),
    { seed: 3, numRuns: 500 },
  );
  expect(refusal(`{"plan":${'['.repeat(100_000)}`)).toBe(
    'invalid type: sequence, expected a string at line 1 column 10',
  );
});
