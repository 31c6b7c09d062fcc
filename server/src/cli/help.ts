import { type CommandSpec, usageLine } from './options';
import { COMMANDS } from './specs';

/** Pads the first of two columns. */
function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

/** The last word of a command's name, and what it does. */
function commandRow({ name, summary }: CommandSpec): readonly [string, string] {
  return [name.slice(name.lastIndexOf(' ') + 1), summary];
}

/** What `toolspec --help` prints. */
export function generalHelp(): string {
  return [
    'ToolSpec checks tool definitions for language models and shows what is really sent.',
    '',
    'Usage: toolspec COMMAND [options]',
    '',
    'Commands:',
    ...table(COMMANDS.map(commandRow)),
    '',
    'Options:',
    ...table([
      ['-h, --help', 'this text, or behind a command the text for it'],
      ['-v, --version', 'the version'],
    ]),
    '',
    'Exit codes: 0 fine, 1 findings of level error (or a tool that Codex refuses), 2 wrong use or unreadable input.',
    '',
  ].join('\n');
}

/** What `toolspec COMMAND --help` prints. */
export function commandHelp(spec: CommandSpec): string {
  const options = Object.entries(spec.options).map(([name, { short, value, about }]) => {
    const long = `--${name}${value === undefined ? '' : ` ${value}`}`;
    return [short === undefined ? `    ${long}` : `-${short}, ${long}`, about] as const;
  });
  return [
    `toolspec ${spec.name}: ${spec.summary}.`,
    '',
    usageLine(spec),
    '',
    ...spec.details,
    '',
    ...(spec.subcommands === undefined ? [] : ['Commands:', ...table(spec.subcommands.map(commandRow)), '']),
    'Options:',
    ...table([...options, ['-h, --help', 'this text']]),
    '',
    'Examples:',
    ...spec.examples.map((example) => `  ${example}`),
    '',
  ].join('\n');
}
