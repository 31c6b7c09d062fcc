import path from 'node:path';
import type { CancelSignal } from '../../core/calls/handler';
import { type FreshSnapshot, snapshotOfOutput, snapshotOfPages } from '../../core/calls/snapshot';
import type { SourceSpec } from '../../core/config/handlers';
import { t } from '../../core/text/message';
import { decodeText } from '../files';
import { HandlerProcess } from '../handlers/handlerProcess';
import { McpSession } from '../handlers/mcpSession';
import { Waiting } from '../handlers/session';

/** How definitions come out of code: a source of the config file, without the place where it stands. */
export type SourceProcess = Pick<SourceSpec, 'kind' | 'command' | 'cwd' | 'env' | 'timeoutMs'>;

/** Fresh definitions, or why there are none; and what the process said beside them. */
export type Loaded = FreshSnapshot & { readonly notes: readonly string[] };

/** Milliseconds for a source that names none: programs that build definitions load whole applications. */
const SOURCE_MS = 60_000;

/** Most bytes that a program may print. */
const OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Gets the definitions of a source: starts the MCP server and asks it for all pages of its tools, or runs the program
 * and takes what it prints. No process is left behind. Never rejects.
 *
 * @param folder of the config file
 */
export async function loadSource(source: SourceProcess, folder: string, signal?: CancelSignal): Promise<Loaded> {
  const cwd = source.cwd === undefined ? folder : path.resolve(folder, source.cwd);
  const timeoutMs = source.timeoutMs ?? SOURCE_MS;
  const options = { command: source.command, cwd, env: source.env };
  if (source.kind === 'command') return runProgram(options, timeoutMs, signal);
  const session = new McpSession(options);
  const listed = await session.listTools(timeoutMs, signal);
  await session.end('gentle');
  const { notes } = listed;
  return 'failure' in listed ? { failure: listed.failure, notes } : { ...snapshotOfPages(listed.pages), notes };
}

async function runProgram(
  options: { readonly command: readonly string[]; readonly cwd: string; readonly env: ReadonlyMap<string, string> },
  timeoutMs: number,
  signal: CancelSignal | undefined,
): Promise<Loaded> {
  const pieces: Buffer[] = [];
  const waiting = new Waiting(signal);
  const process = new HandlerProcess(
    { ...options, who: 'program', wholeOutput: OUTPUT_BYTES },
    {
      line: () => {},
      output: (piece) => pieces.push(piece),
      ended: (why, end) => waiting.finish({ by: 'end', why, end }),
    },
  );
  process.closeInput();
  waiting.within(timeoutMs);
  const ending = await waiting.ending;
  await process.end('firm');
  const notes = process.notes.take();
  if (ending.by === 'end' && ending.end.stop.exitCode === 0) {
    const decoded = decodeText(Buffer.concat(pieces));
    return 'failure' in decoded
      ? { failure: t('What the program printed {0}.', decoded.failure), notes }
      : { ...snapshotOfOutput(decoded.text), notes };
  }
  if (ending.by === 'end') return { failure: ending.why, notes };
  const failure =
    ending.by === 'time'
      ? t('The program did not end within {0} ms, so it was ended.', timeoutMs)
      : t('The run was canceled.');
  return { failure, notes };
}
