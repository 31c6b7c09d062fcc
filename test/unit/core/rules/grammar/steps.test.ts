import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkGrammar, checkGrammarSteps } from '../../../../../server/src/core/checkGrammar';
import { loadGrammar, loadGrammarSteps } from '../../../../../server/src/core/grammar/load/load';
import { GrammarMemory } from '../../../../../server/src/core/grammar/memory';
import { parseGrammar } from '../../../../../server/src/core/grammar/parse';
import type { Finding } from '../../../../../server/src/core/text/finding';
import { render } from '../../../../../server/src/core/text/message';

const ALL = { targets: ['openai', 'llguidance', 'lark'] } as const;

const recorded = (name: string): string[] => {
  const text = readFileSync(new URL(`../../../../vectors/${name}/vectors.json`, import.meta.url), 'utf8');
  const { vectors } = JSON.parse(text) as { vectors: readonly { grammar?: string }[] };
  return [...new Set(vectors.flatMap(({ grammar }) => grammar ?? []))];
};

/** Findings without what is made when it is asked for. */
const told = (findings: readonly Finding[]): string[] =>
  findings.map(({ rule, level, span, message, related, fixes }) => {
    const edits = fixes.flatMap((fix) => fix.edits().map(({ newText }) => newText));
    return JSON.stringify([rule, level, span, render(message), related.map((each) => each.span), edits]);
  });

function last<T>(steps: Generator<void, T, undefined>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

test('a check in steps finds what a check at once finds', () => {
  const texts = [...recorded('lark'), ...recorded('llguidance')].filter((_, i) => i % 12 === 0);
  for (const text of texts) {
    const findings = told(checkGrammar(text, ALL));
    expect(told(last(checkGrammarSteps(text, ALL, parseGrammar(text)))), text).toEqual(findings);
    // The tree of another text does not count.
    expect(told(last(checkGrammarSteps(text, ALL, parseGrammar('start: "x"')))), text).toEqual(findings);
  }
  expect(texts.length).toBeGreaterThan(60);
});

test('checks take turns with one memory, and others that begin meanwhile leave them what they have', () => {
  const texts = ['start: A B\nA: /a+/\nB: "b"', 'start: C+\nC: /a|b/\nD: "d"', 'start: x\nx: y\ny: x'];
  const memory = new GrammarMemory();
  const running = texts.map((text) => ({ text, steps: checkGrammarSteps(text, { ...ALL, memory }) }));
  const found = new Map<string, Finding[]>();
  for (let round = 0; found.size < texts.length; round++) {
    for (const { text, steps } of running) {
      const step = steps.next();
      if (step.done === true) found.set(text, found.get(text) ?? step.value);
    }
    if (round % 10 === 0) checkGrammar(`start: "${round}"`, { ...ALL, memory });
  }
  for (const text of texts) expect(told(found.get(text)!), text).toEqual(told(checkGrammar(text, ALL)));
});

test('what is held stays until the last one lets go', () => {
  const memory = new GrammarMemory();
  const grow = () => {
    const { literals } = memory.languages('rust');
    for (let i = 0; i < 5_000; i++) literals.set(`${i}`, undefined);
    return literals;
  };
  const literals = grow();
  const first = checkGrammarSteps('start: "a"', { ...ALL, memory });
  first.next();
  const release = memory.hold();
  const held = grow();
  expect(held).not.toBe(literals);
  memory.settle();
  expect(memory.languages('rust').literals).toBe(held);
  first.return([]);
  memory.settle();
  expect(memory.languages('rust').literals).toBe(held);
  release();
  release();
  memory.settle();
  expect(memory.languages('rust').literals).not.toBe(held);
});

test('a large grammar is many small steps, whatever it is made of', () => {
  const many = (line: (i: number) => string, between: string): string =>
    Array.from({ length: 1_500 }, (_, i) => line(i)).join(between);
  for (const text of [
    `start: ${many((i) => `"w${i}"`, ' | ')}`,
    `start: ${many((i) => `r${i}`, ' | ')}\n${many((i) => `r${i}: "w${i}" "y"`, '\n')}`,
    `start: ${many((i) => `T${i}`, ' | ')}\n${many((i) => `T${i}: "w${i}"`, '\n')}`,
  ]) {
    const document = parseGrammar(text);
    const steps = loadGrammarSteps(document, { lexer: 'dynamic' });
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count++;
    expect(step.value.grammar).toEqual(loadGrammar(document, { lexer: 'dynamic' }).grammar);
    expect(count).toBeGreaterThan(5);
  }
});

test('a terminal of very many words costs what it is long', () => {
  const words = Array.from({ length: 4_000 }, (_, i) => `"w${i}x"`);
  const found = checkGrammar(`start: T "end"\nT: ${words.join(' | ')} | "w1xw2x"\n`, ALL);
  // It is looked for among the words, and could not follow itself.
  expect(found.filter(({ rule }) => rule === 'grammar/literal-is-concatenation')).toEqual([]);
  const twice = checkGrammar(`start: T+\nT: ${words.join(' | ')} | "w1xw2x"\n`, ALL);
  expect(twice.filter(({ rule }) => rule === 'grammar/literal-is-concatenation')).toHaveLength(1);
});
