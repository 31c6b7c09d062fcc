import { alternatives, expressions, owners } from '../../../grammar/analyse/walk';
import type { Definition, RegexpLiteral } from '../../../grammar/ast';
import { forcedRuns } from '../../../grammar/regex/forcedRun';
import { LARGE_COUNTS, LARK_OPTIONALS } from '../../../profiles/lark';
import { ENGINE_FORCED } from '../../../profiles/llguidance';
import { t } from '../../../text/message';
import { faultsById } from '../faults';
import { fix } from '../fixes';
import { ENGINE_ERROR, forAll, forEngine, type GrammarContext, type GrammarRule } from '../grammarRule';
import { literals } from '../literalFacts';
import { analysis } from './analysis';

export const optionalExplosion: GrammarRule = {
  id: 'grammar/optional-explosion',
  section: 'grammar',
  summary: 'Many optional parts in a row, which Lark multiplies out',
  levels: { lark: 'warning' },
  check({ document, report }) {
    for (const owner of owners(document.items)) {
      if (owner.kind !== 'definition' || owner.name.terminal) continue;
      for (const { alternative } of alternatives(owner.body)) {
        const optional = alternative.items.filter(
          (item) =>
            item.kind === 'optional' || (item.kind === 'repeat' && (item.operator === '?' || item.operator === '*')),
        );
        if (optional.length < LARK_OPTIONALS) continue;
        report({
          span: { start: optional[0]!.span.start, end: optional.at(-1)!.span.end },
          message: t(
            'Lark multiplies {0} optional parts in a row out to {1} alternatives. Give some of them rules of their own.',
            optional.length,
            2 ** Math.min(optional.length, 50),
          ),
        });
      }
    }
  },
};

export const largeRepeat: GrammarRule = {
  id: 'grammar/large-repeat',
  section: 'grammar',
  summary: 'A large count',
  levels: forAll('info'),
  check(context) {
    const { document, report } = context;
    longRuns(context);
    for (const owner of owners(document.items)) {
      for (const node of expressions(owner.body)) {
        if (node.kind !== 'repeat' || (node.operator !== '~' && node.operator !== '{}')) continue;
        const count = Math.max(node.least, node.most === undefined || node.most >= 2147483647 ? 0 : node.most);
        if (count < LARGE_COUNTS[0]) continue;
        report({
          span: node.span,
          levels: forAll(count >= LARGE_COUNTS[1] ? 'warning' : 'info'),
          message: t('A count of {0} makes the grammar large and slow.', count),
        });
      }
    }
  },
};

/** Counts in expressions, which the engine takes however large they are, as long as there is something to choose. */
function longRuns(context: GrammarContext): void {
  for (const { node, reached, rust } of context.memo(literals).regexes) {
    // Another expression can have no counts that make it so long.
    if (!reached || rust.tree === undefined || !/\{\s*\d\d/.test(rust.tree.source)) continue;
    const { lead, later } = forcedRuns(rust.tree);
    const most = lead > ENGINE_FORCED.later && neverFirst(context, node) ? ENGINE_FORCED.later : ENGINE_FORCED.atStart;
    const bytes = later > ENGINE_FORCED.later ? later : lead > most ? lead : undefined;
    if (bytes === undefined) continue;
    context.report({
      span: node.span,
      levels: forEngine('warning'),
      message: t(
        'The counts of this expression make {0} bytes in a row in which nothing can be chosen. The engine writes such a run in one step and gives up on its length: "too many expressions constructed".',
        bytes,
      ),
    });
  }
}

/** Whether an expression, in a rule or alone in a terminal, is one that no text begins with. */
function neverFirst(context: GrammarContext, { raw }: RegexpLiteral): boolean {
  const { names, bnf, flow } = context.memo(analysis);
  const ids = bnf.lexemes.flatMap(({ id, name, expression }) => {
    const alternatives = expression === undefined ? names.symbols.get(name ?? '')?.definition?.body.items : undefined;
    const only =
      alternatives?.length === 1 && alternatives[0]!.items.length === 1 ? alternatives[0]!.items[0] : expression;
    return only?.kind === 'regexp' && only.raw === raw ? [id] : [];
  });
  return !bnf.incomplete && flow.atStart.size > 0 && ids.length > 0 && !ids.some((id) => flow.atStart.has(id));
}

export const treeLoss: GrammarRule = {
  id: 'grammar/tree-loss',
  section: 'grammar',
  summary: 'Which literal matched is not in the tree',
  levels: { lark: 'info' },
  check({ document, report }) {
    for (const item of document.items) {
      if (
        item.kind !== 'definition' ||
        item.name.terminal ||
        item.modifiers.includes('!') ||
        item.body.items.length < 2
      )
        continue;
      if (
        !item.body.items.every(
          ({ items, alias }) => alias === undefined && items.length === 1 && items[0]!.kind === 'string',
        )
      )
        continue;
      report({
        span: item.name.span,
        message: t(
          'The tree does not tell which of these literals matched. Name them, give each an alias, or write `!` in front of the rule.',
        ),
        fixes: [fix(t('Keep the literals: write !{0}', item.name.text), [keepTokens(item)])],
      });
    }
  },
};

function keepTokens({ name }: Definition): { span: { start: number; end: number }; newText: string } {
  return { span: { start: name.span.start, end: name.span.start }, newText: '!' };
}

export const tildeRange: GrammarRule = {
  id: 'grammar/tilde-range',
  section: 'grammar',
  summary: 'A range of counts without spaces, which the provider refuses in places, and older versions everywhere',
  levels: ENGINE_ERROR,
  check(context) {
    const { document, engine, slice, report } = context;
    for (const fault of context.memo(faultsById).get('grammar/tilde-range') ?? []) report(fault);
    const misread = new Set(engine.misread.map(({ start }) => start));
    for (const owner of owners(document.items)) {
      for (const node of expressions(owner.body)) {
        if (node.kind !== 'repeat' || node.operator !== '~' || !node.range) continue;
        if (misread.has(node.operatorSpan.start)) continue;
        const counts = /^~\s*([+-]?\d+)(\s*)\.\.(\s*)([+-]?\d+)$/.exec(slice(node.operatorSpan));
        if (counts === null || counts[2] !== '') continue;
        const text = `~${counts[1]} .. ${counts[4]}`;
        report({
          span: node.span,
          levels: { openai: 'warning' },
          message: t(
            'llguidance before 1.9 refuses `{0}`, and a host was seen to refuse it. Write `{1}`, which all versions read.',
            slice(node.operatorSpan),
            text,
          ),
          fixes: [fix(t('Write {0}', text), [{ span: node.operatorSpan, newText: text }], { safe: true })],
        });
      }
    }
  },
};

export const definitionJson: GrammarRule = {
  id: 'grammar/definition-json',
  section: 'grammar',
  summary: 'The JSON string holds a grammar with its line breaks escaped twice, or without any',
  levels: forAll('error'),
  check({ embedded, document, text, report }) {
    if (!embedded) return;
    const at = document.tokens.find(
      (token) => token.kind === 'bad' && /^\\[nrt]?/.test(text.slice(token.start, token.start + 2)),
    );
    if (at === undefined || !/^\\[nrt]/.test(text.slice(at.start, at.start + 2))) return;
    report({
      span: { start: at.start, end: at.start + 2 },
      message: t(
        'The grammar holds a backslash and a letter where a line break is meant: in JSON a line break is `\\n`, with one backslash.',
      ),
      fixes: [fix(t('Make it a line break'), [{ span: { start: at.start, end: at.start + 2 }, newText: '\n' }])],
    });
  },
};
