import { expressions, owners } from '../../../grammar/analyse/walk';
import type { Alternatives, Expression, RegexpLiteral } from '../../../grammar/ast';
import { caseGaps, explosions, negatedWords, numberedReferences, stackedRepeats } from '../../../grammar/regex/lints';
import { rewriteLazy } from '../../../grammar/regex/rewrite';
import type { RegexTree } from '../../../grammar/regex/tree';
import { t } from '../../../text/message';
import type { Span } from '../../../text/span';
import { fix, insertion } from '../fixes';
import { forAll, forEngine, type GrammarContext, type GrammarRule } from '../grammarRule';
import { literals, type RegexFact } from '../literalFacts';
import { grammarNamesOf } from '../names';
import { lazyRewrite } from '../rewrites';

function at({ offset }: RegexFact, span: Span): Span {
  return { start: offset + span.start, end: offset + span.end };
}

/** The expression without the lazy mark at a place, where one is known that matches the very same texts. */
function exactRewrite({ python }: RegexFact, body: string, question: number): string | undefined {
  const rewrite = python.tree === undefined ? undefined : rewriteLazy(python.tree);
  if (rewrite === undefined || question < rewrite.span.start || question >= rewrite.span.end) return undefined;
  return body.slice(0, rewrite.span.start) + rewrite.text + body.slice(rewrite.span.end);
}

export const lazyQuantifier: GrammarRule = {
  id: 'grammar/lazy-quantifier',
  section: 'grammar',
  summary: 'A lazy quantifier, which means nothing to the provider',
  levels: { llguidance: 'warning', openai: 'error' },
  check(context) {
    for (const fact of context.memo(literals).regexes) {
      const { rust, node } = fact;
      for (const mark of rust.tree?.marks ?? []) {
        if (mark.code !== 'lazy') continue;
        // The mark is the last character of the quantifier.
        const question = mark.span.end - 1;
        const span = at(fact, { start: question, end: mark.span.end });
        const body = context.slice(node.bodySpan);
        const better = lazyRewrite(body, question) ?? exactRewrite(fact, body, question);
        const base = context.on('openai')
          ? t(
              'OpenAI does not support lazy quantifiers, and the engine reads them as greedy, so it runs on to the last place where it can stop.',
            )
          : t('The engine reads lazy quantifiers as greedy, so it runs on to the last place where it can stop.');
        context.report({
          span,
          message: better === undefined ? base : t('{0} Use a negated class: `/{1}/`.', base, better),
          fixes:
            better === undefined
              ? [fix(t('Remove the ?'), [{ span, newText: '' }], { preferred: false })]
              : [fix(t('Write /{0}/', better), [{ span: node.bodySpan, newText: better }])],
        });
      }
    }
  },
};

export const stackedQuantifier: GrammarRule = {
  id: 'grammar/stacked-quantifier',
  section: 'grammar',
  summary: 'A quantifier behind a quantifier, which takes the bound away',
  levels: forEngine('warning'),
  check(context) {
    for (const fact of context.memo(literals).regexes) {
      if (fact.rust.tree === undefined) continue;
      for (const { outer, losesBound } of stackedRepeats(fact.rust.tree)) {
        if (!losesBound) continue;
        context.report({
          span: at(fact, outer.operatorSpan),
          message: t('This quantifier repeats the one in front of it and so takes its bound away. Lark refuses it.'),
          fixes: [fix(t('Remove the second quantifier'), [{ span: at(fact, outer.operatorSpan), newText: '' }])],
        });
      }
    }
  },
};

export const suspiciousClass: GrammarRule = {
  id: 'grammar/suspicious-class',
  section: 'grammar',
  summary: 'A class of characters that probably means something else',
  levels: forAll('hint'),
  check(context) {
    for (const fact of context.memo(literals).regexes) {
      const tree = fact.rust.tree ?? fact.python.tree;
      if (tree === undefined || tree.source.length !== fact.node.bodySpan.end - fact.node.bodySpan.start) continue;
      for (const { span, word } of negatedWords(tree)) {
        context.report({
          span: at(fact, span),
          message: t('This excludes the letters {0}, not the word `{1}`.', [...word].join(' '), word),
        });
      }
      for (const span of caseGaps(tree)) {
        const place = at(fact, span);
        context.report({
          span: place,
          message: t(
            'Between the capitals and the small letters lie `[ \\ ] ^ _` and the backtick, which this range also holds.',
          ),
          ...(context.slice(place) === 'A-z' && {
            fixes: [fix(t('Write A-Za-z'), [{ span: place, newText: 'A-Za-z' }])],
          }),
        });
      }
    }
  },
};

export const numberedBackreference: GrammarRule = {
  id: 'grammar/numbered-backreference',
  section: 'grammar',
  summary: 'A reference to a group by number, which breaks in a lexer',
  levels: { lark: 'warning' },
  check(context) {
    for (const fact of context.memo(literals).regexes) {
      if (fact.python.tree === undefined) continue;
      if (numberedReferences(fact.python.tree).length === 0) continue;
      context.report({
        span: fact.node.span,
        message: t(
          'Lark joins all expressions into one, where the number of the group is another. Use a named group: `(?P<name>…)` and `(?P=name)`.',
        ),
      });
    }
  },
};

export const leadingInlineFlag: GrammarRule = {
  id: 'grammar/leading-inline-flag',
  section: 'grammar',
  summary: 'Flags at the beginning of an expression, which break in a lexer',
  levels: { lark: 'warning' },
  check(context) {
    for (const { node } of context.memo(literals).regexes) {
      const flags = /^\(\?([imsx]+)\)/.exec(context.slice(node.bodySpan));
      if (flags === null) continue;
      const all = [...new Set(node.flags + flags[1]!)].join('');
      context.report({
        span: node.span,
        message: t(
          'Lark joins all expressions into one, where flags at the beginning are refused. Write them behind the closing slash.',
        ),
        fixes: [
          fix(
            t('Move the flags to the end'),
            [
              { span: { start: node.bodySpan.start, end: node.bodySpan.start + flags[0].length }, newText: '' },
              { span: { start: node.bodySpan.end + 1, end: node.span.end }, newText: all },
            ],
            { safe: true },
          ),
        ],
      });
    }
  },
};

/** By tree: trees of expressions outlive a check. */
const explosive = new WeakMap<RegexTree, { readonly loop: ReturnType<typeof explosions>[number] | undefined }>();

function explosionOf(tree: RegexTree) {
  let known = explosive.get(tree);
  if (known === undefined) {
    known = { loop: explosions(tree, { steps: 5000 })[0] };
    explosive.set(tree, known);
  }
  return known.loop;
}

export const regexCatastrophic: GrammarRule = {
  id: 'grammar/regex-catastrophic',
  section: 'grammar',
  summary: 'An expression that backtracks for an exponential time',
  levels: { lark: 'warning' },
  check(context) {
    if (!context.on('lark')) return;
    for (const { node, python } of context.memo(literals).regexes) {
      const loop = python.tree === undefined ? undefined : explosionOf(python.tree);
      if (loop === undefined) continue;
      context.report({
        span: node.span,
        message: t(
          'Python tries exponentially many ways on a text that does not match: one round of the loop can read `{0}` in several ways.',
          loop.text,
        ),
      });
    }
  },
};

/** Whether a literal has alternatives outside of brackets, so that Lark does not keep them together. */
function leaks(context: GrammarContext, node: Expression): node is RegexpLiteral {
  if (node.kind !== 'regexp' || node.flags !== '') return false;
  const fact = context.memo(literals).regexes.find((each) => each.node === node);
  return fact?.python.tree?.root.kind === 'alternation';
}

export const regexAlternationLeak: GrammarRule = {
  id: 'grammar/regex-alternation-leak',
  section: 'grammar',
  summary: 'Alternatives of an expression are not kept together where Lark joins it with others',
  levels: forAll('warning'),
  check(context) {
    const names = context.memo(grammarNamesOf);
    const reported = new Set<Expression>();
    for (const owner of owners(context.document.items)) {
      if (owner.kind === 'definition' && !owner.name.terminal) continue;
      const bodies: Alternatives[] = [owner.body];
      for (const node of expressions(owner.body))
        if (node.kind === 'group' || node.kind === 'optional') bodies.push(node.body);
      for (const { items } of bodies.flatMap((body) => body.items)) {
        if (items.length < 2) continue;
        for (const item of items) {
          const literal =
            item.kind === 'reference' ? onlyLiteral(names.symbols.get(item.name.text)?.definition?.body) : inner(item);
          if (literal === undefined || reported.has(literal) || !leaks(context, literal)) continue;
          reported.add(literal);
          context.report({
            span: literal.span,
            message: t(
              'Lark joins this with its neighbors as text, so its alternatives reach over them; llguidance keeps them together. Put `(?:…)` around them.',
            ),
            fixes: [
              fix(t('Put (?:…) around the alternatives'), [
                insertion(literal.bodySpan.start, '(?:'),
                insertion(literal.bodySpan.end, ')'),
              ]),
            ],
          });
        }
      }
    }
  },
};

/** The literal that a body consists of. */
function onlyLiteral(body: Alternatives | undefined): Expression | undefined {
  const items = body?.items.length === 1 ? body.items[0]!.items : [];
  return items.length === 1 ? inner(items[0]!) : undefined;
}

function inner(expression: Expression): Expression | undefined {
  return expression.kind === 'group' ? onlyLiteral(expression.body) : expression;
}

export const stringEscapeDiffers: GrammarRule = {
  id: 'grammar/string-escape-differs',
  section: 'grammar',
  summary: 'An escape in a string that Lark and the provider read differently',
  levels: forAll('warning'),
  check(context) {
    for (const { node } of context.memo(literals).strings) {
      for (const match of node.raw.matchAll(/\\([\s\S])/g)) {
        if (match[1] !== '/' && match[1] !== 'b') continue;
        const start = node.span.start + match.index;
        context.report({
          span: { start, end: start + 2 },
          message:
            match[1] === '/'
              ? t('The engine matches a slash; Lark matches the backslash too. A slash needs no escape in a string.')
              : t('The engine matches a backspace; Lark matches a backslash and a `b`. Write `\\x08` for a backspace.'),
          fixes: [
            fix(match[1] === '/' ? t('Write /') : t('Write \\x08'), [
              { span: { start, end: start + 2 }, newText: match[1] === '/' ? '/' : '\\x08' },
            ]),
          ],
        });
      }
    }
  },
};
