import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emitJson } from '../../server/src/core/text/emit';
import { type JsonNode, parseJson } from '../../server/src/core/text/json';

/** A tool list that was seen on the wire. */
export interface CapturedList {
  readonly title: string;
  readonly kind: 'responses' | 'lite' | 'deferred';
  /** Exact compact JSON of the list. */
  readonly text: string;
  /** A file that holds the list as it came: a request body, or an item of its input. */
  readonly whole: string;
}

/** Every tool list in the captured requests of a folder (`{"requests":[{…,"tools"?,"toolItemsInInput"?}]}`). */
export function capturedLists(folder: string): CapturedList[] {
  const lists: CapturedList[] = [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  for (const name of names.sort()) {
    const requests = parseJson(readFileSync(join(folder, name), 'utf8')).root!.value('requests');
    for (const [index, request] of (requests?.items ?? []).entries()) {
      const title = `${name} request ${index + 1}`;
      const tools = request.value('tools');
      if (tools !== undefined) {
        const whole = `{"model":"m","stream":true,"input":[],"tools":${emitJson(tools)},"tool_choice":"auto"}`;
        lists.push({ title, kind: 'responses', text: emitJson(tools), whole });
      }
      for (const item of request.value('toolItemsInInput')?.items ?? []) lists.push(...itemLists(item, title));
    }
  }
  return lists;
}

function itemLists(item: JsonNode, title: string): CapturedList[] {
  const tools = item.value('tools');
  const type = item.value('type')?.string;
  if (tools === undefined) return [];
  const text = emitJson(tools);
  if (type === 'additional_tools') {
    const whole = `{"model":"m","stream":true,"input":[${emitJson(item)}],"tool_choice":"auto"}`;
    return [{ title: `${title} ${type}`, kind: 'lite', text, whole }];
  }
  return type === 'tool_search_output'
    ? [{ title: `${title} ${type}`, kind: 'deferred', text, whole: emitJson(item) }]
    : [];
}
