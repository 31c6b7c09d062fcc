import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseGrammar } from '../../server/src/core/grammar/parse';
import { parseJson } from '../../server/src/core/text/json';
import { readTools } from '../../server/src/core/tools/read';
import { run } from './support';

interface Snippet {
  readonly prefix: readonly string[];
  readonly description: string;
  readonly body: readonly string[];
}

interface Manifest {
  readonly contributes: {
    readonly snippets: readonly { readonly language: string; readonly path: string }[];
    readonly problemMatchers: readonly { readonly name: string; readonly pattern: { readonly regexp: string } }[];
  };
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

/** What a snippet leaves when every stop is taken as it stands. */
function taken({ body }: Snippet): string {
  let text = body.join('\n');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text
      .replace(/\$\{\d+\|([^,|]*)[^}]*\|\}/g, '$1')
      .replace(/\$\{\d+:((?:[^{}\\]|\\.)*)\}/g, '$1')
      .replace(/(?<!\\)\$\d+/g, '');
  }
  return text.replace(/\\([$}\\])/g, '$1');
}

function snippets(path: string): [string, Snippet][] {
  return Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, Snippet>);
}

describe('snippets', () => {
  test('are offered in JSON, JSON with comments and Lark', () => {
    expect(manifest.contributes.snippets.map(({ language }) => language)).toEqual(['json', 'jsonc', 'lark']);
  });

  test.each(snippets('snippets/json.json'))('%s is whole JSON', (_, snippet) => {
    expect(parseJson(taken(snippet)).problems).toEqual([]);
  });

  test.each(snippets('snippets/json.json').filter(([name]) => /tool/i.test(name) && !/Namespace/.test(name)))(
    '%s is read as a tool',
    (_, snippet) => {
      expect(readTools(parseJson(taken(snippet)), { baseName: 'a' }).tools).toHaveLength(1);
    },
  );

  test.each(snippets('snippets/lark.json'))('%s can be read as a grammar', (_, snippet) => {
    expect(parseGrammar(taken(snippet)).problems).toEqual([]);
  });
});

test('the problem matcher reads every line that check writes about a finding', async () => {
  const pattern = new RegExp(manifest.contributes.problemMatchers[0]!.pattern.regexp);
  const { out } = await run(['check', 'samples', '--hints', '--target', 'all']);
  const lines = out.split('\n').filter((line) => / (?:error|warning|info|hint) /.test(line) && line.endsWith(']'));
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(line).toMatch(pattern);
});
