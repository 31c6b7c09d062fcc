import type { ProviderAnswer, ProviderStep } from '../../core/grammar/provider';
import { bytesText } from '../../core/grammar/providerWords';
import { count, plain, type Style } from '../style';

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
    next(character, Buffer.byteLength(character));
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
export function walkText(text: string, answer: ProviderAnswer, style: Style): string {
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
    const shown = row.text === '' ? 'end' : JSON.stringify(row.text);
    const line = { place: `${row.line}:${row.column}`, shown, next: nextText(step, taken(row), style) };
    lines.push(line);
    run = inRun ? { line, walked: row.text } : undefined;
  }
  const width = (of: (line: Line) => string, least: number): number =>
    lines.reduce((most, line) => Math.max(most, of(line).length), least);
  const placeWidth = width(({ place }) => place, 'place'.length);
  const shownWidth = width(({ shown }) => shown, 'text'.length);
  const head = `${'place'.padEnd(placeWidth)}  ${'text'.padEnd(shownWidth)}  may come next`;
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
function nextText(step: ProviderStep, isTaken: boolean, style: Style): string {
  if (step.error !== undefined) return `${style('the engine gives up', 'red')}: ${plain(step.error)}`;
  const refused = isTaken || step.byte === undefined ? '' : `${style('refused', 'red')}, `;
  if (step.forcedText !== undefined && step.forcedText !== '') {
    const bytes = style(count(step.forced, 'byte'), 'gray');
    return `${refused}must be ${plain(JSON.stringify(shorten(step.forcedText)))} ${bytes}`;
  }
  const listed = bytesText(step.allowed);
  const end = step.end ? style('the end', 'cyan') : '';
  const parts = [listed, end].filter((part) => part !== '');
  return `${refused}${parts.length === 0 ? 'nothing' : parts.join(listed.includes(' but ') ? ', or ' : ' or ')}`;
}
