import { afterEach, describe, expect, test } from 'vitest';
import type { Position, Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { parseJson } from '../../server/src/core/text/json';
import { LineIndex } from '../../server/src/core/text/lines';
import { jsonOf } from './grammarSupport';
import { FOLDER, Session, WHOLE } from './harness';

const sessions: Session[] = [];
afterEach(() => Promise.all(sessions.splice(0).map((each) => each.stop())));

const GOOD = [
  '%import common (INT, WS)',
  'start: item{INT} | pair -> both',
  '?item{x}: x "," [x] | "\u{1f600}\\n\\"" /[^\\/"\u{1f601}]+/i',
  'pair.2: NAME ":" (item{NAME} | pair)~1..2 // \u{1f602} pair',
  'NAME: ("a".."z" | "_")+',
  '%ignore WS',
  '',
].join('\n');

const HOSTILE: Record<string, string> = {
  empty: '',
  blanks: ' \t\r\n \n',
  CRLF: GOOD.replaceAll('\n', '\r\n'),
  'CR alone': GOOD.replaceAll('\n', '\r'),
  'a byte order mark': `\ufeff${GOOD}`,
  'line separators': GOOD.replaceAll('\n', '\u2028\n'),
  'half surrogates': `start: "\ud800" a\na: "\udc00" start\n`,
  'no end of a string': 'start: "a\nb: c\n',
  'no end of an expression': 'start: /a[/\nb: c\n',
  'brackets without end': `start: ${'('.repeat(2000)}"a"`,
  'brackets without beginning': `start: "a"${')'.repeat(2000)}\n`,
  'deep brackets': `start: ${'['.repeat(5000)}"a"${']'.repeat(5000)}\n`,
  'deep templates': `start: ${'t{'.repeat(200)}A${'}'.repeat(200)}\nt{x}: x\nA: "a"\n`,
  'deep expression': `start: /${'('.repeat(3000)}a${')'.repeat(3000)}/\n`,
  'a template without end': 'start: t{"a"}\nt{x}: t{u{x}}\nu{x}: x\n',
  'names of objects': 'start: constructor toString __proto__\nconstructor: "a"\ntostring: hasownproperty\n',
  'zero bytes': 'start: "\0" \0 a\na: "b"\n',
  'a long line': `start: ${Array.from({ length: 1000 }, (_, i) => `"k${i}"`).join(' | ')}\n`,
  'many rules': `start: r0\n${Array.from({ length: 400 }, (_, i) => `r${i}: "a" r${i + 1}?`).join('\n')}\nr400: "z"\n`,
  'an import of itself': '%import .own.start\n%import .patch.start -> s\nstart: s\n',
  'half-typed directives':
    '%\n%import\n%import .\n%import common.\n%import common (\n%ignore\n%declare\n%override\n%extend x\n',
  'half-typed rules': 'start\nstart:\n  |\na ->\nb: c ->\n!\n?x{\ny{a,: a\nz.: "a"\nA: B..\nC: "a"..\nd~\n',
};

/** A grammar in a JSON string in which each character is an escape. */
function escapedJson(text: string): string {
  const escapes = text.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return jsonOf('@@').replace('@@', escapes.join(''));
}

const FORMS: Record<string, (text: string) => string> = {
  'in a file': (text) => text,
  'in a string': jsonOf,
  'in a string of escapes': escapedJson,
};

/** Every range in an answer about a document. */
function rangesIn(answer: unknown, uri: string): Range[] {
  const found: Range[] = [];
  const stack = [answer];
  for (let value = stack.pop(); stack.length > 0 || value !== undefined; value = stack.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const { start, end } = value as Partial<Range>;
    const { uri: other = uri } = value as { readonly uri?: string };
    if (other !== uri) continue;
    if (typeof start?.line === 'number' && typeof end?.line === 'number') found.push({ start, end });
    else stack.push(...Object.values(value));
  }
  return found;
}

const PLACED = [
  'hover',
  'definition',
  'references',
  'documentHighlight',
  'completion',
  'prepareRename',
  'selectionRange',
];

async function ask(session: Session, uri: string, position: Position): Promise<[string, unknown][]> {
  const textDocument = { uri };
  const whole: [string, object][] = [
    ['diagnostic', {}],
    ['codeLens', {}],
    ['documentSymbol', {}],
    ['foldingRange', {}],
    ['semanticTokens/full', {}],
    ['inlayHint', { range: WHOLE }],
    ['formatting', { options: { tabSize: 4, insertSpaces: true } }],
    ['codeAction', { range: { start: position, end: position }, context: { diagnostics: [] } }],
    ['rename', { position, newName: 'renamed' }],
    ['prepareCallHierarchy', { position }],
    ...PLACED.map((method): [string, object] => [
      method,
      { position, positions: [position], context: { includeDeclaration: true } },
    ]),
  ];
  const answers: [string, unknown][] = [];
  for (const [method, more] of whole) {
    // A name that cannot be given is an answer, too.
    const answer = session.request(`textDocument/${method}`, { textDocument, ...more });
    answers.push([
      method,
      method === 'rename' || method === 'prepareRename' ? await answer.catch(() => null) : await answer,
    ]);
  }
  return answers;
}

describe.each(Object.keys(FORMS))('hostile grammars %s', (form) => {
  test.each(Object.keys(HOSTILE))('%s: all requests are answered, with ranges of the text', async (name) => {
    const session = await Session.start({ settings: { targets: ['lark', 'openai'] } });
    sessions.push(session);
    const text = FORMS[form]!(HOSTILE[name]!);
    const uri = await session.open(
      `${FOLDER}/${form === 'in a file' ? 'own.lark' : 'patch.tool.json'}`,
      text,
      form === 'in a file' ? 'lark' : 'json',
    );
    const lines = new LineIndex(text);
    for (const part of [0.1, 0.9]) {
      const answers = await ask(session, uri, lines.position(Math.floor(text.length * part)));
      for (const [method, answer] of answers) {
        for (const range of rangesIn(answer, uri)) {
          const start = lines.offset(range.start);
          const end = lines.offset(range.end);
          expect([method, lines.range({ start, end })]).toEqual([method, range]);
          expect(start).toBeLessThanOrEqual(end);
        }
      }
    }
    expect(session.logged.filter((line) => line.includes('failed'))).toEqual([]);
  });

  test('names are found and renamed wherever the text holds escapes and pairs', async () => {
    const session = await Session.start({ settings: { targets: ['lark'] } });
    sessions.push(session);
    for (const [index, text] of [GOOD, GOOD.replaceAll('\n', '\r\n')].entries()) {
      const document = FORMS[form]!(text);
      const inFile = form === 'in a file';
      const uri = await session.open(
        `${FOLDER}/${index}${inFile ? '.lark' : '.tool.json'}`,
        document,
        inFile ? 'lark' : 'json',
      );
      const lines = new LineIndex(document);
      const decode = (part: string): string => (inFile ? part : (parseJson(`"${part}"`).root!.string ?? ''));
      const read = (range: Range): string => decode(document.slice(lines.offset(range.start), lines.offset(range.end)));
      const first = inFile ? document : document.slice(0, document.lastIndexOf('"'));
      const needle = form === 'in a string of escapes' ? '\\u0070\\u0061\\u0069\\u0072' : 'pair';
      const position = lines.position(first.lastIndexOf(needle));
      const places = await session.request<Range[]>('textDocument/documentHighlight', {
        textDocument: { uri },
        position,
      });
      // The last `pair` stands in a comment, which is no name.
      expect(places ?? []).toEqual([]);
      const inner = lines.position(first.lastIndexOf(needle, first.lastIndexOf(needle) - 1));
      const found = await session.request<{ range: Range }[]>('textDocument/documentHighlight', {
        textDocument: { uri },
        position: inner,
      });
      expect(found.map(({ range }) => read(range))).toEqual(['pair', 'pair', 'pair']);
      const edit = await session.request<WorkspaceEdit>('textDocument/rename', {
        textDocument: { uri },
        position: inner,
        newName: 'couple',
      });
      const edits = (edit.documentChanges ?? []).flatMap((each) => ('edits' in each ? (each.edits as TextEdit[]) : []));
      expect(edits.map(({ range }) => read(range))).toEqual(['pair', 'pair', 'pair']);
      await session.change(uri, edits.map(({ range, newText }) => ({ range, text: newText })).reverse());
      const rules = (await session.diagnostics(uri)).filter(({ severity }) => severity === 1).map(({ code }) => code);
      expect(rules).toEqual([]);
    }
  });
});

describe('a grammar of 100 KB', () => {
  test('is answered about, in full', async () => {
    const session = await Session.start({ settings: { targets: ['lark', 'openai'] } });
    sessions.push(session);
    const rule = (i: number): string =>
      `rule_${i}: "keyword${i}" (rule_${i + 1} | NAME)* [";"]  // Some words on it.\n`;
    const text = `start: rule_0\n${Array.from({ length: 1700 }, (_, i) => rule(i)).join('')}rule_1700: NAME\nNAME: /[a-z]{1,9}/\n`;
    expect(text.length).toBeGreaterThan(100_000);
    const uri = await session.open('own.lark', text, 'lark');
    const at = new LineIndex(text).position(text.indexOf('rule_900'));
    const answers = new Map(await ask(session, uri, at));
    expect(answers.get('references')).toHaveLength(2);
    expect(answers.get('documentSymbol')).toHaveLength(1703);
    expect(session.logged.filter((line) => line.includes('failed'))).toEqual([]);
  });
});
