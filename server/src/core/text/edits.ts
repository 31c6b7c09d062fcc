import { emitString } from './emit';
import type { TextEdit } from './finding';
import type { JsonNode, JsonProperty } from './json';
import { nodeSpan, propertySpan } from './jsonTree';
import type { Span } from './span';
import { isBreak, isSpace, ownLineIndent, styleOf } from './style';

/** A new member of an object: its key, and its value as JSON text (see `formatLike`). */
export type NewMember = readonly [key: string, jsonText: string];

/** Where a new member goes: behind a member, or `null` for the first place. At the end without this. */
export interface InsertOptions {
  readonly after?: JsonProperty | null | undefined;
}

/**
 * The text with the edits applied. Edits that insert at one offset apply in their order.
 *
 * @throws RangeError if two edits overlap
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { span, newText } of joinEdits(edits)) {
    if (span.start < from) throw new RangeError('Edits overlap.');
    parts.push(text.slice(from, span.start), newText);
    from = span.end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** Edits of several sources as one list in text order. */
export function joinEdits(...lists: readonly (readonly TextEdit[])[]): TextEdit[] {
  return lists.flat().sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

/** Whether a list of edits touches what another one changes, so that not both can be applied to one text. */
export function editsOverlap(a: readonly TextEdit[], b: readonly TextEdit[]): boolean {
  const all = [...a.map((edit) => ({ edit, own: true })), ...b.map((edit) => ({ edit, own: false }))];
  all.sort((x, y) => x.edit.span.start - y.edit.span.start || x.edit.span.end - y.edit.span.end);
  let ends: readonly [own: number, other: number] = [-1, -1];
  for (const { edit, own } of all) {
    // At one offset the order of insertions is open, so they count as an overlap too.
    const before = own ? ends[1] : ends[0];
    if (edit.span.start < before || (edit.span.start === before && edit.span.start === edit.span.end)) return true;
    const end = Math.max(own ? ends[0] : ends[1], edit.span.end);
    ends = own ? [end, ends[1]] : [ends[0], end];
  }
  return false;
}

/** Puts another value in the place of a node. */
export function replaceValue(node: JsonNode, jsonText: string): TextEdit[] {
  return [{ span: nodeSpan(node), newText: jsonText }];
}

/** Gives a member another key. */
export function renameKey(property: JsonProperty, key: string): TextEdit[] {
  return [{ span: { start: property.keyStart, end: property.keyEnd }, newText: emitString(key) }];
}

/** Adds a member to an object, on a line of its own if the members around it have their own lines. */
export function insertProperty(
  text: string,
  object: JsonNode,
  key: string,
  jsonText: string,
  options: InsertOptions = {},
): TextEdit[] {
  return insertProperties(text, object, [[key, jsonText]], options);
}

/** As `insertProperty`, for several members at one place. */
export function insertProperties(
  text: string,
  object: JsonNode,
  members: readonly NewMember[],
  options: InsertOptions = {},
): TextEdit[] {
  const { after } = options;
  const spans = object.properties.map(propertySpan);
  const index = after === null ? -1 : after === undefined ? spans.length - 1 : object.properties.indexOf(after);
  return insert(text, object, spans, index, printMembers(text, object, members));
}

/** Adds an item at the end of an array. */
export function appendItem(text: string, array: JsonNode, jsonText: string): TextEdit[] {
  return insert(text, array, array.items.map(nodeSpan), array.items.length - 1, [jsonText]);
}

/** Takes a member out, with its comma, and with its line if nothing else stands there. Comments stay. */
export function removeProperty(text: string, property: JsonProperty): TextEdit[] {
  return removeProperties(text, [property]);
}

/** As `removeProperty`, for several members of one object. */
export function removeProperties(text: string, properties: readonly JsonProperty[]): TextEdit[] {
  const object = properties[0]?.owner;
  if (object === undefined) return [];
  const gone = new Set(properties);
  return remove(
    text,
    object,
    object.properties.map((property) => ({ span: propertySpan(property), gone: gone.has(property) })),
  );
}

/** Takes an item out of its array, as `removeProperty` takes a member. */
export function removeItem(text: string, item: JsonNode): TextEdit[] {
  return removeItems(text, [item]);
}

/** As `removeItem`, for several items of one array. */
export function removeItems(text: string, items: readonly JsonNode[]): TextEdit[] {
  const array = items[0]?.parent;
  if (array === undefined) return [];
  const gone = new Set(items);
  return remove(
    text,
    array,
    array.items.map((item) => ({ span: nodeSpan(item), gone: gone.has(item) })),
  );
}

/**
 * Takes members out of an object and adds others, together: edits of the single functions may meet at a comma.
 * The new members take the place of the first one that goes.
 */
export function changeObject(
  text: string,
  object: JsonNode,
  change: { readonly remove: readonly JsonProperty[]; readonly add: readonly NewMember[] },
): TextEdit[] {
  const [first, ...rest] = change.remove;
  if (first === undefined) return insertProperties(text, object, change.add);
  if (change.add.length === 0) return removeProperties(text, change.remove);
  const style = styleOf(text, object);
  const indent = ownLineIndent(text, first.keyStart);
  const between = indent === undefined ? `,${style.gap}` : `,${style.newline}${indent}`;
  const newText = printMembers(text, object, change.add).join(between);
  return joinEdits([{ span: propertySpan(first), newText }], removeProperties(text, rest));
}

function printMembers(text: string, object: JsonNode, members: readonly NewMember[]): string[] {
  const { colon } = styleOf(text, object);
  return members.map(([key, jsonText]) => emitString(key) + colon + jsonText);
}

/** Inserts elements behind the one at `index`, or at the first place for -1. */
function insert(
  text: string,
  container: JsonNode,
  elements: readonly Span[],
  index: number,
  texts: readonly string[],
): TextEdit[] {
  if (texts.length === 0) return [];
  const style = styleOf(text, container);
  if (elements.length === 0) return insertIntoEmpty(text, container, style.indent, style, texts);
  const previous = elements[index];
  const next = elements[index + 1];
  const indent = indentBetween(text, previous, next);
  const gap = indent === undefined ? style.gap : style.newline + indent;
  if (previous === undefined) {
    const tail = sameLineTail(text, container.offset + 1);
    const joined = texts.map((each) => `${each},`);
    if (indent === undefined) {
      return [{ span: at(next!.start), newText: joined.map((each) => each + (style.gap || '')).join('') }];
    }
    return [{ span: at(tail.end), newText: joined.map((each) => gap + each).join('') }];
  }
  const comma = commaAfter(text, previous.end);
  if (comma >= 0) {
    const tail = sameLineTail(text, comma + 1);
    const offset = indent === undefined && tail.lineComment ? comma + 1 : tail.end;
    return [{ span: at(offset), newText: texts.map((each) => `${gap}${each},`).join('') }];
  }
  const tail = sameLineTail(text, previous.end);
  const newText = gap + texts.join(`,${gap}`);
  if (tail.end === previous.end || (indent === undefined && tail.lineComment)) {
    return [{ span: at(previous.end), newText: `,${newText}` }];
  }
  return [
    { span: at(previous.end), newText: ',' },
    { span: at(tail.end), newText },
  ];
}

/** Lines of their own for new elements if both neighbors have theirs; their indentation then. */
function indentBetween(text: string, previous: Span | undefined, next: Span | undefined): string | undefined {
  const before = previous && ownLineIndent(text, previous.start);
  const after = next && ownLineIndent(text, next.start);
  if (previous === undefined) return after;
  if (next === undefined) return before;
  return before === undefined || after === undefined ? undefined : before;
}

function insertIntoEmpty(
  text: string,
  container: JsonNode,
  indent: string | undefined,
  style: { readonly newline: string; readonly gap: string },
  texts: readonly string[],
): TextEdit[] {
  const start = container.offset + 1;
  if (indent !== undefined) {
    const before = style.newline + indent;
    return [{ span: at(start), newText: before + texts.join(`,${before}`) }];
  }
  const inner = text.slice(start, container.end - 1);
  const padding = /^[ \t]+$/.test(inner) ? inner : '';
  const newText = padding + texts.join(`,${style.gap}`);
  return [{ span: at(start), newText }];
}

/** Takes elements out of a container, with their commas. */
function remove(
  text: string,
  container: JsonNode,
  elements: readonly { readonly span: Span; readonly gone: boolean }[],
): TextEdit[] {
  const kept = elements.findLastIndex((element) => !element.gone);
  const inner: Span = { start: container.offset + 1, end: container.end - 1 };
  if (kept < 0 && onlyElements(text, inner, elements)) return [{ span: inner, newText: '' }];
  const edits: TextEdit[] = [];
  const last = elements.length - 1;
  // When the end goes and has no comma of its own, the last one that stays loses its comma.
  const loosens = kept >= 0 && kept < last && commaAfter(text, elements[last]!.span.end) < 0;
  for (let i = 0; i <= last; i++) {
    const { span, gone } = elements[i]!;
    const comma = commaAfter(text, span.end);
    if (gone) cut(text, span, comma, i > kept, edits);
    else if (i === kept && loosens && comma >= 0) edits.push(deletion(comma, comma + 1));
  }
  return edits;
}

/** Deletes one element, its comma (at `comma` unless -1), and the white space that it leaves. */
function cut(text: string, span: Span, comma: number, atEnd: boolean, edits: TextEdit[]): void {
  let { start, end } = span;
  let rest = -1;
  if (comma >= 0) {
    if (spaceOnly(text, end, comma)) end = comma + 1;
    else rest = comma;
  }
  let blank = end;
  while (text[blank] === ' ' || text[blank] === '\t') blank++;
  const lineEnds = blank >= text.length || isBreak(text, blank);
  const indent = ownLineIndent(text, start);
  if (indent !== undefined) {
    if (lineEnds && rest < 0) {
      // The whole line goes, from the line break before it; at the end of a container empty lines before it too.
      start -= indent.length;
      start -= text[start - 1] === '\n' && text[start - 2] === '\r' ? 2 : 1;
      if (atEnd) while (start > 0 && isSpace(text, start - 1)) start--;
      end = blank;
    } else end = blank;
  } else if (atEnd || lineEnds) {
    while (text[start - 1] === ' ' || text[start - 1] === '\t') start--;
  } else end = blank;
  // White space between two elements that go belongs to the first.
  edits.push(deletion(Math.max(start, edits.at(-1)?.span.end ?? 0), end));
  if (rest >= 0) edits.push(deletion(rest, rest + 1));
}

function onlyElements(text: string, inner: Span, elements: readonly { readonly span: Span }[]): boolean {
  let from = inner.start;
  for (const { span } of elements) {
    if (!spaceOnly(text, from, span.start)) return false;
    from = span.end;
    const comma = commaAfter(text, from);
    if (comma < 0) continue;
    if (!spaceOnly(text, from, comma)) return false;
    from = comma + 1;
  }
  return from <= inner.end && spaceOnly(text, from, inner.end);
}

function spaceOnly(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!isSpace(text, i)) return false;
  return true;
}

function at(offset: number): Span {
  return { start: offset, end: offset };
}

function deletion(start: number, end: number): TextEdit {
  return { span: { start, end }, newText: '' };
}

/** The offset of the comma behind an element, comments between passed over; -1 if there is none. */
function commaAfter(text: string, offset: number): number {
  const next = skipTrivia(text, offset);
  return text[next] === ',' ? next : -1;
}

/** The next offset that is neither white space nor in a comment. */
function skipTrivia(text: string, offset: number): number {
  let i = offset;
  for (;;) {
    while (i < text.length && isSpace(text, i)) i++;
    const end = commentEnd(text, i);
    if (end === i) return i;
    i = end;
  }
}

/** The end of the comment that starts at the offset; the offset itself if none does. */
function commentEnd(text: string, offset: number): number {
  if (text[offset] !== '/') return offset;
  if (text[offset + 1] === '/') {
    let i = offset + 2;
    while (i < text.length && !isBreak(text, i)) i++;
    return i;
  }
  if (text[offset + 1] !== '*') return offset;
  const close = text.indexOf('*/', offset + 2);
  return close < 0 ? text.length : close + 2;
}

/** The end of the last comment behind the offset on the same line; the offset itself without one. */
function sameLineTail(text: string, offset: number): { end: number; lineComment: boolean } {
  let end = offset;
  for (;;) {
    let i = end;
    while (text[i] === ' ' || text[i] === '\t') i++;
    const next = commentEnd(text, i);
    if (next === i) return { end, lineComment: false };
    if (text[i + 1] === '/') return { end: next, lineComment: true };
    if (/[\r\n]/.test(text.slice(i, next))) return { end, lineComment: false };
    end = next;
  }
}
