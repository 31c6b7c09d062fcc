import type { ModuleRun } from './moduleRun';

/** What the generator of Lark.js (lark-js 0.1.4) writes: a CommonJS module whose `get_parser` makes the parser. */
interface LarkModule {
  get_parser(options?: object): { parse(text: string): unknown };
}

export function isLarkModule(value: unknown): value is LarkModule {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'get_parser') === 'function';
}

/** A generated parser as a handler: the tree is the value, and an error tells what was found where, and what was expected. */
export function larkHandler(module: LarkModule): ModuleRun {
  let parser: ReturnType<LarkModule['get_parser']> | undefined;
  return {
    run(text) {
      parser ??= module.get_parser();
      return treeValue(parser.parse(text));
    },
    refusal: larkRefusal,
  };
}

/** Fields of the errors `UnexpectedToken`, `UnexpectedCharacters` and `UnexpectedEOF` of Lark.js. */
interface LarkError {
  readonly message?: unknown;
  readonly pos_in_stream?: unknown;
  readonly line?: unknown;
  readonly column?: unknown;
  readonly token?: { readonly type?: unknown; readonly value?: unknown };
  readonly char?: unknown;
  readonly expected?: unknown;
  readonly allowed?: unknown;
}

function larkRefusal(error: unknown, text: string): { readonly feedback: string; readonly offset?: number } {
  const { message, pos_in_stream, line, column, token, char, expected, allowed } = Object(error) as LarkError;
  if (typeof pos_in_stream !== 'number' && token === undefined) {
    return { feedback: typeof message === 'string' && message !== '' ? message : String(error) };
  }
  const atEnd = token?.type === '$END' || typeof pos_in_stream !== 'number' || pos_in_stream < 0;
  const offset = atEnd ? text.length : pos_in_stream;
  const what = atEnd
    ? 'The text ends too early'
    : `Unexpected ${JSON.stringify(String(token?.value ?? char ?? text[offset]))}`;
  const place = atEnd ? placeOf(text, offset) : { line, column };
  const names = [expected, allowed].flatMap((each) => (isIterable(each) ? [...each].map(String) : []));
  const wanted = names.length === 0 ? '' : ` Expected: ${[...new Set(names)].sort().join(', ')}.`;
  return { feedback: `${what} at line ${String(place.line)}, column ${String(place.column)}.${wanted}`, offset };
}

/** Line and column from 1; the end of the text is behind its last character. */
function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

interface Tree {
  readonly data: unknown;
  readonly children: readonly unknown[];
}

/**
 * A tree of Lark.js without places: `{"data", "children"}` for a node and `{"type", "value"}` for a token. What a
 * transformer made instead of a tree stays as it is. Keeps a stack of its own, so any nesting is fine.
 */
function treeValue(root: unknown): unknown {
  const top: unknown[] = [];
  const pending: { readonly from: readonly unknown[]; readonly to: unknown[] }[] = [{ from: [root], to: top }];
  for (let job = pending.pop(); job !== undefined; job = pending.pop()) {
    for (const each of job.from) {
      if (isTree(each)) {
        const children: unknown[] = [];
        job.to.push({ data: String(each.data), children });
        pending.push({ from: each.children, to: children });
      } else if (isToken(each)) job.to.push({ type: each.type, value: each.value });
      else job.to.push(each);
    }
  }
  return top[0];
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && 'data' in value && Array.isArray((value as Tree).children);
}

function isToken(value: unknown): value is { readonly type: string; readonly value: string } {
  return typeof value === 'object' && value !== null && 'type' in value && 'start_pos' in value;
}
