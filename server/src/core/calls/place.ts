import { EmbeddedText } from '../text/embedded';
import type { JsonNode } from '../text/json';
import { headSpan, nodeSpan, resolvePointer } from '../text/jsonTree';
import type { Span } from '../text/span';
import type { SampleCall } from './model';
import type { CallFinding } from './report';

/** Where a call is shown: its name, else its tool, else the bracket that opens it. */
export function callSpan({ node, nameNode, toolNode }: SampleCall): Span {
  const named = nameNode ?? toolNode;
  return named === undefined ? headSpan(node) : nodeSpan(named);
}

/**
 * Where a finding about a call stands in the samples file: the value within the arguments or the stored result, or the
 * character of a text that stands there; the call itself for what lies in another file or is about the whole call.
 *
 * @param text of the samples file
 */
export function findingSpan(call: SampleCall, { pointer, offset }: CallFinding, text: string): Span {
  if (pointer !== undefined && /^\/result(?:\/|$)/.test(pointer)) {
    const place = call.result === undefined ? undefined : nearest(call.result, pointer.slice('/result'.length));
    return place === undefined ? callSpan(call) : headSpan(place);
  }
  const { payload } = call;
  if (payload === undefined || payload.kind === 'input-file') return callSpan(call);
  const { node } = payload;
  if (payload.kind === 'input' || payload.raw) {
    if (offset === undefined) return nodeSpan(node);
    const embedded = new EmbeddedText(text, node.offset);
    return embedded.spanToDocument({ start: offset, end: Math.min(offset + 1, embedded.text.length) });
  }
  if (pointer === undefined || pointer === '') return headSpan(node);
  const place = nearest(node, pointer);
  return place === undefined ? headSpan(node) : headSpan(place);
}

/** The value that a pointer names, or the innermost one around what is not there. */
function nearest(root: JsonNode, pointer: string): JsonNode | undefined {
  for (let current = pointer; ; current = current.slice(0, current.lastIndexOf('/'))) {
    const node = resolvePointer(root, current);
    if (node !== undefined || current === '') return node;
  }
}
