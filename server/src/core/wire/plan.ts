import { type CodexProfile, DEFAULT_CODEX_PROFILE } from '../profiles/codex';
import type { JsonNode } from '../text/json';
import { type Message, t } from '../text/message';
import { codexRoute, type Exposure, type ToolDefinition, type ToolNamespace, type ToolSet } from '../tools/model';
import { builtinNameLog, type DynamicTool, isDynamicGroup, readDynamicTools } from './dynamic';
import { dynamicSpec } from './dynamicSpecs';
import type { SessionNames } from './mcpNames';
import {
  ABSENT_IN_SILENCE,
  type McpDrop,
  type McpServer,
  type McpTools,
  readMcpServers,
  sessionNames,
} from './mcpServer';
import type { WireNote, WireOptions } from './options';
import { ownSpec } from './own';
import { type ChildSpec, DEFAULT_NAMESPACE, type NamespaceSpec, type OtherSpec, type ToolSpec } from './spec';

/** A tool on its way into a request, with the namespace in which it goes. */
export interface PlannedTool {
  readonly tool: ToolDefinition;
  readonly spec: ChildSpec | OtherSpec;
  readonly namespace: Omit<NamespaceSpec, 'tools'> | undefined;
  /** What the definition and its local facts say; `undefined` when they say nothing. */
  readonly exposure: Exposure | undefined;
}

/** A namespace of the file without a tool that goes out. */
interface EmptyNamespace {
  readonly tool: undefined;
  readonly namespace: Omit<NamespaceSpec, 'tools'>;
}

/** What Codex registers of a set of tools, whatever form of request it is for. */
export interface CodexPlan {
  /** In the order of registration. */
  readonly tools: readonly (PlannedTool | EmptyNamespace)[];
  readonly byTool: ReadonlyMap<ToolDefinition, PlannedTool>;
  /** Why a tool is not among them, or what it lost. */
  readonly notes: readonly WireNote[];
  /** Codex refuses the set as a whole. */
  readonly refusal: WireNote | undefined;
}

/** Reads the tools of a set by the ways that their shapes take through Codex, and registers each key once. */
export function planForCodex(set: ToolSet, options: WireOptions): CodexPlan {
  return new Planner(set, options).plan();
}

class Planner {
  readonly #planned: (PlannedTool | EmptyNamespace)[] = [];
  readonly #byTool = new Map<ToolDefinition, PlannedTool>();
  readonly #byNode = new Map<JsonNode, ToolDefinition>();
  readonly #keys = new Set<string>();
  readonly #notes: WireNote[] = [];
  readonly #profile: CodexProfile;
  #refusal: WireNote | undefined;

  constructor(
    readonly set: ToolSet,
    readonly options: WireOptions,
  ) {
    this.#profile = options.profile ?? DEFAULT_CODEX_PROFILE;
    for (const tool of set.tools) this.#byNode.set(tool.node, tool);
  }

  plan(): CodexPlan {
    const done = new Set<'mcp' | 'dynamic'>();
    for (const entry of this.set.entries) {
      const route = codexRoute('tool' in entry ? entry.tool.shape : entry.namespace.shape);
      if (route === 'own') {
        if ('tool' in entry) this.#own(entry.tool, undefined);
        else this.#ownNamespace(entry.namespace);
      } else if (!done.has(route)) {
        done.add(route);
        if (route === 'mcp') this.#mcp();
        else this.#dynamic();
      }
    }
    return { tools: this.#planned, byTool: this.#byTool, notes: this.#notes, refusal: this.#refusal };
  }

  #note(
    kind: WireNote['kind'],
    message: Message,
    tool: ToolDefinition | undefined,
    more: Partial<WireNote> = {},
  ): void {
    this.#notes.push({ kind, message, reason: undefined, node: tool?.nameNode ?? tool?.node, tool, ...more });
  }

  #add(planned: PlannedTool): void {
    const { spec, namespace, tool } = planned;
    if (spec.kind === 'function' || spec.kind === 'custom') {
      // No namespace, an empty one and the default one are the same to the registry.
      const group = namespace === undefined || namespace.name === '' ? DEFAULT_NAMESPACE : namespace.name;
      const key = `${group}\0${spec.name}`;
      if (this.#keys.has(key)) {
        const message = t('A tool of this name is registered already, so Codex leaves this one out.');
        const flat = `${namespace?.name ?? ''}${spec.name}`;
        const words = 'skipping duplicate external tool that is already registered';
        const reason = `WARN codex_core::tools::registry: ${words} tool_name=${flat}`;
        this.#note('left-out', message, tool, { reason });
        return;
      }
      this.#keys.add(key);
    }
    this.#planned.push(planned);
    this.#byTool.set(tool, planned);
  }

  #own(tool: ToolDefinition, namespace: Omit<NamespaceSpec, 'tools'> | undefined): void {
    const made = ownSpec(tool, this.options);
    if ('note' in made) this.#notes.push(made.note);
    else this.#add({ tool, spec: made.spec, namespace, exposure: tool.local.exposure });
  }

  #ownNamespace(namespace: ToolNamespace): void {
    const name = namespace.name ?? '';
    const description = namespace.description ?? '';
    const head = { kind: 'namespace' as const, name, description, node: namespace.node };
    // The tools of a Lite request's default namespace are plain tools that only this kind of request wraps.
    const unwrapped = this.set.container === 'lite-body' && name === DEFAULT_NAMESPACE && this.options.mode !== 'lite';
    if (namespace.tools.length === 0 && !unwrapped) this.#planned.push({ tool: undefined, namespace: head });
    for (const tool of namespace.tools) this.#own(tool, unwrapped ? undefined : head);
  }

  #dynamic(): void {
    const items: JsonNode[] = [];
    for (const entry of this.set.entries) {
      const { shape, node } = 'tool' in entry ? entry.tool : entry.namespace;
      if (codexRoute(shape) === 'dynamic') items.push(node);
    }
    const read = readDynamicTools(items, { profile: this.#profile, compile: this.options.compile });
    for (const refusal of read.refusals) {
      const tool = this.#toolAround(refusal.node);
      const message =
        refusal.subject === undefined
          ? t('Codex refuses all dynamic tools: {0}.', refusal.message)
          : t('Codex refuses this tool, and with it all dynamic tools: {0}.', refusal.message);
      this.#note('refused', message, tool, { reason: refusal.message, node: refusal.node });
      this.#refusal ??= this.#notes[this.#notes.length - 1];
    }
    for (const entry of read.entries) {
      if (!isDynamicGroup(entry)) this.#addDynamic(entry, undefined);
      else {
        const { name, description, node } = entry.source;
        for (const tool of entry.tools) this.#addDynamic(tool, { kind: 'namespace', name, description, node });
      }
    }
  }

  #addDynamic(dynamic: DynamicTool, namespace: Omit<NamespaceSpec, 'tools'> | undefined): void {
    const { source } = dynamic;
    const tool = this.#byNode.get(source.node);
    if (tool === undefined) return;
    const log = namespace === undefined ? builtinNameLog(source.name, this.#profile) : undefined;
    if (log !== undefined) {
      const message = t(
        '"{0}" is the name of a tool of Codex itself, so this one is left out in silence.',
        source.name,
      );
      this.#note('left-out', message, tool, { reason: log });
      return;
    }
    const exposure = tool.local.exposure ?? (source.deferred ? 'deferred' : undefined);
    this.#add({ tool, spec: dynamicSpec(dynamic), namespace, exposure });
  }

  /** The tool in which a node stands. */
  #toolAround(node: JsonNode): ToolDefinition | undefined {
    for (let at: JsonNode | undefined = node; at !== undefined; at = at.parent) {
      const tool = this.#byNode.get(at);
      if (tool !== undefined) return tool;
    }
    return undefined;
  }

  #mcp(): void {
    const list = mcpServersOf(this.set, this.options.server);
    const read = readMcpServers(list, {
      profile: this.#profile,
      compile: this.options.compile,
      session: this.options.session,
    });
    this.#mcpFailures(read, list);
    for (const drop of read.drops) this.#mcpDrop(drop);
    for (const container of read.containers) {
      const { tools, ...namespace } = container;
      for (const spec of tools) {
        const tool = this.#byNode.get(spec.node);
        if (tool !== undefined) this.#add({ tool, spec, namespace, exposure: tool.local.exposure });
      }
    }
    for (const node of read.opened) {
      const limit = this.#profile.plugin.toolBytes;
      const message = t(
        'With more than {0} bytes the tool is too large for a plugin: its schema becomes an open object.',
        limit,
      );
      this.#note('changed', message, this.#byNode.get(node));
    }
  }

  #mcpFailures(read: McpTools, servers: readonly McpServer[]): void {
    for (const { server, message: reason, node } of read.failures) {
      const message =
        reason === ABSENT_IN_SILENCE
          ? t('Codex shows none of the tools of the server "{0}" and says nothing.', server)
          : t('Codex shows none of the tools of the server "{0}": {1}.', server, reason);
      const around = node === undefined ? undefined : this.#toolAround(node);
      const owner = servers.find((each) => each.name === server);
      const note: WireNote = {
        kind: 'refused',
        message,
        reason,
        node: node ?? owner?.tools[0],
        tool: around,
      };
      this.#notes.push(note);
      if (read.containers.length === 0) this.#refusal ??= note;
    }
  }

  #mcpDrop(drop: McpDrop): void {
    const tool = this.#byNode.get(drop.node);
    if (drop.reason === 'schema') {
      const message = t('Codex leaves the tool out, because it refuses its schema: {0}.', drop.message!);
      this.#note('refused', message, tool, { reason: drop.message, node: drop.cause });
      return;
    }
    const message = this.#dropMessages()[drop.reason];
    this.#note('left-out', message, tool, { reason: drop.log });
  }

  #dropMessages(): Record<Exclude<McpDrop['reason'], 'schema'>, Message> {
    const { namespaceBytes, totalBytes } = this.#profile.plugin;
    return {
      filtered: t('The configuration of Codex leaves the tool out.'),
      invisible: t('Its visibility does not name the model, so no request has it.'),
      repeated: t('The server has a tool of this name already, so Codex leaves this one out.'),
      'plugin-size': t('A plugin tool of more than {0} bytes is left out in silence.', namespaceBytes),
      'plugin-total': t('The tools of plugins have {0} bytes together, so this one is left out.', totalBytes),
    };
  }
}

/** The MCP servers of a set of tools, in the order of the file. `server`: the name of all instead of what the file says. */
export function mcpServersOf({ tools, container, document }: ToolSet, server?: string): McpServer[] {
  const servers = new Map<string, { tools: JsonNode[]; plugin: boolean }>();
  for (const tool of tools) {
    if (codexRoute(tool.shape) !== 'mcp') continue;
    const name = server ?? tool.local.server;
    const known = servers.get(name) ?? { tools: [], plugin: false };
    known.tools.push(tool.node);
    known.plugin ||= tool.local.plugin;
    servers.set(name, known);
  }
  // What a server says of itself, where the file keeps it beside the list.
  const instructions = container === 'mcp-list' ? document.root?.value('instructions')?.string : undefined;
  return [...servers].map(([name, known]): McpServer => {
    return { name, tools: known.tools, instructions, plugin: known.plugin ? name : undefined };
  });
}

/** The names of the MCP tools of several sets that belong to one session. */
export function sessionOf(
  sets: readonly { readonly set: ToolSet; readonly server?: string | undefined }[],
  profile: CodexProfile,
): SessionNames {
  return sessionNames(
    sets.map(({ set, server }) => mcpServersOf(set, server)),
    profile,
  );
}

/** A planned tool as a list element of its own. */
export function standing(planned: PlannedTool | EmptyNamespace): ToolSpec {
  if (planned.tool === undefined) return { ...planned.namespace, tools: [] };
  const { spec, namespace } = planned;
  if (namespace === undefined || (spec.kind !== 'function' && spec.kind !== 'custom')) return spec;
  return { ...namespace, tools: [spec] };
}
