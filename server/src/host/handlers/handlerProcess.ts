import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { HandlerStop } from '../../core/calls/handler';
import { type Message, t } from '../../core/text/message';
import { cleanEnvironment } from './environment';
import { descendants, killMarked, killMarkedForGood, OWN_GROUP, sendSignal, signalTree } from './killTree';
import { CALL_BYTES, CALL_LINES, CLOSE_MS, INPUT_ENDED_MS, LINE_BYTES, TERMINATED_MS } from './limits';
import { LineSplitter } from './lineSplitter';
import { Notes } from './notes';

export interface ProcessOptions {
  /** What the words about its end call it; without this, a handler. */
  readonly who?: keyof typeof WHO;
  /** Program and arguments; never goes through a shell. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: ReadonlyMap<string, string>;
  /** The standard output is taken as a whole, up to so many bytes, and not in lines. */
  readonly wholeOutput?: number;
  /** Answers come over file descriptor 3 instead of the standard output, which is then only notes. */
  readonly answersApart?: boolean;
}

/** What a process tells. */
export interface ProcessEvents {
  /** A piece of the standard output, when it is taken as a whole. */
  output?(piece: Buffer): void;
  /** A line of output that may be an answer: it starts as an object does. */
  line(text: string): void;
  /** It has ended, and everything that it wrote has been told. Comes exactly once. `why` is a sentence. */
  ended(why: Message, end: ProcessEnd): void;
}

export interface ProcessEnd {
  readonly stop: HandlerStop;
  /** It wrote something since `beginCall`. */
  readonly spoke: boolean;
}

const WHO = { handler: t('The handler'), server: t('The MCP server'), program: t('The program') };

/** How hard a process is ended: by the end of its input first, by a request first, or at once. */
export type Force = 'gentle' | 'firm' | 'at-once';

const living = new Set<HandlerProcess>();

/** Kills every process that still runs, with its children, before this process ends. */
export function killAllNow(): void {
  for (const each of living) {
    if (each.pid === undefined) continue;
    sendSignal(each.pid, 'SIGKILL');
    if (OWN_GROUP) sendSignal(-each.pid, 'SIGKILL');
  }
  // Once more for what has been started in between.
  for (let round = 0; round < 10; round++) if (killMarked([...living].map(({ mark }) => mark)) === 0) return;
}

/**
 * A process of a handler with a clean environment, its output counted. Nothing that it writes
 * takes more memory than `LINE_BYTES` for each of its pipes.
 */
export class HandlerProcess {
  readonly notes = new Notes();
  readonly mark = randomUUID();
  /** Lines of this call, where answers are read, that are none. */
  junk = 0;
  /** Where answers are read. */
  #answers: LineSplitter | undefined;
  readonly #child: ChildProcess | undefined;
  readonly #events: ProcessEvents;
  readonly #gone: Promise<void>;
  #bytes = 0;
  #lines = 0;
  #spoke = false;
  #flooded: Message | undefined;
  #over = false;
  #ending: Promise<void> | undefined;

  constructor(
    readonly options: ProcessOptions,
    events: ProcessEvents,
  ) {
    this.#events = events;
    const { command, cwd, env, answersApart } = options;
    const [program = '', ...args] = command;
    let child: ChildProcess;
    try {
      if (!isFolder(cwd)) throw new NoFolder(cwd);
      child = spawn(program, args, {
        cwd,
        env: cleanEnvironment(env, this.mark),
        shell: false,
        windowsHide: true,
        detached: OWN_GROUP,
        stdio: ['pipe', 'pipe', 'pipe', ...(answersApart ? ['pipe' as const] : [])],
      });
    } catch (error) {
      this.#child = undefined;
      this.#over = true;
      const why = this.#startFailure(program, error);
      this.#gone = Promise.resolve();
      queueMicrotask(() => events.ended(why, { stop: { kind: 'not-started', words: why }, spoke: false }));
      return;
    }
    this.#child = child;
    living.add(this);
    this.#listen(answersApart === true);
    this.#gone = this.#settle(program);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Whether it can still take calls. */
  get alive(): boolean {
    return !this.#over && this.#ending === undefined && this.#child !== undefined && running(this.#child);
  }

  /** What it wrote in this call instead of an answer. */
  get wrote(): Pick<HandlerStop, 'wrote'> {
    if (this.#answers?.unfinished === true) return { wrote: 'unfinished' };
    return this.junk > 0 ? { wrote: 'junk' } : {};
  }

  /** From here on output counts for a new call. */
  beginCall(): void {
    this.junk = 0;
    this.#bytes = 0;
    this.#lines = 0;
    this.#spoke = false;
  }

  /** Writes a line. What cannot be written any more is lost; the end of the process is told anyway. */
  send(line: string): void {
    this.#child?.stdin?.write(`${line}\n`);
  }

  /** Says that no more lines come. */
  closeInput(): void {
    this.#child?.stdin?.end();
  }

  /** Ends the process and all that it has started. Resolves when none of it is left. */
  end(force: Force): Promise<void> {
    this.#ending ??= this.#end(force);
    return this.#ending;
  }

  async #end(force: Force): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return this.#gone;
    const below = this.#over ? [] : await descendants(child.pid);
    if (force === 'gentle') {
      child.stdin?.end();
      await this.#exitWithin(INPUT_ENDED_MS);
    }
    if (force !== 'at-once' && running(child)) {
      signalTree(child.pid, this.mark, 'SIGTERM');
      await this.#exitWithin(TERMINATED_MS);
    }
    if (running(child)) signalTree(child.pid, this.mark, 'SIGKILL');
    for (const pid of below) sendSignal(pid, 'SIGKILL');
    return this.#gone;
  }

  #exitWithin(milliseconds: number): Promise<void> {
    const child = this.#child!;
    if (!running(child)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        child.off('exit', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      child.once('exit', done);
    });
  }

  #listen(answersApart: boolean): void {
    const child = this.#child!;
    child.stdin?.on('error', () => {});
    const note = (line: Buffer): void => this.#note(line);
    const answer = (line: Buffer): void => {
      if (startsObject(line)) this.#events.line(line.toString('utf8'));
      else {
        if (line.some((byte) => !SPACES.has(byte))) this.junk++;
        this.#note(line);
      }
    };
    if (this.options.wholeOutput === undefined) {
      const splitter = this.#read(child.stdout, answersApart ? note : answer);
      if (!answersApart) this.#answers = splitter;
    } else this.#collect(child.stdout, this.options.wholeOutput);
    this.#read(child.stderr, note);
    if (answersApart) this.#read(child.stdio[3] as Readable, answer);
  }

  #read(stream: Readable | null | undefined, line: (bytes: Buffer) => void): LineSplitter {
    const splitter = new LineSplitter(
      LINE_BYTES,
      (bytes) => {
        if (this.#flooded === undefined) line(bytes);
      },
      () => this.#flood(t('a line of more than {0} bytes', LINE_BYTES)),
    );
    stream?.on('error', () => {});
    stream?.on('end', () => splitter.end());
    stream?.on('data', (chunk: Buffer) => {
      this.#spoke = true;
      this.#bytes += chunk.length;
      if (this.#flooded !== undefined) return;
      splitter.push(chunk);
      if (this.#bytes > CALL_BYTES) this.#flood(t('more than {0} bytes for one call', CALL_BYTES));
    });
    return splitter;
  }

  #collect(stream: Readable | null, limit: number): void {
    stream?.on('error', () => {});
    stream?.on('data', (piece: Buffer) => {
      this.#bytes += piece.length;
      if (this.#bytes > limit) this.#flood(t('more than {0} bytes', limit));
      else this.#events.output?.(piece);
    });
  }

  #note(line: Buffer): void {
    this.notes.addBytes(line);
    if (++this.#lines > CALL_LINES) {
      this.#flood(t('more than {0} lines beside its answer', CALL_LINES));
    }
  }

  #flood(what: Message): void {
    if (this.#flooded !== undefined) return;
    this.#flooded = t('{0} wrote {1}, so it was ended.', this.#who, what);
    void this.end('at-once');
  }

  get #who(): Message {
    return WHO[this.options.who ?? 'handler'];
  }

  #startFailure(program: string, error: unknown): Message {
    return t('{0} "{1}" could not be started: {2}.', this.#who, program, startReason(program, error));
  }

  #endWords({ exitCode, signalCode }: ChildProcess): Message {
    const isAsked = this.options.who !== 'program';
    if (signalCode !== null) {
      return isAsked
        ? t('{0} was ended by the signal {1} before it answered.', this.#who, signalCode)
        : t('{0} was ended by the signal {1}.', this.#who, signalCode);
    }
    return isAsked
      ? t('{0} ended with exit code {1} before it answered.', this.#who, exitCode ?? 0)
      : t('{0} ended with exit code {1}.', this.#who, exitCode ?? 0);
  }

  async #settle(program: string): Promise<void> {
    const child = this.#child!;
    let failure: unknown;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      child.once('close', resolve);
      child.once('error', (error) => {
        failure = error;
        if (child.pid === undefined) resolve();
      });
      child.once('exit', () => {
        // Processes that it has started may hold its pipes open, so they go first.
        if (child.pid !== undefined && OWN_GROUP) sendSignal(-child.pid, 'SIGKILL');
        killMarked([this.mark]);
        timer = setTimeout(resolve, CLOSE_MS);
      });
    });
    clearTimeout(timer);
    for (const stream of child.stdio) stream?.destroy();
    this.#over = true;
    const why =
      this.#flooded ?? (child.pid === undefined ? this.#startFailure(program, failure) : this.#endWords(child));
    const started = child.pid !== undefined;
    const stop: HandlerStop =
      this.#flooded !== undefined
        ? { kind: 'output-limit', words: why }
        : started
          ? endOf(child)
          : { kind: 'not-started', words: why };
    this.#events.ended(why, { stop, spoke: this.#spoke });
    await killMarkedForGood(this.mark);
    living.delete(this);
  }
}

const SPACES = new Set([0x20, 0x09, 0x0d]);

function startsObject(line: Buffer): boolean {
  let at = 0;
  while (SPACES.has(line[at]!)) at++;
  return line[at] === 0x7b;
}

function running(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function endOf({ exitCode, signalCode }: ChildProcess): HandlerStop {
  return signalCode !== null ? { kind: 'signal', signal: signalCode } : { kind: 'exited', exitCode: exitCode ?? 0 };
}

/** The folder to start in is none. */
class NoFolder extends Error {
  constructor(readonly folder: string) {
    super(folder);
  }
}

/** Why a program does not start; the system's own words where there are no better ones. */
function startReason(program: string, error: unknown): Message {
  if (error instanceof NoFolder) return t('the folder {0} does not exist', error.folder);
  const { code, message } = error as NodeJS.ErrnoException;
  if (program === '') return t('the name of its program is empty');
  if (code === 'ENOENT') return t('there is no such program in the search path');
  if (code === 'ERR_INVALID_ARG_VALUE') return t('its command, folder or environment has a null character');
  return code === 'EACCES' ? t('it must not be executed') : t('{0}', message ?? String(error));
}
