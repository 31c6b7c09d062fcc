import type { CancellationToken } from 'vscode-languageserver';
import type { CancelSignal } from '../core/calls/handler';
import { compareSnapshot, differenceText, type SnapshotDifference, type SnapshotState } from '../core/calls/snapshot';
import { CONFIG_FILE_NAME } from '../core/check';
import { addSource, type SourceEntry, sourceEntry } from '../core/config/addSource';
import type { SourceSpec } from '../core/config/handlers';
import { type NamedServer, readMcpServers, type ServerVariables } from '../core/config/mcpServers';
import { readConfig } from '../core/config/read';
import { applyEdits } from '../core/text/edits';
import type { Finding, Level } from '../core/text/finding';
import { parseJson } from '../core/text/json';
import { headSpan, pointerOf } from '../core/text/jsonTree';
import { type Message, t } from '../core/text/message';
import type {
  ImportSourceParams,
  ImportSourceResult,
  SnapshotInfo,
  SnapshotsParams,
  SnapshotsResult,
  SourceServer,
  SourceServersResult,
} from '../sourcesProtocol';
import type { Files } from './files';
import { say } from './language';
import { changeOf } from './newSamples';
import { type SampleRuns, signalOf } from './sampleRuns';
import { checkOptions } from './settings';
import { baseName, canonicalUri, childUri, parentUri, resolveUri } from './uris';

/** What sources ask of the world. Absent where there can be no process. */
export interface SourceHost {
  /** Runs a source and compares what it gives with what is stored. Writes nothing. Never rejects. */
  state(source: SourceSpec, folder: string, signal: CancelSignal): Promise<SnapshotState>;
  /** What stands for the variables of an editor's file of servers; `workspaceFolder` is the path of the folder. */
  variables(folder: string): ServerVariables;
}

/** Files in which editors and agents name MCP servers, from a workspace folder. */
const SERVER_FILES = ['.vscode/mcp.json', '.mcp.json', '.cursor/mcp.json'];

const RULE = 'source/stale-snapshot';

/** Differences of one file that are findings. */
const MOST_DIFFERENCES = 100;

/** What the source of a stored file says, as long as the file is what it was compared with. */
interface Stale {
  readonly stored: string;
  readonly fresh: string;
  readonly differences: readonly SnapshotDifference[];
}

/** Definitions that come out of code: what is stored, and what the code says now. Runs a source only when asked to. */
export class Sources {
  readonly #stale = new Map<string, Stale>();

  constructor(
    readonly parts: {
      readonly files: Files;
      readonly sampleRuns: SampleRuns;
      readonly folders: () => readonly string[];
      readonly host: () => Promise<SourceHost | undefined>;
      /** Uris of all config files of the workspace. */
      readonly configs: () => Promise<readonly string[]>;
    },
  ) {}

  /** The MCP servers that the workspace names. Starts none. Never rejects. */
  async servers(): Promise<SourceServersResult> {
    const host = await this.parts.host();
    const refusal = this.#refusal(host);
    if (host === undefined || refusal !== undefined) return { failure: refusal ?? null, servers: [] };
    const servers: SourceServer[] = [];
    for (const folder of this.parts.folders()) {
      for (const { from, server } of await this.#serversIn(folder, host)) {
        const { start, name } = server;
        const known = 'problem' in start ? undefined : entryOf(server, host.variables(folder).workspaceFolder);
        servers.push({
          name,
          from,
          folder,
          command: 'problem' in start ? '' : start.command.join(' '),
          problem: 'problem' in start ? say(start.problem) : null,
          out: known?.out ?? '',
        });
      }
    }
    return { failure: null, servers };
  }

  /** Starts a server and gives what makes it a source with a stored file. Writes nothing. Never rejects. */
  async importServer(
    { folder, from, name, out }: ImportSourceParams,
    token: CancellationToken,
  ): Promise<ImportSourceResult> {
    const failed = (failure: string, notes: readonly string[] = []): ImportSourceResult => ({
      kind: 'failed',
      failure,
      notes,
    });
    const host = await this.parts.host();
    const refusal = this.#refusal(host);
    if (host === undefined || refusal !== undefined) return failed(refusal ?? '');
    const found = (await this.#serversIn(folder, host)).find((each) => each.from === from && each.server.name === name);
    const entry = found && entryOf(found.server, host.variables(folder).workspaceFolder);
    if (entry === undefined)
      return failed(say(t('{0} names no server "{1}" that could be started.', baseName(from), name)));
    const config = childUri(folder, CONFIG_FILE_NAME);
    const present = await this.parts.files.sources.read(config);
    const document = parseJson(present ?? '');
    const text = applyEdits(present ?? '', addSource(document, { ...entry, out }));
    const source = readConfig(parseJson(text)).sources.find((each) => each.out === out);
    const target = resolveUri(config, out);
    if (source === undefined || target === undefined) return failed(say(t('"{0}" is no path of a file.', out)));
    const state = await host.state(source, folder, signalOf(token));
    if (state.state === 'failed') return failed(say(state.failure), state.notes);
    const change = changeOf(config, present, text, { start: 0, end: 0 });
    const stored = state.state === 'current' ? null : state.text;
    if (change.kind !== 'edit' && change.kind !== 'new') return failed('');
    return { kind: 'ready', config: change, out: target, text: stored, tools: state.tools };
  }

  /** Runs sources and compares. Writes nothing; stale files have findings from then on. Never rejects. */
  async snapshots({ uri }: SnapshotsParams, token: CancellationToken): Promise<SnapshotsResult> {
    const host = await this.parts.host();
    const refusal = this.#refusal(host);
    if (host === undefined || refusal !== undefined) return { failure: refusal ?? null, snapshots: [] };
    const jobs = await this.#jobs(uri);
    if (jobs.length === 0) {
      const failure =
        uri === undefined || baseName(uri) === CONFIG_FILE_NAME
          ? t('There is no {0} with "sources" here.', CONFIG_FILE_NAME)
          : t('No source of a {0} writes {1}.', CONFIG_FILE_NAME, baseName(uri));
      return { failure: say(failure), snapshots: [] };
    }
    const snapshots: SnapshotInfo[] = [];
    const writers = new Map<string, typeof jobs>();
    for (const job of jobs) {
      const key = canonicalUri(job.out);
      writers.set(key, [...(writers.get(key) ?? []), job]);
    }
    for (const sharing of writers.values()) {
      if (token.isCancellationRequested) break;
      const { source, folder, out } = sharing[0]!;
      const state = sharing.length > 1 ? conflict(sharing.length) : await host.state(source, folder, signalOf(token));
      await this.#remember(out, state);
      snapshots.push(infoOf(out, state));
    }
    return { failure: null, snapshots };
  }

  /** What is stale in an open file. */
  async findings(uri: string, text: string): Promise<Finding[]> {
    const key = canonicalUri(uri);
    const stale = this.#stale.get(key);
    if (stale === undefined) return [];
    if (stale.stored !== text) {
      this.#stale.delete(key);
      return [];
    }
    const { sources } = this.parts.files;
    const config = await sources.configs.configFor(uri, sources.workspaceFolder(uri));
    const level = checkOptions(await sources.settings(uri), config?.config).levels?.get(RULE) ?? 'warning';
    if (level === 'off') return [];
    return staleFindings(stale, level);
  }

  /** Why no source may run; `undefined` where one may. */
  #refusal(host: SourceHost | undefined): string | undefined {
    if (!this.parts.sampleRuns.trusted) {
      return say(t('The workspace is not trusted, so its code does not run. Trust it to get definitions out of code.'));
    }
    if (host !== undefined) return undefined;
    return say(t('Sources need a process, and there can be none here: use the desktop or a remote host.'));
  }

  async #serversIn(
    folder: string,
    host: SourceHost,
  ): Promise<{ readonly from: string; readonly server: NamedServer }[]> {
    const found: { from: string; server: NamedServer }[] = [];
    for (const name of SERVER_FILES) {
      const from = childUri(folder, name);
      const text = await this.parts.files.sources.read(from);
      if (text === undefined) continue;
      for (const server of readMcpServers(parseJson(text), host.variables(folder))) found.push({ from, server });
    }
    return found;
  }

  /** The sources of a config file, the source of a stored file, or all of the workspace. */
  async #jobs(uri: string | undefined): Promise<{ source: SourceSpec; folder: string; out: string }[]> {
    const { sources } = this.parts.files;
    const all: { source: SourceSpec; folder: string; out: string }[] = [];
    for (const config of await this.parts.configs()) {
      const text = await sources.read(config);
      for (const source of text === undefined ? [] : readConfig(parseJson(text)).sources) {
        const out = resolveUri(config, source.out);
        if (out !== undefined) all.push({ source, folder: parentUri(config), out });
      }
    }
    if (uri === undefined) return all;
    const own = canonicalUri(uri);
    const one = all.filter(({ out }) => canonicalUri(out) === own);
    if (one.length > 0 || baseName(uri) !== CONFIG_FILE_NAME) return one;
    return all.filter(({ folder }) => canonicalUri(childUri(folder, CONFIG_FILE_NAME)) === own);
  }

  async #remember(out: string, state: SnapshotState): Promise<void> {
    // An open editor may hold another text than the disk, which is what the source was compared with.
    const stored = state.state === 'stale' ? await this.parts.files.sources.read(out) : undefined;
    const key = canonicalUri(out);
    this.#stale.delete(key);
    if (state.state !== 'stale' || stored === undefined) return;
    const [before, now] = [parseJson(stored), parseJson(state.text)];
    const differences = compareSnapshot(before, now);
    if (differences.length > 0 || before.root === undefined) {
      this.#stale.set(key, { stored, fresh: state.text, differences });
    }
  }
}

function entryOf({ name, start }: NamedServer, folder: string): SourceEntry | undefined {
  return 'problem' in start ? undefined : sourceEntry({ name }, start, folder);
}

/** Of two sources that write one file, the second would overwrite what the first has given. */
function conflict(sources: number): SnapshotState {
  const failure = t(
    '{0} sources write this file, and one would overwrite the other, so none of them is run. Give each an "out" of its own.',
    sources,
  );
  return { state: 'failed', failure, notes: [] };
}

function infoOf(out: string, state: SnapshotState): SnapshotInfo {
  const common = { out, state: state.state, notes: state.notes, differences: [], tools: 0, text: null, failure: null };
  if (state.state === 'failed') return { ...common, failure: say(state.failure) };
  if (state.state === 'current') return { ...common, tools: state.tools };
  const differences = state.state === 'stale' ? state.differences.map((each) => say(differenceText(each))) : [];
  return { ...common, tools: state.tools, text: state.text, differences };
}

/** A finding for each difference, at the stored place; each has the fix that stores what the source says. */
function staleFindings({ stored, fresh, differences }: Stale, level: Level): Finding[] {
  const { root } = parseJson(stored);
  const fix = {
    title: t('Store what the source says now'),
    safe: false,
    preferred: true,
    kind: 'quickfix' as const,
    edits: () => [{ span: { start: 0, end: stored.length }, newText: fresh }],
  };
  const make = (message: Message, node = root, tool?: string): Finding => ({
    rule: RULE,
    level,
    span: node === undefined ? { start: 0, end: 0 } : headSpan(node),
    message,
    targets: [],
    tool,
    pointer: node === undefined ? undefined : pointerOf(node),
    related: [],
    fixes: [fix],
    unnecessary: false,
  });
  if (differences.length === 0) return [make(t('The file holds no definitions, and its source has some now.'))];
  return differences
    .slice(0, MOST_DIFFERENCES)
    .map((each) =>
      make(
        t('The stored definitions are not what their source says now: {0}.', differenceText(each)),
        each.node ?? root,
        each.tool,
      ),
    );
}
