import * as vscode from 'vscode';
import type { GrammarStatus } from '../../server/src/protocol';
import type { Server } from './server';
import { GRAMMAR_LANGUAGE } from './toolFiles';

const SELECTOR: vscode.DocumentSelector = { language: GRAMMAR_LANGUAGE };

/** Two language status items for grammars: what the provider's engine says of the one in front, and what Lark says. */
export class GrammarStatusItems implements vscode.Disposable {
  readonly #engine = vscode.languages.createLanguageStatusItem('toolspec.engine', []);
  readonly #lark = vscode.languages.createLanguageStatusItem('toolspec.lark', []);
  readonly #subscriptions: vscode.Disposable[];
  readonly #known = new Map<string, GrammarStatus>();

  constructor(server: Server) {
    this.#engine.name = vscode.l10n.t("ToolSpec: the provider's engine");
    this.#lark.name = vscode.l10n.t('ToolSpec: Lark');
    this.#subscriptions = [
      this.#engine,
      this.#lark,
      server.onDidCheck(({ uri, grammar }) => {
        if (grammar === null) this.#known.delete(uri);
        else this.#known.set(uri, grammar);
        this.#update();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.#update()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#known.delete(uri.toString())),
    ];
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
  }

  #update(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const status = uri === undefined ? undefined : this.#known.get(uri.toString());
    if (uri === undefined || status === undefined) {
      // A selector that matches nothing hides an item.
      this.#engine.selector = [];
      this.#lark.selector = [];
      return;
    }
    const { engine, engineLine, engineMissing, lark, larkLine } = status;
    if (engine === 'none') this.#engine.selector = [];
    else if (engineMissing !== null) {
      this.#show(this.#engine, 'warning', vscode.l10n.t('Provider engine: it does not run here'), uri, null);
      this.#engine.detail = engineMissing;
    } else this.#show(this.#engine, LEVELS[engine], engineText(engine, engineLine), uri, engineLine);
    // What Lark refuses can still be called: the provider alone decides about that.
    this.#show(this.#lark, lark === 'takes' ? 'fine' : 'warning', larkText(lark, larkLine), uri, larkLine);
  }

  #show(
    item: vscode.LanguageStatusItem,
    level: 'fine' | 'warning' | 'error',
    text: string,
    uri: vscode.Uri,
    line: number | null,
  ): void {
    const severity = vscode.LanguageStatusSeverity;
    item.selector = SELECTOR;
    item.severity = level === 'fine' ? severity.Information : level === 'warning' ? severity.Warning : severity.Error;
    item.text = text;
    item.detail = undefined;
    item.accessibilityInformation = { label: text };
    const selection = line === null ? undefined : new vscode.Range(line - 1, 0, line - 1, 0);
    item.command =
      selection === undefined
        ? undefined
        : { title: vscode.l10n.t('Go to'), command: 'vscode.open', arguments: [uri, { selection }] };
  }
}

const LEVELS = { takes: 'fine', refuses: 'error', fails: 'error', unknown: 'warning' } as const;

function engineText(engine: keyof typeof LEVELS, line: number | null): string {
  if (engine === 'unknown') return vscode.l10n.t('Provider engine: llguidance 1.9.1 has no verdict');
  if (engine === 'takes') return vscode.l10n.t('Provider engine: llguidance 1.9.1 accepts it');
  if (engine === 'fails') return vscode.l10n.t('Provider engine: llguidance 1.9.1 gives up at the first character');
  return line === null
    ? vscode.l10n.t('Provider engine: llguidance 1.9.1 refuses it')
    : vscode.l10n.t('Provider engine: llguidance 1.9.1 refuses line {0}', line);
}

function larkText(lark: 'takes' | 'refuses', line: number | null): string {
  if (lark === 'takes') return vscode.l10n.t('Lark 1.3.1: loads');
  return line === null ? vscode.l10n.t('Lark 1.3.1: refuses it') : vscode.l10n.t('Lark 1.3.1: refuses line {0}', line);
}
