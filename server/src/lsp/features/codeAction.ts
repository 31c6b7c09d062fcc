import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  CodeActionRequest,
  CodeActionResolveRequest,
  type Diagnostic,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { fixText, safeFix } from '../../core/rules/fixText';
import type { Finding, TextEdit } from '../../core/text/finding';
import { t } from '../../core/text/message';
import { checkedDocument } from '../checked';
import type { ServerContext } from '../context';
import { plain, toEdits } from '../convert';
import { feature } from '../feature';
import type { Checked } from '../grammarChecks';
import { toDiagnostic } from '../toDiagnostic';
import { EXTRACT, FORMAT, grammarActions, INLINE } from './grammarActions';
import { ADD_SAMPLE, sampleActions } from './sampleActions';

/** Applies every fix that keeps the meaning; editors run it on save where the user asks for it. */
export const FIX_ALL = `${CodeActionKind.SourceFixAll}.toolspec`;

const KINDS = [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite, FORMAT, EXTRACT, INLINE, ADD_SAMPLE, FIX_ALL];

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
    const state = await checkedDocument(params.textDocument.uri, context);
    if (state === undefined) return null;
    const actions = atCursor(state, params, context).filter(({ kind }) => wants(kind ?? ''));
    actions.push(...(await grammarActions(params, context, wants)));
    actions.push(...(await sampleActions(params, context, wants)));
    // Only when it is asked for: it is made by checking the text again and again.
    if (only !== undefined && wants(FIX_ALL)) {
      const { edits } = fixText(state.text, (text) => state.recheck(text));
      if (edits.length > 0) {
        const title = plain(t('Apply all fixes of ToolSpec that keep the meaning'));
        actions.push({ title, kind: FIX_ALL, edit: toWorkspaceEdit(edits, state, context) });
      }
    }
    return actions;
  },
});

function isKind(kind: string, wanted: string): boolean {
  return wanted === '' || kind === wanted || kind.startsWith(`${wanted}.`);
}

function atCursor(state: Checked, params: CodeActionParams, context: ServerContext): CodeAction[] {
  const start = state.lines.offset(params.range.start);
  const end = state.lines.offset(params.range.end);
  const actions: CodeAction[] = [];
  const rules = new Set<string>();
  let preferred = false;
  for (const finding of state.findings) {
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
function matching(known: readonly Diagnostic[], finding: Finding, state: Checked): Diagnostic {
  const own = toDiagnostic(finding, state);
  const same = ({ code, range }: Diagnostic): boolean =>
    code === own.code && JSON.stringify(range) === JSON.stringify(own.range);
  return known.find(same) ?? own;
}

/** What an action without an edit carries until it is chosen. */
interface PendingFix {
  readonly uri: string;
  readonly version: number;
  readonly rule: string;
}

/**
 * One action for every finding of a rule that has a safe fix, if there is more than one. Its edit can be large, and
 * editors ask for actions whenever the cursor moves, so it is made when the action is chosen where the client can wait.
 */
function allOfRule(rule: string, state: Checked, context: ServerContext): CodeAction | undefined {
  const count = state.findings.filter((each) => each.rule === rule && safeFix(each) !== undefined).length;
  if (count < 2) return undefined;
  const title = plain(t('Fix all {0} of {1} in this file', count, rule));
  const kind = CodeActionKind.QuickFix;
  const resolvable = context.client.capabilities.textDocument?.codeAction?.resolveSupport?.properties.includes('edit');
  if (resolvable === true) {
    const data: PendingFix = { uri: state.uri, version: state.version, rule };
    return { title, kind, data };
  }
  return { title, kind, edit: toWorkspaceEdit(editsOfRule(rule, state), state, context) };
}

/** The safe fixes of a rule that do not touch each other; what is left can be fixed by asking again. */
function editsOfRule(rule: string, state: Checked): TextEdit[] {
  const taken: TextEdit[] = [];
  let end = -1;
  for (const finding of state.findings) {
    const edits = finding.rule === rule ? (safeFix(finding)?.edits() ?? []) : [];
    const first = edits[0];
    // Findings come in text order, and so do mostly their edits: those that reach back wait for the next time.
    if (first === undefined || first.span.start <= end) continue;
    taken.push(...edits);
    end = edits[edits.length - 1]!.span.end;
  }
  return taken;
}

/** Makes the edit of an action that has been chosen. */
export const codeActionEdits = feature({
  type: CodeActionResolveRequest.type,
  announce: (capabilities) => {
    capabilities.codeActionProvider = { ...Object(capabilities.codeActionProvider), resolveProvider: true };
  },
  empty: { title: '' },
  about: ({ data }) => pendingFix(data)?.uri,
  async handle(action, context): Promise<CodeAction> {
    const pending = pendingFix(action.data);
    const state = pending === undefined ? undefined : await checkedDocument(pending.uri, context);
    if (pending === undefined || state?.version !== pending.version) return action;
    return { ...action, edit: toWorkspaceEdit(editsOfRule(pending.rule, state), state, context) };
  },
});

function pendingFix(data: unknown): PendingFix | undefined {
  return typeof data === 'object' && data !== null && 'rule' in data ? (data as PendingFix) : undefined;
}

/** Names the version where the client can check it, so that an edit of an older text is refused. */
function toWorkspaceEdit(edits: readonly TextEdit[], state: Checked, context: ServerContext): WorkspaceEdit {
  const { uri, version } = state;
  const converted = toEdits(state.lines, edits);
  return context.client.capabilities.workspace?.workspaceEdit?.documentChanges === true
    ? { documentChanges: [{ textDocument: { uri, version }, edits: converted }] }
    : { changes: { [uri]: converted } };
}
