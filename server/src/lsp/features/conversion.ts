import { ProtocolRequestType } from 'vscode-languageserver';
import { syntaxFault } from '../../core/text/json';
import { LineIndex } from '../../core/text/lines';
import { convertTools } from '../../core/tools/convert/convert';
import { CONVERT_TARGETS } from '../../core/tools/convert/targets';
import { type ConvertParams, type ConvertResult, METHODS } from '../../protocol';
import { feature } from '../feature';
import { say } from '../language';

const ConvertRequest = new ProtocolRequestType<ConvertParams, ConvertResult | null, never, void, void>(METHODS.convert);

/** Writes the tools of a file in another shape. Announced to our own client by its name alone. */
export const conversions = feature({
  type: ConvertRequest,
  announce: () => {},
  empty: null,
  about: ({ uri }) => uri,
  handle: async ({ uri, target: wanted }, { files }): Promise<ConvertResult | null> => {
    const state = await files.state(uri);
    const target = CONVERT_TARGETS.find((each) => each === wanted);
    if (state === undefined || state.kind !== 'tools' || target === undefined) return null;
    const { document, set } = state.result;
    if (set.tools.length === 0 && set.namespaces.length === 0) return null;
    const lines = new LineIndex(document.text);
    const fault = syntaxFault(document);
    if (fault !== undefined) {
      const problem = { message: say(fault.message), range: lines.range(fault.span) };
      return { text: null, tools: 0, losses: [], problem };
    }
    const { text, tools, losses } = convertTools(set, target);
    return {
      text,
      tools,
      losses: losses.map(({ kind, level, tool, pointer, span, message }) => ({
        kind,
        level,
        tool: tool ?? null,
        pointer,
        range: lines.range(span),
        message: say(message),
      })),
      problem: null,
    };
  },
});
