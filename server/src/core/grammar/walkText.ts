import { type Message, render, t } from '../text/message';
import { bytes } from '../text/words';
import type { ProviderAnswer, ProviderEnd, ProviderStep } from './provider';
import { MOST_WALKED_BYTES } from './providerJobs';
import { placeOfByte, utf8Bytes } from './providerText';
import { bytesText } from './providerWords';

/** Paints a part of a line where the output knows colors; leaves it alone elsewhere. */
export type WalkPaint = (text: string, color: 'red' | 'gray' | 'cyan') => string;

const UNPAINTED: WalkPaint = (text) => text;

/** One character of the text, or its end, with the steps of its bytes. */
interface Row {
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
  const next = (character: string, bytes: number): void => {
    const own = steps.slice(at, at + bytes);
    if (own.length > 0) rows.push({ line, column, text: character, steps: own });
    at += bytes;
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

interface Line {
  readonly place: string;
  shown: string;
  readonly next: string;
}

/**
 * A walk as a table: a line for each character where there was a choice, and one for each run where there was none.
 */
export function walkText(text: string, answer: ProviderAnswer, style: WalkPaint = UNPAINTED): string {
  const lines: Line[] = [];
  let run: { readonly line: Line; walked: string } | undefined;
  for (const row of rowsOf(text, answer.steps)) {
    const step = row.steps[0]!;
    const inRun = step.forced > 0 && step.error === undefined && taken(row);
    if (inRun && run !== undefined && step.forcedText === undefined) {
      run.walked += row.text;
      run.line.shown = JSON.stringify(run.walked);
      continue;
    }
    const shown = row.text === '' ? render(t('end')) : JSON.stringify(row.text);
    const line = { place: `${row.line}:${row.column}`, shown, next: nextText(step, taken(row), style) };
    lines.push(line);
    run = inRun ? { line, walked: row.text } : undefined;
  }
  const width = (of: (line: Line) => string, least: number): number =>
    lines.reduce((most, line) => Math.max(most, of(line).length), least);
  const words = { place: render(t('place')), text: render(t('text')), next: render(t('may come next')) };
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
function nextText(step: ProviderStep, isTaken: boolean, style: WalkPaint): string {
  if (step.error !== undefined) return `${style(render(t('the engine gives up')), 'red')}: ${plain(step.error)}`;
  const refused = isTaken || step.byte === undefined ? '' : `${style(render(t('refused')), 'red')}, `;
  if (step.forcedText !== undefined && step.forcedText !== '') {
    const forced = t('must be {0}', plain(JSON.stringify(shorten(step.forcedText))));
    return `${refused}${render(forced)} ${style(render(bytes(step.forced)), 'gray')}`;
  }
  const listed = bytesText(step.allowed);
  const end = step.end ? style(render(t('the end')), 'cyan') : '';
  if (listed === '') return refused + (end === '' ? render(t('nothing')) : end);
  if (end === '') return refused + listed;
  return refused + render(listed.includes(' but ') ? t('{0}, or {1}', listed, end) : t('{0} or {1}', listed, end));
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
