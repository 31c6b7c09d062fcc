import * as vscode from 'vscode';
import type {
  DriftInfo,
  FindDriftParams,
  FindDriftResult,
  StoreDriftParams,
  ToolDriftInfo,
} from '../../../server/src/samplesProtocol';
import { applyAdded, toRange } from '../commands/added';
import type { Server } from '../server';
import type { TestTree } from './tree';
import { explainTrust } from './trust';

/** Messages with this mark can be stored as samples: the manifest has the menu. */
const STORABLE = 'toolspecDrift';

/** Lines of an input that a message shows. */
const MOST_LINES = 30;

/** What is to be searched: a file, or one tool of it. */
type Target = Omit<FindDriftParams, 'run'>;

/** Searches for drift, for the Test Explorer's profile and for the command. */
export class DriftSearch implements vscode.Disposable {
  readonly #profile: vscode.TestRunProfile;
  /** Where the drift of a message is stored, by the message's text: what menus give back is a copy. */
  readonly #stored = new Map<string, StoreDriftParams>();
  #count = 0;

  constructor(
    readonly server: Server,
    readonly log: vscode.LogOutputChannel,
    readonly controller: vscode.TestController,
    readonly tree: TestTree,
    /** Lists the samples of the workspace, if that has not been done. */
    readonly list: () => Promise<void>,
  ) {
    this.#profile = controller.createRunProfile(
      vscode.l10n.t('Find Drift'),
      vscode.TestRunProfileKind.Run,
      (request, token) => this.#handle(request, token),
      false,
    );
  }

  /** Searches what a lens or the palette names, and shows how far it is. */
  async command(target: Target): Promise<void> {
    await this.list();
    const title = vscode.l10n.t('Looking for drift');
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    const found = await vscode.window.withProgress(options, (progress, token) =>
      this.#search(target, token, (message) => progress.report({ message })),
    );
    const item = this.tree.item(found.result.samples);
    if (item !== undefined && found.result.failure === null) {
      const run = this.controller.createTestRun(new vscode.TestRunRequest([item], undefined, this.#profile));
      this.#publish(run, item, found);
      run.end();
    } else this.#write(found.result);
    this.#tell([found], true);
  }

  /** Stores the drift that a message tells of. */
  async store(message: vscode.TestMessage): Promise<void> {
    const params = this.#stored.get(textOf(message));
    if (params === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This drift is not known any more. Search again.'));
    } else await applyAdded(await this.server.storeDrift(params));
  }

  dispose(): void {
    this.#profile.dispose();
  }

  async #handle(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    await this.list();
    const run = this.controller.createTestRun(request);
    const found: Found[] = [];
    try {
      for (const { target, item } of this.#targets(request)) {
        if (token.isCancellationRequested) break;
        run.started(item);
        const options = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Looking for drift') };
        const one = await vscode.window.withProgress(options, (progress) =>
          this.#search(target, token, (message) => progress.report({ message })),
        );
        found.push(one);
        this.#publish(run, this.tree.item(target.uri) ?? item, one);
        if (one.result.failure !== null) run.errored(item, new vscode.TestMessage(one.result.failure));
        else if (token.isCancellationRequested) run.skipped(item);
      }
    } catch (error) {
      run.appendOutput(`${String(error)}\r\n`);
      this.log.error(`Looking for drift failed: ${String(error)}`);
    } finally {
      run.end();
    }
    this.#tell(found, false);
  }

  /** What a request means: whole files, and single tools of others. Of a call its tool is searched. */
  #targets({ include, exclude }: vscode.TestRunRequest): { readonly target: Target; readonly item: vscode.TestItem }[] {
    const left = new Set(exclude);
    const targets = new Map<string, { target: Target; item: vscode.TestItem }>();
    for (const item of include ?? [...this.controller.items].map(([, each]) => each)) {
      const subject = left.has(item) ? undefined : this.tree.subject(item);
      if (subject === undefined) continue;
      const { uri } = subject;
      const owner = subject.kind === 'call' ? item.parent : item;
      const tool = owner === undefined ? undefined : this.tree.subject(owner);
      if (owner === undefined || tool === undefined) continue;
      if (tool.kind === 'tool') targets.set(owner.id, { target: { uri, tool: tool.tool }, item: owner });
      else targets.set(owner.id, { target: { uri }, item: owner });
    }
    return [...targets.values()];
  }

  async #search(target: Target, token: vscode.CancellationToken, tell: (message: string) => void): Promise<Found> {
    const run = `drift ${++this.#count}`;
    const listener = this.server.onDriftProgress((progress) => {
      if (progress.run === run) tell(progress.message);
    });
    try {
      return { run, result: await this.server.findDrift({ ...target, run }, token) };
    } finally {
      listener.dispose();
    }
  }

  /** Shows what was found at the tools of a samples file. */
  #publish(run: vscode.TestRun, file: vscode.TestItem, { run: name, result }: Found): void {
    for (const [index, tool] of result.tools.entries()) {
      const item = toolItem(file, tool);
      const say = (line: string): void => run.appendOutput(`${line.replace(/\r?\n/g, '\r\n')}\r\n`, undefined, item);
      const shown = tool.namespace === null ? tool.tool : `${tool.namespace}.${tool.tool}`;
      if (tool.skipped !== null) {
        say(vscode.l10n.t('{0} was not searched: {1}', shown, tool.skipped));
        run.skipped(item);
        continue;
      }
      say(vscode.l10n.t('Drift of {0}', shown));
      for (const line of tool.log) say(`  ${line}`);
      const messages = tool.drifts.map((drift, place) => {
        const message = messageOf(drift, tool);
        this.#stored.set(textOf(message), { run: name, tool: index, drift: place });
        return message;
      });
      if (messages.length === 0) run.passed(item);
      else run.failed(item, messages);
    }
  }

  /** Where there are no samples to show it at, the output tells what was found. */
  #write({ failure, tools }: FindDriftResult): void {
    if (failure !== null) this.log.warn(failure);
    for (const { tool, skipped, drifts, log } of tools) {
      if (skipped !== null) this.log.warn(`${tool}: ${skipped}`);
      for (const line of log) this.log.info(`${tool}: ${line}`);
      for (const drift of drifts)
        this.log.warn(`${tool}: ${headOf(drift)} ${drift.feedback} [${drift.rule}]\n${drift.input}`);
    }
  }

  /** Says how it went, with the way to keep what was found. */
  #tell(found: readonly Found[], always: boolean): void {
    const failure = found.find(({ result }) => result.failure !== null)?.result.failure;
    const tools = found.flatMap(({ result }) => result.tools);
    const untrusted = tools.filter((tool) => tool.untrusted).length;
    const count = tools.reduce((sum, { drifts }) => sum + drifts.length, 0);
    if (untrusted > 0) void explainTrust(untrusted);
    else if (failure !== undefined && failure !== null) void vscode.window.showWarningMessage(failure);
    else if (count > 0) void this.#offer(found, count);
    else if (always) {
      const skipped = tools.find((tool) => tool.skipped !== null);
      const message =
        skipped === undefined || tools.some((tool) => tool.skipped === null)
          ? vscode.l10n.t('No drift was found: contract and handler agree about every input that was tried.')
          : vscode.l10n.t('{0} was not searched: {1}', skipped.tool, skipped.skipped ?? '');
      void vscode.window.showInformationMessage(message);
    }
  }

  async #offer(found: readonly Found[], count: number): Promise<void> {
    const store = vscode.l10n.t('Store as Samples');
    const show = vscode.l10n.t('Show');
    const message =
      count === 1
        ? vscode.l10n.t('Contract and handler differ in one way.')
        : vscode.l10n.t('Contract and handler differ in {0} ways.', count);
    const choice = await vscode.window.showWarningMessage(message, store, show);
    if (choice === store) {
      for (const { run, result } of found) {
        if (result.tools.some(({ drifts }) => drifts.length > 0))
          await applyAdded(await this.server.storeDrift({ run }));
      }
    } else if (choice === show) {
      const shown = found.some(({ result }) => this.tree.item(result.samples) !== undefined);
      if (shown) await vscode.commands.executeCommand('testing.showMostRecentOutput');
      else this.log.show(true);
    }
  }
}

interface Found {
  readonly run: string;
  readonly result: FindDriftResult;
}

/** The item of a tool in a samples file, if calls of it are stored; else that of the file. */
function toolItem(file: vscode.TestItem, { tool, namespace }: ToolDriftInfo): vscode.TestItem {
  const names = new Set([tool, `${namespace}.${tool}`]);
  for (const [, item] of file.children) if (names.has(item.label)) return item;
  return file;
}

function headOf({ kind, verdict }: DriftInfo): string {
  if (kind === 'handler-accepts') return vscode.l10n.t('Drift: the contract refuses, the handler accepts.');
  if (verdict === 'crashed') return vscode.l10n.t('Drift: the contract accepts, the handler crashes.');
  if (verdict === 'timed-out')
    return vscode.l10n.t('Drift: the contract accepts, the handler does not answer in time.');
  return vscode.l10n.t('Drift: the contract accepts, the handler refuses.');
}

function messageOf(drift: DriftInfo, { uri, range }: ToolDriftInfo): vscode.TestMessage {
  const text = new vscode.MarkdownString();
  text.appendText(`${headOf(drift)} ${drift.feedback}`);
  const lines = drift.input.split('\n');
  const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), '…'] : lines;
  text.appendCodeblock(shown.join('\n'), 'text');
  const times =
    drift.count === 1 ? vscode.l10n.t('1 input differs so.') : vscode.l10n.t('{0} inputs differ so.', drift.count);
  text.appendText(`${times} `);
  text.appendMarkdown(`[${drift.rule}](${drift.href})`);
  const message = new vscode.TestMessage(text);
  message.location = new vscode.Location(vscode.Uri.parse(uri, true), toRange(range));
  message.contextValue = STORABLE;
  return message;
}

function textOf({ message }: vscode.TestMessage): string {
  return typeof message === 'string' ? message : message.value;
}
