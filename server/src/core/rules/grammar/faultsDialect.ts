import { alternatives, expressions, owners } from '../../grammar/analyse/walk';
import type { DialectMark } from '../../grammar/ast';
import { tokenRefusal } from '../../grammar/dialect/engineCheck';
import { ENGINE_LAST_TOKEN } from '../../profiles/llguidance';
import { type Message, t } from '../../text/message';
import type { Span } from '../../text/span';
import type { FaultDraft, FaultList } from './faultList';
import { fix, insertion, removal } from './fixes';
import { templateFixes } from './fixTemplate';
import { ENGINE_ERROR, forEngine, type GrammarContext } from './grammarRule';

/** Whether the engine gives up before it knows what the text means, so that every fault of its syntax counts. */
export function engineStopped({ engine }: GrammarContext): boolean {
  return engine.whole !== undefined || engine.lexer !== undefined || engine.syntax !== undefined;
}

/** Constructs that one of the dialects has and the other has not. */
export function dialectFaults(context: GrammarContext, list: FaultList): void {
  const stopped = engineStopped(context);
  for (const mark of context.document.marks) {
    if (mark.only === 'llguidance') larkLacks(context, mark, list);
    else if (stopped) {
      const fault = engineLacks(context, mark);
      if (fault !== undefined) list.add(fault);
    }
  }
  aliases(context, list);
}

function larkLacks(context: GrammarContext, mark: DialectMark, list: FaultList): void {
  const { span } = mark;
  switch (mark.kind) {
    case 'dash-name': {
      const name = context.slice(span);
      const better = name.replace(/-+$/, '').replace(/-+/g, '_');
      list.add({
        id: 'grammar/dash-name',
        span,
        message: t('Names have no dash in Lark: `{0}` is read as several words. An underscore does.', name),
        levels: { lark: 'error' },
        fixes: [fix(t('Rename to {0}', better), renameEdits(context, name, better))],
      });
      return;
    }
    case 'special-token': {
      const { engine } = context;
      const refusal = engine.refusals.find(
        ({ code, span: at }) => (code === 'special' || code === 'in-terminal') && at.start === span.start,
      );
      const detail = engineStopped(context) ? tokenRefusal(context.slice(span)) : refusal?.detail;
      list.add(specialFault(context, span, detail));
      return;
    }
    default:
      list.add({
        id: 'grammar/engine-extension',
        span: mark.kind === 'brace-repeat' ? repeatedItem(context, span) : span,
        message: extensionMessage(mark),
        levels: { llguidance: 'warning', openai: 'warning', lark: 'error' },
        fixes: mark.kind === 'brace-repeat' ? braceFix(context, span) : [],
      });
  }
}

/**
 * A token in angle brackets. Which exist depends on the model, so the provider is not asked for one.
 * @param detail Why the engine refuses it; `undefined` where it takes it, or does not get there.
 */
export function specialFault(context: GrammarContext, span: Span, detail: string | undefined): FaultDraft {
  const written = context.slice(span);
  const text = JSON.stringify(written);
  let message: Message;
  if (detail === 'large') {
    message = t(
      'The engine is asked here with {0} tokens, single bytes and the end, so it refuses `{1}`; the numbers of a model are its own. For plain text write a string: {2}.',
      ENGINE_LAST_TOKEN + 1,
      written,
      text,
    );
  } else if (detail === 'range' || detail === 'empty' || detail === 'negated-any' || detail === 'mixed-any') {
    message = t('The engine cannot read these numbers of tokens; they go `<[7]>`, `<[7-9,12]>`, `<[^7]>` or `<[*]>`.');
  } else {
    message = t(
      'Angle brackets ask for a special token of the model, which depends on its tokenizer. For plain text write a string: {0}.',
      text,
    );
  }
  return {
    id: 'grammar/special-token',
    span,
    message,
    levels: { llguidance: detail === undefined ? 'warning' : 'error', openai: 'error', lark: 'error' },
    fixes: [fix(t('Write a string'), [{ span, newText: text }])],
  };
}

/** The repetition whose counts stand at a place. */
export function repeatedItem({ document }: GrammarContext, operator: Span): Span {
  for (const owner of owners(document.items)) {
    if (operator.start < owner.span.start || operator.start >= owner.span.end) continue;
    for (const node of expressions(owner.body)) {
      if (node.kind === 'repeat' && node.operatorSpan.start === operator.start) return node.span;
    }
  }
  return operator;
}

function braceFix(context: GrammarContext, span: Span): ReturnType<typeof fix>[] {
  const counts = /^\{[ \t]*(\d*)[ \t]*(,?)[ \t]*(\d*)[ \t]*\}$/.exec(context.slice(span));
  if (counts === null) return [];
  const [, least = '', comma = '', most = ''] = counts;
  if (comma === '' && least !== '') return [fix(t('Write ~{0}', least), [{ span, newText: `~${least}` }])];
  if (most === '') return [];
  const text = `~${least === '' ? '0' : least} .. ${most}`;
  return [fix(t('Write {0}', text), [{ span, newText: text }])];
}

function extensionMessage({ kind }: DialectMark): Message {
  const portable = (what: string): Message =>
    t('{0} is an extension of llguidance: Lark refuses it, and the provider does not promise it.', what);
  switch (kind) {
    case 'attributes':
      return t(
        'Attributes in square brackets are an extension of llguidance: Lark refuses them, and the provider does not promise them.',
      );
    case 'parameter':
      return portable('`::`');
    case 'condition':
      return portable('`%if`');
    case 'intersection':
      return portable('`&`');
    case 'negation':
      return portable('`~` in front of an item');
    case 'brace-repeat':
      return t('Counts in braces are an extension of llguidance; Lark writes `~n` and `~n..m`.');
    case 'json':
      return portable('`%json`');
    case 'structured-regex':
      return portable('`%regex`');
    case 'nested-grammar':
      return portable('`%lark`');
    case 'grammar-name':
      return portable('`@`');
    default:
      return portable('`%llguidance`');
  }
}

/** What only Lark reads, where the engine gives up at the syntax; else its own refusals say it. */
function engineLacks(context: GrammarContext, mark: DialectMark): FaultDraft | undefined {
  const { span, kind } = mark;
  switch (kind) {
    case 'priority':
      return priorityFault(context, span);
    case 'template-definition':
    case 'template-use':
      return templateFault(context, span);
    case 'declare':
      return declareFault(span);
    case 'override':
      return overrideFault(span);
    case 'relative-import':
      return undefined;
    case 'modifier-order': {
      const text = context.slice(span);
      return {
        id: 'grammar/rule-modifiers',
        span,
        message: t(
          'The engine reads `!?` in front of a name, but not `{0}`. Without them it accepts the same texts.',
          text,
        ),
        levels: ENGINE_ERROR,
        fixes: [fix(t('Write !?'), [{ span, newText: '!?' }], { safe: true })],
      };
    }
    case 'extend':
      return {
        id: 'grammar/extend',
        span,
        message: t('The engine has no `%extend`; add the alternatives to the definition itself.'),
        levels: ENGINE_ERROR,
      };
    case 'continuation':
      return {
        id: 'grammar/continuation',
        span: { start: span.start, end: span.start + 1 },
        message: t('The engine does not read a backslash at the end of a line; put the rest on the same line.'),
        levels: ENGINE_ERROR,
        fixes: [fix(t('Join the lines'), [{ span, newText: ' ' }], { safe: true })],
      };
    case 'interrupted-bar':
      return barFault(context, span);
    default:
      return undefined;
  }
}

export function priorityFault({ slice }: GrammarContext, span: Span): FaultDraft {
  return {
    id: 'grammar/terminal-priority',
    span,
    message: t(
      'The engine supports no priorities and refuses `{0}`. It takes the longest match, so make the terminals disjoint instead.',
      slice(span),
    ),
    levels: ENGINE_ERROR,
    fixes: [fix(t('Drop the priority'), [removal(span)])],
  };
}

export function templateFault(context: GrammarContext, span: Span): FaultDraft {
  return {
    id: 'grammar/template',
    span,
    message: t('The engine supports no templates; write the rules out.'),
    levels: ENGINE_ERROR,
    fixes: templateFixes(context, span),
  };
}

export function declareFault(span: Span): FaultDraft {
  return {
    id: 'grammar/declare',
    span,
    message: t(
      'The engine has no `%declare`: no other program makes tokens for it. Define the terminals by what they match.',
    ),
    levels: ENGINE_ERROR,
  };
}

export function overrideFault(span: Span): FaultDraft {
  return {
    id: 'grammar/override',
    span,
    message: t('The engine has no `%override`; change the definition itself.'),
    levels: ENGINE_ERROR,
  };
}

function barFault(context: GrammarContext, span: Span): FaultDraft {
  const { tokens } = context.document;
  const index = tokens.findIndex((token) => token.kind === 'or' && token.end === span.end);
  const between = [];
  for (let i = index - 1; i >= 0 && ['space', 'comment', 'lineBreak', 'newline'].includes(tokens[i]!.kind); i--)
    between.unshift(tokens[i]!);
  const comments = between.filter((token) => token.kind === 'comment');
  const from = between[0]?.start ?? span.start;
  const bar = span.end - 1;
  const lineEnd = context.text.indexOf('\n', bar);
  const end = lineEnd < 0 ? context.text.length : lineEnd;
  const indent = /[ \t]*$/.exec(context.text.slice(from, bar))![0];
  const note = comments.map((token) => context.slice(token).replace(/^(?:\/\/|#)\s*/, '')).join('; ');
  const hasNote = /(?:\/\/|#)/.test(context.text.slice(bar, end).replace(/"(?:\\.|[^"\\])*"/g, ''));
  const edits = [{ span: { start: from, end: bar }, newText: `\n${indent}` }];
  if (note !== '' && !hasNote) edits.push(insertion(context.text[end - 1] === '\r' ? end - 1 : end, ` // ${note}`));
  const fixes = note !== '' && hasNote ? [] : [fix(t('Move the comment to the end of the line'), edits)];
  return {
    id: 'grammar/comment-before-pipe',
    span: { start: bar, end: span.end },
    message: t(
      'For the engine the definition ends before this bar: only empty lines may stand in front of it, no comment and no line of blanks.',
    ),
    levels: ENGINE_ERROR,
    fixes,
  };
}

/** Aliases that stand where Lark reads none; the engine reads and drops them everywhere. */
function aliases({ document }: GrammarContext, list: FaultList): void {
  for (const owner of owners(document.items)) {
    const inRule = owner.kind === 'definition' && !owner.name.terminal;
    for (const { alternative, depth } of alternatives(owner.body)) {
      const { arrow, alias } = alternative;
      if (arrow === undefined || alias === undefined || (depth === 0 && inRule)) continue;
      const span = { start: arrow.start, end: alias.span.end };
      list.add({
        id: 'grammar/alias-position',
        span,
        message: inRule
          ? t('Lark reads an alias only at the end of a whole alternative of a rule, not inside brackets.')
          : t('Lark reads an alias only in rules; a terminal makes no node that could have a name.'),
        levels: { lark: 'error' },
        fixes: [
          fix(t('Remove the alias'), [removal({ start: beforeBlanks(document.text, arrow.start), end: span.end })]),
        ],
      });
    }
  }
}

function beforeBlanks(text: string, at: number): number {
  let start = at;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start--;
  return start;
}

/** Renames a name wherever it stands as a whole token. */
export function renameEdits({ document }: GrammarContext, from: string, to: string): { span: Span; newText: string }[] {
  const { text, tokens } = document;
  return tokens
    .filter(
      (token) => (token.kind === 'rule' || token.kind === 'terminal') && text.slice(token.start, token.end) === from,
    )
    .map(({ start, end }) => ({ span: { start, end }, newText: to }));
}

/** The level of what the engine refuses only if it gets there. */
export function unlessReached(context: GrammarContext): ReturnType<typeof forEngine> {
  return engineStopped(context) ? ENGINE_ERROR : forEngine('warning');
}
