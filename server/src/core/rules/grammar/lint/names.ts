import { type GrammarSymbol, reachable, type Use } from '../../../grammar/analyse/names';
import { t } from '../../../text/message';
import { list } from '../../../text/words';
import { fix, insertion, removal, wholeLines } from '../fixes';
import { forAll, type GrammarContext, type GrammarRule } from '../grammarRule';
import { grammarNamesOf } from '../names';

/** Why a definition is never read: nothing uses it, or only what is never read itself. */
interface Idle {
  readonly symbol: GrammarSymbol;
  readonly why: 'unused' | 'unreachable';
}

function idle(context: GrammarContext): readonly Idle[] {
  const names = context.memo(grammarNamesOf);
  if (names.symbols.get('start')?.definition === undefined) return [];
  const reached = reachable(names);
  const found: Idle[] = [];
  for (const symbol of names.symbols.values()) {
    if (reached.has(symbol.name) || symbol.kind === 'declared') continue;
    // What cannot be read may have been meant for something else.
    if (symbol.definition?.broken === true || symbol.item?.broken === true) continue;
    const used = symbol.uses.some(({ owner }) => owner.kind === 'ignore' || owner.name.text !== symbol.name);
    found.push({ symbol, why: used ? 'unreachable' : 'unused' });
  }
  return found;
}

export const unusedRule: GrammarRule = {
  id: 'grammar/unused-rule',
  section: 'grammar',
  summary: 'A rule is never used',
  levels: forAll('warning'),
  check(context) {
    for (const { symbol, why } of context.memo(idle)) {
      if (why !== 'unused' || symbol.terminal || symbol.definition === undefined) continue;
      context.report({
        span: symbol.span,
        message: t('The rule `{0}` is never used.', symbol.name),
        unnecessary: true,
        fixes: [fix(t('Remove {0}', symbol.name), [removal(wholeLines(context.text, symbol.definition.span))])],
      });
    }
  },
};

export const unusedTerminal: GrammarRule = {
  id: 'grammar/unused-terminal',
  section: 'grammar',
  summary: 'A terminal is never used',
  levels: forAll('warning'),
  check(context) {
    for (const { symbol, why } of context.memo(idle)) {
      const { name, terminal, definition, span } = symbol;
      if (why !== 'unused' || !terminal || definition === undefined) continue;
      const blank = /^_?(?:WS|SPACE|WHITESPACE|COMMENT|NL|NEWLINE)/.test(name);
      const fixes = [
        fix(t('Remove {0}', name), [removal(wholeLines(context.text, definition.span))], { preferred: !blank }),
      ];
      if (blank) {
        const end = context.text.length;
        const line = context.text.endsWith('\n') || end === 0 ? '' : '\n';
        fixes.unshift(fix(t('Ignore {0}', name), [insertion(end, `${line}%ignore ${name}\n`)]));
      }
      context.report({
        span,
        message: blank
          ? t('The terminal `{0}` is never used. Is `%ignore {0}` meant?', name)
          : t('The terminal `{0}` is never used.', name),
        unnecessary: true,
        fixes,
      });
    }
  },
};

export const unusedImport: GrammarRule = {
  id: 'grammar/unused-import',
  section: 'grammar',
  summary: 'An imported name is never used',
  levels: forAll('warning'),
  check(context) {
    for (const { symbol, why } of context.memo(idle)) {
      const { name, span, item } = symbol;
      if (why !== 'unused' || item === undefined) continue;
      const alone = item.names === undefined || item.names.length === 1;
      context.report({
        span,
        message: t('The imported `{0}` is never used.', name),
        unnecessary: true,
        fixes: alone ? [fix(t('Remove the import'), [removal(wholeLines(context.text, item.span))])] : [],
      });
    }
  },
};

export const unreachable: GrammarRule = {
  id: 'grammar/unreachable',
  section: 'grammar',
  summary: 'Definitions that only use each other',
  levels: forAll('warning'),
  check(context) {
    const lost = context.memo(idle);
    for (const { symbol, why } of lost) {
      if (why !== 'unreachable') continue;
      const users = [
        ...new Set(symbol.uses.flatMap(({ owner }) => (owner.kind === 'definition' ? [`\`${owner.name.text}\``] : []))),
      ];
      context.report({
        span: symbol.span,
        message: t('`{0}` is used by {1} alone, which `start` does not reach.', symbol.name, list(users, 3)),
        unnecessary: true,
        related: symbol.uses.slice(0, 3).map(({ span }) => ({ span, message: t('It is used here.') })),
      });
    }
  },
};

/** How many definitions each name has, those of `%extend` and `%override` included. */
function definitionCounts({ document }: GrammarContext): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of document.items) {
    if (item.kind === 'definition') counts.set(item.name.text, (counts.get(item.name.text) ?? 0) + 1);
  }
  return counts;
}

/** Template uses whose arguments may come to stand below a `!`, by way of other templates too. */
function keepingTemplates(context: GrammarContext): readonly Use[] {
  const { symbols, uses } = context.memo(grammarNamesOf);
  const keeps = [...symbols.values()].some(({ kind, terminal, definition }) =>
    kind === 'import' ? !terminal : kind === 'template' && definition?.modifiers.includes('!'),
  );
  return keeps ? uses.filter(({ node }) => node.kind === 'template') : [];
}

/** Whether a literal at the place of a use may stay in Lark's tree. */
function keepsLiterals({ owner, span }: Use, context: GrammarContext): boolean {
  if (owner.kind === 'definition' && owner.modifiers.includes('!')) return true;
  return context.memo(keepingTemplates).some(({ node }) => node.span.start < span.start && span.end < node.span.end);
}

export const terminalUsedOnce: GrammarRule = {
  id: 'grammar/terminal-used-once',
  section: 'grammar',
  summary: 'A terminal for one fixed text is used in one place only',
  levels: forAll('info'),
  check(context) {
    for (const { name, terminal, definition, uses, span } of context.memo(grammarNamesOf).symbols.values()) {
      if (!terminal || definition === undefined || uses.length !== 1 || definition.priority !== undefined) continue;
      if (context.memo(definitionCounts).get(name)! > 1) continue;
      const [alternative] = definition.body.items;
      const only =
        definition.body.items.length === 1 && alternative!.items.length === 1 ? alternative!.items[0]! : undefined;
      const use = uses[0]!;
      if (only?.kind !== 'string' || use.owner.kind !== 'definition' || use.owner.name.terminal) continue;
      // What is out of the tree already, or would stay in it, gains nothing.
      if (name.startsWith('_') || keepsLiterals(use, context)) continue;
      context.report({
        span,
        message: t(
          '`{0}` is used once; the literal {1} would do there, and it would stay out of the tree.',
          name,
          only.raw,
        ),
        related: [{ span: use.span, message: t('It is used here.') }],
        fixes: [
          fix(
            t('Write {0} there', only.raw),
            [{ span: use.span, newText: only.raw }, removal(wholeLines(context.text, definition.span))],
            { kind: 'refactor', preferred: false },
          ),
        ],
      });
    }
  },
};

export const importCaseChange: GrammarRule = {
  id: 'grammar/import-case-change',
  section: 'grammar',
  summary: 'An import renames a rule to upper case, or a terminal to lower case',
  levels: { lark: 'error' },
  check({ document, report }) {
    for (const item of document.items) {
      if (item.kind !== 'import' || item.alias === undefined || item.broken) continue;
      const name = item.path.at(-1)!;
      if (name.terminal === item.alias.terminal) continue;
      const better = name.terminal ? item.alias.text.toUpperCase() : item.alias.text.toLowerCase();
      report({
        span: item.alias.span,
        message: name.terminal
          ? t(
              '`{0}` is a terminal and gets the name of a rule: Lark loads this and breaks when it parses. Write `{1}`.',
              name.text,
              better,
            )
          : t(
              '`{0}` is a rule and gets the name of a terminal: Lark loads this and breaks when it parses. Write `{1}`.',
              name.text,
              better,
            ),
        fixes: [fix(t('Rename to {0}', better), [{ span: item.alias.span, newText: better }])],
      });
    }
  },
};
