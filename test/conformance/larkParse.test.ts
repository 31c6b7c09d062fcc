import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { grammarParseLine } from '../../server/src/core/grammar/jsonl';

interface Failure {
  readonly kind: string;
  readonly line?: number | null;
  readonly message?: string;
}

interface Row {
  readonly id: string;
  readonly grammar: string;
  readonly loadError: { readonly code: string; readonly line: number | null } | null;
  readonly inputs: readonly {
    readonly text: string;
    readonly accepted: boolean;
    readonly tree: unknown;
    readonly error: Failure | null;
  }[];
}

const OPTIONS = [
  'start',
  'parser',
  'lexer',
  'ambiguity',
  'priority',
  'maybe_placeholders',
  'keep_all_tokens',
  'files',
  'strict',
] as const;

interface Answer {
  readonly id: string;
  readonly loadError: { readonly code: string; readonly line: number | null; readonly message: string } | null;
  readonly results: readonly { accepted: boolean; tree?: unknown; error?: Failure }[];
}

const vectors = new URL('../vectors/lark/vectors.json', import.meta.url);
const rows = (JSON.parse(readFileSync(vectors, 'utf8')) as { vectors: (Row & Record<string, unknown>)[] }).vectors;

function ask(row: Row & Record<string, unknown>): Answer {
  const options: Record<string, unknown> = {};
  for (const name of OPTIONS) if (row[name] !== undefined) options[name] = row[name];
  const inputs = row.inputs.map(({ text }) => text);
  return JSON.parse(grammarParseLine(JSON.stringify({ id: row.id, grammar: row.grammar, options, inputs }))) as Answer;
}

describe('grammar parse --jsonl gives what Lark 1.3.1 gives', () => {
  it('has all records', () => {
    expect(rows).toHaveLength(1039);
  });

  it.each(rows)('$id', (row) => {
    const answer = ask(row);
    expect(answer.id).toBe(row.id);
    if (row.loadError !== null) {
      const { code, line } = row.loadError;
      if (!code.startsWith('syntax.')) expect(answer.loadError?.code).toBe(code);
      else expect(answer.loadError?.code).toMatch(/^syntax\./);
      if (line !== null) expect(answer.loadError?.line).toBe(line);
      expect(answer.loadError?.message).not.toBe('');
      return;
    }
    expect(answer.loadError).toBeNull();
    const wanted = row.inputs.map(({ accepted, tree, error }) => {
      if (accepted) return { accepted, tree };
      // Failures outside Lark's own error classes have no place, and Python's wording is its own.
      const places = { line: null, column: null, pos: null, expected: [], message: expect.any(String) };
      return { accepted, error: error!.message === undefined ? error : { kind: error!.kind, ...places } };
    });
    expect(answer.results).toEqual(wanted);
  });
});
