import type { LoadedDefinition } from '../core/calls/definitions';
import { isSampleFileName } from '../core/calls/fileNames';
import { handlerOf } from '../core/calls/handlerOf';
import { callSpan } from '../core/calls/place';
import { checkSamples, type SampleCheckResult } from '../core/checkSamples';
import { compareFindings, type Finding } from '../core/text/finding';
import { parseJson, syntaxFault } from '../core/text/json';
import { LineIndex } from '../core/text/lines';
import { t } from '../core/text/message';
import type { Span } from '../core/text/span';
import type { ToolDefinition } from '../core/tools/model';
import type { SampleFileInfo } from '../samplesProtocol';
import { workspaceOf } from './attached';
import type { Files } from './files';
import type { Checked } from './grammarChecks';
import { say } from './language';
import { checkOptions } from './settings';
import { isExcluded } from './toolFiles';
import { baseName, canonicalUri, pathFrom, relativePath, resolveUri } from './uris';

/** What is known about a samples file. */
export interface SamplesState {
  readonly uri: string;
  readonly text: string;
  readonly lines: LineIndex;
  readonly result: SampleCheckResult;
}

/** A stored call of a tool. */
export interface StoredCall {
  readonly uri: string;
  /** Its place in `calls`. */
  readonly index: number;
  readonly span: Span;
  readonly lines: LineIndex;
  /** The samples file or the definition names a handler for it. */
  readonly handled: boolean;
}

/** Files that samples may name. */
export interface FilesAround {
  readonly definitions: readonly string[];
  readonly modules: readonly string[];
}

interface Known {
  readonly checked: Checked;
  readonly key: string;
}

/** So many samples files of a workspace are listed. */
const MOST_FILES = 1000;

/** So many files are offered to be named. */
const MOST_AROUND = 200;

/** The samples files of the workspace: their findings while they are open, and what they hold. */
export class Samples {
  readonly #known = new Map<string, Known>();
  #found: Promise<readonly string[]> | undefined;
  #around: Promise<FilesAround> | undefined;
  #count = 0;

  /** @param find gives the uris of all samples files of the workspace */
  constructor(
    readonly files: Files,
    readonly find: () => Promise<readonly string[]>,
    readonly clientValidates: () => boolean,
    readonly findAround: () => Promise<FilesAround> = async () => ({ definitions: [], modules: [] }),
  ) {}

  isFile(uri: string): boolean {
    return isSampleFileName(baseName(uri));
  }

  /** A document has been closed. */
  close(uri: string): void {
    this.#known.delete(uri);
  }

  /** Files have changed, come or gone. */
  forget(): void {
    this.#found = undefined;
    this.#around = undefined;
    this.#known.clear();
  }

  /** The findings of an open samples file; `more` are those about what its inputs meet. */
  async checked(
    uri: string,
    more: readonly Finding[] = [],
    others: Checked['others'] = new Map(),
  ): Promise<Checked | undefined> {
    const { sources } = this.files;
    const document = sources.document(uri);
    if (document === undefined || (await this.#isExcluded(uri))) return undefined;
    const { version } = document;
    const state = await this.#check(uri, document.getText());
    // The definitions are read anew each time, because they may stand in editors.
    const { definitions } = state.result;
    const findings = [...state.result.findings, ...more].sort(compareFindings);
    const sizes = definitions.loaded.map(({ uri: from, set }) => [from, set.document.text]);
    const key = JSON.stringify([
      version,
      sizes,
      findings.map(({ rule, level, span, message }) => [rule, level, span, message]),
    ]);
    const known = this.#known.get(uri);
    if (known?.key === key) return known.checked;
    const checked: Checked = {
      uri,
      version,
      stamp: `samples ${++this.#count}`,
      lines: state.lines,
      text: state.text,
      findings,
      others,
      // Fixes are not tried out on other files, so what is left after one is not known.
      recheck: (text) => ({ document: parseJson(text), findings: [] }),
    };
    this.#known.set(uri, { checked, key });
    return checked;
  }

  /** A samples file, open or not; `undefined` when it cannot be read. */
  async state(uri: string): Promise<SamplesState | undefined> {
    const text = await this.files.sources.read(uri);
    return text === undefined ? undefined : this.#check(uri, text);
  }

  /** Uris of all samples files of the workspace, those that are open among them. */
  async all(): Promise<readonly string[]> {
    this.#found ??= this.find();
    const open = this.files.sources.open().filter((uri) => this.isFile(uri));
    const known = new Set(open.map(canonicalUri));
    const others = (await this.#found).filter((uri) => !known.has(canonicalUri(uri)));
    const files: string[] = [];
    for (const uri of [...open, ...others].slice(0, MOST_FILES)) if (!(await this.#isExcluded(uri))) files.push(uri);
    return files.sort();
  }

  /** Files of the workspace that a samples file may name, those nearest to it first. */
  async filesAround(uri: string): Promise<FilesAround> {
    this.#around ??= this.findAround();
    const { definitions, modules } = await this.#around;
    const own = canonicalUri(uri);
    const near = (uris: readonly string[]): string[] => {
      const ways = uris.map((each) => ({ each, way: pathFrom(own, canonicalUri(each)) ?? each }));
      const steps = (way: string): number => way.split('/').length;
      ways.sort((a, b) => steps(a.way) - steps(b.way) || (a.way < b.way ? -1 : 1));
      return ways.slice(0, MOST_AROUND).map(({ each }) => each);
    };
    return { definitions: near(definitions), modules: near(modules) };
  }

  /** What a file holds, for lists of tests. */
  async info(uri: string): Promise<SampleFileInfo> {
    const state = await this.state(uri);
    if (state === undefined) {
      return { uri, failure: say(t('The file cannot be read.')), calls: [], dependencies: [] };
    }
    const { lines, result } = state;
    const { file } = result;
    const broken = syntaxFault(file.document);
    const failure =
      broken === undefined ? null : say(t('Line {0} is not JSON.', lines.position(broken.span.start).line + 1));
    return {
      uri,
      failure,
      calls: file.calls.map((call) => ({
        index: call.index,
        name: call.name ?? say(t('call {0}', call.index + 1)),
        tool: [call.namespace, call.tool].filter((part) => part !== undefined).join('.'),
        range: lines.range(callSpan(call)),
      })),
      dependencies: dependenciesOf(state),
    };
  }

  /** The stored calls of a tool, in every samples file of the workspace that names its file. */
  async callsOf(uri: string, tool: ToolDefinition): Promise<readonly StoredCall[]> {
    const found: StoredCall[] = [];
    const own = canonicalUri(uri);
    for (const samples of await this.all()) {
      const text = await this.files.sources.read(samples);
      if (text === undefined || !text.includes(baseName(uri))) continue;
      const { lines, result } = await this.#check(samples, text);
      const { file, definitions } = result;
      for (const call of file.calls) {
        if (call.tool === undefined) continue;
        const target = definitions.table.find(call.namespace, call.tool);
        if (target.kind !== 'one' || canonicalUri(target.tool.uri) !== own) continue;
        if (target.tool.tool.name === tool.name && target.tool.tool.namespace?.name === tool.namespace?.name) {
          const handled = handlerOf(call, target.tool, file, undefined) !== undefined;
          found.push({ uri: samples, index: call.index, span: callSpan(call), lines, handled });
        }
      }
    }
    return found;
  }

  async #check(uri: string, text: string): Promise<SamplesState> {
    const { sources } = this.files;
    const [settings, config] = await Promise.all([
      sources.settings(uri),
      sources.configs.configFor(uri, sources.workspaceFolder(uri)),
    ]);
    const { profile, levels = new Map() } = checkOptions(settings, config?.config);
    const jsonc = uri.endsWith('.jsonc') || sources.document(uri)?.languageId === 'jsonc';
    const result = await checkSamples({ uri, text, jsonc }, workspaceOf(this.files), {
      levels,
      shape: !this.clientValidates(),
      ...(profile === undefined ? {} : { profile }),
    });
    return { uri, text, lines: new LineIndex(text), result };
  }

  async #isExcluded(uri: string): Promise<boolean> {
    const { sources } = this.files;
    const config = await sources.configs.configFor(uri, sources.workspaceFolder(uri));
    return config !== undefined && isExcluded(config.config.exclude, relativePath(config.folder, uri));
  }
}

/** Files whose change may change what comes of the calls. */
export function dependenciesOf({ uri, result }: SamplesState): string[] {
  const { file, definitions } = result;
  const found = new Set<string>();
  const add = (from: string, path: string | undefined): void => {
    const resolved = path === undefined ? undefined : resolveUri(from, path);
    if (resolved !== undefined) found.add(resolved);
  };
  for (const { path } of file.definitions) add(uri, path);
  for (const definition of definitions.loaded) for (const path of grammarPaths(definition)) add(definition.uri, path);
  for (const { payload } of file.calls) if (payload?.kind === 'input-file') add(uri, payload.path);
  for (const { spec } of file.handlers) {
    if (spec?.kind === 'module') add(uri, spec.module);
    // Any word of a command may be the script that it runs.
    if (spec?.kind === 'command' || spec?.kind === 'mcp') {
      for (const word of spec.command) if (/\.\w+$/.test(word)) add(uri, word);
    }
  }
  return [...found].sort();
}

function grammarPaths({ set }: LoadedDefinition): string[] {
  return set.tools.flatMap(({ format }) => format?.file ?? []);
}
