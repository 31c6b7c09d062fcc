import { render } from '../../core/text/message';
import type { FuzzReport } from './fuzzModel';
import { searched, skippedWords, toolName, totalRuns } from './fuzzModel';

/** The report of `fuzz` as one line of JSON; its form is fixed. */
export function fuzzJson(report: FuzzReport): string {
  const tools = searched(report);
  const json = {
    version: 1,
    runs: totalRuns(report),
    seed: report.seed,
    drifts: tools.flatMap((tool) =>
      tool.report.drifts.map(({ kind, input, feedback, shrunkFrom, count, contract, handler }) => ({
        tool: tool.tool.tool,
        namespace: tool.target.namespace ?? null,
        kind,
        input,
        feedback,
        shrunkFrom,
        count,
        contract: {
          verdict: contract.accepted ? 'accepted' : 'rejected',
          lost: contract.lost,
          feedback: contract.feedback,
        },
        handler: { verdict: handler.verdict, feedback: handler.feedback },
      })),
    ),
    tools: tools.map((tool) => {
      const { runs, accepted, taken, open, unlisted, coverage, canceled } = tool.report;
      return {
        tool: tool.tool.tool,
        namespace: tool.target.namespace ?? null,
        runs,
        accepted,
        taken,
        unlisted,
        canceled,
        open,
        coverage: { ...coverage, missing: coverage.missing.map((each) => render(each)) },
        remarks: tool.remarks.map((each) => render(each)),
      };
    }),
    skipped: report.run.tools
      .filter((tool) => tool.skipped !== undefined)
      .map((tool) => ({ tool: toolName(tool), reason: skippedWords(tool) })),
  };
  return `${JSON.stringify(json)}\n`;
}
