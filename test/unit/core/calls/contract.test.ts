import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeContract } from '../../../../server/src/core/calls/contract';
import { judgeHandler } from '../../../../server/src/core/calls/contractHandler';
import { judgeResult } from '../../../../server/src/core/calls/contractResult';
import type { HandlerOutcome } from '../../../../server/src/core/calls/handler';
import type { CallFinding, ContractVerdict } from '../../../../server/src/core/calls/report';
import { runBuiltin } from '../../../../server/src/core/calls/runBuiltin';
import { codexProfile, DEFAULT_CODEX_PROFILE } from '../../../../server/src/core/profiles/codex';
import { parseJson } from '../../../../server/src/core/text/json';
import { resolvePointer } from '../../../../server/src/core/text/jsonTree';
import { render } from '../../../../server/src/core/text/message';
import type { ToolDefinition } from '../../../../server/src/core/tools/model';
import { readTools } from '../../../../server/src/core/tools/read';
import { filesBelow, read } from '../../tidy/sources';

function toolOf(definition: unknown): ToolDefinition {
  const document = parseJson(JSON.stringify([definition]));
  return readTools(document, { baseName: 't' }).tools[0]!;
}

const functionOf = (inputSchema: unknown): ToolDefinition => toolOf({ name: 't', description: 'd', inputSchema });
const customOf = (definition?: string, syntax = 'lark'): ToolDefinition =>
  toolOf({
    type: 'custom',
    name: 't',
    description: 'd',
    ...(definition && { format: { type: 'grammar', syntax, definition } }),
  });

const call = (inputSchema: unknown, args: unknown): Promise<ContractVerdict> =>
  judgeContract({
    tool: functionOf(inputSchema),
    kind: 'function',
    text: typeof args === 'string' ? args : JSON.stringify(args),
  });
const send = (grammar: string | undefined, text: string, syntax?: string): Promise<ContractVerdict> =>
  judgeContract({ tool: customOf(grammar, syntax), kind: 'custom', text });

/** Each finding as `level rule place`. */
const shown = (findings: readonly CallFinding[]): string[] =>
  findings.map(({ level, rule, pointer, offset }) => `${level} ${rule} ${pointer ?? `@${offset}`}`);
const wordsOf = (findings: readonly CallFinding[]): string => findings.map(({ message }) => render(message)).join('\n');
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

describe('arguments', () => {
  test('source and compiled schema both speak', async () => {
    const fine = await call(object({ a: { type: 'string' } }), { a: 'x' });
    expect(fine).toEqual({ verdict: 'accepted', compiled: 'accepted', findings: [] });
    const wrong = await call(object({ a: { type: 'string' } }), { a: 1 });
    expect([wrong.verdict, wrong.compiled, ...shown(wrong.findings)]).toEqual([
      'rejected',
      'rejected',
      'error call/type /a',
    ]);
  });

  test('what the compilation lost is named with its place', async () => {
    const verdict = await call(object({ a: object({ b: { type: 'string', minLength: 3 } }) }), { a: { b: 'x' } });
    expect([verdict.verdict, verdict.compiled]).toEqual(['rejected', 'accepted']);
    expect(shown(verdict.findings)).toEqual(['error call/constraint /a/b', 'warning call/lost-constraint /a/b']);
    expect(wordsOf(verdict.findings)).toContain('"minLength" at /properties/a/properties/b/minLength');
  });

  test('a pass that took it away is named', async () => {
    const arm = (kind: string): object => object({ kind: { const: kind }, note: { type: 'string' } });
    const tool = functionOf(object({ a: { anyOf: [arm('one'), arm('two')] } }));
    const verdict = await judgeContract({
      tool,
      kind: 'function',
      text: '{"a":{"kind":"three"}}',
      profile: codexProfile(DEFAULT_CODEX_PROFILE.id, 100)!,
    });
    expect([verdict.verdict, verdict.compiled]).toEqual(['rejected', 'accepted']);
    expect(wordsOf(verdict.findings)).toContain('over the budget');
  });

  test('nothing is lost where the compiled schema refuses too', async () => {
    const verdict = await call(object({ a: { type: 'string', minLength: 3 }, b: { type: 'integer' } }), {
      a: 'x',
      b: 'y',
    });
    expect(shown(verdict.findings)).toEqual(['error call/constraint /a', 'error call/type /b']);
  });

  test.each<[name: string, schema: object, args: unknown, told: string[]]>([
    ['a boolean schema becomes a string', object({ a: true }), { a: 1 }, ['warning call/type /a']],
    ['deep down', object({ a: { type: 'array', items: true } }), { a: ['x', 2] }, ['warning call/type /a/1']],
    ['an enum of numbers becomes one of a string', object({ a: { enum: [1, 2] } }), { a: 1 }, ['warning call/type /a']],
    ['fine values', object({ a: true }), { a: 'x' }, []],
    [
      'only where the source has nothing against it',
      object({ a: true, b: { type: 'integer' } }),
      { a: 1, b: 'x' },
      ['error call/type /b'],
    ],
  ])('what Codex makes of the schema refuses what the source takes: %s', async (_name, schema, args, told) => {
    const verdict = await call(schema, args);
    expect(shown(verdict.findings)).toEqual(told);
    const accepted = told.some((each) => each.startsWith('error')) ? 'rejected' : 'accepted';
    expect([verdict.verdict, verdict.compiled]).toEqual([accepted, told.length > 0 ? 'rejected' : 'accepted']);
    if (told.length === 0 || accepted === 'rejected') return;
    expect(wordsOf(verdict.findings)).toContain('So says the schema that Codex makes for the model, at /properties/a');
  });

  test('no arguments where what Codex makes of the schema does not take an empty object', async () => {
    const verdict = await call(true, '');
    expect([verdict.verdict, verdict.compiled]).toEqual(['accepted', 'rejected']);
    expect(shown(verdict.findings)).toEqual(['warning call/empty-arguments @0', 'warning call/type @0']);
    expect(wordsOf(verdict.findings)).toContain('So says the schema that Codex makes for the model, at /type,');
  });

  test('a handler that takes what only the source takes coerces nothing', async () => {
    const tool = functionOf(object({ a: true }));
    const request = { tool, kind: 'function', text: '{"a":1}' } as const;
    const contract = await judgeContract(request);
    const outcome: HandlerOutcome = { verdict: 'accepted', value: '{"a":1}', notes: [] };
    expect(await judgeHandler({ ...request, contract, outcome })).toEqual([]);
  });

  test('a place has its line and column', async () => {
    const { findings } = await call(object({ a: { type: 'string' } }), '{\n  "a": 1\n}');
    expect(findings).toMatchObject([{ pointer: '/a', offset: 4, line: 2, column: 3 }]);
  });

  test('a repeated key is told', async () => {
    const verdict = await call(object({ a: { type: 'integer' } }), '{"a": "x", "a": 1}');
    expect([verdict.verdict, ...shown(verdict.findings)]).toEqual(['accepted', 'warning json/duplicate-key /a']);
    expect(verdict.findings[0]!.offset).toBe(11);
  });

  test('arguments that are encoded twice', async () => {
    const schema = object({ a: {} });
    expect(shown((await call(schema, JSON.stringify('{"a":1}'))).findings)).toEqual(['error call/double-encoded ']);
    expect(shown((await call(schema, '"text"')).findings)).toEqual(['error call/type ']);
    expect((await call({ type: 'string' }, JSON.stringify('{"a":1}'))).verdict).toBe('accepted');
  });

  test.each([
    ['', object({}), 'accepted', 'warning call/empty-arguments @0'],
    [' \n', object({ a: {} }), 'accepted', 'warning call/empty-arguments @0'],
    ['', object({ a: {} }, { required: ['a'] }), 'rejected', 'error call/empty-arguments @0'],
    ['', object({}, { minProperties: 1 }), 'rejected', 'error call/empty-arguments @0'],
  ])('no arguments: %j for %j', async (text, schema, verdict, finding) => {
    const judged = await call(schema, text);
    expect([judged.verdict, ...shown(judged.findings)]).toEqual([verdict, finding]);
  });

  test('very many faults are counted', async () => {
    const text = `{"a":[${'"x",'.repeat(200_000)}1]}`;
    const { verdict, findings } = await call(object({ a: { type: 'array', items: { type: 'integer' } } }), text);
    expect([verdict, findings.length]).toEqual(['rejected', 201]);
    expect(render(findings.at(-1)!.message)).toBe('There are 199,800 more faults of this kind or another.');
  });

  test('a tool without a schema takes an object', async () => {
    const tool = toolOf({ type: 'function', name: 't', description: 'd' });
    const judged = async (text: string): Promise<string> =>
      (await judgeContract({ tool, kind: 'function', text })).verdict;
    expect(await judged('{"a":1}')).toBe('accepted');
    expect(await judged('[]')).toBe('rejected');
  });

  test('a schema that Codex refuses has no compiled verdict', async () => {
    const verdict = await call({ type: 'null' }, 'null');
    expect(verdict).toMatchObject({
      verdict: 'accepted',
      findings: [{ rule: 'codex/null-root', level: 'warning', pointer: '' }],
    });
    expect(verdict.compiled).toBeUndefined();
  });

  test('an unresolved reference and a pattern that cannot be used are told', async () => {
    const schema = object({ a: { $ref: '#/$defs/none' }, b: { type: 'string', pattern: '(?=x)' } });
    expect(shown((await call(schema, { a: 1, b: 'y' })).findings)).toEqual([
      'warning call/constraint ',
      'info call/constraint ',
    ]);
  });

  test('never rejects, and pointers lead to values', async () => {
    const schema = object(
      {
        plan: {
          type: 'array',
          items: object(
            { step: { type: 'string' }, status: { enum: ['a', 'b'] } },
            { required: ['step', 'status'], additionalProperties: false },
          ),
        },
      },
      { required: ['plan'] },
    );
    const tool = functionOf(schema);
    const text = '{"plan":[{"step":"x","status":"a"},{"step":1,"status":"c","x":null}],"note":"y"}';
    const mutated = fc
      .tuple(fc.nat(text.length), fc.nat(4), fc.string({ maxLength: 3 }))
      .map(([at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut));
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutated, fc.string(), fc.json()), async (each) => {
        const { findings, verdict } = await judgeContract({ tool, kind: 'function', text: each });
        const { root } = parseJson(each);
        for (const { pointer, offset, level } of findings) {
          if (pointer !== undefined) expect(resolvePointer(root!, pointer)).toBeDefined();
          if (offset !== undefined) expect(offset).toBeLessThanOrEqual(each.length);
          if (level === 'error') expect(verdict).toBe('rejected');
        }
        if (verdict === 'rejected') expect(findings.some(({ level }) => level === 'error')).toBe(true);
      }),
      { seed: 20261130, numRuns: 3_000 },
    );
  });
});

describe('input, by Lark alone', () => {
  const greet = 'start: ("hello" | "help") " " /[a-z]+/\n';

  test('the first character that does not fit, within a token too', async () => {
    expect(await send(greet, 'help me')).toMatchObject({
      verdict: 'accepted',
      provider: 'unavailable',
      lark: 'accepted',
      findings: [],
    });
    const { verdict, findings } = await send(greet, 'helqo you');
    expect(verdict).toBe('rejected');
    expect(findings).toMatchObject([{ rule: 'call/grammar-mismatch', offset: 3, line: 1, column: 4 }]);
    expect(wordsOf(findings)).toBe(
      'The grammar does not allow "q" here. Expected "hello" or "help". The provider\'s engine is not available here, so this is Lark\'s verdict.',
    );
  });

  test('a text that ends too early', async () => {
    const { findings } = await send(greet, 'hello ');
    expect(findings).toMatchObject([{ rule: 'call/grammar-mismatch', offset: 6 }]);
    expect(wordsOf(findings)).toContain('ends too early');
    expect(wordsOf(findings)).toContain('Expected /[a-z]+/.');
  });

  test('lines and columns count from 1', async () => {
    const { findings } = await send('start: ("a" "\\n")+\n', 'a\na\nb\n');
    expect(findings).toMatchObject([{ offset: 4, line: 3, column: 1 }]);
  });

  test('terminals that can match nothing are read as the provider reads them', async () => {
    const grammar = 'start: ("+" /(.*)/ LF)+\n%import common.LF\n';
    expect(await send(grammar, '+a\n+\n')).toMatchObject({ verdict: 'accepted', lark: 'refused' });
    expect((await send(grammar, '+a\n-\n')).findings).toMatchObject([{ rule: 'call/grammar-mismatch', offset: 3 }]);
  });

  test('a grammar that nobody takes', async () => {
    const { verdict, findings } = await send('start: nothing\n', 'x');
    expect([verdict, ...shown(findings)]).toEqual(['rejected', 'error call/grammar-mismatch @0']);
    expect(wordsOf(findings)).toContain('cannot be judged');
  });

  test('expressions', async () => {
    expect(await send('[a-z]+/[0-9]{2}', 'ab/12', 'regex')).toMatchObject({ verdict: 'accepted' });
    expect((await send('[a-z]+/[0-9]{2}', 'ab/1x', 'regex')).findings).toMatchObject([{ offset: 4 }]);
  });

  test('raw text wrapped in JSON', async () => {
    const wrapped = JSON.stringify({ input: 'hello you' });
    expect(shown((await send(undefined, wrapped)).findings)).toEqual(['error call/json-wrapped-freeform @0']);
    expect(shown((await send(greet, wrapped)).findings)).toEqual(['error call/json-wrapped-freeform @0']);
    expect(shown((await send(greet, JSON.stringify('hello you'))).findings)).toEqual([
      'error call/json-wrapped-freeform @0',
    ]);
    expect((await send('start: "{" /[^}]+/ "}"\n', '{"a":"b"}')).findings).toEqual([]);
    expect((await send(undefined, '{"a":"b","c":"d"}')).findings).toEqual([]);
  });

  test('a grammar in a file of its own', async () => {
    const tool = toolOf({
      type: 'custom',
      name: 't',
      description: 'd',
      format: { type: 'grammar', syntax: 'lark', definition: { $file: './g.lark' } },
    });
    const judged = (text: string, grammar?: () => Promise<string | undefined>): Promise<ContractVerdict> =>
      judgeContract({ tool, kind: 'custom', text, grammar });
    expect((await judged('x', async () => 'start: "x"\n')).verdict).toBe('accepted');
    expect((await judged('y', async () => 'start: "x"\n')).verdict).toBe('rejected');
    expect(shown((await judged('x', async () => undefined)).findings)).toEqual(['error grammar/missing-file @0']);
    expect(shown((await judged('x', async () => Promise.reject(new Error('gone')))).findings)).toEqual([
      'error grammar/missing-file @0',
    ]);
  });
});

describe('contract and handler', () => {
  const took = (value?: unknown): HandlerOutcome => ({
    verdict: 'accepted',
    value: value === undefined ? undefined : JSON.stringify(value),
    notes: [],
  });
  const refused = (feedback: string, offset?: number): HandlerOutcome => ({
    verdict: 'rejected',
    feedback,
    notes: [],
    ...(offset !== undefined && { offset }),
  });

  async function drift(tool: ToolDefinition, text: string, outcome: HandlerOutcome): Promise<readonly CallFinding[]> {
    const kind = tool.kind === 'custom' ? 'custom' : 'function';
    const contract = await judgeContract({ tool, kind, text });
    return judgeHandler({ tool, kind, text, contract, outcome });
  }

  test('agreement is silent', async () => {
    const tool = functionOf(object({ a: { type: 'string' } }));
    expect(await drift(tool, '{"a":"x"}', took({ a: 'x' }))).toEqual([]);
    expect(await drift(tool, '{"a":1}', refused('no'))).toEqual([]);
    expect(await drift(tool, '{"a":1}', { verdict: 'crashed', detail: 'gone', notes: [] })).toEqual([]);
  });

  test('the handler rejects what the schema allows: value and place in the schema', async () => {
    const tool = functionOf(object({ steps: { type: 'array', items: object({ n: { type: 'integer' } }) } }));
    const text = '{"steps":[{"n":1},{"n":2}]}';
    const [finding] = await drift(tool, text, refused('too many', text.lastIndexOf('2')));
    expect(finding).toMatchObject({ rule: 'call/parser-rejects', level: 'error', pointer: '/steps/1/n' });
    expect(render(finding!.message)).toBe(
      'The handler refuses what the contract accepts: too many. The schema allows it at /properties/steps/items/properties/n.',
    );
    expect((await drift(tool, text, refused('bad value at line 1 column 12')))[0]).toMatchObject({
      pointer: '/steps/0/n',
    });
    expect((await drift(tool, text, refused('bad')))[0]).toMatchObject({ pointer: '' });
  });

  test('the handler rejects what the grammar allows: the rule', async () => {
    const tool = customOf('start: row+\nrow: key "=" /(.*)/ "\\n"\nkey: /[a-z]+/\n');
    const [finding] = await drift(tool, 'a=1\nb=\n', refused('empty value', 4));
    expect(finding).toMatchObject({ rule: 'call/parser-rejects', offset: 4, line: 2, column: 1 });
    expect(render(finding!.message)).toContain('by the rule key (start → row → key)');
    expect((await drift(tool, 'a=1\nb=\n', refused('line 2: empty')))[0]).toMatchObject({ line: 2, column: 1 });
  });

  test('the handler accepts what the contract refuses', async () => {
    expect(shown(await drift(customOf('start: "a"\n'), 'ab', took()))).toEqual(['warning call/parser-accepts @1']);
    const closed = functionOf(object({ topic: { type: 'string' } }, { additionalProperties: false }));
    expect(shown(await drift(closed, '{"path":"x"}', took({})))).toEqual([
      'warning call/parser-accepts /path',
      'hint handler/drops-unknown /path',
    ]);
    expect(shown(await drift(functionOf(object({ n: { minimum: 3 } })), '{"n":1}', took()))).toEqual([
      'warning call/parser-accepts /n',
    ]);
    expect(shown(await drift(functionOf(object({})), '{"a":1,}', took()))).toEqual(['warning call/parser-accepts @6']);
  });

  test('values of another type', async () => {
    const tool = functionOf(object({ n: { type: 'integer' } }));
    const findings = await drift(tool, '{"n":"3"}', took({ n: 3 }));
    expect(shown(findings)).toEqual(['warning call/parser-accepts /n', 'warning handler/coerces /n']);
    expect(wordsOf(findings)).toContain('makes 3 of "3"');
    expect(wordsOf(await drift(tool, '{"n":"3"}', took()))).toContain('accepts "3", which is of another type');
  });

  test('integers that lose digits', async () => {
    const tool = functionOf(object({ id: { type: 'integer' } }));
    const outcome: HandlerOutcome = { verdict: 'accepted', value: '{"id":9007199254740992}', notes: [] };
    expect(shown(await drift(tool, '{"id":9007199254740993}', outcome))).toEqual(['warning handler/coerces /id']);
    expect(await drift(tool, '{"id":9007199254740993}', { ...outcome, value: '{"id":9007199254740993}' })).toEqual([]);
  });

  test('a grammar that no engine takes decides nothing', async () => {
    expect(await drift(customOf('start: nothing\n'), 'x', took())).toEqual([]);
  });
});

test('the validator is loaded on first use only', () => {
  const early = filesBelow('server/src', /\.ts$/).filter((file) => {
    const validator = /^server\/src\/core\/schema\/validate/.test(file);
    return !validator && /^import (?!type)[^;]*'[^']*\/schema\/validate\w*'/m.test(read(file));
  });
  expect(early).toEqual([]);
});

describe('built-in handlers', () => {
  async function builtin(name: string, tool: ToolDefinition, text: string): Promise<HandlerOutcome | undefined> {
    const kind = tool.kind === 'custom' ? 'custom' : 'function';
    const contract = await judgeContract({ tool, kind, text });
    return runBuiltin(name, { id: '1', tool: 't', namespace: undefined, kind, text }, contract);
  }

  test('json-schema answers with the first fault', async () => {
    const tool = functionOf(object({ a: { type: 'string', minLength: 2 }, b: { type: 'integer' } }));
    expect(await builtin('json-schema', tool, '{"a":"xy"}')).toEqual({
      verdict: 'accepted',
      value: '{"a":"xy"}',
      notes: [],
    });
    expect(await builtin('json-schema', tool, '{"a":"x","b":"y"}')).toMatchObject({
      verdict: 'rejected',
      feedback: '/a: The length of the string is 1; the minimum is 2.',
      offset: 1,
    });
    expect(await builtin('json-schema', tool, '')).toMatchObject({ verdict: 'accepted', value: '{}' });
  });

  test('grammar answers as Lark does', async () => {
    expect(await builtin('grammar', customOf('start: "a" "b"\n'), 'ab')).toMatchObject({
      verdict: 'accepted',
      value: '"ab"',
    });
    expect(await builtin('grammar', customOf('start: "a" "b"\n'), 'ac')).toMatchObject({
      verdict: 'rejected',
      offset: 1,
    });
    const refused = await builtin('grammar', customOf('start: "+" /.*/\n'), '+a');
    expect(refused).toMatchObject({
      verdict: 'crashed',
      detail: expect.stringContaining('Lark does not take the grammar') as string,
    });
    expect(await builtin('grammar', customOf(), 'anything')).toMatchObject({ verdict: 'accepted' });
  });
});

describe('results', () => {
  const outputSchema = object(
    { c: { type: 'number' }, list: { type: 'array', items: { type: 'string' } } },
    { required: ['c'] },
  );
  const tool = toolOf({ name: 't', description: 'd', inputSchema: object({}), outputSchema });
  const judged = async (result: unknown): Promise<string[]> => {
    // As a samples file has it: somewhere within a document.
    const stored = parseJson(JSON.stringify({ calls: [{ result }] }))
      .root!.value('calls')!
      .items[0]!.value('result')!;
    return shown(await judgeResult(tool, stored));
  };

  test.each([
    [{ content: [], structuredContent: { c: 1 } }, []],
    [{ content: [{ type: 'text', text: '{"c":1}' }] }, ['error call/missing-structured-content /result']],
    [{ content: [{ type: 'text', text: 'no' }], isError: true }, []],
    [{ isError: false }, ['error call/missing-structured-content /result']],
    [
      { structuredContent: { c: '1', list: [1] } },
      [
        'error call/output-schema /result/structuredContent/c',
        'error call/output-schema /result/structuredContent/list/0',
      ],
    ],
    [{ structuredContent: {} }, ['error call/output-schema /result/structuredContent']],
    [{ c: 1 }, []],
    [{ c: null }, ['error call/output-schema /result/c']],
    ['text', ['error call/output-schema /result']],
  ])('%j', async (result, findings) => {
    expect(await judged(result)).toEqual(findings);
  });

  test('text that would fit is told', async () => {
    const { root } = parseJson('{"content":[{"type":"text","text":"{\\"c\\":1}"}]}');
    expect(wordsOf(await judgeResult(tool, root!))).toContain('The text holds JSON that fits');
  });

  test('a tool without an output schema has no such duty', async () => {
    expect(await judgeResult(functionOf(object({})), parseJson('{"content":[]}').root!)).toEqual([]);
  });
});
