import type { CodexProfile } from '../profiles/codex';
import { compileSchema } from '../schema/compile';
import type { JsonNode } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { cutUtf8, utf8Length } from '../text/utf8';
import { type McpName, mcpNames, type SessionNames } from './mcpNames';
import type { CompiledSchema, CompileForWire } from './options';
import { rustTrim } from './rustText';
import { emitSpec, type FunctionSpec, functionFields, mergeNamespaces, type NamespaceSpec } from './spec';

/** An MCP server as Codex meets it: what it answers, and what Codex's configuration says of it. */
export interface McpServer {
  readonly name: string;
  readonly tools: readonly JsonNode[];
  readonly instructions?: string | undefined;
  /** `enabled_tools`: only these raw names are taken. */
  readonly enabled?: readonly string[] | undefined;
  /** `disabled_tools`: these raw names are left out. */
  readonly disabled?: readonly string[] | undefined;
  /** `tool_input_schema_max_bytes`: in place of the profile's budget. */
  readonly maxSchemaBytes?: number | undefined;
  /** Name of the agent plugin that brings the server; its limits then hold. */
  readonly plugin?: string | undefined;
}

/** Why a whole server gives no tools. */
export interface McpServerFailure {
  readonly server: string;
  /** Codex's own words. */
  readonly message: string;
  /** The value at fault; `undefined` when it is the server's name, or when the server has nothing. */
  readonly node: JsonNode | undefined;
}

/**
 * Why a tool of a working server is not shown.
 *
 * - `filtered`: `enabled_tools` or `disabled_tools`
 * - `invisible`: `_meta.ui.visibility` without `model`
 * - `repeated`: a tool of the same name came before
 * - `schema`: Codex refuses the schema
 * - `plugin-size`, `plugin-total`: the limits of agent plugins
 */
export type McpDropReason = 'filtered' | 'invisible' | 'repeated' | 'schema' | 'plugin-size' | 'plugin-total';

/** A tool that a working server offers and that is not shown. */
export interface McpDrop {
  readonly reason: McpDropReason;
  readonly node: JsonNode;
  /** The raw name. */
  readonly name: string;
  /** The line that Codex logs; `undefined` when it says nothing. */
  readonly log: string | undefined;
  /** Codex's own reason, for `schema`. */
  readonly message: string | undefined;
  readonly cause: JsonNode | undefined;
}

/** What Codex makes of MCP servers. */
export interface McpTools {
  /** Namespaces in the order of the servers' raw names, each with its tools by final name. */
  readonly containers: readonly NamespaceSpec[];
  readonly failures: readonly McpServerFailure[];
  readonly drops: readonly McpDrop[];
  /** Namespace and name of each tool, by its node. */
  readonly names: ReadonlyMap<JsonNode, McpName>;
  readonly compiled: ReadonlyMap<JsonNode, CompiledSchema>;
  /** Plugin tools whose schema was too large and became an open object. */
  readonly opened: ReadonlySet<JsonNode>;
}

/** Options of `readMcpServers`. */
export interface McpOptions {
  readonly profile: CodexProfile;
  readonly compile?: CompileForWire | undefined;
  /** Names that are unique over more servers than those that are read; without them over those alone. */
  readonly session?: SessionNames | undefined;
}

/** The recorded words where Codex leaves something out and says nothing. */
export const ABSENT_IN_SILENCE = 'absent from the request, nothing logged';

/** The words when an answer of the server does not have the form that MCP demands. */
const UNEXPECTED = 'Unexpected response type';

const SERVER_NAME = /^[a-zA-Z0-9_:@/.-]+$/;

/** The schema of a plugin tool that is too large. */
const OPEN_SCHEMA = '{"type":"object","properties":{},"additionalProperties":true}';

interface Offered {
  readonly server: McpServer;
  readonly node: JsonNode;
  readonly name: string;
}

/**
 * What Codex 0.171.0 shows of MCP servers (observed; limits of agent plugins from its public source): server by server
 * checked and filtered, names made unique over all of them, schemas compiled, and one namespace a server.
 */
export function readMcpServers(servers: readonly McpServer[], options: McpOptions): McpTools {
  const { failures, offered, filtered } = offersOf(servers, options.profile);
  const drops: McpDrop[] = [];
  const drop = (reason: McpDropReason, node: JsonNode, name: string, log?: string): void => {
    drops.push({ reason, node, name, log, message: undefined, cause: undefined });
  };
  for (const { node, name } of filtered) drop('filtered', node, name);
  const session = options.session ?? namesOf(offered, options.profile);
  const namesByNode = new Map<JsonNode, McpName>();
  const named: { readonly tool: Offered; readonly name: McpName; readonly place: number }[] = [];
  for (const tool of offered) {
    const { node, name } = tool;
    const made = session.names.get(node);
    if (made !== undefined) {
      namesByNode.set(node, made);
      named.push({ tool, name: made, place: session.order.get(node)! });
    } else if (session.repeated.has(node)) {
      drop('repeated', node, name, `WARN codex_mcp::tools: skipping duplicated tool ${name}`);
    }
  }
  const builder = new SpecBuilder(options, drops);
  const specs: NamespaceSpec[] = [];
  for (const { tool, name } of named.sort((a, b) => a.place - b.place)) {
    if (!isVisible(tool.node)) {
      drop('invisible', tool.node, tool.name);
      continue;
    }
    const spec = builder.build(tool, name);
    if (spec !== undefined) specs.push(spec);
  }
  return {
    containers: mergeNamespaces(specs) as NamespaceSpec[],
    failures,
    drops,
    names: namesByNode,
    compiled: builder.compiled,
    opened: builder.opened,
  };
}

/**
 * Names of the MCP tools of a session, unique over all of its servers (Codex 0.171.0, observed): those of several files
 * may not be told apart file by file.
 *
 * @param files the servers of each file
 */
export function sessionNames(files: readonly (readonly McpServer[])[], profile: CodexProfile): SessionNames {
  return namesOf(
    files.flatMap((servers) => offersOf(servers, profile).offered),
    profile,
  );
}

interface Offers {
  readonly failures: McpServerFailure[];
  readonly offered: readonly Offered[];
  readonly filtered: readonly Offered[];
}

function offersOf(servers: readonly McpServer[], profile: CodexProfile): Offers {
  const failures: McpServerFailure[] = [];
  const offered: Offered[] = [];
  const filtered: Offered[] = [];
  for (const server of servers) {
    const failure = serverFailure(server, profile);
    if (failure !== undefined) {
      failures.push({ server: server.name, ...failure });
      continue;
    }
    for (const node of server.tools) {
      const name = node.value('name')!.text;
      (takes(server, name) ? offered : filtered).push({ server, node, name });
    }
  }
  return { failures, offered, filtered };
}

function namesOf(offered: readonly Offered[], profile: CodexProfile): SessionNames {
  const { names, repeated } = mcpNames(
    offered.map(({ server, name }) => ({ server: server.name, tool: name })),
    profile,
  );
  return {
    names: new Map(names.map((name) => [offered[name.index]!.node, name])),
    order: new Map(names.map((name, place) => [offered[name.index]!.node, place])),
    repeated: new Set(repeated.map((index) => offered[index]!.node)),
  };
}

/** Builds the namespace of one tool for each tool, as Codex does before it merges them. */
class SpecBuilder {
  readonly compiled = new Map<JsonNode, CompiledSchema>();
  readonly opened = new Set<JsonNode>();
  #pluginBytes = 0;

  constructor(
    readonly options: McpOptions,
    readonly drops: McpDrop[],
  ) {}

  build({ server, node, name: rawName }: Offered, { namespace, name }: McpName): NamespaceSpec | undefined {
    const { profile } = this.options;
    const budget = server.plugin === undefined ? server.maxSchemaBytes : undefined;
    const limited = budget === undefined ? profile : { ...profile, budgetBytes: budget };
    const compile = this.options.compile ?? compileSchema;
    const compiled = compile(node.value('inputSchema')!, { profile: limited, via: 'mcp' });
    this.compiled.set(node, compiled);
    const { refusal } = compiled;
    if (refusal !== undefined) {
      const log = `WARN codex_core::mcp_tool_exposure: Skipping MCP tool \`${namespace}${name}\`: failed to build tool spec: ${refusal.message}`;
      this.drops.push({ reason: 'schema', node, name: rawName, log, message: refusal.message, cause: refusal.node });
      return undefined;
    }
    const description = node.value('description')?.string ?? '';
    const spec: FunctionSpec = {
      kind: 'function',
      name,
      description,
      strict: false,
      deferred: false,
      parameters: compiled.text,
      node,
    };
    const text = rustTrim(server.instructions ?? '');
    const container: NamespaceSpec = {
      kind: 'namespace',
      name: namespace,
      description: cutUtf8(text, profile.instructionsBytes),
      tools: [spec],
      node: undefined,
    };
    return server.plugin === undefined ? container : this.#ofPlugin(server.plugin, server, container, spec, rawName);
  }

  /** Agent plugins: a note and a limit on texts, an open schema for large tools, and limits on containers. */
  #ofPlugin(
    plugin: string,
    server: McpServer,
    container: NamespaceSpec,
    spec: FunctionSpec,
    rawName: string,
  ): NamespaceSpec | undefined {
    const limits = this.options.profile.plugin;
    const description = cutUtf8(withPluginNote(spec.description, plugin), limits.descriptionBytes);
    let tool: FunctionSpec = { ...spec, description };
    if (utf8Length(`{${functionFields(tool)}}`) > limits.toolBytes) {
      tool = { ...tool, parameters: OPEN_SCHEMA };
      this.opened.add(tool.node);
    }
    const namespaceText = rustTrim(cutUtf8(server.instructions ?? '', limits.descriptionBytes));
    const limited: NamespaceSpec = { ...container, description: namespaceText, tools: [tool] };
    const bytes = utf8Length(emitSpec(limited));
    const dropped = (reason: McpDropReason): undefined => {
      this.drops.push({ reason, node: spec.node, name: rawName, log: undefined, message: undefined, cause: undefined });
      return undefined;
    };
    if (bytes > limits.namespaceBytes) return dropped('plugin-size');
    if (this.#pluginBytes + bytes > limits.totalBytes) return dropped('plugin-total');
    this.#pluginBytes += bytes;
    return limited;
  }
}

/** A description with the sentence that names the plugin. */
function withPluginNote(description: string, plugin: string): string {
  const note = `This tool is part of plugin \`${plugin}\`.`;
  const text = rustTrim(description);
  if (text === '') return note;
  return /[.!?]$/.test(text) ? `${text} ${note}` : `${text}. ${note}`;
}

function takes(server: McpServer, name: string): boolean {
  if (server.enabled !== undefined && !server.enabled.includes(name)) return false;
  return server.disabled === undefined || !server.disabled.includes(name);
}

/** Tools without the metadata are visible; with it, only those that name the model. */
function isVisible(node: JsonNode): boolean {
  const visibility = node.value('_meta')?.value('ui')?.value('visibility');
  if (visibility?.kind !== 'array') return true;
  return visibility.items.some((item) => item.string === 'model');
}

/** Levels of containers from a tool object to its schema. */
const TOOL_LEVELS = 1;

function serverFailure(server: McpServer, profile: CodexProfile): Omit<McpServerFailure, 'server'> | undefined {
  if (!SERVER_NAME.test(server.name)) {
    const message = `Invalid MCP server name '${server.name}': must match pattern ^[a-zA-Z0-9_:@/.-]+$`;
    return { message, node: undefined };
  }
  const deep = server.tools.find((node) => node.height > profile.maxSchemaNesting + TOOL_LEVELS);
  if (deep !== undefined) return { message: ABSENT_IN_SILENCE, node: deep };
  for (const tool of server.tools) {
    const fault = malformed(tool);
    if (fault !== undefined) return { message: UNEXPECTED, node: fault };
  }
  return server.tools.length === 0 ? { message: ABSENT_IN_SILENCE, node: undefined } : undefined;
}

type Test = (node: JsonNode) => boolean;

const isString: Test = (node) => node.kind === 'string';
const isObject: Test = (node) => node.kind === 'object';
const isBoolean: Test = (node) => node.kind === 'boolean';

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

/** Optional members of a tool by the types of the MCP client library; null counts as absent. */
const OPTIONAL: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['title', isString],
  ['description', isString],
  ['outputSchema', isObject],
  ['annotations', hasTyped([['title', isString], ...HINTS.map((key): [string, Test] => [key, isBoolean])])],
  ['_meta', isObject],
  ['execution', isObject],
  ['icons', (node) => node.kind === 'array' && node.items.every((icon) => icon.value('src')?.kind === 'string')],
]);

/** An object whose members, where they stand and are not null, pass their tests. */
function hasTyped(members: readonly (readonly [string, Test])[]): Test {
  return (node) =>
    node.kind === 'object' &&
    members.every(([key, test]) => {
      const value = node.value(key);
      return value === undefined || value.kind === 'null' || test(value);
    });
}

/**
 * The value because of which the client cannot read a tool list; the whole server then fails. Observed for a missing or
 * non-object `inputSchema` and a non-string `description`; the other members follow the types of MCP.
 */
function malformed(tool: JsonNode): JsonNode | undefined {
  if (tool.kind !== 'object') return tool;
  const name = tool.value('name');
  if (name?.kind !== 'string') return name ?? tool;
  const schema = tool.value('inputSchema');
  if (schema?.kind !== 'object') return schema ?? tool;
  for (const property of effectiveProperties(tool)) {
    const test = OPTIONAL.get(property.key);
    const value = property.value!;
    if (test !== undefined && value.kind !== 'null' && !test(value)) return value;
  }
  return undefined;
}
