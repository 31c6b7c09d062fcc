import { afterEach, expect, test } from 'vitest';
import type { ProviderGrammar } from '../../../../server/src/core/grammar/provider';
import type { EngineService } from '../../../../server/src/host/engine/service';
import { startEngine } from '../../../engineFiles';

const lark = (text: string): ProviderGrammar => ({ syntax: 'lark', text });
const LETTERS = lark('start: "a"+');
const LIST = lark('start: list\nlist: "[" (item ("," item)*)? "]"\nitem: list | /[0-9]+/');
/** Ambiguous without bound: work grows with the cube of the text. */
const AMBIGUOUS = lark('start: s\ns: s s s | s s | "a" | ');

let engine: EngineService | undefined;
const start = (...args: Parameters<typeof startEngine>): EngineService => {
  engine = startEngine(...args);
  return engine;
};
afterEach(async () => {
  await engine?.close();
  engine = undefined;
});

const works = async (service: EngineService): Promise<boolean> => {
  const answer = await service.ask({ kind: 'judge', grammar: LETTERS, inputs: ['aa'] }, { milliseconds: 60_000 });
  return answer.end.state === 'done' && answer.inputs[0]?.verdict.accepted === true;
};

test('a panic is told with its words, and the next question is answered by the same worker', async () => {
  const service = start();
  const answer = await service.provokePanic();
  expect(answer.end).toMatchObject({ state: 'crashed', cause: 'panic' });
  expect(answer.end.state === 'crashed' && answer.end.detail).toMatch(/panicked at .*\n/);
  expect(await works(service)).toBe(true);
  expect(service.restarts).toBe(0);
});

test('too little memory is told, and the next question is answered', async () => {
  const service = start({ maximumPages: 160 });
  const input = `[${'1,'.repeat(50_000)}1]`;
  const answer = await service.ask({ kind: 'judge', grammar: LIST, inputs: [input] }, { milliseconds: 60_000 });
  expect(answer.end).toMatchObject({ state: 'crashed', cause: 'memory', detail: 'more than 10 MB' });
  expect(await works(service)).toBe(true);
});

test('a chain of rules deeper than the stack is told, and the next question is answered', async () => {
  const service = start();
  const chain = Array.from({ length: 20_000 }, (_, i) => `r${i}: "x" r${i + 1} | "y"`);
  const grammar = lark(`start: r0\n${chain.join('\n')}\nr20000: "z"`);
  const answer = await service.ask({ kind: 'judge', grammar, inputs: ['xxz'] }, { milliseconds: 120_000 });
  expect(answer.end).toMatchObject({ state: 'crashed', cause: 'stack' });
  expect(await works(service)).toBe(true);
});

test('chains of rules and of terminals as deep as the recorded ones load', async () => {
  const service = start();
  for (const name of ['r', 'T']) {
    const chain = Array.from({ length: 2_000 }, (_, i) => `${name}${i}: "a" ${name}${i + 1}`).join('\n');
    const grammar = lark(`start: ${name}0\n${chain}\n${name}2000: "a"\n`);
    const inputs = ['a'.repeat(2001)];
    const answer = await service.ask({ kind: 'judge', grammar, inputs }, { milliseconds: 120_000 });
    expect([answer.load?.ok, answer.inputs[0]?.verdict.accepted]).toEqual([true, true]);
  }
});

test('brackets nested beyond the limit of the engine are a refusal in its words', async () => {
  const service = start();
  const grammar = lark(`start: ${'('.repeat(100_000)}"a"${')'.repeat(100_000)}`);
  const answer = await service.ask({ kind: 'load', grammar }, { milliseconds: 60_000 });
  expect(answer.end.state).toBe('done');
  expect(answer.load?.ok === false && answer.load.refusal.message).toMatch(/^lark grammar too deeply nested/);
});

test('a runaway grammar costs its worker, and the next question is answered by another', async () => {
  const service = start();
  expect(await works(service)).toBe(true);
  const inputs = ['aa', 'a'.repeat(20_000)];
  const answer = await service.ask({ kind: 'judge', grammar: AMBIGUOUS, inputs }, { milliseconds: 1_500 });
  expect(answer.end).toEqual({ state: 'timed-out', milliseconds: 1_500 });
  expect(answer.load?.ok).toBe(true);
  // What was known before stays.
  expect(answer.inputs[0]?.verdict.accepted).toBe(true);
  expect(answer.inputs[1]).toBeUndefined();
  expect(await works(service)).toBe(true);
  expect(service.restarts).toBe(1);
});

test('nested repeats end in the words of the engine, after what it took', async () => {
  const service = start();
  const grammar = lark('start: ((("a"~0..50)~0..50)~0..50)~0..50\n');
  const inputs = ['a'.repeat(300)];
  const answer = await service.ask({ kind: 'judge', grammar, inputs }, { milliseconds: 60_000 });
  expect(answer.end.state).toBe('done');
  expect(answer.inputs[0]?.verdict).toMatchObject({
    accepted: false,
    error: expect.stringMatching(/row has \d+ items/),
  });
  expect(answer.inputs[0]?.verdict.prefix).toBeLessThan(300);
  expect(await works(service)).toBe(true);
});

test('a mask that never comes back leaves the verdict and what may come next', async () => {
  const service = start();
  const grammar = lark('start: /a+/ "ab"');
  const answer = await service.ask({ kind: 'judge', grammar, inputs: ['aa'], next: true }, { milliseconds: 1_500 });
  expect(answer.end.state).toBe('timed-out');
  expect(answer.inputs[0]).toMatchObject({
    verdict: { accepted: false, prefix: 2 },
    next: { ok: true, value: { characters: [[97, 97]], end: false } },
    generation: undefined,
  });
});

test('a newer question about the same text makes older ones outdated', async () => {
  const service = start();
  const slow = service.ask(
    { kind: 'judge', grammar: AMBIGUOUS, inputs: ['a'.repeat(20_000)] },
    { key: 'file:///a', milliseconds: 600_000 },
  );
  const dropped = service.ask({ kind: 'judge', grammar: LETTERS, inputs: ['b'] }, { key: 'file:///a' });
  const other = service.ask(
    { kind: 'judge', grammar: LETTERS, inputs: ['a'] },
    { key: 'file:///b', milliseconds: 60_000 },
  );
  const last = service.ask(
    { kind: 'judge', grammar: LETTERS, inputs: ['a'] },
    { key: 'file:///a', milliseconds: 60_000 },
  );
  expect((await dropped).end.state).toBe('outdated');
  expect((await slow).end.state).toBe('outdated');
  expect((await other).inputs[0]?.verdict.accepted).toBe(true);
  expect((await last).inputs[0]?.verdict.accepted).toBe(true);
});

test('1,000 grammars are compiled and freed without growth', async () => {
  const service = start();
  const ask = async (index: number): Promise<void> => {
    const words = Array.from({ length: 20 }, (_, i) => `"word${(index * 31 + i * 17) % 1000}"`).join(' | ');
    const grammar = lark(`start: (${words} | /[a-z]{1,${(index % 40) + 2}}/ ";")+\n`);
    const answer = await service.ask({ kind: 'judge', grammar, inputs: ['abc;'] }, { milliseconds: 60_000 });
    expect(answer.inputs[0]?.verdict.prefix).toBeGreaterThan(0);
  };
  for (let index = 0; index < 100; index++) await ask(index);
  const early = service.memoryBytes;
  for (let index = 100; index < 1_000; index++) await ask(index);
  expect(service.memoryBytes).toBeLessThanOrEqual(early + 2 * 1024 * 1024);
});

test('where there is no engine, every question says so', async () => {
  const service = start({ wasm: 'does-not-exist.wasm' });
  const answers = await Promise.all([
    service.ask({ kind: 'load', grammar: LETTERS }),
    service.ask({ kind: 'load', grammar: LETTERS }),
  ]);
  expect(answers.map(({ end }) => end.state)).toEqual(['unavailable', 'unavailable']);
  expect(service.unavailable).toContain('does-not-exist.wasm');
  expect((await service.ask({ kind: 'load', grammar: LETTERS })).end.state).toBe('unavailable');
});

test('a closed engine answers what is under way', async () => {
  const service = start();
  const slow = service.ask({ kind: 'judge', grammar: AMBIGUOUS, inputs: ['a'.repeat(20_000)] });
  await service.close();
  expect((await slow).end.state).toBe('unavailable');
  expect((await service.ask({ kind: 'load', grammar: LETTERS })).end.state).toBe('unavailable');
});
