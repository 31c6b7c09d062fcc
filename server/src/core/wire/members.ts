import { emitJson, emitString } from '../text/emit';
import type { JsonNode } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { LOCAL_KEY } from '../tools/local';

/** The members of an object as compact JSON texts, in their order, without those in `skip` and without local facts. */
export function emitMembers(node: JsonNode, skip?: ReadonlySet<string>): string[] {
  return effectiveProperties(node)
    .filter(({ key }) => key !== LOCAL_KEY && skip?.has(key) !== true)
    .map(({ key, value }) => `${emitString(key)}:${emitJson(value!)}`);
}

/** An object as compact JSON, without local facts. */
export function emitObject(node: JsonNode): string {
  return `{${emitMembers(node).join(',')}}`;
}

/** `"key":text`, or nothing without a text. */
export function member(key: string, text: string | undefined): string[] {
  return text === undefined ? [] : [`"${key}":${text}`];
}
