import { emitString } from '../text/emit';

/**
 * The input item with which a search for tools answers the model (Codex 0.171.0, observed).
 *
 * @param tools the list of tools as JSON text
 */
export function searchItem(callId: string, tools: string): string {
  const head = `"type":"tool_search_output","call_id":${emitString(callId)}`;
  return `{${head},"status":"completed","execution":"client","tools":${tools}}`;
}
