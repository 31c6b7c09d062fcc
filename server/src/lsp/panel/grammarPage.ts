import { walkLines, walkVerdict } from '../../core/grammar/walkText';
import { LineIndex } from '../../core/text/lines';
import { type Message, sentences, t } from '../../core/text/message';
import { utf8Length } from '../../core/text/utf8';
import { bytes, list, shorten } from '../../core/text/words';
import type {
  EmptyPage,
  GrammarPage,
  PanelAnswer,
  PanelLine,
  PanelLink,
  PanelMark,
  PanelParams,
  PanelVerdict,
} from '../../panelProtocol';
import { say, withoutBackticks } from '../language';
import { definitionsOf, diagramOf } from './grammarDiagram';
import { agreement, isAccepted, type Judged, judgeBoth, type LarkSays, reasonOf, stopOf } from './grammarJudge';
import { nextPart } from './grammarNext';
import type { GrammarParts, PanelGrammar } from './grammarSource';
import { treePart } from './grammarTree';
import { placeIn } from './place';

/** A walk may take this long, in milliseconds. */
const WALK_MILLISECONDS = 5_000;

/** So many steps are sent. */
const MOST_WALKED = 600;

/** The page about a grammar: what both engines say of an input, its tree, what may come next, and a diagram. */
export async function grammarPage(
  grammar: PanelGrammar,
  params: Pick<PanelParams, 'grammar' | 'drafts'>,
  parts: GrammarParts,
): Promise<GrammarPage | EmptyPage> {
  const { source } = grammar;
  const world = source === undefined ? undefined : await parts.grammars.world([source], true);
  const of = inputKey(grammar);
  const draft = params.drafts?.find((each) => each.of === of)?.text;
  const stored = draft === undefined ? (await parts.attached.of(grammar.id))[0] : undefined;
  const input = draft ?? stored?.input ?? '';
  const judged = await judgeBoth(grammar, world, input, parts.verdicts);
  const stop = stopOf(judged, input);
  const why = agreement(judged) === false ? reasonOf(judged, input) : undefined;
  const diagram =
    source === undefined || world === undefined ? null : diagramOf({ ...grammar, source }, world, params.grammar?.rule);
  return {
    name: 'grammar',
    of,
    answer: answerOf(judged, input, stop, why, grammar),
    definitions: source === undefined || world === undefined ? [] : definitionsOf(source, world),
    verdicts: verdictsOf(judged, input),
    input,
    from: stored === undefined ? '' : say(t('the sample `{0}`', stored.name ?? stored.tool)),
    marks: marksOf(judged, input, stop),
    stop,
    next: nextPart(judged, input, stop),
    tree:
      judged.reading === undefined
        ? { title: '', rows: [], note: say(t('A lone expression has no rules, so there is no tree.')) }
        : treePart(judged.reading, input, stop, judged.lark.verdict === 'accepted'),
    diagram,
    noDiagram: diagram !== null ? '' : noDiagram(grammar),
    walk: params.grammar?.walk === true ? await walkOf(grammar, input, parts) : null,
  };
}

/** Names the input of a grammar for drafts. */
export function inputKey({ id }: PanelGrammar): string {
  return `grammar ${id}`;
}

function noDiagram({ syntax }: PanelGrammar): string {
  return syntax === 'regex'
    ? say(t('The syntax is `regex`: one expression without rules, which the provider alone reads.'))
    : say(t('The grammar defines nothing yet.'));
}

function answerOf(
  judged: Judged,
  input: string,
  stop: number,
  why: Message | undefined,
  grammar: PanelGrammar,
): PanelAnswer {
  const { provider, lark } = judged;
  if (provider.state === 'refused') {
    const taken = lark.verdict !== 'refused' && lark.verdict !== 'not-asked';
    const title = taken
      ? t("The provider's engine refuses this grammar, Lark loads it.")
      : t("The provider's engine refuses this grammar.");
    const link = refusalLink(grammar, provider.refusal.offset);
    const detail = sentences(withStop(provider.refusal.message), t('The API refuses a tool with such a grammar.'));
    return { icon: 'error', title: say(title), detail: say(detail), ...(link === undefined ? {} : { link }) };
  }
  if (lark.verdict === 'refused' && provider.state !== 'judged') {
    return { icon: 'error', title: say(t('Lark refuses this grammar.')), detail: say(lark.reason) };
  }
  const agree = agreement(judged);
  if (agree === false) {
    const title = isAccepted(judged)
      ? lark.verdict === 'refused'
        ? t("The provider's engine accepts this input, Lark refuses the grammar.")
        : t("The engines differ: the provider's accepts this input, Lark does not.")
      : t("The engines differ: Lark accepts this input, the provider's does not.");
    return { icon: 'warning', title: say(title), detail: say(why ?? t('No known difference explains it.')) };
  }
  if (provider.state === 'gave-up') {
    const title = t("The provider's engine gave no answer.");
    return { icon: 'warning', title: say(title), detail: say(t('Generation with this grammar may hang or fail.')) };
  }
  const loads = agree === undefined ? undefined : t('Both engines load this grammar.');
  if (input === '' && !isAccepted(judged)) {
    const title = loads ?? t('The grammar loads.');
    return { icon: 'fine', title: say(title), detail: say(t('Write an input below, or generate one.')) };
  }
  const total = utf8Length(input);
  if (isAccepted(judged)) {
    const title = agree === true ? t('Both engines accept this input.') : t('The input fits.');
    return { icon: 'fine', title: say(title), detail: say(t('All of it fits: {0}.', bytes(total))) };
  }
  const taken = utf8Length(input.slice(0, stop));
  const both = agree === true && lark.verdict === 'rejected' && lark.offset === stop;
  const detail = both
    ? t('Both engines load this grammar and accept the same {0} of {1}.', taken, bytes(total))
    : t('{0} of {1} fit.', taken, bytes(total));
  if (stop >= input.length) {
    const title = t('The input is a beginning: it cannot end here.');
    return { icon: 'info', title: say(title), detail: say(detail) };
  }
  const { line } = new LineIndex(input).position(stop);
  const title = t('The input stops fitting on line {0}: `{1}` cannot stand there.', line + 1, wordAt(input, stop));
  return { icon: 'error', title: say(title), detail: say(detail) };
}

/** The word at an offset, for people. */
function wordAt(input: string, offset: number): string {
  const rest = input.slice(offset, offset + 200);
  const word = /^[\p{L}\p{N}_]+/u.exec(rest)?.[0] ?? /^(?:\r?\n)/.exec(rest)?.[0] ?? [...rest][0] ?? '';
  if (/^\r?\n/.test(word)) return '⏎';
  return withoutBackticks(shorten(word === ' ' ? '␣' : word, 24));
}

/** What the engine says, as a sentence: in its own words, which end with or without a stop. */
function withStop(text: string): Message {
  return /[.!?…]\s*$/.test(text) ? t('{0}', text.trimEnd()) : t('{0}.', text.trimEnd());
}

function refusalLink({ source }: PanelGrammar, offset: number | undefined): PanelLink | undefined {
  if (source === undefined) return undefined;
  const at = offset ?? 0;
  const place = placeIn(source.uri, source.lines, source.span({ start: at, end: at }));
  return { label: place.label, action: { kind: 'place', place } };
}

function verdictsOf(judged: Judged, input: string): GrammarPage['verdicts'] {
  const agree = agreement(judged);
  return {
    left: providerVerdict(judged, input),
    right: larkVerdict(judged.lark, input),
    ...(agree === undefined
      ? {}
      : {
          relation: agree ? { kind: 'agree', label: say(t('Agree')) } : { kind: 'differ', label: say(t('Differ')) },
        }),
  };
}

const line = (text: Message, dim = false): PanelLine => ({ text: say(text), dim });

function providerVerdict({ provider }: Judged, input: string): PanelVerdict {
  const title = say(t('Provider (llguidance), enforces it'));
  switch (provider.state) {
    case 'unavailable':
      return {
        title,
        verdict: 'not-run',
        label: say(t('Not run')),
        lines: [line(t("The provider's engine does not run here. {0}", provider.detail))],
      };
    case 'refused':
      return {
        title,
        verdict: 'rejected',
        label: say(t('Grammar refused')),
        lines: [line(withStop(provider.refusal.message))],
      };
    case 'gave-up': {
      const { end } = provider;
      const late = end.state === 'timed-out';
      const told = late
        ? t('No answer within {0} ms.', end.milliseconds)
        : end.state === 'crashed'
          ? t('{0}', shorten(end.detail, 300))
          : t('A newer question took the place of this one.');
      const label = late ? t('Timed out') : end.state === 'crashed' ? t('Crashed') : t('Not run');
      const verdict = late ? 'timed-out' : end.state === 'crashed' ? 'crashed' : 'not-run';
      return { title, verdict, label: say(label), lines: [line(told)] };
    }
    case 'judged': {
      const { verdict, generation } = provider.judged;
      const lines: PanelLine[] = [];
      if (verdict.error !== undefined) lines.push(line(t('The engine gave up: {0}', shorten(verdict.error, 300))));
      if (verdict.accepted) {
        const goesOn = generation !== undefined && provider.judged.next?.ok === true;
        const more = goesOn && provider.judged.next!.ok && provider.judged.next!.value.bytes.length > 0;
        lines.push(line(more ? t('The model can write this, and could go on.') : t('The model can write this.')));
        return { title, verdict: 'accepted', label: say(t('Accepted')), lines };
      }
      const early = verdict.offset >= input.length;
      const label = early ? t('Incomplete') : t('Rejected at byte {0}', verdict.prefix);
      const told = early
        ? t('The model cannot stop here.')
        : t('Line {0}, column {1}. The model cannot write this.', verdict.line, verdict.column);
      lines.push(line(told));
      return { title, verdict: 'rejected', label: say(label), lines };
    }
  }
}

function larkVerdict(lark: LarkSays, input: string): PanelVerdict {
  const title = say(t("Lark, often your handler's parser"));
  switch (lark.verdict) {
    case 'accepted':
      return { title, verdict: 'accepted', label: say(t('Accepted')), lines: [line(t('The tree stands below.'))] };
    case 'refused':
      return { title, verdict: 'rejected', label: say(t('Grammar refused')), lines: [line(lark.reason)] };
    case 'gave-up':
      return {
        title,
        verdict: 'not-run',
        label: say(t('Not judged')),
        lines: [line(t('The grammar is too complex for this text.'))],
      };
    case 'not-asked':
      return {
        title,
        verdict: 'not-run',
        label: say(t('Not run')),
        lines: [
          line(
            lark.reason === 'regex'
              ? t('Lark has no notion of a lone expression.')
              : t('The input is too long to be judged while you type. A run of a sample judges it.'),
          ),
        ],
      };
    case 'rejected': {
      const early = lark.offset >= input.length;
      const { line: row, character } = new LineIndex(input).position(lark.offset);
      const names = [...new Set(lark.expected.map(({ name, literal }) => shownName(name, literal)))];
      const lines = [
        line(early ? t('The text ends too early.') : t('Line {0}, column {1}.', row + 1, character + 1)),
        ...(names.length === 0 ? [] : [line(t('Expected {0}.', list(names, 5)), true)]),
      ];
      const label = early ? t('Incomplete') : t('Rejected');
      return { title, verdict: 'rejected', label: say(label), lines };
    }
  }
}

function shownName(name: string, literal: string | undefined): string {
  if (literal === undefined) return `\`${name}\``;
  return `\`${withoutBackticks(shorten(JSON.stringify(literal), 40))}\``;
}

/** What does not fit any more, and where Lark sees it where that is another place. */
function marksOf(judged: Judged, input: string, stop: number): PanelMark[] {
  if (isAccepted(judged) || stop >= input.length) return [];
  return [{ start: stop, end: input.length, kind: 'rest', title: say(t('Does not fit.')) }];
}

async function walkOf(
  { id, syntax, text }: PanelGrammar,
  input: string,
  { verdicts }: GrammarParts,
): Promise<NonNullable<GrammarPage['walk']>> {
  const job = { kind: 'walk', grammar: { syntax, text }, input } as const;
  const answer = await verdicts.ask(job, { key: `panel walk ${id}`, milliseconds: WALK_MILLISECONDS });
  if (answer === undefined) return { rows: [], verdict: say(t('The engine cannot run here.')) };
  if (answer.load?.ok === false) {
    const { message } = answer.load.refusal;
    return { rows: [], verdict: say(t("The provider's engine refuses the grammar: {0}", message)) };
  }
  const lines = walkLines(input, answer);
  const verdict = walkVerdict(input, answer);
  const more = lines.length - MOST_WALKED;
  return {
    rows: lines.slice(0, MOST_WALKED),
    verdict: say(more > 0 ? sentences(verdict, t('{0} more steps are not shown.', more)) : verdict),
  };
}
