import { parseRustRegex } from '../../grammar/regex/parseRust';
import type { RegexProblem } from '../../grammar/regex/tree';
import { type Message, t } from '../../text/message';
import type { Span } from '../../text/span';
import type { FaultList } from './faultList';
import { engineStopped } from './faultsDialect';
import { fix } from './fixes';
import { ENGINE_ERROR, forEngine, type GrammarContext, type TargetLevels } from './grammarRule';
import { literals, type RegexFact, type StringFact } from './literalFacts';
import { lookaroundRewrite } from './rewrites';

/** Faults inside literals. */
export function literalFaults(context: GrammarContext, list: FaultList): void {
  const stopped = engineStopped(context);
  const { regexes, strings } = context.memo(literals);
  // Expressions that stand for bytes are read once more, as bytes.
  const bytes = /"allow_invalid_utf8"\s*:\s*true/.test(context.text);
  for (const fact of regexes) {
    const { node } = fact;
    const refusal = context.engine.refusals.find(({ span, regex }) => regex !== undefined && touches(span, node.span));
    const problem =
      refusal?.regex ??
      (bytes ? parseRustRegex(context.slice(node.bodySpan), letters(node.flags), { bytes }) : fact.rust).problem;
    if (problem !== undefined && !cutOff(context, fact, problem)) {
      const refused = stopped ? fact.reached : refusal !== undefined;
      rustFault(context, fact, problem, refused ? ENGINE_ERROR : forEngine('warning'), list);
    }
    newlines(context, fact, list);
  }
  if (stopped) for (const fact of strings) escapes(context, fact, list);
}

/** Flags without those that are refused by themselves. */
function letters(flags: string): Set<string> {
  return new Set(flags.replaceAll('l', ''));
}

/** An expression that ends too early, which is reported where the rest of it stumbles. */
function cutOff({ engine, text }: GrammarContext, { node }: RegexFact, problem: RegexProblem): boolean {
  if (node.open) return true;
  return problem.code === 'unterminated-class' && engine.lexer !== undefined && text[engine.lexer.start] === '/';
}

function touches(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end + (a.start === a.end ? 1 : 0);
}

const FOREIGN: ReadonlyMap<RegexProblem['code'], string> = new Map<RegexProblem['code'], string>([
  ['lookaround', 'grammar/lookaround'],
  ['backreference', 'grammar/regex-backref'],
  ['boundary', 'grammar/regex-boundary'],
  ['inner-anchor', 'grammar/regex-inner-anchor'],
  ['atomic', 'grammar/regex-atomic'],
  ['z-anchor', 'grammar/regex-z-anchor'],
  ['octal', 'grammar/regex-octal'],
]);

function rustFault(
  context: GrammarContext,
  fact: RegexFact,
  problem: RegexProblem,
  levels: TargetLevels,
  list: FaultList,
): void {
  const { node, offset, python } = fact;
  const id = FOREIGN.get(problem.code);
  if (id === 'grammar/lookaround') {
    const span = { start: offset + problem.span.start, end: offset + problem.span.end };
    const rewrite = lookaroundRewrite(context, fact);
    list.add({
      id,
      span,
      levels,
      message:
        rewrite === undefined
          ? t(
              'The engine refuses look-around. Say what may stand there as a part of the expression, or with classes of characters.',
            )
          : t('The engine refuses look-around. Write `{0}`.', rewrite.shown),
      fixes: rewrite === undefined ? [] : [fix(t('Write {0}', rewrite.shown), rewrite.edits)],
    });
    return;
  }
  // Python takes it, so nothing but the engine's dialect is the cause.
  const message = id === undefined ? invalid(problem) : foreign(problem);
  list.add({ id: id ?? 'grammar/regex-invalid', span: node.span, levels, message });
  if (
    id === undefined &&
    python.problem !== undefined &&
    !context.loaded.problems.some(({ code }) => code === 'regex.invalid')
  )
    list.add({
      id: 'grammar/regex-invalid',
      span: node.span,
      levels: { lark: fact.reached ? 'error' : 'warning' },
      message,
    });
}

function invalid({ message }: RegexProblem): Message {
  return t('The engine cannot read this expression: {0}', message);
}

function foreign({ code }: RegexProblem): Message {
  switch (code) {
    case 'backreference':
      return t('The engine refuses references to groups: what matched before cannot be asked for again.');
    case 'boundary':
      return t(
        'The engine refuses word boundaries. It takes the longest match, so a class of characters is enough where a word ends.',
      );
    case 'inner-anchor':
      return t('The engine takes `^` and `$` only at the outer ends of an expression, where it drops them.');
    case 'atomic':
      return t('The engine refuses atomic groups. It never goes back into a match anyway: write `(?:…)`.');
    case 'z-anchor':
      return t('The engine has no `\\Z`; an expression ends where the token ends, so nothing is needed.');
    default:
      return t('The engine reads no octal escapes; write `\\x00` and the like.');
  }
}

/** A line break in an expression: Lark refuses it without the flag `x`. */
function newlines({ text }: GrammarContext, { node }: RegexFact, list: FaultList): void {
  if (node.flags.includes('x')) return;
  const at = text.slice(node.bodySpan.start, node.bodySpan.end).indexOf('\n');
  if (at < 0) return;
  const body = text.slice(node.bodySpan.start, node.bodySpan.end);
  list.add({
    id: 'grammar/newline-in-regex',
    span: node.span,
    message: t('A line break stands in the expression. Lark refuses it; write `\\n`.'),
    levels: { llguidance: 'warning', openai: 'warning', lark: 'error' },
    fixes: [
      fix(t('Write \\n'), [
        { span: node.bodySpan, newText: body.replaceAll('\r\n', '\\r\\n').replaceAll('\n', '\\n') },
      ]),
    ],
  });
}

const ENGINE_ESCAPE = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})/;

/** Escapes that the engine does not know. Lark keeps the backslash of most of them. */
function escapes({ text }: GrammarContext, { node }: StringFact, list: FaultList): void {
  const { start } = node.span;
  const end = node.span.end - (text[node.span.end - 1] === 'i' ? 2 : 1);
  for (let at = start + 1; at < end; at++) {
    if (text[at] !== '\\') continue;
    const known = ENGINE_ESCAPE.exec(text.slice(at, at + 6));
    if (known !== null) {
      at += known[0].length - 1;
      continue;
    }
    const c = String.fromCodePoint(text.codePointAt(at + 1) ?? 0x20);
    const span = { start: at, end: at + 1 + c.length };
    // Lark reports an escape without its digits as an error of its own.
    if ('xuU'.includes(c) && text[at + 1] !== undefined && !/^\\U[0-9a-fA-F]{8}/.test(text.slice(at, at + 10))) {
      list.add({
        id: 'grammar/literal-bad-escape',
        span,
        message: t('The escape lacks digits: it goes `\\xHH` or `\\uHHHH`.'),
        levels: ENGINE_ERROR,
      });
    } else {
      list.add({
        id: 'grammar/string-escape',
        span,
        message: t(
          'The engine does not know the escape `{0}` and refuses it; Lark matches the backslash too.',
          `\\${c}`,
        ),
        levels: { ...ENGINE_ERROR, lark: 'warning' },
        fixes: [
          fix(t('Match {0} alone', c), [{ span, newText: c }], { preferred: true }),
          fix(t('Match the backslash too'), [{ span, newText: `\\\\${c}` }], { preferred: false, safe: false }),
        ],
      });
    }
    at += c.length;
  }
}
