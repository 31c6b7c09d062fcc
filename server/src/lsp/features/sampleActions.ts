import { type CodeAction, CodeActionKind, type CodeActionParams, type WorkspaceEdit } from 'vscode-languageserver';
import { nodeSpan, pointerOf, propertySpan } from '../../core/text/jsonTree';
import { type Message, t } from '../../core/text/message';
import { type Span, touches } from '../../core/text/span';
import { COMMANDS } from '../../protocol';
import type { AddSampleParams, AddSampleResult } from '../../samplesProtocol';
import type { ServerContext } from '../context';
import { say } from '../language';

/** Adds a sample call. */
export const ADD_SAMPLE = `${CodeActionKind.RefactorRewrite}.sample`;

/** Clients that cannot ask get an action for each of so many tools. */
const MOST_TOOLS = 20;

/** Sample calls that can be added at a place: for a tool at its name, and in a samples file at its list of calls. */
export async function sampleActions(
  { textDocument: { uri }, range }: CodeActionParams,
  context: ServerContext,
  wants: (kind: string) => boolean,
): Promise<CodeAction[]> {
  if (!wants(ADD_SAMPLE)) return [];
  if (context.samples.isFile(uri)) return inSamples(uri, range.start, context);
  const state = await context.files.state(uri);
  if (state === undefined) return [];
  const offset = state.lines.offset(range.start);
  const tool = state.result.set.tools.find(({ node, nameNode }) => {
    const named = nameNode?.property === undefined ? undefined : propertySpan(nameNode.property);
    return touches({ start: node.offset, end: node.offset + 1 }, offset) || (named && touches(named, offset));
  });
  if (tool === undefined || (tool.kind !== 'function' && tool.kind !== 'custom')) return [];
  return offered(t('Add sample call'), { uri, pointer: pointerOf(tool.node) }, context);
}

async function inSamples(
  uri: string,
  position: CodeActionParams['range']['start'],
  context: ServerContext,
): Promise<CodeAction[]> {
  const state = await context.samples.state(uri);
  const list = state?.result.file.document.root?.get('calls');
  if (state === undefined || list === undefined) return [];
  const offset = state.lines.offset(position);
  const inCall = state.result.file.calls.some(({ node }) => isInside(nodeSpan(node), offset));
  if (!touches(propertySpan(list), offset) || inCall) return [];
  if (context.client.options.commands === true) return offered(t('Add sample call'), { uri }, context);
  const answer = await context.newSamples.add({ uri });
  if (answer.kind !== 'tools') return offered(t('Add sample call'), { uri }, context);
  const tools = answer.tools.slice(0, MOST_TOOLS).map(({ tool, namespace }) => {
    const params = { uri, tool, ...(namespace === null ? {} : { namespace }) };
    return offered(t('Add sample call for {0}', namespace === null ? tool : `${namespace}.${tool}`), params, context);
  });
  return (await Promise.all(tools)).flat();
}

function isInside({ start, end }: Span, offset: number): boolean {
  return start < offset && offset < end;
}

/** An action that the client carries out with its command, so that the new call is shown; else with the edit itself. */
async function offered(title: Message, params: AddSampleParams, context: ServerContext): Promise<CodeAction[]> {
  const words = say(title);
  if (context.client.options.commands === true) {
    const command = { title: words, command: COMMANDS.addSample, arguments: [params] };
    return [{ title: words, kind: ADD_SAMPLE, command }];
  }
  const edit = toWorkspaceEdit(await context.newSamples.add(params), context);
  return edit === undefined ? [] : [{ title: words, kind: ADD_SAMPLE, edit }];
}

/** Clients that cannot create files get none for a file that is not there. */
function toWorkspaceEdit(answer: AddSampleResult, context: ServerContext): WorkspaceEdit | undefined {
  if (answer.kind === 'edit') return { changes: { [answer.uri]: [answer.edit] } };
  if (answer.kind !== 'new') return undefined;
  const { workspaceEdit } = context.client.capabilities.workspace ?? {};
  if (workspaceEdit?.documentChanges !== true || workspaceEdit.resourceOperations?.includes('create') !== true) {
    return undefined;
  }
  const { uri, text } = answer;
  const start = { line: 0, character: 0 };
  return {
    documentChanges: [
      { kind: 'create', uri, options: { overwrite: false, ignoreIfExists: false } },
      { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText: text }] },
    ],
  };
}
