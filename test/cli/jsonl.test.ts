import { describe, expect, test } from 'vitest';
import { lines } from '../../server/src/cli/jsonl';
import { run } from './support';

async function split(...chunks: (string | Uint8Array)[]): Promise<string[]> {
  async function* input(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }
  const found: string[] = [];
  for await (const line of lines(input(), 20)) found.push('text' in line ? line.text : `! ${line.failure}`);
  return found;
}

describe('lines', () => {
  test('end at line feeds alone, wherever chunks are cut', async () => {
    const text = 'a\u2028b\r\nc\rd\n\né😀\nlast';
    const expected = ['a\u2028b', 'c\rd', '', 'é😀', 'last'];
    expect(await split(text)).toEqual(expected);
    const bytes = Buffer.from(text);
    expect(await split(...Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(expected);
  });

  test('bytes that are not UTF-8 are a failure of their line, never replaced', async () => {
    const broken = '! The line is not UTF-8.';
    expect(await split('a\n', Uint8Array.of(0x62, 0xff, 0x0a), 'c\n', Uint8Array.of(0xc3))).toEqual([
      'a',
      broken,
      'c',
      broken,
    ]);
    expect(await split('\ufeffa\n\ufeffb')).toEqual(['\ufeffa', '\ufeffb']);
  });

  test('a line that is too long for the memory is not kept, and the next one is read', async () => {
    const long = '! The line has more than 20 bytes.';
    const twenty = 'é'.repeat(10);
    expect(await split(`${twenty}\n${twenty}x\nb\n`)).toEqual([twenty, long, 'b']);
    expect(await split(...Array.from({ length: 30 }, () => 'x'), '\nb\n', 'y'.repeat(100))).toEqual([long, 'b', long]);
  });

  test('a line feed at the end opens no further line', async () => {
    expect(await split('a\n')).toEqual(['a']);
    expect(await split('')).toEqual([]);
    expect(await split('\n')).toEqual(['']);
  });
});

const COMPILE = '{"id":7,"inputSchemaText":"{\\"type\\":\\"object\\",\\"properties\\":{\\"a\\":{\\"const\\":1.50}}}"}';

describe('--jsonl', () => {
  test('compile answers each line in order; a bad one stops nothing', async () => {
    const input = [`${COMPILE}\nnonsense\n`, '\n[]\n{"id":"x","inputSchema":{"type":"null"}}'];
    const { code, out } = await run(['compile', '--jsonl'], { input });
    expect(code).toBe(0);
    const answers = out.split('\n');
    expect(answers.pop()).toBe('');
    expect(answers[0]).toBe(
      '{"id":7,"ok":true,"schemaText":"{\\"type\\":\\"object\\",\\"properties\\":{\\"a\\":{\\"type\\":\\"string\\",\\"enum\\":[1.50]}}}","bytes":68,"passes":[],"unreachable":[]}',
    );
    expect(answers.slice(1).map((line) => JSON.parse(line))).toMatchObject([
      { id: null, ok: false },
      { id: null, ok: false },
      { id: null, ok: false },
      { id: 'x', ok: false, error: 'tool input schema must not be a singleton null type', pointer: '/type' },
    ]);
  });

  test('a line that is not UTF-8 is no request', async () => {
    const input = [Buffer.from('{"id":1,"inputSchema":{"description":"\xff"}}\n', 'latin1'), COMPILE];
    const { code, out } = await run(['compile', '--jsonl'], { input });
    expect(code).toBe(0);
    const [first, second] = out.split('\n');
    expect(first).toBe('{"id":null,"ok":false,"error":"The line is not UTF-8."}');
    expect(JSON.parse(second!)).toMatchObject({ id: 7, ok: true });
  });

  test('wire answers each line', async () => {
    const request = {
      id: 'f',
      route: 'function',
      input: { name: 'a', description: 'A.', inputSchema: { type: 'object', properties: {} } },
    };
    const { code, out } = await run(['wire', '--jsonl'], { input: [JSON.stringify(request)] });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      id: 'f',
      ok: true,
      wireText:
        '{"type":"function","name":"a","description":"A.","strict":false,"parameters":{"type":"object","properties":{}}}',
      warnings: [],
    });
  });

  test('--profile counts', async () => {
    const input = ['{"id":1,"inputSchema":{"type":"array","minItems":2}}'];
    const texts = await Promise.all(
      ['codex-0.171', 'codex-0.148'].map((profile) => run(['compile', '--jsonl', '--profile', profile], { input })),
    );
    expect(texts.map(({ out }) => out.includes('minItems'))).toEqual([true, false]);
  });

  test('a line of 5 MB and a million levels are answered', async () => {
    const long = `{"id":"long","inputSchema":{"type":"object","properties":{"a":{"type":"string","enum":["${'x'.repeat(5_000_000)}"]}}}}\n`;
    const deep = `{"id":"deep","inputSchema":${'{"items":'.repeat(1_000_000)}{}${'}'.repeat(1_000_000)}}\n`;
    const { code, out } = await run(['compile', '--jsonl'], { input: [long, deep, COMPILE] });
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map(({ id, ok }) => [id, ok]),
    ).toEqual([
      ['long', true],
      ['deep', false],
      [7, true],
    ]);
  });

  test('a line whose tree would fill the memory is refused, and the next one is answered', async () => {
    const input = ['{"id":1,"inputSchema":', Buffer.alloc(7_000_000, '['), `\n${COMPILE}`];
    const { code, out } = await run(['compile', '--jsonl'], { input });
    expect(code).toBe(0);
    const [first, second] = out.split('\n').map((line) => line && JSON.parse(line));
    expect(first).toEqual({ id: null, ok: false, error: 'The line holds more than 4,000,000 JSON values.' });
    expect(second).toMatchObject({ id: 7, ok: true });
  });

  test('stops when the reader has gone', async () => {
    const input = Array.from({ length: 100 }, () => `${COMPILE}\n`);
    const { code, out } = await run(['compile', '--jsonl'], { input, closed: (text) => text.split('\n').length > 5 });
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n').length).toBeLessThan(10);
  });
});
