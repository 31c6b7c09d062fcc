import * as vscode from 'vscode';
import type { FileStatus } from '../../server/src/protocol';
import type { Server } from './server';
import { LANGUAGES } from './toolFiles';

/** A check that takes more milliseconds is said to be slow. */
const SLOW = 1_000;

const SELECTOR: vscode.DocumentSelector = LANGUAGES.map((language) => ({ language }));

/** One language status item: how many tools of the file in front are over the budget, and whether the server runs. */
export class StatusItem implements vscode.Disposable {
  readonly #item: vscode.LanguageStatusItem;
  readonly #subscriptions: vscode.Disposable[];
  readonly #known = new Map<string, FileStatus>();

  constructor(readonly server: Server) {
    this.#item = vscode.languages.createLanguageStatusItem('toolspec.status', []);
    this.#item.name = 'ToolSpec';
    this.#subscriptions = [
      this.#item,
      server.onDidCheck((status) => {
        this.#known.set(status.uri, status);
        this.#update();
      }),
      server.onDidChangeState(() => this.#update()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#update()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#known.delete(uri.toString())),
    ];
    this.#update();
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
  }

  #update(): void {
    const uri = vscode.window.activeTextEditor?.document.uri.toString();
    const status = uri === undefined ? undefined : this.#known.get(uri);
    const isToolFile = status?.isToolFile === true;
    void vscode.commands.executeCommand('setContext', 'toolspec.isToolFile', isToolFile);
    const hasGrammar = isToolFile && status.hasGrammar;
    void vscode.commands.executeCommand('setContext', 'toolspec.hasGrammar', hasGrammar);
    if (this.server.state === 'failed') {
      this.#show(SELECTOR, vscode.LanguageStatusSeverity.Error, vscode.l10n.t('ToolSpec: the server is down'));
      this.#item.detail = undefined;
      this.#item.command = { title: vscode.l10n.t('Restart Server'), command: 'toolspec.restartServer' };
      return;
    }
    if (!isToolFile) {
      // A selector that matches nothing hides the item.
      this.#item.selector = [];
      return;
    }
    const { Information, Warning } = vscode.LanguageStatusSeverity;
    const bad = status.overBudget + status.refused > 0;
    this.#show(SELECTOR, bad ? Warning : Information, summary(status));
    this.#item.busy = this.server.state === 'starting';
    this.#item.detail =
      status.milliseconds > SLOW
        ? vscode.l10n.t(
            '{0} · slow: the last check took {1} s',
            status.profile,
            (status.milliseconds / 1000).toFixed(1),
          )
        : status.profile;
    this.#item.command = { title: vscode.l10n.t('Preview Wire JSON'), command: 'toolspec.previewWire' };
  }

  #show(selector: vscode.DocumentSelector, severity: vscode.LanguageStatusSeverity, text: string): void {
    this.#item.selector = selector;
    this.#item.severity = severity;
    this.#item.text = text;
    this.#item.accessibilityInformation = { label: text };
    this.#item.busy = false;
  }
}

function summary({ tools, overBudget, refused, largest }: FileStatus): string {
  if (tools === 0) return vscode.l10n.t('ToolSpec: no tools');
  if (refused > 0) return vscode.l10n.t('ToolSpec: {0} of {1} refused', refused, tools);
  if (overBudget > 0) return vscode.l10n.t('ToolSpec: {0} of {1} over budget', overBudget, tools);
  if (largest === null) {
    return tools === 1 ? vscode.l10n.t('ToolSpec: 1 tool') : vscode.l10n.t('ToolSpec: {0} tools', tools);
  }
  return tools === 1
    ? vscode.l10n.t('ToolSpec: 1 tool within budget')
    : vscode.l10n.t('ToolSpec: {0} tools within budget', tools);
}
