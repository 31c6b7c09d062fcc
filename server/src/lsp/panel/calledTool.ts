import { planCall } from '../../core/calls/runCall';
import type { PanelCallParams, PanelCallResult } from '../../panelProtocol';
import type { Samples } from '../samples';
import { keyOf } from '../toolAt';
import { canonicalUri } from '../uris';
import { callKey } from './storedCalls';

/**
 * What the panel goes to for a place in a samples file: the tool of the call that stands there, and the call. Beside all
 * calls it is the tool of the first one, unless the panel shows a tool already that a call of the file names. `null`
 * where the panel stays with what it shows.
 */
export async function calledTool(
  { uri, offset, shown }: PanelCallParams,
  samples: Samples,
): Promise<PanelCallResult | null> {
  const state = await samples.state(uri);
  if (state === undefined) return null;
  const { file, definitions } = state.result;
  const calls = file.calls.flatMap((call) => {
    const target = planCall(call, { definitions, file, config: undefined })?.target;
    return target === undefined ? [] : [{ call, uri: target.uri, tool: keyOf(target.tool) }];
  });
  const here = file.calls.find(({ node }) => node.offset <= offset && offset <= node.end);
  if (here !== undefined) {
    const found = calls.find(({ call }) => call === here);
    return found === undefined ? null : { uri: found.uri, tool: found.tool, sample: callKey(uri, here) };
  }
  const isShown = calls.some(
    (each) =>
      shown !== undefined &&
      canonicalUri(each.uri) === canonicalUri(shown.uri) &&
      each.tool.name === shown.tool.name &&
      each.tool.namespace === shown.tool.namespace,
  );
  const first = calls[0];
  return first === undefined || isShown ? null : { uri: first.uri, tool: first.tool };
}
