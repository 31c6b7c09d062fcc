import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { grammarParseLine } from '../../server/src/core/grammar/jsonl';
import { root, workspace } from './support';

/** The command line as it is shipped. `npm test` builds it first. */
const CLI = path.join(root, 'dist/cli.js');

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

function toolspec(args: readonly string[], options: { cwd?: string; input?: string } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd: options.cwd ?? root,
    input: options.input ?? '',
    encoding: 'utf8',
    maxBuffer: 200_000_000,
    env: { ...process.env, FORCE_COLOR: '1' },
  });
  return { status, stdout, stderr };
}

describe('dist/cli.js', () => {
  test('can be run by itself and knows its version', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(execFileSync(CLI, ['--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
  });

  test('exit codes reach the shell, and nothing is colored in a pipe', () => {
    expect(toolspec(['check', 'samples/shop.mcp.tools.json']).status).toBe(0);
    const { status, stdout, stderr } = toolspec(['check', 'samples/orders.tools.json']);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^samples\/orders\.tools\.json:\d+:\d+ error /);
    expect(stdout + stderr).not.toContain('\u001b');
    expect(toolspec(['check', 'no/such/file']).status).toBe(2);
    expect(toolspec(['chekc']).status).toBe(2);
  });

  test('ends where an MCP server cannot be started', () => {
    const handlers = { t: { mcp: { command: ['server'] }, env: { A: '\0' } } };
    const cwd = workspace({
      't.tools.json': '[{"name":"t","description":"Does it.","inputSchema":{"type":"object"}}]',
      't.samples.json': JSON.stringify({
        definitions: ['./t.tools.json'],
        handlers,
        calls: [{ tool: 't', arguments: {} }],
      }),
    });
    const { status, stdout } = toolspec(['run'], { cwd });
    expect(stdout).toContain('Not started');
    expect(status).toBe(1);
  });

  test('output of many megabytes arrives whole before the end', () => {
    const line = `{"id":1,"inputSchema":{"type":"string","enum":["${'x'.repeat(1000)}"]}}\n`;
    const { status, stdout } = toolspec(['compile', '--jsonl'], { input: line.repeat(10_000) });
    expect(status).toBe(0);
    expect(stdout.length).toBeGreaterThan(10_000_000);
    expect(stdout.split('\n').length).toBe(10_001);
  });

  test('a reader that goes away ends it without a word', async () => {
    const cwd = workspace({ 'in.jsonl': '{"id":1,"inputSchema":{}}\n'.repeat(200_000) });
    const command = `"${process.execPath}" "${CLI}" compile --jsonl < in.jsonl | head -n 3`;
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' });
    expect(stdout.split('\n').length).toBe(4);
    expect(stderr).toBe('');
    const check = `"${process.execPath}" "${CLI}" check "${path.join(root, 'samples')}" --hints | head -n 1`;
    const checked = spawnSync('sh', ['-c', check], { cwd, encoding: 'utf8' });
    expect(checked.stdout.split('\n').length).toBe(2);
    expect(checked.stderr).not.toContain('EPIPE');
  });

  // A device of Linux that takes no byte.
  test.skipIf(!existsSync('/dev/full'))('output that cannot be written is said, with exit code 2', () => {
    for (const args of [
      ['check', 'samples'],
      ['wire', 'samples/weather.tools.json'],
      ['compile', '--jsonl'],
      ['run', 'samples/update_plan.samples.json'],
      ['--help'],
    ]) {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], {
        cwd: root,
        input: '{"id":1,"inputSchema":{}}\n'.repeat(3),
        stdio: ['pipe', full, 'pipe'],
        encoding: 'utf8',
      });
      closeSync(full);
      expect(stderr).toContain('toolspec: the output could not be written: ENOSPC: no space left on device, write.\n');
      expect(stderr.split('could not be written')).toHaveLength(2);
      expect(stderr).not.toContain('    at ');
      expect(status).toBe(2);
    }
  });

  test('answers each line while more are to come', async () => {
    const child = spawn(process.execPath, [CLI, 'compile', '--jsonl'], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    for (const id of [1, 2, 3]) {
      child.stdin.write(`{"id":${id},"inputSchema":{}}\n`);
      const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
      expect(JSON.parse(chunk.toString())).toMatchObject({ id, ok: true, schemaText: '{}' });
    }
    child.stdin.end();
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  test('grammar parse --jsonl answers the recorded cases of Lark as the sources do', () => {
    const file = readFileSync(path.join(root, 'test/vectors/lark/vectors.json'), 'utf8');
    const { vectors } = JSON.parse(file) as { vectors: (Record<string, unknown> & { inputs: { text: string }[] })[] };
    const lines = vectors.map(({ id, grammar, inputs, ...options }) =>
      JSON.stringify({ id, grammar, options, inputs: inputs.map(({ text }) => text) }),
    );
    const { status, stdout } = toolspec(['grammar', 'parse', '--jsonl'], { input: `${lines.join('\n')}\n` });
    expect(status).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual(lines.map((line) => grammarParseLine(line)));
  });

  test.each(['Content-Length: abc\r\n\r\n{}', '{"jsonrpc":"2.0","id":1,"method":"initialize"}\n'])(
    'lsp --stdio ends where its input is no stream of messages: %j',
    async (input) => {
      // The input stays open, as that of a client that waits for an answer.
      const child = spawn(process.execPath, [CLI, 'lsp', '--stdio'], { cwd: root, stdio: ['pipe', 'ignore', 'pipe'] });
      children.push(child);
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      child.stdin.write(input);
      const [code] = (await once(child, 'close')) as [number];
      expect(code).toBe(2);
      expect(said).toMatch(/^toolspec: standard input is no stream of messages .+ The server ends, .+\.\n$/);
    },
  );

  test('lsp --stdio is the language server', async () => {
    const child = spawn(process.execPath, [CLI, 'lsp', '--stdio'], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const params = { processId: null, rootUri: null, capabilities: {} };
    send(child, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const { capabilities } = (await answer(child)) as { capabilities: Record<string, unknown> };
    expect(capabilities['textDocumentSync']).toBeDefined();
    send(child, { jsonrpc: '2.0', id: 2, method: 'shutdown' });
    await answer(child);
    send(child, { jsonrpc: '2.0', method: 'exit' });
    expect((await once(child, 'exit'))[0]).toBe(0);
  });
});

function send(child: ChildProcess, message: object): void {
  const text = JSON.stringify(message);
  child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

/** The result of the next answer; notifications and requests of the server are passed over. */
async function answer(child: ChildProcess): Promise<unknown> {
  let text = '';
  for (;;) {
    const [chunk] = (await once(child.stdout!, 'data')) as [Buffer];
    text += chunk.toString();
    for (;;) {
      const head = /^Content-Length: (\d+)\r\n(?:[^\r]+\r\n)*\r\n/.exec(text);
      if (head === null || text.length < head[0].length + Number(head[1])) break;
      const message = JSON.parse(text.slice(head[0].length, head[0].length + Number(head[1])));
      text = text.slice(head[0].length + Number(head[1]));
      if ('result' in message) return message.result;
    }
  }
}
