import { CONFIG_FILE_NAME } from '../core/check';
import { readConfig, type ToolSpecConfig } from '../core/config/read';
import { parseJson } from '../core/text/json';
import { childUri, parentUri } from './uris';

/** A config file and what it says. */
export interface LoadedConfig {
  readonly uri: string;
  /** The folder in which it lies. */
  readonly folder: string;
  readonly config: ToolSpecConfig;
}

/** The way up to a config file ends after so many folders. */
const MAX_FOLDERS = 64;

/**
 * Finds the config file that holds for a file: the nearest `toolspec.config.json` from the file's folder upwards, at
 * most to the workspace folder. Each folder is looked at once, until `forget` is called.
 */
export class Configs {
  readonly #byFolder = new Map<string, Promise<LoadedConfig | undefined>>();

  /** `read` gives the text of an open editor or a file on disk. */
  constructor(readonly read: (uri: string) => Promise<string | undefined>) {}

  async configFor(uri: string, workspaceFolder: string | undefined): Promise<LoadedConfig | undefined> {
    let folder = parentUri(uri);
    for (let i = 0; i < MAX_FOLDERS && hasPath(folder); i++) {
      const found = await this.#inFolder(folder);
      if (found !== undefined || folder === workspaceFolder) return found;
      folder = parentUri(folder);
    }
    return undefined;
  }

  /** Config files have changed, come or gone. */
  forget(): void {
    this.#byFolder.clear();
  }

  #inFolder(folder: string): Promise<LoadedConfig | undefined> {
    let found = this.#byFolder.get(folder);
    if (found === undefined) {
      found = this.#load(folder);
      this.#byFolder.set(folder, found);
    }
    return found;
  }

  async #load(folder: string): Promise<LoadedConfig | undefined> {
    const uri = childUri(folder, CONFIG_FILE_NAME);
    const text = await this.read(uri);
    return text === undefined ? undefined : { uri, folder, config: readConfig(parseJson(text)) };
  }
}

function hasPath(folder: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/]*\/?.*$/i.test(folder);
}
