import { grammarParseLine } from '../core/grammar/jsonl';
import { providerAnswerLine, readProviderRequest } from '../core/grammar/providerJsonl';
import type { ClosableProvider, Io } from './io';
import { answerLines } from './jsonl';

/** A line of the batch form may keep the provider's engine busy this long. */
const LINE_MILLISECONDS = 10_000;

/**
 * Answers the lines of `toolspec grammar parse --jsonl`. Lines that name the provider's engine go to it, which is
 * started when the first one comes; one that it cannot answer in time is answered with an error.
 */
export async function answerGrammarLines(io: Io): Promise<void> {
  let engine: ClosableProvider | undefined;
  try {
    await answerLines(io, async (line) => {
      const request = readProviderRequest(line);
      if (request === undefined) return grammarParseLine(line);
      if (typeof request === 'string') return request;
      engine ??= await io.engine();
      const { grammar, inputs } = request;
      const answer = await engine.ask({ kind: 'judge', grammar, inputs }, { milliseconds: LINE_MILLISECONDS });
      return providerAnswerLine(request, answer);
    });
  } finally {
    await engine?.close();
  }
}
