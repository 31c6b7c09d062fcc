import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CompiledGrammar } from '../../server/src/core/grammar/compiled';
import type { LexerKind } from '../../server/src/core/grammar/load/checkTerminals';
import { type LoadResult, loadGrammar } from '../../server/src/core/grammar/load/load';
import { parseGrammar } from '../../server/src/core/grammar/parse';

interface Row {
  readonly id: string;
  readonly grammar: string;
  readonly files: Record<string, string> | null;
  readonly start: string;
  readonly lexer: LexerKind;
  readonly keep_all_tokens: boolean;
  readonly loadError: { readonly code: string; readonly line: number | null } | null;
}

type Terminal = [string, string, string, string, string | null, number, number, number, string | null];
type Rule = [string, string, string | null, number, string, number | null, string | null, string];

interface Compiled {
  readonly id: string;
  readonly terminals: Terminal[];
  readonly rules: Rule[];
  readonly ignore: string[];
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../vectors/lark/${name}`, import.meta.url), 'utf8')) as T;
}

const rows = read<{ vectors: Row[] }>('vectors.json').vectors;
const compiled = read<{ grammars: Compiled[] }>('compiled.json').grammars;

function load(row: Row, lexer: LexerKind | undefined): LoadResult {
  const files = new Map(Object.entries(row.files ?? {}));
  return loadGrammar(parseGrammar(row.grammar), {
    start: [row.start],
    keepAllTokens: row.keep_all_tokens,
    ...(lexer !== undefined && { lexer }),
    importer: ({ path }) => {
      const text = files.get(path);
      return text === undefined ? undefined : { file: path, text };
    },
  });
}

describe('load errors of Lark 1.3.1', () => {
  it('has all records', () => {
    expect(rows).toHaveLength(1039);
  });

  it.each(rows)('$id', (row) => {
    const result = load(row, row.lexer);
    const first = result.problems[0];
    const wanted = row.loadError;
    // Conflicts are found when the parser is built, of a grammar that could be loaded.
    if (wanted === null || wanted.code.startsWith('lalr.')) {
      expect(result.problems).toEqual([]);
      expect(result.grammar).toBeDefined();
      return;
    }
    if (!wanted.code.startsWith('syntax.')) {
      expect(first?.code).toBe(wanted.code);
      return;
    }
    expect(first?.code).toMatch(/^syntax\./);
    const text = first!.file === undefined ? row.grammar : row.files![first!.file]!;
    if (wanted.line !== null) expect(text.slice(0, first!.at).split('\n')).toHaveLength(wanted.line);
  });
});

function terminalsOf(grammar: CompiledGrammar): Terminal[] {
  return grammar.terminals
    .filter((terminal) => !terminal.declared)
    .map(({ name, pattern, regexp, minWidth, maxWidth, priority }) => [
      name,
      pattern.kind[0]!,
      pattern.value,
      [...pattern.flags].sort().join(''),
      regexp === pattern.value ? null : regexp,
      minWidth,
      maxWidth,
      priority,
      pattern.raw ?? null,
    ]);
}

function rulesOf(grammar: CompiledGrammar): Rule[] {
  return grammar.rules.map(({ origin, expansion, alias, order, options }) => [
    origin,
    expansion.map(({ name, terminal, filterOut }) => `${terminal ? (filterOut ? '-' : '+') : ''}${name}`).join(' '),
    alias ?? null,
    order,
    `${options.keepAllTokens ? '!' : ''}${options.expand1 ? '?' : ''}`,
    options.priority ?? null,
    options.templateSource ?? null,
    options.emptyIndices.map(Number).join(''),
  ]);
}

describe('rules and terminals of Lark 1.3.1', () => {
  const byId = new Map(rows.map((row) => [row.id, row]));

  it.each(compiled)('$id', ({ id, terminals, rules, ignore }) => {
    const { grammar } = load(byId.get(id)!, undefined);
    expect(terminalsOf(grammar!)).toEqual(terminals);
    expect(rulesOf(grammar!)).toEqual(rules);
    expect(grammar!.ignore).toEqual(ignore);
  });
});
