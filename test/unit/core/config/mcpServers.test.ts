// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are the variables of such files
import { expect, test } from 'vitest';
import { readMcpServers } from '../../../../server/src/core/config/mcpServers';
import { parseJson } from '../../../../server/src/core/text/json';
import { render } from '../../../../server/src/core/text/message';

const read = (value: unknown) =>
  readMcpServers(parseJson(JSON.stringify(value)), {
    workspaceFolder: '/w',
    userHome: '/h',
    env: (name) => (name === 'PORT' ? '80' : undefined),
  }).map(({ name, start }) => ({ name, start: 'problem' in start ? render(start.problem) : start }));

test('servers that are started over standard input and output', () => {
  expect(
    read({
      inputs: [],
      servers: {
        shop: {
          type: 'stdio',
          command: 'node',
          args: ['${workspaceFolder}/server.mjs', '--port=${env:PORT}', '${userHome}${/}x'],
          cwd: '${workspaceFolder}/sub',
          env: { TOKEN: '${env:SHOP_TOKEN}', LEVEL: 3, NONE: null },
        },
        bare: { command: 'shop-server' },
      },
    }),
  ).toEqual([
    {
      name: 'shop',
      start: {
        command: ['node', '/w/server.mjs', '--port=80', '/h/x'],
        cwd: '/w/sub',
        // Filled in when the server is started, so that no token gets into a file.
        env: new Map([
          ['TOKEN', '${env:SHOP_TOKEN}'],
          ['LEVEL', '3'],
        ]),
      },
    },
    { name: 'bare', start: { command: ['shop-server'], cwd: undefined, env: new Map() } },
  ]);
});

test('servers that cannot be started, with the reason', () => {
  expect(
    read({
      servers: {
        far: { type: 'http', url: 'https://example.com/mcp' },
        older: { type: 'sse', url: 'https://example.com/sse' },
        address: { url: 'https://example.com/mcp' },
        asks: { command: 'x', env: { KEY: '${input:api-key}' } },
        strange: { command: 'x', args: ['${command:pick}'] },
        file: { command: 'x', envFile: '.env' },
        empty: {},
      },
    }),
  ).toEqual([
    {
      name: 'far',
      start: 'It is reached over http. ToolSpec opens no connection, so it starts servers of the type "stdio" only.',
    },
    {
      name: 'older',
      start: 'It is reached over sse. ToolSpec opens no connection, so it starts servers of the type "stdio" only.',
    },
    {
      name: 'address',
      start: 'It is reached over http. ToolSpec opens no connection, so it starts servers of the type "stdio" only.',
    },
    {
      name: 'asks',
      start:
        'It asks for the input "api-key" when it starts, which ToolSpec cannot answer. Use a variable of the environment in its place.',
    },
    { name: 'strange', start: 'ToolSpec has no value for ${command:pick}.' },
    {
      name: 'file',
      start: 'It takes variables from a file ("envFile"), which ToolSpec does not read. Put them into "env".',
    },
    { name: 'empty', start: 'It has no "command" that could be started.' },
  ]);
});

test('the form that other programs share, and files that are something else', () => {
  expect(read({ mcpServers: { a: { command: 'x', args: ['y'] } } })).toMatchObject([
    { start: { command: ['x', 'y'] } },
  ]);
  expect(read([])).toEqual([]);
  expect(read({ servers: 5 })).toEqual([]);
});
