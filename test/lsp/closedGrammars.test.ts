import { describe, expect, test } from 'vitest';
import type { PublishDiagnosticsParams } from 'vscode-languageserver';
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
