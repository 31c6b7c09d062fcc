import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { CancelSignal } from '../../core/calls/handler';
import { compareSnapshot, type SnapshotState } from '../../core/calls/snapshot';
import { snapshotText } from '../../core/calls/snapshotText';
import type { SourceSpec } from '../../core/config/handlers';
import { type JsonDocument, parseJson } from '../../core/text/json';
import { t } from '../../core/text/message';
import { readTools } from '../../core/tools/read';
import { readRegularFile, writeFailureOf } from '../files';
import { writeTextFile } from '../writeFile';
import { type Loaded, loadSource, type SourceProcess } from './freshSnapshot';

/** The absolute path of the file that a source is stored in. */
export function snapshotFile(source: Pick<SourceSpec, 'out'>, folder: string): string {
  return path.resolve(folder, source.out);
}

/**
 * Runs a source and compares. Writes nothing. Never rejects.
 *
 * @param folder of the config file
 */
export async function snapshotState(
  source: SourceProcess & Pick<SourceSpec, 'out'>,
  folder: string,
  signal?: CancelSignal,
): Promise<SnapshotState> {
  const file = snapshotFile(source, folder);
  const stored = await readRegularFile(file);
  if ('failure' in stored && existsSync(file)) {
    return { state: 'failed', failure: t('The stored file {0}.', stored.failure), notes: [] };
  }
  return stateOf(await loadSource(source, folder, signal), source, 'text' in stored ? stored.text : undefined);
}

function stateOf(loaded: Loaded, source: SourceProcess, storedText: string | undefined): SnapshotState {
  const { notes } = loaded;
  if ('failure' in loaded) return { state: 'failed', failure: loaded.failure, notes };
  const fresh = loaded.document;
  const tools = readTools(fresh, { baseName: '' }).tools.length;
  const stored: JsonDocument | undefined = storedText === undefined ? undefined : parseJson(storedText);
  const text = snapshotText(fresh, stored, source.kind === 'mcp');
  if (stored === undefined) return { state: 'missing', tools, text, notes };
  const differences = compareSnapshot(stored, fresh);
  return differences.length === 0 && (stored.root !== undefined || tools === 0)
    ? { state: 'current', tools, notes }
    : { state: 'stale', tools, differences, text, notes };
}

/** Stores the text of a state. Gives the words of the failure, without the path, when that is not possible. */
export async function storeSnapshot(file: string, text: string): Promise<string | undefined> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeTextFile(file, text);
    return undefined;
  } catch (error) {
    return writeFailureOf(error);
  }
}
