import { emitString } from '../text/emit';
import { type JsonNode, parseJson } from '../text/json';
import type { ProviderAnswer, ProviderGrammar } from './provider';

/** A request of the batch form that the provider's engine answers. */
export interface ProviderRequest {
  /** The id as it was written. */
  readonly id: string;
  readonly grammar: ProviderGrammar;
  readonly inputs: readonly string[];
}

/**
 * Reads a line of `toolspec grammar parse --jsonl` that names the provider's engine,
 * `{"id","grammar","options":{"engine":"llguidance","syntax"?:"lark"|"regex"},"inputs"}`. Gives the whole answer as a
 * text where such a request is wrong, and `undefined` for lines that are not for this engine.
 */
export function readProviderRequest(given: string): ProviderRequest | string | undefined {
  // Most lines are not for this engine, and reading one twice is a waste.
  if (!given.includes('llguidance')) return undefined;
  const line = given.startsWith('\ufeff') ? given.slice(1) : given;
  const { root, problems } = parseJson(line);
  if (root?.kind !== 'object' || problems.some(({ code }) => code !== 'lone-surrogate')) return undefined;
  const options = root.value('options');
  if (options?.kind !== 'object' || options.value('engine')?.string !== 'llguidance') return undefined;
  const idNode = root.value('id');
  const id = idNode === undefined ? 'null' : line.slice(idNode.offset, idNode.end);
  const text = root.value('grammar')?.string;
  if (text === undefined) return refused(id, 'The request has no text "grammar".');
  const inputs = textsOf(root.value('inputs'));
  if (inputs === undefined) return refused(id, '"inputs" must be a list of texts.');
  const syntax = options.value('syntax')?.string ?? 'lark';
  if (syntax !== 'lark' && syntax !== 'regex') return refused(id, '"syntax" must be one of "lark", "regex".');
  return { id, grammar: { syntax, text }, inputs };
}

function textsOf(node: JsonNode | undefined): string[] | undefined {
  if (node === undefined) return [];
  const texts = node.items.flatMap((item) => item.string ?? []);
  return node.kind === 'array' && texts.length === node.items.length ? texts : undefined;
}

function refused(id: string, error: string, results?: string): string {
  const known = results === undefined ? '' : `,"results":[${results}]`;
  return `{"id":${id},"ok":false,"error":${emitString(error)}${known}}`;
}

/**
 * The line that answers a request: `{"id","loadError":null|{"code","line","column","message","text"},"results"}`, a
 * result being `{"accepted","prefix"}` with the prefix in bytes, as the engine counts. `message` is the first line of
 * the engine's words and `text` all of them; lines and columns are the engine's too. Where the engine did not come to
 * an end, `{"id","ok":false,"error","results"}` with the results that are known.
 */
export function providerAnswerLine({ id, inputs }: ProviderRequest, answer: ProviderAnswer): string {
  const { end, load } = answer;
  if (load?.ok === false) {
    const { firstLine, place, text } = load.refusal;
    return loadError(id, 'llguidance.refused', firstLine, text, place);
  }
  const results = answer.inputs
    .flatMap((judged) => judged ?? [])
    .map(({ verdict }) => `{"accepted":${verdict.accepted},"prefix":${verdict.prefix}}`)
    .join(',');
  switch (end.state) {
    case 'done':
      return `{"id":${id},"loadError":null,"results":[${results}]}`;
    case 'timed-out': {
      const about =
        load === undefined ? 'loading the grammar' : `input ${answer.inputs.length + 1} of ${inputs.length}`;
      return refused(id, `The engine was stopped after ${end.milliseconds / 1000} s, at ${about}.`, results);
    }
    case 'crashed':
      if (end.cause === 'panic' && load === undefined) {
        return loadError(id, 'llguidance.panic', `panic: ${end.detail.split('\n', 1)[0]}`, end.detail, undefined);
      }
      return refused(id, `The engine broke (${end.cause}): ${end.detail}`, results);
    case 'outdated':
      return refused(id, 'A newer request took the place of this one.', results);
    case 'unavailable':
      return refused(id, `The engine cannot run here: ${end.detail}`);
  }
}

function loadError(
  id: string,
  code: string,
  message: string,
  text: string,
  place: { readonly line: number; readonly byteColumn: number } | undefined,
): string {
  const at = `"line":${place?.line ?? 'null'},"column":${place?.byteColumn ?? 'null'}`;
  const words = `"message":${emitString(message)},"text":${emitString(text)}`;
  return `{"id":${id},"loadError":{"code":"${code}",${at},${words}},"results":[]}`;
}
