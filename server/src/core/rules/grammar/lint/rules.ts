import type { Nonterminal, Occurrence } from '../../../grammar/analyse/bnf';
import { END, nonEmptyOf, productiveOf } from '../../../grammar/analyse/flow';
import { type Language, UNKNOWN } from '../../../grammar/regex/automaton';
import { ENGINE_ROW_LIMIT } from '../../../profiles/llguidance';
import type { Fix } from '../../../text/finding';
import { type Message, t } from '../../../text/message';
import { renameEdits } from '../faultsDialect';
import { fix, removal } from '../fixes';
import { forAll, forEngine, type GrammarContext, type GrammarRule } from '../grammarRule';
import { alwaysSkipped, analysis, ownerName, shown, swallowed, swallowers } from './analysis';

/** Larger grammars are not searched for loops. */
const MOST_NONTERMINALS = 5000;

/** Lexemes whose expression matches no text at all. */
function emptyLexemes(context: GrammarContext): ReadonlySet<number> {
  const { bnf, rust } = context.memo(analysis);
  return new Set(bnf.lexemes.filter((lexeme) => rust.isEmpty(lexeme)).map(({ id }) => id));
}

export const nonProductive: GrammarRule = {
  id: 'grammar/non-productive',
  section: 'grammar',
  summary: 'A rule that can never finish',
  levels: forAll('error'),
  check(context) {
    const { bnf, flow } = context.memo(analysis);
    if (bnf.start === undefined || bnf.incomplete || bnf.nonterminals.length > MOST_NONTERMINALS) return;
    const dead = context.memo(emptyLexemes);
    const productive = dead.size === 0 ? flow.productive : productiveOf(bnf, ({ symbol }) => dead.has(symbol));
    const level = productive[bnf.start.id]! ? 'warning' : 'error';
    for (const nonterminal of bnf.nonterminals) {
      const { id, name, span } = nonterminal;
      if (name === undefined || productive[id]! || !ownLoop(bnf.nonterminals, id, productive)) continue;
      context.report({
        span,
        levels: forAll(level),
        message: t('`{0}` can never finish: every alternative contains `{0}` again, directly or through others.', name),
      });
    }
    for (const id of dead) {
      const { label, span } = bnf.lexemes[id]!;
      context.report({ span, levels: forEngine(level), message: t('`{0}` matches no text at all.', label) });
    }
  },
};

/** Whether a rule that never finishes leads back to itself through others of the kind. */
function ownLoop(nonterminals: readonly Nonterminal[], from: number, productive: readonly boolean[]): boolean {
  const seen = new Set<number>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const { symbols } of nonterminals[id]!.productions) {
      for (const { symbol } of symbols) {
        if (symbol >= 0 || productive[~symbol]!) continue;
        if (~symbol === from) return true;
        if (!seen.has(~symbol)) {
          seen.add(~symbol);
          open.push(~symbol);
        }
      }
    }
  }
  return false;
}

/** What is left of the grammar once these lexemes can never be read. */
function without(
  context: GrammarContext,
  dead: ReadonlySet<number>,
): { readonly productive: readonly boolean[]; readonly nonEmpty: readonly boolean[] } {
  const { bnf, empty } = context.memo(analysis);
  const gone = ({ symbol }: Occurrence): boolean => dead.has(symbol) && !empty[symbol];
  const productive = productiveOf(bnf, gone);
  return { productive, nonEmpty: nonEmptyOf(bnf, productive, gone) };
}

function freeText(context: GrammarContext, forced: boolean): void {
  const { bnf, occurrences } = context.memo(analysis);
  const skipped = context.memo(alwaysSkipped);
  // What is skipped in front of them is the cause there.
  const found = context.memo(swallowers).filter(({ lexeme, next }) => !skipped.has(lexeme.id) && !skipped.has(next.id));
  if (found.length === 0) return;
  const { productive } = without(context, new Set(found.map(({ lexeme }) => lexeme.id)));
  for (const { lexeme, text, next, forced: own } of found) {
    const useless = !productive[bnf.start!.id]!;
    if ((own && useless) !== forced) continue;
    const span = occurrences[lexeme.id]![0]!.span;
    const sample = shown(text);
    const message = forced
      ? t(
          'The engine loads this and then hangs while it generates: after `{0}` only more of {1} can follow, never {2}, and it goes on without an end. Make one terminal of both.',
          sample,
          lexeme.label,
          next.label,
        )
      : t(
          'The engine takes the longest match and never goes back: {0} swallows the beginning of {1}, so nothing can follow `{2}`. Make one terminal of both.',
          lexeme.label,
          next.label,
          sample,
        );
    context.report({
      span,
      message,
      levels: forEngine(useless ? 'error' : 'warning'),
      related: [{ span: next.span, message: t('This can never be read there.') }],
    });
  }
}

export const stuckLexeme: GrammarRule = {
  id: 'grammar/stuck-lexeme',
  section: 'grammar',
  summary: 'The engine loads the grammar and then hangs while it generates',
  levels: forEngine('error'),
  check(context) {
    freeText(context, true);
  },
};

export const freeTextSplit: GrammarRule = {
  id: 'grammar/free-text-split',
  section: 'grammar',
  summary: 'A terminal swallows what should follow it',
  levels: forEngine('error'),
  check(context) {
    freeText(context, false);
  },
};

export const ignoredLiteral: GrammarRule = {
  id: 'grammar/ignored-literal',
  section: 'grammar',
  summary: 'A terminal of a rule is also ignored',
  levels: { llguidance: 'error', openai: 'error', lark: 'warning' },
  check(context) {
    const { bnf, python, occurrences } = context.memo(analysis);
    const skipped = context.memo(alwaysSkipped);
    const left = skipped.size === 0 ? undefined : without(context, skipped);
    const useless = left !== undefined && bnf.start !== undefined && !left.nonEmpty[bnf.start.id]!;
    const skip = context.on('lark') ? python.skip() : undefined;
    for (const lexeme of bnf.lexemes) {
      if (skip === undefined && skipped.size === 0) return;
      const places = occurrences[lexeme.id]!;
      const language = skip === undefined ? undefined : python.lexeme(lexeme);
      const lark =
        language !== undefined && python.of.isNullable(language) === false && swallowed(python, language, skip!);
      if (places.length === 0 || (!skipped.has(lexeme.id) && !lark)) continue;
      const reported = new Set<number>();
      for (const { span } of places) {
        if (reported.has(span.start)) continue;
        reported.add(span.start);
        const owner = bnf.byName.get(ownerName(context, span) ?? '');
        const always = useless && skipped.has(lexeme.id) && owner !== undefined && !left.productive[owner.id]!;
        const levels = {
          ...(skipped.has(lexeme.id) && forEngine(always ? 'error' : 'warning')),
          ...(lark && { lark: 'warning' as const }),
        };
        context.report({
          span,
          levels,
          message: ignoredMessage(context, lexeme.label, always ? (owner?.name ?? '') : undefined),
          fixes: inlineFix(context, lexeme.label),
          related: ignorePlaces(context),
        });
      }
    }
  },
};

function ignoredMessage(context: GrammarContext, label: string, useless: string | undefined): Message {
  if (!context.on('llguidance') && !context.on('openai')) {
    return t('{0} is also ignored: the dynamic lexer tries both, but the other lexers of Lark always skip it.', label);
  }
  if (useless === undefined) {
    return t(
      '{0} is also ignored: the engine always skips it here, and so do the lexers of Lark but the dynamic one.',
      label,
    );
  }
  return t(
    '{0} is also ignored, and what is ignored wins: the engine can never read `{1}`. Ignore less, or leave it out here.',
    label,
    useless,
  );
}

/** Ignores blanks without line breaks, where a line break is meant. */
function inlineFix(context: GrammarContext, label: string): Fix[] {
  const { names } = context.memo(analysis);
  const blanks = names.symbols.get('WS');
  if (!/\\n|LF|NEWLINE/.test(label) || blanks?.path !== 'common.WS' || names.symbols.has('WS_INLINE')) return [];
  return [fix(t('Ignore WS_INLINE instead of WS'), renameEdits(context, 'WS', 'WS_INLINE'))];
}

function ignorePlaces({ document }: GrammarContext) {
  return document.items.flatMap((item) =>
    item.kind === 'ignore' ? [{ span: item.body.span, message: t('This is ignored.') }] : [],
  );
}

export const directCycle: GrammarRule = {
  id: 'grammar/direct-cycle',
  section: 'grammar',
  summary: 'A rule derives itself without reading anything',
  levels: forAll('warning'),
  check(context) {
    const { bnf, flow } = context.memo(analysis);
    if (bnf.nonterminals.length > MOST_NONTERMINALS) return;
    const steps = bnf.nonterminals.map(({ productions }) => {
      const next = new Set<number>();
      for (const { symbols } of productions) {
        symbols.forEach(({ symbol }, i) => {
          if (symbol < 0 && symbols.every((other, j) => j === i || (other.symbol < 0 && flow.nullable[~other.symbol]!)))
            next.add(~symbol);
        });
      }
      return next;
    });
    for (const { id, name, span } of bnf.nonterminals) {
      if (name === undefined || !leadsTo(steps, id, id)) continue;
      context.report({
        span,
        message: t(
          '`{0}` derives itself without reading anything, so each text that it matches has parses without end.',
          name,
        ),
      });
    }
  },
};

function leadsTo(steps: readonly ReadonlySet<number>[], from: number, to: number): boolean {
  const seen = new Set<number>(steps[from]);
  for (const id of seen) {
    if (id === to) return true;
    for (const next of steps[id]!) seen.add(next);
  }
  return false;
}

export const nullableLoop: GrammarRule = {
  id: 'grammar/nullable-loop',
  section: 'grammar',
  summary: 'A repetition whose part can be empty',
  levels: forAll('warning'),
  check(context) {
    const { bnf, flow } = context.memo(analysis);
    const seen = new Set<number>();
    for (const { repeated } of bnf.nonterminals) {
      if (repeated === undefined || seen.has(repeated.item.span.start)) continue;
      const { symbols, item } = repeated;
      if (symbols.length === 0 || !symbols.every(({ symbol }) => symbol < 0 && flow.nullable[~symbol]!)) continue;
      seen.add(item.span.start);
      context.report({
        span: item.span,
        message: t('The repeated part can be empty, and each empty round is another parse of the same text.'),
      });
    }
  },
};

export const ambiguousSplit: GrammarRule = {
  id: 'grammar/ambiguous-split',
  section: 'grammar',
  summary: 'Two neighbors can take the same input',
  levels: forAll('warning'),
  check(context) {
    const { bnf } = context.memo(analysis);
    const loops = new Map<number, string>();
    for (const { id, repeated, productions } of bnf.nonterminals) {
      const endless = productions.some(({ symbols }) => symbols[0]?.symbol === ~id);
      if (repeated !== undefined && endless) loops.set(~id, repeated.symbols.map(({ symbol }) => symbol).join());
    }
    for (const { productions } of bnf.nonterminals) {
      for (const { symbols } of productions) {
        symbols.forEach(({ symbol, span }, i) => {
          const before = symbols[i - 1];
          if (before === undefined || before.span.start === span.start) return;
          const key = loops.get(symbol);
          if (key === undefined || key === '' || key !== loops.get(before.symbol)) return;
          context.report({
            span,
            message: t(
              'This and its neighbor can take the same input, so where one ends and the other begins is arbitrary.',
            ),
            related: [{ span: before.span, message: t('The neighbor.') }],
          });
        });
      }
    }
  },
};

export const ambiguousRules: GrammarRule = {
  id: 'grammar/ambiguous-rules',
  section: 'grammar',
  summary: 'Two alternatives match the same text',
  levels: forAll('warning'),
  check(context) {
    const { bnf, rust } = context.memo(analysis);
    const single = (each: Occurrence): { name: string; languages: Language[] } | undefined => {
      const { name, productions } = bnf.nonterminals[~each.symbol] ?? {};
      if (each.symbol >= 0 || name === undefined || productions!.length > 20) return undefined;
      const languages = productions!.map(({ symbols }) => {
        const lexeme = symbols.length === 1 && symbols[0]!.symbol >= 0 ? bnf.lexemes[symbols[0]!.symbol] : undefined;
        return lexeme === undefined ? undefined : rust.lexeme(lexeme);
      });
      return languages.includes(undefined) ? undefined : { name, languages: languages as Language[] };
    };
    let compared = 0;
    for (const { productions } of bnf.nonterminals) {
      const units = productions.flatMap(({ symbols }) => {
        const made = symbols.length === 1 ? single(symbols[0]!) : undefined;
        return made === undefined ? [] : [{ ...made, span: symbols[0]!.span }];
      });
      units.forEach((second, i) => {
        for (const first of units.slice(0, i)) {
          for (const a of first.languages) {
            for (const b of second.languages) {
              if (first.name === second.name || ++compared > 500) continue;
              const text = rust.of.common(a, b);
              if (typeof text !== 'string') continue;
              context.report({
                span: second.span,
                message: t(
                  '`{0}` and `{1}` both match `{2}`; Lark takes the first.',
                  first.name,
                  second.name,
                  shown(text),
                ),
                related: [{ span: first.span, message: t('The other alternative.') }],
              });
              return;
            }
          }
        }
      });
    }
  },
};

const same = (a: readonly Occurrence[], b: readonly Occurrence[]): boolean =>
  a.length === b.length && a.every(({ symbol }, i) => symbol === b[i]!.symbol);

export const rightRecursion: GrammarRule = {
  id: 'grammar/right-recursion',
  section: 'grammar',
  summary: 'A list that recurses to the right',
  levels: forEngine('warning'),
  check(context) {
    for (const { id, name, productions } of context.memo(analysis).bnf.nonterminals) {
      if (name === undefined) continue;
      for (const { symbols } of productions) {
        const last = symbols.at(-1);
        if (symbols.length < 2 || last!.symbol !== ~id || symbols[0]!.symbol === ~id) continue;
        const before = symbols.slice(0, -1);
        const base = productions.find(
          (other) =>
            other.symbols.length < symbols.length && same(other.symbols, before.slice(0, other.symbols.length)),
        );
        if (base === undefined) continue;
        context.report({
          span: last!.span,
          message: t(
            'The list `{0}` recurses to the right: the engine gets slow and stops near {1} items. A repetition like `x ("," x)*` has no such limit.',
            name,
            ENGINE_ROW_LIMIT,
          ),
        });
      }
    }
  },
};

export const leftRecursionFact: GrammarRule = {
  id: 'grammar/left-recursion-fact',
  section: 'grammar',
  summary: 'A list that recurses to the left, which + says shorter',
  levels: forAll('info'),
  check(context) {
    for (const { id, name, productions } of context.memo(analysis).bnf.nonterminals) {
      if (name === undefined || productions.length !== 2) continue;
      const step = productions.find(({ symbols }) => symbols.length > 1 && symbols[0]!.symbol === ~id);
      const base = productions.find((other) => other !== step);
      if (step === undefined || base === undefined || !same(step.symbols.slice(1), base.symbols)) continue;
      context.report({
        span: step.symbols[0]!.span,
        message: t('`{0}` recurses to the left, which is fast here; a `+` behind the item says the same.', name),
      });
    }
  },
};

export const hiddenLeftRecursion: GrammarRule = {
  id: 'grammar/hidden-left-recursion',
  section: 'grammar',
  summary: 'A rule can start with itself behind something empty',
  levels: { lark: 'warning' },
  check(context) {
    const { bnf, flow } = context.memo(analysis);
    for (const { id, name, productions } of bnf.nonterminals) {
      if (name === undefined) continue;
      for (const { symbols } of productions) {
        const at = symbols.findIndex(({ symbol }) => symbol === ~id);
        if (at < 1 || !symbols.slice(0, at).every(({ symbol }) => symbol < 0 && flow.nullable[~symbol]!)) continue;
        context.report({
          span: symbols[at]!.span,
          message: t(
            'What stands in front can be empty, so `{0}` starts with itself; Lark with LALR then refuses valid input.',
            name,
          ),
          related: [{ span: symbols[0]!.span, message: t('This can be empty.') }],
        });
      }
    }
  },
};

export const emptyFirstAlternative: GrammarRule = {
  id: 'grammar/empty-first-alternative',
  section: 'grammar',
  summary: 'A definition starts with an empty alternative, because its first line has none',
  levels: forAll('warning'),
  check({ document, text, report }) {
    for (const item of document.items) {
      if (item.kind !== 'definition' || item.colon === undefined || item.name.terminal) continue;
      const [first, second] = item.body.items;
      if (first === undefined || second?.bar === undefined || first.items.length > 0 || first.alias !== undefined)
        continue;
      const between = text.slice(item.colon + 1, second.bar.start);
      if (!between.includes('\n') || /["/(]/.test(between.replace(/(?:\/\/|#).*/g, ''))) continue;
      report({
        span: second.bar,
        message: t(
          'The first alternative is empty, so `{0}` also matches nothing. Without this bar it does not.',
          item.name.text,
        ),
        fixes: [fix(t('Remove the bar'), [removal({ start: item.colon + 1, end: second.bar.end })])],
      });
    }
  },
};

export const needsFinalNewline: GrammarRule = {
  id: 'grammar/needs-final-newline',
  section: 'grammar',
  summary: 'Every text must end with a line break',
  levels: forAll('hint'),
  check(context) {
    const { bnf, flow, rust, occurrences } = context.memo(analysis);
    const last = bnf.lexemes.filter(({ id }) => flow.after[id]!.has(END));
    const anything = rust.of.ofSet([0, 0x10ffff]);
    const line = rust.of.ofText('\n');
    if (last.length === 0 || anything === UNKNOWN || line === UNKNOWN) return;
    const some = rust.of.repeat(anything, 0, Number.POSITIVE_INFINITY);
    const ending = some === UNKNOWN ? UNKNOWN : rust.of.sequence([some, line]);
    if (ending === UNKNOWN) return;
    for (const lexeme of last) {
      const texts = rust.fixedTexts(lexeme);
      if (texts?.every((text) => text.endsWith('\n')) === true) continue;
      const language = texts === undefined ? rust.lexeme(lexeme) : undefined;
      if (language === undefined || rust.of.counterExample(language, ending) !== undefined) return;
    }
    for (const { id } of last) {
      context.report({
        span: occurrences[id]!.at(-1)!.span,
        message: t('The text must end with a line break: models often leave the last one out.'),
      });
    }
  },
};

export const admitsEmpty: GrammarRule = {
  id: 'grammar/admits-empty',
  section: 'grammar',
  summary: 'The empty text is accepted',
  levels: forAll('hint'),
  check(context) {
    const { bnf, flow } = context.memo(analysis);
    if (bnf.start === undefined || !flow.nullable[bnf.start.id]!) return;
    context.report({
      span: bnf.start.span,
      message: t('The grammar accepts the empty text, so the model may send nothing.'),
    });
  },
};
