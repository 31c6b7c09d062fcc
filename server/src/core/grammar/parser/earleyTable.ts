import { firstNonterminals, type NumberedGrammar } from './symbols';

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
  /** Starts of the rules of each nonterminal. */
  readonly starts: readonly Int32Array[];
  /** Nonterminals that these rules begin with. */
  readonly firsts: readonly Int32Array[];
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
  const starts = grammar.rulesOf.map((rules) => Int32Array.from(rules, (rule) => base[rule]!));
  const firsts = firstNonterminals(grammar);
  return { grammar, start, positionCount, expect, rule: ruleOf, label, starts, firsts };
}
