import type {
  CallsAsk,
  CallsPage,
  CompileAsk,
  GrammarAsk,
  PanelAction,
  PanelDraft,
  PanelModel,
  PanelPageName,
  PanelStoredCall,
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
  readonly calls?: CallsAsk;
  readonly grammar?: GrammarAsk;
  /** What the user has typed and stored nowhere. */
  readonly drafts?: readonly PanelDraft[];
}

/** From the panel to the extension. */
export type FromPanel =
  /** The page has loaded, with what it has kept. */
  | { readonly type: 'ready'; readonly state: PanelState | null }
  /** The state has changed by the user's hand; states are counted. */
  | { readonly type: 'state'; readonly state: PanelState; readonly serial: number }
  /** A link or a button. */
  | { readonly type: 'act'; readonly action: PanelAction }
  | { readonly type: 'copyWire'; readonly wire: WireAsk }
  | { readonly type: 'openWire'; readonly wire: WireAsk }
  | { readonly type: 'copy'; readonly text: string }
  /** The handler is to take the call that is shown: the stored one, or what has been typed. */
  | { readonly type: 'run'; readonly stored: PanelStoredCall | null }
  | { readonly type: 'runAll'; readonly files: CallsPage['files'] }
  | { readonly type: 'stop' }
  | { readonly type: 'save' }
  | { readonly type: 'generate'; readonly seed: number };

/** From the extension to the panel. */
export type ToPanel =
  /** What is to be shown. A newer model replaces an older one. `after` counts the states of the page that are in it. */
  | { readonly type: 'model'; readonly state: PanelState; readonly model: PanelModel; readonly after: number }
  /** An answer is on its way; what is shown is of before. */
  | { readonly type: 'busy' }
  /** There is no tool definition file in front, or it cannot be opened any more. */
  | {
      readonly type: 'none';
      readonly state: PanelState;
      readonly reason: 'no-file' | 'not-ours' | 'gone' | 'failed';
      readonly after: number;
    };

const TYPES: ReadonlySet<string> = new Set<FromPanel['type']>([
  'ready',
  'state',
  'act',
  'copyWire',
  'openWire',
  'copy',
  'run',
  'runAll',
  'stop',
  'save',
  'generate',
]);

/** Whether a message of the page is one of ours. The page is ours too, but it is a web page. */
export function isFromPanel(message: unknown): message is FromPanel {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false;
  return typeof message.type === 'string' && TYPES.has(message.type);
}
