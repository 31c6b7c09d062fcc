import path from 'node:path';
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
      config: await configs.configFor(path.join(io.cwd, 'stdin')),
    };
  }
  const file = path.resolve(io.cwd, named);
  const read = await readTextFile(file);
  if ('failure' in read) throw new UsageError(`${plain(named)} ${read.failure}.`);
  return { text: read.text, shown: named, baseName: path.basename(file), config: await configs.configFor(file) };
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
