import { type CodeLens, CodeLensRequest, type Command } from 'vscode-languageserver';
import { lensStatus } from '../../core/budget/lens';
import { pointerOf } from '../../core/text/jsonTree';
import { COMMANDS, type ViewParams } from '../../protocol';
import { plain } from '../convert';
import { feature } from '../feature';

/** One line over each tool: what it weighs and what that costs, and the way to its wire JSON. */
export const codeLenses = feature({
  type: CodeLensRequest.type,
  announce: (capabilities) => {
    capabilities.codeLensProvider = { resolveProvider: false };
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri } }, context): Promise<CodeLens[] | null> {
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
      // A lens without a command is plain text; where there are stages to show, the fact itself leads to them.
      const stages = commands && size !== undefined && size.refusal === undefined;
      const argument = (view: ViewParams['view']): ViewParams => ({ uri, view, tool: pointer });
      const title = plain(lensStatus(tool, size));
      add(stages ? { title, command: COMMANDS.showStages, arguments: [argument('stages')] } : { title, command: '' });
      if (!commands) continue;
      add({ title: 'Preview wire', command: COMMANDS.previewWire, arguments: [argument('wire')] });
      add({ title: 'Compare', command: COMMANDS.compareWithSource, arguments: [argument('source')] });
    }
    return lenses;
  },
});
