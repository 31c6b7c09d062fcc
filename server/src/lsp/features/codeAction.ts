import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  CodeActionRequest,
  type Diagnostic,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { fixText, safeFix } from '../../core/rules/fixText';
import { editsOverlap, joinEdits } from '../../core/text/edits';
import type { Finding, TextEdit } from '../../core/text/finding';
import type { ServerContext } from '../context';
import { plain, toEdits } from '../convert';
import { feature } from '../feature';
import type { FileState } from '../files';
import { toDiagnostic } from './diagnostic';

/** Applies every fix that keeps the meaning; editors run it on save where the user asks for it. */
export const FIX_ALL = `${CodeActionKind.SourceFixAll}.toolspec`;

const KINDS = [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite, FIX_ALL];

/** Fixes of the findings at the cursor, and all safe ones at once. */
export const codeActions = feature({
  type: CodeActionRequest.type,
  announce: (capabilities) => {
    capabilities.codeActionProvider = { codeActionKinds: KINDS };
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle(params, context): Promise<CodeAction[] | null> {
    const { only } = params.context;
    const wants = (kind: string): boolean => only === undefined || only.some((each) => isKind(kind, each));
    if (!KINDS.some(wants)) return null;
    const state = await context.files.state(params.textDocument.uri);
    if (state === undefined) return null;
    const actions = atCursor(state, params, context).filter(({ kind }) => wants(kind ?? ''));
    // Only when it is asked for: it is made by checking the text again and again.
    if (only !== undefined && wants(FIX_ALL)) {
      const { edits } = fixText(state.input.text, (text) => context.files.recheck(state, text));
      if (edits.length > 0) {
        const title = 'Apply all fixes of ToolSpec that keep the meaning';
        actions.push({ title, kind: FIX_ALL, edit: toWorkspaceEdit(edits, state, context) });
      }
    }
    return actions;
  },
});

function isKind(kind: string, wanted: string): boolean {
  return wanted === '' || kind === wanted || kind.startsWith(`${wanted}.`);
}

function atCursor(state: FileState, params: CodeActionParams, context: ServerContext): CodeAction[] {
  const start = state.lines.offset(params.range.start);
  const end = state.lines.offset(params.range.end);
  const actions: CodeAction[] = [];
  const rules = new Set<string>();
  let preferred = false;
  for (const finding of state.result.findings) {
    if (finding.fixes.length === 0 || finding.span.start > end || finding.span.end < start) continue;
    const diagnostic = matching(params.context.diagnostics, finding, state);
    for (const fix of finding.fixes) {
      const edits = fix.edits();
      if (edits.length === 0) continue;
      // One preferred fix for the whole range: that is what "auto fix" applies.
      const isPreferred: boolean = fix.preferred && !preferred;
      preferred ||= isPreferred;
      actions.push({
        title: plain(fix.title),
        kind: fix.kind === 'refactor' ? CodeActionKind.RefactorRewrite : CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        ...(isPreferred ? { isPreferred } : {}),
        edit: toWorkspaceEdit(edits, state, context),
      });
    }
    rules.add(finding.rule);
  }
  for (const rule of rules) {
    const action = allOfRule(rule, state, context);
    if (action !== undefined) actions.push(action);
  }
  return actions;
}

/** The diagnostic as the client knows it, so that it can tie the action to it. */
function matching(known: readonly Diagnostic[], finding: Finding, state: FileState): Diagnostic {
  const own = toDiagnostic(finding, state);
  const same = ({ code, range }: Diagnostic): boolean =>
    code === own.code && JSON.stringify(range) === JSON.stringify(own.range);
  return known.find(same) ?? own;
}

/** One action for every finding of a rule that has a safe fix, if there is more than one. */
function allOfRule(rule: string, state: FileState, context: ServerContext): CodeAction | undefined {
  let edits: TextEdit[] = [];
  let count = 0;
  for (const finding of state.result.findings) {
    const fix = finding.rule === rule ? safeFix(finding) : undefined;
    if (fix === undefined) continue;
    const more = fix.edits();
    if (more.length === 0 || editsOverlap(edits, more)) continue;
    edits = joinEdits(edits, more);
    count++;
  }
  if (count < 2) return undefined;
  return {
    title: `Fix all ${count} of ${rule} in this file`,
    kind: CodeActionKind.QuickFix,
    edit: toWorkspaceEdit(edits, state, context),
  };
}

/** Names the version where the client can check it, so that an edit of an older text is refused. */
function toWorkspaceEdit(edits: readonly TextEdit[], state: FileState, context: ServerContext): WorkspaceEdit {
  const { uri, version } = state;
  const converted = toEdits(state.lines, edits);
  return context.client.capabilities.workspace?.workspaceEdit?.documentChanges === true
    ? { documentChanges: [{ textDocument: { uri, version }, edits: converted }] }
    : { changes: { [uri]: converted } };
}
