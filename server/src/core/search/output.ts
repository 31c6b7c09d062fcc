import { emitString } from '../text/emit';
import { standing } from '../wire/plan';
import { deferredSpecs } from '../wire/render/deferred';
import { emitSpecs } from '../wire/spec';
import type { SearchResult, ToolSearch } from './search';

/**
 * The input item with which a search answers the model, exact but for its call: tools within the limit by rank, those of
 * one namespace at the place of the first (Codex 0.171.0, observed).
 */
export function searchOutput(search: ToolSearch, result: SearchResult, callId = '<call_id>'): string {
  const planned = search.plannedOf(result.hits.filter(({ within }) => within));
  const tools = emitSpecs(deferredSpecs(planned.map(standing)));
  const head = `"type":"tool_search_output","call_id":${emitString(callId)}`;
  return `{${head},"status":"completed","execution":"client","tools":${tools}}`;
}
