import path from 'node:path';
import { isSampleFileName } from '../core/calls/fileNames';
import { type NamedHandler, readHandlers } from '../core/config/handlers';
import { codexProfile, DEFAULT_CODEX_PROFILE } from '../core/profiles/codex';
import {
  asksForTools,
  configHandlerFindings,
  leftToConfig,
  samplesFacts,
  servedTools,
} from '../core/rules/sample/configHandlers';
import { type ServedTool, UNSUITED } from '../core/rules/sample/unsuited';
import type { Finding, RuleLevel } from '../core/text/finding';
import { type JsonDocument, parseJson } from '../core/text/json';
import type { ConfigFinder } from '../host/configFiles';
import { discoverServed, readRegularFile } from '../host/files';

/** What decides about the handlers of a config file. */
export interface ConfigHandlerOptions {
  readonly levels?: ReadonlyMap<string, RuleLevel>;
  readonly profile?: string;
}

/** What is told of the handlers in one version of a config file. */
export type HandlerJudge = (document: JsonDocument) => Finding[];

/**
 * Finds handlers of config files that can say nothing about the tools that they are named for, as the editor does: among
 * the tools of the files for which a config file holds, and of those that its samples files name. Those are looked for
 * in the whole folder of the config file, whatever paths were typed, and each is read once.
 */
export class ConfigHandlerCheck {
  readonly #tools = new Map<string, Promise<readonly ServedTool[]>>();

  constructor(readonly configs: ConfigFinder) {}

  /** The judge of the handlers in versions of a config file. Other files are read now, if its text gives reason to. */
  async judge(file: string, text: string, options: ConfigHandlerOptions): Promise<HandlerJudge> {
    const level = options.levels?.get(UNSUITED);
    if (!asksForTools(handlersOf(parseJson(text)), level)) return () => [];
    const groups = await this.#groups(file, options.profile);
    return (document) => configHandlerFindings(handlersOf(document), groups, level);
  }

  async #groups(config: string, profile: string | undefined): Promise<(readonly ServedTool[])[]> {
    const all: ServedTool[] = [];
    const groups: (readonly ServedTool[])[] = [all];
    for await (const file of discoverServed(path.dirname(config), this.configs)) {
      if ((await this.configs.configFor(file))?.file !== config) continue;
      if (isSampleFileName(path.basename(file))) groups.push(await this.#samples(file, profile));
      else all.push(...(await this.#toolsOf(file, profile)));
    }
    return groups;
  }

  async #samples(file: string, profile: string | undefined): Promise<readonly ServedTool[]> {
    const text = await textOf(file);
    if (text === undefined) return [];
    const { definitions, handlers } = samplesFacts(text, file);
    const tools: ServedTool[] = [];
    for (const named of definitions) {
      tools.push(...(await this.#toolsOf(path.resolve(path.dirname(file), named), profile)));
    }
    return leftToConfig(tools, handlers);
  }

  #toolsOf(file: string, profile: string | undefined): Promise<readonly ServedTool[]> {
    const key = `${profile ?? ''} ${file}`;
    let tools = this.#tools.get(key);
    if (tools === undefined) {
      const known = codexProfile(profile ?? DEFAULT_CODEX_PROFILE.id, undefined) ?? DEFAULT_CODEX_PROFILE;
      tools = textOf(file).then((text) => (text === undefined ? [] : servedTools(text, file, known)));
      this.#tools.set(key, tools);
    }
    return tools;
  }
}

function handlersOf({ root }: JsonDocument): NamedHandler[] {
  return readHandlers(root?.value('handlers'));
}

async function textOf(file: string): Promise<string | undefined> {
  const read = await readRegularFile(file);
  return 'failure' in read ? undefined : read.text;
}
