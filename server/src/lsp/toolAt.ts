import type { ToolDefinition } from '../core/tools/model';
import type { FileState } from './files';

/** The innermost tool whose text an offset lies in, or `undefined`. */
export function toolAt({ result }: Pick<FileState, 'result'>, offset: number): ToolDefinition | undefined {
  const inside = result.set.tools.filter(({ node }) => node.offset <= offset && offset <= node.end);
  return inside[inside.length - 1];
}
