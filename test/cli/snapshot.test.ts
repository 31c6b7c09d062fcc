import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { processesWith } from '../../server/src/host/handlers/killTree';
import { root, run, workspace } from './support';

const SERVER = path.join(root, 'test/fixtures/handlers/mcpServer.cjs');
const EVERYTHING = path.join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const mcp = (kind: string, out = 'server.tools.json') => ({ mcp: { command: [process.execPath, SERVER, kind] }, out });
const printing = (text: string, out = 'my.tools.json') => ({
  command: [process.execPath, '-e', `process.stdout.write(${JSON.stringify(text)})`],
  out,
});
const config = (...sources: object[]) => JSON.stringify({ sources });

describe('toolspec snapshot', () => {
  test('stores all pages of an MCP server, and says so', async () => {
    const cwd = workspace({ 'toolspec.config.json': config(mcp('plain', 'out/server.tools.json')) });
    expect(await run(['snapshot'], { cwd })).toEqual({
      code: 0,
      out: 'out/server.tools.json: written, 7 tools\n',
      err: '',
    });
    const stored = readFileSync(path.join(cwd, 'out/server.tools.json'), 'utf8');
    expect(JSON.parse(stored).tools.map((each: { name: string }) => each.name)).toEqual([
      'search_orders',
      'fails',
      'wrong_result',
      'dies',
      'hangs',
      'reports',
      'echo',
    ]);
    expect(await run(['snapshot'], { cwd })).toMatchObject({ out: 'out/server.tools.json: up to date, 7 tools\n' });
    expect(await run(['snapshot', '--check'], { cwd })).toEqual({
      code: 0,
      out: '',
      err: 'The stored definitions are current.\n',
    });
  });

  test.each([
    ['never answers', [process.execPath, SERVER, 'silent'], 'did not answer "initialize" within 300 ms'],
    ['ends at once', [process.execPath, '-e', 'process.exit(3)'], 'ended with exit code 3'],
  ])('the command line itself ends when the server %s', (_, command, words) => {
    const source = { mcp: { command }, timeoutMs: 300, out: 'server.tools.json' };
    const cwd = workspace({ 'toolspec.config.json': config(source) });
    const cli = [path.join(root, 'dist/cli.js'), 'snapshot'];
    const { status, stderr } = spawnSync(process.execPath, cli, { cwd, encoding: 'utf8', timeout: 20_000 });
    expect(stderr).toContain(words);
    expect(status).toBe(2);
  });

  test('a server that refuses, and a file that is a folder, are told in whole sentences', async () => {
    const refuses = { mcp: { command: [process.execPath, SERVER, 'refuses'] }, out: 'server.tools.json' };
    const { code, err } = await run(['snapshot'], { cwd: workspace({ 'toolspec.config.json': config(refuses) }) });
    expect(code).toBe(2);
    expect(err).toMatch(/^toolspec: server\.tools\.json: The MCP server refused .*[^.]\. The file stays as it is\.\n/);
    const folder = { command: [process.execPath, '-p', '"[]"'], out: '.' };
    expect(await run(['snapshot'], { cwd: workspace({ 'toolspec.config.json': config(folder) }) })).toMatchObject({
      code: 2,
      err: 'toolspec: .: The stored file is a folder. The file stays as it is.\n',
    });
  });

  test('--check names tool and pointer, and writes nothing', async () => {
    const cwd = workspace({ 'toolspec.config.json': config(mcp('plain')) });
    await run(['snapshot'], { cwd });
    const file = path.join(cwd, 'server.tools.json');
    const before = readFileSync(file, 'utf8');
    writeFileSync(path.join(cwd, 'toolspec.config.json'), config(mcp('changed')));
    const expected = 'search_orders: /inputSchema/properties/limit/maximum was 50, is 100\n';
    expect(await run(['snapshot', '--check'], { cwd })).toEqual({
      code: 1,
      out: `server.tools.json: ${expected}`,
      err: '1 file is stale. "toolspec snapshot" writes what the code says now.\n',
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(await run(['snapshot'], { cwd })).toMatchObject({
      code: 0,
      out: `server.tools.json: written, 7 tools\n  ${expected}`,
    });
    expect(await run(['snapshot', '--check'], { cwd })).toMatchObject({ code: 0 });
  });

  test('a file that is not there yet is stale', async () => {
    const cwd = workspace({ 'toolspec.config.json': config(mcp('plain')) });
    expect(await run(['snapshot', '--check'], { cwd })).toMatchObject({
      code: 1,
      out: 'server.tools.json: does not exist yet, 7 tools\n',
    });
    expect(existsSync(path.join(cwd, 'server.tools.json'))).toBe(false);
  });

  test('stores what a program prints; its tools are checked like any others', async () => {
    const tool = {
      type: 'function',
      name: 'a',
      description: 'Does a.',
      parameters: { type: 'object', properties: {} },
    };
    const cwd = workspace({ 'toolspec.config.json': config(printing(JSON.stringify([tool]))) });
    expect(await run(['snapshot'], { cwd })).toMatchObject({ code: 0, out: 'my.tools.json: written, 1 tool\n' });
    expect(JSON.parse(readFileSync(path.join(cwd, 'my.tools.json'), 'utf8'))).toEqual([tool]);
    expect(await run(['check'], { cwd })).toMatchObject({ code: 0 });
  });

  test.each([
    ['prints no JSON', printing('Traceback: …'), 'What the program printed is no JSON, from line 1, column 1 on.'],
    ['prints nothing', printing(''), 'The program printed nothing.'],
    [
      'prints no tools',
      printing('{"a":1}'),
      'What the program printed is JSON, but none of the forms of tool definitions.',
    ],
    [
      'fails',
      { command: [process.execPath, '-e', 'console.error("no database"); process.exit(3)'], out: 'my.tools.json' },
      'The program ended with exit code 3.',
    ],
    [
      'hangs',
      { command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'], out: 'my.tools.json', timeoutMs: 100 },
      'The program did not end within 100 ms, so it was ended.',
    ],
    [
      'is not there',
      { command: ['no-such-program-here'], out: 'my.tools.json' },
      'The program "no-such-program-here" could not be started: there is no such program in the search path.',
    ],
    [
      'never answers',
      { ...mcp('silent', 'my.tools.json'), timeoutMs: 200 },
      'The MCP server did not answer "initialize" within 200 ms, so it was ended.',
    ],
    ['has no list', mcp('no-list', 'my.tools.json'), 'The MCP server refused to list its tools: no tools here.'],
    ['has no end', mcp('endless', 'my.tools.json'), 'The MCP server gives the same page of its tools again and again.'],
  ])('a source that %s leaves the file as it is', async (_, source, words) => {
    const cwd = workspace({ 'toolspec.config.json': config(source), 'my.tools.json': '[]\n' });
    const ran = await run(['snapshot'], { cwd });
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toContain(`toolspec: my.tools.json: ${words} The file stays as it is.\n`);
    expect(readFileSync(path.join(cwd, 'my.tools.json'), 'utf8')).toBe('[]\n');
  });

  test('what a failing source says stands below', async () => {
    const source = {
      command: [process.execPath, '-e', 'console.error("no database"); process.exit(3)'],
      out: 'my.tools.json',
    };
    const cwd = workspace({ 'toolspec.config.json': config(source) });
    expect((await run(['snapshot'], { cwd })).err).toContain('\n  no database\n');
  });

  test('paths choose sources', async () => {
    const tool = '[{"type":"function","name":"a","description":"","parameters":{"type":"object","properties":{}}}]';
    const cwd = workspace({
      'toolspec.config.json': config(printing(tool, 'a.tools.json'), printing(tool, 'b.tools.json')),
      'sub/toolspec.config.json': config(printing(tool, 'c.tools.json')),
    });
    expect((await run(['snapshot', 'b.tools.json'], { cwd })).out).toBe('b.tools.json: written, 1 tool\n');
    expect((await run(['snapshot', 'sub'], { cwd })).out).toBe('sub/c.tools.json: written, 1 tool\n');
    expect((await run(['snapshot'], { cwd })).out).toBe(
      'a.tools.json: written, 1 tool\nb.tools.json: up to date, 1 tool\nsub/c.tools.json: up to date, 1 tool\n',
    );
    expect(await run(['snapshot', 'other.json'], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining('No source of a toolspec.config.json writes other.json.'),
    });
  });

  describe('sources that write one file', () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) => JSON.stringify([{ name, inputSchema: {} }]));

    test.each([
      ['a.tools.json', 'a.tools.json'],
      ['a.tools.json', 'x/.././a.tools.json'],
    ])('are not run, and the others are: %s and %s', async (first, second) => {
      const cwd = workspace({
        'toolspec.config.json': config(printing(one!, first), printing(three!, 'b.tools.json'), printing(two!, second)),
        'a.tools.json': '[]\n',
      });
      const words =
        'toolspec: a.tools.json: 2 sources of toolspec.config.json write this file, and one would overwrite the other, so none of them is run. Give each an "out" of its own.\n';
      expect(await run(['snapshot'], { cwd })).toEqual({ code: 2, out: 'b.tools.json: written, 1 tool\n', err: words });
      expect(readFileSync(path.join(cwd, 'a.tools.json'), 'utf8')).toBe('[]\n');
      for (const args of [['--check'], ['--check', 'a.tools.json'], ['a.tools.json']]) {
        expect(await run(['snapshot', ...args], { cwd })).toEqual({ code: 2, out: '', err: words });
      }
      expect((await run(['check'], { cwd })).out).toMatch(
        /^toolspec\.config\.json:\S+ error A source before this one .* \[config\/shape\]$/m,
      );
    });

    test('stand in config files of two folders', async () => {
      const cwd = workspace({
        'toolspec.config.json': config(printing(one!, 'sub/a.tools.json')),
        'sub/toolspec.config.json': config(printing(two!, 'a.tools.json')),
      });
      const { code, err } = await run(['snapshot'], { cwd });
      expect(code).toBe(2);
      expect(err).toContain('2 sources of toolspec.config.json and sub/toolspec.config.json write this file');
      expect(existsSync(path.join(cwd, 'sub/a.tools.json'))).toBe(false);
    });

    test('one source that several paths lead to is one', async () => {
      const cwd = workspace({ 'toolspec.config.json': config(printing(one!, 'a.tools.json')), 'sub/x.txt': '' });
      expect(await run(['snapshot', '.', 'sub', 'toolspec.config.json', 'a.tools.json'], { cwd })).toMatchObject({
        code: 0,
        out: 'a.tools.json: written, 1 tool\n',
      });
    });
  });

  describe('a source that is none', () => {
    const sound = printing('[{"name":"a","inputSchema":{}}]', 'a.tools.json');
    const command = ['x'];

    test.each<[string, unknown, RegExp]>([
      ['without a file', { command }, /:1:\d+ "out" is missing here\.\n/],
      ['without a program', { out: 'b.tools.json' }, /:1:\d+ A source has one of the keys "mcp" and "command"\.\n/],
      ['with two of them', { out: 'b', command, mcp: { command } }, /:1:\d+ A source has one of the keys/],
      ['with a program that is no list', { out: 'b', command: 'x' }, /:1:\d+ This must be a list\.\n/],
      ['with a server without a program', { out: 'b', mcp: {} }, /:1:\d+ "command" is missing here\.\n/],
      ['with a file that is no text', { out: 1, command }, /:1:\d+ This must be a string\.\n/],
      ['that is no object', 'b', /:1:\d+ This must be an object\.\n/],
    ])('%s, is told beside one that is run, and fails', async (_, faulty, words) => {
      const cwd = workspace({ 'toolspec.config.json': JSON.stringify({ sources: [faulty, sound] }) });
      const written = await run(['snapshot'], { cwd });
      expect(written).toMatchObject({ code: 2, out: 'a.tools.json: written, 1 tool\n' });
      for (const { code, err } of [written, await run(['snapshot', '--check', '.', '.'], { cwd })]) {
        expect(code).toBe(2);
        expect(err).toMatch(words);
        expect(err).toMatch(/^toolspec: toolspec\.config\.json:/);
        expect(err.match(/\n/g)).toHaveLength(1);
        expect(err).not.toContain('current');
      }
      // Who asks for the file of another source has nothing to do with it.
      expect(await run(['snapshot', '--check', 'a.tools.json'], { cwd })).toMatchObject({ code: 0 });
    });

    test('is told where its file is asked for', async () => {
      const faulty = { out: 'b.tools.json', command: [] };
      const cwd = workspace({ 'toolspec.config.json': JSON.stringify({ sources: [sound, faulty] }) });
      const { code, err } = await run(['snapshot', 'b.tools.json'], { cwd });
      expect(code).toBe(2);
      expect(err).toMatch(/^toolspec: toolspec\.config\.json:1:\d+ This list must not be empty\.\n$/);
    });

    test.each([
      ['a list that is none', '{"sources": {"command": ["x"]}}', ':1:2 This must be a list.'],
      ['a config file that is broken', `{"sources": [${JSON.stringify(sound)}, {"out": }]}`, ''],
    ])('%s', async (_, text, words) => {
      const { code, err } = await run(['snapshot', '--check'], { cwd: workspace({ 'toolspec.config.json': text }) });
      expect(code).toBe(2);
      expect(err).toContain(`toolspec: toolspec.config.json:1:`);
      expect(err).toContain(words);
    });
  });

  test('without sources there is nothing to do', async () => {
    expect(await run(['snapshot'], { cwd: workspace({ 'toolspec.config.json': '{}' }) })).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no toolspec.config.json with "sources" here.'),
    });
  });

  test('variables of the environment get through where a source asks for them', async () => {
    process.env['SNAPSHOT_TEST'] = 'tool_from_outside';
    const script = `console.log(JSON.stringify([{type:'function',name:process.env.NAME,description:'',parameters:{type:'object',properties:{}}}]))`;
    const source = {
      command: [process.execPath, '-e', script],
      out: 'my.tools.json',
      env: { NAME: ['$', '{env:SNAPSHOT_TEST}'].join('') },
    };
    const cwd = workspace({ 'toolspec.config.json': config(source) });
    await run(['snapshot'], { cwd });
    delete process.env['SNAPSHOT_TEST'];
    expect(readFileSync(path.join(cwd, 'my.tools.json'), 'utf8')).toContain('"tool_from_outside"');
  });

  test('a program that is stopped leaves no process behind', async () => {
    const mark = randomUUID();
    const source = {
      command: ['sh', '-c', 'sleep 1000 & echo started > pipe; wait'],
      out: 'my.tools.json',
      env: { SNAPSHOT_MARK: mark },
    };
    const cwd = workspace({ 'toolspec.config.json': config(source) });
    execFileSync('mkfifo', [path.join(cwd, 'pipe')]);
    const child = spawn(process.execPath, [path.join(root, 'dist/cli.js'), 'snapshot'], { cwd, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    for await (const piece of createReadStream(path.join(cwd, 'pipe'))) expect(String(piece)).toBe('started\n');
    child.kill('SIGTERM');
    expect(await ended).toBe('SIGTERM');
    await vi.waitFor(() => expect(processesWith([`SNAPSHOT_MARK=${mark}`])).toEqual([]));
  });

  test('the reference server of MCP', async () => {
    const cwd = workspace({
      'toolspec.config.json': config({
        mcp: { command: [process.execPath, EVERYTHING] },
        out: 'everything.tools.json',
      }),
    });
    const ran = await run(['snapshot'], { cwd });
    expect(ran).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^everything\.tools\.json: written, \d+ tools\n$/),
    });
    expect(await run(['snapshot', '--check'], { cwd })).toMatchObject({ code: 0 });
  });
});
