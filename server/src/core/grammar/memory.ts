import { PYTHON_REGEX } from './load/pythonRegex';
import type { ReadRegex, RefusedRegex, RegexModel } from './load/regexModel';
import { buildLalr, type LalrTable } from './parser/lalr';
import type { NumberedGrammar } from './parser/symbols';
import { type Language, Languages } from './regex/automaton';
import { parsePythonRegex } from './regex/parsePython';
import { parseRustRegex } from './regex/parseRust';
import type { RegexResult } from './regex/tree';

/** Work on one question about terminals, in steps of automata. */
const STEPS = 6_000;
const STATES = 600;

/** Beyond this many entries something starts anew. */
const MOST_READ = 4_000;
const MOST_TERMS = 150_000;
const MOST_TABLES = 3;

/** Languages of terminals in one dialect, with those of literals by what is written. */
export interface SharedLanguages {
  readonly of: Languages;
  readonly literals: Map<string, Language | undefined>;
}

/**
 * What checks of grammars can take over from one another: expressions that were read, automata, tables. An edit changes
 * one terminal or one rule, so most of it stays. It holds no more than its bounds allow.
 */
export class GrammarMemory {
  readonly #read = new Map<string, RegexResult>();
  readonly #widths = new Map<string, ReadRegex | RefusedRegex>();
  readonly #languages = new Map<'rust' | 'python', SharedLanguages>();
  readonly #tables: LalrTable[] = [];

  /** To be called between two checks: makes room. Within a check all automata must belong together. */
  settle(): void {
    for (const [dialect, { of, literals }] of this.#languages) {
      if (of.size > MOST_TERMS || literals.size > MOST_READ) this.#languages.delete(dialect);
    }
  }

  /** Automata of a dialect. */
  languages(dialect: 'rust' | 'python'): SharedLanguages {
    let known = this.#languages.get(dialect);
    if (known === undefined) {
      known = { of: new Languages({ steps: STEPS, states: STATES }), literals: new Map() };
      this.#languages.set(dialect, known);
    }
    return known;
  }

  /** An expression, read in a dialect. Trees are never changed, so that they can be shared. */
  regex(dialect: 'rust' | 'python', source: string, flags: ReadonlySet<string> = new Set()): RegexResult {
    const key = `${dialect}/${[...flags].join('')}/${source}`;
    return remembered(this.#read, key, () =>
      dialect === 'rust' ? parseRustRegex(source, flags) : parsePythonRegex(source, flags),
    );
  }

  /** Widths, for loading. */
  readonly model: RegexModel = {
    width: (regexp) => remembered(this.#widths, regexp, () => PYTHON_REGEX.width(regexp)),
  };

  /**
   * Tables for a grammar: those of an earlier one with equal rules but for names, where there is one.
   * @throws TooComplex as `buildLalr` does
   */
  lalr(grammar: NumberedGrammar, start: number): LalrTable {
    const at = this.#tables.findIndex((table) => table.roots[0] === start && sameRules(table.grammar, grammar));
    const table = at < 0 ? buildLalr(grammar, [start]) : { ...this.#tables.splice(at, 1)[0]!, grammar };
    this.#tables.unshift(table);
    this.#tables.length = Math.min(this.#tables.length, MOST_TABLES);
    return table;
  }
}

function remembered<T>(map: Map<string, T>, key: string, make: () => T): T {
  let known = map.get(key);
  if (known === undefined) {
    known = make();
    if (map.size >= MOST_READ) map.clear();
    map.set(key, known);
  }
  return known;
}

/** Whether two grammars differ in nothing that tables depend on. */
function sameRules(a: NumberedGrammar, b: NumberedGrammar): boolean {
  return (
    a.terminalCount === b.terminalCount &&
    a.nonterminalNames.length === b.nonterminalNames.length &&
    a.right.length === b.right.length &&
    sameNumbers(a.left, b.left) &&
    sameNumbers(a.rulePriority, b.rulePriority) &&
    a.right.every((symbols, rule) => sameNumbers(symbols, b.right[rule]!))
  );
}

function sameNumbers(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
