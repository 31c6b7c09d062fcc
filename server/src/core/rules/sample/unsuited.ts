import { type FitTool, suitedBuiltin, unsuitedBuiltin } from '../../calls/builtinFit';
import type { CallTool } from '../../calls/toolTable';
import type { NamedHandler } from '../../config/handlers';
import { replaceValue } from '../../text/edits';
import { emitString } from '../../text/emit';
import type { JsonNode } from '../../text/json';
import { nodeSpan } from '../../text/jsonTree';
import type { Message } from '../../text/message';
import type { Report } from '../rule';
import { change } from './change';

/** Id of the rule that these reports belong to. */
export const UNSUITED = 'handler/unsuited-builtin';

/** A tool whose calls a handler may get, and the names under which handlers are named for it. */
export interface ServedTool {
  readonly names: readonly string[];
  readonly tool: FitTool;
  /** What is said for all tools holds for this one too. */
  readonly byAll: boolean;
}

/** A report about a handler, with the tool that it is about. */
export type UnsuitedReport = Report & { readonly tool: string | undefined };

/** A tool of a table, as handlers are named for it. */
export function servedTool({ tool, name, given, namespace, payload }: CallTool): ServedTool {
  return { names: [name, given, `${namespace ?? ''}.${name}`], tool, byAll: payload !== 'tool-search' };
}

/**
 * The builtin handlers that can say nothing about the tools that they are named for. Tools come in groups that are
 * called together. For several tools of one group it is enough that one of them is read; under `*` one of all groups.
 */
export function unsuitedHandlers(
  handlers: readonly NamedHandler[],
  groups: readonly (readonly ServedTool[])[],
): UnsuitedReport[] {
  const named = new Set(handlers.map(({ tool }) => tool).filter((tool) => tool !== '*'));
  return handlers.flatMap(({ tool: name, spec, node }): UnsuitedReport[] => {
    if (spec?.kind !== 'builtin') return [];
    const served =
      name === '*'
        ? [groups.flat().filter(({ names, byAll }) => byAll && !names.some((each) => named.has(each)))]
        : groups.map((group) => group.filter(({ names }) => names.includes(name)));
    for (const group of served) {
      const reasons = group.map(({ tool }) => unsuitedBuiltin(spec, tool));
      const [first] = reasons;
      if (first === undefined || reasons.includes(undefined)) continue;
      const { tool } = group[0]!;
      return [{ ...unsuitedReport(node, first, tool), tool: tool.name }];
    }
    return [];
  });
}

/** Says of the handler at a node why it is none for the tool, and names the one that is. */
export function unsuitedReport(handler: JsonNode, message: Message, tool: FitTool): Report {
  const node = handler.value('builtin') ?? handler;
  const right = suitedBuiltin(tool);
  const fixes = right === undefined ? [] : [change(right, () => replaceValue(node, emitString(right)))];
  return { node, span: nodeSpan(node), message, fixes };
}
