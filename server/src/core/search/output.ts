import { standing } from '../wire/plan';
import { deferredSpecs } from '../wire/render/deferred';
import { emitSpecs } from '../wire/spec';
import { searchItem } from './item';
import type { SearchResult, ToolSearch } from './search';

/**
 * The input item with which a search answers the model, exact but for its call: tools within the limit by rank, those of
 * one namespace at the place of the first (Codex 0.171.0, observed).
 */
export function searchOutput(search: ToolSearch, result: SearchResult, callId = '<call_id>'): string {
  return searchItem(callId, foundTools(search, result));
}

/** The tools of that item, as compact JSON. */
export function foundTools(search: ToolSearch, result: SearchResult): string {
  const planned = search.plannedOf(result.hits.filter(({ within }) => within));
  return emitSpecs(deferredSpecs(planned.map(standing)));
}
