import path from 'node:path';
import { CONFIG_FILE_NAME } from '../core/check';
import { readConfig, type ToolSpecConfig } from '../core/config/read';
import { parseJson } from '../core/text/json';
import { isRepository, readRegularFile, repositoryRoot } from './files';

/** A config file and what it says. */
export interface LoadedConfig {
  readonly file: string;
  /** The folder in which it lies: its patterns start there. */
  readonly folder: string;
  readonly config: ToolSpecConfig;
}

/**
 * Finds the config file that holds for a file: the nearest `toolspec.config.json` from the file's folder upwards.
 *
 * The way up ends at the root of the repository; outside of a repository at the working directory, and for a file
 * that does not lie in that either, at the root of the file system. Each folder is looked at once.
 */
export class ConfigFinder {
  readonly #byFolder = new Map<string, Promise<LoadedConfig | undefined>>();

  constructor(readonly workingDirectory: string) {}

  /** The config for a file, given by its absolute path. A config file that cannot be read counts as absent. */
  configFor(file: string): Promise<LoadedConfig | undefined> {
    return this.#inFolder(path.dirname(file));
  }

  #inFolder(folder: string): Promise<LoadedConfig | undefined> {
    let found = this.#byFolder.get(folder);
    if (found === undefined) {
      found = this.#find(folder);
      this.#byFolder.set(folder, found);
    }
    return found;
  }

  async #find(folder: string): Promise<LoadedConfig | undefined> {
    const file = path.join(folder, CONFIG_FILE_NAME);
    const read = await readRegularFile(file);
    if ('text' in read) return { file, folder, config: readConfig(parseJson(read.text)) };
    const parent = path.dirname(folder);
    if (parent === folder || (await this.#isTop(folder))) return undefined;
    return this.#inFolder(parent);
  }

  async #isTop(folder: string): Promise<boolean> {
    if (await isRepository(folder)) return true;
    return folder === this.workingDirectory && (await repositoryRoot(folder)) === undefined;
  }
}
