import { type ParseArgsConfig, parseArgs } from 'node:util';
import { didYouMean } from '../core/text/words';
import { UsageError } from './io';

/** One option of a command: how it is parsed and what help says of it. */
export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  /** The placeholder for the value, as help shows it. */
  readonly value?: string;
  /** The only values that are taken. */
  readonly choices?: readonly string[];
  /** The empty text is a value too. */
  readonly empty?: boolean;
  /** One line for help. */
  readonly about: string;
}

/** A command as help and the parser need it. */
export interface CommandSpec {
  readonly name: string;
  /** What stands behind `toolspec <name>`. */
  readonly usage: readonly string[];
  /** One line for the list of commands. */
  readonly summary: string;
  /** Paragraphs below the usage. */
  readonly details: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Commands behind this one; their names start with its name. */
  readonly subcommands?: readonly CommandSpec[];
  readonly examples: readonly string[];
  /** How many positional arguments it takes. */
  readonly positionals: { readonly least: number; readonly most: number; readonly name: string };
}

/** What was typed, checked against the specification. */
export interface ParsedOptions {
  readonly positionals: readonly string[];
  /** Names of the options that were given. */
  readonly given: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  list(name: string): readonly string[];
}

/** Reads the arguments of a command. Throws `UsageError` for whatever the specification does not allow. */
export function parseOptions(spec: CommandSpec, args: readonly string[]): ParsedOptions {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, { type, short, multiple }] of Object.entries(spec.options)) {
    options[name] = { type, multiple: multiple ?? false, ...(short === undefined ? {} : { short }) };
  }
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(spec.options, token.name) ? spec.options[token.name] : undefined;
    if (option === undefined) throw unknownOption(spec, token.rawName);
    if (option.type === 'boolean') {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value.`);
      values.set(token.name, ['']);
      continue;
    }
    const value = token.value;
    const looksLikeOption = !token.inlineValue && value !== undefined && value.length > 1 && value.startsWith('-');
    if (value === undefined || (value === '' && option.empty !== true) || looksLikeOption) {
      throw new UsageError(
        `${token.rawName} needs a value${option.choices ? `: ${option.choices.join(', ')}` : ''}.`,
        looksLikeOption && option.choices === undefined
          ? `"${value}" looks like an option; as a value it is written --${token.name}=${value}.`
          : undefined,
      );
    }
    checkChoice(token.rawName, value, option.choices);
    const earlier = values.get(token.name);
    if (option.multiple && earlier !== undefined) earlier.push(value);
    else values.set(token.name, [value]);
  }
  checkPositionals(spec, positionals);
  return {
    positionals,
    given: [...values.keys()],
    flag: (name) => values.has(name),
    text: (name) => values.get(name)?.at(-1),
    list: (name) => values.get(name) ?? [],
  };
}

/**
 * Throws `UsageError` where something stands beside `--jsonl` that would be left aside: each request says itself what it
 * is about.
 *
 * @param taken names of the options that hold for all requests
 */
export function checkBatch(options: ParsedOptions, taken: readonly string[]): void {
  if (options.positionals.length > 0) {
    throw new UsageError('With --jsonl the requests come from standard input, not from a file.');
  }
  const other = options.given.find((name) => name !== 'jsonl' && !taken.includes(name));
  if (other !== undefined) {
    throw new UsageError(`--jsonl and --${other} do not go together: each request says itself what it is about.`);
  }
}

function unknownOption(spec: CommandSpec, rawName: string): UsageError {
  const guess = didYouMean(rawName.replace(/^-+/, ''), Object.keys(spec.options));
  return new UsageError(
    `toolspec ${spec.name} has no option ${rawName}.${guess === undefined ? '' : ` Did you mean --${guess}?`}`,
    `"toolspec ${spec.name} --help" lists the options.`,
  );
}

function checkChoice(rawName: string, value: string, choices: readonly string[] | undefined): void {
  if (choices === undefined || choices.includes(value)) return;
  const guess = didYouMean(value, choices);
  throw new UsageError(
    `${rawName} takes ${choices.length === 1 ? choices[0] : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`}, not "${value}".` +
      (guess === undefined ? '' : ` Did you mean ${guess}?`),
  );
}

function checkPositionals(spec: CommandSpec, positionals: readonly string[]): void {
  const { least, most, name } = spec.positionals;
  if (positionals.length < least) throw new UsageError(`toolspec ${spec.name} needs a ${name}.`, usageLine(spec));
  if (positionals.length > most) {
    const extra = positionals[most];
    throw new UsageError(
      most === 0
        ? `toolspec ${spec.name} takes no ${name}, but "${extra}" was given.`
        : `toolspec ${spec.name} takes ${most === 1 ? `one ${name}` : `${most} ${name}s`}, but "${extra}" was given too.`,
      usageLine(spec),
    );
  }
}

/** `Usage: toolspec check [PATH…] [options]`. */
export function usageLine(spec: CommandSpec): string {
  return `Usage: ${spec.usage.map((usage) => `toolspec ${spec.name} ${usage}`).join('\n       ')}`;
}

/** A whole number of zero or more that was typed for an option; `undefined` when the option was not given. */
export function wholeNumber(options: ParsedOptions, name: string): number | undefined {
  const text = options.text(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} takes a whole number of zero or more, not "${text}".`);
  return Number(text);
}
