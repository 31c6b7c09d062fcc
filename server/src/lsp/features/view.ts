import { ProtocolRequestType } from 'vscode-languageserver';
import { METHODS, type ViewParams, type ViewResult } from '../../protocol';
import { feature } from '../feature';

const ViewRequest = new ProtocolRequestType<ViewParams, ViewResult | null, never, void, void>(METHODS.view);

/** Gives the address of a read-only document about a file. Announced to our own client by its name alone. */
export const views = feature({
  type: ViewRequest,
  announce: () => {},
  empty: null,
  about: ({ uri }) => uri,
  handle: (params, context) => context.views.find(params),
});
