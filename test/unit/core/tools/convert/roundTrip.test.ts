import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONVERT_TARGETS, type ConvertTarget } from '../../../../../server/src/core/tools/convert/targets';
import { applyLosses, convert, read, roundTrip } from './support';

const name = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);
const text = fc.oneof(fc.string({ maxLength: 12 }), fc.constant(''));
const json = fc.jsonValue({ maxDepth: 2 });
const schema = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom('object', 'string', ['object', 'null']),
      properties: fc.dictionary(
        name,
        fc.record({ type: fc.constant('string'), default: json }, { requiredKeys: ['type'] }),
      ),
      required: fc.array(name, { maxLength: 2 }),
      additionalProperties: fc.boolean(),
      $defs: fc.dictionary(name, fc.constant({ enum: [1, 'a'] }), { maxKeys: 1 }),
      anyOf: fc.constant([{ type: 'object' }]),
    },
    { requiredKeys: [] },
  ),
  fc.boolean(),
  fc.constant(null),
);
const local = fc.record({ exposure: fc.constantFrom('direct', 'deferred', 'hidden') });
const fn = fc
  .record(
    {
      name,
      description: fc.oneof(text, fc.constant(null)),
      strict: fc.constantFrom(true, false, null),
      defer_loading: fc.boolean(),
      parameters: schema,
      output_schema: fc.oneof(fc.constant({ type: 'object' }), fc.constant(null)),
      allowed_callers: fc.constant(['direct']),
      cache_control: fc.constant({ type: 'ephemeral' }),
      annotations: json,
      'x-toolspec': local,
      'x-own': json,
    },
    { requiredKeys: ['name'] },
  )
  .map((members) => ({ type: 'function', ...members }));
const custom = fc
  .record(
    {
      name,
      description: text,
      defer_loading: fc.boolean(),
      format: fc.oneof(
        fc.constant({ type: 'text' }),
        fc.constant({ type: 'text', extra: 1 }),
        fc.record(
          { type: fc.constant('grammar'), syntax: fc.constantFrom('lark', 'regex'), definition: text, more: json },
          {
            requiredKeys: ['type', 'syntax', 'definition'],
          },
        ),
        fc.constant({ type: 'grammar', syntax: 'lark', definition: { $file: './a.lark' } }),
      ),
      'x-toolspec': local,
    },
    { requiredKeys: ['name'] },
  )
  .map((members) => ({ type: 'custom', ...members }));
const hosted = fc.constantFrom(
  { type: 'web_search', search_context_size: 'low' },
  { type: 'tool_search', execution: 'client' },
  { type: 'file_search', vector_store_ids: ['a'] },
);
const namespace = fc
  .record(
    {
      name,
      description: fc.oneof(text, fc.constant(null)),
      tools: fc.array(fc.oneof(fn, custom), { minLength: 1, maxLength: 3 }),
      note: json,
      'x-toolspec': local,
    },
    { requiredKeys: ['name', 'tools'] },
  )
  .map((members) => ({ type: 'namespace', ...members }));
const tools = fc.array(fc.oneof({ weight: 4, arbitrary: fn }, custom, hosted, namespace), {
  minLength: 1,
  maxLength: 4,
});
const file = fc.oneof(
  tools,
  tools.map((list) => ({ 'x-toolspec': { server: 'shop' }, tools: list })),
  tools.map((list) => ({ model: 'm', tools: list, input: [] })),
);

/** A file is fine for a law about Responses if it is read as such. */
function isResponses(source: string): boolean {
  const set = read(source);
  return (
    set.tools.every(({ shape }) => shape === 'responses') && set.namespaces.every(({ shape }) => shape === 'responses')
  );
}

function check(source: string, target: ConvertTarget): void {
  const { there, back } = roundTrip(source, target);
  expect(back, `through ${target}`).toEqual(applyLosses(source, there.losses));
}

describe('Responses and back', () => {
  test.each(CONVERT_TARGETS)('%s keeps what it can hold, and the report names exactly the rest', (target) => {
    let checked = 0;
    fc.assert(
      fc.property(file, (value) => {
        const source = JSON.stringify(value, undefined, 1);
        fc.pre(isResponses(source));
        checked++;
        check(source, target);
      }),
      { seed: 11, numRuns: 400 },
    );
    expect(checked).toBeGreaterThan(300);
  });

  test('to Responses itself nothing of a tool is lost', () => {
    fc.assert(
      fc.property(tools, (value) => {
        const source = JSON.stringify(value);
        fc.pre(isResponses(source));
        const { there, back } = roundTrip(source, 'responses');
        expect(there.losses).toEqual([]);
        expect(back).toEqual(value);
      }),
      { seed: 12, numRuns: 200 },
    );
  });
});

function jsonFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((each) => {
    const full = path.join(folder, each);
    if (statSync(full).isDirectory()) return jsonFiles(full);
    return /\.jsonc?$/.test(each) && statSync(full).size < 2_000_000 ? [full] : [];
  });
}

// Definitions of others can be converted too: name their folder in TOOLSPEC_CORPUS.
const folders = [
  path.resolve(import.meta.dirname, '../../../../fixtures'),
  path.resolve(import.meta.dirname, '../../../../../samples'),
];
const corpus = process.env['TOOLSPEC_CORPUS'];
const files = [...folders, ...(corpus === undefined ? [] : [corpus])]
  .flatMap(jsonFiles)
  .map((file) => ({ file, source: readFileSync(file, 'utf8') }))
  .filter(({ source }) => read(source).tools.length > 0);

describe('files', () => {
  const responses = files.filter(({ source }) => isResponses(source));

  test('there are some of the shape', () => {
    expect(responses.length).toBeGreaterThan(2);
    expect(files.length).toBeGreaterThan(responses.length + 5);
  });

  test.each(CONVERT_TARGETS)('Responses through %s and back', (target) => {
    for (const { file: named, source } of responses) {
      const { there, back } = roundTrip(source, target);
      expect(back, named).toEqual(applyLosses(source, there.losses));
    }
  });

  test.each(CONVERT_TARGETS)('any shape as Responses, through %s and back', (target) => {
    for (const { file: named, source } of files) {
      const made = convert(source, 'responses').text;
      const { there, back } = roundTrip(made, target);
      expect(back, named).toEqual(applyLosses(made, there.losses));
    }
  });

  test.each(CONVERT_TARGETS)(
    'any shape to %s: the result is read as that shape, with every tool that is not lost',
    (target) => {
      for (const { file: named, source } of files) {
        const { there } = roundTrip(source, target);
        const result = read(there.text);
        expect(result.tools.length, named).toBe(there.tools);
        const shapes = new Set(result.tools.map(({ shape }) => shape));
        expect(there.tools === 0 ? [] : [...shapes], named).toEqual(there.tools === 0 ? [] : [target]);
      }
    },
  );
});
