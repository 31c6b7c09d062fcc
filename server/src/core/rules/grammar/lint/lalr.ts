import type { CompiledTerminal } from '../../../grammar/compiled';
import type { LalrConflict, LalrTable } from '../../../grammar/parser/lalr';
import { numberGrammar } from '../../../grammar/parser/symbols';
import { UNKNOWN } from '../../../grammar/regex/automaton';
import { TooComplex } from '../../../grammar/tree';
import { t } from '../../../text/message';
import { list } from '../../../text/words';
import type { GrammarContext, GrammarRule } from '../grammarRule';
import { analysis, shown } from './analysis';

/** Grammars with more alternatives are not looked at: tables take too long for each key stroke. */
const MOST_RULES = 1200;
const MOST_CONFLICTS = 40;

/** Where LALR(1) cannot tell what to do, in terms of what is written. */
export interface Conflict {
  readonly kind: LalrConflict['kind'];
  /** Names of the rules that could end, those of helpers left out. */
  readonly rules: readonly string[];
  readonly span: { readonly start: number; readonly end: number };
  readonly others: readonly { readonly start: number; readonly end: number }[];
  /** A text that leads there, and the terminal that is looked at. */
  readonly text: string;
  readonly next: string;
  readonly resolved: boolean;
}

/** The conflicts of the grammar under LALR, each pair of rules once. */
export function conflicts(context: GrammarContext): readonly Conflict[] {
  const { grammar } = context.loaded;
  if (grammar === undefined || context.loaded.problems.length > 0 || grammar.rules.length > MOST_RULES) return [];
  const numbered = numberGrammar(grammar);
  const start = numbered.nonterminalIds.get('start');
  if (start === undefined) return [];
  let table: LalrTable;
  try {
    table = context.memory.lalr(numbered, start);
  } catch (error) {
    if (error instanceof TooComplex) return [];
    throw error;
  }
  if (table.conflicts.length === 0) return [];
  const ways = shortestWays(table);
  const texts = new Samples(context, table);
  const found = new Map<string, Conflict>();
  for (const conflict of table.conflicts) {
    if (found.size >= MOST_CONFLICTS) break;
    const rules = conflict.rules.map((rule) => numbered.rules[rule]!);
    const spans = rules.flatMap(({ span }) => (span === undefined ? [] : [span]));
    const names = [...new Set(rules.map(({ origin }) => origin.replace(/^__(.*)_(?:plus|star|rep\w*)_\d+$/, '$1')))];
    const key = `${conflict.kind} ${names.join()} ${conflict.kind === 'shift-reduce' ? conflict.terminal : conflict.rules.join()}`;
    const span = spans.at(-1);
    if (span === undefined || found.has(key)) continue;
    found.set(key, {
      kind: conflict.kind,
      rules: names,
      span,
      others: spans.slice(0, -1),
      text: texts.of(ways(conflict.state)),
      next: texts.of([conflict.terminal]),
      resolved: conflict.resolved !== undefined,
    });
  }
  return [...found.values()];
}

/** The symbols on a shortest way from the start to each state. */
function shortestWays({ automaton }: LalrTable): (state: number) => number[] {
  const start = automaton.starts[0]!;
  const count = automaton.moves.length;
  const before = new Int32Array(count).fill(-1);
  const over = new Int32Array(count);
  const queue = [start];
  for (const state of queue) {
    for (const [symbol, next] of automaton.moves[state]!) {
      if (next === start || before[next] !== -1) continue;
      before[next] = state;
      over[next] = symbol;
      queue.push(next);
    }
  }
  return (state) => {
    const symbols: number[] = [];
    for (let at = state; at !== start && before[at] !== -1; at = before[at]!) symbols.push(over[at]!);
    return symbols.reverse();
  };
}

/** Short texts for symbols: the fewest terminals, each with its shortest text. */
class Samples {
  readonly #best: (number | undefined)[] = [];
  readonly #terminals = new Map<number, string>();

  constructor(
    readonly context: GrammarContext,
    readonly table: LalrTable,
  ) {
    const { rules, left, right, terminalCount } = table.grammar;
    const costs = new Float64Array(table.grammar.nonterminalNames.length).fill(Number.POSITIVE_INFINITY);
    for (let changed = true; changed; ) {
      changed = false;
      for (let rule = 0; rule < rules.length; rule++) {
        const symbols = right[rule]!;
        let cost = 1;
        for (let i = 0; i < symbols.length; i++)
          cost += symbols[i]! < terminalCount ? 1 : costs[symbols[i]! - terminalCount]!;
        if (cost >= costs[left[rule]!]!) continue;
        costs[left[rule]!] = cost;
        this.#best[left[rule]!] = rule;
        changed = true;
      }
    }
  }

  of(symbols: readonly number[]): string {
    const { terminalCount, right } = this.table.grammar;
    const parts: string[] = [];
    const open = [...symbols].reverse();
    for (let symbol = open.pop(); symbol !== undefined && parts.length < 200; symbol = open.pop()) {
      if (symbol < terminalCount) parts.push(this.#terminal(symbol));
      else {
        const rule = this.#best[symbol - terminalCount];
        if (rule !== undefined) open.push(...[...right[rule]!].reverse());
      }
    }
    return parts.filter((part) => part !== '').join(this.table.grammar.ignore.length > 0 ? ' ' : '');
  }

  #terminal(id: number): string {
    let text = this.#terminals.get(id);
    if (text === undefined) {
      const { terminals, terminalNames } = this.table.grammar;
      const terminal = terminals[id];
      text = id === 0 ? '' : terminal === undefined ? terminalNames[id]! : this.#sample(terminal);
      this.#terminals.set(id, text);
    }
    return text;
  }

  #sample({ name, pattern, regexp }: CompiledTerminal): string {
    if (pattern.kind === 'string') return pattern.value.replaceAll('\\\\', '\\');
    const { of } = this.context.memo(analysis).python;
    const { tree } = this.context.memory.regex('python', regexp);
    const language = tree === undefined ? UNKNOWN : of.ofTree(tree);
    const text = language === UNKNOWN ? UNKNOWN : of.witness(language);
    return typeof text === 'string' ? text : name;
  }
}

export const lalrReduceReduce: GrammarRule = {
  id: 'grammar/lalr-reduce-reduce',
  section: 'grammar',
  summary: 'Two rules could end at the same place, and one terminal of look-ahead cannot decide',
  levels: { lark: 'warning' },
  check(context) {
    if (!context.on('lark')) return;
    for (const { kind, rules, span, others, text, next, resolved } of context.memo(conflicts)) {
      if (kind !== 'reduce-reduce' || resolved) continue;
      context.report({
        span,
        message: t(
          'Behind `{0}`, where {1} comes next, {2} could end; one terminal of look-ahead cannot decide, so Lark refuses the grammar for LALR.',
          shown(text),
          next === '' ? t('the end of the text') : t('`{0}`', shown(next)),
          list(rules.map((rule) => `\`${rule}\``)),
        ),
        related: others.map((place) => ({ span: place, message: t('The other rule is here.') })),
      });
    }
  },
};

export const lalrShiftReduce: GrammarRule = {
  id: 'grammar/lalr-shift-reduce',
  section: 'grammar',
  summary: 'LALR goes on where a rule could also end',
  levels: { lark: 'info' },
  check(context) {
    if (!context.on('lark')) return;
    for (const { kind, rules, span, text, next } of context.memo(conflicts)) {
      if (kind !== 'shift-reduce') continue;
      context.report({
        span,
        message: t(
          'Behind `{0}` a `{1}` always goes on, although {2} could end there: Lark with LALR may refuse texts that Earley accepts.',
          shown(text),
          shown(next),
          list(rules.map((rule) => `\`${rule}\``)),
        ),
      });
    }
  },
};
