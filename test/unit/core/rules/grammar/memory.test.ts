import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkGrammar, type GrammarCheckOptions } from '../../../../../server/src/core/checkGrammar';
import { libraryText } from '../../../../../server/src/core/grammar/libraries';
import { GrammarMemory } from '../../../../../server/src/core/grammar/memory';
import { render } from '../../../../../server/src/core/text/message';

const { vectors } = JSON.parse(
  readFileSync(new URL('../../../../vectors/lark/vectors.json', import.meta.url), 'utf8'),
) as { vectors: readonly { readonly grammar: string }[] };

const OPTIONS: GrammarCheckOptions = { targets: ['openai', 'llguidance', 'lark'] };

/** Findings as text, with places. */
function findings(text: string, memory?: GrammarMemory): string[] {
  return checkGrammar(text, { ...OPTIONS, memory }).map(
    ({ rule, level, span, message, related, fixes }) =>
      `${rule} ${level} ${span.start}-${span.end} ${render(message)} ${related.map(({ span: at }) => at.start)} ${fixes.flatMap((fix) => fix.edits().map(({ newText }) => newText))}`,
  );
}

/** Versions of a text as if it were typed at several places, one character after the other, and taken back. */
function* typed(text: string): Generator<string> {
  const places = [...text.matchAll(/"[a-z]+|\b[a-z_]+:|\n\s*\|/g)].map((match) => match.index + match[0].length);
  for (let i = 0; i < 12; i++) {
    const place = places[(i * 29) % places.length] ?? 0;
    for (const more of ['x', ' x', ' "q"']) yield text.slice(0, place) + more + text.slice(place);
    yield text;
  }
}

describe('a memory of checks of grammars', () => {
  it('changes no finding while a grammar is edited', () => {
    const memory = new GrammarMemory();
    const python = `${libraryText('python.lark')}\nstart: file_input\n`;
    for (const text of typed(python)) expect(findings(text, memory)).toEqual(findings(text));
  });

  it('changes no finding where many grammars share it', () => {
    const memory = new GrammarMemory();
    const grammars = [...new Set(vectors.map(({ grammar }) => grammar))];
    expect(grammars.length).toBeGreaterThan(400);
    for (const text of grammars) expect(findings(text, memory)).toEqual(findings(text));
  });

  it('keeps tables only for grammars with equal rules', () => {
    const memory = new GrammarMemory();
    const conflict = 'start: x "b" | y "b"\nx: "a"\ny: "a"\n';
    const without = 'start: x "b" | y "c"\nx: "a"\ny: "a"\n';
    const ids = (text: string): string[] => checkGrammar(text, { ...OPTIONS, memory }).map(({ rule }) => rule);
    expect(ids(conflict)).toContain('grammar/lalr-reduce-reduce');
    expect(ids(without)).not.toContain('grammar/lalr-reduce-reduce');
    const renamed = checkGrammar(conflict.replaceAll('x', 'left'), { ...OPTIONS, memory });
    const found = renamed.find(({ rule }) => rule === 'grammar/lalr-reduce-reduce');
    expect(found && render(found.message)).toContain('`left`');
  });

  it('does not grow without end', () => {
    const memory = new GrammarMemory();
    const { of } = memory.languages('rust');
    for (let i = 0; i < 60; i++) {
      const words = Array.from({ length: 200 }, (_, n) => `"word ${i * 7919} in ${n * 104729} of a longer list"`).join(
        ' | ',
      );
      checkGrammar(`start: WORD\nWORD: ${words} | /[a-z]+/\n`, { ...OPTIONS, memory });
    }
    expect(memory.languages('rust').of).not.toBe(of);
    expect(memory.languages('rust').of.size).toBeLessThan(200_000);
  });
});
