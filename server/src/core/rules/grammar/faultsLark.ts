import { alternatives, expressions, owners } from '../../grammar/analyse/walk';
import { engineLex } from '../../grammar/dialect/engineLex';
import { engineParse } from '../../grammar/dialect/engineParse';
import type { GrammarProblem, GrammarProblemCode } from '../../grammar/problems';
import type { Fix } from '../../text/finding';
import { sentences, t } from '../../text/message';
import type { Span } from '../../text/span';
import { didYouMean } from '../../text/words';
import type { FaultDraft, FaultList } from './faultList';
import { engineStopped, renameEdits, unlessReached } from './faultsDialect';
import { fix, insertion, removal, wholeLines } from './fixes';
import { ENGINE_ERROR, type GrammarContext, type TargetLevels } from './grammarRule';
import { recursionFix, undefinedFault } from './undefinedName';

/** The rule that reports a load error of Lark, where it is not `grammar/` with the code's own name. */
const IDS: Readonly<Partial<Record<GrammarProblemCode, string>>> = {
  'name.undefined': 'grammar/undefined-name',
  'ignore.undefined': 'grammar/undefined-name',
  'import.collision': 'grammar/import',
  'import.nothing': 'grammar/import',
  'import.not-found': 'grammar/import',
  'import.cycle': 'grammar/import',
  'terminal.recursion': 'grammar/recursive-terminal',
  'terminal.alias': 'grammar/alias-position',
  'terminal.zero-width': 'grammar/zero-width-terminal',
  'rule.inline-and-conditional': 'grammar/rule-modifiers',
  'literal.newline-in-regexp': 'grammar/newline-in-regex',
  'regex.unicode-category': 'grammar/regex-invalid',
};

/** The id of the rule that reports a load error of Lark. */
export function larkId(code: GrammarProblemCode): string {
  return IDS[code] ?? `grammar/${code.replaceAll('.', '-')}`;
}

/** Faults that the engine judges like Lark when it gets that far. */
const SHARED: ReadonlySet<GrammarProblemCode> = new Set<GrammarProblemCode>([
  'name.undefined',
  'ignore.undefined',
  'name.duplicate',
  'import.not-found',
  'import.nothing',
  'import.collision',
  'terminal.recursion',
  'terminal.rule-inside',
  'rule.inline-and-conditional',
  'start.undefined',
]);

/** What reference Lark refuses. */
export function larkFaults(context: GrammarContext, list: FaultList): void {
  const stopped = engineStopped(context);
  const aliasPlaces = strayAliases(context);
  for (const problem of context.loaded.problems) {
    const { code } = problem;
    if (problem.file !== undefined) {
      imported(context, problem, list);
      continue;
    }
    // These say in a roundabout way what other faults say.
    if (code === 'syntax.dialect' || (code === 'syntax.unexpected-colon' && isBrace(context, problem))) continue;
    if (aliasPlaces.some((place) => within(problem.span, place))) continue;
    const levels = levelsOf(context, problem, stopped);
    if (code.startsWith('syntax.')) syntaxFault(context, problem, levels, list);
    else list.add(refine(context, problem, levels));
  }
}

function isBrace({ document }: GrammarContext, { span }: GrammarProblem): boolean {
  return document.marks.some((mark) => mark.kind === 'brace-repeat' && mark.span.start === span.start);
}

function within(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** Aliases that Lark takes for names of rules, or stumbles over. */
function strayAliases({ document }: GrammarContext): Span[] {
  const found: Span[] = [];
  for (const owner of owners(document.items)) {
    const inRule = owner.kind === 'definition' && !owner.name.terminal;
    for (const { alternative, depth } of alternatives(owner.body)) {
      if (alternative.alias === undefined || alternative.arrow === undefined || (depth === 0 && inRule)) continue;
      found.push({ start: alternative.arrow.start, end: alternative.alias.span.end });
    }
  }
  return found;
}

function levelsOf(context: GrammarContext, { code, span }: GrammarProblem, stopped: boolean): TargetLevels {
  const lark = { lark: 'error' as const };
  if (code.startsWith('syntax.')) return stopped && brokenFor(context, span) ? { ...lark, ...ENGINE_ERROR } : lark;
  if (code === 'start.undefined') return stopped ? { ...lark, ...ENGINE_ERROR } : lark;
  if (code === 'name.undefined' || code === 'ignore.undefined' || code === 'terminal.recursion')
    return { ...lark, ...unlessReached(context) };
  return stopped && SHARED.has(code) ? { ...lark, ...ENGINE_ERROR } : lark;
}

/** Whether the engine cannot read the part of the text around a place either, from one definition to the next. */
function brokenFor(context: GrammarContext, span: Span): boolean {
  const regions = context.memo(brokenRegions);
  return regions.some((region) => span.start >= region.start && span.start <= region.end);
}

function brokenRegions({ document, text }: GrammarContext): Span[] {
  const starts = [...new Set([0, ...document.items.map((item) => lineStart(text, item.span.start))])].sort(
    (a, b) => a - b,
  );
  const broken: Span[] = [];
  starts.forEach((start, i) => {
    const end = starts[i + 1] ?? text.length;
    const { tokens, failure } = engineLex(text.slice(start, end));
    if (failure !== undefined || engineParse(tokens).failure !== undefined) broken.push({ start, end });
  });
  return broken;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function imported(context: GrammarContext, problem: GrammarProblem, list: FaultList): void {
  const span = problem.importedAt ?? { start: 0, end: 0 };
  const zero = problem.code === 'terminal.zero-width';
  const message = zero ? problem.message : t('The imported grammar does not load: {0}', problem.message);
  // The provider's engine refuses the import as a whole.
  list.add({
    id: zero ? 'grammar/zero-width-terminal' : 'grammar/import',
    span: pathSpan(context, span),
    message,
    levels: { lark: 'error' },
  });
}

function pathSpan({ document }: GrammarContext, directive: Span): Span {
  const item = document.items.find((each) => each.kind === 'import' && each.span.start === directive.start);
  return item?.kind === 'import' && item.path.length > 0 ? item.path[0]!.span : directive;
}

function syntaxFault(context: GrammarContext, problem: GrammarProblem, levels: TargetLevels, list: FaultList): void {
  const { text } = context;
  const { code, span, message, related } = problem;
  const word = text.slice(span.start, span.end);
  const unclosed = openClass(context, span.start);
  if (code === 'syntax.bad-character' && word.startsWith('/')) {
    list.add(unterminated(context, span.start, levels));
    return;
  }
  if (unclosed !== undefined && (word === ']' || code === 'syntax.misplaced-operator')) {
    const slash = unclosed.end;
    const { lexer } = context.engine;
    list.add({
      id: larkId(code),
      span,
      // The engine reads on and stumbles at the next slash, which is reported there.
      levels: lexer !== undefined && text[lexer.start] === '/' ? { lark: 'error' } : levels,
      message: t(
        'The expression ends at the slash before this place, inside its square brackets. Write `\\/` for a slash.',
      ),
      related: [{ span: { start: slash, end: slash + 1 }, message: t('The expression ends here.') }],
      fixes: [fix(t('Escape the slash'), [insertion(slash, '\\')])],
    });
    return;
  }
  if (/^[!?]+$/.test(word) && text.slice(lineStart(text, span.start), span.start).trim() === '') {
    list.add({
      id: 'grammar/rule-modifiers',
      span,
      levels,
      message: t(
        'The modifiers `!`, `?` and `!?` stand directly in front of the name of a rule; a terminal takes none.',
      ),
      fixes: [fix(t('Remove the modifier'), [removal({ start: span.start, end: nameStart(text, span.end) })])],
    });
    return;
  }
  const fixes = [...quoteFixes(context, problem), ...nameFixes(context, problem)];
  list.add({ id: larkId(code), span, message, levels, related, fixes });
}

function nameStart(text: string, at: number): number {
  let start = at;
  while (text[start] === ' ' || text[start] === '\t') start++;
  return start;
}

/** A regular expression without its closing slash, at the opening one. */
export function unterminated(context: GrammarContext, at: number, levels: TargetLevels): FaultDraft {
  const unclosed = openClass(context, at);
  const lineEnd = context.text.indexOf('\n', at);
  const end = lineEnd < 0 ? context.text.length : lineEnd;
  const fixes: Fix[] = [];
  if (unclosed !== undefined) fixes.push(fix(t('Escape the slash'), [insertion(unclosed.end, '\\')]));
  return {
    id: 'grammar/unterminated-regex',
    span: { start: at, end: Math.max(at + 1, context.text[end - 1] === '\r' ? end - 1 : end) },
    levels,
    message:
      unclosed === undefined
        ? t('The regular expression that starts here has no closing slash. A slash inside one is written `\\/`.')
        : t(
            'This slash opens an expression without an end, because the one before it ended too early: write `\\/` there.',
          ),
    fixes,
  };
}

/** The regular expression on the same line that ends inside square brackets, in front of a place. */
function openClass({ document, text }: GrammarContext, at: number): { readonly end: number } | undefined {
  const line = lineStart(text, at);
  for (const owner of owners(document.items)) {
    if (owner.span.start > at) break;
    for (const node of expressions(owner.body)) {
      if (node.kind !== 'regexp' || node.span.start < line || node.span.end > at) continue;
      const body = text.slice(node.bodySpan.start, node.bodySpan.end).replace(/\\./gs, '  ');
      if (body.lastIndexOf('[') > body.lastIndexOf(']')) return { end: node.bodySpan.end };
    }
  }
  return undefined;
}

function quoteFixes({ text }: GrammarContext, { code, span }: GrammarProblem): Fix[] {
  const word = text.slice(span.start, span.end);
  if (code !== 'syntax.bad-character') return [];
  const single = /^'((?:\\.|[^'\\])*)'$/.exec(word) ?? /^[“”]([^“”]*)[“”]$/.exec(word);
  if (single !== null) {
    const inner = single[1]!.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"');
    return [fix(t('Write double quotes'), [{ span, newText: `"${inner}"` }], { safe: true })];
  }
  if (word.startsWith('"')) return [fix(t('Close the string'), [insertion(span.end, '"')])];
  if (word === ';') return [fix(t('Remove the semicolon'), [removal(span)], { safe: true })];
  return [];
}

function nameFixes(context: GrammarContext, { code, span }: GrammarProblem): Fix[] {
  if (code !== 'syntax.mixed-case-name') return [];
  const name = context.slice(span);
  const snake = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  const fixes = [snake.toLowerCase(), snake.toUpperCase()].map((better, i) => {
    const edits = wholeWords(context.text, name).map((place) => ({ span: place, newText: better }));
    return fix(t('Rename to {0}', better), edits, { preferred: i === (/^[a-z]/.test(name) ? 0 : 1) });
  });
  return fixes;
}

/** Places of a word in the text; literals and comments are passed over. */
function wholeWords(text: string, word: string): Span[] {
  const found: Span[] = [];
  const token = /"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|#[^\n]*|\/(?:\\.|[^/\\\n])+\/|[A-Za-z_][A-Za-z0-9_]*/g;
  for (const match of text.matchAll(token)) {
    if (match[0] === word) found.push({ start: match.index, end: match.index + word.length });
  }
  return found;
}

/** A load error with what the product knows beyond Lark's own message: better places, fixes. */
function refine(context: GrammarContext, problem: GrammarProblem, levels: TargetLevels): FaultDraft | undefined {
  const { code, span, message, related } = problem;
  const draft = { id: larkId(code), span, message, levels, related };
  switch (code) {
    case 'name.undefined':
    case 'ignore.undefined':
      return undefinedFault(context, span, levels);
    case 'terminal.recursion':
      return { ...draft, fixes: recursionFix(context, span) };
    case 'start.undefined':
      return startFault(context, levels, problem);
    case 'name.duplicate': {
      const item = context.document.items.find(
        (each) => each.kind === 'definition' && each.name.span.start === span.start,
      );
      const fixes =
        item === undefined
          ? []
          : [fix(t('Remove this definition'), [removal(wholeLines(context.text, item.span))], { preferred: false })];
      return { ...draft, fixes };
    }
    case 'terminal.zero-width': {
      const taken = t("The provider's engine takes it, and it is optional there.");
      return { ...draft, span: bodyOf(context, span), message: sentences(message, taken) };
    }
    case 'regex.invalid':
    case 'regex.unicode-category': {
      const place = literalAt(context, span);
      if (!/#[^\n]*\/[imslu]*x[imslux]*$/.test(context.slice(place))) return { ...draft, span: place };
      // With the flag `x` the bracket that Lark puts behind the expression falls into a comment at its end.
      const slash = place.start + context.slice(place).lastIndexOf('/');
      return {
        ...draft,
        span: place,
        message: t(
          'Lark puts a bracket behind the expression, and here it falls into the comment. End the comment with a line break.',
        ),
        fixes: [fix(t('Add a line break'), [insertion(slash, '\n')])],
      };
    }
    case 'rule.alias-on-inlined':
      return { ...draft, fixes: aliasFix(context, span) };
    case 'terminal.empty-literal':
      return { ...draft, message: sentences(message, t('An alternative may be left empty instead.')) };
    case 'rule.inline-and-conditional':
      return { ...draft, fixes: [fix(t('Remove the modifier'), [removal(span)])] };
    default:
      return draft;
  }
}

/** The body of a definition where a place is its name; the place itself else. */
function bodyOf({ document }: GrammarContext, span: Span): Span {
  for (const item of document.items) {
    if (item.kind === 'definition' && item.name.span.start === span.start) {
      const first = item.body.items[0]?.items[0] ?? item.body.items[0];
      return { start: first?.span.start ?? item.body.span.start, end: item.body.span.end };
    }
  }
  return span;
}

/** The literal that starts at a place, or the first regular expression of the definition whose name stands there. */
function literalAt({ document }: GrammarContext, span: Span): Span {
  for (const owner of owners(document.items)) {
    const named = owner.kind === 'definition' && owner.name.span.start === span.start;
    for (const node of expressions(owner.body)) {
      if (node.kind !== 'regexp') continue;
      if (named || (node.span.start <= span.start && span.end <= node.span.end)) return node.span;
    }
  }
  return span;
}

function aliasFix({ document }: GrammarContext, span: Span): Fix[] {
  for (const owner of owners(document.items)) {
    for (const { alternative } of alternatives(owner.body)) {
      const { alias, arrow } = alternative;
      if (alias === undefined || arrow === undefined || alias.span.start !== span.start) continue;
      return [fix(t('Remove the alias'), [removal({ start: arrow.start, end: alias.span.end })])];
    }
  }
  return [];
}

/** No rule of the name that reading starts with; `undefined` where none is needed. */
export function startFault(
  context: GrammarContext,
  levels: TargetLevels,
  problem?: GrammarProblem,
): FaultDraft | undefined {
  const { document, library, text } = context;
  if (library) return undefined;
  const rules = document.items.filter((item) => item.kind === 'definition' && !item.name.terminal);
  const first = rules[0];
  if (first?.kind !== 'definition') {
    const start = text.length - text.trimStart().length;
    const end = text.indexOf('\n', start);
    return {
      id: 'grammar/empty',
      span: text.trim() === '' ? { start: 0, end: 0 } : { start, end: end < 0 ? text.length : end },
      levels,
      message:
        text.trim() === ''
          ? t('The grammar is empty: there is no rule `start`, where reading begins.')
          : t('The grammar has no rule, so there is no `start`, where reading begins.'),
    };
  }
  // A template that is used without arguments ends as the same error of Lark.
  if (
    problem !== undefined &&
    document.items.some((item) => item.kind === 'definition' && item.name.text === 'start')
  ) {
    return { id: 'grammar/start-undefined', span: problem.span, levels, message: problem.message };
  }
  const name = first.name.text;
  const near = didYouMean(
    'start',
    rules.flatMap((item) => (item.kind === 'definition' ? [item.name.text] : [])),
  );
  const chosen = near ?? name;
  return {
    id: 'grammar/start-undefined',
    span: first.name.span,
    levels,
    message: t('There is no rule `start`, where reading begins. Is `{0}` meant?', chosen),
    fixes: [
      fix(t('Rename {0} to start', chosen), renameEdits(context, chosen, 'start')),
      fix(t('Add a rule start'), [insertion(lineStart(text, first.span.start), `start: ${chosen}\n`)], {
        preferred: false,
      }),
    ],
  };
}
