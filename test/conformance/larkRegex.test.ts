import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_WIDTH } from '../../server/src/core/grammar/compiled';
import { Languages, UNKNOWN } from '../../server/src/core/grammar/regex/automaton';
import { parsePythonRegex } from '../../server/src/core/grammar/regex/parsePython';
import { parseRustRegex } from '../../server/src/core/grammar/regex/parseRust';
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

function read<T>(name: string): T[] {
  return (JSON.parse(readFileSync(join(__dirname, '../vectors/lark', name), 'utf8')) as { rows: T[] }).rows;
}

interface PythonRow {
  readonly p: string;
  readonly f: string;
  readonly refused?: boolean;
  readonly w: readonly [number, number];
  /** Text, start, end of the match, whether the whole text matches. */
  readonly t: readonly (readonly [string, number, number | null, boolean])[];
}

describe('expressions by chance in CPython 3.11.7', () => {
  const chance = read<PythonRow>('python-regex.json');

  it('are read or refused as there, with the same widths', () => {
    const ours = chance.map(({ p, f }) => {
      const { tree } = parsePythonRegex(p, f);
      const width = tree && regexWidth(tree);
      return [p, f, width === undefined ? 'refused' : `${width.min}-${width.max}`];
    });
    expect(ours).toEqual(chance.map(({ p, f, refused, w }) => [p, f, refused ? 'refused' : `${w[0]}-${w[1]}`]));
  });

  it('match as there, by the translation and by the automaton', () => {
    let translated = 0;
    let decided = 0;
    for (const { p, f, t = [] } of chance) {
      const { tree } = parsePythonRegex(p, f);
      if (tree === undefined) continue;
      const compiled = compileJs(tree, { sticky: true });
      const languages = new Languages();
      const language = languages.ofTree(tree);
      for (const [text, start, end, whole] of t) {
        if (compiled instanceof RegExp) {
          compiled.lastIndex = [...text].slice(0, start).join('').length;
          const found = compiled.test(text) ? [...text.slice(0, compiled.lastIndex)].length : null;
          expect([p, f, text, start, found]).toEqual([p, f, text, start, end]);
          translated++;
        }
        if (language !== UNKNOWN) {
          expect([p, f, text, languages.matches(language, text)]).toEqual([p, f, text, whole]);
          decided++;
        }
      }
    }
    expect(translated).toBeGreaterThan(2_300);
    expect(decided).toBeGreaterThan(2_000);
  });
});

describe('expressions in llguidance 1.9.1', () => {
  const engine = read<{ p: string; refused?: boolean; t?: [string, boolean][] }>('rust-regex.json');

  it('are read or refused as there', () => {
    const ours = engine.map(({ p }) => [p, parseRustRegex(p).tree === undefined]);
    expect(ours).toEqual(engine.map(({ p, refused = false }) => [p, refused]));
  });

  it('accept the same texts', () => {
    let decided = 0;
    for (const { p, t = [] } of engine) {
      const { tree } = parseRustRegex(p);
      if (tree === undefined) continue;
      const languages = new Languages();
      const language = languages.ofTree(tree);
      if (language === UNKNOWN) continue;
      for (const [text, accepted] of t) {
        expect([p, text, languages.matches(language, text)]).toEqual([p, text, accepted]);
        decided++;
      }
    }
    expect(decided).toBeGreaterThan(2_600);
  });
});
