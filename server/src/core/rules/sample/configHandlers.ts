import { unsuitedBuiltin } from '../../calls/builtinFit';
import { definedHandler } from '../../calls/handlerOf';
import { readSamples } from '../../calls/read';
import { ToolTable } from '../../calls/toolTable';
import type { NamedHandler } from '../../config/handlers';
import type { CodexProfile } from '../../profiles/codex';
import type { Finding, RuleLevel } from '../../text/finding';
import { parseJson } from '../../text/json';
import { nodeSpan, pointerOf } from '../../text/jsonTree';
import { baseNameOf } from '../../tools/local';
import { readTools } from '../../tools/read';
import { type ServedTool, servedTool, UNSUITED, type UnsuitedReport, unsuitedHandlers } from './unsuited';

/** A handler that a samples file names, without its node. */
export type SampleHandler = Pick<NamedHandler, 'tool' | 'spec'>;

/** What a samples file says about who takes its calls. */
export interface SamplesFacts {
  /** Paths of its definition files, relative to it. */
  readonly definitions: readonly string[];
  readonly handlers: readonly SampleHandler[];
}

/** Whether the rule speaks of handlers of a config file, so that its tools have to be looked at. */
export function asksForTools(handlers: readonly NamedHandler[], level: RuleLevel | undefined): boolean {
  return level !== 'off' && handlers.some(({ spec }) => spec?.kind === 'builtin');
}

/**
 * The tools of a definition file that name no handler of their own, which a config file therefore may serve. What is
 * given holds no nodes, so that the text can go.
 */
export function servedTools(text: string, uri: string, profile: CodexProfile): ServedTool[] {
  const set = readTools(parseJson(text), { baseName: baseNameOf(uri) });
  const table = new ToolTable([{ uri, set }], profile);
  const free = table.tools.filter(({ tool }) => definedHandler(tool) === undefined);
  return free.map((each) => {
    const { kind, name, format } = each.tool;
    return { ...servedTool(each), tool: { kind, name, format: format && { type: format.type } } };
  });
}

/** What a samples file says about handlers; it holds no nodes. */
export function samplesFacts(text: string, uri: string): SamplesFacts {
  const { definitions, handlers } = readSamples(parseJson(text), uri);
  return {
    definitions: [...new Set(definitions.map(({ path }) => path))],
    handlers: handlers.map(({ tool, spec }) => ({ tool, spec })),
  };
}

/** The tools that a samples file leaves to the config file. */
export function leftToConfig(tools: readonly ServedTool[], handlers: readonly SampleHandler[]): ServedTool[] {
  return tools.filter(
    ({ names, tool }) =>
      !handlers.some((each) =>
        each.tool === '*' ? unsuitedBuiltin(each.spec, tool) === undefined : names.includes(each.tool),
      ),
  );
}

/**
 * What is told of the handlers of a config file.
 *
 * @param groups the tools that are called together: those of all files of tools, then those that each samples file names
 * @param level what the config file or settings make of the rule
 */
export function configHandlerFindings(
  handlers: readonly NamedHandler[],
  groups: readonly (readonly ServedTool[])[],
  level: RuleLevel | undefined,
): Finding[] {
  return unsuitedHandlers(handlers, groups).flatMap((report) => unsuitedFinding(report, level));
}

/** The finding of a report about a handler of a config file; none where the rule is off. */
export function unsuitedFinding(report: UnsuitedReport, level: RuleLevel = 'error'): Finding[] {
  if (level === 'off') return [];
  const { node, span = nodeSpan(node), message, fixes = [], tool } = report;
  const pointer = pointerOf(node);
  return [{ rule: UNSUITED, level, span, message, targets: [], tool, pointer, related: [], fixes, unnecessary: false }];
}
