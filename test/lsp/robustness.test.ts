import { afterEach, describe, expect, test } from 'vitest';
import { CancellationTokenSource, ErrorCodes, LSPErrorCodes } from 'vscode-languageserver/node';
import { Guard } from '../../server/src/lsp/guard';
import type { ToolListResult } from '../../server/src/protocol';
import { FOLDER, Session, WHOLE } from './harness';

const sessions: Session[] = [];
afterEach(() => Promise.all(sessions.splice(0).map((each) => each.stop())));

async function start(): Promise<Session> {
  const session = await Session.start({ initialization: { commands: true } });
  sessions.push(session);
  return session;
}

const ORIGIN = { line: 0, character: 0 };

/** Every request about a document. */
function requests(session: Session, uri: string): Promise<unknown>[] {
  const textDocument = { uri };
  const position = { line: 0, character: 12 };
  return [
    session.request('textDocument/diagnostic', { textDocument }),
    session.request('textDocument/inlayHint', { textDocument, range: WHOLE }),
    session.request('textDocument/codeLens', { textDocument }),
    session.request('textDocument/hover', { textDocument, position }),
    session.request('textDocument/codeAction', {
      textDocument,
      range: WHOLE,
      context: { diagnostics: [], only: ['source.fixAll', 'quickfix'] },
    }),
    session.request('toolspec/view', { uri, view: 'wire' }),
    session.request('toolspec/view', { uri, view: 'stages', offset: 20 }),
  ];
}

const BROKEN: Record<string, string> = {
  empty: '',
  'not JSON': 'name: find\nparameters:\n',
  'half a tool': '[{"type":"function","name":"find","parameters":{"type":"object","properties":{"q":{"ty',
  'a key without a value': '[{"type":"function","name":"find","parameters":{"type":}}]',
  'values of the wrong kinds':
    '[{"type":"function","name":5,"description":[],"parameters":{"type":5,"properties":[1]}}, 7, null]',
  'a deep schema': `[{"type":"function","name":"f","parameters":${'{"items":'.repeat(20_000)}{}${'}'.repeat(20_000)}}]`,
  'deep brackets': '['.repeat(100_000),
  'repeated keys': '[{"type":"function","name":"a","name":"b","parameters":{},"parameters":{"type":"object"}}]',
  'own keys of objects':
    '[{"type":"function","name":"__proto__","parameters":{"type":"object","properties":{"__proto__":{"const":1}}}}]',
  'half a surrogate pair':
    '[{"type":"function","name":"\\ud800","description":"\ud800","parameters":{"type":"object"}}]',
  'a byte order mark and CRLF': '\ufeff[\r\n{"type":"function","name":"f","parameters":{"type":"object"}}\r\n]\r\n',
};

describe('malformed files', () => {
  test.each(Object.keys(BROKEN))('%s: every request is answered and nothing is logged', async (name) => {
    const session = await start();
    const uri = await session.open('x.tools.json', BROKEN[name]!);
    for (const answer of requests(session, uri)) await expect(answer).resolves.not.toThrow();
    const view = await session.view({ uri, view: 'wire' });
    if (view !== null) await session.content(view.uri);
    expect(session.logged.filter((line) => line.includes('failed'))).toEqual([]);
  });

  test('each state while a tool is typed is answered', async () => {
    const session = await start();
    const text = '[{"type":"function","name":"f","description":"d","parameters":{"type":"object","$defs":{"A":{}}}}]';
    const uri = await session.open('x.tools.json', '');
    for (let length = 1; length <= text.length; length++) {
      await session.change(uri, [{ text: text.slice(0, length) }]);
      await Promise.all(requests(session, uri));
    }
    expect(await session.rules(uri)).toContain('codex/unreachable-definition');
    expect(session.logged.filter((line) => line.includes('failed'))).toEqual([]);
  });
});

describe('a busy client', () => {
  const TEXT = '[{"type":"function","name":"f","description":"d","parameters":{"type":"object"}}]';

  test('gets a canceled request back as canceled, while another client goes on', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    const uris = await Promise.all([first.open('x.tools.json', TEXT), second.open('x.tools.json', TEXT)]);
    const source = new CancellationTokenSource();
    const params = { textDocument: { uri: uris[0] } };
    const canceled = first.client.sendRequest('textDocument/diagnostic', params, source.token);
    source.cancel();
    await expect(canceled).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled });
    expect((await second.lenses(uris[1]!)).length).toBe(3);
    expect((await first.lenses(uris[0]!)).length).toBe(3);
  });

  test('gets no answer about a version that is no longer the newest', async () => {
    const session = await start();
    const uri = await session.open('x.tools.json', TEXT);
    const params = { textDocument: { uri } };
    const outdated = session.client.sendRequest('textDocument/codeLens', params);
    const changed = session.replace(uri, '"f"', '"g"');
    await expect(outdated).rejects.toMatchObject({ code: LSPErrorCodes.ContentModified });
    await changed;
    expect((await session.lenses(uri)).length).toBe(3);
  });
});

describe('a handler that fails', () => {
  test('answers empty and is logged once', async () => {
    const logged: string[] = [];
    const connection = { console: { error: (text: string) => logged.push(text) } };
    const host = {
      version: '0',
      readFile: async () => undefined,
      findFiles: async () => [],
      now: () => 0,
      breathe: async () => {},
      after: () => () => {},
    };
    const guard = new Guard(connection as never, host, () => 1);
    const { token } = new CancellationTokenSource();
    const fault = new Error('no such thing');
    const fail = (): never => {
      throw fault;
    };
    expect(await guard.run('textDocument/hover', 'file:///x', token, null, fail)).toBeNull();
    expect(await guard.run('textDocument/hover', 'file:///x', token, [], fail)).toEqual([]);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('textDocument/hover failed: Error: no such thing');
  });

  test('does not take the position of the cursor for granted', async () => {
    const session = await start();
    const uri = await session.open('x.tools.json', '[]');
    const textDocument = { uri };
    await expect(
      session.request('textDocument/hover', { textDocument, position: { line: 99, character: 99 } }),
    ).resolves.toBeNull();
    await expect(
      session.request('textDocument/inlayHint', { textDocument, range: { start: ORIGIN, end: ORIGIN } }),
    ).resolves.toEqual([]);
  });
});

describe('the order of the protocol', () => {
  const hover = (session: Session, uri: string): Promise<unknown> =>
    session.request('textDocument/hover', { textDocument: { uri }, position: ORIGIN });

  test('nothing is answered before "initialize" and after "shutdown", and "initialize" comes once', async () => {
    const session = Session.raw();
    sessions.push(session);
    await expect(hover(session, 'file:///a.tools.json')).rejects.toMatchObject({
      code: ErrorCodes.ServerNotInitialized,
    });
    await session.initialize();
    const uri = await session.open('a.tools.json', '[]');
    await expect(hover(session, uri)).resolves.toBeNull();
    await expect(session.initialize()).rejects.toMatchObject({ code: ErrorCodes.InvalidRequest });
    await session.request('shutdown', {});
    await expect(hover(session, uri)).rejects.toMatchObject({ code: ErrorCodes.InvalidRequest });
  });

  test('a request that names no document, or something else in its place, is refused and not logged', async () => {
    const session = await start();
    for (const params of [{}, { textDocument: null }, { textDocument: { uri: 5 } }]) {
      await expect(session.request('textDocument/codeLens', params)).rejects.toMatchObject({
        code: ErrorCodes.InvalidParams,
      });
    }
    for (const method of ['textDocument/hover', 'workspace/symbol', 'toolspec/samples']) {
      await expect(session.client.sendRequest(method)).rejects.toMatchObject({ code: ErrorCodes.InvalidParams });
    }
    expect(session.logged.filter((line) => line.includes('failed'))).toEqual([]);
  });
});

describe('what a client says of itself', () => {
  test('a root counts where there are no workspace folders', async () => {
    const session = Session.raw();
    sessions.push(session);
    await session.request('initialize', { processId: null, rootUri: `${FOLDER}/`, capabilities: {} });
    await session.client.sendNotification('initialized', {});
    const { files } = await session.request<ToolListResult>('toolspec/toolList', { folder: FOLDER });
    expect(files).toEqual([]);
    expect(session.logged).toEqual(['ToolSpec 0.0.0, 1 folder(s).']);
  });

  test('what is no list of folders or files counts as none', async () => {
    const session = Session.raw();
    sessions.push(session);
    const initializationOptions = { toolFiles: 5 };
    const params = { processId: null, workspaceFolders: 5, capabilities: {}, initializationOptions };
    await expect(session.request('initialize', params)).resolves.toHaveProperty('capabilities');
  });
});

describe('one file under addresses that are spelled differently', () => {
  const OPEN = `${FOLDER}/a%2Bb%20%281%29.tools.json`;
  const NAMED = `${FOLDER}/a+b%20(1).tools.json`;
  const tool = (name: string): string =>
    JSON.stringify([
      { type: 'function', name, description: 'Does it.', parameters: { type: 'object', properties: {} } },
    ]);

  test('is read as it stands in its editor', async () => {
    const session = await Session.start({ files: { [NAMED]: tool('on_disk') } });
    sessions.push(session);
    const samples = await session.open(
      's.samples.json',
      JSON.stringify({ definitions: ['./a+b (1).tools.json'], calls: [{ tool: 'in_editor', arguments: {} }] }),
    );
    expect(await session.rules(samples)).toEqual(['sample/unknown-tool']);
    await session.open(OPEN, tool('in_editor'));
    expect(await session.rules(samples)).toEqual([]);
    await session.close(OPEN);
    expect(await session.rules(samples)).toEqual(['sample/unknown-tool']);
  });

  test('is listed once, under a folder that the client spells in its own way', async () => {
    const folder = 'file:///c%3A/my%20%28old%29';
    const session = await Session.start({
      folders: [folder],
      host: {
        findFiles: async (_folder, ending) => (ending === '.json' ? ['file:///C:/my%20(old)/a!.tools.json'] : []),
      },
      files: { 'file:///c%3A/my%20%28old%29/a%21.tools.json': tool('on_disk') },
    });
    sessions.push(session);
    const list = async (): Promise<unknown[]> => {
      const { files } = await session.request<ToolListResult>('toolspec/toolList', { folder });
      return files.map(({ uri, name, tools }) => [uri, name, tools.map((each) => each.name)]);
    };
    expect(await list()).toEqual([[`${folder}/a%21.tools.json`, 'a!.tools.json', ['on_disk']]]);
    await session.open(`${folder}/a!.tools.json`, tool('in_editor'));
    expect(await list()).toEqual([[`${folder}/a!.tools.json`, 'a!.tools.json', ['in_editor']]]);
  });
});
