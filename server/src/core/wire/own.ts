import { DEFAULT_CODEX_PROFILE } from '../profiles/codex';
import { compileSchema } from '../schema/compile';
import { emitString } from '../text/emit';
import type { JsonNode } from '../text/json';
import { t } from '../text/message';
import type { ToolDefinition } from '../tools/model';
import { compileOptions } from './compileOptions';
import { formatParts } from './grammarText';
import { emitMembers, emitObject, member } from './members';
import type { WebSearchMode, WireNote, WireOptions } from './options';
import type { ChildSpec, OtherSpec } from './spec';

/** Parameters of a function that declares none. */
const NO_PARAMETERS = '{"type":"object","properties":{}}';

/** Members of a web search tool in the order in which Codex writes them. */
const WEB_SEARCH_KEYS = [
  'external_web_access',
  'indexed_web_access',
  'filters',
  'user_location',
  'search_context_size',
  'search_content_types',
];

const WEB_SEARCH_FLAGS: Readonly<Record<WebSearchMode, ReadonlyMap<string, string>>> = {
  disabled: new Map(),
  cached: new Map([['external_web_access', 'false']]),
  indexed: new Map([
    ['external_web_access', 'true'],
    ['indexed_web_access', 'true'],
  ]),
  live: new Map([['external_web_access', 'true']]),
};

type Made<T> = { readonly spec: T } | { readonly note: WireNote };

/**
 * A tool as Codex treats its own specs: name, `strict` and `defer_loading` as written, the schema compiled, no output
 * schema. The way of every shape that is neither MCP's nor that of dynamic tools.
 */
export function ownSpec(tool: ToolDefinition, options: WireOptions): Made<ChildSpec | OtherSpec> {
  switch (tool.kind) {
    case 'function':
    case 'custom':
      return childSpec(tool, options);
    case 'tool-search':
      return toolSearch(tool, options);
    case 'web-search':
      return { spec: { kind: 'web_search', text: webSearchText(tool.node, options.webSearch), node: tool.node } };
    case 'hosted': {
      if (tool.shape === 'responses') return { spec: { kind: 'hosted', text: emitObject(tool.node), node: tool.node } };
      const message = t('This tool runs at another provider, so no request to OpenAI has it.');
      return { note: { kind: 'left-out', message, reason: undefined, node: tool.node, tool } };
    }
  }
}

function childSpec(tool: ToolDefinition, options: WireOptions): Made<ChildSpec> {
  const { name, node } = tool;
  if (name === undefined) {
    const message = t('The tool has no name, so it cannot be sent.');
    return { note: { kind: 'refused', message, reason: undefined, node: tool.nameNode ?? tool.body, tool } };
  }
  const description = tool.description ?? '';
  if (tool.kind === 'custom') {
    if (tool.format === undefined) {
      return { spec: { kind: 'custom', name, description, deferred: tool.deferred, format: undefined, node } };
    }
    const made = formatParts(tool.format, tool, options);
    if ('note' in made) return made;
    const { type, syntax, definition } = made.parts;
    const members = [`"type":"${type}"`, ...member('syntax', syntax), ...member('definition', definition)];
    const format = `{${members.join(',')}}`;
    return { spec: { kind: 'custom', name, description, deferred: tool.deferred, format, node } };
  }
  const made = parametersOf(tool, options);
  if ('note' in made) return made;
  const strict = tool.strict === true;
  return {
    spec: { kind: 'function', name, description, strict, deferred: tool.deferred, parameters: made.spec, node },
  };
}

/** The compiled schema, or why Codex does not take it. */
function parametersOf(tool: ToolDefinition, options: WireOptions): Made<string> {
  if (tool.schemaNode === undefined) return { spec: NO_PARAMETERS };
  const compile = options.compile ?? compileSchema;
  const result = compile(tool.schemaNode, compileOptions(tool, options.profile ?? DEFAULT_CODEX_PROFILE));
  const { refusal } = result;
  if (refusal === undefined) return { spec: result.text };
  const message = t('Codex refuses the schema: {0}.', refusal.message);
  return { note: { kind: 'refused', message, reason: refusal.message, node: refusal.node, tool } };
}

function toolSearch(tool: ToolDefinition, options: WireOptions): Made<OtherSpec> {
  const { node } = tool;
  const execution = node.value('execution')?.string;
  let parameters: string | undefined;
  if (tool.schemaNode !== undefined) {
    const made = parametersOf(tool, options);
    if ('note' in made) return made;
    parameters = made.spec;
  }
  const members = [
    '"type":"tool_search"',
    ...member('execution', execution === undefined ? undefined : emitString(execution)),
    ...member('description', tool.description === undefined ? undefined : emitString(tool.description)),
    ...member('parameters', parameters),
  ];
  return { spec: { kind: 'tool_search', text: `{${members.join(',')}}`, node } };
}

/** Web search with its members in Codex's order, others behind them; the mode decides over the flags. */
function webSearchText(node: JsonNode, mode: WebSearchMode | undefined): string {
  const type = node.value('type')?.string ?? 'web_search';
  const flags = mode === undefined || type !== 'web_search' ? undefined : WEB_SEARCH_FLAGS[mode];
  const members = [`"type":${emitString(type)}`];
  const written = new Map<string, string>();
  for (const key of WEB_SEARCH_KEYS) {
    const only = new Set(node.properties.map((property) => property.key).filter((other) => other !== key));
    const text = emitMembers(node, only)[0];
    if (text !== undefined) written.set(key, text);
  }
  if (flags !== undefined) {
    for (const key of ['external_web_access', 'indexed_web_access']) {
      const flag = flags.get(key);
      if (flag === undefined) written.delete(key);
      else written.set(key, `"${key}":${flag}`);
    }
  }
  for (const key of WEB_SEARCH_KEYS) {
    const text = written.get(key);
    if (text !== undefined) members.push(text);
  }
  members.push(...emitMembers(node, new Set(['type', ...WEB_SEARCH_KEYS])));
  return `{${members.join(',')}}`;
}
