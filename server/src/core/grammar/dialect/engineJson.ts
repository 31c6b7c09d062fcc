import type { Span } from '../../text/span';

/** A JSON value as read here: members of objects in a map, so that no key means anything to JavaScript. */
export type JsonValue = (
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: number; readonly text: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'array'; readonly items: JsonValue[] }
  | {
      readonly kind: 'object';
      readonly members: Map<string, JsonValue>;
      /** Some key stands twice; the last counts. */
      repeated: boolean;
    }
) & {
  /** Where it stands in the grammar. */
  span?: Span;
  /** Of a member of an object: where its key starts. */
  keyStart?: number;
};

/** Values inside one another that the engine's reader takes (serde_json, 127). */
const MOST_DEPTH = 127;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

export type JsonPrefix =
  | { readonly value: JsonValue; readonly end: number; readonly failure?: undefined }
  | { readonly failure: number };

/**
 * Reads the JSON value that starts at an offset, strictly: no comments, no trailing commas. What follows it is not looked
 * at, but a number or a word must end there. Gives the offset of what does not fit otherwise.
 */
export function readJsonPrefix(source: string, from: number): JsonPrefix {
  let at = from;
  const open: { value: JsonValue; key: string | undefined; keyStart: number; start: number }[] = [];
  const blank = (): void => {
    while (at < source.length && ' \t\r\n'.includes(source[at]!)) at++;
  };
  const word = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const text = (): string | undefined => {
    const literal = word(STRING);
    if (literal === undefined) return undefined;
    const value = JSON.parse(literal) as string;
    return LONE.test(value) ? undefined : value;
  };
  let keyStart = at;
  const key = (): string | undefined => {
    blank();
    keyStart = at;
    const name = text();
    if (name === undefined) return undefined;
    blank();
    if (source[at] !== ':') return undefined;
    at++;
    return name;
  };
  for (;;) {
    blank();
    let value: JsonValue | undefined;
    let from = at;
    const c = source[at];
    if (c === '{' || c === '[') {
      if (open.length >= MOST_DEPTH) return { failure: at };
      at++;
      blank();
      const empty = source[at] === (c === '{' ? '}' : ']');
      value = c === '{' ? { kind: 'object', members: new Map(), repeated: false } : { kind: 'array', items: [] };
      if (empty) at++;
      else {
        const name = c === '{' ? key() : undefined;
        if (c === '{' && name === undefined) return { failure: at };
        open.push({ value, key: name, keyStart, start: from });
        continue;
      }
    } else if (c === '"') {
      const start = at;
      const string = text();
      if (string === undefined) return { failure: start };
      value = { kind: 'string', value: string };
    } else {
      const start = at;
      const plain = word(/(?:true|false|null)/y);
      const number = plain === undefined ? word(NUMBER) : undefined;
      if (plain === undefined && number === undefined) return { failure: start };
      if (at < source.length && !' \t\r\n"[]{},:'.includes(source[at]!)) return { failure: at };
      if (number !== undefined && !Number.isFinite(Number(number))) return { failure: start };
      if (number !== undefined) value = { kind: 'number', value: Number(number), text: number };
      else value = plain === 'null' ? { kind: 'null' } : { kind: 'boolean', value: plain === 'true' };
    }
    for (;;) {
      value.span = { start: from, end: at };
      const top = open.at(-1);
      if (top === undefined) return { value, end: at };
      if (top.value.kind === 'array') top.value.items.push(value);
      else if (top.value.kind === 'object') {
        if (top.value.members.has(top.key!)) top.value.repeated = true;
        value.keyStart = top.keyStart;
        top.value.members.set(top.key!, value);
      }
      blank();
      const c2 = source[at];
      if (c2 === ',') {
        at++;
        if (top.value.kind === 'object') {
          const name = key();
          if (name === undefined) return { failure: at };
          top.key = name;
          top.keyStart = keyStart;
        }
        break;
      }
      if (c2 !== (top.value.kind === 'array' ? ']' : '}')) return { failure: at };
      at++;
      value = top.value;
      from = top.start;
      open.pop();
    }
  }
}

/** A member of an object, its key included; else the value alone. */
export function memberPlace({ span, keyStart }: JsonValue): Span | undefined {
  return span === undefined ? undefined : { start: keyStart ?? span.start, end: span.end };
}
