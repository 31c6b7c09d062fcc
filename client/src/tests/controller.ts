import * as vscode from 'vscode';
import type { CallFindingInfo, CallResultInfo } from '../../../server/src/samplesProtocol';
import { toRange } from '../commands/added';
import type { Server } from '../server';
import { GRAMMAR_LANGUAGE, LANGUAGES } from '../toolFiles';
import { DriftSearch } from './drift';
import { TestTree } from './tree';
import { explainTrust } from './trust';

const SAMPLES = '**/*.samples.{json,jsonc}';
const ANYTHING = '**/*';
const SAMPLE_FILE = /\.samples\.jsonc?$/;

/** Languages whose documents the server reads as they stand in editors. */
const READ_FROM_EDITORS: ReadonlySet<string> = new Set([...LANGUAGES, GRAMMAR_LANGUAGE]);

/** Changes that come within so many milliseconds are answered together. */
const SETTLE = 150;

/** The sample calls of the workspace in the Test Explorer. */
export class Tests implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  readonly #tree: TestTree;
  readonly #run: vscode.TestRunProfile;
  readonly drift: DriftSearch;
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #continuous = new Set<{
    readonly request: vscode.TestRunRequest;
    readonly token: vscode.CancellationToken;
  }>();
  readonly #changed = new Set<string>();
  #listed: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #runs = 0;

  constructor(
    readonly server: Server,
    readonly log: vscode.LogOutputChannel,
  ) {
    this.#controller = vscode.tests.createTestController('toolspec', 'ToolSpec');
    this.#tree = new TestTree(this.#controller);
    this.#controller.resolveHandler = async (item) => {
      if (item === undefined) await this.#list();
    };
    this.#controller.refreshHandler = () => {
      this.#listed = undefined;
      return this.#list();
    };
    this.#run = this.#controller.createRunProfile(
      vscode.l10n.t('Run'),
      vscode.TestRunProfileKind.Run,
      (request, token) => this.#handle(request, token),
      true,
      undefined,
      true,
    );
    this.drift = new DriftSearch(server, log, this.#controller, this.#tree, () => this.#list());
    const watcher = vscode.workspace.createFileSystemWatcher(SAMPLES);
    // Handlers, grammars and inputs change on disk too; what no call depends on is passed over.
    const others = vscode.workspace.createFileSystemWatcher(ANYTHING);
    this.#subscriptions.push(
      this.drift,
      this.#controller,
      watcher,
      others,
      watcher.onDidCreate((uri) => this.#note(uri)),
      watcher.onDidChange((uri) => this.#note(uri)),
      others.onDidCreate((uri) => this.#noteDependency(uri)),
      others.onDidChange((uri) => this.#noteDependency(uri)),
      others.onDidDelete((uri) => this.#noteDependency(uri)),
      watcher.onDidDelete((uri) => this.#tree.removeFile(uri.toString())),
      vscode.workspace.onDidOpenTextDocument((document) => this.#noteSamples(document)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // What the server reads from editors counts at once, the rest when it is saved.
        if (contentChanges.length > 0 && READ_FROM_EDITORS.has(document.languageId)) this.#note(document.uri);
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#note(uri)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        for (const { uri } of this.#tree.files) this.#changed.add(uri);
        this.#settleSoon();
      }),
    );
    for (const document of vscode.workspace.textDocuments) this.#noteSamples(document);
  }

  /** Runs calls, as a lens or a command asks: of files, all of them or some. */
  async run(
    wanted: readonly { readonly uri: string; readonly calls?: readonly number[] }[],
    token: vscode.CancellationToken = new vscode.CancellationTokenSource().token,
  ): Promise<void> {
    await this.#list();
    const items: vscode.TestItem[] = [];
    for (const { uri, calls } of wanted) {
      if (this.#tree.item(uri) === undefined) await this.#refresh(uri);
      if (calls === undefined) items.push(...present(this.#tree.item(uri)));
      else for (const index of calls) items.push(...present(this.#tree.item(uri, index)));
    }
    if (items.length === 0) return;
    await this.#execute(new vscode.TestRunRequest(items, undefined, this.#run), token);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const each of this.#subscriptions) each.dispose();
  }

  #list(): Promise<void> {
    this.#listed ??= this.server.samples({}).then(
      ({ files }) => this.#tree.setFiles(files),
      (error: unknown) => {
        this.#listed = undefined;
        this.log.warn(`Samples could not be listed: ${String(error)}`);
      },
    );
    return this.#listed;
  }

  async #refresh(uri: string): Promise<void> {
    const { files } = await this.server.samples({ uri });
    for (const file of files) this.#tree.setFile(file);
  }

  #noteSamples({ uri }: vscode.TextDocument): void {
    if (SAMPLE_FILE.test(uri.path) && uri.scheme !== 'toolspec') this.#note(uri);
  }

  #noteDependency(uri: vscode.Uri): void {
    if (!SAMPLE_FILE.test(uri.path)) this.#note(uri);
  }

  /** A file has changed: a samples file, or one that calls depend on. */
  #note(uri: vscode.Uri): void {
    const name = uri.toString();
    const isSamples = SAMPLE_FILE.test(uri.path);
    if (!isSamples && !this.#tree.dependsOn(name)) return;
    this.#changed.add(name);
    this.#settleSoon();
  }

  #settleSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#settle(), SETTLE);
  }

  async #settle(): Promise<void> {
    const changed = [...this.#changed];
    this.#changed.clear();
    const affected = new Set<string>();
    for (const uri of changed) {
      if (SAMPLE_FILE.test(uri)) affected.add(uri);
      for (const file of this.#tree.files) if (file.dependencies.includes(uri)) affected.add(file.uri);
    }
    try {
      for (const uri of affected) await this.#refresh(uri);
    } catch (error) {
      this.log.warn(`Samples could not be read: ${String(error)}`);
      return;
    }
    for (const { request, token } of this.#continuous) {
      const include = this.#affectedItems(request, affected);
      if (include.length > 0 && !token.isCancellationRequested) {
        await this.#execute(new vscode.TestRunRequest(include, request.exclude, this.#run, true), token);
      }
    }
  }

  /** What of a request has to run again when these files have changed. */
  #affectedItems(request: vscode.TestRunRequest, affected: ReadonlySet<string>): vscode.TestItem[] {
    const wanted = request.include ?? [...this.#controller.items].map(([, item]) => item);
    return wanted.filter((item) => {
      const subject = this.#tree.subject(item);
      return subject !== undefined && affected.has(subject.uri);
    });
  }

  async #handle(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (request.continuous !== true) {
      await this.#execute(request, token);
      return;
    }
    const entry = { request, token };
    this.#continuous.add(entry);
    token.onCancellationRequested(() => this.#continuous.delete(entry));
    await this.#execute(request, token);
  }

  async #execute(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    await this.#list();
    const run = this.#controller.createTestRun(request);
    const chosen = this.#chosen(request);
    for (const [uri, indexes] of chosen) {
      for (const index of indexes) for (const item of present(this.#tree.item(uri, index))) run.enqueued(item);
    }
    let untrusted = 0;
    try {
      for (const [uri, indexes] of chosen) {
        if (token.isCancellationRequested) break;
        untrusted += await this.#runFile(
          run,
          uri,
          [...indexes].sort((a, b) => a - b),
          token,
        );
      }
    } catch (error) {
      run.appendOutput(`${String(error)}\r\n`);
      this.log.error(`Running samples failed: ${String(error)}`);
    } finally {
      run.end();
    }
    if (untrusted > 0) void explainTrust(untrusted);
  }

  /** Calls by file: what is included, without what is excluded. */
  #chosen({ include, exclude }: vscode.TestRunRequest): Map<string, Set<number>> {
    const chosen = new Map<string, Set<number>>();
    const wanted = include ?? [...this.#controller.items].map(([, item]) => item);
    for (const item of wanted) {
      const calls = this.#tree.callsOf(item);
      if (calls === undefined) continue;
      const known = chosen.get(calls.uri) ?? new Set();
      for (const index of calls.indexes) known.add(index);
      chosen.set(calls.uri, known);
    }
    for (const item of exclude ?? []) {
      const calls = this.#tree.callsOf(item);
      for (const index of calls?.indexes ?? []) chosen.get(calls!.uri)?.delete(index);
    }
    return chosen;
  }

  async #runFile(
    run: vscode.TestRun,
    uri: string,
    calls: readonly number[],
    token: vscode.CancellationToken,
  ): Promise<number> {
    const name = `run ${++this.#runs}`;
    const listener = this.server.onCallProgress((progress) => {
      if (progress.run !== name) return;
      const item = this.#tree.item(progress.uri, progress.index);
      if (item === undefined) return;
      if (progress.result === null) run.started(item);
      else {
        report(run, item, progress.result);
        this.#tree.note(progress.uri, progress.index, progress.result.state);
      }
    });
    try {
      const { failure, untrusted } = await this.server.runSamples({ uri, calls, run: name }, token);
      if (failure !== null) {
        for (const index of calls) {
          for (const item of present(this.#tree.item(uri, index))) run.errored(item, new vscode.TestMessage(failure));
        }
      }
      return untrusted;
    } finally {
      listener.dispose();
    }
  }
}

const SIGNS: Readonly<Record<CallResultInfo['state'], string>> = {
  passed: '✓',
  failed: '✗',
  errored: '✗',
  skipped: '–',
};

function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** Tells the Test Explorer what became of a call. */
function report(run: vscode.TestRun, item: vscode.TestItem, result: CallResultInfo): void {
  const { state, durationMs, log } = result;
  const say = (line: string): void => run.appendOutput(`${line.replace(/\r?\n/g, '\r\n')}\r\n`, undefined, item);
  say(`${SIGNS[state]} ${item.parent?.label ?? ''}: ${item.label}`);
  for (const line of log) say(`  ${line.replaceAll('\n', '\n  ')}`);
  say(`  ${result.verdicts}`);
  if (state !== 'passed' && result.reason !== null) say(`  ${result.reason}`);
  if (state === 'passed') run.passed(item, durationMs);
  else if (state === 'skipped') run.skipped(item);
  else {
    const messages = messagesOf(item, result);
    if (state === 'failed') run.failed(item, messages, durationMs);
    else run.errored(item, messages, durationMs);
  }
}

function messagesOf(item: vscode.TestItem, result: CallResultInfo): vscode.TestMessage[] {
  const { reason, drift, expected, actual, findings } = result;
  const text = new vscode.MarkdownString();
  if (drift) {
    const accepts = result.contract === 'accepted';
    text.appendText(
      accepts
        ? vscode.l10n.t('Drift: the contract accepts, the handler refuses.')
        : vscode.l10n.t('Drift: the contract refuses, the handler accepts.'),
    );
    text.appendMarkdown('\n\n');
  }
  if (reason !== null) text.appendText(reason);
  text.appendMarkdown('\n\n');
  text.appendText(result.verdicts);
  const told = findings.filter(({ level, message }) => level !== 'hint' && message !== reason);
  for (const { message, rule, href } of told) {
    text.appendMarkdown('\n\n');
    text.appendText(`${message} `);
    text.appendMarkdown(`[${rule}](${href})`);
  }
  const message =
    expected !== null && actual !== null && expected !== actual
      ? vscode.TestMessage.diff(text, expected, actual)
      : new vscode.TestMessage(text);
  message.location = locationOf(item, worst(findings));
  return [message];
}

function worst(findings: readonly CallFindingInfo[]): CallFindingInfo | undefined {
  return findings.find(({ level }) => level === 'error') ?? findings[0];
}

function locationOf(item: vscode.TestItem, finding: CallFindingInfo | undefined): vscode.Location | undefined {
  if (item.uri === undefined) return undefined;
  const range = finding?.range === null || finding === undefined ? item.range : toRange(finding.range);
  return range === undefined ? undefined : new vscode.Location(item.uri, range);
}
