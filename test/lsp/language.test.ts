import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CompletionItem, CompletionList, InlayHint } from 'vscode-languageserver/node';
import { collectTexts, pseudoBundle, readTexts } from '../../scripts/l10n.mjs';
import { METHODS } from '../../server/src/protocol';
import type { DriftProgressInfo, FindDriftResult } from '../../server/src/samplesProtocol';
import { read } from '../unit/tidy/sources';
import { FOLDER, Session, WHOLE } from './harness';

/** A language in which each text stands in ⟦ ⟧ and has accents, so that what was not translated is seen. */
const PSEUDO = pseudoBundle(collectTexts().texts.keys());

/** What stands outside of translated texts. */
function outside(text: string): string {
  let depth = 0;
  let found = '';
  for (const character of text) {
    if (character === '⟦') depth++;
    else if (character === '⟧') depth--;
    else if (depth === 0) found += character;
  }
  return found;
}

/** Words of people's languages outside of translated texts: neither code nor what files hold. */
function untranslated(text: string): string[] {
  const rest = outside(text)
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/`[^`]*`|"[^"]*"|\]\([^)]*\)|&\w+;/g, ' ');
  return rest.match(/[\p{L}]{3,}/gu) ?? [];
}

const TOOLS = read('samples/shop.mcp.tools.json');
const BROKEN = JSON.stringify(
  [
    {
      type: 'function',
      name: 'look up',
      strict: true,
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'strng', format: 'phone' },
          when: { description: 'Any time.' },
          list: { type: 'array' },
          ref: { $ref: '#/$defs/Nowhere' },
          limit: { type: 'integer', minimum: 5, maximum: 1 },
        },
        required: ['city', 'nobody'],
      },
    },
    {
      type: 'custom',
      name: 'query',
      description: 'Runs a query.',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: WORD again\nWORD: /a(?=b)/\n' },
    },
  ],
  null,
  2,
);
const GRAMMAR = 'start: item+ "x"\nitem: WORD | NUMBR\nWORD: /[a-z]+?/\nNUMBER: /[0-9]+/\n%ignore /[ ]+/\n';

let session: Session;
const uris: string[] = [];

beforeAll(async () => {
  session = await Session.start({ initialization: { texts: PSEUDO, commands: true } });
  uris.push(await session.open('shop.mcp.tools.json', TOOLS));
  uris.push(await session.open('broken.tools.json', BROKEN));
  uris.push(await session.open('query.lark', GRAMMAR, 'lark'));
});
afterAll(() => session.stop());

/** Texts with what is not translated in them. */
const faults = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => (untranslated(text).length === 0 ? [] : [`${untranslated(text).join(' ')} | ${text}`]));

test('diagnostics with their notes', async () => {
  const found = (await Promise.all(uris.map((uri) => session.diagnostics(uri)))).flat();
  const texts = found.flatMap(({ message, relatedInformation = [] }) => [
    message as string,
    ...relatedInformation.map((each) => each.message),
  ]);
  expect(texts.length).toBeGreaterThan(15);
  expect(faults(texts)).toEqual([]);
});

test('lenses and hints', async () => {
  const lenses = (await Promise.all(uris.map((uri) => session.lenses(uri)))).flat();
  const titles = lenses.map(({ command }) => command!.title);
  expect(titles.length).toBeGreaterThan(4);
  expect(faults(titles)).toEqual([]);
  const answers = await Promise.all(
    uris.map((uri) =>
      session.request<InlayHint[] | null>('textDocument/inlayHint', { textDocument: { uri }, range: WHOLE }),
    ),
  );
  const hints = answers
    .flatMap((each) => each ?? [])
    .flatMap(({ label, tooltip }) => [String(label), typeof tooltip === 'string' ? tooltip : (tooltip?.value ?? '')]);
  expect(hints.length).toBeGreaterThan(10);
  expect(faults(hints)).toEqual([]);
});

test('actions', async () => {
  const titles = (await Promise.all(uris.map((uri) => session.actions(uri, WHOLE)))).flat().map(({ title }) => title);
  expect(titles.length).toBeGreaterThan(5);
  expect(faults(titles)).toEqual([]);
});

test('completions', async () => {
  const position = { line: 1, character: 6 };
  const answer = await session.request<CompletionList | CompletionItem[] | null>('textDocument/completion', {
    textDocument: { uri: uris[2]! },
    position,
  });
  const items = Array.isArray(answer) ? answer : (answer?.items ?? []);
  expect(items.length).toBeGreaterThan(3);
  expect(faults(items.flatMap(({ detail }) => (detail === undefined ? [] : [detail])))).toEqual([]);
});

test('a hover on every line', async () => {
  const texts: string[] = [];
  for (const [index, text] of [TOOLS, BROKEN, GRAMMAR].entries()) {
    for (const [line, content] of text.split('\n').entries()) {
      const hover = await session.request<{ contents: { value: string } } | null>('textDocument/hover', {
        textDocument: { uri: uris[index]! },
        position: { line, character: Math.max(0, content.search(/\w/)) },
      });
      if (hover !== null) texts.push(hover.contents.value);
    }
  }
  expect(texts.length).toBeGreaterThan(20);
  // Names of tools, types and keywords come out of the file.
  expect(faults(texts)).toEqual([]);
});

/** Words whose letters would have accents if they were translated, less what files and programs say. */
function plainWords(texts: readonly string[], names: readonly string[]): string[] {
  const words =
    texts
      .join(' ')
      .replace(/"[^"]*"/g, ' ')
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  return [...new Set(words)].filter(
    (word) => /^\p{L}{3,}$/u.test(word) && /[aceilnorsuyz]/.test(word) && !names.includes(word),
  );
}

test('what a search for drift finds, covers and cannot judge, with what goes into its sentences', async () => {
  const tool = (name: string, properties: object, more: object = {}): object => {
    return { type: 'function', name, description: 'D.', parameters: { type: 'object', properties, ...more } };
  };
  const list = { type: 'array', items: { type: 'number', minimum: 1, maximum: 1.5 }, minItems: 1, maxItems: 3 };
  const tools = [
    tool(
      'fields',
      {
        id: { type: 'string', pattern: '^a{2,9}$', minLength: 5, maxLength: 7 },
        when: { type: 'string', format: 'date' },
        free: { type: 'string', maxLength: 4 },
        many: list,
        some: { anyOf: [{ const: 5 }, { type: 'integer' }, { type: 'boolean' }] },
      },
      { required: ['id'], additionalProperties: false },
    ),
    {
      type: 'custom',
      name: 'note',
      description: 'D.',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "a" again | \nagain: "b"\n  | "c" again\n' },
    },
    { type: 'custom', name: 'bare', description: 'D.' },
    tool('slow', {}),
    tool('crash', { n: { type: 'integer' } }),
  ];
  const handlers = { '*': { command: ['x'] } };
  const searching = await Session.start({
    files: {
      [`${FOLDER}/a.tools.json`]: JSON.stringify(tools),
      [`${FOLDER}/a.samples.json`]: JSON.stringify({ definitions: ['a.tools.json'], handlers, calls: [] }),
      [`${FOLDER}/b.samples.json`]: JSON.stringify({ definitions: ['gone.tools.json'], handlers, calls: [] }),
      [`${FOLDER}/c.samples.json`]: JSON.stringify({ definitions: ['none.tools.json'], handlers, calls: [] }),
      [`${FOLDER}/none.tools.json`]: '[]',
    },
    host: {
      handlers: async () => ({
        async call(_spec, _folder, { tool: name, text }) {
          if (name === 'slow')
            return { verdict: 'timed-out', detail: 'Late.', stop: { kind: 'timeout', limitMs: 5 }, notes: [] };
          if (name === 'crash' && /[1-9]/.test(text))
            return { verdict: 'crashed', detail: 'Exit.', stop: { kind: 'exited', exitCode: 3 }, notes: [] };
          return { verdict: 'accepted', value: text, notes: [] };
        },
        async restart() {},
        async dispose() {},
      }),
      folderOf: (uri) => uri.slice(0, uri.lastIndexOf('/')),
    },
    initialization: { texts: PSEUDO, commands: true, trusted: true },
  });
  const find = (name: string): Promise<FindDriftResult> => {
    return searching.request(METHODS.findDrift, { uri: `${FOLDER}/${name}`, runs: 400, seed: 1, run: name });
  };
  const found = await find('a.samples.json');
  expect(found.tools.map(({ tool }) => tool)).toEqual(['fields', 'note', 'bare', 'slow', 'crash']);
  const [fields, note, bare, slow, crash] = found.tools;
  const keywords = ['properties', 'items', 'anyOf', 'number', 'integer', 'boolean', 'null', 'date', 'true', 'extra'];
  const names = ['fields', 'note', 'bare', 'slow', 'crash', 'when', 'free', 'many', 'some', 'start', 'again'];
  const progress = searching.received.filter(({ method }) => method === METHODS.driftProgress);
  const failures = await Promise.all(['b.samples.json', 'c.samples.json'].map(find));
  const texts = [
    ...[fields, note, crash].flatMap((each) => each!.log),
    ...[fields, note, crash].flatMap((each) => each!.drifts.map(({ feedback }) => feedback)),
    ...[bare, slow].map((each) => each!.skipped ?? ''),
    ...failures.map(({ failure }) => failure ?? '').map((each) => each.replace(/(?:gone|none)\.tools\.json/, '')),
    ...progress.map(({ params }) => (params as DriftProgressInfo).message),
  ];
  expect(fields!.drifts.length).toBeGreaterThan(3);
  expect(note!.drifts.map(({ feedback }) => feedback).join('\n')).toMatch(/^⟦Thé gŕámmáŕ ŕéfúśéś /m);
  expect(crash!.drifts[0]!.feedback).toMatch(/3/);
  expect(faults(texts)).toEqual([]);
  expect(plainWords(texts, [...keywords, ...names])).toEqual([]);
  const told = await Promise.all(
    ['b.samples.json', 'c.samples.json'].map(async (name) =>
      searching.diagnostics(await searching.open(name, searching.files.get(`${FOLDER}/${name}`)!)),
    ),
  );
  const messages = told.flat().map(({ message }) => message as string);
  expect(messages.length).toBeGreaterThan(1);
  expect(plainWords(messages, [])).toEqual([]);
  await searching.stop();
});

test('Simplified Chinese comes out as it stands in its bundle; anything that is no text counts as English', async () => {
  const texts = readTexts('l10n/bundle.l10n.zh-cn.json');
  const chinese = await Session.start({ initialization: { texts } });
  const uri = await chinese.open(
    'a.tool.json',
    '{"type": "function", "name": 1, "parameters": {"type": "object", "properties": {}}}',
  );
  const messages = (await chinese.diagnostics(uri)).map(({ message }) => message);
  expect(messages.join(' ')).toContain('名称必须是字符串。');
  await chinese.stop();
  const odd = await Session.start({ initialization: { texts: { 'The name must be a string.': 7 } as never } });
  const again = await odd.open(
    'a.tool.json',
    '{"type": "function", "name": 1, "parameters": {"type": "object", "properties": {}}}',
  );
  expect((await odd.diagnostics(again)).map(({ message }) => message)).toContain('The name must be a string.');
  await odd.stop();
});
