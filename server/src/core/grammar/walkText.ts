import { type Message, render, type Translate, t } from '../text/message';
import { bytes } from '../text/words';
import type { ProviderAnswer, ProviderEnd, ProviderStep } from './provider';
import { MOST_WALKED_BYTES } from './providerJobs';
import { placeOfByte, utf8Bytes } from './providerText';
import { bytesWords } from './providerWords';

/** Paints a part of a line where the output knows colors; leaves it alone elsewhere. */
export type WalkPaint = (text: string, color: 'red' | 'gray' | 'cyan') => string;

const UNPAINTED: WalkPaint = (text) => text;

/** One character of the text, or its end, with the steps of its bytes. */
interface Row {
  /** Where it begins in the text, in UTF-16 units. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  /** The character; empty at the end of the text. */
  readonly text: string;
  readonly steps: readonly ProviderStep[];
}

/** The characters of a walked text, as far as it was walked. */
function rowsOf(text: string, steps: readonly ProviderStep[]): Row[] {
  const rows: Row[] = [];
  let line = 1;
  let column = 1;
  let at = 0;
  let offset = 0;
  const next = (character: string, bytes: number): void => {
    const own = steps.slice(at, at + bytes);
    if (own.length > 0) rows.push({ offset, line, column, text: character, steps: own });
    at += bytes;
    offset += character.length;
    column += character.length;
    if (character === '\n') {
      line++;
      column = 1;
    }
  };
  for (const character of text) {
    if (at >= steps.length) break;
    next(character, utf8Bytes(character).length);
  }
  next('', 1);
  return rows;
}

const taken = ({ steps }: Row): boolean => steps.every((step) => step.taken);

/** A line of the table of a walk: a character where there was a choice, or a run where there was none. */
export interface WalkLine {
  /** Line and column, from 1. */
  readonly place: string;
  readonly shown: string;
  /** What may come there. */
  readonly next: string;
  /** The character cannot come there. */
  readonly refused: boolean;
  /** The part of the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

type Line = { -readonly [key in keyof WalkLine]: WalkLine[key] };

/** The lines of a walk: one for each character where there was a choice, and one for each run where there was none. */
export function walkLines(
  text: string,
  answer: ProviderAnswer,
  style: WalkPaint = UNPAINTED,
  translate?: Translate,
): readonly WalkLine[] {
  const say = (message: Message): string => render(message, translate);
  const lines: Line[] = [];
  let run: { readonly line: Line; walked: string } | undefined;
  for (const row of rowsOf(text, answer.steps)) {
    const step = row.steps[0]!;
    const inRun = step.forced > 0 && step.error === undefined && taken(row);
    if (inRun && run !== undefined && step.forcedText === undefined) {
      run.walked += row.text;
      run.line.shown = JSON.stringify(run.walked);
      run.line.end = row.offset + row.text.length;
      continue;
    }
    const shown = row.text === '' ? say(t('end')) : JSON.stringify(row.text);
    const line: Line = {
      place: `${row.line}:${row.column}`,
      shown,
      next: nextText(step, taken(row), style, say),
      refused: !taken(row) && step.byte !== undefined,
      start: row.offset,
      end: row.offset + row.text.length,
    };
    lines.push(line);
    run = inRun ? { line, walked: row.text } : undefined;
  }
  return lines;
}

/** A walk as a table. */
export function walkText(
  text: string,
  answer: ProviderAnswer,
  style: WalkPaint = UNPAINTED,
  translate?: Translate,
): string {
  const lines = walkLines(text, answer, style, translate);
  const width = (of: (line: WalkLine) => string, least: number): number =>
    lines.reduce((most, line) => Math.max(most, of(line).length), least);
  const say = (message: Message): string => render(message, translate);
  const words = { place: say(t('place')), text: say(t('text')), next: say(t('may come next')) };
  const placeWidth = width(({ place }) => place, words.place.length);
  const shownWidth = width(({ shown }) => shown, words.text.length);
  const head = `${words.place.padEnd(placeWidth)}  ${words.text.padEnd(shownWidth)}  ${words.next}`;
  const table = lines.map(
    ({ place, shown, next }) =>
      `${style(place.padEnd(placeWidth), 'gray')}  ${plain(shown).padEnd(shownWidth)}  ${next}`,
  );
  return `${[style(head, 'gray'), ...table].join('\n')}\n`;
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}

/** What may come at a step, the end included. */
function nextText(step: ProviderStep, isTaken: boolean, style: WalkPaint, say: (message: Message) => string): string {
  if (step.error !== undefined) return `${style(say(t('the engine gives up')), 'red')}: ${plain(step.error)}`;
  const refused = isTaken || step.byte === undefined ? '' : `${style(say(t('refused')), 'red')}, `;
  if (step.forcedText !== undefined && step.forcedText !== '') {
    const forced = t('must be {0}', plain(JSON.stringify(shorten(step.forcedText))));
    return `${refused}${say(forced)} ${style(say(bytes(step.forced)), 'gray')}`;
  }
  const words = bytesWords(step.allowed);
  const listed = render(words);
  const end = step.end ? style(say(t('the end')), 'cyan') : '';
  if (listed === '') return refused + (end === '' ? say(t('nothing')) : end);
  if (end === '') return refused + say(words);
  return refused + say(listed.includes(' but ') ? t('{0}, or {1}', words, end) : t('{0} or {1}', words, end));
}

/** Whether a walk reached the end of its text, and whether generation could stop there. `prefix` counts bytes. */
export function walkOutcome(
  text: string,
  { end, steps }: ProviderAnswer,
): { readonly accepted: boolean; readonly prefix: number } {
  const last = steps.at(-1);
  const prefix = last === undefined ? 0 : last.at + (last.taken ? 1 : 0);
  const accepted = end.state === 'done' && last?.end === true && last.byte === undefined;
  return { accepted: accepted && prefix === utf8Bytes(text).length, prefix };
}

/** What came of a walk, as a sentence. */
export function walkVerdict(text: string, answer: ProviderAnswer): Message {
  const { accepted, prefix } = walkOutcome(text, answer);
  if (accepted) return t('The text is accepted.');
  if (answer.end.state !== 'done') return endMessage(answer.end);
  const last = answer.steps.at(-1);
  const { line, column } = placeOfByte(text, prefix);
  const place = `${line}:${column}`;
  if (last?.error !== undefined) return t('At {0} the engine gives up, so generation fails there.', place);
  if (prefix === utf8Bytes(text).length) return t('The text is a beginning: it cannot end here.');
  if (prefix >= MOST_WALKED_BYTES) return t('Only the first {0} were walked.', bytes(MOST_WALKED_BYTES));
  return t('The text is refused at {0}, after {1}.', place, bytes(prefix));
}

/** Why a walk did not come to its end. */
function endMessage(end: Exclude<ProviderEnd, { readonly state: 'done' }>): Message {
  switch (end.state) {
    case 'timed-out':
      return t(
        'The engine did not come back within {0} s: generation hangs after the last line.',
        String(end.milliseconds / 1000),
      );
    case 'crashed':
      return t('The engine broke ({0}): {1}', end.cause, plain(end.detail));
    case 'outdated':
      return t('A newer question took the place of this one.');
    case 'unavailable':
      return t('The engine cannot run here: {0}', plain(end.detail));
  }
}

/** Text of a line: line breaks become spaces, and control characters are spelled out. */
function plain(text: string): string {
  return text
    .replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ')
    .replace(
      /[\u0000-\u001f\u007f-\u009f]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
