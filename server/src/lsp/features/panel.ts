import { ProtocolRequestType } from 'vscode-languageserver';
import type {
  PanelCallParams,
  PanelCallResult,
  PanelGenerateParams,
  PanelGenerateResult,
  PanelModel,
  PanelParams,
  PanelRunParams,
  PanelRunResult,
  PanelSaveResult,
  PanelTextParams,
  PanelTextResult,
} from '../../panelProtocol';
import { METHODS } from '../../protocol';
import { feature } from '../feature';
import { calledTool } from '../panel/calledTool';

const PanelRequest = new ProtocolRequestType<PanelParams, PanelModel | null, never, void, void>(METHODS.panel);
const PanelTextRequest = new ProtocolRequestType<PanelTextParams, PanelTextResult | null, never, void, void>(
  METHODS.panelText,
);
const PanelRunRequest = new ProtocolRequestType<PanelRunParams, PanelRunResult, never, void, void>(METHODS.panelRun);
const PanelSaveRequest = new ProtocolRequestType<PanelRunParams, PanelSaveResult | null, never, void, void>(
  METHODS.panelSave,
);
const PanelCallRequest = new ProtocolRequestType<PanelCallParams, PanelCallResult | null, never, void, void>(
  METHODS.panelCall,
);
const PanelGenerateRequest = new ProtocolRequestType<PanelGenerateParams, PanelGenerateResult, never, void, void>(
  METHODS.panelGenerate,
);

const FAILED = 'ToolSpec failed. The output says why.';

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

/** Runs the call that the panel shows. It is about no version: an edit while it runs ends nothing. */
export const panelRuns = feature({
  type: PanelRunRequest,
  announce: () => {},
  empty: { failure: FAILED },
  about: () => undefined,
  handle: (params, { panels: all }, token) => all.run(params, token),
});

/** Says what stores the call that the panel shows. */
export const panelSaves = feature({
  type: PanelSaveRequest,
  announce: () => {},
  empty: null,
  about: () => undefined,
  handle: (params, { panels: all }) => all.save(params),
});

/** Says which tool is called at a place of a samples file. */
export const panelCalls = feature({
  type: PanelCallRequest,
  announce: () => {},
  empty: null,
  about: ({ uri }) => uri,
  handle: (params, { samples }) => calledTool(params, samples),
});

/** Gives an input that the grammar of the panel takes. */
export const panelGenerates = feature({
  type: PanelGenerateRequest,
  announce: () => {},
  empty: { failure: FAILED },
  about: () => undefined,
  handle: (params, { panels: all }) => all.generate(params),
});
