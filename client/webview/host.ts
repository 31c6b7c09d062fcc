import type { PanelAction } from '../../server/src/panelProtocol';
import type { FromPanel, PanelState } from '../src/panel/messages';

interface VsCodeApi {
  postMessage(message: FromPanel): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();

/** Sends a message to the extension. */
export function send(message: FromPanel): void {
  api.postMessage(message);
}

/** Does what a link or a button stands for. */
export function act(action: PanelAction): void {
  send({ type: 'act', action });
}

/** What was kept over a reload. */
export function keptState(): PanelState | null {
  const state = api.getState();
  return typeof state === 'object' && state !== null && 'page' in state ? (state as PanelState) : null;
}

/** Keeps the state over a reload. */
export function keepState(state: PanelState): void {
  api.setState(state);
}
