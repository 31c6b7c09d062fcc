import { rustTrim } from '../rustText';
import { type ChildSpec, DEFAULT_NAMESPACE, type ToolSpec } from '../spec';

/**
 * The tool list of a Responses Lite request (Codex 0.171.0, observed; steps as in the public source of 0.148.0): plain
 * functions and custom tools, and the tools of a namespace `functions`, gather in one namespace `functions` at the place
 * of the first of them. Everything else stays beside it.
 */
export function liteSpecs(specs: readonly ToolSpec[]): ToolSpec[] {
  const children: ChildSpec[] = [];
  const result: ToolSpec[] = [];
  let description = '';
  let place: number | undefined;
  for (const spec of specs) {
    if (spec.kind === 'function' || spec.kind === 'custom') children.push(spec);
    else if (spec.kind === 'namespace' && spec.name === DEFAULT_NAMESPACE) {
      if (rustTrim(spec.description) !== '') description = spec.description;
      children.push(...spec.tools);
    } else {
      result.push(spec);
      continue;
    }
    place ??= result.length;
  }
  if (place !== undefined && children.length > 0) {
    const tools = children;
    result.splice(place, 0, { kind: 'namespace', name: DEFAULT_NAMESPACE, description, tools, node: undefined });
  }
  return result;
}
