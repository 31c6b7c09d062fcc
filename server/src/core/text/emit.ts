import type { JsonNode } from './json';
import { effectiveProperties } from './jsonTree';
import { type NumberStyle, writeNumber } from './number';

const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A string as JSON text: raw but for quotes, backslashes and control characters, as Codex and `JSON.stringify` write it. */
export function emitString(text: string): string {
  return needsEscape(text) ? JSON.stringify(text) : `"${text}"`;
}

/** For short texts, which most are, a loop is faster than the call of a pattern. */
function needsEscape(text: string): boolean {
  if (text.length > 32) return NEEDS_ESCAPE.test(text);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code < 0xe000)) return true;
  }
  return false;
}

/**
 * A value as compact JSON text: keys in their order (of repeated keys the last value at the first place), numbers in
 * `style`, or as written without one. Keeps a stack of its own, so any nesting is fine.
 */
export function emitJson(node: JsonNode, style?: NumberStyle): string {
  if (node.height === 0) return emitScalar(node, style);
  const parts: string[] = [];
  const stack: (JsonNode | string)[] = [node];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (typeof step === 'string') parts.push(step);
    else if (step.kind === 'array') {
      stack.push(']');
      for (let i = step.items.length - 1; i >= 0; i--) {
        stack.push(step.items[i]!);
        if (i > 0) stack.push(',');
      }
      parts.push('[');
    } else if (step.kind === 'object') {
      stack.push('}');
      const members = effectiveProperties(step);
      for (let i = members.length - 1; i >= 0; i--) {
        stack.push(members[i]!.value!, `${i > 0 ? ',' : ''}${emitString(members[i]!.key)}:`);
      }
      parts.push('{');
    } else parts.push(emitScalar(step, style));
  }
  return parts.join('');
}

function emitScalar(node: JsonNode, style: NumberStyle | undefined): string {
  if (node.kind === 'string') return emitString(node.text);
  if (node.kind === 'object') return '{}';
  if (node.kind === 'array') return '[]';
  return node.kind === 'number' && style !== undefined ? writeNumber(node.text, style) : node.text;
}
