import { expect } from 'vitest';
import { type Language, Languages, UNKNOWN } from '../../../../../server/src/core/grammar/regex/automaton';
import { parsePythonRegex } from '../../../../../server/src/core/grammar/regex/parsePython';
import { parseRustRegex } from '../../../../../server/src/core/grammar/regex/parseRust';
import { compileJs } from '../../../../../server/src/core/grammar/regex/toJs';
import type { RegexResult, RegexTree } from '../../../../../server/src/core/grammar/regex/tree';

/** A text without its `⟦…⟧`, and where that stood. */
export function unmark(marked: string): { text: string; start: number; end: number } {
  const start = marked.indexOf('⟦');
  const end = marked.indexOf('⟧') - 1;
  return { text: marked.replace(/[⟦⟧]/g, ''), start, end };
}

export function python(source: string, flags = ''): RegexTree {
  const { tree, problem } = parsePythonRegex(source, flags);
  expect(problem).toBeUndefined();
  return tree!;
}

export function rust(source: string, flags = ''): RegexTree {
  const { tree, problem } = parseRustRegex(source, flags);
  expect(problem).toBeUndefined();
  return tree!;
}

/** That the marked part of an expression is refused for the given reason. */
export function expectRefused(parse: (source: string) => RegexResult, marked: string, code: string): void {
  const { text, start, end } = unmark(marked);
  const { problem } = parse(text);
  expect({ code: problem?.code, ...problem?.span }).toEqual({ code, start, end });
}

/** End of the match at an offset by the translated expression; `undefined` for none. */
export function matchEnd(tree: RegexTree, text: string, from = 0): number | undefined {
  const regexp = compileJs(tree, { sticky: true });
  if (!(regexp instanceof RegExp)) throw new Error(regexp.code);
  regexp.lastIndex = from;
  return regexp.test(text) ? regexp.lastIndex : undefined;
}

/** Whether a whole text is matched by the translated expression. */
export function matchesWhole(tree: RegexTree, text: string): boolean {
  const regexp = compileJs(tree);
  if (!(regexp instanceof RegExp)) throw new Error(regexp.code);
  return new RegExp(`^(?:${regexp.source})$`, regexp.flags).test(text);
}

export function known<T>(answer: T | typeof UNKNOWN): T {
  if (answer === UNKNOWN) throw new Error('unknown');
  return answer as T;
}

export function language(languages: Languages, source: string): Language {
  return known(languages.ofTree(python(source)));
}

/** Two languages that one can ask about together. */
export function pair(a: string, b: string): { languages: Languages; a: Language; b: Language } {
  const languages = new Languages();
  return { languages, a: language(languages, a), b: language(languages, b) };
}
