import { type InlayHint, InlayHintRequest } from 'vscode-languageserver';
import { type Hint, onePerLine, toolHints } from '../../core/budget/hints';
import { plain } from '../convert';
import { feature } from '../feature';

/** Sizes and losses behind the lines that they are about. */
export const inlayHints = feature({
  type: InlayHintRequest.type,
  announce: (capabilities) => {
    capabilities.inlayHintProvider = true;
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri }, range }, context): Promise<InlayHint[] | null> {
    const state = await context.files.state(uri);
    if (state === undefined || state.settings.hints.size === 0) return null;
    const { lines } = state;
    const start = lines.offset(range.start);
    const end = lines.offset(range.end);
    const hints: Hint[] = [];
    for (const tool of state.result.set.tools) {
      if (tool.node.end < start || tool.node.offset > end) continue;
      hints.push(...toolHints(tool, state.compile(tool), lines, state.settings.hints));
    }
    return onePerLine(hints)
      .filter(({ offset }) => offset >= start && offset <= end)
      .map(({ offset, label, tooltip }) => ({
        position: lines.position(offset),
        label: plain(label),
        tooltip: plain(tooltip),
        paddingLeft: true,
      }));
  },
});
