import { ProtocolRequestType } from 'vscode-languageserver';
import { METHODS, type ToolListParams, type ToolListResult } from '../../protocol';
import { feature } from '../feature';

const ToolListRequest = new ProtocolRequestType<ToolListParams, ToolListResult, never, void, void>(METHODS.toolList);

/** Lists the tools of a folder or a file. Announced to our own client by its name alone. */
export const toolLists = feature({
  type: ToolListRequest,
  announce: () => {},
  empty: { files: [], limits: { tools: 0, start: 0, namespace: 0 } },
  about: () => undefined,
  handle: (params, context) => context.toolLists.list(params),
});
