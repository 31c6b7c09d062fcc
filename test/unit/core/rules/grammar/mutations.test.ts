import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkGrammar } from '../../../../../server/src/core/checkGrammar';
import { judgeForEngine } from '../../../../../server/src/core/grammar/dialect/engineCheck';
import { render } from '../../../../../server/src/core/text/message';

const { vectors } = JSON.parse(
  readFileSync(new URL('../../../../vectors/llguidance/vectors.json', import.meta.url), 'utf8'),
) as { vectors: readonly { grammar?: string }[] };

const GRAMMARS = vectors.flatMap(({ grammar }) => (grammar === undefined || grammar.length > 600 ? [] : [grammar]));
const BITS = [
  ...[
    '"',
    '/',
    '|',
    '\n',
    '\\',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '~',
    '..',
    '.2',
    ':',
    '::',
    '_',
    '%',
    ' ',
    '?',
    '*',
    '+',
  ],
  ...['->', '!', '#', '//', '&', '=', '@', '<', '>', '-', '0', 'A', 'x', '\t', '\r', 'é', '^', '$', '\\b', '(?', "'"],
  ...[
    '%ignore ',
    '%import ',
    'common.',
    'INT',
    '{2,}',
    '[lazy]',
    '%json {}',
    '\n  | ',
    '\n # c\n |',
    'start',
    '"a"',
    '/a+/',
  ],
];

/** Findings of grammars that load and cannot be used, and one that is an error whatever the tokenizer has. */
const BESIDE = /^grammar\/(?:non-productive|stuck-lexeme|free-text-split|ignored-literal|special-token)$/;

/** Numbers from 0 to below a limit, the same every time (mulberry32). */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) % limit;
  };
}

function mutant(next: (limit: number) => number): string {
  let text = GRAMMARS[next(GRAMMARS.length)]!;
  for (let i = next(3); i >= 0; i--) {
    const at = next(text.length + 1);
    if (next(3) > 0) text = text.slice(0, at) + BITS[next(BITS.length)]! + text.slice(at);
    else text = text.slice(0, at) + text.slice(at + 1 + next(3));
  }
  return text;
}

test('mutated grammars: no rule fails, places and edits fit, and errors are where the engine refuses', () => {
  const next = numbers(11);
  const faults: string[] = [];
  for (let i = 0; i < 1000; i++) {
    const text = mutant(next);
    const say = (what: string): void => {
      faults.push(`${what}: ${JSON.stringify(text)}`);
    };
    for (const { rule, span, message, fixes } of checkGrammar(text, { targets: ['llguidance', 'openai', 'lark'] })) {
      if (rule === 'internal/rule-failed') say(render(message));
      if (span.start < 0 || span.end < span.start || span.end > text.length)
        say(`${rule} at ${span.start}-${span.end}`);
      if (/\{\d+\}/.test(render(message).replace(/`[^`]*`/g, ''))) say(`${rule} lacks an argument`);
      for (const fix of fixes) {
        let end = 0;
        for (const edit of fix.edits()) {
          if (edit.span.start < end || edit.span.end < edit.span.start || edit.span.end > text.length)
            say(`edits of ${rule}`);
          end = edit.span.end;
        }
      }
    }
    const errors = checkGrammar(text, { targets: ['llguidance'] }).filter(({ level }) => level === 'error');
    const { loads, refusals } = judgeForEngine(text);
    const special =
      refusals.some(({ code }) => code === 'special') || errors.some(({ rule }) => rule === 'grammar/special-token');
    if (!special && (errors.filter(({ rule }) => !BESIDE.test(rule)).length === 0) !== loads)
      say(loads ? `wrong ${errors.map(({ rule }) => rule).join()}` : 'missed');
  }
  expect(faults.slice(0, 10)).toEqual([]);
});
