import { openedBy } from './lr0';
import type { NumberedGrammar } from './symbols';

/**
 * A grammar as the Earley parser uses it. A position is a number: `base[rule] + dot`; labels of forest nodes are
 * positions, and `positionCount + nonterminal` for whole nonterminals.
 */
export interface EarleyTable {
  readonly grammar: NumberedGrammar;
  readonly start: number;
  readonly positionCount: number;
  /** Symbol behind the dot, or -1 at the end of a rule. */
  readonly expect: Int32Array;
  readonly rule: Int32Array;
  readonly label: Int32Array;
  /** Positions that a nonterminal opens: the starts of its rules and of all that they begin with. */
  readonly predictions: readonly Int32Array[];
  readonly opens: readonly Int32Array[];
}

export function buildEarley(grammar: NumberedGrammar, start: number): EarleyTable {
  const ruleCount = grammar.rules.length;
  const base = new Int32Array(ruleCount + 1);
  for (let rule = 0; rule < ruleCount; rule++) base[rule + 1] = base[rule]! + grammar.right[rule]!.length + 1;
  const positionCount = base[ruleCount]!;
  const expect = new Int32Array(positionCount).fill(-1);
  const ruleOf = new Int32Array(positionCount);
  const label = new Int32Array(positionCount);
  for (let rule = 0; rule < ruleCount; rule++) {
    const symbols = grammar.right[rule]!;
    for (let dot = 0; dot <= symbols.length; dot++) {
      const position = base[rule]! + dot;
      ruleOf[position] = rule;
      const done = dot === symbols.length;
      expect[position] = done ? -1 : symbols[dot]!;
      label[position] = done ? positionCount + grammar.left[rule]! : position;
    }
  }
  const opens = openedBy(grammar);
  const predictions = opens.map((nonterminals) =>
    Int32Array.from(
      [...nonterminals].flatMap((nonterminal) => grammar.rulesOf[nonterminal]!.map((rule) => base[rule]!)),
    ),
  );
  return { grammar, start, positionCount, expect, rule: ruleOf, label, predictions, opens };
}
