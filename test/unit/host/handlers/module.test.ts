import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { t } from '../../../../server/src/core/text/message';
import { call, handlers, module } from './support';

describe('a function of a module', () => {
  test('gets the text and the call; what it prints is no answer', async () => {
    expect(await call(handlers(), module('./faults.mjs', 'good'), '{"a":1')).toMatchObject({
      verdict: 'accepted',
      value: '{"text":"{\\"a\\":1","tool":"t"}',
    });
  });

  test.each([
    ['throwsString', { verdict: 'rejected', feedback: 'just a text' }],
    ['throwsError', { verdict: 'rejected', feedback: 'bad range', offset: 3 }],
    ['rejects', { verdict: 'rejected', feedback: 'later' }],
    ['throwsNothing', { verdict: 'rejected', feedback: 'undefined' }],
    [
      'bigint',
      {
        verdict: 'crashed',
        detail: 'The handler gave a value that is no JSON: Do not know how to serialize a BigInt',
      },
    ],
    [
      'cycle',
      { verdict: 'crashed', detail: 'The handler gave a value that is no JSON: Converting circular structure to JSON' },
    ],
    ['nothing', { verdict: 'accepted', value: undefined }],
    [
      'givesFunction',
      {
        verdict: 'crashed',
        detail: 'The handler gave a function, which is no JSON.',
        stop: { kind: 'fault', words: t('The handler gave a {0}, which is no JSON.', 'function') },
      },
    ],
    ['exits', { verdict: 'crashed', detail: 'The handler ended with exit code 4 before it answered.' }],
    ['unhandled', { verdict: 'crashed', detail: 'The handler ended with exit code 1 before it answered.' }],
    ['readsInput', { verdict: 'accepted', value: '""' }],
    [
      'notCallable',
      {
        verdict: 'crashed',
        detail: 'The export "notCallable" is neither a function nor a parser nor a schema.',
        stop: { words: t('The export "{0}" is neither a function nor a parser nor a schema.', 'notCallable') },
      },
    ],
  ])('%s', async (name, outcome) => {
    expect(await call(handlers(), module('./faults.mjs', name), '{}')).toMatchObject(outcome);
  });

  test('that blocks is ended, and the next call has a new process', async () => {
    const runner = handlers();
    expect(await call(runner, module('./faults.mjs', 'block', 50), '')).toMatchObject({ verdict: 'timed-out' });
    expect(await call(runner, module('./faults.mjs', 'good'), '')).toMatchObject({ verdict: 'accepted' });
  });

  test('that writes without end is stopped', async () => {
    expect(await call(handlers(), module('./faults.mjs', 'floods'), '')).toMatchObject({
      verdict: 'crashed',
      detail: 'The handler wrote a line of more than 4,194,304 bytes, so it was ended.',
      stop: {
        kind: 'output-limit',
        words: t('{0} wrote {1}, so it was ended.', t('The handler'), t('a line of more than {0} bytes', 4_194_304)),
      },
    });
  });
});

describe('what takes the calls of a module', () => {
  test('is a schema of Zod, Valibot or ArkType', async () => {
    const runner = handlers();
    const spec = module('./faults.mjs', 'schema');
    expect(await call(runner, spec, '{"count":1}')).toMatchObject({ verdict: 'accepted', value: '{"count":1}' });
    expect(await call(runner, spec, '{"count":"1"}')).toMatchObject({
      verdict: 'rejected',
      feedback: 'count: must be a number',
    });
    expect(await call(runner, spec, '{"count":')).toMatchObject({
      verdict: 'rejected',
      feedback: 'Unexpected end of JSON input',
    });
  });

  test('is a parser that Lark.js made', async () => {
    const runner = handlers();
    const spec = module('./pairsParser.cjs');
    const accepted = await call(runner, spec, 'a=1, b=2');
    expect(accepted.verdict === 'accepted' && JSON.parse(accepted.value ?? '')).toEqual({
      data: 'start',
      children: [
        {
          data: 'pair',
          children: [
            { type: 'NAME', value: 'a' },
            { type: 'NUMBER', value: '1' },
          ],
        },
        {
          data: 'pair',
          children: [
            { type: 'NAME', value: 'b' },
            { type: 'NUMBER', value: '2' },
          ],
        },
      ],
    });
    expect(await call(runner, spec, 'a=1,\nb;')).toMatchObject({
      verdict: 'rejected',
      feedback: 'Unexpected "\\n" at line 1, column 5. Expected: COMMA, EQUAL, NAME, NUMBER.',
      offset: 4,
    });
    expect(await call(runner, spec, 'a=1,=')).toMatchObject({
      verdict: 'rejected',
      feedback: 'Unexpected "=" at line 1, column 5. Expected: NAME.',
      offset: 4,
    });
    expect(await call(runner, spec, 'a=')).toMatchObject({
      verdict: 'rejected',
      feedback: 'The text ends too early at line 1, column 3. Expected: NUMBER.',
      offset: 2,
    });
  });

  test('is the only function of a CommonJS module', async () => {
    expect(await call(handlers(), module('./lone.cjs'), 'four')).toMatchObject({ verdict: 'accepted', value: '4' });
  });

  test('has to be named where there are several', async () => {
    const runner = handlers();
    expect(await call(runner, module('./several.mjs'), '')).toMatchObject({
      verdict: 'crashed',
      detail: 'The module exports several functions (one, two), so "export" must name one of them.',
    });
    expect(await call(runner, module('./several.mjs', 'two'), '')).toMatchObject({ value: '2' });
    expect(await call(runner, module('./several.mjs', 'three'), '')).toMatchObject({
      verdict: 'crashed',
      detail: 'The module has no export "three". It has one, two.',
    });
  });

  test('cannot be loaded from a file that is broken or not there', async () => {
    const runner = handlers();
    expect(await call(runner, module('./broken.mjs'), '')).toMatchObject({
      verdict: 'crashed',
      detail: "The module could not be loaded: Unexpected token ';'",
    });
    expect(await call(runner, module('./nowhere.mjs'), '')).toMatchObject({
      verdict: 'crashed',
      detail: expect.stringMatching(/^The module could not be loaded: Cannot find module /),
    });
  });

  test('is the new one when the file has changed', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'toolspec-module-'));
    try {
      const file = path.join(folder, 'handler.mjs');
      let time = 0;
      const runner = handlers({ now: () => (time += 1000) });
      writeFileSync(file, 'export default () => "old";\n');
      expect(await call(runner, module(file), '')).toMatchObject({ value: '"old"' });
      writeFileSync(file, 'export default () => "the new one";\n');
      expect(await call(runner, module(file), '')).toMatchObject({ value: '"the new one"' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
