import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isSampleFileName } from '../core/calls/fileNames';
import { CONFIG_FILE_NAME } from '../core/check';
import type { ToolSpecConfig } from '../core/config/read';
import { isToolFileName } from '../core/tools/fileNames';

/** Larger files are not read: their tree would not fit into memory. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Texts with more values are not read, for the same reason: each value is a node of the tree. */
export const MAX_VALUES = 4_000_000;

/** Texts below this size cannot have too many values to matter. */
const COUNTED_FROM_BYTES = MAX_VALUES;

/** A text file. Offsets and columns count from behind a byte order mark, as editors count them. */
export interface TextFile {
  readonly text: string;
  /** Whether the file starts with a byte order mark, which is not part of `text`. */
  readonly bom: boolean;
}

/** Why a file could not be read, as a sentence about it: "does not exist". */
export interface ReadFailure {
  readonly failure: string;
}

/**
 * Reads a file that a person has named as UTF-8 text. Pipes and devices are read too, as `<(…)` of a shell gives them.
 * Never throws.
 *
 * @param most size in bytes beyond which nothing is read
 */
export function readTextFile(file: string, most = MAX_FILE_BYTES): Promise<TextFile | ReadFailure> {
  return read(file, most, true);
}

/**
 * As `readTextFile`, for what was found in a folder or what another file names: a pipe there may never say a word, and
 * a device never end.
 */
export function readRegularFile(file: string, most = MAX_FILE_BYTES): Promise<TextFile | ReadFailure> {
  return read(file, most, false);
}

async function read(file: string, most: number, special: boolean): Promise<TextFile | ReadFailure> {
  try {
    const facts = await stat(file);
    if (facts.isDirectory()) return { failure: 'is a folder' };
    if (!facts.isFile()) return special ? await readStream(file, most) : { failure: 'is a pipe or a device' };
    if (facts.size > most) {
      const [size, limit] = [facts.size, most].map((bytes) => bytes.toLocaleString('en-US'));
      return { failure: `has ${size} bytes; more than ${limit} are not read` };
    }
    return decodeText(await readFile(file));
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** What comes out of a pipe or a device, whose size nobody knows before. */
async function readStream(file: string, most: number): Promise<TextFile | ReadFailure> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > most) return { failure: `has more than ${most.toLocaleString('en-US')} bytes, which are not read` };
    chunks.push(chunk);
  }
  return decodeText(Buffer.concat(chunks));
}

/** Decodes the bytes of a text file. */
export function decodeText(bytes: Uint8Array): TextFile | ReadFailure {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return { failure: 'is UTF-16; only UTF-8 is read' };
  }
  // JSON has no use for a zero byte, and every binary format has one early.
  if (bytes.subarray(0, 8192).includes(0)) return { failure: 'is a binary file' };
  if (hasTooManyValues(bytes)) {
    return { failure: `holds more than ${MAX_VALUES.toLocaleString('en-US')} JSON values, which are not read` };
  }
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), bom };
  } catch {
    return { failure: 'is not UTF-8' };
  }
}

const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/**
 * Whether a text has more values than a tree may have. Counts what begins a value, commas and brackets. Those inside
 * strings count too: an estimate is good enough.
 */
export function hasTooManyValues(bytes: Uint8Array): boolean {
  if (bytes.length <= COUNTED_FROM_BYTES) return false;
  let count = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if ((byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) && ++count > MAX_VALUES) return true;
  }
  return false;
}

/** What a failed file operation means, without the path. */
export function failureOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  // A name with a null character is refused before the system is asked: no file has it.
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ERR_INVALID_ARG_VALUE') return 'does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read';
  if (code === 'ELOOP') return 'is a symbolic link to itself';
  return `could not be read: ${error instanceof Error ? error.message : String(error)}`;
}

/** Why a file could not be written, without the path. */
export function writeFailureOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'may not be written';
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'could not be written: a file stands where a folder is needed';
  if (code === 'ENOENT') return 'could not be written: its folder does not exist';
  if (code === 'EISDIR') return 'is a folder';
  if (code === 'ERR_INVALID_ARG_VALUE') return 'could not be written: its name has a null character';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'could not be written: the disk is full';
  return `could not be written: ${error instanceof Error ? error.message : String(error)}`;
}

/** Folders that never hold files of the user's own. */
const SKIPPED_FOLDERS = new Set(['node_modules', '.git']);

/** A file to check, or a path that cannot be. */
export type Discovered = { readonly file: string } | { readonly file: string; readonly failure: string };

/** Knows the config that holds for a file. */
export interface Configs {
  configFor(file: string): Promise<{ readonly folder: string; readonly config: ToolSpecConfig } | undefined>;
}

/**
 * The files that paths name, as absolute paths without repeats: named files as they are, folders through the files of
 * the tool patterns, samples files, grammars and config files below them, sorted by name.
 */
export function discoverFiles(paths: readonly string[], configs: Configs): AsyncGenerator<Discovered> {
  return discover(paths, (file, name) => isWanted(file, name, configs));
}

/** The same for files of sample calls: folders give `*.samples.json` and `*.samples.jsonc`. */
export function discoverSamples(paths: readonly string[], configs: Configs): AsyncGenerator<Discovered> {
  return discover(paths, async (file, name) => {
    if (!isSampleFileName(name)) return false;
    const config = await configs.configFor(file);
    return config === undefined || !matches(config.config.exclude, config.folder, file);
  });
}

/**
 * The files in and below a folder that say who takes calls: samples files, and files that hold tools by their names or by
 * the patterns of a config file. Folders that cannot be read count as empty.
 */
export async function* discoverServed(folder: string, configs: Configs): AsyncGenerator<string> {
  const found = discover([folder], async (file, name) => {
    if (name === CONFIG_FILE_NAME) return false;
    const config = await configs.configFor(file);
    if (config !== undefined && matches(config.config.exclude, config.folder, file)) return false;
    return isToolFileName(name) || isSampleFileName(name) || isIncluded(file, config);
  });
  for await (const each of found) if (!('failure' in each)) yield each.file;
}

async function* discover(paths: readonly string[], wanted: Wanted): AsyncGenerator<Discovered> {
  const seen = new Set<string>();
  for (const named of paths) {
    const found = await kindOf(named);
    if (typeof found !== 'string') {
      yield { file: named, failure: found.failure };
      continue;
    }
    const files = found === 'folder' ? walk(named, wanted) : [{ file: named }];
    for await (const each of files) {
      if (seen.has(each.file)) continue;
      seen.add(each.file);
      yield each;
    }
  }
}

async function kindOf(file: string): Promise<'file' | 'folder' | ReadFailure> {
  try {
    return (await stat(file)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** The patterns of one `.gitignore`, from the folder in which it lies. */
interface IgnoreFile {
  readonly folder: string;
  readonly patterns: Ignore;
}

/** Whether a file below a folder is looked for; asked with its absolute path and its name. */
type Wanted = (file: string, name: string) => boolean | Promise<boolean>;

/** Files below a folder whose names end so, without what `.gitignore` files name. Folders that cannot be read count as empty. */
export async function filesBelow(folder: string, ending: string): Promise<string[]> {
  const found: string[] = [];
  for await (const each of walk(folder, (_file, name) => name.endsWith(ending))) {
    if (!('failure' in each)) found.push(each.file);
  }
  return found;
}

async function* walk(root: string, wanted: Wanted): AsyncGenerator<Discovered> {
  const pending: { folder: string; ignores: readonly IgnoreFile[] }[] = [
    { folder: root, ignores: await ignoresAbove(root) },
  ];
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const { folder } = step;
    let entries: Awaited<ReturnType<typeof listFolder>>;
    try {
      entries = await listFolder(folder);
    } catch (error) {
      yield { file: folder, failure: failureOf(error) };
      continue;
    }
    const own = entries.some(({ name }) => name === '.gitignore') ? await ignoreFile(folder) : undefined;
    const ignores = own === undefined ? step.ignores : [...step.ignores, own];
    const folders: typeof pending = [];
    for (const { name, isFolder } of entries) {
      const full = path.join(folder, name);
      if (isFolder) {
        if (!SKIPPED_FOLDERS.has(name) && !isIgnored(full, true, ignores)) folders.push({ folder: full, ignores });
      } else if (!isIgnored(full, false, ignores) && (await wanted(full, name))) yield { file: full };
    }
    for (let i = folders.length - 1; i >= 0; i--) pending.push(folders[i]!);
  }
}

/** Files and folders, sorted by name. Links to files count as files; links to folders are not followed. */
async function listFolder(folder: string): Promise<{ name: string; isFolder: boolean }[]> {
  const listed: { name: string; isFolder: boolean }[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) listed.push({ name: entry.name, isFolder: true });
    else if (entry.isFile()) listed.push({ name: entry.name, isFolder: false });
    else if (entry.isSymbolicLink() && (await leadsToFile(path.join(folder, entry.name)))) {
      listed.push({ name: entry.name, isFolder: false });
    }
  }
  return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function leadsToFile(link: string): Promise<boolean> {
  try {
    return (await stat(link)).isFile();
  } catch {
    return false;
  }
}

async function isWanted(file: string, name: string, configs: Configs): Promise<boolean> {
  if (name === CONFIG_FILE_NAME) return true;
  const config = await configs.configFor(file);
  if (config !== undefined && matches(config.config.exclude, config.folder, file)) return false;
  if (isToolFileName(name) || isSampleFileName(name) || name.endsWith('.lark')) return true;
  if (name === 'package.json') return holdsLanguageModelTools(file);
  return isIncluded(file, config);
}

/** Whether the config that holds for a file counts it among those with tools. */
function isIncluded(file: string, config: Awaited<ReturnType<Configs['configFor']>>): boolean {
  return config !== undefined && matches(config.config.include, config.folder, file);
}

const matchers = new WeakMap<readonly string[], Ignore>();

/** Whether a file matches one of a config's patterns, which are written as in `.gitignore`. */
function matches(patterns: ToolSpecConfig['include'], folder: string, file: string): boolean {
  if (patterns.length === 0) return false;
  let matcher = matchers.get(patterns);
  if (matcher === undefined) {
    matcher = ignore({ ignorecase: false }).add([...patterns]);
    matchers.set(patterns, matcher);
  }
  const relative = slashes(path.relative(folder, file));
  return !relative.startsWith('../') && matcher.ignores(relative);
}

/** Extension manifests are looked at only if they contribute tools. */
async function holdsLanguageModelTools(file: string): Promise<boolean> {
  const read = await readTextFile(file);
  return 'text' in read && read.text.includes('"languageModelTools"');
}

async function ignoreFile(folder: string): Promise<IgnoreFile | undefined> {
  const read = await readTextFile(path.join(folder, '.gitignore'));
  return 'text' in read ? { folder, patterns: ignore({ ignorecase: false }).add(read.text) } : undefined;
}

/** The `.gitignore` files of the folders above, up to the root of the repository. None outside of a repository. */
async function ignoresAbove(folder: string): Promise<IgnoreFile[]> {
  const top = await repositoryRoot(folder);
  const found: IgnoreFile[] = [];
  if (top === undefined) return found;
  for (let current = folder; current !== top; ) {
    current = path.dirname(current);
    const own = await ignoreFile(current);
    if (own !== undefined) found.unshift(own);
  }
  return found;
}

/** The nearest folder, from this one upwards, that holds `.git`. */
export async function repositoryRoot(folder: string): Promise<string | undefined> {
  for (let current = folder; ; current = path.dirname(current)) {
    if (await isRepository(current)) return current;
    if (path.dirname(current) === current) return undefined;
  }
}

/** Whether a folder is the root of a repository: `.git` is a file in work trees and submodules. */
export async function isRepository(folder: string): Promise<boolean> {
  return typeof (await kindOf(path.join(folder, '.git'))) === 'string';
}

/** The innermost `.gitignore` that says something about a path decides. */
function isIgnored(file: string, isFolder: boolean, ignores: readonly IgnoreFile[]): boolean {
  for (let i = ignores.length - 1; i >= 0; i--) {
    const { folder, patterns } = ignores[i]!;
    const relative = slashes(path.relative(folder, file)) + (isFolder ? '/' : '');
    const verdict = patterns.test(relative);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

/** A path with `/` between its parts, on every system. */
export function slashes(file: string): string {
  return path.sep === '/' ? file : file.replaceAll(path.sep, '/');
}
