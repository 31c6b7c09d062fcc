import type { Io } from './io';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Lines of a byte stream, decoded as UTF-8, without their line ends. Only a line feed ends a line (JSON may hold
 * U+2028 raw). Holds one line at a time, whatever its length.
 */
export async function* lines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      parts.push(chunk.subarray(start, end));
      yield decode(parts);
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) yield decode(parts);
}

function decode(parts: readonly Uint8Array[]): string {
  const bytes = Buffer.concat(parts);
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  return bytes.toString('utf8', 0, end);
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

async function answerOne(line: string, answer: (line: string) => string | Promise<string>): Promise<string> {
  try {
    return await answer(line);
  } catch (error) {
    return JSON.stringify({ id: null, ok: false, error: error instanceof Error ? error.message : String(error) });
  }
}
