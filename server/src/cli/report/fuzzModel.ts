import type { Drift, DriftReport } from '../../core/calls/drift/model';
import type { FuzzRun, ToolDrift } from '../../core/fuzzTools';
import { render } from '../../core/text/message';

/** What a search for drift found, for the reports. */
export interface FuzzReport {
  /** The file that was named, as reports show it. */
  readonly file: string;
  readonly seed: number;
  readonly run: FuzzRun;
  /** What was stored, where that was asked for. */
  readonly saved: { readonly file: string; readonly count: number } | undefined;
}

/** A tool that was searched. */
export type SearchedTool = ToolDrift & { readonly report: DriftReport };

export function searched({ run }: FuzzReport): readonly SearchedTool[] {
  return run.tools.filter((tool): tool is SearchedTool => tool.report !== undefined);
}

/** `namespace.name` for a tool whose name alone is not enough. */
export function toolName({ tool: { tool, namespace } }: ToolDrift): string {
  return namespace === undefined ? tool : `${namespace}.${tool}`;
}

/** Inputs that were judged, of all tools. */
export function totalRuns(report: FuzzReport): number {
  return searched(report).reduce((sum, tool) => sum + tool.report.runs, 0);
}

/** How the two differ, in a sentence. */
export function driftWords({ kind, handler, contract }: Drift): string {
  if (kind === 'handler-accepts') {
    return contract.lost
      ? 'The source schema refuses this, the compiled one and the handler accept it.'
      : 'The contract refuses this, the handler accepts it.';
  }
  const ends = { rejected: 'refuses it', crashed: 'crashes', 'timed-out': 'does not answer in time' } as const;
  const end = ends[handler.verdict as keyof typeof ends] ?? 'does not accept it';
  if (contract.lost) {
    return `The compiled schema, which is what the model sees, accepts this, the source schema does not: the handler ${end}.`;
  }
  return `The contract accepts this, the handler ${end}.`;
}

export function skippedWords({ skipped }: ToolDrift): string {
  return skipped === undefined ? '' : render(skipped);
}
