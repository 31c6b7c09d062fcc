import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { ProviderGrammar, ProviderMatcher } from '../../server/src/core/grammar/provider';
import { utf8Bytes, utf8Text } from '../../server/src/core/grammar/providerText';
import { compileEngine, WasmEngine } from '../../server/src/host/engine/wasm';
import { ENGINE_FILES, startEngine } from '../engineFiles';

const module = await compileEngine(readFileSync(ENGINE_FILES.wasm));
/** The engine as the product runs it. */
const service = startEngine();
afterAll(() => service.close());

interface Input {
  readonly text?: string;
  readonly bytes?: string;
  readonly repeat?: readonly (readonly [string, number])[];
  readonly accepted: boolean;
  readonly prefix: number;
  readonly next: readonly (readonly [number, number])[];
  /** Only where the engine's mask differs from `next`. */
  readonly mask?: readonly (readonly [number, number])[];
  readonly acceptingAtPrefix?: boolean;
  readonly forced?: string;
  readonly forcedLength?: number;
  readonly forcedBytes?: string;
  readonly maskError?: string;
  readonly engineError?: string;
}

interface Vector {
  readonly id: string;
  readonly grammar?: string;
  readonly grammarRecipe?: Recipe;
  readonly grammars?: unknown;
  readonly limit?: string;
  readonly maskLimit?: string;
  readonly loads: boolean;
  readonly error: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly regexError?: string;
  readonly warnings: readonly string[];
  readonly inputs: readonly Input[];
}

interface Recipe {
  readonly head: string;
  readonly each: string;
  readonly sep: string;
  readonly count: number;
  readonly tail: string;
}

const { vectors } = JSON.parse(
  readFileSync(new URL('../vectors/llguidance/vectors.json', import.meta.url), 'utf8'),
) as { vectors: readonly Vector[] };

/** Without those that feed tokens: the recorded engine had five that are no bytes, this one has none. */
const records = vectors.filter(
  ({ grammar, grammarRecipe, grammars, limit, inputs }) =>
    (grammar !== undefined || grammarRecipe !== undefined) &&
    grammars === undefined &&
    limit === undefined &&
    inputs.every((input) => !('tokens' in input)),
);

function grammarOf({ grammar, grammarRecipe }: Vector): ProviderGrammar {
  if (grammarRecipe === undefined) return { syntax: 'lark', text: grammar! };
  const { head, each, sep, count, tail } = grammarRecipe;
  const parts = Array.from({ length: count }, (_, i) => each.replaceAll('{i}', `${i}`).replaceAll('{j}', `${i + 1}`));
  return { syntax: 'lark', text: head + parts.join(sep) + tail };
}

function bytesOf({ text, bytes, repeat }: Input): Uint8Array {
  if (bytes !== undefined) return Uint8Array.from(Buffer.from(bytes, 'base64'));
  return utf8Bytes(text ?? repeat!.map(([part, times]) => part.repeat(times)).join(''));
}

/** One engine for all, as in the product; a new one after it broke. */
let engine = new WasmEngine(module, 2048);
function live(): WasmEngine {
  if (engine.dead) engine = new WasmEngine(module, 2048);
  return engine;
}

describe('llguidance 1.9.1, record by record', () => {
  test('these are the records', () => {
    expect(records.length).toBeGreaterThanOrEqual(634);
  });

  test.each(records.map((vector) => [vector.id, vector] as const))('%s', async (_id, vector) => {
    const text = vector.inputs.filter((input) => input.bytes === undefined);
    const inputs = text.map((input) => utf8Text(bytesOf(input)));
    const job = { kind: 'judge', grammar: grammarOf(vector), inputs } as const;
    const answer = await service.ask(job, { milliseconds: 100_000 });
    if (vector.id === 'limits/symbols-too-many') {
      // The recorded engine ran out of numbers for symbols; this one runs out of memory before.
      expect(answer.end).toMatchObject({ state: 'crashed', cause: 'memory' });
      return;
    }
    expect(answer.end).toEqual({ state: 'done' });
    expect(answer.load?.ok).toBe(vector.loads);
    if (answer.load?.ok === false) {
      const { firstLine, place, text: whole } = answer.load.refusal;
      // Those about $ref come from another reader of schemas there; long ones were cut when they were recorded.
      const cut = vector.error!.startsWith('at 1(8): failed to compile JSON schema: ')
        ? 'at 1(8): failed to compile JSON schema: '
        : vector.error!.replace(/ \.\.\.$/, '');
      expect(firstLine.slice(0, cut.length)).toBe(cut);
      if (cut === vector.error && cut.length < 300) expect(firstLine).toBe(cut);
      expect(place).toEqual(vector.line === null ? undefined : { line: vector.line, byteColumn: vector.column });
      if (vector.regexError !== undefined) expect(whole).toContain(vector.regexError);
      return;
    }
    expect(answer.load?.warnings).toEqual(vector.warnings);
    expect(answer.inputs.map((judged) => [judged?.verdict.accepted, judged?.verdict.prefix])).toEqual(
      text.map(({ accepted, prefix }) => [accepted, prefix]),
    );
    for (const [index, input] of text.entries()) {
      const { mayEnd, error } = answer.inputs[index]!.verdict;
      if (!input.accepted) expect(mayEnd).toBe(input.acceptingAtPrefix ?? false);
      expect(error === undefined).toBe(input.engineError === undefined);
    }
  });
});

describe('what may come next, record by record', () => {
  // Masks that never come back, and chains for which this thread has too little stack, are not asked for here.
  const finite = records.filter(
    ({ id, loads, maskLimit }) => loads && maskLimit === undefined && !/-chain-2000$/.test(id),
  );

  test.each(finite.map((vector) => [vector.id, vector] as const))('%s', (_id, vector) => {
    const compiled = live().compile(grammarOf(vector));
    if (!compiled.ok) throw new Error(compiled.error);
    const matcher = compiled.value;
    for (const input of vector.inputs) compareNext(matcher, input);
    matcher.free();
  });

  function compareNext(matcher: ProviderMatcher, input: Input): void {
    matcher.reset();
    const consumed = matcher.consume(bytesOf(input));
    if (!consumed.ok) throw new Error(consumed.error);
    expect(consumed.value.taken).toBe(input.prefix);
    if (input.engineError !== undefined) return;
    const tried = matcher.triedNext();
    const bytes = input.next.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
    expect(tried).toMatchObject({ ok: true, value: { bytes } });
    const mask = matcher.allowedNext();
    if (input.maskError !== undefined) {
      expect(mask.ok).toBe(false);
      return;
    }
    const masked = input.mask ?? input.next;
    expect(mask).toMatchObject({
      ok: true,
      value: {
        bytes: masked.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i)),
      },
    });
    const forced = matcher.forced();
    if (!forced.ok) throw new Error(forced.error);
    if (input.forcedBytes !== undefined) {
      expect(Buffer.from(forced.value).toString('base64')).toBe(input.forcedBytes);
    } else {
      expect(utf8Text(forced.value).slice(0, 80)).toBe(input.forced ?? '');
      if (input.forcedLength !== undefined) expect(forced.value.length).toBe(input.forcedLength);
    }
  }
});

describe("grammars of Lark's records, as llguidance judges them", () => {
  interface LarkRecord {
    readonly group: string;
    readonly grammar: string;
    readonly inputs: readonly { readonly text: string }[];
  }
  interface Judged {
    readonly id: string;
    readonly loads: boolean;
    readonly accepted: readonly boolean[];
    readonly prefix: readonly number[];
  }
  const read = <T>(name: string): T =>
    (JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8')) as { vectors: T }).vectors;
  const groups = new Map<string, LarkRecord>();
  for (const record of read<readonly LarkRecord[]>('lark/vectors.json')) {
    // The texts of a group are the same in all of its records; those that did not load have none.
    const known = groups.get(record.group);
    if (known === undefined || record.inputs.length > known.inputs.length) groups.set(record.group, record);
  }
  const judged = read<readonly Judged[]>('llguidance/lark-vectors-in-llguidance.json');

  test.each(judged.map((record) => [record.id, record] as const))('%s', async (id, { loads, accepted, prefix }) => {
    const { grammar, inputs } = groups.get(id)!;
    const texts = inputs.map(({ text }) => text).slice(0, accepted.length);
    const job = { kind: 'judge', grammar: { syntax: 'lark', text: grammar }, inputs: texts } as const;
    const answer = await service.ask(job, { milliseconds: 100_000 });
    expect(answer.load?.ok).toBe(loads);
    if (loads) {
      expect(answer.inputs.map((each) => each?.verdict.accepted)).toEqual(accepted);
      expect(answer.inputs.map((each) => each?.verdict.prefix)).toEqual(prefix);
    }
  });
});
