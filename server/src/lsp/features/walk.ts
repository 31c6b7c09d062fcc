import { ProtocolRequestType } from 'vscode-languageserver';
import { METHODS, type WalkParams, type WalkResult } from '../../protocol';
import { feature } from '../feature';

const WalkRequest = new ProtocolRequestType<WalkParams, WalkResult | null, never, void, void>(METHODS.walk);

/** Gives the address of a walk through a text. Announced to our own client by its name alone. */
export const walks = feature({
  type: WalkRequest,
  announce: () => {},
  empty: null,
  about: ({ uri }) => uri,
  handle: (params, context) => context.walks.find(params),
});
