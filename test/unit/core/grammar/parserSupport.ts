import { expect } from 'vitest';
import type { CompiledGrammar } from '../../../../server/src/core/grammar/compiled';
import {
  createParser,
  type GrammarParser,
  type ParseError,
  type ParserOptions,
} from '../../../../server/src/core/grammar/engine';
import { loadGrammar } from '../../../../server/src/core/grammar/load/load';
import { parseGrammar } from '../../../../server/src/core/grammar/parse';
import type { ParseChild } from '../../../../server/src/core/grammar/tree';

export function compile(text: string): CompiledGrammar {
  const { grammar, problems } = loadGrammar(parseGrammar(text));
  expect(problems).toEqual([]);
  return grammar!;
}

export function parserOf(text: string, options: ParserOptions = {}): GrammarParser {
  const made = createParser(compile(text), options);
  expect(made.problem).toBeUndefined();
  return (made as { parser: GrammarParser }).parser;
}

/** Code of the problem that keeps a parser from being made. */
export function problemOf(text: string, options: ParserOptions = {}): string | undefined {
  return createParser(compile(text), options).problem?.code;
}

/** A tree in one line: `name(child, …)`, tokens as `TYPE:text`, absent parts as `-`. For small trees. */
export function show(child: ParseChild): string {
  if (child === null) return '-';
  if (child.kind === 'token') return `${child.type}:${child.value}`;
  return `${child.name}(${child.children.map(show).join(' ')})`;
}

export function treeOf(text: string, input: string, options: ParserOptions = {}): string {
  const result = parserOf(text, options).parse(input);
  return result.accepted ? show(result.tree) : `refused ${result.error.kind}`;
}

export function errorOf(text: string, input: string, options: ParserOptions = {}): ParseError {
  const result = parserOf(text, options).parse(input);
  expect(result.accepted).toBe(false);
  return (result as { error: ParseError }).error;
}
