import {
  type LarkReading,
  type LarkVerdict,
  larkReading,
  larkVerdict,
  terminalName,
} from '../../core/calls/contractLark';
import { explainDifference, type LarkOpinion, readForLark } from '../../core/grammar/enginesDiffer';
import type { JudgedInput, ProviderAnswer, ProviderRefusal } from '../../core/grammar/provider';
import { type Message, t } from '../../core/text/message';
import type { GrammarText, World } from '../grammars';
import type { Verdicts } from '../verdicts';
import type { PanelGrammar } from './grammarSource';

/** An input may take the engine this long, in milliseconds. */
const JUDGE_MILLISECONDS = 2_000;

/** Lark runs where the language server runs, so longer inputs would hold up everything else. */
export const MOST_FOR_LARK = 20_000;

/** What the provider's engine says in the panel. */
export type ProviderSays =
  | { readonly state: 'judged'; readonly judged: JudgedInput; readonly slow: boolean }
  | { readonly state: 'refused'; readonly refusal: ProviderRefusal }
  | { readonly state: 'gave-up'; readonly end: ProviderAnswer['end'] }
  | { readonly state: 'unavailable'; readonly detail: string };

/** What Lark says in the panel. */
export type LarkSays = LarkVerdict | { readonly verdict: 'not-asked'; readonly reason: 'regex' | 'long' };

/** Both engines about one input. */
export interface Judged {
  readonly provider: ProviderSays;
  readonly lark: LarkSays;
  /** Absent for a lone expression. */
  readonly reading: LarkReading | undefined;
}

/** Asks both engines. The provider's works beside the server; a newer question takes the place of this one. */
export async function judgeBoth(
  { id, syntax, text, source }: PanelGrammar,
  world: World | undefined,
  input: string,
  verdicts: Verdicts,
): Promise<Judged> {
  const grammar = { syntax, text };
  const asked = verdicts.ask(
    { kind: 'judge', grammar, inputs: [input], next: true },
    { key: `panel ${id}`, milliseconds: JUDGE_MILLISECONDS },
  );
  const reading = syntax === 'regex' ? undefined : readingOf(text, source, world);
  const lark: LarkSays =
    reading === undefined
      ? { verdict: 'not-asked', reason: 'regex' }
      : input.length > MOST_FOR_LARK
        ? { verdict: 'not-asked', reason: 'long' }
        : larkVerdict(reading, input);
  return { provider: providerSays(await asked, verdicts.missing), lark, reading };
}

function providerSays(answer: ProviderAnswer | undefined, missing: string | undefined): ProviderSays {
  if (answer === undefined) return { state: 'unavailable', detail: missing ?? '' };
  if (answer.end.state === 'unavailable') return { state: 'unavailable', detail: answer.end.detail };
  if (answer.load?.ok === false) return { state: 'refused', refusal: answer.load.refusal };
  const judged = answer.inputs[0];
  if (judged === undefined) return { state: 'gave-up', end: answer.end };
  return { state: 'judged', judged, slow: answer.end.state !== 'done' };
}

interface KnownReading {
  readonly documents: readonly unknown[];
  readonly reading: LarkReading;
}

const readings = new WeakMap<object, KnownReading>();

/** The grammar as Lark reads it, with the files beside it that it imports. */
function readingOf(text: string, source: GrammarText | undefined, world: World | undefined): LarkReading {
  const documents = world?.texts.map(({ document }) => document) ?? [];
  if (source === undefined || world === undefined || documents.length < 2) return larkReading(text);
  const known = readings.get(source.document);
  if (known?.documents.length === documents.length && known.documents.every((each, i) => each === documents[i])) {
    return known.reading;
  }
  const read = readForLark(text, world.importer(source.id));
  const reading: LarkReading = { ...read, grammar: read.loaded.grammar, code: undefined, lenient: read.parser };
  readings.set(source.document, { documents, reading });
  return reading;
}

/** Whether the engines agree about an input; `undefined` where one of them has not said. */
export function agreement({ provider, lark }: Judged): boolean | undefined {
  if (lark.verdict === 'not-asked' || lark.verdict === 'gave-up') return undefined;
  if (provider.state === 'refused') return lark.verdict === 'refused';
  if (provider.state !== 'judged' || provider.judged.verdict.error !== undefined) return undefined;
  return provider.judged.verdict.accepted === (lark.verdict === 'accepted');
}

/** Why they disagree, where a known difference explains it. */
export function reasonOf({ provider, lark, reading }: Judged, input: string): Message | undefined {
  if (reading === undefined || lark.verdict === 'not-asked' || lark.verdict === 'gave-up') return undefined;
  const opinion: LarkOpinion =
    lark.verdict === 'rejected'
      ? {
          state: 'rejected',
          error: { kind: 'UnexpectedCharacters', pos: lark.offset, line: undefined, column: undefined, expected: [] },
        }
      : { state: lark.verdict };
  const said =
    provider.state === 'refused'
      ? { refusal: provider.refusal }
      : provider.state === 'judged'
        ? { verdict: provider.judged.verdict }
        : undefined;
  const why = said && explainDifference(reading, input, opinion, said);
  if (why === undefined) return undefined;
  return t('{0}', {
    text: why.text,
    args: why.args.map((each) => (typeof each === 'string' ? terminalName(reading, each) : each)),
  });
}

/** Where the input stops fitting: what the provider says, else what Lark says; its end where all of it fits. */
export function stopOf({ provider, lark }: Judged, input: string): number {
  if (provider.state === 'judged') return provider.judged.verdict.offset;
  return lark.verdict === 'rejected' ? lark.offset : input.length;
}

/** Whether the input as a whole is taken by the one who decides. */
export function isAccepted({ provider, lark }: Judged): boolean {
  return provider.state === 'judged' ? provider.judged.verdict.accepted : lark.verdict === 'accepted';
}
