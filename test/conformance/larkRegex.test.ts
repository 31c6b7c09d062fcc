import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_WIDTH } from '../../server/src/core/grammar/compiled';
import { parsePythonRegex } from '../../server/src/core/grammar/regex/parsePython';
import { compileJs } from '../../server/src/core/grammar/regex/toJs';
import { regexWidth } from '../../server/src/core/grammar/regex/width';

interface Row {
  readonly group: string;
  readonly lark: string;
  /** What Lark gives to Python's `re`; missing where Lark does not get that far. */
  readonly regexp: string | null;
  readonly compiles: boolean;
  readonly minWidth: number | null;
  readonly maxWidth: number | null;
  /** Positions in code points. */
  readonly tests?: readonly { readonly text: string; readonly from?: number; readonly end: number | null }[];
}

const file = join(__dirname, '../vectors/lark/regex-vectors.json');
const rows = (JSON.parse(readFileSync(file, 'utf8')) as { rows: Row[] }).rows;
const readable = rows.filter((row): row is Row & { regexp: string } => typeof row.regexp === 'string');

describe('expressions of Lark’s terminals', () => {
  it.each(readable)('$group $lark: is read or refused as by Python', ({ regexp, compiles }) => {
    expect(parsePythonRegex(regexp).tree !== undefined).toBe(compiles);
  });

  it.each(readable.filter((row) => row.compiles))('$group $lark: has the same widths', (row) => {
    const { min, max } = regexWidth(parsePythonRegex(row.regexp).tree!);
    expect([min, max]).toEqual([row.minWidth, Math.min(row.maxWidth!, MAX_WIDTH)]);
  });

  const matches = readable.flatMap(({ group, regexp, tests }) =>
    (tests ?? []).map((test) => ({ group, regexp, ...test })),
  );
  it.each(matches)('$group $regexp on $text: ends where Python ends', ({ regexp, text, from = 0, end }) => {
    const compiled = compileJs(parsePythonRegex(regexp).tree!, { sticky: true }) as RegExp;
    compiled.lastIndex = [...text].slice(0, from).join('').length;
    const match = compiled.exec(text);
    expect(match === null ? null : [...text.slice(0, compiled.lastIndex)].length).toBe(end);
  });

  it('has all recorded tests', () => {
    expect(matches).toHaveLength(432);
  });
});
