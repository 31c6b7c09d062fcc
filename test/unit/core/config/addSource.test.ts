import { describe, expect, test } from 'vitest';
import { addSource, sourceEntry } from '../../../../server/src/core/config/addSource';
import { readConfig } from '../../../../server/src/core/config/read';
import { applyEdits } from '../../../../server/src/core/text/edits';
import { parseJson } from '../../../../server/src/core/text/json';

const start = (command: string[], cwd?: string, env: [string, string][] = []) => ({ command, cwd, env: new Map(env) });

describe('the entry for a server', () => {
  test('has paths from the folder of the config file', () => {
    expect(sourceEntry({ name: 'shop' }, start(['node', '/w/dist/server.mjs', '--root=/w', '/w']), '/w')).toEqual({
      mcp: { command: ['node', 'dist/server.mjs', '--root=/w', '.'] },
      out: 'shop.tools.json',
    });
    expect(sourceEntry({ name: 'a/b c' }, start(['/w/bin/serve', '/other/x']), '/w')).toEqual({
      mcp: { command: ['./bin/serve', '/other/x'] },
      out: 'a-b-c.tools.json',
    });
  });

  test('has paths from the folder that the server starts in', () => {
    expect(sourceEntry({ name: 's' }, start(['node', '/w/sub/a.mjs', '/w/b.json'], '/w/sub'), '/w').mcp).toEqual({
      command: ['node', 'a.mjs', '../b.json'],
      cwd: 'sub',
    });
    expect(sourceEntry({ name: 's' }, start(['node', '/w/a.mjs'], '/w'), '/w').mcp).toEqual({
      command: ['node', 'a.mjs'],
    });
    expect(sourceEntry({ name: 's' }, start(['node', '/w/a.mjs'], '/far'), '/w').mcp).toEqual({
      command: ['node', '/w/a.mjs'],
      cwd: '/far',
    });
  });

  test('has the variables', () => {
    expect(sourceEntry({ name: '..' }, start(['x'], undefined, [['A', 'b']]), '/w')).toEqual({
      mcp: { command: ['x'], env: { A: 'b' } },
      out: 'server.tools.json',
    });
  });
});

describe('a config file with one more source', () => {
  const entry = { mcp: { command: ['node', 's.mjs'] }, out: 's.tools.json' };
  const added = (text: string) => applyEdits(text, addSource(parseJson(text), entry));
  const outs = (text: string) => readConfig(parseJson(text)).sources.map(({ out, command }) => [out, ...command]);

  test.each([
    ['an empty file', '', [['s.tools.json', 'node', 's.mjs']]],
    ['no sources', '{\n  "targets": ["mcp"]\n}\n', [['s.tools.json', 'node', 's.mjs']]],
    [
      'another source',
      '{ "sources": [{ "command": ["x"], "out": "x.tools.json" }] } // mine\n',
      [
        ['x.tools.json', 'x'],
        ['s.tools.json', 'node', 's.mjs'],
      ],
    ],
    [
      'one for the same file',
      '{"sources":[{"command":["x"],"out":"s.tools.json"}]}',
      [['s.tools.json', 'node', 's.mjs']],
    ],
    ['something else there', '{"sources": 5}', [['s.tools.json', 'node', 's.mjs']]],
  ])('from %s', (_, text, expected) => {
    const result = added(text);
    expect(parseJson(result).problems.filter(({ code }) => code !== 'comment')).toEqual([]);
    expect(outs(result)).toEqual(expected);
    if (text.includes('mine')) expect(result).toMatch(/\/\/ mine\n$/);
    if (text.includes('targets')) expect(result).toContain('"targets": ["mcp"]');
  });
});
