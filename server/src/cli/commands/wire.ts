import { EXIT, type Io, UsageError } from '../io';
import { answerLines } from '../jsonl';
import { parseOptions, usageLine } from '../options';
import { profileFor } from '../profile';
import { WIRE } from '../specs';

/** `toolspec wire`: the exact JSON that is sent. */
export async function runWire(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(WIRE, args);
  const [named] = options.positionals;
  if (options.flag('jsonl')) {
    if (named !== undefined) {
      throw new UsageError('With --jsonl the requests come from standard input, not from a file.');
    }
    const { wireLine } = await import('../../core/wire/jsonl');
    const profile = profileFor(options.text('profile'), undefined);
    await answerLines(io, (line) => wireLine(line, { profile }));
    return EXIT.fine;
  }
  throw new UsageError('toolspec wire needs a file, or - for standard input.', usageLine(WIRE));
}
