import { emitJson, emitString } from '../text/emit';
import { type JsonDocument, type JsonNode, parseJson } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { prettyJson } from '../text/pretty';
import { readTools } from '../tools/read';
import { qualifiedName } from './snapshot';

/**
 * The text to store for fresh definitions: laid out for reading, in the order in which the source gave them, with a
 * line feed at its end. What only the stored file can say is kept from it: comments above the definitions,
 * `x-toolspec` of the file and of each tool, `$schema` and its like; for the list of an MCP server, every other key
 * beside `tools` too.
 *
 * @param stored the file as it is, if there is one
 * @param keepAll whether every key beside the tools is kept
 */
export function snapshotText(fresh: JsonDocument, stored: JsonDocument | undefined, keepAll: boolean): string {
  const root = fresh.root;
  if (root === undefined) return '';
  const local = localFacts(stored);
  const tools = new Map(readTools(fresh, { baseName: '' }).tools.map((tool) => [tool.node, qualifiedName(tool)]));
  const write = (node: JsonNode): string => {
    const name = tools.get(node);
    if (name !== undefined) return withMembers(node, local.get(name));
    if (node.kind === 'array') return `[${node.items.map(write).join(',')}]`;
    if (node.kind !== 'object' || !holdsAny(node, tools)) return emitJson(node);
    return object(effectiveProperties(node).map(({ key, value }) => [key, write(value!)]));
  };
  let text = write(root);
  const above = stored?.root;
  if (root.kind === 'object' && above?.kind === 'object' && !tools.has(root)) {
    const kept = effectiveProperties(above).filter(
      ({ key }) => root.value(key) === undefined && key !== 'nextCursor' && (keepAll || isOwn(key)),
    );
    const before = kept.map(({ key, value }) => `${emitString(key)}:${emitJson(value!)}`);
    const inner = text.slice(1, -1);
    text = `{${[...before, ...(inner === '' ? [] : [inner])].join(',')}}`;
  }
  const laidOut = parseJson(text).root;
  return `${comments(stored)}${laidOut === undefined ? text : prettyJson(laidOut)}\n`;
}

function isOwn(key: string): boolean {
  return key === 'x-toolspec' || key.startsWith('$');
}

/** Whether a tool lies in this object or in a list in it. Tools lie a few levels deep at most. */
function holdsAny(node: JsonNode, tools: ReadonlyMap<JsonNode, string>): boolean {
  for (const tool of tools.keys()) {
    for (let at: JsonNode | undefined = tool; at !== undefined; at = at.parent) if (at === node) return true;
  }
  return false;
}

/** `x-toolspec` of each stored tool, by the tool's name. */
function localFacts(stored: JsonDocument | undefined): Map<string, JsonNode> {
  const result = new Map<string, JsonNode>();
  if (stored === undefined) return result;
  for (const tool of readTools(stored, { baseName: '' }).tools) {
    const facts = tool.node.value('x-toolspec');
    if (facts !== undefined) result.set(qualifiedName(tool), facts);
  }
  return result;
}

function withMembers(node: JsonNode, facts: JsonNode | undefined): string {
  if (facts === undefined || node.kind !== 'object' || node.has('x-toolspec')) return emitJson(node);
  const own = effectiveProperties(node).map(({ key, value }): [string, string] => [key, emitJson(value!)]);
  return object([...own, ['x-toolspec', emitJson(facts)]]);
}

function object(members: readonly (readonly [key: string, text: string])[]): string {
  return `{${members.map(([key, text]) => `${emitString(key)}:${text}`).join(',')}}`;
}

/** What stands above the definitions in the stored file: comments, with the line breaks behind them. */
function comments(stored: JsonDocument | undefined): string {
  if (stored?.root === undefined) return '';
  const before = stored.text.slice(0, stored.root.offset);
  return before.trim() === '' ? '' : before.trimEnd().concat('\n');
}
