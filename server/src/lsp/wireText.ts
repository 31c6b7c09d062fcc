import type { ToolDefinition } from '../core/tools/model';
import type { WireMode } from '../protocol';
import type { FileState } from './files';

/** placeholder until the wire module is there */
export function wireText(state: FileState, mode: WireMode): string {
  return `[${state.result.set.tools.map((tool) => toolText(state, tool, mode)).join(',')}]`;
}
export function toolText(state: FileState, tool: ToolDefinition, _mode: WireMode): string {
  return `{"type":"function","name":${JSON.stringify(tool.name)},"parameters":${state.result.compile(tool)?.text ?? '{}'}}`;
}
export function requestText(state: FileState, mode: WireMode): string {
  return `{"tools":${wireText(state, mode)}}`;
}
export function wireNameOf(
  _state: FileState,
  tool: ToolDefinition,
): { namespace: string | undefined; name: string } | undefined {
  return tool.name === undefined ? undefined : { namespace: undefined, name: tool.name };
}
