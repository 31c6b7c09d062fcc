import { type LarkReading, terminalName } from '../../core/calls/contractLark';
import { whatComesNext } from '../../core/grammar/next';
import { charactersText } from '../../core/grammar/providerWords';
import { type Message, t } from '../../core/text/message';
import { shorten } from '../../core/text/words';
import type { GrammarPage, PanelNext } from '../../panelProtocol';
import { say, translation } from '../language';
import { type Judged, MOST_FOR_LARK } from './grammarJudge';

/** So many are offered. */
const MOST = 24;

/** Characters of an offer that are shown. */
const SHOWN = 48;

/** What may come where the input stops: terminals to put in, and what the provider's mask lets through. */
export function nextPart(judged: Judged, input: string, stop: number): GrammarPage['next'] {
  const { reading, provider } = judged;
  const options = reading === undefined || stop > MOST_FOR_LARK ? [] : optionsOf(reading, input.slice(0, stop));
  const notes: Message[] = [];
  if (provider.state === 'judged') {
    const { next, generation, verdict } = provider.judged;
    if (generation?.error !== undefined) {
      notes.push(t('The engine gives up here, so generation fails: {0}', shorten(generation.error, 200)));
    } else if (generation !== undefined && generation.forced !== '') {
      notes.push(t('A model has no choice here: `{0}` is forced.', visible(shorten(generation.forced, 80))));
    }
    if (next?.ok === true && !next.value.within) {
      const { characters, more } = next.value;
      const shown = characters.length === 0 && !more ? '' : charactersText(characters, more, translation());
      if (shown !== '') notes.push(t('The provider allows: {0}.', shown.replaceAll('`', 'U+0060')));
    }
    if (verdict.mayEnd) notes.push(t('Generation could stop here.'));
  }
  if (options.length === 0 && notes.length === 0) notes.push(nothingNext(judged));
  const at = input.codePointAt(stop);
  const title = at === undefined ? t('') : t('instead of `{0}`', visible(String.fromCodePoint(at)));
  return { title: say(title), options, notes: notes.map(say) };
}

/** Why nothing is offered. */
function nothingNext({ provider, lark }: Judged): Message {
  const refused = provider.state === 'refused' || (lark.verdict === 'refused' && provider.state !== 'judged');
  return refused ? t('The grammar is refused, so no text can be written by it.') : t('Nothing is known to fit here.');
}

function optionsOf(reading: LarkReading, beginning: string): PanelNext[] {
  const parser = reading.parser ?? reading.lenient;
  if (parser === undefined) return [];
  const found = new Map<string, PanelNext>();
  for (const { name, begun, rest, literal, ignored } of whatComesNext(parser, beginning).terminals) {
    // What is complete and could be longer has no next text of its own.
    if (ignored || rest === undefined || rest === '' || found.size >= MOST) continue;
    const shown = terminalName(reading, name);
    const insert = rest;
    if (found.has(insert)) continue;
    const label = literal === undefined ? shorten(shown, SHOWN) : visible(shorten(rest, SHOWN));
    const title =
      literal === undefined
        ? say(t('{0}, for example {1}', shown, JSON.stringify(shorten(begun + rest, SHOWN))))
        : JSON.stringify(literal);
    found.set(insert, { begun: literal === undefined ? '' : visible(begun), label, insert, title });
  }
  return [...found.values()];
}

/** Text in a line, with line ends and tabs as signs. */
function visible(text: string): string {
  return text.replace(/\r?\n/g, '⏎').replaceAll('\t', '⇥');
}
