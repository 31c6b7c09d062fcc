import type { CompiledTerminal } from '../../../grammar/compiled';
import type { ExplainedConflicts } from '../../../grammar/memory';
import type { LalrConflict } from '../../../grammar/parser/lalrTable';
import type { NumberedGrammar } from '../../../grammar/parser/symbols';
import { UNKNOWN } from '../../../grammar/regex/automaton';
import { TooComplex } from '../../../grammar/tree';
import { t } from '../../../text/message';
import { list } from '../../../text/words';
import type { GrammarContext, GrammarRule } from '../grammarRule';
import { analysis, shown } from './analysis';

/** Grammars with more alternatives are not looked at: tables take too long for each key stroke. */
const MOST_RULES = 1200;
const MOST_CONFLICTS = 40;
/** Terminals of a text that are written out. */
const MOST_TERMINALS = 200;

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
  const { grammar, problems } = context.loaded;
  if (grammar === undefined || problems.length > 0 || grammar.rules.length > MOST_RULES) return [];
  let explained: ExplainedConflicts | undefined;
  try {
    explained = context.memory.conflicts(grammar, 'start');
  } catch (error) {
    if (error instanceof TooComplex) return [];
    throw error;
  }
  if (explained === undefined || explained.conflicts.length === 0) return [];
  const numbered = explained.grammar;
  const texts = new Samples(context, numbered);
  const found = new Map<string, Conflict>();
  for (const conflict of explained.conflicts) {
    if (found.size >= MOST_CONFLICTS) break;
    const rules = conflict.rules.map((rule) => numbered.rules[rule]!);
    const spans = rules.flatMap(({ span }) => (span === undefined ? [] : [span]));
    const names = [...new Set(rules.map(({ origin }) => origin.replace(/^__(.*)_(?:plus|star|rep\w*)_\d+$/, '$1')))];
    const key = `${conflict.kind} ${names.join()} ${conflict.kind === 'shift-reduce' ? conflict.terminal : conflict.rules.join()}`;
    const span = spans.at(-1);
    if (span === undefined || found.has(key)) continue;
    // Where no text leads there the conflict keeps Lark from LALR all the same.
    const before = explained.exampleOf(conflict)?.before ?? [];
    found.set(key, {
      kind: conflict.kind,
      rules: names,
      span,
      others: spans.slice(0, -1),
      text: texts.of(before),
      next: texts.of([conflict.terminal]),
      resolved: conflict.resolved !== undefined,
    });
  }
  return [...found.values()];
}

/** Texts for terminals: a short one for each. */
class Samples {
  readonly #terminals = new Map<number, string>();

  constructor(
    readonly context: GrammarContext,
    readonly grammar: NumberedGrammar,
  ) {}

  of(terminals: readonly number[]): string {
    const parts = terminals.slice(0, MOST_TERMINALS).map((id) => this.#terminal(id));
    return parts.filter((part) => part !== '').join(this.grammar.ignore.length > 0 ? ' ' : '');
  }

  #terminal(id: number): string {
    let text = this.#terminals.get(id);
    if (text === undefined) {
      const { terminals, terminalNames } = this.grammar;
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
