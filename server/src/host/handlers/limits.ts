/** Milliseconds for one call when the handler names none. */
export const DEFAULT_TIMEOUT_MS = 10_000;

/** Milliseconds for the start of a module's process, before any code of the user runs. */
export const START_MS = 30_000;

/** Most bytes of one line of output. */
export const LINE_BYTES = 4 * 1024 * 1024;

/** Most bytes that a process may write for one call, to its output and to its error output together. */
export const CALL_BYTES = 16 * 1024 * 1024;

/** Most lines that a process may write for one call beside its answer. */
export const CALL_LINES = 100_000;

/** Notes of one call: the latest lines, and the most characters of a line. */
export const NOTE_LINES = 40;
export const NOTE_LENGTH = 500;

/** Milliseconds that a process has to end once its input has ended, before it is told to. */
export const INPUT_ENDED_MS = 500;

/** Milliseconds that a process has to end once it was told to, before it is killed. */
export const TERMINATED_MS = 200;

/** Milliseconds that the pipes of a process that has ended have to close. */
export const CLOSE_MS = 1_000;

/** Processes that are kept when they have nothing to do. */
export const KEPT = 24;
