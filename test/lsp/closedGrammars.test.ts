import { describe, expect, test } from 'vitest';
import type { Location, PublishDiagnosticsParams, SymbolInformation, WorkspaceEdit } from 'vscode-languageserver';
import { FOLDER, Session } from './harness';

const PUSH = 'textDocument/publishDiagnostics';
const tool = (name: string, definition: unknown): string =>
  JSON.stringify({ type: 'custom', name, description: name, format: { type: 'grammar', syntax: 'lark', definition } });

/** The latest rules that were pushed for a file. */
function shown(session: Session, name: string): unknown[] | undefined {
  const all = session.received.filter(({ method }) => method === PUSH).map(({ params }) => params);
  const last = (all as PublishDiagnosticsParams[]).filter(({ uri }) => uri === `${FOLDER}/${name}`).at(-1);
  return last?.diagnostics.map(({ code }) => code);
}

describe('grammar files that are not open', () => {
  test('have their findings while an open file names them', async () => {
    const session = await Session.start({
      files: { [`${FOLDER}/g.lark`]: 'start: missing\n' },
      settings: { targets: ['lark'] },
    });
    const uri = await session.open('a.tools.json', tool('a', { $file: './g.lark' }));
    let pushed = session.next(PUSH);
    expect(await session.rules(uri)).toEqual([]);
    await pushed;
    expect(shown(session, 'g.lark')).toEqual(['grammar/undefined-name']);

    // Once it is open, clients pull.
    pushed = session.next(PUSH);
    const own = await session.open('g.lark', 'start: missing\n', 'lark');
    await pushed;
    expect(shown(session, 'g.lark')).toEqual([]);
    expect(await session.rules(own)).toEqual(['grammar/undefined-name']);

    pushed = session.next(PUSH);
    await session.close(own);
    await pushed;
    expect(shown(session, 'g.lark')).toEqual(['grammar/undefined-name']);

    pushed = session.next(PUSH);
    await session.close(uri);
    await pushed;
    expect(shown(session, 'g.lark')).toEqual([]);
    await session.stop();
  });

  test('follow the file on disk', async () => {
    const session = await Session.start({
      files: { [`${FOLDER}/g.lark`]: 'start: missing\n' },
      settings: { targets: ['lark'] },
    });
    const uri = await session.open('a.tools.json', tool('a', { $file: './g.lark' }));
    let pushed = session.next(PUSH);
    await session.diagnostics(uri);
    await pushed;
    pushed = session.next(PUSH);
    session.files.set(`${FOLDER}/g.lark`, 'start: "a"\n');
    await session.client.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: `${FOLDER}/g.lark`, type: 2 }],
    });
    await pushed;
    expect(shown(session, 'g.lark')).toEqual([]);
    await session.stop();
  });

  test('that are missing are found at their name, until they come', async () => {
    const session = await Session.start({
      files: { [`${FOLDER}/grammars/patch.lark`]: 'start: "a"\n' },
      settings: { targets: ['lark'] },
    });
    const uri = await session.open('a.tools.json', tool('a', { $file: 'patch.lark' }));
    const [found, ...more] = await session.diagnostics(uri);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ code: 'grammar/missing-file', severity: 1 });
    expect(found!.message).toContain('Did you mean `grammars/patch.lark`?');
    const [action] = await session.actions(uri, found!.range, ['quickfix']);
    expect(action!.title).toBe('Name grammars/patch.lark');

    session.files.set(`${FOLDER}/patch.lark`, 'start: "a"\n');
    await session.client.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: `${FOLDER}/patch.lark`, type: 1 }],
    });
    expect(await session.rules(uri)).toEqual([]);
    await session.stop();
  });
});

describe('imports of grammars in strings', () => {
  test('read files beside the file, as they are in the editor', async () => {
    const session = await Session.start({
      files: { [`${FOLDER}/sub/words.lark`]: 'WORD: /[a-z]+/\n' },
      settings: { targets: ['lark'] },
    });
    const uri = await session.open('sub/a.tools.json', tool('a', '%import .words.WORD\nstart: WORD\n'));
    expect(await session.rules(uri)).toEqual([]);
    const words = await session.open('sub/words.lark', 'WORDS: /[a-z]+/\n', 'lark');
    expect(await session.rules(uri)).not.toEqual([]);
    await session.replace(words, 'WORDS', 'WORD');
    expect(await session.rules(uri)).toEqual([]);
    const other = await session.open('b.tools.json', tool('b', '%import .words.WORD\nstart: WORD\n'));
    expect(await session.rules(other)).toEqual(['grammar/import']);
    await session.stop();
  });
});

describe('grammars of files of tools that are not open', () => {
  const CLOSED = `${FOLDER}/sub/closed.tools.json`;
  const files = { [CLOSED]: tool('a', '%import .words.word\nstart: "\\"" word\n'), [`${FOLDER}/sub/words.lark`]: '' };

  test('are places of a name, and are renamed with it', async () => {
    const session = await Session.start({ files });
    const uri = await session.open('sub/words.lark', 'word: "x"\n', 'lark');
    const at = { textDocument: { uri }, position: { line: 0, character: 1 } };
    const found = await session.request<Location[]>('textDocument/references', {
      ...at,
      context: { includeDeclaration: true },
    });
    const text = files[CLOSED]!;
    expect(found.map(({ uri: where }) => where).sort()).toEqual([CLOSED, CLOSED, uri]);
    const slices = found
      .filter(({ uri: where }) => where === CLOSED)
      .map(({ range }) => text.slice(range.start.character, range.end.character));
    expect(slices).toEqual(['word', 'word']);

    const edit = await session.request<WorkspaceEdit>('textDocument/rename', { ...at, newName: 'term' });
    const changes = edit.documentChanges!.map((change) => {
      if (!('edits' in change)) throw new Error('no edit');
      return [change.textDocument.uri, change.textDocument.version, change.edits.length];
    });
    expect(changes).toEqual(
      expect.arrayContaining([
        [CLOSED, null, 2],
        [uri, 1, 1],
      ]),
    );
    await session.stop();
  });

  test('are found by their names, as they are on disk', async () => {
    const session = await Session.start({ files });
    const symbols = async (): Promise<string[]> =>
      ((await session.request<SymbolInformation[] | null>('workspace/symbol', { query: 'start' })) ?? [])
        .filter(({ location }) => location.uri === CLOSED)
        .map(({ name }) => name);
    await session.open('own.lark', 'x: "x"\n', 'lark');
    expect(await symbols()).toEqual(['start']);
    session.files.set(CLOSED, tool('a', 'begin: "x"\n'));
    await session.client.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: CLOSED, type: 2 }] });
    expect(await symbols()).toEqual([]);
    await session.stop();
  });
});
