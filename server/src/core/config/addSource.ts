import { appendItem, insertProperty, replaceValue } from '../text/edits';
import type { TextEdit } from '../text/finding';
import type { JsonDocument } from '../text/json';
import type { JsonValue } from '../text/jsonTree';
import { formatLike } from '../text/style';
import type { NamedServer, ServerStart } from './mcpServers';

/** An entry of `sources` for an MCP server. */
export interface SourceEntry {
  readonly mcp: {
    readonly command: readonly string[];
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
  };
  readonly out: string;
}

/**
 * The entry for a server of an editor's file, for a config file in `folder`: paths below that folder are written from
 * the folder that the server starts in, so that the config file works on every machine.
 *
 * @param folder absolute path with `/` and none at its end
 */
export function sourceEntry({ name }: Pick<NamedServer, 'name'>, start: ServerStart, folder: string): SourceEntry {
  const inside = start.cwd === undefined ? [] : below(start.cwd, folder);
  const cwd = start.cwd === undefined || inside?.length === 0 ? undefined : (inside?.join('/') ?? start.cwd);
  const command = start.command.map((word, index) => {
    const parts = inside === undefined ? undefined : below(word, folder);
    return parts === undefined ? word : fromFolder(parts, inside ?? [], index === 0);
  });
  const env = Object.fromEntries(start.env);
  return {
    mcp: { command, ...(cwd === undefined ? {} : { cwd }), ...(start.env.size === 0 ? {} : { env }) },
    out: `${fileName(name)}.tools.json`,
  };
}

/**
 * Edits that add an entry to the `sources` of a config file; one that writes the same file is replaced. Gives the whole
 * text for a file that is empty or no object.
 */
export function addSource(document: JsonDocument, entry: SourceEntry): TextEdit[] {
  const { root, text } = document;
  const value = entry as unknown as JsonValue;
  if (root?.kind !== 'object') {
    const newText = `${JSON.stringify({ sources: [entry] }, undefined, 2)}\n`;
    return [{ span: { start: 0, end: text.length }, newText }];
  }
  const sources = root.value('sources');
  if (sources === undefined) return insertProperty(text, root, 'sources', formatLike(text, root, [value]));
  if (sources.kind !== 'array') return replaceValue(sources, formatLike(text, root, [value]));
  const same = sources.items.find((item) => item.value('out')?.string === entry.out);
  if (same !== undefined) return replaceValue(same, formatLike(text, sources, value));
  return appendItem(text, sources, formatLike(text, sources, value));
}

/** The parts of a path below a folder; `undefined` for a path that lies elsewhere. */
function below(path: string, folder: string): string[] | undefined {
  if (path === folder) return [];
  return path.startsWith(`${folder}/`)
    ? path
        .slice(folder.length + 1)
        .split('/')
        .filter((part) => part !== '')
    : undefined;
}

/** A path from another folder on. A program needs a slash, or it would be looked for in the search path. */
function fromFolder(parts: readonly string[], from: readonly string[], isProgram: boolean): string {
  let same = 0;
  while (same < from.length && same < parts.length && from[same] === parts[same]) same++;
  const result = [...from.slice(same).map(() => '..'), ...parts.slice(same)].join('/');
  if (result === '') return '.';
  return isProgram && !result.startsWith('..') ? `./${result}` : result;
}

/** A name as a file name: what file systems do not take becomes a hyphen. */
function fileName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '');
  return plain === '' ? 'server' : plain;
}
