import { type EngineRefusal, inTerminalMessage } from '../../grammar/dialect/engineCheck';
import type { LexFailure } from '../../grammar/dialect/engineLex';
import { ENGINE_COMMON_NAMES, ENGINE_NESTING } from '../../profiles/llguidance';
import { type Message, t } from '../../text/message';
import type { Span } from '../../text/span';
import { didYouMean, list as wordList } from '../../text/words';
import type { FaultDraft, FaultList } from './faultList';
import { declareFault, overrideFault, priorityFault, repeatedItem, specialFault, templateFault } from './faultsDialect';
import { startFault, unterminated } from './faultsLark';
import { fix, removal } from './fixes';
import { ENGINE_ERROR, type GrammarContext } from './grammarRule';
import { recursionFix, undefinedFault } from './undefinedName';

/** What llguidance refuses once it has read the text. */
export function engineFaults(context: GrammarContext, list: FaultList): void {
  const { engine } = context;
  if (engine.whole === 'blank') list.add(startFault(context, ENGINE_ERROR));
  imports(context, list);
  for (const span of engine.misread) list.add(misreadFault(context, span));
  for (const refusal of engine.refusals) {
    const fault = faultOf(context, refusal);
    if (fault !== undefined) list.add(fault);
  }
}

/** A range of counts that llguidance 1.9.1 misreads where no blank stands in front of it. */
function misreadFault(context: GrammarContext, span: Span): FaultDraft {
  const counts = /^~\s*([+-]?\d+)\.\.\s*([+-]?\d+)$/.exec(context.slice(span));
  const written = context.slice(span);
  const text = counts === null ? undefined : `~${counts[1]} .. ${counts[2]}`;
  return {
    id: 'grammar/tilde-range',
    span: repeatedItem(context, span),
    levels: ENGINE_ERROR,
    message:
      text === undefined
        ? t(
            'Right behind a string with the flag `i` or a bracket, the engine misreads `{0}`. Put blanks around it.',
            written,
          )
        : t(
            'The engine misreads `{0}` right behind a string with the flag `i`, or a bracket that follows one, and refuses the grammar. Write `{1}`.',
            written,
            text,
          ),
    fixes: text === undefined ? [] : [fix(t('Write {0}', text), [{ span, newText: text }], { safe: true })],
  };
}

/** Names that the engine's `common` lacks, also where the engine gives up before it looks at imports. */
function imports(context: GrammarContext, list: FaultList): void {
  const { engine, document } = context;
  if (engine.lexer === undefined && engine.syntax === undefined) return;
  for (const item of document.items) {
    if (item.kind !== 'import' || item.broken) continue;
    const path = item.path.map((name) => name.text);
    const names = item.names ?? item.path.slice(-1);
    const module = item.names === undefined ? path.slice(0, -1).join('.') : path.join('.');
    const span = { start: item.path[0]!.span.start - (item.relative ? 1 : 0), end: item.path.at(-1)!.span.end };
    if (item.relative || module !== 'common') {
      list.add(importFault(context, span, `${item.relative ? '.' : ''}${module}.${names[0]?.text ?? ''}`));
      continue;
    }
    for (const name of names) {
      if (!ENGINE_COMMON_NAMES.includes(name.text)) list.add(importFault(context, name.span, `common.${name.text}`));
    }
  }
}

function importFault(context: GrammarContext, span: Span, path: string): FaultDraft {
  const name = /^common\.([^.]+)$/.exec(path)?.[1];
  const base = { id: 'grammar/import', span, levels: ENGINE_ERROR };
  if (name === undefined) {
    return { ...base, message: t('The engine imports from `common` alone; write the definitions into this grammar.') };
  }
  const near = didYouMean(name, ENGINE_COMMON_NAMES);
  const known = wordList([...ENGINE_COMMON_NAMES]);
  const inLark = name === '_STRING_INNER' || name === '_STRING_ESC_INNER';
  const message = inLark
    ? t(
        'Lark has `common.{0}`, but the engine has not. It has {1} names: {2}.',
        name,
        ENGINE_COMMON_NAMES.length,
        known,
      )
    : t('`common` has no `{0}`. It has {1} names: {2}.', name, ENGINE_COMMON_NAMES.length, known);
  const fixes = near === undefined ? [] : [fix(t('Import {0}', near), [{ span, newText: near }])];
  return { ...base, levels: inLark ? ENGINE_ERROR : importLevels(context), message, fixes };
}

/** Lark reports a name that `common` lacks only where it is used, and then as an undefined name. */
function importLevels(_context: GrammarContext): FaultDraft['levels'] {
  return { ...ENGINE_ERROR, lark: 'warning' };
}

function faultOf(context: GrammarContext, refusal: EngineRefusal): FaultDraft | undefined {
  const { code, span, detail, related } = refusal;
  const plain = (id: string, message: Message, more: Partial<FaultDraft> = {}): FaultDraft => ({
    id: `grammar/${id}`,
    span,
    message,
    levels: ENGINE_ERROR,
    ...more,
  });
  switch (code) {
    case 'no-start':
      if (span.start > 0) return plain('start-undefined', t('A grammar in `%lark` needs a rule `start` of its own.'));
      return startFault(context, ENGINE_ERROR);
    case 'undefined':
      return undefinedFault(context, nameSpan(span, detail), ENGINE_ERROR);
    case 'rule-in-terminal':
      return plain('terminal-rule-inside', t('A terminal is made of literals and terminals; {0} is a rule.', detail));
    case 'duplicate':
      return plain('name-duplicate', t('`{0}` is defined already.', detail), {
        related: related.map((place) => ({ span: place, message: t('The first definition is here.') })),
      });
    case 'priority':
      return priorityFault(context, span);
    case 'template':
      return templateFault(context, templateSpan(context, span));
    case 'declare':
      return declareFault(span);
    case 'override':
      return overrideFault(span);
    case 'import':
      return importFault(context, span, detail);
    case 'recursion':
      return plain('recursive-terminal', t('Terminals cannot contain themselves; `{0}` does. A rule can.', detail), {
        related: related.map((place) => ({ span: place, message: t('The terminal is defined here.') })),
        fixes: recursionFix(context, span),
      });
    case 'regex':
      // Said with the literals, but for a place that the reader of both dialects does not take for one.
      return undefined;
    case 'flag-l':
      return plain('regex-invalid', t('The flag `l` is for bytes; neither Lark nor the engine takes it.'), {
        levels: { ...ENGINE_ERROR, lark: 'error' },
        fixes: [fix(t('Remove the flag l'), [removal(lastLetter(context, span, 'l'))], { safe: true })],
      });
    case 'flag-twice':
      return plain('provider-refuses', t('The engine refuses a flag that stands twice: `{0}`.', detail));
    case 'range':
      if (detail === 'bytes') {
        return plain(
          'regex-invalid',
          t('With `allow_invalid_utf8` a range is one of bytes, so the engine refuses ends beyond ASCII.'),
        );
      }
      return detail === 'length'
        ? plain('range-not-one-character', t('Both ends of a range are strings of exactly one character.'))
        : plain('regex-invalid', t('The range goes backwards: its first character comes behind its last.'));
    case 'repeat':
      return plain(
        'repeat-bad-range',
        detail === 'negative' ? t('A count cannot be negative.') : t('The lower count is greater than the upper one.'),
        { span: repeatItem(context, span) },
      );
    case 'special':
      return undefined;
    case 'in-terminal':
      if (detail === 'special') return undefined;
      return plain('provider-refuses', inTerminalMessage(detail));
    case 'intersection':
      return plain('provider-refuses', t('`&` works on terminals only: give the parts a name in upper case.'));
    case 'condition':
      return plain('provider-refuses', t('`%if` has no place in a terminal.'));
    case 'parameter':
      return plain('provider-refuses', parameterMessage(detail));
    case 'grammar-name':
      return plain('provider-refuses', t('`{0}` names another grammar, and there is none beside this one.', detail));
    case 'json':
      return plain('provider-refuses', t('The engine refuses the schema behind `%json`: {0}.', detail));
    case 'structured-regex':
      return plain('provider-refuses', structuredRegexMessage());
    case 'header':
      return plain(
        'provider-refuses',
        detail === ''
          ? t('Behind `%llguidance` stands an object with options.')
          : t('The option {0} is true or false.', detail),
      );
    default:
      return plain('provider-refuses', attributeMessage(detail));
  }
}

/** Of `name::parameter` the name alone. */
function nameSpan({ start }: Span, name: string): Span {
  return { start, end: start + name.length };
}

/** A use of a template at its brace, as a definition is at its own. */
function structuredRegexMessage(): Message {
  return t(
    '`%regex` takes exactly one of substring_chunks (a list of strings), substring_words and substring_chars (a string), and nothing else.',
  );
}

function templateSpan({ text }: GrammarContext, span: Span): Span {
  return text[span.start] === '{' ? span : { start: span.start, end: Math.max(span.start + 1, span.end) };
}

function lastLetter({ text }: GrammarContext, span: Span, letter: string): Span {
  const at = text.lastIndexOf(letter, span.end - 1);
  return { start: at, end: at + 1 };
}

/** A repetition is reported at what is repeated. */
function repeatItem({ document }: GrammarContext, operator: Span): Span {
  let start = operator.start;
  for (const token of document.tokens) {
    if (token.end > operator.start) break;
    if (token.kind !== 'space') start = token.start;
  }
  return { start, end: operator.end };
}

function parameterMessage(detail: string): Message {
  switch (detail) {
    case 'unused':
      return t('The rule has a parameter, and nothing in it uses the parameter.');
    case 'missing':
      return t('This needs a parameter, and the rule that it stands in has none: write `name::_:`.');
    case 'start':
      return t('The rule `start` cannot have a parameter.');
    default:
      return t('A rule with a parameter is used with one, and only such a rule.');
  }
}

function attributeMessage(detail: string): Message {
  switch (detail) {
    case 'parametric':
      return t('A rule with a parameter takes none of the attributes lazy, stop, suffix, max_tokens and temperature.');
    case 'stop_capture':
      return t('The attribute stop_capture needs stop or suffix.');
    default:
      return t('The attributes stop and suffix exclude each other.');
  }
}

/** The engine's own refusal, where nothing else explains it. */
export function uncovered(context: GrammarContext, list: FaultList): void {
  const { engine, text } = context;
  if (engine.loads) return;
  const { lexer, syntax } = engine;
  if (lexer !== undefined) {
    if (text[lexer.start] === '/') {
      if (!list.all().some((fault) => fault.id === 'grammar/unterminated-regex')) {
        list.add(unterminated(context, lexer.start, ENGINE_ERROR));
      }
      return;
    }
    const at = Math.min(lexer.at, text.length);
    const end = Math.min(text.length, at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));
    const span = { start: at, end };
    const line = { start: text.lastIndexOf('\n', at - 1) + 1, end };
    if (list.refused({ start: lexer.start, end }) || list.refused(line)) return;
    list.add({
      id: 'grammar/provider-refuses',
      span: lexer.reason === 'character' ? span : { start: lexer.start, end: lexer.reason === 'regex' ? at : end },
      levels: ENGINE_ERROR,
      message: lexerMessage(text, lexer.start, at, lexer.reason),
    });
    return;
  }
  if (syntax?.reason === 'nesting') {
    list.add({
      id: 'grammar/nesting-depth',
      span: syntax.span,
      levels: ENGINE_ERROR,
      message: t(
        'More than {0} brackets stand inside one another, which the engine refuses. Give a part a name of its own.',
        ENGINE_NESTING,
      ),
    });
    return;
  }
  if (list.refused()) return;
  if (syntax !== undefined) {
    list.add({
      id: 'grammar/provider-refuses',
      span: place(text, syntax.span),
      levels: ENGINE_ERROR,
      message: syntaxMessage(syntax.reason, syntax.detail),
    });
    return;
  }
  const [refusal] = engine.refusals;
  if (refusal?.regex !== undefined) {
    const message = t('The engine cannot read this expression: {0}', refusal.regex.message);
    list.add({ id: 'grammar/regex-invalid', span: refusal.span, levels: ENGINE_ERROR, message });
    return;
  }
  if (refusal?.code === 'special') {
    list.add(specialFault(context, refusal.span, refusal.detail));
    return;
  }
  list.add({
    id: 'grammar/provider-refuses',
    span: refusal?.span ?? { start: 0, end: Math.min(1, text.length) },
    levels: ENGINE_ERROR,
    message: t('The engine refuses the grammar.'),
  });
}

/** A line end is shown as the end of the line before it. */
function place(text: string, span: Span): Span {
  if (span.start >= text.length) return { start: Math.max(0, text.trimEnd().length - 1), end: text.trimEnd().length };
  return text[span.start] === '\n' || text[span.start] === '\r'
    ? { start: Math.max(0, span.start - 1), end: span.start }
    : span;
}

function lexerMessage(text: string, start: number, at: number, reason: LexFailure['reason']): Message {
  if (reason === 'regex') return structuredRegexMessage();
  if (reason === 'json')
    return t('The engine reads JSON here, strictly: no comments, no trailing commas, double quotes.');
  if (text[start] === '"') {
    return t(
      'The engine takes no line breaks, tabs and other control characters in a string; write `\\n`, `\\t` and the like.',
    );
  }
  const c = text[at];
  if (c === undefined || c === '\n') return t('The engine expects something more before the end of the line.');
  return t('The engine reads no {0} here.', JSON.stringify(c));
}

function syntaxMessage(reason: string, detail: string): Message {
  switch (reason) {
    case 'item':
      return t('The engine expects a definition or a directive here: the one before has ended.');
    case 'value':
      return t('The engine expects a name, a literal or a bracket here.');
    case 'number':
      return t('The engine cannot read the number {0} here.', detail);
    case 'count-zero':
      return t('The engine refuses a count of zero in braces; leave the item out.');
    case 'string':
      return t('The string holds half of a surrogate pair, which is no character.');
    case 'flags':
      return t('The engine takes no flag here.');
    case 'attribute':
      return t('The engine knows no attribute {0}.', detail);
    case 'several-stops':
      return t('A rule takes one of the attributes stop, suffix and lazy.');
    case 'declare-empty':
      return t('`%declare` needs names, and the engine refuses it with names too.');
    case 'nested-open':
      return t('Behind `%lark` goes a grammar in braces; the closing one stands on a line of its own.');
    case 'parameter':
      return t(
        'The engine does not know this parameter or condition: {0}.',
        detail === '' ? t('it is incomplete') : detail,
      );
    case 'name':
      return t('The engine expects a name here.');
    default:
      return t('The engine expects `{0}` here.', detail);
  }
}
