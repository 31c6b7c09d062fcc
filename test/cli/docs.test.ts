import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, run, workspace } from './support';

/** A command as a page prints it, with what the page says that it prints. */
interface Printed {
  readonly page: string;
  readonly command: string;
  readonly output: string | undefined;
}

/** Pages whose commands are tried. */
const PAGES = ['README.md', ...readdirSync(path.join(root, 'docs')).flatMap((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);

/** The commands in the code blocks of a page: after `$ ` with what they print, or alone in a block of a shell. */
function printedIn(page: string): Printed[] {
  const text = readFileSync(path.join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].flatMap(([, language, block = '']): Printed[] => {
    const [first = '', ...rest] = block.trimEnd().split('\n');
    if (first.startsWith('$ toolspec ')) return [{ page, command: first.slice(2), output: rest.join('\n') }];
    if (language !== 'sh' && language !== 'yaml') return [];
    return block.split('\n').flatMap((line): Printed[] => {
      const command = /(?:^|npx )(toolspec .*)$/.exec(line)?.[1];
      return command === undefined ? [] : [{ page, command, output: undefined }];
    });
  });
}

/** The words behind `toolspec`, as a shell gives them; where output goes, and what is a remark, is left out. */
function wordsOf(command: string): string[] {
  const [, ...words] = command.replace(/\$\{\{.*\}\}/, 'main').match(/"[^"]*"|\S+/g)!;
  const end = words.findIndex((word) => word === '>' || word === '#');
  return words.slice(0, end < 0 ? undefined : end).map((word) => word.replace(/^"(.*)"$/, '$1'));
}

/** What a page says is printed, as an expression: an ellipsis stands for what is left out, and times are never the same. */
function asPattern(output: string): RegExp {
  const lines = output.split('\n').map((line) => {
    if (line.trim() === '…') return '[^]*';
    const escaped = line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.*');
    return escaped.replace(/ +<?\d+ ms$/, ' +<?\\d+ ms');
  });
  return new RegExp(`^${lines.join('\n').replaceAll('\n[^]*', '[^]*')}$`);
}

const all = PAGES.flatMap(printedIn);
const isSample = ({ command }: Printed): boolean => command.includes('samples/');

describe('commands that pages print', () => {
  test('there are many', () => {
    expect(all.length).toBeGreaterThan(25);
    expect(all.filter((each) => each.output !== undefined && isSample(each)).length).toBeGreaterThan(8);
  });

  test.each(all.filter((each) => each.output !== undefined && isSample(each)))(
    '$page: $command prints what the page says',
    async ({ command, output }) => {
      const { code, out, err } = await run(wordsOf(command));
      const printed = [out, err, out + err].map((each) => each.trimEnd());
      const pattern = asPattern(output!);
      expect(printed.some((each) => pattern.test(each)) ? pattern.source : out + err).toEqual(pattern.source);
      expect(code).toBeLessThan(2);
    },
  );

  test('docs/drift.md: the report of a search, shortened', async () => {
    const page = readFileSync(path.join(root, 'docs/drift.md'), 'utf8');
    const shown = /`toolspec (fuzz \S+ --format json)`[\s\S]*?```\n([\s\S]*?)```/.exec(page)!;
    const { out } = await run(shown[1]!.split(' '));
    const { drifts, ...rest } = JSON.parse(out) as { drifts: object[] };
    const told = JSON.parse(shown[2]!) as { drifts: object[] };
    const shortened = JSON.parse(JSON.stringify({ ...rest, drifts: drifts.slice(0, 1) }), (key, value: unknown) =>
      key === 'shrunkFrom' || (key === 'feedback' && value !== '') ? '…' : value,
    ) as object;
    expect(told).toEqual(shortened);
  });

  // These are about files of the reader's own: the samples stand in for those.
  test.each(all.filter((each) => each.output === undefined))('$page: $command is understood', async ({ command }) => {
    const words = wordsOf(command);
    // What it compares with, and what it runs, is not there.
    if (words.some((word) => word.startsWith('git:')) || words[0] === 'snapshot') return;
    const cwd = workspace();
    for (const folder of ['', 'tools', 'samples']) {
      cpSync(path.join(root, 'samples'), path.join(cwd, folder), { recursive: true });
    }
    const { code, err } = await run([...words, ...(words[0] === 'run' ? ['--no-handlers'] : [])], { cwd });
    expect(code, err).toBeLessThan(2);
  });
});
