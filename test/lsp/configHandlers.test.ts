import { afterEach, describe, expect, test } from 'vitest';
import { HANDLER_CASES, HANDLER_FILES } from '../handlerCases';
import { FOLDER, rangeOf, Session } from './harness';

let session: Session;
afterEach(() => session.stop());

const RULE = 'handler/unsuited-builtin';
const CONFIG = 'toolspec.config.json';
const FUNCTION = { type: 'function', name: 'plan', description: 'Plans.', parameters: { type: 'object' } };
const FREE = { type: 'custom', name: 'note', description: 'Notes.' };
const GRAMMAR = { definition: 'start: "a"', type: 'grammar', syntax: 'lark' };
const WORDS = { type: 'custom', name: 'words', description: 'Words.', format: GRAMMAR };

const config = (handlers: object, more: object = {}): string => JSON.stringify({ handlers, ...more });
const tools = (...list: object[]): string => JSON.stringify(list);

/** Opens the config file of a folder with these files. */
async function open(text: string, files: Record<string, string>, capabilities?: object): Promise<string> {
  const placed = Object.fromEntries(Object.entries(files).map(([name, held]) => [`${FOLDER}/${name}`, held]));
  session = await Session.start({
    files: { ...placed, [`${FOLDER}/${CONFIG}`]: text },
    ...(capabilities === undefined ? {} : { capabilities }),
  });
  return session.open(CONFIG, text);
}

/** What is told of handlers, as the parts of the text that are marked. */
async function told(uri: string, text: string): Promise<string[]> {
  const found = (await session.diagnostics(uri)).filter(({ code }) => code === RULE);
  return found.map(({ range }) => text.slice(range.start.character, range.end.character));
}

describe('handlers of a config file that are none for their tools', () => {
  test('are told at their place, with a fix', async () => {
    const text = config({ plan: { builtin: 'grammar' } });
    const uri = await open(text, { 'deep/t.tools.json': tools(FUNCTION) });
    const found = (await session.diagnostics(uri)).filter(({ code }) => code === RULE);
    expect(found).toMatchObject([
      {
        severity: 1,
        range: rangeOf(text, '"grammar"'),
        message:
          'The builtin handler "grammar" reads the input of a custom tool by its grammar. "plan" is a function, so it can say nothing about its calls.',
      },
    ]);
    const [fix] = await session.actions(uri, found[0]!.range);
    expect(session.applied(uri, fix!)).toBe(config({ plan: { builtin: 'json-schema' } }));
  });

  test.each(HANDLER_CASES)('%s', async (_name, handlers, files, expected) => {
    const text = config(handlers);
    const uri = await open(text, { ...HANDLER_FILES, ...files });
    expect(await told(uri, text)).toEqual(expected);
  });

  test('tools of files that the config includes count, those of excluded ones do not', async () => {
    const handlers = { plan: { builtin: 'grammar' }, note: { builtin: 'grammar' } };
    const text = config(handlers, { include: ['defs/*.json'], exclude: ['old.tools.json'] });
    const uri = await open(text, { 'defs/plan.json': tools(FUNCTION), 'old.tools.json': tools(FREE) });
    expect(await session.diagnostics(uri)).toMatchObject([{ code: RULE, range: rangeOf(text, '"grammar"') }]);
  });

  test('the level of the config file holds', async () => {
    const text = config({ plan: { builtin: 'grammar' } }, { rules: { [RULE]: 'info' } });
    const uri = await open(text, { 't.tools.json': tools(FUNCTION) });
    expect(await session.diagnostics(uri)).toMatchObject([{ code: RULE, severity: 3 }]);
    const refreshed = session.next('workspace/diagnostic/refresh');
    await session.replace(uri, '"info"', '"off"');
    await refreshed;
    expect(await session.diagnostics(uri)).toEqual([]);
  });

  test('are judged anew when definitions change, in an editor or on disk', async () => {
    const text = config({ plan: { builtin: 'grammar' } });
    const uri = await open(text, { 't.tools.json': tools({ ...WORDS, name: 'plan' }) });
    expect(await told(uri, text)).toEqual([]);
    const definitions = await session.open('t.tools.json', tools({ ...WORDS, name: 'plan' }));
    await session.change(definitions, [{ text: tools(FUNCTION) }]);
    expect(await told(uri, text)).toEqual(['"grammar"']);
    await session.close(definitions);
    expect(await told(uri, text)).toEqual([]);
    session.files.set(definitions, tools(FUNCTION));
    const refreshed = session.next('workspace/diagnostic/refresh');
    await session.client.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: definitions, type: 2 }],
    });
    await refreshed;
    expect(await told(uri, text)).toEqual(['"grammar"']);
  });

  test('are told to a client that does not ask, also when only definitions change', async () => {
    const text = config({ plan: { builtin: 'grammar' } });
    const files = { 't.tools.json': tools({ ...WORDS, name: 'plan' }) };
    const uri = await open(text, files, { textDocument: { publishDiagnostics: {} } });
    const last = (): number | undefined => {
      const sent = session.received.filter(({ method }) => method === 'textDocument/publishDiagnostics');
      const own = sent
        .map(({ params }) => params as { uri: string; diagnostics: object[] })
        .filter((each) => each.uri === uri);
      return own.at(-1)?.diagnostics.length;
    };
    await expect.poll(last).toBe(0);
    await session.open('t.tools.json', tools(FUNCTION));
    await expect.poll(last).toBe(1);
  });
});
