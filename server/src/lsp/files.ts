import { TextDocument } from 'vscode-languageserver-textdocument';
import { passesThatTook, type ToolSize } from '../core/budget/sizes';
import { type Checker, type CheckOptions, type CheckResult, createChecker } from '../core/check';
import { GrammarMemory } from '../core/grammar/memory';
import type { OpinionOf } from '../core/grammar/providerOpinion';
import type { GrammarSurroundings } from '../core/grammar/surroundings';
import { DEFAULT_TARGETS } from '../core/profiles/targets';
import type { CompileResult } from '../core/schema/compile';
import { LineIndex } from '../core/text/lines';
import type { ToolDefinition, ToolSet } from '../core/tools/model';
import type { Configs, LoadedConfig } from './configs';
import { checkOptions, type Settings } from './settings';
import { fileKind, mayContributeTools } from './toolFiles';
import { baseName, canonicalUri, relativePath } from './uris';

/** Everything known about one version of an open file. */
export interface FileState {
  readonly uri: string;
  readonly version: number;
  /** Changes whenever text, settings or config do. */
  readonly stamp: string;
  readonly kind: 'tools' | 'config';
  readonly lines: LineIndex;
  readonly settings: Settings;
  readonly config: LoadedConfig | undefined;
  readonly input: { readonly uri: string; readonly text: string; readonly jsonc: boolean };
  readonly options: CheckOptions;
  readonly result: CheckResult;
  /** How long the check took. */
  readonly milliseconds: number;
  /** Whether the target Codex is on. Else what Codex does to a schema is of no interest. */
  readonly codex: boolean;
  /** What Codex makes of a function, if the target Codex is on. */
  compile(tool: ToolDefinition): CompileResult | undefined;
  /** The sizes of a function, if the target Codex is on. */
  size(tool: ToolDefinition): ToolSize | undefined;
}

/** What lies around a file of tools. */
export interface Around {
  readonly surroundings: GrammarSurroundings;
  readonly stamp: number;
}

/** What `Files` asks of the rest of the server. */
export interface FileSources {
  document(uri: string): TextDocument | undefined;
  /** Uris of the open documents. */
  open(): readonly string[];
  settings(uri: string): Promise<Settings>;
  workspaceFolder(uri: string): string | undefined;
  readonly configs: Configs;
  /** Whether the client holds config files against their published schema itself. */
  clientValidatesConfig(): boolean;
  /** What the provider's engine says of texts, as far as it is known, and how often there was news for a document. */
  readonly opinions: { of: OpinionOf; arrivals(uri: string): number };
  /** Grammar files around an open file, and a number that changes whenever one of them does. */
  around(uri: string, text: string): Promise<Around | undefined>;
  /** Milliseconds of a clock. */
  now(): number;
  /** The text of an open editor or a file on disk. */
  read(uri: string): Promise<string | undefined>;
}

/** The open files, each checked at most once per version, settings and config. */
export class Files {
  /** Of grammars in files of their own and in files of tools. */
  readonly grammarMemory = new GrammarMemory();
  readonly #checker: Checker = createChecker(this.grammarMemory);
  readonly #states = new Map<string, FileState>();
  #named: ReadonlySet<string> = new Set();
  #epoch = 0;

  constructor(readonly sources: FileSources) {}

  /** Files that hold tools by the user's word. */
  set named(uris: Iterable<string>) {
    this.#named = new Set([...uris].map(canonicalUri));
    this.invalidate();
  }

  /** Whether the user has said that this file holds tools. */
  isNamed(uri: string): boolean {
    return this.#named.has(canonicalUri(uri));
  }

  /** Settings, config files or folders have changed. */
  invalidate(): void {
    this.#epoch++;
    this.#states.clear();
  }

  /** A file has been closed. */
  forget(uri: string): void {
    this.#states.delete(uri);
    this.#checker.forget(uri);
  }

  /** The state of the newest version of an open file; `undefined` when it is closed or none of ours. */
  async state(named: string): Promise<FileState | undefined> {
    const asked = this.sources.document(named);
    if (asked === undefined) return undefined;
    const { uri } = asked;
    const folder = this.sources.workspaceFolder(uri);
    const epoch = this.#epoch;
    const { version } = asked;
    const [settings, config, around] = await Promise.all([
      this.sources.settings(uri),
      this.sources.configs.configFor(uri, folder),
      this.sources.around(uri, asked.getText()),
    ]);
    // What was read is stale when something has changed meanwhile.
    if (epoch !== this.#epoch) return this.state(uri);
    // The document may have been edited or closed while settings were on their way.
    const document = this.sources.document(uri);
    if (document === undefined) return undefined;
    if (document.version !== version) return this.state(uri);
    const stamp = `${version}.${epoch}.${this.sources.opinions.arrivals(uri)}.${around?.stamp ?? ''}`;
    const known = this.#states.get(uri);
    if (known?.stamp === stamp) return known;
    const state = this.#check(document, stamp, settings, config, folder, around?.surroundings);
    if (state === undefined) this.#states.delete(uri);
    else this.#states.set(uri, state);
    return state;
  }

  /** The tools of an open file, if they have been read of this very text. */
  toolsOf(uri: string, text: string): ToolSet | undefined {
    const state = this.#states.get(uri);
    return state?.kind === 'tools' && state.input.text === text ? state.result.set : undefined;
  }

  /**
   * The state of a file that is not open, from disk; `undefined` when it cannot be read or is none of ours. Nothing of it
   * is kept.
   */
  async closed(uri: string): Promise<FileState | undefined> {
    const text = await this.sources.read(uri);
    if (text === undefined) return undefined;
    const folder = this.sources.workspaceFolder(uri);
    const [settings, config, around] = await Promise.all([
      this.sources.settings(uri),
      this.sources.configs.configFor(uri, folder),
      this.sources.around(uri, text),
    ]);
    const document = TextDocument.create(uri, uri.endsWith('.jsonc') ? 'jsonc' : 'json', 0, text);
    const state = this.#check(document, '', settings, config, folder, around?.surroundings);
    if (this.sources.document(uri) === undefined) this.#checker.forget(uri);
    return state;
  }

  /** Checks a text as if it were the newest version of a file. What has not changed is not judged again. */
  recheck(state: FileState, text: string): CheckResult {
    if (text === state.input.text) return state.result;
    return this.#checker.check({ ...state.input, text }, state.options);
  }

  #check(
    document: TextDocument,
    stamp: string,
    settings: Settings,
    config: LoadedConfig | undefined,
    folder: string | undefined,
    surroundings: GrammarSurroundings | undefined,
  ): FileState | undefined {
    const { uri, version } = document;
    const name = baseName(uri);
    const kind = fileKind({
      name,
      fromConfig: config === undefined ? undefined : relativePath(config.folder, uri),
      fromFolder: folder === undefined ? undefined : relativePath(folder, uri),
      include: config?.config.include ?? [],
      exclude: config?.config.exclude ?? [],
      settingInclude: settings.include,
      named: this.isNamed(uri),
    });
    if (kind === 'other') return undefined;
    const text = document.getText();
    if (kind === 'maybe' && !mayContributeTools(text)) return undefined;
    const jsonc = document.languageId === 'jsonc' || name.endsWith('.jsonc');
    const input = { uri, text, jsonc };
    const options: CheckOptions = {
      ...checkOptions(settings, config?.config),
      baseName: name,
      opinionOf: this.sources.opinions.of,
      surroundings,
      syntax: false,
      configShape: !this.sources.clientValidatesConfig(),
    };
    const began = this.sources.now();
    const result = this.#checker.check(input, options);
    const milliseconds = this.sources.now() - began;
    const codex = new Set(options.targets ?? DEFAULT_TARGETS).has('codex');
    const counts = (tool: ToolDefinition): boolean => codex && tool.kind === 'function';
    return {
      uri,
      version,
      stamp,
      kind: kind === 'config' ? 'config' : 'tools',
      lines: new LineIndex(text),
      settings,
      config,
      input,
      options,
      result,
      milliseconds,
      codex,
      compile: (tool) => (counts(tool) ? result.compile(tool) : undefined),
      size(tool) {
        const summary = counts(tool) ? result.summary(tool) : undefined;
        // Few tools are over the budget, so few are compiled for this.
        const compiled = summary === undefined || summary.passes.length === 0 ? undefined : result.compile(tool);
        return summary === undefined || compiled === undefined
          ? summary
          : { ...summary, passes: passesThatTook(compiled) };
      },
    };
  }
}
