import { afterEach, describe, expect, test } from 'vitest';
import type { PanelModel, PanelParams, PanelRunResult, PanelToolKey } from '../../server/src/panelProtocol';
import { METHODS } from '../../server/src/protocol';
import { Session } from './harness';

let session: Session;
afterEach(() => session.stop());

const ask = (params: PanelParams): Promise<PanelModel | null> =>
  session.client.sendRequest<PanelModel | null>(METHODS.panel, params);

describe('a pinned panel', () => {
  const tool = (name: string): object => ({
    type: 'function',
    name,
    description: 'It.',
    parameters: { type: 'object', properties: {} },
  });
  const textOf = (...names: string[]): string => JSON.stringify(names.map(tool));

  async function pinnedTo(name: string, ...names: string[]) {
    session = await Session.start();
    const uri = await session.open('a.tools.json', textOf(...names));
    const offset = textOf(...names).indexOf(`"${name}"`);
    const model = await ask({ uri, page: 'wire', offset });
    let key = model!.tool!.key;
    expect(key.name).toBe(name);
    /** The name of the tool that is shown after an edit, or the title of what is shown instead. */
    const edited = async (text: string): Promise<string> => {
      await session.change(uri, [{ text }]);
      const now = (await ask({ uri, page: 'wire', tool: key, pinned: true }))!;
      if (now.tool !== null) {
        expect(now.missing).toBeNull();
        key = now.tool.key;
        return key.name;
      }
      expect(now.missing).toEqual(key);
      return now.content.name === 'empty' ? now.content.empty.title : '';
    };
    return { uri, edited, key: () => key };
  }

  test('stays with a tool that is gone, and shows it again when it is back', async () => {
    const { uri, edited, key } = await pinnedTo('two', 'one', 'two', 'three');
    expect(await edited(textOf('one', 'three'))).toBe('`two` is no longer in a.tools.json.');
    const gone = await ask({ uri, page: 'calls', tool: key(), pinned: true });
    expect(gone!.list.groups![0]!.tools.map(({ name }) => name)).toEqual(['one', 'three']);
    expect(gone!.content).toEqual({
      name: 'empty',
      empty: {
        title: '`two` is no longer in a.tools.json.',
        detail:
          'The panel is pinned to it and shows it again as soon as it is back. Pick another tool above, or let the panel follow the editor again.',
        link: { label: 'Follow the editor', action: { kind: 'command', command: 'toolspec.togglePanelPin' } },
      },
    });
    expect(await edited(textOf('one', 'three', 'zero', 'two'))).toBe('two');
    expect(key().pointer).toBe('/3');
    expect(await edited('[]')).toBe('`two` is no longer in a.tools.json.');
  });

  test('takes no other tool for it where the last one is deleted', async () => {
    const { edited } = await pinnedTo('one', 'one', 'two');
    expect(await edited(textOf('two'))).toBe('`one` is no longer in a.tools.json.');
  });

  test('follows a new name, letter by letter', async () => {
    const { edited, key } = await pinnedTo('two', 'one', 'two', 'three');
    for (const name of ['tw', 't', '', 'o', 'one', 'ones'])
      expect(await edited(textOf('one', name, 'three'))).toBe(name);
    expect(key()).toEqual({ pointer: '/1', name: 'ones', namespace: '' });
  });

  test('follows a new name that it gets while the text is broken', async () => {
    const { edited } = await pinnedTo('two', 'one', 'two', 'three');
    expect(await edited('[')).toBe('`two` is no longer in a.tools.json.');
    expect(await edited(`${textOf('one', 'sec', 'three')}, x`)).toBe('`two` is no longer in a.tools.json.');
    expect(await edited(textOf('one', 'second', 'three'))).toBe('second');
  });

  test('takes nothing that stands in its place later for it', async () => {
    const { edited } = await pinnedTo('two', 'one', 'two', 'three');
    expect(await edited(textOf('one', 'three'))).toBe('`two` is no longer in a.tools.json.');
    expect(await edited(textOf('one', 'other', 'three'))).toBe('`two` is no longer in a.tools.json.');
    expect(await edited(textOf('one', 'other', 'three', 'two'))).toBe('two');
  });

  test('knows its tool by the new name beside one that has got the old one', async () => {
    const { edited, key } = await pinnedTo('two', 'one', 'two', 'three');
    expect(await edited(textOf('one', 'second', 'three'))).toBe('second');
    expect(await edited(textOf('one', 'three'))).toBe('`second` is no longer in a.tools.json.');
    expect(await edited(textOf('one', 'two', 'three', 'second'))).toBe('second');
    expect(key().pointer).toBe('/3');
  });

  /** Each text is asked about twice with what was known before it, as where the client has dropped the first answer. */
  describe('when answers were overtaken', () => {
    async function askedTwice(name: string, ...names: string[]) {
      const { uri, key, edited } = await pinnedTo(name, ...names);
      const twice = async (text: string): Promise<string> => {
        await session.change(uri, [{ text }]);
        await ask({ uri, page: 'wire', tool: key(), pinned: true });
        return edited(text);
      };
      return { twice, uri, key, edited };
    }

    test('takes no other tool with its former name where that comes back together with it', async () => {
      const { twice, key } = await askedTwice('two', 'one', 'two', 'three', 'four');
      expect(await twice(textOf('one', 'second', 'three', 'four'))).toBe('second');
      expect(await twice(textOf('one', 'three', 'four'))).toBe('`second` is no longer in a.tools.json.');
      expect(await twice(textOf('one', 'two', 'three', 'four', 'second'))).toBe('second');
      expect(key().pointer).toBe('/4');
    });

    test('takes no tool that was put before it', async () => {
      const { twice } = await askedTwice('two', 'one', 'two', 'three');
      expect(await twice(textOf('one', 'zero', 'two', 'three'))).toBe('two');
      expect(await twice(textOf('two', 'zero', 'one', 'three'))).toBe('two');
    });

    test('takes nothing that stands in its place later for it', async () => {
      const { twice } = await askedTwice('two', 'one', 'two', 'three');
      expect(await twice(textOf('one', 'three'))).toBe('`two` is no longer in a.tools.json.');
      expect(await twice(textOf('one', 'other', 'three'))).toBe('`two` is no longer in a.tools.json.');
      expect(await twice(textOf('one', 'another', 'three'))).toBe('`two` is no longer in a.tools.json.');
      expect(await twice(textOf('two', 'another', 'three'))).toBe('two');
    });

    test('follows a new name through texts whose answers never came', async () => {
      const { uri, key, edited } = await askedTwice('two', 'one', 'two', 'three');
      for (const names of [
        ['one', 'tw', 'three'],
        ['one', 'one', 'three'],
        ['one', 'ones', 'three'],
        ['zero', 'one', 'ones', 'three'],
        ['zero', 'ones', 'three'],
      ]) {
        await session.change(uri, [{ text: textOf(...names) }]);
        await ask({ uri, page: 'wire', tool: key(), pinned: true });
      }
      expect(await edited(textOf('zero', 'ones'))).toBe('ones');
      expect(key().pointer).toBe('/1');
    });

    test('follows a new name for an ask that still says the former one', async () => {
      const { uri, key, edited } = await askedTwice('two', 'one', 'two');
      const former = key();
      expect(await edited(textOf('one', 'second'))).toBe('second');
      expect(await edited(textOf('second', 'one'))).toBe('second');
      const model = await ask({ uri, page: 'wire', tool: former, pinned: true });
      expect(model!.tool!.key).toEqual({ pointer: '/0', name: 'second', namespace: '' });
    });
  });

  test('takes no other tool by its place while the text is broken', async () => {
    const { edited } = await pinnedTo('two', 'one', 'two', 'three');
    expect(await edited(`${textOf('one', 'other', 'three').slice(0, -1)}, x`)).toBe(
      '`two` is no longer in a.tools.json.',
    );
    expect(await edited(textOf('one', 'other', 'three', 'two'))).toBe('two');
  });

  test('the tool of its own namespace goes before one with its name', async () => {
    const namespaced = (namespace: string, ...names: string[]): object => ({
      type: 'namespace',
      name: namespace,
      description: 'All.',
      tools: names.map(tool),
    });
    const { edited, key } = await pinnedTo('two', 'one', 'two');
    expect(await edited(JSON.stringify([namespaced('n', 'two'), tool('one')]))).toBe(
      '`two` is no longer in a.tools.json.',
    );
    expect(await edited(JSON.stringify([namespaced('n', 'two'), tool('one'), tool('two')]))).toBe('two');
    expect(key()).toEqual({ pointer: '/2', name: 'two', namespace: '' });
  });

  test('a call of a tool that is gone goes to no other', async () => {
    const { uri, edited, key } = await pinnedTo('two', 'one', 'two');
    expect(await edited(textOf('one', 'second'))).toBe('second');
    const run = (named: PanelToolKey) =>
      session.client.sendRequest<PanelRunResult>(METHODS.panelRun, { uri, page: 'calls', tool: named });
    const gone = { failure: 'The tool is not there any more.' };
    expect(await edited(textOf('other'))).toBe('`second` is no longer in a.tools.json.');
    expect(await run(key())).toEqual(gone);
    expect(await run({ ...key(), pointer: '/0' })).toEqual(gone);
  });

  test('follows new names of several tools', async () => {
    const { edited } = await pinnedTo('two', 'one', 'two');
    expect(await edited(textOf('a_one', 'a_two'))).toBe('a_two');
  });

  test('a panel that follows the editor shows what is there', async () => {
    const { uri, key } = await pinnedTo('two', 'one', 'two');
    await session.change(uri, [{ text: textOf('one') }]);
    const model = await ask({ uri, page: 'wire', tool: key() });
    expect([model!.tool!.key.name, model!.missing]).toEqual(['one', null]);
  });
});
