import type { CancellationToken, CodeLens, Command, Location } from 'vscode-languageserver';
import type { Definition, GrammarDocument } from '../core/grammar/ast';
import {
  judgeByLark,
  type LarkOpinion,
  type LarkReading,
  readForLark,
  readForLarkSteps,
} from '../core/grammar/enginesDiffer';
import type { ProviderOpinion } from '../core/grammar/providerOpinion';
import { DEFAULT_TARGETS } from '../core/profiles/targets';
import type { Finding } from '../core/text/finding';
import { type Message, t } from '../core/text/message';
import { shorten } from '../core/text/words';
import { COMMANDS, type GrammarStatus } from '../protocol';
import { settleVerdicts } from './asked';
import type { AttachedSample } from './attached';
import { checkedDocument } from './checked';
import type { ServerContext } from './context';
import { plain } from './convert';
import type { GrammarText, World } from './grammars';
import { say } from './language';
import { checkOptions, isForEngine } from './settings';
import type { TextVerdict } from './verdicts';

/** A reason in a lens is cut to so many characters. */
const REASON_LENGTH = 50;

/** Work that Lark may spend on a sample here, where others wait for an answer: some ten milliseconds. */
const LARK_BUDGET = { items: 100_000, steps: 1_000_000 };

/** Longer samples are judged by the provider's engine alone, which has a thread of its own. */
const MOST_LARK_UNITS = 20_000;

/** Above `start` of each grammar: what both engines say of it and of the samples that are attached to it. */
export async function verdictLenses(
  uri: string,
  context: ServerContext,
  token: CancellationToken,
): Promise<CodeLens[]> {
  const { files, grammars, verdicts } = context;
  const settings = await files.sources.settings(uri);
  if (!settings.lens) return [];
  const texts = (await grammars.in(uri)).flatMap((text) => {
    const start = startOf(text.document);
    return start === undefined ? [] : [{ text, start }];
  });
  if (texts.length === 0) return [];
  const config = await files.sources.configs.configFor(uri, files.sources.workspaceFolder(uri));
  const { targets } = checkOptions(settings, config?.config);
  const forEngine = isForEngine(targets) && verdicts.missing === undefined;
  if (forEngine) await settleVerdicts(uri, context, token);
  const findings = (await checkedDocument(uri, context))?.findings ?? [];
  const provider = new Set(targets ?? DEFAULT_TARGETS).has('openai') ? 'OpenAI' : 'llguidance';
  const lenses: CodeLens[] = [];
  for (const { text, start } of texts) {
    if (token.isCancellationRequested) return lenses;
    const range = text.range(start.name.span);
    const reading = await larkReadingInTurns(text, await grammars.world([text]), context);
    if (reading === undefined) return lenses;
    const engine = forEngine ? engineWords(text, provider, findings, context) : undefined;
    const both = [engine, larkWords(reading)].flatMap((each) => each ?? []);
    const places = both.flatMap(({ place }) => (place === undefined ? [] : [{ uri, range: text.range(place) }]));
    const title = both.map(({ words }) => plain(words)).join(' · ');
    lenses.push({ range, command: command(title, uri, range.start, places, context) });
    const samples = await context.attached.of(text.id);
    if (samples.length === 0) continue;
    const grammar = { syntax: 'lark', text: text.document.text } as const;
    const judged = forEngine && !('refused' === verdicts.known(grammar)?.state);
    if (judged) {
      const inputs = samples.map(({ input }) => input);
      await verdicts.judge({ id: text.id, uri, grammar }, inputs, token);
    }
    const rows = samples.map((sample) => ({
      sample,
      engine: judged ? verdicts.judged(grammar, sample.input) : undefined,
      lark: larkOpinion(reading, sample.input),
    }));
    const { words, shown } = sampleWords(rows, judged, reading.parser !== undefined);
    const locations = shown.map(({ uri: where, lines, span }) => ({ uri: where, range: lines.range(span) }));
    lenses.push({ range, command: command(plain(words), uri, range.start, locations, context) });
  }
  return lenses;
}

/** What both engines say of a grammar file; `null` for other files. */
export async function grammarStatus(uri: string, context: ServerContext): Promise<GrammarStatus | null> {
  const { files, grammars, verdicts } = context;
  if (!grammars.isFile(uri)) return null;
  const [text] = await grammars.in(uri);
  const checked = await context.grammarChecks.of(uri);
  if (text === undefined || checked === undefined) return null;
  const config = await files.sources.configs.configFor(uri, files.sources.workspaceFolder(uri));
  const { targets } = checkOptions(await files.sources.settings(uri), config?.config);
  const lineOf = (words: Words | undefined): number | null =>
    words?.place === undefined ? null : text.range(words.place).start.line + 1;
  const opinion = verdicts.known({ syntax: 'lark', text: text.document.text });
  const reading = await larkReadingInTurns(text, await grammars.world([text]), context);
  if (reading === undefined) return null;
  return {
    engine: isForEngine(targets) ? engineSays(opinion) : 'none',
    engineLine: lineOf(engineWords(text, '', checked.findings, context)),
    engineMissing: verdicts.missing ?? null,
    lark: reading.parser === undefined ? 'refuses' : 'takes',
    larkLine: lineOf(larkWords(reading)),
  };
}

/** What an opinion comes to. Giving up on some first characters only is what a finding warns of. */
function engineSays(opinion: ProviderOpinion | undefined): GrammarStatus['engine'] {
  if (opinion?.state === 'refused') return 'refuses';
  if (opinion?.state !== 'taken') return 'unknown';
  return opinion.failure?.always === true ? 'fails' : 'takes';
}

/** The rule that both engines begin with. */
function startOf({ items }: GrammarDocument): Definition | undefined {
  return items.find((item): item is Definition => item.kind === 'definition' && item.name.text === 'start');
}

/** A lens with places leads to them; one without is plain text. */
function command(
  title: string,
  uri: string,
  position: { line: number; character: number },
  locations: readonly Location[],
  context: ServerContext,
): Command {
  const leads = context.client.options.commands === true && locations.length > 0;
  return leads
    ? { title, command: COMMANDS.showReferences, arguments: [uri, position, locations] }
    : { title, command: '' };
}

interface Words {
  readonly words: Message;
  /** The culprit, in the grammar. */
  readonly place: { readonly start: number; readonly end: number } | undefined;
}

/** What the provider's engine says of a grammar; `undefined` until it is known. */
function engineWords(
  text: GrammarText,
  provider: string,
  findings: readonly Finding[],
  { verdicts }: ServerContext,
): Words | undefined {
  const opinion = verdicts.known({ syntax: 'lark', text: text.document.text });
  if (opinion === undefined) return undefined;
  if (opinion.state === 'taken') {
    const { failure } = opinion;
    if (failure === undefined) return { words: t('{0} accepts it', provider), place: undefined };
    const words = failure.always
      ? t('{0} loads it and gives up at the first character', provider)
      : t('{0} accepts it, but not every first character', provider);
    return { words, place: failure.culprits[0] };
  }
  if (opinion.state === 'gave-up') return { words: t('{0}: no verdict', provider), place: undefined };
  const found = findings.find(
    ({ rule, level, targets, span }) =>
      rule.startsWith('grammar/') &&
      level === 'error' &&
      (targets.includes('openai') || targets.includes('llguidance')) &&
      text.contains(span.start),
  );
  const reason = found === undefined ? opinion.refusal.message : firstClause(say(found.message));
  const place = found === undefined ? undefined : inGrammar(text, found.span);
  return { words: t('{0} refuses it: {1}', provider, shorten(reason, REASON_LENGTH)), place };
}

/** The place in the grammar of a place in its document. */
function inGrammar({ embedded }: GrammarText, { start, end }: Finding['span']): Words['place'] {
  return embedded === undefined ? { start, end } : { start: embedded.toText(start), end: embedded.toText(end) };
}

function larkWords({ loaded, parser, refusal }: LarkReading): Words {
  if (parser !== undefined) return { words: t('Lark accepts it'), place: undefined };
  const problem = loaded.problems[0];
  const place = problem === undefined ? undefined : problem.file === undefined ? problem.span : problem.importedAt;
  const reason = refusal === undefined ? '' : firstClause(say(refusal));
  return { words: t('Lark refuses it: {0}', shorten(reason, REASON_LENGTH)), place };
}

/** The beginning of a message, up to the first stop; without signs for code, which a lens would show as they are. */
function firstClause(text: string): string {
  const clause = /^.*?(?:[.,:;](?=\s|$)|[。，：；])/s.exec(text)?.[0].slice(0, -1) ?? text;
  return clause.replaceAll('`', '');
}

interface Row {
  readonly sample: AttachedSample;
  readonly engine: TextVerdict | undefined;
  readonly lark: LarkOpinion | undefined;
}

/** How many samples fit, and those that are worth a look: the ones that do not, or all. */
function sampleWords(
  rows: readonly Row[],
  judged: boolean,
  larkTakes: boolean,
): { words: Message; shown: readonly AttachedSample[] } {
  const all = rows.map(({ sample }) => sample);
  const byEngine = (row: Row): boolean =>
    row.engine !== undefined && row.engine !== 'gave-up' && 'verdict' in row.engine && row.engine.verdict.accepted;
  const byLark = (row: Row): boolean => row.lark?.state === 'accepted';
  const known = rows.every(({ engine }) => engine !== undefined);
  // Nothing is said while it is not known, and where no engine accepts the grammar.
  if (judged ? !known : !larkTakes)
    return { words: rows.length === 1 ? t('1 sample') : t('{0} samples', rows.length), shown: all };
  const fits = judged ? byEngine : byLark;
  const fitting = rows.filter(fits).length;
  const failing = rows.filter((row) => !fits(row)).map(({ sample }) => sample);
  const shown = failing.length === 0 ? all : failing;
  const differing = judged ? rows.filter((row) => row.lark !== undefined && byEngine(row) !== byLark(row)).length : 0;
  if (differing > 0) {
    const lark = rows.filter(byLark).length;
    return { words: t('{0} of {1} samples fit, {2} for Lark', fitting, rows.length, lark), shown };
  }
  return { words: t('{0} of {1} samples fit', fitting, rows.length), shown };
}

const readings = new WeakMap<GrammarDocument, { readonly world: readonly object[]; readonly reading: LarkReading }>();
const opinions = new WeakMap<LarkReading, Map<string, LarkOpinion>>();

/** A grammar as Lark reads it, once per text and imported texts. */
export function larkReading(text: GrammarText, world: World): LarkReading {
  const known = knownReading(text, world);
  if (known !== undefined) return known;
  const documents = world.texts.map(({ document }) => document);
  const reading = readForLark(text.document.text, world.importer(text.id), LARK_BUDGET);
  readings.set(text.document, { world: documents, reading });
  return reading;
}

const pending = new WeakMap<GrammarDocument, Promise<LarkReading | undefined>>();

/**
 * As `larkReading`, with turns for whatever comes in meanwhile; `undefined` when the document has changed before it was
 * read.
 */
export async function larkReadingInTurns(
  text: GrammarText,
  world: World,
  { files, grammarChecks }: ServerContext,
): Promise<LarkReading | undefined> {
  const known = knownReading(text, world);
  if (known !== undefined) return known;
  const others = pending.get(text.document);
  if (others !== undefined) {
    return (await others) && larkReading(text, world);
  }
  const steps = readForLarkSteps(text.document, world.importer(text.id), LARK_BUDGET);
  const wanted = (): boolean => files.sources.document(text.uri)?.version === text.version;
  const documents = world.texts.map(({ document }) => document);
  const read = grammarChecks.inTurns(steps, wanted);
  pending.set(text.document, read);
  try {
    const reading = await read;
    if (reading !== undefined) readings.set(text.document, { world: documents, reading });
    return reading;
  } finally {
    pending.delete(text.document);
  }
}

function knownReading(text: GrammarText, world: World): LarkReading | undefined {
  const known = readings.get(text.document);
  const same =
    known?.world.length === world.texts.length && known.world.every((each, i) => each === world.texts[i]!.document);
  return same ? known.reading : undefined;
}

/** What Lark says of a text; `undefined` where that would take too long. */
export function larkOpinion(reading: LarkReading, input: string): LarkOpinion | undefined {
  if (input.length > MOST_LARK_UNITS) return undefined;
  let known = opinions.get(reading);
  if (known === undefined) {
    known = new Map();
    opinions.set(reading, known);
  }
  let opinion = known.get(input);
  if (opinion === undefined) {
    opinion = judgeByLark(reading, input);
    known.set(input, opinion);
  }
  return opinion.state === 'rejected' && opinion.error.kind === 'too-complex' ? undefined : opinion;
}
