import { isSampleFileName } from '../core/calls/fileNames';
import { readHandlers } from '../core/config/handlers';
import type { CodexProfile } from '../core/profiles/codex';
import {
  asksForTools,
  configHandlerFindings,
  leftToConfig,
  type SampleHandler,
  samplesFacts,
  servedTools,
} from '../core/rules/sample/configHandlers';
import { type ServedTool, UNSUITED } from '../core/rules/sample/unsuited';
import type { Finding } from '../core/text/finding';
import { isToolFileName } from '../core/tools/fileNames';
import type { FileState, Files } from './files';
import { fileKind, isExcluded } from './toolFiles';
import { baseName, canonicalUri, parentUri, relativePath, resolveUri } from './uris';

/** So many files of tools, and so many samples files, are read for one config file. */
const MOST_FILES = 500;

/** Files are read until they come to so many UTF-16 units. */
const MOST_UNITS = 20_000_000;

/** What a file holds that decides about handlers. */
interface Held {
  /** Tools without handlers of their own. */
  readonly tools: readonly ServedTool[];
  /** Of a samples file: uris of the definition files, and its own handlers. */
  readonly definitions: readonly string[];
  readonly handlers: readonly SampleHandler[];
}

interface Known extends Held {
  /** Its text, where that has to be compared; `undefined` for a file on disk whose changes are told. */
  readonly text: string | undefined;
  readonly units: number;
}

/** What the handlers of config files ask of the rest of the server. */
export interface ConfigHandlerParts {
  readonly files: Files;
  /** Uris of all JSON files of the workspace. */
  find(): Promise<readonly string[]>;
  /** Whether the client tells when files of tools and samples change. */
  watched(): boolean;
}

/**
 * Handlers of an open config file that can say nothing about the tools that they are named for: the tools of the files
 * for which the config holds, and of those that its samples files name. Each file is read again only when it changes.
 */
export class ConfigHandlers {
  readonly #known = new Map<string, Known>();
  #found: Promise<readonly string[]> | undefined;

  constructor(readonly parts: ConfigHandlerParts) {}

  /** Files have changed, come or gone. */
  forget(): void {
    this.#found = undefined;
    this.#known.clear();
  }

  /** What is told of the handlers of a config file. */
  async findings(state: FileState): Promise<Finding[]> {
    const level = state.options.levels?.get(UNSUITED);
    const handlers = readHandlers(state.result.document.root?.value('handlers'));
    if (!asksForTools(handlers, level)) return [];
    return configHandlerFindings(handlers, await this.#groups(state), level);
  }

  /** The tools that are called together: those of all files of tools, then those that each samples file names. */
  async #groups(state: FileState): Promise<ServedTool[][]> {
    const { profile } = state.result;
    const { tools, samples } = await this.#filesOf(state);
    let left = MOST_UNITS;
    const read = async (uri: string): Promise<Known | undefined> => {
      const known = left > 0 ? await this.#read(uri, profile) : undefined;
      left -= known?.units ?? 0;
      return known;
    };
    const all: ServedTool[] = [];
    for (const uri of tools) all.push(...((await read(uri))?.tools ?? []));
    const groups = [all];
    for (const uri of samples) {
      const { definitions = [], handlers = [] } = (await read(uri)) ?? {};
      const group: ServedTool[] = [];
      for (const definition of definitions) group.push(...((await read(definition))?.tools ?? []));
      groups.push(leftToConfig(group, handlers));
    }
    return groups;
  }

  /** The files for which the config holds. */
  async #filesOf({ uri: own, settings, config: read }: FileState): Promise<{ tools: string[]; samples: string[] }> {
    const { sources } = this.parts.files;
    if (!this.parts.watched()) this.#found = undefined;
    this.#found ??= this.parts.find();
    const within = `${canonicalUri(parentUri(own))}/`;
    const included = settings.include.length > 0 || (read?.config.include.length ?? 0) > 0;
    // Most files of a workspace are none of ours by their names.
    const mayCount = (uri: string): boolean =>
      included || isToolFileName(baseName(uri)) || isSampleFileName(baseName(uri)) || this.parts.files.isNamed(uri);
    const all = [...(await this.#found), ...sources.open()].filter(mayCount);
    const found = new Map(all.map((uri) => [canonicalUri(uri), uri]));
    const tools: string[] = [];
    const samples: string[] = [];
    for (const [canonical, uri] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!canonical.startsWith(within)) continue;
      const name = baseName(uri);
      const isSamples = isSampleFileName(name);
      const list = isSamples ? samples : tools;
      if (list.length >= MOST_FILES) continue;
      const folder = sources.workspaceFolder(uri);
      const config = await sources.configs.configFor(uri, folder);
      if (config === undefined || canonicalUri(config.uri) !== canonicalUri(own)) continue;
      const { include, exclude } = config.config;
      const fromConfig = relativePath(config.folder, uri);
      const question = {
        name,
        fromConfig,
        fromFolder: folder === undefined ? undefined : relativePath(folder, uri),
        include,
        exclude,
        settingInclude: settings.include,
        named: this.parts.files.isNamed(uri),
      };
      if (isSamples ? !isExcluded(exclude, fromConfig) : fileKind(question) === 'tools') list.push(uri);
    }
    return { tools, samples };
  }

  async #read(uri: string, profile: CodexProfile): Promise<Known | undefined> {
    const { sources } = this.parts.files;
    const key = `${profile.id} ${canonicalUri(uri)}`;
    const known = this.#known.get(key);
    const name = baseName(uri);
    const isSamples = isSampleFileName(name);
    // A file of another name may change without a word.
    const isTold = this.parts.watched() && (isSamples || isToolFileName(name)) && sources.document(uri) === undefined;
    if (known !== undefined && isTold && known.text === undefined) return known;
    const text = await sources.read(uri);
    if (text === undefined) {
      this.#known.delete(key);
      return undefined;
    }
    if (known?.text === text && !isTold) return known;
    const held = isSamples ? samplesIn(text, uri) : toolsIn(text, uri, profile);
    const made = { ...held, text: isTold ? undefined : text, units: text.length };
    this.#known.set(key, made);
    return made;
  }
}

function samplesIn(text: string, uri: string): Held {
  const { definitions, handlers } = samplesFacts(text, uri);
  const uris = definitions.flatMap((path) => resolveUri(uri, path) ?? []);
  return { tools: [], definitions: [...new Set(uris)], handlers };
}

function toolsIn(text: string, uri: string, profile: CodexProfile): Held {
  return { tools: servedTools(text, uri, profile), definitions: [], handlers: [] };
}
