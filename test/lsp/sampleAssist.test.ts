import { afterEach, describe, expect, test } from 'vitest';
import type { CompletionItem, DocumentLink, Location, TextEdit } from 'vscode-languageserver/node';
import { applyEdits } from '../../server/src/core/text/edits';
import { LineIndex } from '../../server/src/core/text/lines';
import { FOLDER, rangeOf, Session } from './harness';

let session: Session;
afterEach(() => session.stop());

const TOOLS = `[
  {
    "type": "function",
    "name": "order",
    "description": "Orders a thing.",
    "parameters": {
      "type": "object",
      "properties": {
        "thing": { "enum": ["tea", "coffee"], "description": "What to bring." },
        "count": { "type": "integer" },
        "sugar": { "type": "boolean" },
        "to": {
          "anyOf": [
            { "type": "object", "properties": { "kind": { "const": "room" }, "number": { "type": "integer" } } },
            { "type": "object", "properties": { "kind": { "const": "desk" }, "name": { "type": "string" } } }
          ]
        },
        "extras": { "type": "array", "items": { "$ref": "#/$defs/extra" } }
      },
      "required": ["thing"],
      "$defs": { "extra": { "type": "object", "properties": { "label": { "type": "string" } } } }
    }
  },
  { "type": "namespace", "name": "shop", "description": "Shop.", "tools": [
    { "type": "function", "name": "list", "description": "Lists.", "parameters": { "type": "object", "properties": {} } } ] },
  { "type": "namespace", "name": "archive", "description": "Archive.", "tools": [
    { "type": "function", "name": "list", "description": "Lists.", "parameters": { "type": "object", "properties": {} } } ] },
  { "type": "custom", "name": "note", "description": "Writes a note." }
]
`;

const FILES = {
  [`${FOLDER}/a.tools.json`]: TOOLS,
  [`${FOLDER}/sub/b.tool.json`]: '{}',
  [`${FOLDER}/order.mjs`]: '',
};

const samples = (call: string, handlers = ''): string =>
  `{\n  "definitions": ["./a.tools.json"],${handlers}\n  "calls": [\n    ${call}\n  ]\n}\n`;

const SNIPPETS = {
  workspace: { configuration: true },
  textDocument: { completion: { completionItem: { snippetSupport: true } } },
};

async function complete(marked: string, capabilities?: object): Promise<{ text: string; items: CompletionItem[] }> {
  session = await Session.start({ files: FILES, ...(capabilities ? { capabilities } : {}) });
  const offset = marked.indexOf('‸');
  const text = marked.replace('‸', '');
  const uri = await session.open('a.samples.json', text);
  const params = { textDocument: { uri }, position: new LineIndex(text).position(offset) };
  return { text, items: (await session.request<CompletionItem[] | null>('textDocument/completion', params)) ?? [] };
}

const labels = async (marked: string): Promise<string[]> => (await complete(marked)).items.map(({ label }) => label);

/** The text with the item with this label taken. */
async function taken(marked: string, label: string, capabilities?: object): Promise<string> {
  const { text, items } = await complete(marked, capabilities);
  const item = items.find((each) => each.label === label)!;
  const lines = new LineIndex(text);
  const edits = [item.textEdit as TextEdit, ...(item.additionalTextEdits ?? [])];
  return applyEdits(
    text,
    edits.map(({ range, newText }) => ({
      span: { start: lines.offset(range.start), end: lines.offset(range.end) },
      newText,
    })),
  );
}

describe('completion in samples files', () => {
  test('offers tools, and writes the namespace where the name is not enough', async () => {
    expect(await labels(samples('{ "tool": "‸" }'))).toEqual(['order', 'shop.list', 'archive.list', 'note']);
    expect(await labels(samples('{ "namespace": "shop", "tool": ‸ }'))).toEqual(['list']);
    expect(await taken(samples('{ "tool": "‸" }'), 'archive.list')).toBe(
      samples('{ "namespace": "archive", "tool": "list" }'),
    );
    const onLines = samples('{\n      "tool": "‸"\n    }');
    expect(await taken(onLines, 'shop.list')).toBe(
      samples('{\n      "namespace": "shop",\n      "tool": "list"\n    }'),
    );
  });

  test('compares with the quote that is replaced', async () => {
    const { items } = await complete(samples('{ "tool": "or‸" }'));
    expect(items[0]).toMatchObject({ label: 'order', filterText: '"order"' });
  });

  test('offers definition files, nearest first, without those that are named', async () => {
    expect(await labels('{ "definitions": [‸] }')).toEqual(['./a.tools.json', './sub/b.tool.json']);
    expect(await labels('{ "definitions": ["./a.tools.json", "‸"] }')).toEqual(['./sub/b.tool.json']);
  });

  test('offers names of handlers, and modules', async () => {
    const handlers = (inner: string): string => samples('', `\n  "handlers": { ${inner} },`);
    expect(await labels(handlers('"order": {}, "‸"'))).toEqual(['list', 'note', '*']);
    expect(await labels(handlers('"order": { "module": "‸" }'))).toEqual(['./order.mjs']);
  });

  test('offers the properties of arguments, required ones first', async () => {
    const call = (inner: string): string => samples(`{ "tool": "order", "arguments": ${inner} }`);
    expect(await labels(call('{ ‸ }'))).toEqual(['thing', 'count', 'sugar', 'to', 'extras']);
    expect(await labels(call('{ "thing": "tea", "‸" }'))).toEqual(['count', 'sugar', 'to', 'extras']);
    expect(await labels(call('{ "extras": [{ "‸" }] }'))).toEqual(['label']);
    expect((await complete(call('{ ‸ }'))).items[0]).toMatchObject({
      detail: '"tea" | "coffee", required',
      documentation: 'What to bring.',
    });
    expect(await taken(call('{ "th‸" }'), 'thing', SNIPPETS)).toBe(call('{ "thing": $1 }'));
    expect(await taken(call('{ ‸ }'), 'extras')).toBe(call('{ "extras": [] }'));
    expect(await taken(call('{ "‸" "count": 1 }'), 'to', SNIPPETS)).toBe(call('{ "to": $1, "count": 1 }'));
  });

  test('offers the values that a schema names', async () => {
    const call = (inner: string): string => samples(`{ "tool": "order", "arguments": ${inner} }`);
    expect(await labels(call('{ "thing": ‸ }'))).toEqual(['"tea"', '"coffee"']);
    expect(await labels(call('{ "sugar": ‸ }'))).toEqual(['true', 'false']);
    expect(await labels(call('{ "count": ‸ }'))).toEqual([]);
    expect(await taken(call('{ "thing": "c‸", "count": 1 }'), '"coffee"')).toBe(
      call('{ "thing": "coffee", "count": 1 }'),
    );
  });

  test('leaves out alternatives that a constant rules out', async () => {
    const to = (inner: string): string => samples(`{ "tool": "order", "arguments": { "to": ${inner} } }`);
    expect(await labels(to('{ ‸ }'))).toEqual(['kind', 'number', 'name']);
    expect(await labels(to('{ "kind": "desk", ‸ }'))).toEqual(['name']);
    expect(await labels(to('{ "kind": ‸ }'))).toEqual(['"room"', '"desk"']);
  });

  test('offers outcomes where the client does not know the schema', async () => {
    const call = samples('{ "tool": "order", "arguments": {}, "expect": { "outcome": "‸" } }');
    expect(await labels(call)).toEqual(['accepted', 'rejected', 'crashed', 'timed-out', 'aborted']);
  });

  test('has nothing to say elsewhere', async () => {
    expect(await labels(samples('{ "name": "‸", "tool": "order" }'))).toEqual([]);
    expect(await labels(samples('{ "tool": "order"‸ }'))).toEqual([]);
    expect(await labels(samples('{ "tool": "nobody", "arguments": { ‸ } }'))).toEqual([]);
  });
});

const CALL = samples(
  '{ "name": "one", "tool": "order", "arguments": { "thing": "tea", "extras": [{ "label": "" }] } }',
);

describe('a tool in a samples file', () => {
  test('is told by its description and parameters', async () => {
    session = await Session.start({ files: FILES });
    const text = CALL.replace('"order"', '"or‸der"');
    const hover = (await session.hover('a.samples.json', text))!;
    expect(hover).toContain('**[order](file:///project/a.tools.json#L4,13)** in a\\.tools\\.json');
    expect(hover).toContain('Orders a thing\\.');
    expect(hover).toContain('| `thing`&ensp; | "tea" \\| "coffee", required&ensp; | What to bring\\. |');
  });

  test('tells of properties too', async () => {
    session = await Session.start({ files: FILES });
    const hover = await session.hover('a.samples.json', CALL.replace('"thing"', '"th‸ing"'));
    expect(hover).toBe('`thing`: "tea" \\| "coffee", required\n\nWhat to bring\\.');
  });

  test('leads to its definition, as do properties and paths', async () => {
    session = await Session.start({ files: FILES });
    const uri = await session.open('a.samples.json', CALL);
    const definition = async (part: string, inner = part): Promise<Location | undefined> => {
      const at = CALL.indexOf(part) + part.indexOf(inner) + 1;
      const params = { textDocument: { uri }, position: new LineIndex(CALL).position(at) };
      return (await session.request<Location[] | null>('textDocument/definition', params))?.[0];
    };
    const tools = `${FOLDER}/a.tools.json`;
    expect(await definition('"order"')).toEqual({ uri: tools, range: rangeOf(TOOLS, '"order"') });
    expect(await definition('"thing"')).toEqual({ uri: tools, range: rangeOf(TOOLS, '"thing"') });
    expect(await definition('"label"')).toEqual({ uri: tools, range: rangeOf(TOOLS, '"label"') });
    expect((await definition('"./a.tools.json"', './'))!.uri).toBe(tools);
    expect(await definition('"tea"')).toBeUndefined();
    const links = await session.request<DocumentLink[]>('textDocument/documentLink', { textDocument: { uri } });
    expect(links).toEqual([{ range: rangeOf(CALL, './a.tools.json'), target: tools }]);
  });

  test('has its calls as references, from either side', async () => {
    session = await Session.start({ files: { ...FILES, [`${FOLDER}/a.samples.json`]: CALL } });
    const uri = await session.open('a.samples.json', CALL);
    const tools = await session.open('a.tools.json', TOOLS);
    const call = { uri, range: rangeOf(CALL, '"one"') };
    const definition = { uri: tools, range: rangeOf(TOOLS, '"order"') };
    const references = (at: string, text: string, includeDeclaration: boolean): Promise<Location[] | null> =>
      session.request('textDocument/references', {
        textDocument: { uri: at },
        position: rangeOf(text, '"order"').start,
        context: { includeDeclaration },
      });
    expect(await references(tools, TOOLS, false)).toEqual([call]);
    expect(await references(uri, CALL, true)).toEqual([definition, call]);
  });
});
