import type { JsonNode } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { t } from '../text/message';
import { arrayOf, mapOf, objectOf, oneOf, type Shape, string, wholeNumber } from '../text/shapes';

/**
 * What takes the calls of a tool.
 *
 * - `builtin`: a parser of ToolSpec itself: `json-schema`, `grammar`, `apply_patch`, `update_plan`
 * - `module`: a function of a JavaScript module
 * - `command`: a program that reads and writes a JSON line per call
 * - `mcp`: an MCP server, asked by `tools/call`
 */
export type HandlerSpec = BuiltinHandler | ModuleHandler | CommandHandler | McpHandler;

/** What every handler may say of its process. */
export interface HandlerLimits {
  /** Milliseconds for one call; `undefined` for the default. */
  readonly timeoutMs: number | undefined;
  /** Folder to start in, relative to the file that names the handler; `undefined` for that file's folder. */
  readonly cwd: string | undefined;
  /** Variables beside the clean environment. */
  readonly env: ReadonlyMap<string, string>;
}

export interface BuiltinHandler extends HandlerLimits {
  readonly kind: 'builtin';
  readonly name: string;
}

export interface ModuleHandler extends HandlerLimits {
  readonly kind: 'module';
  /** Path relative to the file that names the handler. */
  readonly module: string;
  /** `undefined`: the default export, a lone exported function, or the parser that Lark.js made (`get_parser`). */
  readonly export: string | undefined;
}

export interface CommandHandler extends HandlerLimits {
  readonly kind: 'command';
  /** Program and arguments; never goes through a shell. */
  readonly command: readonly string[];
}

export interface McpHandler extends HandlerLimits {
  readonly kind: 'mcp';
  readonly command: readonly string[];
}

/** A handler under the name of its tool. */
export interface NamedHandler {
  /** Name of a tool, or `*` for every other tool. */
  readonly tool: string;
  /** `undefined` when what stands there is no handler. */
  readonly spec: HandlerSpec | undefined;
  readonly node: JsonNode;
}

/** How definitions come out of code: an MCP server that is asked, or a program that prints them. */
export interface SourceSpec extends HandlerLimits {
  readonly kind: 'mcp' | 'command';
  /** Program and arguments; never goes through a shell. */
  readonly command: readonly string[];
  /** The definition file that is written, relative to the config file. */
  readonly out: string;
  readonly node: JsonNode;
}

/** The parsers that ToolSpec has. */
export const BUILTIN_HANDLERS = ['json-schema', 'grammar', 'apply_patch', 'update_plan'] as const;

const command = arrayOf(string, 1);
const environment = mapOf(string);
const limits = { timeoutMs: wholeNumber, cwd: string, env: environment };
const server = objectOf({ command, cwd: string, env: environment }, ['command']);

/** What a handler must look like: one of four kinds, told apart by their key. */
export const handlerShape: Shape = (node) => {
  if (node.kind !== 'object') return t('This must be an object.');
  const kinds = ['builtin', 'module', 'command', 'mcp'].filter((key) => node.has(key));
  if (kinds.length !== 1) return t('A handler has one of the keys "builtin", "module", "command" and "mcp".');
  if (node.has('builtin')) return objectOf({ builtin: oneOf(BUILTIN_HANDLERS), ...limits })(node);
  if (node.has('module')) return objectOf({ module: string, export: string, ...limits })(node);
  if (node.has('command')) return objectOf({ command, ...limits })(node);
  return objectOf({ mcp: server, ...limits })(node);
};

/** What an entry of `sources` must look like. */
export const sourceShape: Shape = (node) => {
  if (node.kind === 'object' && node.has('mcp') === node.has('command')) {
    return t('A source has one of the keys "mcp" and "command".');
  }
  return objectOf({ mcp: server, command, out: string, ...limits }, ['out'])(node);
};

/** Reads a handler; `undefined` for what is none. Values of the wrong kind count as absent. */
export function readHandler(node: JsonNode | undefined): HandlerSpec | undefined {
  if (node?.kind !== 'object') return undefined;
  const builtin = node.value('builtin')?.string;
  const module = node.value('module')?.string;
  const command = commandOf(node.value('command'));
  const mcp = node.value('mcp');
  const started = commandOf(mcp?.value('command'));
  if ([builtin, module, command, started].filter((each) => each !== undefined).length !== 1) return undefined;
  if (builtin !== undefined) return { kind: 'builtin', name: builtin, ...readLimits(node) };
  if (module !== undefined) {
    return { kind: 'module', module, export: node.value('export')?.string, ...readLimits(node) };
  }
  if (command !== undefined) return { kind: 'command', command, ...readLimits(node) };
  return { kind: 'mcp', command: started!, ...readLimits(node, mcp) };
}

/** Reads an object of handlers by the names of tools, in file order. */
export function readHandlers(node: JsonNode | undefined): NamedHandler[] {
  if (node?.kind !== 'object') return [];
  return effectiveProperties(node).map(({ key, value }) => ({ tool: key, spec: readHandler(value), node: value! }));
}

/** Reads the list of sources; entries that are none are left out. */
export function readSources(node: JsonNode | undefined): SourceSpec[] {
  return (node?.items ?? []).flatMap((item): SourceSpec[] => {
    const mcp = item.value('mcp');
    const out = item.value('out')?.string;
    const own = commandOf(item.value('command'));
    const started = commandOf(mcp?.value('command'));
    if (out === undefined || (own === undefined) === (started === undefined)) return [];
    return own === undefined
      ? [{ kind: 'mcp', command: started!, out, node: item, ...readLimits(item, mcp) }]
      : [{ kind: 'command', command: own, out, node: item, ...readLimits(item) }];
  });
}

/** Program and arguments, if it is a list of strings with at least one. */
function commandOf(node: JsonNode | undefined): string[] | undefined {
  if (node?.kind !== 'array' || node.items.length === 0) return undefined;
  const words = node.items.map((item) => item.string);
  return words.every((word) => word !== undefined) ? words : undefined;
}

/** The limits of a handler. What stands inside of `mcp` goes before what stands beside it. */
function readLimits(node: JsonNode, inner?: JsonNode): HandlerLimits {
  const time = node.value('timeoutMs');
  const timeoutMs = time?.kind === 'number' ? Number(time.text) : Number.NaN;
  const env = new Map<string, string>();
  for (const each of [node.value('env'), inner?.value('env')]) {
    if (each?.kind !== 'object') continue;
    for (const { key, value } of effectiveProperties(each)) if (value?.string !== undefined) env.set(key, value.string);
  }
  return {
    timeoutMs: Number.isSafeInteger(timeoutMs) && timeoutMs > 0 ? timeoutMs : undefined,
    cwd: inner?.value('cwd')?.string ?? node.value('cwd')?.string,
    env,
  };
}
