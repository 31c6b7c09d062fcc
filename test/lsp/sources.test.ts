import { afterEach, describe, expect, test } from 'vitest';
import { t } from '../../server/src/core/text/message';
import type { SourceHost } from '../../server/src/lsp/sources';
import { METHODS } from '../../server/src/protocol';
import type { ImportSourceResult, SnapshotsResult, SourceServersResult } from '../../server/src/sourcesProtocol';
import { FOLDER, rangeOf, Session } from './harness';

let session: Session;
afterEach(() => session.stop());

const tools = (maximum: number): string =>
  `${JSON.stringify(
    {
      tools: [
        {
          name: 'search',
          description: 'Searches.',
          inputSchema: { type: 'object', properties: { limit: { type: 'integer', maximum } } },
        },
      ],
    },
    undefined,
    2,
  )}\n`;

const CONFIG = `{
  "targets": ["codex"],
  "sources": [{ "command": ["node", "dump.mjs"], "out": "shop.tools.json" }]
}
`;

const SERVERS = `{
  // The shop.
  "servers": {
    "shop": { "command": "node", "args": ["\${workspaceFolder}/server.mjs"] },
    "far": { "type": "http", "url": "https://example.com" }
  }
}
`;

const files = {
  [`${FOLDER}/toolspec.config.json`]: CONFIG,
  [`${FOLDER}/shop.tools.json`]: tools(50),
  [`${FOLDER}/.vscode/mcp.json`]: SERVERS,
};

/** Sources that say this, and remember what was run. */
function host(state: Awaited<ReturnType<SourceHost['state']>>): { sources: () => Promise<SourceHost>; ran: string[] } {
  const ran: string[] = [];
  return {
    ran,
    sources: async () => ({
      async state({ command, out }, folder) {
        ran.push(`${folder}: ${command.join(' ')} > ${out}`);
        return state;
      },
      variables: () => ({ workspaceFolder: '/project', userHome: '/home', env: () => undefined }),
    }),
  };
}

const start = async ({ sources }: { sources: () => Promise<SourceHost> }, trusted = true): Promise<void> => {
  session = await Session.start({ files, host: { sources }, initialization: { trusted, commands: true } });
};
const STALE = { state: 'stale', tools: 1, differences: [], text: tools(100), notes: [] } as const;

describe('snapshots', () => {
  test('that are stale have a finding for each difference, with the fix', async () => {
    const given = host(STALE);
    await start(given);
    const uri = await session.open('shop.tools.json', tools(50));
    expect(await session.rules(uri)).not.toContain('source/stale-snapshot');
    const { failure, snapshots } = await session.request<SnapshotsResult>(METHODS.snapshots, { uri });
    expect([failure, snapshots.map(({ out, state }) => `${out} ${state}`)]).toEqual([null, [`${uri} stale`]]);
    expect(given.ran).toEqual([`${FOLDER}: node dump.mjs > shop.tools.json`]);
    const [stale] = (await session.diagnostics(uri)).filter(({ code }) => code === 'source/stale-snapshot');
    expect(stale!.message).toBe(
      'The stored definitions are not what their source says now: search: /inputSchema/properties/limit/maximum was 50, is 100.',
    );
    expect(stale!.range).toEqual(rangeOf(tools(50), '"maximum"'));
    const actions = await session.actions(uri, stale!.range);
    const fix = actions.find(({ title }) => title === 'Store what the source says now')!;
    expect(session.applied(uri, fix)).toBe(tools(100));
    await session.replace(uri, '50', '100');
    expect(await session.rules(uri)).not.toContain('source/stale-snapshot');
  });

  test('are those of the workspace, of a config file, or the one that a file is', async () => {
    const given = host({ state: 'current', tools: 1, notes: [] });
    await start(given);
    for (const uri of [undefined, `${FOLDER}/toolspec.config.json`, `${FOLDER}/shop.tools.json`]) {
      const { snapshots } = await session.request<SnapshotsResult>(METHODS.snapshots, uri === undefined ? {} : { uri });
      expect(snapshots).toMatchObject([{ state: 'current', tools: 1, text: null }]);
    }
    const { failure } = await session.request<SnapshotsResult>(METHODS.snapshots, { uri: `${FOLDER}/x.tools.json` });
    expect(failure).toBe('No source of a toolspec.config.json writes x.tools.json.');
  });

  test('say why a source gave nothing', async () => {
    await start(host({ state: 'failed', failure: t('The program printed nothing.'), notes: ['Traceback'] }));
    const { snapshots } = await session.request<SnapshotsResult>(METHODS.snapshots, {});
    expect(snapshots).toMatchObject([
      { state: 'failed', failure: 'The program printed nothing.', notes: ['Traceback'] },
    ]);
  });

  test('two sources of one file are not run', async () => {
    const given = host(STALE);
    const source = (out: string) => ({ command: ['node', 'dump.mjs'], out });
    const sources = [source('shop.tools.json'), source('other.tools.json'), source('./shop.tools.json')];
    const config = JSON.stringify({ sources });
    session = await Session.start({
      files: { ...files, [`${FOLDER}/toolspec.config.json`]: config },
      host: { sources: given.sources },
      initialization: { trusted: true, commands: true, validatesConfig: true },
    });
    const { snapshots } = await session.request<SnapshotsResult>(METHODS.snapshots, {});
    expect(snapshots).toMatchObject([
      {
        out: `${FOLDER}/shop.tools.json`,
        state: 'failed',
        failure: expect.stringMatching(/^2 sources write this file/),
      },
      { out: `${FOLDER}/other.tools.json`, state: 'stale' },
    ]);
    expect(given.ran).toEqual([`${FOLDER}: node dump.mjs > other.tools.json`]);
    const [finding, ...more] = await session.diagnostics(await session.open('toolspec.config.json', config));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ code: 'config/shape', range: rangeOf(config, '"./shop.tools.json"') });
  });

  test('run nothing in an untrusted workspace', async () => {
    const given = host(STALE);
    await start(given, false);
    const { failure, snapshots } = await session.request<SnapshotsResult>(METHODS.snapshots, {});
    expect([failure, snapshots]).toEqual([expect.stringMatching(/not trusted/), []]);
    expect((await session.request<SourceServersResult>(METHODS.sourceServers, {})).failure).toMatch(/not trusted/);
    expect(given.ran).toEqual([]);
  });

  test('need a process', async () => {
    session = await Session.start({ files, initialization: { trusted: true } });
    const { failure } = await session.request<SnapshotsResult>(METHODS.snapshots, {});
    expect(failure).toMatch(/desktop or a remote host/);
  });
});

describe('MCP servers of the workspace', () => {
  test('are listed, with what keeps one from being started', async () => {
    const given = host(STALE);
    await start(given);
    const { servers } = await session.request<SourceServersResult>(METHODS.sourceServers, {});
    expect(servers.map(({ name, out, problem }) => [name, out, problem === null])).toEqual([
      ['shop', 'shop.tools.json', true],
      ['far', '', false],
    ]);
    expect(servers[0]!.command).toBe('node /project/server.mjs');
    expect(given.ran).toEqual([]);
  });

  test('become a source, with a file of their tools', async () => {
    const given = host({ state: 'missing', tools: 1, text: tools(1), notes: [] });
    await start(given);
    const params = { folder: FOLDER, from: `${FOLDER}/.vscode/mcp.json`, name: 'shop', out: 'tools/shop.tools.json' };
    const result = await session.request<ImportSourceResult>(METHODS.importSource, params);
    if (result.kind !== 'ready' || result.config.kind !== 'edit') throw new Error(JSON.stringify(result));
    expect(result).toMatchObject({ out: `${FOLDER}/tools/shop.tools.json`, text: tools(1), tools: 1 });
    expect(result.config.uri).toBe(`${FOLDER}/toolspec.config.json`);
    expect(result.config.edit.newText).toContain('"out": "tools/shop.tools.json"');
    expect(given.ran).toEqual([`${FOLDER}: node server.mjs > tools/shop.tools.json`]);
  });

  test('that give nothing change nothing', async () => {
    await start(host({ state: 'failed', failure: t('The program could not be started.'), notes: [] }));
    const params = { folder: FOLDER, from: `${FOLDER}/.vscode/mcp.json`, name: 'shop', out: 'shop.tools.json' };
    expect(await session.request(METHODS.importSource, params)).toMatchObject({
      kind: 'failed',
      failure: 'The program could not be started.',
    });
    expect(await session.request(METHODS.importSource, { ...params, name: 'far' })).toMatchObject({ kind: 'failed' });
  });
});
