import { type CodeAction, CodeActionKind, type CodeActionParams, type WorkspaceEdit } from 'vscode-languageserver';
import { formatGrammar } from '../../core/grammar/format';
import { replaceValue } from '../../core/text/edits';
import { emitString } from '../../core/text/emit';
import type { TextEdit } from '../../core/text/finding';
import { t } from '../../core/text/message';
import type { ToolDefinition } from '../../core/tools/model';
import type { ServerContext } from '../context';
import { plain, toEdits } from '../convert';
import type { FileState } from '../files';
import type { GrammarText } from '../grammars';
import { resolveUri } from '../uris';

export const EXTRACT = `${CodeActionKind.RefactorExtract}.grammar`;
export const INLINE = `${CodeActionKind.RefactorInline}.grammar`;
export const FORMAT = `${CodeActionKind.RefactorRewrite}.grammar`;

/** So many names are tried for a new file. */
const MOST_NAMES = 100;

/** What can be done with the grammar of a tool as a whole: into a file, out of a file, laid out where it stands. */
export async function grammarActions(
  { textDocument: { uri }, range }: CodeActionParams,
  context: ServerContext,
  wants: (kind: string) => boolean,
): Promise<CodeAction[]> {
  const actions: CodeAction[] = [];
  const state = await context.files.state(uri);
  if (state === undefined) return actions;
  const offset = state.lines.offset(range.start);
  const add = (title: string, kind: string, edit: WorkspaceEdit | undefined): void => {
    if (edit !== undefined) actions.push({ title, kind, edit });
  };
  const file = state.result.set.tools.find(({ format }) => {
    const node = format?.file === undefined ? undefined : format.definitionNode?.parent;
    return node !== undefined && node.offset <= offset && offset <= node.end;
  });
  if (file !== undefined && wants(INLINE)) {
    add(plain(t('Inline grammar file {0}', file.format!.file!)), INLINE, await inlined(state, file, context));
  }
  const text = (await context.grammars.in(state.uri)).find((each) => each.contains(offset));
  if (text?.tool === undefined) return actions;
  if (wants(EXTRACT)) {
    const name = await freeName(state, text.tool, context);
    if (name !== undefined)
      add(plain(t('Extract grammar to {0}', name)), EXTRACT, extracted(state, text, name, context));
  }
  if (wants(FORMAT)) {
    const edits = text.embedded!.edits(formatGrammar(text.document));
    if (edits.length > 0) add(plain(t('Lay out grammar')), FORMAT, ownEdit(state, edits, context));
  }
  return actions;
}

/** The edit that puts the grammar of a `$file` into the JSON. The file stays: others may use it. */
async function inlined(
  state: FileState,
  { format }: ToolDefinition,
  context: ServerContext,
): Promise<WorkspaceEdit | undefined> {
  const target = resolveUri(state.uri, format!.file!);
  const text = target === undefined ? undefined : await context.grammars.fresh(target);
  const node = format!.definitionNode!.parent;
  if (text === undefined || node === undefined) return undefined;
  return ownEdit(state, replaceValue(node, emitString(text.document.text)), context);
}

/** The edit that moves a grammar into a new file. Clients that cannot create files get none. */
function extracted(
  state: FileState,
  { document, tool }: GrammarText,
  name: string,
  context: ServerContext,
): WorkspaceEdit | undefined {
  const { workspaceEdit } = context.client.capabilities.workspace ?? {};
  if (workspaceEdit?.documentChanges !== true || workspaceEdit.resourceOperations?.includes('create') !== true) {
    return undefined;
  }
  const uri = resolveUri(state.uri, `./${name}`);
  const node = tool?.format?.definitionNode;
  if (uri === undefined || node === undefined) return undefined;
  const start = { line: 0, character: 0 };
  return {
    documentChanges: [
      { kind: 'create', uri, options: { overwrite: false, ignoreIfExists: false } },
      {
        textDocument: { uri, version: null },
        edits: [{ range: { start, end: start }, newText: document.text }],
      },
      {
        textDocument: { uri: state.uri, version: state.version },
        edits: toEdits(state.lines, replaceValue(node, `{ "$file": ${emitString(`./${name}`)} }`)),
      },
    ],
  };
}

/** A name after the tool that no file beside the definitions has yet. */
async function freeName(state: FileState, tool: ToolDefinition, context: ServerContext): Promise<string | undefined> {
  const base = (tool.name ?? '').replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^\.+/, '') || 'grammar';
  for (let i = 1; i <= MOST_NAMES; i++) {
    const name = i === 1 ? `${base}.lark` : `${base}-${i}.lark`;
    const uri = resolveUri(state.uri, `./${name}`);
    if (uri !== undefined && (await context.grammars.fresh(uri)) === undefined) return name;
  }
  return undefined;
}

function ownEdit(
  { uri, version, lines }: FileState,
  edits: readonly TextEdit[],
  context: ServerContext,
): WorkspaceEdit {
  const converted = toEdits(lines, edits);
  return context.client.capabilities.workspace?.workspaceEdit?.documentChanges === true
    ? { documentChanges: [{ textDocument: { uri, version }, edits: converted }] }
    : { changes: { [uri]: converted } };
}
