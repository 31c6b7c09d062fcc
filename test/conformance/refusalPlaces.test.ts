import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { checkGrammar } from '../../server/src/core/checkGrammar';
import { parseGrammar } from '../../server/src/core/grammar/parse';
import { askOpinion } from '../../server/src/core/grammar/providerOpinion';
import type { Finding } from '../../server/src/core/text/finding';
import { startEngine } from '../engineFiles';

const service = startEngine();
afterAll(() => service.close());

interface Refused {
  readonly id: string;
  readonly grammar: string;
}

const read = <T>(name: string): T =>
  (JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8')) as { vectors: T }).vectors;

function own(): Refused[] {
  interface Vector {
    readonly id: string;
    readonly grammar?: string;
    readonly grammars?: unknown;
    readonly limit?: string;
    readonly loads: boolean;
  }
  return read<readonly Vector[]>('llguidance/vectors.json').flatMap(({ id, grammar, grammars, limit, loads }) =>
    grammar === undefined || grammars !== undefined || limit !== undefined || loads ? [] : [{ id, grammar }],
  );
}

function larks(): Refused[] {
  const texts = new Map(
    read<readonly { group: string; grammar: string }[]>('lark/vectors.json').map(({ group, grammar }) => [
      group,
      grammar,
    ]),
  );
  return read<readonly { id: string; loads: boolean }[]>('llguidance/lark-vectors-in-llguidance.json').flatMap(
    ({ id, loads }) => (loads ? [] : [{ id, grammar: texts.get(id)! }]),
  );
}

/** Texts with the marked place gone: the range itself, what it is replaced by in a body, and the definition around it. */
function* without(text: string, { span }: Finding): Generator<string> {
  const cut = (start: number, end: number, by = ''): string => text.slice(0, start) + by + text.slice(end);
  yield cut(span.start, span.end);
  yield cut(span.start, span.end, ' "x" ');
  const around = parseGrammar(text).items.find((item) => item.span.start <= span.start && span.end <= item.span.end);
  if (around !== undefined) yield cut(around.span.start, around.span.end);
  // A missing rule is marked where it should be, and what is missing elsewhere comes by being written.
  yield cut(span.start, span.end, '\nstart: "x"\n');
  yield `${text}\nstart: "x"\n`;
}

/** The text without all marked ranges. */
function withoutAll(text: string, findings: readonly Finding[]): string {
  let result = '';
  let at = 0;
  for (const { span } of findings) {
    if (span.start < at) continue;
    result += text.slice(at, span.start);
    at = span.end;
  }
  return result + text.slice(at);
}

/** The engine's message without its place, which moves with every edit. */
const messageOf = async (text: string): Promise<string> => {
  const answer = await service.ask({ kind: 'load', grammar: { syntax: 'lark', text } }, { milliseconds: 60_000 });
  if (answer.load?.ok === true) return 'loads';
  return answer.load?.refusal.message ?? answer.end.state;
};

describe("what is marked is what the engine's refusal is about", () => {
  test.each([
    ['grammars of its own', own()],
    ["grammars of Lark's vectors", larks()],
  ])('%s', { timeout: 300_000 }, async (name, records) => {
    const wrong: string[] = [];
    let byRange = 0;
    for (const { id, grammar } of records) {
      const provider = await askOpinion(service, { syntax: 'lark', text: grammar }, { milliseconds: 60_000 });
      const findings = checkGrammar(grammar, { targets: ['llguidance'], provider }).filter(
        ({ level }) => level === 'error',
      );
      const before = await messageOf(grammar);
      let changed = false;
      for (const finding of findings) {
        let step = 0;
        for (const text of without(grammar, finding)) {
          changed = (await messageOf(text)) !== before;
          if (changed) break;
          step++;
        }
        if (!changed) continue;
        if (step < 2) byRange++;
        break;
      }
      // The same fault in several places keeps its message until all are gone.
      if (!changed) changed = (await messageOf(withoutAll(grammar, findings))) !== before;
      if (!changed) wrong.push(`${id}: ${findings.map(({ rule }) => rule).join(', ')}`);
    }
    console.log(
      `${name}: ${records.length} refused; ${byRange} by the range, ${records.length - byRange - wrong.length} by its definition.`,
    );
    expect(wrong).toEqual([]);
    expect(records.length).toBeGreaterThan(150);
  });
});
