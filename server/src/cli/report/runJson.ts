import type { CallFinding, CallReport, ContractVerdict, HandlerVerdict } from '../../core/calls/report';
import { emitJson } from '../../core/text/emit';
import { parseJson } from '../../core/text/json';
import { render } from '../../core/text/message';
import { findingJson } from './json';
import type { AgainstReport, RunReport } from './runModel';

/** The JSON report of `run`, version 1: compact, with the keys in the documented order. */
export function runJson({ files, summary }: RunReport): string {
  const reports = files.map(({ file, calls }) => {
    const list = calls.map(({ report }) => callJson(report)).join(',');
    return `{"file":${JSON.stringify(file)},"calls":[${list}]}`;
  });
  const findings = JSON.stringify(
    files.flatMap(({ check, contracts }) => [...check.findings, ...contracts].map(findingJson)),
  );
  return `{"version":1,"files":[${reports.join(',')}],"findings":${findings},"summary":${JSON.stringify(summary)}}\n`;
}

/** Values stay as handlers spelled them, so the text is put together here. */
function callJson(report: CallReport): string {
  const { name, tool, namespace, state, contract, handler, findings, output, durationMs } = report;
  return `{${[
    `"name":${JSON.stringify(name)}`,
    `"tool":${JSON.stringify(tool)}`,
    `"namespace":${JSON.stringify(namespace ?? null)}`,
    `"state":"${state}"`,
    `"contract":${JSON.stringify(contractJson(contract))}`,
    `"handler":${handlerJson(handler)}`,
    `"findings":${JSON.stringify(findings.map(callFindingJson))}`,
    `"output":${output ?? 'null'}`,
    `"durationMs":${Math.round(durationMs * 1000) / 1000}`,
  ].join(',')}}`;
}

function handlerJson(handler: HandlerVerdict): string {
  const { kind, verdict, value, feedback } = handler;
  const members = [`"kind":"${kind}"`, `"verdict":"${verdict}"`];
  if (value !== undefined) members.push(`"value":${valueJson(value)}`);
  if (feedback !== undefined) members.push(`"feedback":${JSON.stringify(feedback)}`);
  const reason = handlerReason(handler);
  if (reason !== undefined) members.push(`"reason":${JSON.stringify(reason)}`);
  return `{${members.join(',')}}`;
}

/** A value as compact JSON; what is no JSON as a string. */
function valueJson(text: string): string {
  const { root, problems } = parseJson(text);
  return root === undefined || problems.length > 0 ? JSON.stringify(text) : emitJson(root);
}

/** Why the handler has neither accepted nor rejected. */
function handlerReason({ reason, detail = '', notes }: HandlerVerdict): object | undefined {
  if (reason === undefined) return undefined;
  if ('message' in reason) return { kind: reason.kind, message: render(reason.message) };
  const { kind, exitCode, signal, limitMs } = reason;
  const said = notes.length === 0 ? undefined : notes;
  return { kind, message: detail, exitCode, signal, limitMs, notes: said };
}

function contractJson({ verdict, findings, judged }: ContractVerdict): object {
  return { verdict, ...(judged === false && { judged }), findings: findings.map(callFindingJson) };
}

function callFindingJson({ rule, level, message, pointer, offset, line, column }: CallFinding): object {
  return {
    rule,
    level,
    message: render(message),
    pointer: pointer ?? null,
    offset: offset ?? null,
    line: line ?? null,
    column: column ?? null,
  };
}

/** The JSON report of `run --against`, version 1. */
export function againstJson({ against, files, summary }: AgainstReport): string {
  const reports = files.map(({ file, calls }) => ({
    file,
    calls: calls.map(({ comparison }) => ({
      name: comparison.name,
      tool: comparison.tool,
      namespace: comparison.namespace ?? null,
      change: comparison.change,
      before: comparison.before === undefined ? null : contractJson(comparison.before),
      after: comparison.after === undefined ? null : contractJson(comparison.after),
    })),
  }));
  return `${JSON.stringify({ version: 1, against, files: reports, summary })}\n`;
}
