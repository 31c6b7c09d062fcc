import type { GrammarNames } from '../../grammar/analyse/names';
import { ENGINE_COMMON_NAMES } from '../../profiles/llguidance';
import type { Fix } from '../../text/finding';
import { type Message, t } from '../../text/message';
import type { Span } from '../../text/span';
import { didYouMean, editDistance } from '../../text/words';
import type { FaultDraft } from './faultList';
import { renameEdits } from './faultsDialect';
import { fix, insertion } from './fixes';
import type { GrammarContext, TargetLevels } from './grammarRule';
import { grammarNamesOf } from './names';

/** A name that nothing defines, with what may be meant. */
export function undefinedFault(context: GrammarContext, span: Span, levels: TargetLevels): FaultDraft {
  const name = context.slice(span);
  return { id: 'grammar/undefined-name', span, levels, ...explain(context, name, span) };
}

function explain(context: GrammarContext, name: string, span: Span): { message: Message; fixes: readonly Fix[] } {
  const { text } = context;
  const names = context.memo(grammarNamesOf);
  const terminal = /^_?[A-Z]/.test(name);
  const before = text[span.start - 1];
  if (before === '/' || (before === '"' && text.slice(0, span.start).length > 0)) {
    const literal = before === '/' ? t('a regular expression') : t('a string');
    return {
      message: t('`{0}` is no flag of {1}; it is read as the name of a rule, which is not defined.', name, literal),
      fixes: [fix(t('Remove {0}', name), [{ span, newText: '' }])],
    };
  }
  const near =
    didYouMean(
      name,
      [...names.symbols.keys()].filter((other) => other !== name),
    ) ?? spareName(name, terminal, names);
  const captured = names.captures.get(name);
  if (captured !== undefined) {
    return {
      message: t('`{0}` is what the rule `{1}` captures; a capture is no rule. Did you mean `{1}`?', name, captured),
      fixes: [replaceFix(context, name, captured, span)],
    };
  }
  const fixes: Fix[] = [];
  if (near !== undefined) fixes.push(replaceFix(context, name, near, span));
  if (terminal && ENGINE_COMMON_NAMES.includes(name)) {
    fixes.unshift(
      fix(t('Import common.{0}', name), [insertion(context.text.length, `${needsLine(text)}%import common.${name}\n`)]),
    );
    return {
      message: t('The terminal `{0}` is not defined. `%import common.{0}` brings the one of the library.', name),
      fixes: fixes.map((each, i) => ({ ...each, preferred: i === 0 })),
    };
  }
  const body = terminal ? `/${name.toLowerCase()}/` : `"${name}"`;
  const at = lineEnd(text, span);
  fixes.push(
    fix(t('Define {0}', name), [insertion(at, `${at > 0 && text[at - 1] !== '\n' ? '\n' : ''}${name}: ${body}\n`)]),
  );
  const kind = terminal ? t('The terminal `{0}` is not defined.', name) : t('The rule `{0}` is not defined.', name);
  const message = near === undefined ? kind : t('{0} Did you mean `{1}`?', kind, near);
  return { message, fixes: fixes.map((each, i) => ({ ...each, preferred: i === 0 })) };
}

/** A definition of the kind that nothing uses, a slip or two away: it waits for a name like this. */
function spareName(name: string, terminal: boolean, names: GrammarNames): string | undefined {
  const spare = [...names.symbols.values()].filter(
    (symbol) => symbol.uses.length === 0 && symbol.name !== 'start' && symbol.terminal === terminal,
  );
  return spare.find((symbol) => Math.min(name.length, symbol.name.length) > 3 && editDistance(name, symbol.name, 3) < 3)
    ?.name;
}

function replaceFix(context: GrammarContext, name: string, better: string, span: Span): Fix {
  const places = context
    .memo(grammarNamesOf)
    .uses.filter((use) => use.name === name)
    .map((use) => use.span);
  const edits = places.map((place) => ({ span: place, newText: better }));
  return fix(t('Write {0}', better), edits.length > 0 ? edits : [{ span, newText: better }]);
}

function needsLine(text: string): string {
  return text === '' || text.endsWith('\n') ? '' : '\n';
}

/** Behind the definition that a place lies in: its line and those that go on with a bar. */
function lineEnd(text: string, span: Span): number {
  let at = text.indexOf('\n', span.end);
  for (;;) {
    if (at < 0) return text.length;
    const next = /\n[\s]*\|[^\n]*/y;
    next.lastIndex = at;
    const more = next.exec(text);
    if (more === null) return at + 1;
    at = text.indexOf('\n', next.lastIndex);
  }
}

/** Makes a rule of a terminal that contains itself: its name in lower case, here and at the uses. */
export function recursionFix(context: GrammarContext, span: Span): Fix[] {
  const name = context.slice(span);
  const lower = name.toLowerCase();
  const names = context.memo(grammarNamesOf);
  if (!/^_?[A-Z]/.test(name) || names.symbols.has(lower)) return [];
  // A rule may not stand in a terminal, so other terminals that use it stand in the way.
  const others =
    names.symbols.get(name)?.uses.filter(({ owner }) => owner.kind === 'ignore' || owner.name.terminal) ?? [];
  if (others.some(({ owner }) => owner.kind === 'ignore' || owner.name.text !== name)) return [];
  return [fix(t('Make it a rule: rename to {0}', lower), renameEdits(context, name, lower))];
}
