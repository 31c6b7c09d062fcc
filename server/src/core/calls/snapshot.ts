import { emitJson } from '../text/emit';
import { type JsonDocument, type JsonNode, parseJson } from '../text/json';
import { effectiveProperties, escapePointerToken, pointerOf, sameValue } from '../text/jsonTree';
import { type Message, t } from '../text/message';
import type { ToolDefinition } from '../tools/model';
import { readTools } from '../tools/read';

/** A difference between a stored definition and what the code says now. */
export interface SnapshotDifference {
  /** Name of the tool, with its namespace; `undefined` for what stands outside of the tools. */
  readonly tool: string | undefined;
  /** JSON Pointer from the tool on; empty for the whole tool. */
  readonly pointer: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** JSON text of the stored value; absent when it is new. */
  readonly was: string | undefined;
  /** JSON text of the value as it is now; absent when it is gone. */
  readonly is: string | undefined;
  /** The stored place: the value, or the nearest thing that holds it; `undefined` when nothing is stored. */
  readonly node: JsonNode | undefined;
}

/** Facts for ToolSpec alone: nothing outside of the stored file knows them. */
const LOCAL_KEY = 'x-toolspec';

/**
 * Where stored definitions differ from fresh ones, tool by tool, in the order of the stored file; new tools come last.
 *
 * Order of tools and of keys, and the spelling of numbers, make no difference, and neither does `x-toolspec`, which
 * only the stored file has.
 */
export function compareSnapshot(stored: JsonDocument, fresh: JsonDocument): SnapshotDifference[] {
  const before = toolsByName(stored);
  const after = toolsByName(fresh);
  if (before.size === 0 && after.size === 0) return compareRoots(stored.root, fresh.root);
  const differences: SnapshotDifference[] = [];
  for (const [key, { name, node }] of before) {
    const now = after.get(key);
    if (now !== undefined) differences.push(...compareValues(node, now.node, name));
    else differences.push({ tool: name, pointer: '', kind: 'removed', was: emitJson(node), is: undefined, node });
  }
  for (const [key, { name, node }] of after) {
    if (before.has(key)) continue;
    const place = stored.root;
    differences.push({ tool: name, pointer: '', kind: 'added', was: undefined, is: emitJson(node), node: place });
  }
  return differences;
}

/**
 * A difference in a sentence, without a full stop, as reports list it:
 * `search_orders: /inputSchema/properties/limit/maximum was 50, is 100`.
 */
export function differenceText({ tool, pointer, kind, was, is }: SnapshotDifference): Message {
  const name = tool ?? '(file)';
  if (pointer === '' && tool !== undefined && kind === 'added') return t('{0} is new', name);
  if (pointer === '' && tool !== undefined && kind === 'removed') return t('{0} is gone', name);
  const where = pointer === '' ? t('the whole value') : pointer;
  const [old, now] = excerpts(was ?? '', is ?? '');
  if (kind === 'added') return t('{0}: {1} is new: {2}', name, where, now);
  if (kind === 'removed') return t('{0}: {1} is gone, was {2}', name, where, old);
  return t('{0}: {1} was {2}, is {3}', name, where, old, now);
}

/** Most characters of a value that a report shows, and how many of them stand before the first difference. */
const SHOWN = 80;
const BEFORE = 20;

/** Two values as far as they are worth showing: long ones around the place where they part. */
function excerpts(was: string, is: string): [string, string] {
  if (was.length <= SHOWN && is.length <= SHOWN) return [was, is];
  let same = 0;
  while (same < was.length && same < is.length && was[same] === is[same]) same++;
  const start = same > SHOWN - BEFORE ? same - BEFORE : 0;
  return [excerpt(was, start), excerpt(is, start)];
}

function excerpt(text: string, start: number): string {
  const end = start + SHOWN;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

interface Named {
  readonly name: string;
  readonly node: JsonNode;
}

/** Tools by namespace and name; of tools with one name, each by its turn. */
function toolsByName(document: JsonDocument): Map<string, Named> {
  const result = new Map<string, Named>();
  for (const tool of readTools(document, { baseName: '' }).tools) {
    const name = qualifiedName(tool);
    let key = name;
    for (let turn = 2; result.has(key); turn++) key = `${name} (${turn})`;
    result.set(key, { name: key, node: tool.node });
  }
  return result;
}

/** How reports name a tool: its name, behind that of its namespace where it has one. */
export function qualifiedName({ name, namespace, kind }: ToolDefinition): string {
  const own = name ?? kind;
  return namespace?.name === undefined ? own : `${namespace.name}.${own}`;
}

function compareRoots(before: JsonNode | undefined, after: JsonNode | undefined): SnapshotDifference[] {
  return before === undefined || after === undefined ? [] : compareValues(before, after, undefined);
}

/** Differences of two values, outermost first. Keeps a stack of its own, so any nesting is fine. */
function compareValues(before: JsonNode, after: JsonNode, tool: string | undefined): SnapshotDifference[] {
  const found: SnapshotDifference[] = [];
  const stack: [JsonNode, JsonNode][] = [[before, after]];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const [was, is] = pair;
    if (was.kind === 'object' && is.kind === 'object') {
      const inner: [JsonNode, JsonNode][] = [];
      for (const { key, value } of members(was, was === before)) {
        const now = is.value(key);
        if (now !== undefined) inner.push([value, now]);
        else
          found.push({
            tool,
            pointer: pointerOf(value, before),
            kind: 'removed',
            was: emitJson(value),
            is: undefined,
            node: value,
          });
      }
      for (const { key, value } of members(is, is === after)) {
        if (was.value(key) !== undefined) continue;
        const place = `${pointerOf(was, before)}/${escapePointerToken(key)}`;
        found.push({ tool, pointer: place, kind: 'added', was: undefined, is: emitJson(value), node: was });
      }
      stack.push(...inner.reverse());
    } else if (was.kind === 'array' && is.kind === 'array' && was.items.length === is.items.length && was.height > 1) {
      const inner = was.items.map((item, i): [JsonNode, JsonNode] => [item, is.items[i]!]);
      stack.push(...inner.reverse());
    } else if (!sameValue(was, is)) {
      found.push({
        tool,
        pointer: pointerOf(was, before),
        kind: 'changed',
        was: emitJson(was),
        is: emitJson(is),
        node: was,
      });
    }
  }
  return found;
}

function members(node: JsonNode, outermost: boolean): { readonly key: string; readonly value: JsonNode }[] {
  return effectiveProperties(node).flatMap(({ key, value }) =>
    value === undefined || (outermost && key === LOCAL_KEY) ? [] : [{ key, value }],
  );
}

/** What a source gave, or a sentence about why that is nothing to store. */
export type FreshSnapshot = { readonly document: JsonDocument } | { readonly failure: Message };

/** The list of tools of an MCP server out of the exact texts of the results of `tools/list`, page by page. */
export function snapshotOfPages(pages: readonly string[]): FreshSnapshot {
  const items: string[] = [];
  for (const page of pages) {
    const list = parseJson(page).root?.value('tools');
    if (list?.kind !== 'array') return { failure: t('The MCP server answered "tools/list" without a list of tools.') };
    for (const item of list.items) items.push(emitJson(item));
  }
  return { document: parseJson(`{"tools":[${items.join(',')}]}`) };
}

/** The definitions that a program printed. */
export function snapshotOfOutput(text: string): FreshSnapshot {
  if (text.trim() === '') return { failure: t('The program printed nothing.') };
  const document = parseJson(text);
  const problem = document.problems[0];
  if (problem !== undefined || document.root === undefined) {
    const start = problem?.span.start ?? 0;
    const before = text.slice(0, start);
    const line = before.split('\n').length;
    const column = start - before.lastIndexOf('\n');
    return { failure: t('What the program printed is no JSON, from line {0}, column {1} on.', line, column) };
  }
  const set = readTools(document, { baseName: '' });
  if (set.tools.length === 0 && set.container === 'none') {
    return { failure: t('What the program printed is JSON, but none of the forms of tool definitions.') };
  }
  return { document };
}

/** A stored file of definitions beside what its source says now. */
export type SnapshotState =
  /** The definitions are the same. */
  | { readonly state: 'current'; readonly tools: number; readonly notes: readonly string[] }
  | {
      readonly state: 'stale';
      /** Tools that the source has. */
      readonly tools: number;
      readonly differences: readonly SnapshotDifference[];
      /** The text that is to be stored. */
      readonly text: string;
      readonly notes: readonly string[];
    }
  /** There is no stored file yet. */
  | { readonly state: 'missing'; readonly tools: number; readonly text: string; readonly notes: readonly string[] }
  /** The source gave nothing that could be stored, or the stored file cannot be read. */
  | { readonly state: 'failed'; readonly failure: Message; readonly notes: readonly string[] };
