import { type CodeLens, CodeLensRequest, type Command } from 'vscode-languageserver';
import { lensStatus } from '../../core/budget/lens';
import { GrammarLinks } from '../../core/grammar/resolveFiles';
import { referenceCounts } from '../../core/grammar/service/navigation';
import { pointerOf } from '../../core/text/jsonTree';
import { type Message, t } from '../../core/text/message';
import type { PanelTarget } from '../../panelProtocol';
import { COMMANDS, type ViewParams } from '../../protocol';
import type { ServerContext } from '../context';
import { plain } from '../convert';
import { feature } from '../feature';
import { verdictLenses } from '../grammarLenses';
import { sampleLenses, toolSampleLenses } from '../sampleLenses';
import { keyOf } from '../toolAt';

/** One line over each tool: what it weighs and what that costs, and the way to its wire JSON. */
export const codeLenses = feature({
  type: CodeLensRequest.type,
  announce: (capabilities) => {
    capabilities.codeLensProvider = { resolveProvider: false };
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri } }, context, token): Promise<CodeLens[] | null> {
    if (context.grammars.isFile(uri)) {
      return [...(await verdictLenses(uri, context, token)), ...(await referenceLenses(uri, context))];
    }
    if (context.samples.isFile(uri)) return sampleLenses(uri, context);
    const state = await context.files.state(uri);
    if (state === undefined || !state.settings.lens) return null;
    const lenses: CodeLens[] = [];
    for (const tool of state.result.set.tools) {
      const position = state.lines.position(tool.node.offset);
      const range = { start: position, end: position };
      const add = (command: Command): void => {
        lenses.push({ range, command });
      };
      const pointer = pointerOf(tool.node);
      const commands = context.client.options.commands === true;
      const size = state.size(tool);
      // A lens without a command is plain text. The fact itself leads to where it is explained.
      const page = size !== undefined ? 'compile' : tool.format?.type === 'grammar' ? 'grammar' : 'wire';
      const target: PanelTarget = { uri, key: keyOf(tool), page };
      const argument = (view: ViewParams['view']): ViewParams => ({ uri, view, tool: pointer });
      const title = plain(lensStatus(tool, size));
      add(commands ? { title, command: COMMANDS.openPanel, arguments: [target] } : { title, command: '' });
      if (!commands) continue;
      add({ title: plain(t('Preview wire')), command: COMMANDS.previewWire, arguments: [argument('wire')] });
      add({ title: plain(t('Compare')), command: COMMANDS.compareWithSource, arguments: [argument('source')] });
      for (const command of await toolSampleLenses(uri, tool, context)) add(command);
    }
    lenses.push(...(await verdictLenses(uri, context, token)));
    return lenses;
  },
});

/**
 * How often each rule and terminal of a grammar file is used, where the user wants to see that. A grammar inside JSON
 * has all of them on one line, so there is none there.
 */
async function referenceLenses(uri: string, context: ServerContext): Promise<CodeLens[]> {
  if (!(await context.files.sources.settings(uri)).referencesLens) return [];
  const texts = await context.grammars.in(uri);
  const lenses: CodeLens[] = [];
  const world = await context.grammars.world(texts, true);
  const links = new GrammarLinks(world);
  for (const text of texts) {
    for (const { name, nameSpan, places } of referenceCounts(links, text.id)) {
      const range = text.range(nameSpan);
      const title = plain(name === 'start' && places.length === 0 ? t('entry') : usedTimes(places.length));
      const locations = places.flatMap((place) => world.location(place) ?? []);
      const shown = context.client.options.commands === true && locations.length > 0;
      const command = shown
        ? { title, command: COMMANDS.showReferences, arguments: [uri, range.start, locations] }
        : { title, command: '' };
      lenses.push({ range, command });
    }
  }
  return lenses;
}

function usedTimes(count: number): Message {
  if (count === 0) return t('not used');
  return count === 1 ? t('used once') : t('used {0} times', count);
}
