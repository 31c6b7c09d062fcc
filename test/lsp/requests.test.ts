import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import type { CodeAction, DocumentDiagnosticReport } from 'vscode-languageserver';
import { emitJson } from '../../server/src/core/text/emit';
import { parseJson } from '../../server/src/core/text/json';
import { FOLDER, rangeOf, Session, WHOLE } from './harness';

let session: Session;
afterEach(() => session.stop());

const WEATHER = readFileSync('samples/weather.tools.json', 'utf8');

/** One function in the form of the Responses API. */
function tool(parameters: object, more: object = {}): string {
  const definition = {
    type: 'function',
    name: 'find',
    description: 'Finds a thing.',
    strict: false,
    parameters,
    ...more,
  };
  return `${JSON.stringify([definition], null, 2)}\n`;
}

const PLAIN = tool({ type: 'object', properties: { q: { type: 'string', minLength: 2 } } });
const UNUSED = tool({
  type: 'object',
  properties: { q: { type: 'string' } },
  $defs: { Old: { type: 'string' } },
});

const UNUSED_TWICE = JSON.stringify(
  ['find', 'seek'].map((name) => ({ ...JSON.parse(UNUSED)[0], name, description: `What ${name} does.` })),
  null,
  2,
);

describe('diagnostics', () => {
  test('have code, link, source, level and range', async () => {
    session = await Session.start();
    const uri = await session.open('a.tools.json', PLAIN);
    const found = (await session.diagnostics(uri)).find(({ code }) => code === 'codex/keyword-dropped');
    expect(found).toMatchObject({
      source: 'ToolSpec',
      severity: 4,
      range: rangeOf(PLAIN, '"minLength"'),
      codeDescription: { href: expect.stringMatching(/\/docs\/rules\/codex\/keyword-dropped\.md$/) },
    });
  });

  test('an unreachable definition is faded, and related places are named', async () => {
    session = await Session.start();
    const unused = await session.open('unused.tools.json', UNUSED);
    const faded = (await session.diagnostics(unused)).find(({ code }) => code === 'codex/unreachable-definition');
    expect(faded?.tags).toEqual([1]);
    const weather = await session.open('weather.tools.json', WEATHER);
    const emptied = (await session.diagnostics(weather)).find(({ code }) => code === 'codex/node-emptied');
    expect(emptied?.relatedInformation?.[0]?.location.uri).toBe(weather);
  });

  test('broken JSON is left to the JSON support of the editor; what can be read is still judged', async () => {
    session = await Session.start();
    const uri = await session.open('a.tools.json', PLAIN.replace('"strict": false,', '"strict": ,'));
    expect(await session.rules(uri)).toContain('codex/keyword-dropped');
    expect(await session.rules(uri)).not.toContain('json/syntax');
  });

  test('follow edits', async () => {
    session = await Session.start();
    const uri = await session.open('a.tools.json', PLAIN);
    expect(await session.rules(uri)).toContain('codex/keyword-dropped');
    await session.replace(uri, '"minLength": 2', '"description": "What to find."');
    expect(await session.rules(uri)).not.toContain('codex/keyword-dropped');
  });

  test('nothing new is sent while nothing has changed', async () => {
    session = await Session.start();
    const uri = await session.open('a.tools.json', PLAIN);
    const textDocument = { uri };
    const first = await session.request<DocumentDiagnosticReport>('textDocument/diagnostic', { textDocument });
    const previousResultId = first.resultId;
    const params = { textDocument, previousResultId };
    expect(await session.request('textDocument/diagnostic', params)).toEqual({
      kind: 'unchanged',
      resultId: previousResultId,
    });
    await session.replace(uri, 'Finds a thing.', 'Finds two things.');
    expect(await session.request('textDocument/diagnostic', params)).toMatchObject({ kind: 'full' });
  });

  test('files with other names are left alone, and so are manifests without tools', async () => {
    session = await Session.start();
    expect(await session.rules(await session.open('data.json', PLAIN))).toEqual([]);
    expect(await session.rules(await session.open('package.json', '{"name":"x","contributes":{}}'))).toEqual([]);
  });

  test("an extension's manifest is read for its tools", async () => {
    session = await Session.start();
    const manifest = {
      name: 'x',
      contributes: {
        languageModelTools: [{ name: 'find', modelDescription: 'Finds.', inputSchema: { type: 'objekt' } }],
      },
    };
    const uri = await session.open('package.json', JSON.stringify(manifest, null, 2));
    expect((await session.lenses(uri)).length).toBeGreaterThan(0);
  });
});

describe('hints', () => {
  test('sizes and losses, one a line', async () => {
    session = await Session.start();
    const uri = await session.open('weather.tools.json', WEATHER);
    const hints = await session.hints(uri);
    expect(hints).toContain('6: 6,120 → 1,102 bytes');
    expect(hints).toContain('10: 3 dropped');
    expect(hints).toContain('14: → {}');
    expect(hints).toContain('26: items → {}');
    const lines = hints.map((hint) => hint.split(':')[0]);
    expect(new Set(lines).size).toBe(lines.length);
  });

  test('only those of the range that is shown', async () => {
    session = await Session.start();
    const uri = await session.open('weather.tools.json', WEATHER);
    const range = { start: { line: 8, character: 0 }, end: { line: 14, character: 0 } };
    const shown = await session.hints(uri, range);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.every((hint) => Number.parseInt(hint, 10) >= 9 && Number.parseInt(hint, 10) <= 15)).toBe(true);
    expect(await session.hints(uri)).toEqual(expect.arrayContaining(shown));
  });

  test('what stays local is marked', async () => {
    session = await Session.start();
    const text = tool({ type: 'object', properties: {} }, { 'x-toolspec': { exposure: 'direct' } });
    const hints = await session.hints(await session.open('a.tools.json', text));
    expect(hints.filter((hint) => hint.endsWith('not sent'))).toHaveLength(1);
  });

  test('each area has its setting', async () => {
    session = await Session.start({ settings: { inlayHints: { sizes: false, losses: true, notSent: false } } });
    const hints = await session.hints(await session.open('weather.tools.json', WEATHER));
    expect(hints.some((hint) => hint.endsWith(' bytes'))).toBe(false);
    expect(hints).toContain('10: 3 dropped');
  });

  test('without the target Codex nothing is said about its losses', async () => {
    session = await Session.start({ settings: { targets: ['anthropic'] } });
    const uri = await session.open('weather.tools.json', WEATHER);
    expect(await session.hints(uri)).toEqual([]);
    expect((await session.lenses(uri))[0]?.command?.title).toBe('function');
  });
});

describe('lenses', () => {
  test('one line a tool: the fact and, where the client has the commands, the ways on', async () => {
    session = await Session.start({ initialization: { commands: true } });
    const uri = await session.open('weather.tools.json', WEATHER);
    const first = (await session.lenses(uri)).filter(({ range }) => range.start.line === 1);
    expect(first.map(({ command }) => command?.title)).toEqual([
      '6,120 of 5,000 bytes · descriptions and definitions go',
      'Preview wire',
      'Compare',
    ]);
    expect(first[0]?.command).toMatchObject({
      command: 'toolspec.openPanel',
      arguments: [{ uri, key: { pointer: '/0', name: 'get_forecast', namespace: '' }, page: 'compile' }],
    });
    expect(first[1]?.command).toMatchObject({
      command: 'toolspec.previewWire',
      arguments: [{ uri, view: 'wire', tool: '/0' }],
    });
  });

  test('other clients get the fact alone', async () => {
    session = await Session.start();
    const lenses = await session.lenses(await session.open('a.tools.json', PLAIN));
    expect(lenses.map(({ command }) => command)).toEqual([
      { title: expect.stringMatching(/^\d+ of 5,000 bytes$/), command: '' },
    ]);
  });

  test('a tool that Codex refuses says so', async () => {
    session = await Session.start();
    const text = tool({ type: 'object', properties: { q: { type: 'array', items: [{ type: 'string' }] } } });
    const lenses = await session.lenses(await session.open('a.tools.json', text));
    expect(lenses[0]?.command?.title).toBe('Codex refuses this tool');
  });
});

describe('code actions', () => {
  test('a fix of the finding at the cursor removes the cause', async () => {
    session = await Session.start();
    const uri = await session.open('unused.tools.json', UNUSED);
    const actions = await session.actions(uri, rangeOf(UNUSED, '"Old"'));
    const fixes = actions.filter(({ kind }) => kind === 'quickfix');
    expect(fixes.filter(({ isPreferred }) => isPreferred)).toHaveLength(1);
    expect(fixes[0]?.diagnostics?.[0]?.code).toBe('codex/unreachable-definition');
    const fixed = session.applied(uri, fixes[0]!);
    expect(fixed).not.toContain('Old');
    expect(await session.rules(await session.open('fixed.tools.json', fixed))).not.toContain(
      'codex/unreachable-definition',
    );
  });

  test('fix all applies what keeps the meaning and leaves every other byte alone', async () => {
    session = await Session.start();
    const uri = await session.open('unused.tools.json', UNUSED);
    const [all] = await session.actions(uri, WHOLE, ['source.fixAll']);
    expect(all?.kind).toBe('source.fixAll.toolspec');
    const fixed = session.applied(uri, all as CodeAction);
    expect(fixed).toContain('"q": {\n          "type": "string"\n        }');
    expect(fixed).not.toContain('$defs');
    const again = await session.open('fixed.tools.json', fixed);
    expect(await session.actions(again, WHOLE, ['source.fixAll.toolspec'])).toEqual([]);
  });

  test('source actions come only when they are asked for, and others never then', async () => {
    session = await Session.start();
    const uri = await session.open('unused.tools.json', UNUSED);
    const plain = await session.actions(uri, rangeOf(UNUSED, '"Old"'));
    expect(plain.some(({ kind }) => kind?.startsWith('source'))).toBe(false);
    expect(await session.actions(uri, WHOLE, ['source.organizeImports'])).toEqual([]);
  });

  test('all findings of a rule can be fixed at once; the edit is made when it is chosen', async () => {
    const capabilities = { textDocument: { codeAction: { resolveSupport: { properties: ['edit'] } } } };
    for (const each of [undefined, capabilities]) {
      session = await Session.start(each === undefined ? {} : { capabilities: each });
      const uri = await session.open('unused.tools.json', UNUSED_TWICE);
      const actions = await session.actions(uri, rangeOf(UNUSED_TWICE, '"Old"'));
      let all = actions.find(({ title }) => title.startsWith('Fix all 2 of codex/unreachable-definition'));
      expect(all?.edit === undefined).toBe(each !== undefined);
      if (each !== undefined) all = await session.request<CodeAction>('codeAction/resolve', all!);
      expect(session.applied(uri, all!)).not.toContain('Old');
      await session.stop();
    }
  });

  test('edits name the version where the client can check it', async () => {
    session = await Session.start();
    const uri = await session.open('unused.tools.json', UNUSED);
    const [action] = await session.actions(uri, rangeOf(UNUSED, '"Old"'));
    expect(action?.edit?.documentChanges?.[0]).toMatchObject({ textDocument: { uri, version: 1 } });
  });
});

describe('documents', () => {
  test('the wire of one tool is JSON with what Codex sends', async () => {
    session = await Session.start();
    const uri = await session.open('weather.tools.json', WEATHER);
    const view = await session.view({ uri, view: 'wire', tool: '/0' });
    const wire = JSON.parse(await session.content(view!.uri));
    expect(Object.keys(wire)).toEqual(['type', 'name', 'description', 'strict', 'parameters']);
    expect(wire.parameters.properties.place).toEqual({});
    expect(JSON.stringify(wire.parameters)).toHaveLength(1102);
  });

  test.each(['responses', 'lite', 'deferred', 'chat', 'mcp', 'anthropic'] as const)(
    '%s: tool and file',
    async (mode) => {
      session = await Session.start();
      const uri = await session.open('a.tools.json', PLAIN);
      for (const place of [{ tool: '/0' }, {}]) {
        const view = await session.view({ uri, view: 'wire', mode, ...place });
        expect(view?.uri).toContain(mode);
        expect(JSON.stringify(JSON.parse(await session.content(view!.uri)))).toContain('"find"');
      }
    },
  );

  test('the whole request', async () => {
    session = await Session.start();
    const uri = await session.open('a.tools.json', PLAIN);
    const view = await session.view({ uri, view: 'request' });
    expect(Object.keys(JSON.parse(await session.content(view!.uri)))).toEqual(
      expect.arrayContaining(['model', 'tools']),
    );
  });

  test('the tool at an offset', async () => {
    session = await Session.start();
    const uri = await session.open('weather.tools.json', WEATHER);
    const view = await session.view({ uri, view: 'wire', offset: WEATHER.indexOf('"days"') });
    expect(view?.name).toBe('get_forecast');
  });

  test('stages, with sizes and what went', async () => {
    session = await Session.start();
    const uri = await session.open('weather.tools.json', WEATHER);
    const view = await session.view({ uri, view: 'stages', tool: '/0' });
    expect(view?.stages.map(({ name }) => name)).toEqual(['lowered', 'pruned', 'descriptions', 'definitions']);
    const text = await session.content(view!.uri);
    expect(text).toContain('Pass 1, descriptions go: −1,099, 5,021 bytes');
    expect(text).toContain('Pass 2, definitions go: −3,919, 1,102 bytes');
    expect(text.split('\n').slice(0, 8)).toEqual([
      '// get_forecast: 6,120 of 5,000 bytes · descriptions and definitions go',
      '// Unused: /$defs/LegacyStation',
      '//',
      '//   Lowered                    6,337',
      '//   Unused definitions pruned  6,120    −217  1,120 over the budget',
      '//   Pass 1, descriptions go    5,021  −1,099  21 over the budget',
      '//   Pass 2, definitions go     1,102  −3,919',
      '[',
    ]);
    const { root, problems } = parseJson(text);
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['comment']));
    expect(root?.items.map((item) => emitJson(item).length)).toEqual([6337, 6120, 5021, 1102]);
    const stage = await session.view({ uri, view: 'stage', tool: '/0', stage: 'pruned' });
    expect(JSON.stringify(JSON.parse(await session.content(stage!.uri)))).toHaveLength(6120);
  });

  test('the source has its keys in the order of the wire and loses nothing', async () => {
    session = await Session.start();
    const uri = await session.open('weather.tools.json', WEATHER);
    const view = await session.view({ uri, view: 'source', tool: '/0' });
    const source = JSON.parse(await session.content(view!.uri));
    expect(source).toEqual(JSON.parse(WEATHER)[0]);
    expect(Object.keys(source).slice(0, 3)).toEqual(['type', 'name', 'description']);
  });

  test('follow unsaved edits, and keep the last good text while the file is broken', async () => {
    session = await Session.start();
    const uri = await session.open('a.tools.json', PLAIN);
    const view = await session.view({ uri, view: 'wire', tool: '/0' });
    const before = await session.content(view!.uri);
    const refreshed = session.next('workspace/textDocumentContent/refresh');
    await session.replace(uri, 'Finds a thing.', 'Finds it.');
    await refreshed;
    const after = await session.content(view!.uri);
    expect(after).toBe(before.replace('Finds a thing.', 'Finds it.'));
    await session.replace(uri, '"parameters": {', '"parameters": {{');
    expect(await session.content(view!.uri)).toBe(after);
  });

  test('a tool is found by its name when it has moved', async () => {
    session = await Session.start();
    const uri = await session.open('a.tools.json', PLAIN);
    const view = await session.view({ uri, view: 'wire', tool: '/0' });
    await session.replace(uri, '[', '[{"type":"function","name":"other","description":"Other.","parameters":{}},');
    expect(JSON.parse(await session.content(view!.uri)).name).toBe('find');
  });

  test('a stage that changes nothing is a comment alone', async () => {
    session = await Session.start();
    const uri = await session.open('a.tools.json', PLAIN);
    const view = await session.view({ uri, view: 'stages', tool: '/0' });
    const { root, problems } = parseJson(await session.content(view!.uri));
    expect(root?.items).toHaveLength(1);
    expect(problems.every(({ code }) => code === 'comment')).toBe(true);
  });

  test('a refused tool has its reason in place of JSON', async () => {
    session = await Session.start();
    const text = tool({ type: 'object', properties: { q: { type: 'array', items: [{ type: 'string' }] } } });
    const uri = await session.open('a.tools.json', text);
    const view = await session.view({ uri, view: 'wire', tool: '/0' });
    expect(JSON.parse(await session.content(view!.uri))).toMatch(/^Not sent\. /);
  });

  test('there is none about other files', async () => {
    session = await Session.start();
    const uri = await session.open('data.json', PLAIN);
    expect(await session.view({ uri, view: 'wire' })).toBeNull();
    expect(await session.view({ uri: `${FOLDER}/closed.tools.json`, view: 'wire' })).toBeNull();
    expect(await session.content('toolspec:/nonsense?%7B')).toBe('');
  });
});
