import { type CharSet, complement } from './charSet';
import type { CaseMode } from './pythonCase';
import { ASCII_DIGIT, ASCII_SPACE, ASCII_WORD, pythonDigit, pythonSpace, pythonWord } from './unicodeTables';

/** Flags that hold at a place of a Python expression. */
export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly verbose: boolean;
  readonly ascii: boolean;
}

export const NO_FLAGS: Flags = { ignoreCase: false, multiline: false, dotAll: false, verbose: false, ascii: false };

/** `L` is known and always refused; `t` refuses repeats. */
export const FLAG_LETTERS = 'aiLmstux';
export const TYPE_FLAGS = 'auL';

export function caseMode(flags: Flags): CaseMode {
  if (!flags.ignoreCase) return 'exact';
  return flags.ascii ? 'ascii' : 'unicode';
}

/** Flags inside of `(?add-remove:…)`. */
export function changed(flags: Flags, add: ReadonlySet<string>, remove: ReadonlySet<string>): Flags {
  const value = (letter: string, before: boolean) => (before || add.has(letter)) && !remove.has(letter);
  return {
    ignoreCase: value('i', flags.ignoreCase),
    multiline: value('m', flags.multiline),
    dotAll: value('s', flags.dotAll),
    verbose: value('x', flags.verbose),
    ascii: add.has('a') || (flags.ascii && !add.has('u')),
  };
}

/** What `\d`, `\S` and the like match; `undefined` for other letters. */
export function namedSet(letter: string, flags: Flags): CharSet | undefined {
  switch (letter) {
    case 'd':
    case 'D':
      return signed(letter === 'D', flags.ascii ? ASCII_DIGIT : pythonDigit());
    case 's':
    case 'S':
      return signed(letter === 'S', flags.ascii ? ASCII_SPACE : pythonSpace());
    case 'w':
    case 'W':
      return signed(letter === 'W', flags.ascii ? ASCII_WORD : pythonWord());
    default:
      return undefined;
  }
}

function signed(negative: boolean, set: CharSet): CharSet {
  return negative ? complement(set) : set;
}
