import { appendItem, applyEdits, insertProperty, replaceValue } from '../text/edits';
import { emitString } from '../text/emit';
import { parseJson } from '../text/json';
import { nodeSpan } from '../text/jsonTree';
import type { Span } from '../text/span';
import { formatLike } from '../text/style';
import type { CallOutcome } from './model';

/** A call to be stored. */
export interface NewCall {
  /** Made unique by a number where another call has it. */
  readonly name: string;
  readonly tool: string;
  /** Needed where the name alone leads to no tool, or to several. */
  readonly namespace: string | undefined;
  readonly kind: 'function' | 'custom';
  /** JSON text of the arguments of a function; the raw input of a custom tool. */
  readonly payload: string;
  /** What the call is expected to come to; `undefined` stores no expectation. */
  readonly outcome: CallOutcome | undefined;
}

/** A samples file with one call more. */
export interface AddedCall {
  readonly text: string;
  /** What the new call sends, to be changed by whoever asked for it. */
  readonly payload: Span;
}

/** A new samples file for definition files, without calls. */
export function emptySamples(definitions: readonly string[]): string {
  return `${JSON.stringify({ definitions, calls: [] }, undefined, 2)}\n`;
}

/**
 * The text of a samples file with a call at the end of its list, laid out as its neighbors are, and with the definition
 * file among those that it names. `undefined` where the text is no samples file.
 *
 * @param definition path of the definition file from the samples file; `undefined` when the file names it already
 */
export function addCall(text: string, call: NewCall, definition: string | undefined): AddedCall | undefined {
  const named = definition === undefined ? text : withDefinition(text, definition);
  if (named === undefined) return undefined;
  const { root } = parseJson(named);
  if (root?.kind !== 'object') return undefined;
  const calls = root.value('calls');
  if (calls === undefined && root.has('calls')) return undefined;
  if (calls !== undefined && calls.kind !== 'array') return undefined;
  const taken = new Set((calls?.items ?? []).flatMap((each) => each.value('name')?.string ?? []));
  const written = callText(call, taken);
  const list = (): string => formatLike(named, root, parseJson(`[${written}]`).root!);
  const edits =
    calls === undefined
      ? insertProperty(named, root, 'calls', list())
      : calls.items.length === 0 && named.slice(calls.offset + 1, calls.end - 1).trim() === ''
        ? replaceValue(calls, list())
        : appendItem(named, calls, formatLike(named, calls, parseJson(written).root!));
  const result = applyEdits(named, edits);
  const added = parseJson(result).root?.value('calls')?.items.at(-1);
  const payload = added?.value(call.kind === 'function' ? 'arguments' : 'input');
  return payload === undefined ? undefined : { text: result, payload: nodeSpan(payload) };
}

/** The text of a samples file that names one more definition file; `undefined` where that cannot be. */
export function withDefinition(text: string, path: string): string | undefined {
  const { root } = parseJson(text);
  if (root?.kind !== 'object') return undefined;
  const list = root.value('definitions');
  if (list === undefined && root.has('definitions')) return undefined;
  if (list === undefined) {
    return applyEdits(text, insertProperty(text, root, 'definitions', `[${emitString(path)}]`, { after: null }));
  }
  if (list.kind !== 'array') return undefined;
  return applyEdits(text, appendItem(text, list, emitString(path)));
}

function callText({ name, tool, namespace, kind, payload, outcome }: NewCall, taken: ReadonlySet<string>): string {
  let unique = name;
  for (let i = 2; taken.has(unique); i++) unique = `${name} (${i})`;
  const members = [
    `"name":${emitString(unique)}`,
    `"tool":${emitString(tool)}`,
    ...(namespace === undefined ? [] : [`"namespace":${emitString(namespace)}`]),
    kind === 'function' ? `"arguments":${argumentsText(payload)}` : `"input":${emitString(payload)}`,
    ...(outcome === undefined ? [] : [`"expect":{"outcome":"${outcome}"}`]),
  ];
  return `{${members.join(',')}}`;
}

/** What is no object stands there as raw text. */
function argumentsText(payload: string): string {
  const { root, problems } = parseJson(payload);
  return root?.kind === 'object' && problems.length === 0 ? payload : emitString(payload);
}
