import { hasTooManyValues, MAX_FILE_BYTES, MAX_VALUES } from '../host/files';
import type { Io } from './io';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A line of a batch, or why it cannot be read. */
export type Line = { readonly text: string } | { readonly failure: string };

/**
 * Lines of a byte stream, decoded as UTF-8, without their line ends. Only a line feed ends a line (JSON may hold
 * U+2028 raw). Holds one line at a time, and of one with more than `most` bytes nothing.
 */
export async function* lines(input: AsyncIterable<Uint8Array>, most = MAX_FILE_BYTES): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array): void => {
    size += part.length;
    if (size > most) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const take = (): Line => {
    const line = size > most ? { failure: tooLong(most) } : decode(Buffer.concat(parts));
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (size > 0) yield take();
}

function tooLong(most: number): string {
  return `The line has more than ${most.toLocaleString('en-US')} bytes.`;
}

/**
 * Bytes that are no text are said, not replaced: what is given is read exactly or not at all. A tree that would not fit
 * into the memory would end the process, and with it the answers to all other lines.
 */
function decode(bytes: Uint8Array): Line {
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  if (hasTooManyValues(bytes))
    return { failure: `The line holds more than ${MAX_VALUES.toLocaleString('en-US')} JSON values.` };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end)) };
  } catch {
    return { failure: 'The line is not UTF-8.' };
  }
}

/**
 * Answers each line of standard input with one line, in order. `answer` must not fail; should it do so all the same,
 * that line is answered with the failure, and the next one is read.
 */
export async function answerLines(io: Io, answer: (line: string) => string | Promise<string>): Promise<void> {
  for await (const line of lines(io.input())) {
    if (io.closed) return;
    await io.out(`${await answerOne(line, answer)}\n`);
  }
}

async function answerOne(line: Line, answer: (line: string) => string | Promise<string>): Promise<string> {
  if ('failure' in line) return refusal(line.failure);
  try {
    return await answer(line.text);
  } catch (error) {
    return refusal(error instanceof Error ? error.message : String(error));
  }
}

function refusal(error: string): string {
  return JSON.stringify({ id: null, ok: false, error });
}
