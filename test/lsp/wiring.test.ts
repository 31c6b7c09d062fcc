import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { FEATURES } from '../../server/src/lsp/wiring';
import { Session } from './harness';

let session: Session;
afterEach(() => session.stop());

const WEATHER = readFileSync('samples/weather.tools.json', 'utf8');
const ORIGIN = { line: 0, character: 0 };

/** A request for each capability that a server can announce and we do. */
const PARAMS: Record<string, (uri: string) => object> = {
  'textDocument/diagnostic': (uri) => ({ textDocument: { uri } }),
  'textDocument/codeAction': (uri) => ({
    textDocument: { uri },
    range: { start: ORIGIN, end: ORIGIN },
    context: { diagnostics: [] },
  }),
  'codeAction/resolve': () => ({ title: 'Nothing.' }),
  'textDocument/inlayHint': (uri) => ({ textDocument: { uri }, range: { start: ORIGIN, end: ORIGIN } }),
  'textDocument/codeLens': (uri) => ({ textDocument: { uri } }),
  'textDocument/hover': (uri) => ({ textDocument: { uri }, position: ORIGIN }),
  'workspace/textDocumentContent': () => ({ uri: 'toolspec:/nothing' }),
};

/** The request behind each announced capability. */
const BY_CAPABILITY: Record<string, string> = {
  diagnosticProvider: 'textDocument/diagnostic',
  codeActionProvider: 'textDocument/codeAction',
  inlayHintProvider: 'textDocument/inlayHint',
  codeLensProvider: 'textDocument/codeLens',
  hoverProvider: 'textDocument/hover',
};

test('every announced capability has a handler, and every handler is announced', async () => {
  session = await Session.start();
  const uri = await session.open('weather.tools.json', WEATHER);
  const { textDocumentSync, workspace, ...providers } = session.result.capabilities;
  expect(textDocumentSync).toEqual({ openClose: true, change: 2 });
  expect(workspace?.textDocumentContent).toEqual({ schemes: ['toolspec'] });
  expect(providers.codeActionProvider).toMatchObject({ resolveProvider: true });
  const announced = [
    ...Object.keys(providers).map((key) => BY_CAPABILITY[key]),
    'codeAction/resolve',
    'workspace/textDocumentContent',
  ];
  expect(announced).not.toContain(undefined);
  for (const method of announced) {
    // A request without handler is rejected with MethodNotFound.
    await expect(session.request(method!, PARAMS[method!]!(uri))).resolves.toBeDefined();
  }
  expect(FEATURES.map(({ method }) => method).sort()).toEqual([...announced, 'toolspec/view'].sort());
});

test('the start is logged', async () => {
  session = await Session.start();
  const uri = await session.open('weather.tools.json', WEATHER);
  await session.diagnostics(uri);
  expect(session.logged[0]).toMatch(/^ToolSpec 0\.0\.0/);
});
