import type { Span } from '../text/span';
import { expressions, parts } from './analyse/walk';
import type { Alternative, Alternatives, Expression, GrammarItem } from './ast';
import { parseGrammar } from './parse';

/**
 * What the engine says of a text that was changed: its message, `loads`, or `stop` when there will be no more answers
 * (the text is outdated, or the time is used up).
 */
export type Retry = { readonly message: string } | 'loads' | 'stop';

/** The engine is asked so often at most for one place. */
const MOST_ASKS = 80;

/** A body that can be made harmless without making anything else unreachable. */
interface Unit {
  /** From behind the name to the end of the body. */
  readonly span: Span;
  readonly body: Alternatives;
  readonly name: Span;
  /** What is written there instead: the names that the body uses, or some text. */
  readonly neutral: string;
}

/** A part of a body. */
type Part = Alternatives | Alternative | Expression;

/**
 * Finds the parts of a grammar for which the engine refuses it, when it names no place: bodies are replaced by the bare
 * names that they use, as many at once as possible, until the message changes; then the last one is narrowed down to the
 * smallest part that alone gives the message.
 *
 * @param message the engine's message about the whole text
 * @param ask gives the engine's message about a changed text
 * @returns spans in the text: one for a single culprit, several where only all together give the message, none where
 *   none was found
 */
export async function findCulprits(
  text: string,
  message: string,
  ask: (text: string) => Promise<Retry>,
  mostAsks: number = MOST_ASKS,
): Promise<readonly Span[]> {
  const units = parseGrammar(text).items.flatMap(unitOf);
  let asks = 0;
  const wanted = shapeOf(message);
  /** Whether the message stays. `undefined` when that cannot be found out any more. */
  const stays = async (changed: string): Promise<boolean | undefined> => {
    if (asks++ >= mostAsks) return undefined;
    const answer = await ask(changed);
    if (answer === 'stop') return undefined;
    return answer !== 'loads' && shapeOf(answer.message) === wanted;
  };
  const without = (kept: ReadonlySet<Unit>): string =>
    replaced(
      text,
      units.filter((unit) => !kept.has(unit)).map(({ span, neutral }) => ({ span, newText: neutral })),
    );

  // What stays when nothing is left lies in the names themselves.
  if (units.length === 0 || (await stays(without(new Set()))) !== false) return [];
  let kept = units;
  for (let chunks = 2; kept.length > 1; ) {
    const size = Math.ceil(kept.length / chunks);
    let smaller: Unit[] | undefined;
    for (let at = 0; at < kept.length && smaller === undefined; at += size) {
      const rest = [...kept.slice(0, at), ...kept.slice(at + size)];
      const same = rest.length === 0 ? false : await stays(without(new Set(rest)));
      if (same === undefined) return namesOf(kept);
      if (same) smaller = rest;
    }
    if (smaller !== undefined) {
      kept = smaller;
      chunks = Math.max(chunks - 1, 2);
    } else if (size === 1) break;
    else chunks = Math.min(chunks * 2, kept.length);
  }
  const unit = kept[0]!;
  if (kept.length > 1) return namesOf(kept);
  return [await narrow(unit)];

  async function narrow(whole: Unit): Promise<Span> {
    let part: Part = whole.body;
    for (;;) {
      const inner: readonly Part[] = innerParts(part);
      let found: Part | undefined;
      for (const each of inner) {
        const alone = text.slice(each.span.start, each.span.end);
        const change = { span: whole.body.span, newText: alone === '' ? '""' : alone };
        const others = units.filter((other) => other !== whole);
        const changes = [...others.map(({ span, neutral }) => ({ span, newText: neutral })), change];
        const same = await stays(replaced(text, changes));
        if (same === undefined) return part.kind === 'alternatives' && inner.length !== 1 ? whole.name : part.span;
        if (!same) continue;
        found = each;
        break;
      }
      if (found === undefined) return part.kind === 'alternatives' && inner.length !== 1 ? whole.name : part.span;
      part = found;
    }
  }
}

/** Many culprits: too many to be of help are not all named. */
const MOST_NAMED = 8;

function namesOf(units: readonly Unit[]): readonly Span[] {
  return units.slice(0, MOST_NAMED).map(({ name }) => name);
}

function unitOf(item: GrammarItem): Unit[] {
  if (item.kind !== 'definition' && item.kind !== 'ignore') return [];
  if (item.broken) return [];
  const names = new Set(expressions(item.body).flatMap((node) => (node.kind === 'reference' ? [node.name.text] : [])));
  if (item.kind === 'ignore') {
    const neutral = names.size === 0 ? '" "' : [...names].join(' ');
    return [{ span: item.body.span, body: item.body, name: item.directiveSpan, neutral }];
  }
  // Parameters must be used, and templates are refused anyway.
  if (item.parametric !== undefined || item.parameters !== undefined || item.colon === undefined) return [];
  const neutral = `: ${names.size === 0 ? '"a"' : [...names].join(' ')}`;
  const span = { start: item.name.span.end, end: item.span.end };
  return [{ span, body: item.body, name: item.name.span, neutral }];
}

function innerParts(part: Part): readonly Part[] {
  switch (part.kind) {
    case 'alternatives':
      return part.items;
    case 'alternative':
      return part.items;
    default:
      return parts(part);
  }
}

function replaced(text: string, changes: readonly { readonly span: Span; readonly newText: string }[]): string {
  let result = '';
  let at = 0;
  for (const { span, newText } of [...changes].sort((a, b) => a.span.start - b.span.start)) {
    result += text.slice(at, span.start) + newText;
    at = span.end;
  }
  return result + text.slice(at);
}

/** A message without its numbers, which change with the size of the grammar. */
function shapeOf(message: string): string {
  return message.replace(/\d+/g, '#');
}
