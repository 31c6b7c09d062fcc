import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkGrammar } from '../../server/src/core/checkGrammar';
import type { Finding } from '../../server/src/core/text/finding';
import { render } from '../../server/src/core/text/message';

interface EngineRecord {
  readonly id: string;
  readonly grammar: string;
  readonly loads: boolean;
  readonly error: string | null;
  /** Some input is accepted, and the mask came back every time. */
  readonly works: boolean;
}

const read = <T>(path: string): T =>
  JSON.parse(readFileSync(new URL(`../vectors/${path}`, import.meta.url), 'utf8')) as T;

/** Exceptions, each with its reason. */
const skipped = new Map(Object.entries(read<Record<string, string>>('llguidance/skip.json')));

/** Faults of grammars that load and cannot be used: right where no input is accepted or the engine does not come back. */
const USELESS = new Set([
  'grammar/non-productive',
  'grammar/stuck-lexeme',
  'grammar/free-text-split',
  'grammar/ignored-literal',
]);

function engineRecords(): EngineRecord[] {
  interface Vector {
    readonly id: string;
    readonly grammar?: string;
    readonly grammars?: unknown;
    readonly limit?: string;
    readonly loads: boolean;
    readonly error: string | null;
    readonly inputs?: readonly { readonly accepted?: boolean }[];
  }
  const { vectors } = read<{ vectors: readonly (Vector & { readonly maskLimit?: unknown })[] }>(
    'llguidance/vectors.json',
  );
  return vectors.flatMap((vector) => {
    const { id, grammar, loads, error, inputs = [] } = vector;
    if (grammar === undefined || vector.grammars !== undefined || vector.limit !== undefined) return [];
    const works = vector.maskLimit === undefined && inputs.some((input) => input.accepted === true);
    return [{ id, grammar, loads, error, works }];
  });
}

function larkRecords(): EngineRecord[] {
  interface Vector {
    readonly id: string;
    readonly loads: boolean;
    readonly error: string | null;
    readonly accepted: readonly boolean[];
  }
  const { vectors } = read<{ vectors: readonly Vector[] }>('llguidance/lark-vectors-in-llguidance.json');
  const texts = new Map<string, string>();
  for (const { group, grammar } of read<{ vectors: readonly { group: string; grammar: string }[] }>('lark/vectors.json')
    .vectors)
    texts.set(group, grammar);
  return vectors.map(({ id, loads, error, accepted }) => {
    return { id, grammar: texts.get(id)!, loads, error, works: accepted.includes(true) };
  });
}

function errors(grammar: string): Finding[] {
  return checkGrammar(grammar, { targets: ['llguidance'] }).filter(({ level }) => level === 'error');
}

/** What the findings and the engine disagree about. */
function compare(records: readonly EngineRecord[]): { missed: string[]; wrong: string[] } {
  const missed: string[] = [];
  const wrong: string[] = [];
  for (const { id, grammar, loads, error, works } of records) {
    if (skipped.has(id)) continue;
    const found = errors(grammar);
    if (!loads) {
      if (found.length === 0) missed.push(`${id}: ${error}`);
      continue;
    }
    const bad = found.filter(({ rule }) => works || !USELESS.has(rule));
    wrong.push(...bad.map(({ rule, span, message }) => `${id}: ${rule} at ${span.start}: ${render(message)}`));
  }
  return { missed, wrong };
}

describe('findings for llguidance agree with the engine (1.9.1)', () => {
  for (const [name, records, count] of [
    ['grammars of its own', engineRecords(), 653],
    ["grammars of Lark's vectors", larkRecords(), 511],
  ] as const) {
    test(name, () => {
      const { missed, wrong } = compare(records);
      console.log(
        `${name}: ${records.length} grammars, ${records.filter(({ loads }) => !loads).length} refused; ` +
          `missed ${missed.length}, false ${wrong.length}, skipped ${records.filter(({ id }) => skipped.has(id)).length}`,
      );
      expect({ missed, wrong }).toEqual({ missed: [], wrong: [] });
      expect(records.length).toBe(count);
    });
  }

  test('every exception has a reason and names a record', () => {
    const ids = new Set([...engineRecords(), ...larkRecords()].map(({ id }) => id));
    for (const [id, reason] of skipped) {
      expect(ids).toContain(id);
      expect(reason).toMatch(/\S \S/);
    }
  });
});
