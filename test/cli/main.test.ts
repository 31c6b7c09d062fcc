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
    expect(listed).toEqual(['check', 'compile', 'wire', 'lsp']);
  });

  test.each(COMMANDS.map(({ name }) => [name]))('%s has a help that names every option', async (name) => {
    const { code, out } = await run([name, '--help']);
    expect(code).toBe(0);
    const spec = COMMANDS.find((command) => command.name === name)!;
    for (const option of Object.keys(spec.options)) expect(out).toContain(`--${option}`);
    expect(await run(['help', name])).toEqual({ code: 0, out, err: '' });
    expect(out.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });

  test('--version prints the version alone', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  });
});

describe('wrong use', () => {
  test.each([
    [['chekc'], 'There is no command "chekc". Did you mean check?'],
    [['run'], 'There is no command "run".'],
    [['--format', 'json'], 'There is no option --format before a command.'],
    [['help', 'chek'], 'There is no command "chek". Did you mean check?'],
    [['check', '--fromat', 'json'], 'toolspec check has no option --fromat. Did you mean --format?'],
    [['check', '-x'], 'toolspec check has no option -x.'],
    [['check', '--format'], '--format needs a value: text, json, sarif, github, junit.'],
    [['check', '--format', '--fix'], '--format needs a value: text, json, sarif, github, junit.'],
    [['check', '--format=sarf'], '--format takes text, json, sarif, github or junit, not "sarf". Did you mean sarif?'],
    [['check', '--fix=yes'], '--fix takes no value.'],
    [['check', '--max-warnings', '-1'], '--max-warnings needs a value.'],
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
