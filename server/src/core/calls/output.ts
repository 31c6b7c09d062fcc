import { searchItem } from '../search/item';
import { emitJson, emitString } from '../text/emit';
import { parseJson } from '../text/json';
import type { HandlerOutcome } from './handler';
import type { OutputForm } from './route';

/** What stands in the place of an answer that never came (Codex 0.171.0, as read in its source). */
export const ABORTED = 'aborted';

/**
 * The item that goes back to the model, as compact JSON (OpenAI Responses, as Codex 0.171.0 fills it).
 *
 * @param text of a search for tools: its list of tools as JSON
 */
export function outputItem(form: OutputForm, callId: string, text: string): string {
  if (form === 'tool-search') return searchItem(callId, text);
  const type = form === 'function' ? 'function_call_output' : 'custom_tool_call_output';
  return `{"type":"${type}","call_id":${emitString(callId)},"output":${emitString(text)}}`;
}

/**
 * The text that the model gets of a handler's outcome: a string as it is, another value as JSON, of an MCP result its
 * structured content if it has any, else its list of contents.
 */
export function outputText(outcome: HandlerOutcome, mcp: boolean): string {
  if (outcome.verdict === 'accepted') return valueText(outcome.value, mcp);
  if (outcome.verdict !== 'rejected') return ABORTED;
  return mcp && outcome.value !== undefined ? valueText(outcome.value, true) : outcome.feedback;
}

function valueText(value: string | undefined, mcp: boolean): string {
  if (value === undefined) return '';
  const { root } = parseJson(value);
  if (root === undefined) return value;
  if (mcp) {
    const structured = root.value('structuredContent');
    if (structured !== undefined && structured.kind !== 'null') return emitJson(structured);
    const content = root.value('content');
    if (content !== undefined) return emitJson(content);
  }
  return root.string ?? emitJson(root);
}
