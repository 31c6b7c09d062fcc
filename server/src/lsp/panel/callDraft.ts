import { emptySamples } from '../../core/calls/addCall';
import type { SampleCall } from '../../core/calls/model';
import { applyEdits, replaceValue } from '../../core/text/edits';
import { emitString } from '../../core/text/emit';
import type { TextEdit } from '../../core/text/finding';
import { parseJson } from '../../core/text/json';
import { keySpan } from '../../core/text/jsonTree';

/** The text of a samples file as if the call sent this. Nothing else of the file changes. */
export function withPayload(text: string, { payload, index }: SampleCall, sent: string): string {
  if (payload === undefined) return text;
  const call = parseJson(text).root?.value('calls')?.items[index];
  const key = payload.kind === 'input-file' ? 'inputFile' : payload.kind;
  const property = call?.get(key);
  if (property?.value === undefined) return text;
  const edits: TextEdit[] = [...replaceValue(property.value, emitString(sent))];
  if (key === 'inputFile') edits.push({ span: keySpan(property), newText: '"input"' });
  return applyEdits(text, edits);
}

/** The text of a samples file with nobody who takes its calls, so that the contract alone is judged. */
export function withoutHandlers(text: string): string {
  const handlers = parseJson(text).root?.value('handlers');
  return handlers === undefined ? text : applyEdits(text, replaceValue(handlers, '{}'));
}

/** A samples file with one call, for a tool that has none stored. */
export function loneCall(
  definition: string,
  call: {
    readonly tool: string;
    readonly namespace: string | undefined;
    readonly kind: 'arguments' | 'input';
    readonly text: string;
  },
): string {
  const { root } = parseJson(emptySamples([definition]));
  const members = [
    `"tool":${emitString(call.tool)}`,
    ...(call.namespace === undefined ? [] : [`"namespace":${emitString(call.namespace)}`]),
    `"${call.kind}":${emitString(call.text)}`,
  ];
  const calls = root?.value('calls');
  const text = emptySamples([definition]);
  return calls === undefined ? text : applyEdits(text, replaceValue(calls, `[{${members.join(',')}}]`));
}
