import type { CancellationToken } from 'vscode-languageserver';
import type { ProviderGrammar } from '../core/grammar/provider';
import { embeddedGrammar } from '../core/rules/grammar/embedded';
import { pointerOf } from '../core/text/jsonTree';
import type { ToolDefinition } from '../core/tools/model';
import type { ServerContext } from './context';
import { checkOptions, isForEngine } from './settings';
import { isExcluded } from './toolFiles';
import { relativePath, resolveUri } from './uris';
import type { AskedGrammar } from './verdicts';

/** The grammars of an open document that the provider's engine has a say about. */
export async function askedGrammars(uri: string, context: ServerContext): Promise<AskedGrammar[]> {
  const { files, grammars } = context;
  if (grammars.isFile(uri)) {
    const { sources } = files;
    const config = await sources.configs.configFor(uri, sources.workspaceFolder(uri));
    if (config !== undefined && isExcluded(config.config.exclude, relativePath(config.folder, uri))) return [];
    const { targets } = checkOptions(await sources.settings(uri), config?.config);
    if (!isForEngine(targets)) return [];
    const texts = await grammars.in(uri);
    return texts.map(({ id, document }) => ({ id, uri, grammar: { syntax: 'lark', text: document.text } }));
  }
  const state = await files.state(uri);
  if (state === undefined || !isForEngine(state.options.targets)) return [];
  const asked: AskedGrammar[] = [];
  for (const tool of state.result.set.tools) {
    const grammar = embeddedGrammar(state.input.text, tool) ?? (await namedGrammar(tool, uri, context));
    if (grammar !== undefined) asked.push({ id: `${uri}\n${pointerOf(tool.node)}`, uri, grammar });
  }
  return asked;
}

/** The grammar that a tool has in a file of its own. */
async function namedGrammar(
  { format }: ToolDefinition,
  uri: string,
  { grammars }: ServerContext,
): Promise<ProviderGrammar | undefined> {
  const file = format?.file === undefined || format.syntax !== 'lark' ? undefined : resolveUri(uri, format.file);
  const text = file === undefined ? undefined : await grammars.file(file);
  return text && { syntax: 'lark', text: text.document.text };
}

/** Asks the provider's engine about the grammars of an open document and waits a moment for its verdicts. */
export async function settleVerdicts(uri: string, context: ServerContext, token?: CancellationToken): Promise<void> {
  if (context.verdicts.missing !== undefined) return;
  if (context.samples.isFile(uri)) return context.differences.settle(uri, token);
  await context.verdicts.settle(await askedGrammars(uri, context), token);
}
