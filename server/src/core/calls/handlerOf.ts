import { type NamedHandler, readHandler } from '../config/handlers';
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
 * definition says under `x-toolspec`, then the config file. `undefined` when nobody names one.
 */
export function handlerOf(
  call: Pick<SampleCall, 'tool'>,
  target: CallTool,
  file: SampleFile,
  config: ConfiguredHandlers | undefined,
): HandlerEntry | undefined {
  const names = new Set([call.tool, target.name, target.given]);
  if (target.namespace !== undefined) names.add(`${target.namespace}.${target.name}`);
  const own = pick(file.handlers, names);
  if (own !== undefined) return own;
  const local = target.tool.local.handler;
  if (local !== undefined) {
    return { tool: target.given, spec: readHandler(local.node), node: local.node, from: target.uri };
  }
  const configured = config === undefined ? undefined : pick(config.handlers, names);
  return configured === undefined ? undefined : { ...configured, from: config!.from };
}

/** The last entry for the tool, as the last of repeated keys counts, else the one for all. */
function pick<T extends NamedHandler>(handlers: readonly T[], names: ReadonlySet<string | undefined>): T | undefined {
  return (
    handlers.findLast(({ tool }) => tool !== '*' && names.has(tool)) ?? handlers.findLast(({ tool }) => tool === '*')
  );
}
