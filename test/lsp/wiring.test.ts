import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { FEATURES } from '../../server/src/lsp/wiring';
import { Session } from './harness';

let session: Session;
afterEach(() => session.stop());

const WEATHER = readFileSync('samples/weather.tools.json', 'utf8');
const ORIGIN = { line: 0, character: 0 };

const LAYOUT = { tabSize: 2, insertSpaces: true };

function callItem(uri: string): object {
  const range = { start: ORIGIN, end: ORIGIN };
  return { name: 'start', kind: 12, uri, range, selectionRange: range };
}

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
  'textDocument/completion': (uri) => ({ textDocument: { uri }, position: ORIGIN }),
  'textDocument/definition': (uri) => ({ textDocument: { uri }, position: ORIGIN }),
  'textDocument/documentLink': (uri) => ({ textDocument: { uri } }),
  'textDocument/references': (uri) => ({
    textDocument: { uri },
    position: ORIGIN,
    context: { includeDeclaration: true },
  }),
  'textDocument/documentHighlight': (uri) => ({ textDocument: { uri }, position: ORIGIN }),
  'textDocument/rename': (uri) => ({ textDocument: { uri }, position: ORIGIN, newName: 'x' }),
  'textDocument/prepareRename': (uri) => ({ textDocument: { uri }, position: ORIGIN }),
  'textDocument/documentSymbol': (uri) => ({ textDocument: { uri } }),
  'workspace/symbol': () => ({ query: '' }),
  'textDocument/foldingRange': (uri) => ({ textDocument: { uri } }),
  'textDocument/selectionRange': (uri) => ({ textDocument: { uri }, positions: [ORIGIN] }),
  'textDocument/semanticTokens/full': (uri) => ({ textDocument: { uri } }),
  'textDocument/semanticTokens/range': (uri) => ({ textDocument: { uri }, range: { start: ORIGIN, end: ORIGIN } }),
  'textDocument/formatting': (uri) => ({ textDocument: { uri }, options: LAYOUT }),
  'textDocument/rangeFormatting': (uri) => ({
    textDocument: { uri },
    range: { start: ORIGIN, end: ORIGIN },
    options: LAYOUT,
  }),
  'textDocument/prepareCallHierarchy': (uri) => ({ textDocument: { uri }, position: ORIGIN }),
  'callHierarchy/incomingCalls': (uri) => ({ item: callItem(uri) }),
  'callHierarchy/outgoingCalls': (uri) => ({ item: callItem(uri) }),
};

/** The requests behind each announced capability. */
const BY_CAPABILITY: Record<string, string[]> = {
  diagnosticProvider: ['textDocument/diagnostic'],
  codeActionProvider: ['textDocument/codeAction', 'codeAction/resolve'],
  inlayHintProvider: ['textDocument/inlayHint'],
  codeLensProvider: ['textDocument/codeLens'],
  hoverProvider: ['textDocument/hover'],
  completionProvider: ['textDocument/completion'],
  definitionProvider: ['textDocument/definition'],
  documentLinkProvider: ['textDocument/documentLink'],
  referencesProvider: ['textDocument/references'],
  documentHighlightProvider: ['textDocument/documentHighlight'],
  renameProvider: ['textDocument/rename', 'textDocument/prepareRename'],
  documentSymbolProvider: ['textDocument/documentSymbol'],
  workspaceSymbolProvider: ['workspace/symbol'],
  foldingRangeProvider: ['textDocument/foldingRange'],
  selectionRangeProvider: ['textDocument/selectionRange'],
  semanticTokensProvider: ['textDocument/semanticTokens/full', 'textDocument/semanticTokens/range'],
  documentFormattingProvider: ['textDocument/formatting'],
  documentRangeFormattingProvider: ['textDocument/rangeFormatting'],
  callHierarchyProvider: [
    'textDocument/prepareCallHierarchy',
    'callHierarchy/incomingCalls',
    'callHierarchy/outgoingCalls',
  ],
};

test('every announced capability has a handler, and every handler is announced', async () => {
  session = await Session.start();
  const uri = await session.open('weather.tools.json', WEATHER);
  const { textDocumentSync, workspace, ...providers } = session.result.capabilities;
  expect(textDocumentSync).toEqual({ openClose: true, change: 2 });
  expect(workspace?.textDocumentContent).toEqual({ schemes: ['toolspec'] });
  expect(providers.codeActionProvider).toMatchObject({ resolveProvider: true });
  expect(Object.keys(providers).filter((key) => !(key in BY_CAPABILITY))).toEqual([]);
  const announced = [...Object.keys(providers).flatMap((key) => BY_CAPABILITY[key]!), 'workspace/textDocumentContent'];
  for (const method of announced) {
    // A request without handler is rejected with MethodNotFound.
    await expect(session.request(method, PARAMS[method]!(uri))).resolves.toBeDefined();
  }
  const own = [
    'toolspec/toolList',
    'toolspec/view',
    'toolspec/walk',
    'toolspec/panel',
    'toolspec/panelText',
    'toolspec/panelRun',
    'toolspec/panelSave',
    'toolspec/panelCall',
    'toolspec/panelGenerate',
    'toolspec/samples',
    'toolspec/runSamples',
    'toolspec/addSample',
    'toolspec/findDrift',
    'toolspec/storeDrift',
    'toolspec/sourceServers',
    'toolspec/importSource',
    'toolspec/snapshots',
    'toolspec/convert',
  ];
  expect(FEATURES.map(({ method }) => method).sort()).toEqual([...announced, ...own].sort());
});

test('formatters are registered for grammar files alone where the client can do that', async () => {
  const dynamicRegistration = true;
  const textDocument = { formatting: { dynamicRegistration }, rangeFormatting: { dynamicRegistration } };
  session = await Session.start({ capabilities: { textDocument } });
  const { documentFormattingProvider, documentRangeFormattingProvider } = session.result.capabilities;
  expect([documentFormattingProvider, documentRangeFormattingProvider]).toEqual([undefined, undefined]);
  const registered = (): string[] =>
    session.received.flatMap(({ method, params }) =>
      method === 'client/registerCapability'
        ? (params as { registrations: { method: string }[] }).registrations.map((each) => each.method)
        : [],
    );
  await session.open('weather.tools.json', WEATHER);
  await session.request('workspace/symbol', { query: '' });
  expect(registered().sort()).toEqual(['textDocument/formatting', 'textDocument/rangeFormatting']);
});

test('the start is logged', async () => {
  session = await Session.start();
  const uri = await session.open('weather.tools.json', WEATHER);
  await session.diagnostics(uri);
  expect(session.logged[0]).toMatch(/^ToolSpec 0\.0\.0/);
});
