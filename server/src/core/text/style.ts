import { emitJson, emitString } from './emit';
import { JsonNode } from './json';
import { effectiveProperties, type JsonValue } from './jsonTree';

/** How a JSON text is laid out around one container, so that what is written into it looks the same. */
export interface JsonStyle {
  /** The line break of the text. */
  readonly newline: string;
  /** One step of indentation. */
  readonly unit: string;
  /** Between key and value: `: ` or `:`. */
  readonly colon: string;
  /** Behind a comma on the same line: a space or nothing. */
  readonly gap: string;
  /** The indentation of the members when each has a line of its own; `undefined` if the container is on one line. */
  readonly indent: string | undefined;
}

/** Whether a code unit is white space in JSON. */
export function isSpace(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

/** Whether a code unit ends a line. */
export function isBreak(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  return code === 0x0a || code === 0x0d;
}

/** The indentation of the line that the offset is in. */
export function lineIndent(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && !isBreak(text, start - 1)) start--;
  if (text.charCodeAt(start) === 0xfeff) start++;
  let end = start;
  while (end < offset && (text[end] === ' ' || text[end] === '\t')) end++;
  return text.slice(start, end);
}

/** The indentation before the offset if nothing else stands before it on its line; `undefined` else. */
export function ownLineIndent(text: string, offset: number): string | undefined {
  let start = offset;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--;
  return start > 0 && isBreak(text, start - 1) ? text.slice(start, offset) : undefined;
}

/** The layout around the members of a container; of the whole text without one. */
export function styleOf(text: string, container: JsonNode | undefined): JsonStyle {
  const { newline, unit } = layoutOf(text);
  const colon = container === undefined ? ': ' : colonOf(text, container);
  return {
    newline,
    unit,
    colon,
    gap: container === undefined ? ' ' : gapOf(text, container, colon),
    indent: container === undefined ? lineBreaksIn(text) : memberIndent(text, container, unit),
  };
}

/** What holds for a whole text. One text is edited at many places, so that of the last one is kept. */
function layoutOf(text: string): { readonly newline: string; readonly unit: string } {
  if (lastLayout?.text !== text) {
    lastLayout = { text, newline: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n', unit: unitOf(text) };
  }
  return lastLayout;
}

let lastLayout: { readonly text: string; readonly newline: string; readonly unit: string } | undefined;

/** A text of several lines has a layout with lines; its outermost value is not indented. */
function lineBreaksIn(text: string): string | undefined {
  return /[\r\n]\s*\S/.test(text) ? '' : undefined;
}

/** One step of indentation: what the first container with lines of its own adds. Two spaces where none has. */
function unitOf(text: string): string {
  const found = /[[{][ \t]*(?:\r\n|\n|\r)([ \t]+)(?=["[{\d\-tfn])/.exec(text);
  if (found === null) return '  ';
  const outer = lineIndent(text, found.index);
  const inner = found[1]!;
  return inner.length > outer.length && inner.startsWith(outer) ? inner.slice(outer.length) : '  ';
}

/** As the first member of the container has it, else as the member that holds the container, and so on outwards. */
function colonOf(text: string, container: JsonNode): string {
  for (let node: JsonNode | undefined = container; node !== undefined; node = node.parent) {
    const property = node.properties[0] ?? node.items[0]?.properties[0] ?? node.property;
    if (property?.value === undefined) continue;
    const between = text.slice(property.keyEnd, property.value.offset);
    return /^ ?: ?$/.test(between) ? between : ': ';
  }
  return ': ';
}

function gapOf(text: string, container: JsonNode, colon: string): string {
  const second = container.properties[1]?.keyStart ?? container.items[1]?.offset;
  if (second !== undefined) {
    if (text[second - 1] === ',') return '';
    if (text[second - 1] === ' ' && text[second - 2] === ',') return ' ';
  }
  return colon.endsWith(' ') ? ' ' : '';
}

function memberIndent(text: string, container: JsonNode, unit: string): string | undefined {
  const members = container.kind === 'object' ? container.properties : container.items;
  if (members.length === 0) {
    const inner = text.slice(container.offset, container.end);
    return /[\r\n]/.test(inner) ? lineIndent(text, container.offset) + unit : undefined;
  }
  for (const member of members) {
    const indent = ownLineIndent(text, member instanceof JsonNode ? member.offset : member.keyStart);
    if (indent !== undefined) return indent;
  }
  return undefined;
}

/** Lists of plain values up to this length stay on one line. */
const SHORT_LIST = 60;

/**
 * A value as JSON text that fits into a container: with the indentation and the spaces of the text around it, on
 * one line if the container is on one line.
 *
 * @param container the object or array that will hold the value; `undefined` for a value that replaces the root
 * @param value a node (numbers keep their spelling) or a plain value
 */
export function formatLike(text: string, container: JsonNode | undefined, value: JsonNode | JsonValue): string {
  return print(value, styleOf(text, container));
}

/**
 * The source text of a node, comments included, to be put into a container elsewhere in the same text: its lines
 * move with the indentation. Written anew where a value of several lines goes into a container on one line.
 */
export function copyLike(text: string, container: JsonNode | undefined, node: JsonNode): string {
  const source = text.slice(node.offset, node.end);
  if (!/[\r\n]/.test(source)) return source;
  const style = styleOf(text, container);
  if (style.indent === undefined) return print(node, style);
  const from = lineIndent(text, node.offset);
  const to = style.indent;
  // JSON strings hold no line breaks, so every line break is layout.
  return source.replace(/(\r\n|\n|\r)([ \t]*)/g, (_all, end: string, indent: string) =>
    indent.startsWith(from) ? end + to + indent.slice(from.length) : end + indent,
  );
}

type Step = { readonly value: JsonNode | JsonValue; readonly indent: string } | string;

function print(value: JsonNode | JsonValue, style: JsonStyle): string {
  const parts: string[] = [];
  const stack: Step[] = [{ value, indent: style.indent ?? '' }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (typeof step === 'string') {
      parts.push(step);
      continue;
    }
    const members = membersOf(step.value);
    if (members === undefined) {
      parts.push(printScalar(step.value));
      continue;
    }
    const { open, close } = members;
    const short = shortList(members, style);
    if (members.list.length === 0 || short !== undefined) {
      parts.push(short ?? open + close);
      continue;
    }
    const lines = style.indent !== undefined;
    const indent = step.indent + style.unit;
    const before = lines ? style.newline + indent : '';
    stack.push(lines ? style.newline + step.indent + close : close);
    for (let i = members.list.length - 1; i >= 0; i--) {
      const [key, child] = members.list[i]!;
      stack.push({ value: child, indent });
      if (key !== undefined) stack.push(emitString(key) + style.colon);
      stack.push((i > 0 ? `,${lines ? '' : style.gap}` : '') + before);
    }
    parts.push(open);
  }
  return parts.join('');
}

interface Members {
  readonly open: string;
  readonly close: string;
  readonly list: readonly (readonly [string | undefined, JsonNode | JsonValue])[];
}

const ARRAY = { open: '[', close: ']' };
const OBJECT = { open: '{', close: '}' };

function membersOf(value: JsonNode | JsonValue): Members | undefined {
  if (value instanceof JsonNode) {
    if (value.kind === 'array') return { ...ARRAY, list: value.items.map((item) => [undefined, item]) };
    if (value.kind !== 'object') return undefined;
    return { ...OBJECT, list: effectiveProperties(value).map((each) => [each.key, each.value!]) };
  }
  if (Array.isArray(value)) return { ...ARRAY, list: value.map((item) => [undefined, item]) };
  if (typeof value !== 'object' || value === null) return undefined;
  return { ...OBJECT, list: Object.entries(value) };
}

function shortList(members: Members, style: JsonStyle): string | undefined {
  if (members.open === '{' || members.list.length === 0) return undefined;
  let length = 2;
  const texts: string[] = [];
  for (const [, item] of members.list) {
    if (membersOf(item) !== undefined) return undefined;
    const text = printScalar(item);
    texts.push(text);
    length += text.length + 2;
    if (length > SHORT_LIST && style.indent !== undefined) return undefined;
  }
  return `[${texts.join(`,${style.indent === undefined ? style.gap : ' '}`)}]`;
}

function printScalar(value: JsonNode | JsonValue): string {
  if (value instanceof JsonNode) return emitJson(value);
  return typeof value === 'string' ? emitString(value) : String(value);
}
