import { ProtocolRequestType } from 'vscode-languageserver';
import type { PanelModel, PanelParams, PanelTextParams, PanelTextResult } from '../../panelProtocol';
import { METHODS } from '../../protocol';
import { feature } from '../feature';

const PanelRequest = new ProtocolRequestType<PanelParams, PanelModel | null, never, void, void>(METHODS.panel);
const PanelTextRequest = new ProtocolRequestType<PanelTextParams, PanelTextResult | null, never, void, void>(
  METHODS.panelText,
);

/** Gives a page of the panel about an open file. Announced to our own client by its name alone. */
export const panels = feature({
  type: PanelRequest,
  announce: () => {},
  empty: null,
  about: ({ uri }) => uri,
  handle: (params, { panels: all }) => all.model(params),
});

/** Gives the exact text behind the page Wire. */
export const panelTexts = feature({
  type: PanelTextRequest,
  announce: () => {},
  empty: null,
  about: ({ uri }) => uri,
  handle: (params, { panels: all }) => all.text(params),
});
