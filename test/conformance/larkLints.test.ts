import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkGrammar } from '../../server/src/core/checkGrammar';
import type { GrammarProblemCode } from '../../server/src/core/grammar/problems';
import { larkId } from '../../server/src/core/rules/grammar/faultsLark';
import { render } from '../../server/src/core/text/message';

interface Vector {
  readonly id: string;
  readonly grammar: string;
  readonly start: unknown;
  readonly parser: string;
  readonly lexer: string;
  readonly files: Readonly<Record<string, string>> | null;
  readonly loadError: { readonly code: string; readonly line: number | null } | null;
}

const { vectors } = JSON.parse(readFileSync(new URL('../vectors/lark/vectors.json', import.meta.url), 'utf8')) as {
  vectors: readonly Vector[];
};

/** Rules that say more than one of Lark's codes does, or say it better. */
const BETTER: Readonly<Record<string, readonly string[]>> = {
  'name.undefined': ['grammar/alias-position'],
  'internal.assertion': ['grammar/alias-position'],
  'start.undefined': ['grammar/empty'],
  'regex.invalid': ['grammar/newline-in-regex'],
  'literal.newline-in-regexp': ['grammar/newline-in-regex'],
};

const SYNTAX = [
  'grammar/engine-extension',
  'grammar/dash-name',
  'grammar/special-token',
  'grammar/unterminated-regex',
  'grammar/gbnf-syntax',
  'grammar/rule-modifiers',
  'grammar/newline-in-regex',
  'grammar/alias-position',
];

/** Records with the set-up that the check assumes: Earley with the dynamic lexer, starting at `start`. */
const records = vectors.filter(({ parser, lexer, start }) => {
  return (
    parser === 'earley' && lexer === 'dynamic' && (start === 'start' || (Array.isArray(start) && start[0] === 'start'))
  );
});

function errors({ grammar, files }: Vector): { rule: string; line: number; text: string }[] {
  const importer = ({ path, from }: { path: string; from: string | undefined }) => {
    const folder = from?.includes('/') ? from.slice(0, from.lastIndexOf('/') + 1) : '';
    const file = [folder + path, path].find((name) => files !== null && Object.hasOwn(files, name));
    return file === undefined ? undefined : { file, text: files![file]! };
  };
  return checkGrammar(grammar, { targets: ['lark'], importer })
    .filter(({ level }) => level === 'error')
    .map(({ rule, span, message }) => ({
      rule,
      line: grammar.slice(0, span.start).split('\n').length,
      text: render(message),
    }));
}

/** Faults that leave the grammar loadable: it accepts nothing, or breaks when it parses. */
const USELESS = new Set(['grammar/non-productive', 'grammar/import-case-change']);

describe('findings for Lark agree with Lark (1.3.1)', () => {
  test('every load error has its finding', () => {
    const missed: string[] = [];
    let count = 0;
    for (const vector of records) {
      const { id, loadError, grammar, files } = vector;
      if (loadError === null) continue;
      count++;
      const found = errors(vector);
      const { code } = loadError;
      const wanted = code.startsWith('syntax.')
        ? (rule: string) =>
            // A fault of an imported file is reported at the import.
            rule.startsWith('grammar/syntax-') || SYNTAX.includes(rule) || (files !== null && rule === 'grammar/import')
        : (rule: string) => rule === larkId(code as GrammarProblemCode) || (BETTER[code]?.includes(rule) ?? false);
      if (!found.some(({ rule }) => wanted(rule)))
        missed.push(
          `${id} ${code} ${JSON.stringify(grammar).slice(0, 150)}: ${found.map(({ rule }) => rule).join(', ')}`,
        );
    }
    console.log(`${count} grammars that Lark refuses: ${missed.length} without the finding`);
    expect(missed).toEqual([]);
  });

  test('no grammar that loads has an error', () => {
    const wrong: string[] = [];
    let count = 0;
    for (const vector of records) {
      if (vector.loadError !== null) continue;
      count++;
      for (const { rule, text } of errors(vector))
        if (!USELESS.has(rule))
          wrong.push(`${vector.id} ${JSON.stringify(vector.grammar).slice(0, 150)}: ${rule} ${text}`);
    }
    console.log(`${count} grammars that Lark loads: ${wrong.length} errors`);
    expect(wrong).toEqual([]);
  });
});
