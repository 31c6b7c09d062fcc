import {
  type Diagnostic,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  DocumentDiagnosticRequest,
} from 'vscode-languageserver';
import { type FileStatus, METHODS } from '../../protocol';
import { settleVerdicts } from '../asked';
import { checkedDocument } from '../checked';
import type { ServerContext } from '../context';
import { feature } from '../feature';
import type { FileState } from '../files';
import { grammarStatus } from '../grammarLenses';
import { toDiagnostic } from '../toDiagnostic';

const NOTHING: DocumentDiagnosticReport = { kind: DocumentDiagnosticReportKind.Full, items: [] };

/** Findings of an open file, asked for by the client whenever it changes. */
export const diagnostics = feature({
  type: DocumentDiagnosticRequest.type,
  announce: (capabilities) => {
    capabilities.diagnosticProvider = { interFileDependencies: true, workspaceDiagnostics: false };
  },
  empty: NOTHING,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri }, previousResultId }, context, token): Promise<DocumentDiagnosticReport> {
    await settleVerdicts(uri, context, token);
    await sendStatus(context, uri);
    context.closedGrammars.update(uri).catch(context.guard.ignore('diagnostics of grammar files'));
    const checked = await checkedDocument(uri, context);
    if (checked === undefined) return NOTHING;
    const { stamp, findings } = checked;
    if (previousResultId === stamp) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId: stamp };
    const items = findings.map((finding) => toDiagnostic(finding, checked));
    return { kind: DocumentDiagnosticReportKind.Full, resultId: stamp, items };
  },
});

/** Findings of an open file for a client that has not asked; none for one that is closed. */
export async function diagnosticsOf(uri: string, context: ServerContext): Promise<Diagnostic[]> {
  if (context.files.sources.document(uri) === undefined) return [];
  await settleVerdicts(uri, context);
  context.closedGrammars.update(uri).catch(context.guard.ignore('diagnostics of grammar files'));
  const checked = await checkedDocument(uri, context);
  return checked === undefined ? [] : checked.findings.map((finding) => toDiagnostic(finding, checked));
}

async function sendStatus(context: ServerContext, uri: string): Promise<void> {
  if (context.client.options.status !== true) return;
  const status = { ...statusOf(uri, await context.files.state(uri)), grammar: await grammarStatus(uri, context) };
  context.connection.sendNotification(METHODS.status, status).catch(context.guard.ignore(METHODS.status));
}

/** The facts of a file that fit into one line. */
export function statusOf(uri: string, state: FileState | undefined): FileStatus {
  const status = {
    uri,
    isToolFile: state?.kind === 'tools',
    profile: state?.result.profile.id ?? '',
    tools: state?.result.set.tools.length ?? 0,
    hasGrammar: state?.result.set.tools.some(({ format }) => format?.type === 'grammar') ?? false,
    overBudget: 0,
    refused: 0,
    budgetBytes: state?.result.profile.budgetBytes ?? 0,
    largest: null as FileStatus['largest'],
    config: state?.config?.uri ?? null,
    milliseconds: state?.milliseconds ?? 0,
    grammar: null,
  };
  if (state === undefined || !state.codex) return status;
  for (const tool of state.result.set.tools) {
    const size = state.size(tool);
    if (size === undefined) continue;
    if (size.refusal !== undefined) status.refused++;
    else if (size.sourceBytes > size.budgetBytes) status.overBudget++;
    if (size.sourceBytes > (status.largest?.bytes ?? -1)) {
      status.largest = { name: tool.name ?? '', bytes: size.sourceBytes };
    }
  }
  return status;
}
