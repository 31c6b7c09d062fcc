import '@vscode-elements/elements/dist/vscode-badge/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import '@vscode-elements/elements/dist/vscode-tab-header/index.js';
import '@vscode-elements/elements/dist/vscode-tab-panel/index.js';
import '@vscode-elements/elements/dist/vscode-tabs/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import './styles/panel.css';
import type { ToPanel } from '../src/panel/messages';
import { App } from './app';
import { keptState, send } from './host';
import { keepFocus } from './keepFocus';

const root = document.getElementById('panel');
if (root !== null) {
  const app = new App(root);
  keepFocus(root);
  window.addEventListener('message', ({ data }: MessageEvent<ToPanel>) => app.receive(data));
  send({ type: 'ready', state: keptState() });
}
