import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../server/src/cli/specs';
import { run } from './support';

describe('help and version', () => {
  test('without a command the help goes to standard error, and the use was wrong', async () => {
    const { code, out, err } = await run([]);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain('Usage: toolspec COMMAND [options]');
  });

  test.each([['--help'], ['-h'], ['help']])('%s lists exactly the commands that exist', async (flag) => {
    const { code, out, err } = await run([flag]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const listed = /Commands:\n([\s\S]*?)\n\n/
      .exec(out)?.[1]
      ?.split('\n')
      .map((line) => line.trim().split(' ')[0]);
    expect(listed).toEqual([
      'check',
      'compile',
      'wire',
      'grammar',
      'run',
      'fuzz',
      'snapshot',
      'convert',
      'search',
      'lsp',
    ]);
  });

  test.each(COMMANDS.map(({ name }) => [name]))('%s has a help that names every option', async (name) => {
    const { code, out } = await run([name, '--help']);
    expect(code).toBe(0);
    const spec = COMMANDS.find((command) => command.name === name)!;
    for (const option of Object.keys(spec.options)) expect(out).toContain(`--${option}`);
    expect(await run(['help', name])).toEqual({ code: 0, out, err: '' });
    expect(out.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });

  test.each(COMMANDS.flatMap(({ subcommands = [] }) => subcommands.map(({ name }) => [name])))(
    '%s has a help of its own',
    async (name) => {
      const words = name.split(' ');
      const { code, out } = await run([...words, '--help']);
      expect(code).toBe(0);
      const [first] = words;
      const spec = COMMANDS.find((command) => command.name === first)!.subcommands!.find((each) => each.name === name)!;
      expect(out.startsWith(`toolspec ${name}: `)).toBe(true);
      for (const option of Object.keys(spec.options)) expect(out).toContain(`--${option}`);
      expect(await run(['help', ...words])).toEqual({ code: 0, out, err: '' });
      expect(out.split('\n').filter((line) => line.length > 120)).toEqual([]);
      expect((await run([first!, '--help'])).out).toContain(`  ${words[1]} `);
    },
  );

  test('--version prints the version alone', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  });
});

describe('wrong use', () => {
  test.each([
    [['chekc'], 'There is no command "chekc". Did you mean check?'],
    [['launch'], 'There is no command "launch".'],
    [['--format', 'json'], 'There is no option --format before a command.'],
    [['help', 'chek'], 'There is no command "chek". Did you mean check?'],
    [['check', '--fromat', 'json'], 'toolspec check has no option --fromat. Did you mean --format?'],
    [['check', '-x'], 'toolspec check has no option -x.'],
    [['check', '--format'], '--format needs a value: text, json, sarif, github, junit.'],
    [['check', '--format', '--fix'], '--format needs a value: text, json, sarif, github, junit.'],
    [['check', '--format=sarf'], '--format takes text, json, sarif, github or junit, not "sarf". Did you mean sarif?'],
    [['check', '--fix=yes'], '--fix takes no value.'],
    [
      ['check', '--max-warnings', '-1'],
      '--max-warnings needs a value.\n"-1" looks like an option; as a value it is written --max-warnings=-1.\n',
    ],
    [['search', 'x', '-n', '-1'], '"-1" looks like an option; as a value it is written --limit=-1.\n'],
    [['wire', 'a', 'b'], 'Usage: toolspec wire FILE|- [options]\n'],
    [['convert'], 'Usage: toolspec convert FILE|- --to SHAPE [options]\n'],
    [['check', '--max-warnings=1.5'], '--max-warnings takes a whole number of zero or more, not "1.5".'],
    [['check', '--target', 'codx'], 'not "codx". Did you mean codex?'],
    [['compile'], 'toolspec compile needs a file, or - for standard input.'],
    [['compile', 'a', 'b'], 'toolspec compile takes one file, but "b" was given too.'],
    [['compile', 'a', '--jsonl'], 'With --jsonl the requests come from standard input, not from a file.'],
    [['wire'], 'toolspec wire needs a file, or - for standard input.'],
    [
      ['wire', 'a', '--mode', 'openai'],
      '--mode takes responses, lite, deferred, chat, mcp or anthropic, not "openai".',
    ],
    [['compile', 'a', '--profile', 'codex-1'], '--profile takes codex-0.171 or codex-0.148, not "codex-1".'],
    [['lsp'], 'toolspec lsp needs --stdio'],
    [['grammar'], 'toolspec grammar needs a command.'],
    [['grammar', 'pars'], 'There is no command "grammar pars". Did you mean grammar parse?'],
    [['grammar', 'parse'], 'toolspec grammar parse needs a grammar.'],
    [['grammar', 'parse', 'a.lark'], 'needs a text: a file, - for standard input, or --input TEXT.'],
    [['grammar', 'parse', 'a', 'b', '--input', ''], 'The text comes from --input or from b, not from both.'],
    [['grammar', 'parse', '-', '-'], 'Standard input holds the grammar or the text, not both.'],
    [['grammar', 'parse', 'a', 'b', 'c'], 'toolspec grammar parse takes 2 files, but "c" was given too.'],
    [['grammar', 'parse', 'a', '--jsonl'], 'With --jsonl the requests come from standard input, not from a file.'],
    [['grammar', 'parse', 'a', 'b', '--parser', 'lr'], '--parser takes earley or lalr, not "lr".'],
    [['grammar', 'generate', 'a', '--count', 'x'], '--count takes a whole number of zero or more, not "x".'],
    [['grammar', 'format', 'a', 'b'], 'The text of one file is printed; for several files say --check or --write.'],
    [['compile', '--jsonl', 'a.json'], 'not from a file'],
    [['compile', '--jsonl', '--trace'], '--jsonl and --trace do not go together'],
    [['wire', '--jsonl', '--profile', 'codex-0.148', '--mode', 'chat'], '--jsonl and --mode do not go together'],
    [['grammar', 'parse', '--jsonl', '--start', 'a'], '--jsonl and --start do not go together'],
    [['grammar', 'format', 'a', '--check', '--write'], '--check and --write do not go together'],
    [['grammar', 'format', '-', '--write'], 'Standard input cannot be written'],
    [['grammar', 'railroad'], 'toolspec grammar railroad needs a file.'],
    [['grammar', 'check'], 'toolspec grammar check needs a file.'],
    [['lsp', 'x', '--stdio'], 'toolspec lsp takes no path, but "x" was given.'],
  ])('%j', async (args, message) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err.startsWith('toolspec: ')).toBe(true);
  });

  test('what stands behind -- is a path, whatever it looks like', async () => {
    const { code, err } = await run(['check', '--', '--help']);
    expect(code).toBe(2);
    expect(err).toContain('--help does not exist.');
  });
});
