import type { HandlerOutcome, HandlerRequest } from '../../core/calls/handler';
import { emitJson, emitString } from '../../core/text/emit';
import type { JsonNode } from '../../core/text/json';
import { parseStrictJson } from '../../core/text/jsonStrict';
import { type Message, render, t } from '../../core/text/message';
import { crashed } from './stops';

/** What a line of output is, seen from a call that waits for its answer. */
export type Line =
  /** No answer at all: something that the program prints beside. */
  | { readonly kind: 'noise' }
  /** An answer to a call that has had its answer. */
  | { readonly kind: 'late'; readonly id: string }
  | { readonly kind: 'answer'; readonly outcome: Answer };

/** An outcome before its notes are known. */
export type Answer = HandlerOutcome extends infer Each ? (Each extends unknown ? Omit<Each, 'notes'> : never) : never;

/** A call as the line that a handler reads. Text goes as text: a handler's own parser decides what is valid. */
export function requestLine(id: string, { tool, namespace, kind, text }: HandlerRequest): string {
  const payload = `"${kind === 'function' ? 'arguments' : 'input'}":${emitString(text)}`;
  const space = namespace === undefined ? 'null' : emitString(namespace);
  return `{"id":${emitString(id)},"tool":${emitString(tool)},"namespace":${space},"kind":"${kind}",${payload}}`;
}

/**
 * Reads a line of output.
 *
 * @param id of the call that waits
 * @param answered tells ids of calls that have had their answer
 */
export function readLine(line: string, id: string | undefined, answered: (id: string) => boolean): Line {
  // Most noise is no JSON object: it is not worth a parse.
  const root = /^\s*\{/.test(line) ? parseStrictJson(line, { halves: true }) : undefined;
  if (root?.kind !== 'object' || (root.get('id') === undefined && root.get('ok') === undefined))
    return { kind: 'noise' };
  const named = root.value('id');
  const given = named?.string;
  if (given !== undefined && given !== id && answered(given)) return { kind: 'late', id: given };
  if (id === undefined) return { kind: 'late', id: given ?? '' };
  if (given !== id) {
    return fault(
      named === undefined
        ? t('The handler answered with no id where "{0}" was asked.', id)
        : t('The handler answered with the id {0} where "{1}" was asked.', shown(named), id),
    );
  }
  return { kind: 'answer', outcome: readAnswer(root) };
}

function readAnswer(root: JsonNode): Answer {
  const failure = root.value('fault')?.string;
  if (failure !== undefined) return crashed(faultWords(failure, root), 'fault');
  const ok = root.value('ok')?.boolean;
  if (ok === true) {
    const value = root.value('value');
    return { verdict: 'accepted', value: value === undefined ? undefined : emitJson(value) };
  }
  if (ok !== false) return fault(t('The answer of the handler has neither "ok": true nor "ok": false.')).outcome;
  const feedback = root.value('feedback')?.string;
  if (feedback === undefined) {
    return fault(t('The answer of the handler has "ok": false, but no text as "feedback".')).outcome;
  }
  const place = root.value('offset');
  const offset = place?.kind === 'number' ? Number(place.text) : Number.NaN;
  return { verdict: 'rejected', feedback, ...(Number.isSafeInteger(offset) && offset >= 0 ? { offset } : {}) };
}

/** A fault as the process of a module tells it: in English, and beside it the template and what goes into it. */
function faultWords(failure: string, root: JsonNode): Message {
  const template = root.value('template')?.string;
  const args = (root.value('args')?.items ?? []).map((item) => item.string ?? '');
  const words = template === undefined ? undefined : { text: template, args };
  return words !== undefined && render(words) === failure ? words : t('{0}', failure);
}

function fault(words: Message): { readonly kind: 'answer'; readonly outcome: Answer } {
  return { kind: 'answer', outcome: crashed(words, 'bad-answer') };
}

function shown(node: JsonNode): string {
  const text = emitJson(node);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
