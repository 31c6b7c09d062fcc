import path from 'node:path';
import { type JsonDocument, syntaxFault } from '../core/text/json';
import { LineIndex } from '../core/text/lines';
import { render } from '../core/text/message';
import { didYouMean } from '../core/text/words';
import { baseNameOf } from '../core/tools/local';
import type { ToolDefinition, ToolSet } from '../core/tools/model';
import { ConfigFinder, type LoadedConfig } from '../host/configFiles';
import { decodeText, MAX_FILE_BYTES, readTextFile } from '../host/files';
import { type Io, UsageError } from './io';
import { plain } from './style';

/** A file that a command works on alone. */
export interface NamedInput {
  readonly text: string;
  /** As it was typed. `<stdin>` for standard input. */
  readonly shown: string;
  readonly baseName: string;
  /** The folder from which the file's own references start. */
  readonly folder: string;
  /** The config file that holds for it. */
  readonly config: LoadedConfig | undefined;
}

/** Reads the file that was named, or standard input for `-`. Throws `UsageError` when that is not possible. */
export async function readInput(named: string, io: Io): Promise<NamedInput> {
  const configs = new ConfigFinder(io.cwd);
  if (named === '-') {
    const read = decodeText(await readAll(io));
    if ('failure' in read) throw new UsageError(`standard input ${read.failure}.`);
    return {
      text: read.text,
      shown: '<stdin>',
      baseName: 'stdin',
      folder: io.cwd,
      config: await configs.configFor(path.join(io.cwd, 'stdin')),
    };
  }
  if (named === '') throw new UsageError('A path is empty.');
  const file = path.resolve(io.cwd, named);
  const read = await readTextFile(file);
  if ('failure' in read) throw new UsageError(`${plain(named)} ${read.failure}.`);
  return {
    text: read.text,
    shown: named,
    baseName: baseNameOf(file),
    folder: path.dirname(file),
    config: await configs.configFor(file),
  };
}

/** Whether a file of tool definitions is meant; a grammar starts with neither bracket. */
export function holdsTools({ shown, text }: Pick<NamedInput, 'shown' | 'text'>): boolean {
  if (shown.endsWith('.lark')) return false;
  return /\.jsonc?$/.test(shown) || /^\s*(?:[[{]|\/\/|\/\*)/.test(text);
}

/** Whether a tool has a Lark grammar in itself or names a file with one. */
export function hasGrammar({ format }: ToolDefinition): boolean {
  if (format?.syntax === 'regex') return false;
  return hasDefinition(format);
}

/** Whether a format has a text to work on: a grammar or a regular expression. */
export function hasDefinition(format: ToolDefinition['format']): boolean {
  if (format?.type !== 'grammar') return false;
  return format.file !== undefined || format.definitionNode?.string !== undefined;
}

/** Throws `UsageError` where the text is neither JSON nor JSON with comments. */
export function requireJson(document: JsonDocument, input: NamedInput): void {
  const broken = syntaxFault(document);
  if (broken === undefined) return;
  const { line, character } = new LineIndex(input.text).position(broken.span.start);
  throw new UsageError(`${plain(input.shown)}:${line + 1}:${character + 1}: ${render(broken.message)}`);
}

/** `namespace.name` for a tool in a namespace. */
export function fullName({ name, namespace }: ToolDefinition): string {
  const own = name ?? '(no name)';
  return namespace?.name === undefined ? own : `${namespace.name}.${own}`;
}

/** The tools with a name, alone or behind that of their namespace. Throws `UsageError` where there is none. */
export function toolsNamed(wanted: string, set: ToolSet, input: NamedInput): readonly ToolDefinition[] {
  const chosen = set.tools.filter((tool) => tool.name === wanted || fullName(tool) === wanted);
  if (chosen.length > 0) return chosen;
  const names = set.tools.flatMap((tool) => (tool.name === undefined ? [] : fullName(tool)));
  const guess = didYouMean(wanted, [...names, ...set.tools.flatMap((tool) => tool.name ?? [])]);
  const shown = `${names.slice(0, 20).map(plain).join(', ')}${names.length > 20 ? ' and more' : ''}`;
  throw new UsageError(
    `${plain(input.shown)} has no tool named ${plain(wanted)}.${guess === undefined ? '' : ` Did you mean ${plain(guess)}?`}`,
    names.length === 0 ? undefined : `It has ${shown}.`,
  );
}

async function readAll(io: Io): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of io.input()) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES) {
      throw new UsageError(`standard input has more than ${MAX_FILE_BYTES.toLocaleString('en-US')} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
