import { afterEach, describe, expect, test } from 'vitest';
import type { FileStatus } from '../../server/src/protocol';
import { FOLDER, Session } from './harness';

let session: Session;
afterEach(() => session.stop());

const TOOL = JSON.stringify(
  [
    {
      type: 'function',
      name: 'find',
      description: 'Finds a thing.',
      parameters: { type: 'object', properties: { q: { type: 'string', minLength: 2 } } },
    },
  ],
  null,
  2,
);
const RULE = 'codex/keyword-dropped';
const CONFIG = `${FOLDER}/toolspec.config.json`;

const levelOf = async (uri: string): Promise<number | undefined> =>
  (await session.diagnostics(uri)).find(({ code }) => code === RULE)?.severity;

const change = (): Promise<void> =>
  session.client.sendNotification('workspace/didChangeConfiguration', { settings: null });

describe('settings', () => {
  test('are asked for per resource and apply at once', async () => {
    session = await Session.start({ settings: {} });
    const uri = await session.open('a.tools.json', TOOL);
    expect(await levelOf(uri)).toBe(4);
    session.settings = { rules: { [RULE]: 'error' } };
    const refreshed = ['diagnostic', 'inlayHint', 'codeLens'].map((each) => session.next(`workspace/${each}/refresh`));
    await change();
    await Promise.all(refreshed);
    expect(await levelOf(uri)).toBe(1);
    session.settings = { rules: { [RULE]: 'off' } };
    await change();
    expect(await levelOf(uri)).toBeUndefined();
  });

  test('differ between folders', async () => {
    const [one, two] = ['file:///one', 'file:///two'];
    session = await Session.start({
      folders: [one, two],
      settings: (uri) => ({ budgetBytes: uri.startsWith(one) ? 10 : 9000 }),
    });
    const small = await session.open(`${one}/a.tools.json`, TOOL);
    const large = await session.open(`${two}/a.tools.json`, TOOL);
    expect((await session.lenses(small))[0]?.command?.title).toBe(
      '54 of 10 bytes · no pass finds anything to take, sent as it is',
    );
    expect((await session.lenses(large))[0]?.command?.title).toMatch(/ of 9,000 bytes$/);
  });

  test('switch lenses and hovers off', async () => {
    session = await Session.start({ settings: { codeLens: { enabled: false }, hover: { enabled: false } } });
    const uri = await session.open('a.tools.json', TOOL);
    expect(await session.lenses(uri)).toEqual([]);
    expect(await session.hover('b.tools.json', TOOL.replace('"minLength"', '"min‸Length"'))).toBeNull();
  });

  test('name further files', async () => {
    session = await Session.start({ settings: { files: { include: ['/agents/*.json', 'one.json'] } } });
    expect(await session.rules(await session.open('agents/x.json', TOOL))).toContain(RULE);
    expect(await session.rules(await session.open('deep/one.json', TOOL))).toContain(RULE);
    expect(await session.rules(await session.open('other/x.json', TOOL))).toEqual([]);
  });

  test('of any wrong type count as not set', async () => {
    session = await Session.start({
      settings: {
        targets: 5,
        rules: [1],
        budgetBytes: '9',
        profile: {},
        inlayHints: null,
        files: { include: [3, null] },
      },
    });
    expect(await levelOf(await session.open('a.tools.json', TOOL))).toBe(4);
  });

  test('are pushed by clients that cannot be asked', async () => {
    session = await Session.start({ capabilities: {} });
    const uri = await session.open('a.tools.json', TOOL);
    expect(await levelOf(uri)).toBe(4);
    const settings = { toolspec: { rules: { [RULE]: 'warning' } } };
    await session.client.sendNotification('workspace/didChangeConfiguration', { settings });
    expect(await levelOf(uri)).toBe(2);
  });
});

describe('config file', () => {
  test('is the truth about the project; settings fill in what it leaves open', async () => {
    session = await Session.start({
      files: { [CONFIG]: JSON.stringify({ budgetBytes: 20, rules: { [RULE]: 'info' } }) },
      settings: { budgetBytes: 9000, rules: { [RULE]: 'error', 'codex/schema-compacted': 'off' } },
    });
    const uri = await session.open('sub/a.tools.json', TOOL);
    expect(await levelOf(uri)).toBe(3);
    expect(await session.rules(uri)).not.toContain('codex/schema-compacted');
    expect((await session.lenses(uri))[0]?.command?.title).toContain(' of 20 bytes');
  });

  test('holds from its folder down: the nearest one counts, and none above the workspace folder', async () => {
    session = await Session.start({
      files: {
        'file:///toolspec.config.json': '{"budgetBytes":1}',
        [CONFIG]: '{"budgetBytes":2000}',
        [`${FOLDER}/near/toolspec.config.json`]: '{"budgetBytes":3000}',
      },
      folders: [FOLDER, 'file:///bare'],
    });
    const title = async (name: string): Promise<string | undefined> =>
      (await session.lenses(await session.open(name, TOOL)))[0]?.command?.title;
    expect(await title('a.tools.json')).toContain('of 2,000 bytes');
    expect(await title('near/deep/a.tools.json')).toContain('of 3,000 bytes');
    expect(await title('file:///bare/a.tools.json')).toContain('of 5,000 bytes');
  });

  test('changes apply at once, on disk and unsaved in an editor', async () => {
    session = await Session.start({ files: { [CONFIG]: '{"budgetBytes":2000}' } });
    const uri = await session.open('a.tools.json', TOOL);
    const title = async (): Promise<string | undefined> => (await session.lenses(uri))[0]?.command?.title;
    expect(await title()).toContain('of 2,000 bytes');
    session.files.set(CONFIG, '{"budgetBytes":3000}');
    const changes = [{ uri: CONFIG, type: 2 }];
    await session.client.sendNotification('workspace/didChangeWatchedFiles', { changes });
    expect(await title()).toContain('of 3,000 bytes');
    await session.open(CONFIG, '{"budgetBytes":3000}');
    const refreshed = session.next('workspace/codeLens/refresh');
    await session.replace(CONFIG, '3000', '4000');
    await refreshed;
    expect(await title()).toContain('of 4,000 bytes');
    const closed = session.next('workspace/codeLens/refresh');
    await session.close(CONFIG);
    await closed;
    expect(await title()).toContain('of 3,000 bytes');
    session.files.delete(CONFIG);
    await session.client.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: CONFIG, type: 3 }] });
    expect(await title()).toContain('of 5,000 bytes');
  });

  test('names further files and leaves some out', async () => {
    session = await Session.start({ files: { [CONFIG]: '{"include":["agents/"],"exclude":["old.tools.json"]}' } });
    expect(await session.rules(await session.open('agents/x.json', TOOL))).toContain(RULE);
    expect(await session.rules(await session.open('old.tools.json', TOOL))).toEqual([]);
  });

  test('gets diagnostics of its own', async () => {
    session = await Session.start();
    const uri = await session.open(CONFIG, '{"rules":{"codex/keyword-droped":"off"}}');
    expect(await session.rules(uri)).toEqual(['config/unknown-rule']);
    expect(await session.lenses(uri)).toEqual([]);
  });

  test('a client that applies the published schema is not told the same again', async () => {
    const text = '{"budgetBytes":"many","rules":{"codex/no-such-rule":"off"}}';
    const rules = async (validatesConfig: boolean): Promise<string[]> => {
      session = await Session.start({ initialization: { validatesConfig } });
      const found = await session.rules(await session.open('toolspec.config.json', text));
      await session.stop();
      return found;
    };
    expect(await rules(false)).toEqual(['config/shape', 'config/unknown-rule']);
    expect(await rules(true)).toEqual(['config/unknown-rule']);
    session = await Session.start();
  });

  test('of a virtual workspace is read through the client', async () => {
    const folder = 'vscode-vfs://github/o/r';
    session = await Session.start({ folders: [folder], initialization: { readsFiles: true } });
    session.client.onRequest('toolspec/readFile', ({ uri }: { uri: string }) => ({
      text: uri === `${folder}/toolspec.config.json` ? '{"budgetBytes":2000}' : null,
    }));
    const uri = await session.open(`${folder}/a.tools.json`, TOOL);
    expect((await session.lenses(uri))[0]?.command?.title).toContain('of 2,000 bytes');
  });
});

describe('files', () => {
  test('are treated as tools by the word of the user, and no longer', async () => {
    session = await Session.start();
    const uri = await session.open('data.json', TOOL);
    expect(await session.rules(uri)).toEqual([]);
    await session.client.sendNotification('toolspec/toolFiles', { uris: [uri] });
    expect(await session.rules(uri)).toContain(RULE);
    await session.client.sendNotification('toolspec/toolFiles', { uris: [] });
    expect(await session.rules(uri)).toEqual([]);
  });

  test('without a name yet can be tools too', async () => {
    session = await Session.start({ initialization: { toolFiles: ['untitled:Untitled-1'] } });
    expect(await session.rules(await session.open('untitled:Untitled-1', TOOL, 'json'))).toContain(RULE);
  });

  test('come and go with their folders', async () => {
    session = await Session.start({ files: { [CONFIG]: '{"budgetBytes":2000}' }, folders: [] });
    const uri = await session.open('a.tools.json', TOOL);
    const event = { added: [{ uri: FOLDER, name: 'project' }], removed: [] };
    const refreshed = session.next('workspace/codeLens/refresh');
    await session.client.sendNotification('workspace/didChangeWorkspaceFolders', { event });
    await refreshed;
    expect((await session.lenses(uri))[0]?.command?.title).toContain('of 2,000 bytes');
  });

  test('have a status that is sent with each check', async () => {
    session = await Session.start({ initialization: { status: true }, settings: { budgetBytes: 20 } });
    const uri = await session.open('a.tools.json', TOOL);
    const sent = session.next('toolspec/status');
    await session.diagnostics(uri);
    await sent;
    const { params } = session.received.find(({ method }) => method === 'toolspec/status')!;
    expect(params as FileStatus).toMatchObject({
      uri,
      isToolFile: true,
      profile: 'codex-0.171',
      tools: 1,
      overBudget: 1,
      refused: 0,
      budgetBytes: 20,
      largest: { name: 'find' },
      hasGrammar: false,
    });
  });

  test('a status says whether a tool of the file has a grammar', async () => {
    session = await Session.start({ initialization: { status: true } });
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' };
    const custom = { type: 'custom', name: 'edit', description: 'Edits.', format };
    const uri = await session.open('a.tools.json', JSON.stringify([custom]));
    const sent = session.next('toolspec/status');
    await session.diagnostics(uri);
    await sent;
    const { params } = session.received.find(({ method }) => method === 'toolspec/status')!;
    expect(params).toMatchObject({ uri, tools: 1, hasGrammar: true });
  });
});
