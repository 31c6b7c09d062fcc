import type { CompiledGrammar, CompiledRule, CompiledTerminal } from '../compiled';

/** Name of the end of the input in tables and errors, as Lark calls it. */
export const END = '$END';

/** How rule and terminal priorities count: as written, with the sign turned, or not at all. */
export type PriorityMode = 'normal' | 'invert' | 'off';

/**
 * A grammar by numbers. Symbols are integers: terminals come first (0 is the end of the input), nonterminal `n` is
 * `terminalCount + n`.
 */
export interface NumberedGrammar {
  readonly grammar: CompiledGrammar;
  readonly terminalNames: readonly string[];
  readonly terminalIds: ReadonlyMap<string, number>;
  readonly terminalCount: number;
  /** Definition of each terminal; `undefined` for the end, declared ones and names without a definition. */
  readonly terminals: readonly (CompiledTerminal | undefined)[];
  readonly terminalPriority: Int32Array;
  readonly nonterminalNames: readonly string[];
  readonly nonterminalIds: ReadonlyMap<string, number>;
  readonly rules: readonly CompiledRule[];
  readonly left: Int32Array;
  readonly right: readonly Int32Array[];
  /** Priority of each rule; `hasRulePriority` tells apart "0" and "none". */
  readonly rulePriority: Int32Array;
  readonly hasRulePriority: boolean;
  /** Rules of each nonterminal, in order of definition. */
  readonly rulesOf: readonly (readonly number[])[];
  /** 1 for nonterminals that match the empty text. */
  readonly nullable: Uint8Array;
  /** Terminals that may stand anywhere. */
  readonly ignore: readonly number[];
}

/** Numbers the symbols of a grammar and finds out which can be empty. */
export function numberGrammar(grammar: CompiledGrammar, priority: PriorityMode = 'normal'): NumberedGrammar {
  const terminalNames: string[] = [END];
  const terminals: (CompiledTerminal | undefined)[] = [undefined];
  const terminalIds = new Map<string, number>([[END, 0]]);
  const terminalId = (name: string): number => {
    let id = terminalIds.get(name);
    if (id === undefined) {
      id = terminalNames.length;
      terminalIds.set(name, id);
      terminalNames.push(name);
      terminals.push(undefined);
    }
    return id;
  };
  for (const terminal of grammar.terminals) {
    const id = terminalId(terminal.name);
    if (!terminal.declared) terminals[id] = terminal;
  }
  for (const name of grammar.ignore) terminalId(name);
  const nonterminalNames: string[] = [];
  const nonterminalIds = new Map<string, number>();
  const nonterminalId = (name: string): number => {
    let id = nonterminalIds.get(name);
    if (id === undefined) {
      id = nonterminalNames.length;
      nonterminalIds.set(name, id);
      nonterminalNames.push(name);
    }
    return id;
  };
  for (const rule of grammar.rules) nonterminalId(rule.origin);
  for (const start of grammar.start) nonterminalId(start);
  for (const rule of grammar.rules) {
    for (const symbol of rule.expansion) {
      if (symbol.terminal) terminalId(symbol.name);
      else nonterminalId(symbol.name);
    }
  }
  const terminalCount = terminalNames.length;
  const sign = priority === 'normal' ? 1 : priority === 'invert' ? -1 : 0;
  const keepsSign = priority === 'invert' ? turnedTwice(grammar) : new Set<string>();
  const left = new Int32Array(grammar.rules.length);
  const rulePriority = new Int32Array(grammar.rules.length);
  const rulesOf: number[][] = nonterminalNames.map(() => []);
  let hasRulePriority = false;
  const right = grammar.rules.map((rule, index) => {
    left[index] = nonterminalId(rule.origin);
    rulesOf[left[index]!]!.push(index);
    if (rule.options.priority !== undefined && sign !== 0) {
      const kept = rule.options.emptyIndices.length === 0 && keepsSign.has(rule.origin);
      rulePriority[index] = (kept ? 1 : sign) * rule.options.priority;
      hasRulePriority = true;
    }
    return Int32Array.from(rule.expansion, (symbol) =>
      symbol.terminal ? terminalId(symbol.name) : terminalCount + nonterminalId(symbol.name),
    );
  });
  return {
    grammar,
    terminalNames,
    terminalIds,
    terminalCount,
    terminals,
    terminalPriority: Int32Array.from(terminals, (terminal) => sign * (terminal?.priority ?? 0)),
    nonterminalNames,
    nonterminalIds,
    rules: grammar.rules,
    left,
    right,
    rulePriority,
    hasRulePriority,
    rulesOf,
    nullable: findNullable(left, right, nonterminalNames.length, terminalCount),
    ignore: grammar.ignore.map(terminalId),
  };
}

/**
 * Rules whose priority Lark 1.3.1 turns an even number of times when it inverts priorities: the alternatives without
 * an absent `[ ]` share one priority, and it is turned once for each of them.
 */
function turnedTwice(grammar: CompiledGrammar): Set<string> {
  const even = new Set<string>();
  const seen = new Set<string>();
  for (const { origin, options } of grammar.rules) {
    if (options.emptyIndices.length > 0) continue;
    if (seen.has(origin) && !even.has(origin)) even.add(origin);
    else even.delete(origin);
    seen.add(origin);
  }
  return even;
}

/** Nonterminals that match the empty text; each rule is looked at once per symbol of its right-hand side. */
function findNullable(
  left: Int32Array,
  right: readonly Int32Array[],
  nonterminalCount: number,
  terminalCount: number,
): Uint8Array {
  const nullable = new Uint8Array(nonterminalCount);
  const open = new Int32Array(right.length);
  const users: number[][] = Array.from({ length: nonterminalCount }, () => []);
  const queue: number[] = [];
  const mark = (nonterminal: number): void => {
    if (nullable[nonterminal] === 1) return;
    nullable[nonterminal] = 1;
    queue.push(nonterminal);
  };
  right.forEach((symbols, rule) => {
    open[rule] = symbols.length;
    for (const symbol of symbols) if (symbol >= terminalCount) users[symbol - terminalCount]!.push(rule);
    if (symbols.length === 0) mark(left[rule]!);
  });
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const rule of users[next]!) if (--open[rule]! === 0) mark(left[rule]!);
  }
  return nullable;
}

/** Nonterminals that the rules of each nonterminal begin with, each once, in the order of the rules. */
export function firstNonterminals(grammar: NumberedGrammar): Int32Array[] {
  return grammar.rulesOf.map((rules) => {
    const firsts = new Set<number>();
    for (const rule of rules) {
      const symbol = grammar.right[rule]![0];
      if (symbol !== undefined && symbol >= grammar.terminalCount) firsts.add(symbol - grammar.terminalCount);
    }
    return Int32Array.from(firsts);
  });
}

/** The first nonterminal that is used and has no rule, or `undefined`. */
export function undefinedNonterminal(grammar: NumberedGrammar): string | undefined {
  const missing = grammar.rulesOf.findIndex((rules) => rules.length === 0);
  return missing < 0 ? undefined : grammar.nonterminalNames[missing];
}

/** Order of names by code points, as Python sorts them. */
export function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates stand for code points above all others.
    const high = (unit: number) =>
      unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2000 : unit >= 0xe000 ? unit - 0x800 : unit;
    return high(x) - high(y);
  }
  return a.length - b.length;
}

/** Names sorted and without repeats. */
export function sortedNames(names: Iterable<string>): string[] {
  return [...new Set(names)].sort(compareNames);
}

/** What Python's `str.isupper` says of a name: some cased character, and no lower-case or title-case one. */
export function isUpperName(name: string): boolean {
  return /\p{Uppercase}/u.test(name) && !/[\p{Lowercase}\p{Lt}]/u.test(name);
}
