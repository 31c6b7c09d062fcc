import { Languages, UNKNOWN } from '../../grammar/regex/automaton';
import { parsePythonRegex } from '../../grammar/regex/parsePython';
import { type Message, t } from '../../text/message';
import { bound, countBound, keyword, type SchemaView } from './schemaView';
import { scalar, stringValue, type Value } from './value';

/**
 * A value that a scalar's schema speaks of.
 *
 * - `branch`: something that the schema names, to be covered
 * - `extra`: allowed too, and apt to surprise a handler
 * - `beyond`: one step outside of what the schema allows
 */
export interface ScalarChoice {
  /** What a branch is called, a value or a type as it is written; only branches are shown. */
  readonly label: Message | string;
  readonly value: Value;
  readonly kind: 'branch' | 'extra' | 'beyond';
}

const FORMATS: ReadonlyMap<string, readonly [fine: readonly string[], wrong: readonly string[]]> = new Map([
  [
    'date-time',
    [
      ['2026-01-31T12:30:00Z', '2024-02-29T23:59:59.123+02:00'],
      ['2026-01-31', '2026-13-01T00:00:00Z'],
    ],
  ],
  [
    'date',
    [
      ['2026-01-31', '2024-02-29'],
      ['31.01.2026', '2023-02-29'],
    ],
  ],
  [
    'time',
    [
      ['12:30:00Z', '23:59:59+02:00'],
      ['25:00:00Z', '12:30'],
    ],
  ],
  ['duration', [['P1D', 'PT1H30M'], ['1 day']]],
  [
    'email',
    [
      ['a@example.com', 'a.b+c@example.org'],
      ['a@', 'example.com'],
    ],
  ],
  [
    'hostname',
    [
      ['example.com', 'a'],
      ['-a.com', 'a b'],
    ],
  ],
  [
    'ipv4',
    [
      ['127.0.0.1', '255.255.255.255'],
      ['256.0.0.1', '1.2.3'],
    ],
  ],
  [
    'ipv6',
    [
      ['::1', '2001:db8::1'],
      [':::', '1::2::3'],
    ],
  ],
  ['uuid', [['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']]],
  [
    'uri',
    [
      ['https://example.com/a?b=c#d', 'urn:a:b'],
      ['a b', '/relative'],
    ],
  ],
  ['uri-reference', [['/a', 'https://example.com'], ['\\\\a']]],
  ['regex', [['a+'], ['(']]],
  ['json-pointer', [['', '/a/0'], ['a']]],
]);

/** Texts that handlers stumble over: blank, beyond ASCII, paths, what reads as another type. */
const SURPRISES = [' ', '0', 'é😀', 'null', 'a\nb', '../a', '/a', 'a/b', '\u0000', '-', 'a'.repeat(300)];

/** Longer texts are not made for the sake of a limit. */
const MOST_LENGTH = 10_000;

export function stringChoices(view: SchemaView): readonly ScalarChoice[] {
  const least = countBound(view, 'minLength', 'most') ?? 0;
  const most = countBound(view, 'maxLength', 'least');
  const out: ScalarChoice[] = [];
  const add = (kind: ScalarChoice['kind'], label: ScalarChoice['label'], text: string): void => {
    out.push({ kind, label, value: stringValue(text) });
  };
  const fits = (text: string): boolean => {
    const { length } = [...text];
    return length >= least && (most === undefined || length <= most);
  };
  const format = FORMATS.get(keyword(view, 'format')[0]?.string ?? '');
  const pattern = keyword(view, 'pattern')[0]?.string;
  if (pattern !== undefined) {
    for (const text of patternSamples(pattern).filter(fits).slice(0, 6)) {
      add(out.length === 0 ? 'branch' : 'extra', t('the pattern'), text);
    }
    for (const text of ['', ' ', 'a', '0', '~ ~', '\n']) add('beyond', 'not the pattern', text);
  } else if (format !== undefined) {
    format[0].filter(fits).forEach((text, i) => {
      add(i === 0 ? 'branch' : 'extra', t('the format'), text);
    });
    for (const text of format[1]) add('beyond', 'not the format', text);
  } else if (least > MOST_LENGTH) return out;
  else {
    const length = Math.max(least, Math.min(1, most ?? 1));
    add('branch', characters(length), 'a'.repeat(length));
    if (least === 0) add('branch', t('the empty text'), '');
    if (most !== undefined && most !== length && most <= MOST_LENGTH) {
      add('branch', characters(most), 'a'.repeat(most));
    }
    for (const text of SURPRISES.filter(fits)) add('extra', 'a surprising text', text);
    if (least > 1 && least <= 300) add('extra', 'blanks', ' '.repeat(least));
  }
  if (least > 0) {
    add('beyond', 'too short', 'a'.repeat(least - 1));
    if (least > 1) add('beyond', 'the empty text', '');
  }
  if (most !== undefined && most < MOST_LENGTH) add('beyond', 'too long', 'a'.repeat(most + 1));
  return out;
}

function characters(count: number): Message {
  return count === 1 ? t('1 character') : t('{0} characters', count);
}

/** Texts that an expression matches, as far as its dialect is one that can be read. */
function patternSamples(pattern: string): readonly string[] {
  const { tree } = parsePythonRegex(pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, ''));
  if (tree === undefined) return [];
  const languages = new Languages();
  const language = languages.ofTree(tree);
  if (language === UNKNOWN) return [];
  const samples = languages.samples(language, { count: 8, seed: 1 });
  return samples === UNKNOWN ? [] : samples;
}

export function numberChoices(view: SchemaView, integer: boolean): readonly ScalarChoice[] {
  const step = keyword(view, 'multipleOf').map(({ text }) => Number(text))[0];
  const unit = step !== undefined && step > 0 ? step : integer ? 1 : 0.5;
  const inclusive = { least: bound(view, 'minimum', 'most'), most: bound(view, 'maximum', 'least') };
  const exclusive = { least: bound(view, 'exclusiveMinimum', 'most'), most: bound(view, 'exclusiveMaximum', 'least') };
  const whole = integer || step !== undefined;
  const up = (value: number): number => (whole ? Math.ceil(value / unit) * unit : value);
  const down = (value: number): number => (whole ? Math.floor(value / unit) * unit : value);
  const lows = [inclusive.least, exclusive.least === undefined ? undefined : exclusive.least + unit];
  const highs = [inclusive.most, exclusive.most === undefined ? undefined : exclusive.most - unit];
  const low = lows.reduce((a, b) => (a === undefined ? b : b === undefined ? a : Math.max(a, b)));
  const high = highs.reduce((a, b) => (a === undefined ? b : b === undefined ? a : Math.min(a, b)));
  const least = low === undefined ? undefined : up(low);
  const most = high === undefined ? undefined : down(high);
  const fits = (value: number): boolean =>
    (least === undefined || value >= least) && (most === undefined || value <= most);
  const out: ScalarChoice[] = [];
  const add = (kind: ScalarChoice['kind'], label: ScalarChoice['label'], ...values: number[]): void => {
    for (const value of values) if (Number.isFinite(value)) out.push({ kind, label, value: scalar(spelled(value)) });
  };
  const first = least ?? (fits(0) ? 0 : most!);
  add('branch', least === undefined ? spelled(first) : t('the least, {0}', spelled(least)), first);
  if (most !== undefined && most !== first) add('branch', t('the most, {0}', spelled(most)), most);
  if (least === undefined && fits(-unit)) add('branch', t('a negative number'), -unit);
  if (most === undefined) add('branch', t('a greater number'), first + unit);
  if (!whole && fits(first + 0.25)) add('branch', t('a fraction'), first + 0.25);
  add(
    'extra',
    'a number',
    ...[0, 1, -1, 42, 2 ** 31, 2 ** 53, -(2 ** 31) - 1].filter((each) => fits(each) && each % unit === 0),
  );
  if (most === undefined) {
    for (const text of ['18446744073709551616', '1e3'])
      out.push({ kind: 'extra', label: 'a number', value: scalar(text) });
  }
  if (integer) out.push({ kind: 'extra', label: 'a whole number as a fraction', value: scalar(`${first}.0`) });
  if (least !== undefined) add('beyond', 'less than the least', least - unit);
  if (inclusive.least === undefined && exclusive.least !== undefined) add('beyond', 'the bound', exclusive.least);
  if (most !== undefined) add('beyond', 'more than the most', most + unit);
  if (inclusive.most === undefined && exclusive.most !== undefined) add('beyond', 'the bound', exclusive.most);
  if (whole) add('beyond', 'no multiple', first + unit / 2);
  return out;
}

/** A number in JSON's spelling, without what computing with fractions left behind. */
function spelled(value: number): string {
  return String(Number(value.toPrecision(15)));
}
