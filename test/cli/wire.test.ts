import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLAIN, responsesTool, root, run, workspace } from './support';

const WEATHER = 'samples/weather.tools.json';

describe('wire', () => {
  test('prints the exact JSON of one tool, and nothing else', async () => {
    const { code, out, err } = await run(['wire', WEATHER, '--tool', 'get_forecast']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const tool = JSON.parse(out);
    expect(out).toBe(`${JSON.stringify(tool)}\n`);
    expect(Object.keys(tool)).toEqual(['type', 'name', 'description', 'strict', 'parameters']);
    expect(Buffer.byteLength(JSON.stringify(tool.parameters))).toBe(1102);
    expect(tool.parameters.properties.place).toEqual({});
  });

  test('without --tool it is the list, with --request the body', async () => {
    const list = JSON.parse((await run(['wire', WEATHER])).out);
    expect(list.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['get_forecast', 'update_plan']),
    );
    const body = JSON.parse((await run(['wire', WEATHER, '--request'])).out);
    expect(Object.keys(body).slice(0, 4)).toEqual(['model', 'stream', 'input', 'tools']);
    expect(body.tools.map(({ name }: { name: string }) => name)).toContain('get_forecast');
  });

  test.each([
    ['chat', (tool: { function: { name: string } }) => tool.function.name],
    ['mcp', (tool: { name: string; inputSchema: object }) => (tool.inputSchema === undefined ? '' : tool.name)],
    ['anthropic', (tool: { name: string; input_schema: object }) => (tool.input_schema === undefined ? '' : tool.name)],
    ['lite', (tool: { name: string }) => tool.name],
  ])('mode %s', async (mode, nameOf) => {
    const { code, out } = await run(['wire', WEATHER, '--mode', mode, '--tool', 'update_plan']);
    expect(code).toBe(0);
    expect(nameOf(JSON.parse(out))).toBe('update_plan');
  });

  test('a deferred tool is found with its flag', async () => {
    const { out } = await run(['wire', WEATHER, '-m', 'deferred', '--tool', 'alerts.subscribe']);
    expect(JSON.parse(out)).toMatchObject({ name: 'subscribe', defer_loading: true });
  });

  test.skipIf(process.platform === 'win32')('a device that is named as a grammar is not read', async () => {
    const format = { type: 'grammar', syntax: 'lark', definition: { $file: '/dev/zero' } };
    const cwd = workspace({
      'a.tool.json': JSON.stringify({ type: 'custom', name: 'notes', description: 'x', format }),
    });
    expect((await run(['wire', 'a.tool.json'], { cwd })).err).toContain('/dev/zero');
    expect((await run(['search', 'notes', '--all', 'a.tool.json'], { cwd })).out).toContain(
      '"/dev/zero" cannot be read',
    );
  });

  test('--server names the namespace, else x-toolspec, else the file', async () => {
    const text = '[{"name":"a","description":"x","inputSchema":{"type":"object"},"annotations":{}}]';
    const cwd = workspace({ 'my-shop.tools.json': text });
    const name = async (...args: string[]) => JSON.parse((await run(['wire', ...args], { cwd })).out)[0].name;
    expect(await name('my-shop.tools.json')).toBe('mcp__my_shop');
    expect(await name('my-shop.tools.json', '--server', 'other')).toBe('mcp__other');
    expect(await name(path.join(root, 'samples/shop.mcp.tools.json'))).toBe('mcp__shop');
  });

  test('a grammar file is inlined, relative to the definitions', async () => {
    const format = { type: 'grammar', syntax: 'lark', definition: { $file: './g.lark' } };
    const tool = { type: 'custom', name: 'patch', description: 'x', format };
    const cwd = workspace({ 'sub/a.tools.json': JSON.stringify([tool]), 'sub/g.lark': 'start: "a"\n' });
    const { out } = await run(['wire', 'sub/a.tools.json', '--tool', 'patch'], { cwd });
    expect(JSON.parse(out).format.definition).toBe('start: "a"\n');
  });

  test('what Codex refuses is said on standard error with its place, and exit code 1', async () => {
    const tool = { type: 'function', name: 'a', description: 'x', inputSchema: { type: 'null' } };
    const cwd = workspace({ 'a.tools.json': JSON.stringify({ dynamicTools: [tool] }) });
    const { code, out, err } = await run(['wire', 'a.tools.json'], { cwd });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^a\.tools\.json:1:\d+: .*singleton null type/);
  });

  test('what is left out is said on standard error', async () => {
    const cwd = workspace({ 'a.tools.json': responsesTool('secret', PLAIN, { 'x-toolspec': { exposure: 'hidden' } }) });
    const { code, out, err } = await run(['wire', 'a.tools.json'], { cwd });
    expect({ code, out }).toEqual({ code: 0, out: '[]\n' });
    expect(err).toMatch(/^a\.tools\.json:4:5: secret: .*\n$/);
  });

  test.each([
    [['--tool', 'update_plan', '--request'], '--tool and --request do not go together'],
    [['--tool', 'nothing'], 'has no tool named nothing.'],
  ])('%j is wrong use', async (args, message) => {
    const { code, out, err } = await run(['wire', WEATHER, ...args]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });

  test('a name in two namespaces needs the namespace', async () => {
    const namespace = (name: string) => ({
      type: 'namespace',
      name,
      description: 'x',
      tools: [{ type: 'function', name: 'go', description: `Goes to ${name}.`, parameters: PLAIN }],
    });
    const cwd = workspace({ 'a.tools.json': JSON.stringify([namespace('one'), namespace('two')]) });
    const both = await run(['wire', 'a.tools.json', '--tool', 'go'], { cwd });
    expect(both.code).toBe(2);
    expect(both.err).toContain('Name one of one.go, two.go.');
    expect(JSON.parse((await run(['wire', 'a.tools.json', '--tool', 'two.go'], { cwd })).out).description).toBe(
      'Goes to two.',
    );
  });

  test.each([['{'], ['[{}]'], ['{"a":1}']])('%s holds no tools to send', async (text) => {
    const cwd = workspace({ 'a.json': text });
    const { code, out } = await run(['wire', 'a.json'], { cwd });
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('agrees with what compile says about every sample', async () => {
    const text = readFileSync(path.join(root, WEATHER), 'utf8');
    const names = [...text.matchAll(/"name": "([a-z_]+)",\n {4,8}"(?:type|description)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(names.length).toBeGreaterThan(5);
    for (const name of names.filter((each) => !['weather_archive', 'alerts'].includes(each))) {
      const { parameters } = JSON.parse((await run(['wire', WEATHER, '--tool', name])).out);
      const sent = /Sent +([\d,]+)\n/.exec((await run(['compile', WEATHER, '--tool', name])).out)?.[1];
      expect(`${name} ${sent}`).toBe(
        `${name} ${Buffer.byteLength(JSON.stringify(parameters)).toLocaleString('en-US')}`,
      );
    }
  });
});
