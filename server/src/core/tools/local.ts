import type { JsonNode } from '../text/json';
import type { Exposure, LocalFacts } from './model';

/** The key of facts that are for ToolSpec alone and never sent. */
export const LOCAL_KEY = 'x-toolspec';

/**
 * What `x-toolspec` says of a tool.
 *
 * @param own objects whose `x-toolspec` is the tool's own, the nearest first
 * @param defaults objects around the tool, the nearest first: what the tool leaves open is theirs to say
 * @param baseName server name where nothing names one
 */
export function readLocalFacts(own: readonly JsonNode[], defaults: readonly JsonNode[], baseName: string): LocalFacts {
  const node = firstObject(own);
  const sources = [node, ...defaults.map(localObject)].filter((source) => source !== undefined);
  const find = <T>(key: string, read: (value: JsonNode) => T | undefined): T | undefined => {
    for (const source of sources) {
      const value = source.value(key);
      const found = value === undefined ? undefined : read(value);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    exposure: find('exposure', exposureOf),
    server: find('server', (value) => (value.string === '' ? undefined : value.string)) ?? baseName,
    plugin: find('plugin', (value) => value.boolean) ?? false,
    trusted: find('trusted', (value) => value.boolean) ?? false,
    handler: find('handler', (value) => (value.kind === 'object' ? { node: value } : undefined)),
    node,
  };
}

function localObject(owner: JsonNode): JsonNode | undefined {
  const value = owner.value(LOCAL_KEY);
  return value?.kind === 'object' ? value : undefined;
}

function firstObject(owners: readonly JsonNode[]): JsonNode | undefined {
  for (const owner of owners) {
    const local = localObject(owner);
    if (local !== undefined) return local;
  }
  return undefined;
}

function exposureOf(value: JsonNode): Exposure | undefined {
  const word = value.string;
  return word === 'direct' || word === 'deferred' || word === 'hidden' ? word : undefined;
}

/**
 * The name that a file gives to its tools where they need one: the file name without its folder and without
 * `.tools.json`, `.tool.jsonc` and the like.
 */
export function baseNameOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.replace(/(?<=.)\.jsonc?$/i, '').replace(/(?<=.)\.tools?$/i, '');
}
