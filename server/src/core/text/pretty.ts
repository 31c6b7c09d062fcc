import { emitJson, emitString } from './emit';
import { type JsonNode, type JsonProperty, parseJson } from './json';
import { effectiveProperties } from './jsonTree';

/** How JSON is laid out for reading. */
export interface PrettyOptions {
  /** The members of an object in the order in which they are shown; default: as written. */
  readonly members?: (node: JsonNode) => readonly JsonProperty[];
  /** A list of scalars stays in one line if it has at most so many characters. Default: 80. */
  readonly lineLength?: number;
}

/** Deeper levels are not indented any further: nobody reads them, and their spaces would outgrow all else. */
const MAX_INDENTED = 100;

function indent(depth: number): string {
  return '  '.repeat(Math.min(depth, MAX_INDENTED));
}

/**
 * A value as JSON text for reading: two spaces per level, short lists of scalars in one line, no line feed at the end.
 * Numbers keep their spelling; compacted again it is what `emitJson` gives. Nesting may have any depth.
 */
export function prettyJson(node: JsonNode, options: PrettyOptions = {}): string {
  const members = options.members ?? effectiveProperties;
  const lineLength = options.lineLength ?? 80;
  const parts: string[] = [];
  const stack: (string | { readonly node: JsonNode; readonly depth: number })[] = [{ node, depth: 0 }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (typeof step === 'string') {
      parts.push(step);
      continue;
    }
    const { node: current, depth } = step;
    const line = current.height <= 1 && current.kind === 'array' ? inline(current, lineLength) : undefined;
    if (line !== undefined) parts.push(line);
    else if (current.kind === 'array') {
      stack.push(`\n${indent(depth)}]`);
      for (let i = current.items.length - 1; i >= 0; i--) {
        stack.push({ node: current.items[i]!, depth: depth + 1 }, `${i > 0 ? ',' : ''}\n${indent(depth + 1)}`);
      }
      parts.push('[');
    } else if (current.kind === 'object' && current.properties.length > 0) {
      const list = members(current);
      stack.push(`\n${indent(depth)}}`);
      for (let i = list.length - 1; i >= 0; i--) {
        const { key, value } = list[i]!;
        if (value === undefined) continue;
        stack.push({ node: value, depth: depth + 1 }, `${i > 0 ? ',' : ''}\n${indent(depth + 1)}${emitString(key)}: `);
      }
      parts.push('{');
    } else parts.push(emitJson(current));
  }
  return parts.join('');
}

function inline(list: JsonNode, lineLength: number): string | undefined {
  const text = `[${list.items.map((item) => emitJson(item)).join(', ')}]`;
  return text.length <= lineLength ? text : undefined;
}

/** A JSON text laid out for reading; a text that is no JSON, such as a refusal, stays as it is. */
export function prettyText(text: string): string {
  const { root } = parseJson(text);
  return root === undefined ? text : prettyJson(root);
}
