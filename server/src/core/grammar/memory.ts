import type { CompiledGrammar } from './compiled';
import { PYTHON_REGEX } from './load/pythonRegex';
import type { ReadRegex, RefusedRegex, RegexModel } from './load/regexModel';
import { type ConflictExample, ConflictExamples } from './parser/conflictExample';
import { findConflicts } from './parser/lalr';
import type { LalrConflict } from './parser/lalrTable';
import { type NumberedGrammar, numberGrammar } from './parser/symbols';
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

/** Conflicts of a grammar under LALR(1), which depend on its rules but for names, and so do their examples. */
export interface ExplainedConflicts {
  readonly grammar: NumberedGrammar;
  readonly conflicts: readonly LalrConflict[];
  /** Made when it is asked for; `undefined` where no text leads to the conflict. */
  exampleOf(conflict: LalrConflict): ConflictExample | undefined;
}

/**
 * What checks of grammars can take over from one another: expressions that were read, automata, conflicts. An edit changes
 * one terminal or one rule, so most of it stays. It holds no more than its bounds allow.
 */
export class GrammarMemory {
  readonly #read = new Map<string, RegexResult>();
  readonly #widths = new Map<string, ReadRegex | RefusedRegex>();
  readonly #languages = new Map<'rust' | 'python', SharedLanguages>();
  readonly #conflicts: (ExplainedConflicts & { readonly root: number })[] = [];

  #held = 0;

  /** To be called between two checks: makes room. Within a check all automata must belong together. */
  settle(): void {
    if (this.#held > 0) return;
    for (const [dialect, { of, literals }] of this.#languages) {
      if (of.size > MOST_TERMS || literals.size > MOST_READ) this.#languages.delete(dialect);
    }
  }

  /** A check goes on for several turns: what it has begun to use stays until it calls the function that this gives. */
  hold(): () => void {
    this.#held++;
    let held = true;
    return () => {
      if (held) this.#held--;
      held = false;
    };
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
   * Conflicts of a grammar: those of an earlier one with equal rules but for names, where there is one. `undefined`
   * without the start rule.
   * @throws TooComplex as `buildLalr` does
   */
  conflicts(compiled: CompiledGrammar, start: string): ExplainedConflicts | undefined {
    const grammar = numberGrammar(inOrderOfUse(compiled));
    const root = grammar.nonterminalIds.get(start);
    if (root === undefined) return undefined;
    const at = this.#conflicts.findIndex((known) => known.root === root && sameRules(known.grammar, grammar));
    const known = at < 0 ? { root, ...explained(grammar, root) } : { ...this.#conflicts.splice(at, 1)[0]!, grammar };
    this.#conflicts.unshift(known);
    this.#conflicts.length = Math.min(this.#conflicts.length, MOST_TABLES);
    return known;
  }
}

function explained(grammar: NumberedGrammar, root: number): ExplainedConflicts {
  const found = findConflicts(grammar, [root]);
  const examples = new Map<LalrConflict, ConflictExample | undefined>();
  let maker: ConflictExamples | undefined;
  return {
    grammar,
    conflicts: found.conflicts,
    exampleOf(conflict) {
      if (!examples.has(conflict)) {
        maker ??= new ConflictExamples(found);
        examples.set(conflict, maker.of(conflict));
      }
      return examples.get(conflict);
    },
  };
}

/** Terminals in the order in which rules use them, so that their numbers do not depend on names and definitions. */
function inOrderOfUse(grammar: CompiledGrammar): CompiledGrammar {
  const order = new Map<string, number>();
  for (const { expansion } of grammar.rules)
    for (const { name, terminal } of expansion) if (terminal && !order.has(name)) order.set(name, order.size);
  const place = (name: string): number => order.get(name) ?? order.size;
  return { ...grammar, terminals: [...grammar.terminals].sort((a, b) => place(a.name) - place(b.name)) };
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
