import { type NamedHandler, readHandler } from '../config/handlers';
import type { ToolDefinition } from '../tools/model';
import { unsuitedBuiltin } from './builtinFit';
import type { HandlerEntry, SampleCall, SampleFile } from './model';
import type { CallTool } from './toolTable';

/** Handlers that a config file names. */
export interface ConfiguredHandlers {
  /** URI of the config file. */
  readonly from: string;
  readonly handlers: readonly NamedHandler[];
}

/**
 * The handler of a call: what the samples file says for its tool, then what it says for all, then what the tool's own
 * definition says under `x-toolspec`, then the config file. What is said for many tools at once does not hold for those
 * that a builtin handler cannot read. `undefined` when nobody names one.
 */
export function handlerOf(
  call: Pick<SampleCall, 'tool'>,
  target: CallTool,
  file: SampleFile,
  config: ConfiguredHandlers | undefined,
): HandlerEntry | undefined {
  const names = new Set([call.tool, target.name, target.given]);
  if (target.namespace !== undefined) names.add(`${target.namespace}.${target.name}`);
  const own = pick(file.handlers, names, target);
  if (own !== undefined) return own;
  const defined = definedHandler(target.tool);
  if (defined !== undefined) return { tool: target.given, ...defined, from: target.uri };
  const configured = config === undefined ? undefined : pick(config.handlers, names, target);
  return configured === undefined ? undefined : { ...configured, from: config!.from };
}

/**
 * The handler that a definition names for its tool under `x-toolspec`. What the file says for many tools at once does not
 * hold for those that a builtin handler cannot read.
 */
export function definedHandler(tool: ToolDefinition): Omit<NamedHandler, 'tool'> | undefined {
  const { handler: local, node: facts } = tool.local;
  if (local === undefined) return undefined;
  const spec = readHandler(local.node);
  const isOwn = facts?.value('handler') === local.node;
  return isOwn || unsuitedBuiltin(spec, tool) === undefined ? { spec, node: local.node } : undefined;
}

/** The last entry for the tool, as the last of repeated keys counts, else the one for all. */
function pick<T extends NamedHandler>(
  handlers: readonly T[],
  names: ReadonlySet<string | undefined>,
  { tool: definition }: CallTool,
): T | undefined {
  const named = handlers.findLast(({ tool }) => tool !== '*' && names.has(tool));
  if (named !== undefined) return named;
  const all = handlers.findLast(({ tool }) => tool === '*');
  return unsuitedBuiltin(all?.spec, definition) === undefined ? all : undefined;
}
