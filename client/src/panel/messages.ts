import type {
  CompileAsk,
  PanelAction,
  PanelModel,
  PanelPageName,
  PanelToolKey,
  SearchAsk,
  WireAsk,
} from '../../../server/src/panelProtocol';

/** What the panel keeps over a reload of the window: which file and tool, which page, and how each page is set. */
export interface PanelState {
  readonly uri: string | null;
  readonly tool: PanelToolKey | null;
  readonly page: PanelPageName;
  /** The panel stays with its tool, whatever editor is in front. */
  readonly pinned: boolean;
  readonly wire?: WireAsk;
  readonly compile?: CompileAsk;
  readonly search?: SearchAsk;
}

/** From the panel to the extension. */
export type FromPanel =
  /** The page has loaded, with what it has kept. */
  | { readonly type: 'ready'; readonly state: PanelState | null }
  /** The state has changed by the user's hand. */
  | { readonly type: 'state'; readonly state: PanelState }
  /** A link or a button. */
  | { readonly type: 'act'; readonly action: PanelAction }
  | { readonly type: 'copyWire'; readonly wire: WireAsk }
  | { readonly type: 'openWire'; readonly wire: WireAsk }
  | { readonly type: 'copy'; readonly text: string };

/** From the extension to the panel. */
export type ToPanel =
  /** What is to be shown. A newer model replaces an older one. */
  | { readonly type: 'model'; readonly state: PanelState; readonly model: PanelModel }
  /** An answer is on its way; what is shown is of before. */
  | { readonly type: 'busy' }
  /** There is no tool definition file in front. */
  | { readonly type: 'none'; readonly state: PanelState; readonly reason: 'no-file' | 'not-ours' | 'failed' };

const TYPES: ReadonlySet<string> = new Set<FromPanel['type']>([
  'ready',
  'state',
  'act',
  'copyWire',
  'openWire',
  'copy',
]);

/** Whether a message of the page is one of ours. The page is ours too, but it is a web page. */
export function isFromPanel(message: unknown): message is FromPanel {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false;
  return typeof message.type === 'string' && TYPES.has(message.type);
}
