import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { getLanguageService, TextDocument } from 'vscode-json-languageservice';
import { HOSTED_TYPES, WEB_SEARCH_TYPES } from '../../../server/src/core/profiles/toolTypes';
import { parseJson } from '../../../server/src/core/text/json';
import { toValue } from '../../../server/src/core/text/jsonTree';
import type { ToolShape } from '../../../server/src/core/tools/model';
import { readTools } from '../../../server/src/core/tools/read';
import { compileSchema, loadSchema } from './support';

const schema = loadSchema('tool.schema.json');
const validate = compileSchema('tool.schema.json');
const folder = path.resolve(import.meta.dirname, '../../fixtures/tools');
const fixtures = readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')] as const);

const service = getLanguageService({});
// The service resolves references in place, so it gets a copy of its own.
const served = loadSchema('tool.schema.json');
service.configure({ validate: true, schemas: [{ uri: 'toolspec:tools', fileMatch: ['*'], schema: served }] });

function open(text: string) {
  const document = TextDocument.create('file:///a.tools.json', 'jsonc', 1, text);
  return { document, json: service.parseJSONDocument(document) };
}

/** What VS Code's own JSON support says about a file. */
async function squiggles(text: string): Promise<string[]> {
  const { document, json } = open(text);
  const settings = { comments: 'ignore', trailingCommas: 'ignore' } as const;
  return (await service.doValidation(document, json, settings, served)).map((each) => String(each.message));
}

/** Labels of what VS Code offers at the cursor. */
async function offers(marked: string): Promise<string[]> {
  const { document, json } = open(marked.replace('‸', ''));
  const list = await service.doComplete(document, document.positionAt(marked.indexOf('‸')), json);
  return (list?.items ?? []).map((item) => item.label);
}

describe('the schema of tool definitions', () => {
  // This one is a text that is being typed: broken JSON has no value.
  test.each(fixtures.filter(([name]) => !name.startsWith('half-typed')))('takes %s', async (_name, text) => {
    validate(toValue(parseJson(text).root!));
    expect(validate.errors ?? []).toEqual([]);
    expect(await squiggles(text)).toEqual([]);
  });

  const any = { type: 'object', properties: {} };

  test.each<[about: string, value: unknown]>([
    ['nothing yet', {}],
    ['no tools yet', []],
    ['a name alone', { name: 'a' }],
    ['a file of another program', { version: 1, tools: [{ id: 'hammer', price: 5 }] }],
    ['unknown keys', { type: 'function', name: 'a', parameters: any, vendor: { x: 1 } }],
    ['nulls of Responses', { type: 'function', name: 'a', description: null, parameters: null, strict: null }],
    ['a tool type of next year', { type: 'teleport', range: 5 }],
    ['a dated tool of Anthropic', { type: 'bash_20991231', name: 'bash', input_schema_version: 2 }],
    ['a schema under the wrong key', { type: 'function', name: 'a', inputSchema: any, strict: false }],
    [
      'Gemini types',
      { name: 'a', parameters: { type: 'OBJECT', nullable: true, properties: { x: { type: 'STRING' } } } },
    ],
    ['draft 4', { name: 'a', inputSchema: { properties: { x: { type: 'integer', exclusiveMinimum: true } } } }],
    ['draft 2020-12', { name: 'a', inputSchema: { prefixItems: [true], items: false, $defs: {}, $dynamicRef: '#x' } }],
    ['a tuple', { name: 'a', inputSchema: { items: [{ type: 'string' }] } }],
    [
      'what no schema is: rules say it',
      { type: 'function', name: 5, parameters: { type: 'strng', required: null, properties: 5 } },
    ],
    [
      'a grammar in its own file',
      { type: 'custom', name: 'a', format: { type: 'grammar', syntax: 'lark', definition: { $file: './a.lark' } } },
    ],
    [
      'local facts',
      {
        name: 'a',
        inputSchema: any,
        'x-toolspec': {
          exposure: 'hidden',
          server: 's',
          plugin: true,
          trusted: false,
          handler: { module: './a.mjs', export: 'parse' },
        },
      },
    ],
    ['a mixed list', [{ type: 'function', name: 'a' }, { name: 'b', inputSchema: any }, { function: { name: 'c' } }]],
    [
      'a namespace of dynamic tools',
      { type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'a', inputSchema: any, deferLoading: true }] },
    ],
    [
      'a whole answer of Responses',
      {
        id: 'r',
        object: 'response',
        model: 'm',
        output: [],
        tools: [{ type: 'function', name: 'a', parameters: any }],
      },
    ],
    ['input that is a text', { model: 'm', input: 'hello', tools: [] }],
  ])('takes %s', async (_about, value) => {
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
    expect(await squiggles(JSON.stringify(value))).toEqual([]);
  });

  test.each<[about: string, value: unknown]>([
    ['a number', 5],
    ['a list of numbers', [5]],
    ['a word for strict', { type: 'function', name: 'a', parameters: any, strict: 'yes' }],
    ['an unknown syntax', { type: 'custom', name: 'a', format: { type: 'grammar', syntax: 'ebnf', definition: '' } }],
    ['an unknown exposure', { name: 'a', inputSchema: any, 'x-toolspec': { exposure: 'maybe' } }],
    ['an unknown local fact', { name: 'a', inputSchema: any, 'x-toolspec': { expose: 'direct' } }],
    ['tools that are no list', { tools: {} }],
  ])('refuses %s', (_about, value) => {
    expect(validate(value)).toBe(false);
  });

  test('knows the types that the readers know', () => {
    const text = JSON.stringify(schema);
    for (const type of [...WEB_SEARCH_TYPES, ...HOSTED_TYPES]) expect(text).toContain(`"${type}"`);
  });
});

describe('completion by the schema', () => {
  test.each<[marked: string, some: string[], not: string[]]>([
    ['{‸}', ['type', 'name', 'tools', 'x-toolspec'], []],
    ['[{"type": ‸}]', ['"function"', '"custom"', '"namespace"'], []],
    ['[{"type": "function", ‸}]', ['name', 'parameters', 'strict'], ['inputSchema', 'format', 'annotations']],
    ['{"type": "custom", ‸}', ['name', 'format'], ['parameters']],
    ['{"type": "custom", "format": {"syntax": ‸}}', ['"lark"', '"regex"'], []],
    ['{"type": "function", "function": {‸}}', ['name', 'parameters', 'strict'], ['type']],
    ['{"name": "a", "inputSchema": {}, ‸}', ['annotations', 'outputSchema', 'title'], ['strict', 'parameters']],
    ['{"name": "a", "inputSchema": {"properties": {"x": {‸}}}}', ['type', 'enum', 'items'], ['name']],
    ['{"name": "a", "inputSchema": {"type": ‸}}', ['"object"', '"string"'], []],
    ['{"name": "a", "input_schema": {}, ‸}', ['cache_control', 'strict'], ['annotations']],
    ['{"name": "a", "modelDescription": "b", ‸}', ['displayName', 'inputSchema'], ['annotations']],
    ['{"name": "a", "inputSchema": {}, "x-toolspec": {‸}}', ['exposure', 'server', 'plugin', 'trusted', 'handler'], []],
    ['{"tools": [{"type": "namespace", ‸}]}', ['name', 'description', 'tools'], ['parameters']],
  ])('%s', async (marked, some, not) => {
    const labels = await offers(marked);
    expect(labels).toEqual(expect.arrayContaining(some));
    for (const label of not) expect(labels).not.toContain(label);
  });

  test('every key of a tool tells what it is', () => {
    const definitions = schema['definitions'] as Record<string, { properties?: Record<string, object> }>;
    for (const [name, { properties }] of Object.entries(definitions)) {
      for (const [key, value] of Object.entries(properties ?? {})) {
        if (key === 'x-toolspec' || '$ref' in value || (name === 'container' && key === 'type')) continue;
        expect(value, `${name}.${key}`).toHaveProperty('description');
      }
    }
  });

  test('snippets are tools without a fault', () => {
    const shapes: ToolShape[] = ['responses', 'mcp', 'responses'];
    const snippets = (schema['definitions'] as { entry: { defaultSnippets: { label: string; body: unknown }[] } })
      .entry;
    expect(snippets.defaultSnippets).toHaveLength(shapes.length);
    for (const [i, { body }] of snippets.defaultSnippets.entries()) {
      const filled = JSON.stringify(body).replace(/\$\{\d+:([^}]*)\}/g, '$1');
      const set = readTools(parseJson(filled), { baseName: 'a' });
      expect([set.shape, set.tools.length, set.problems]).toEqual([shapes[i], 1, []]);
      expect(set.tools[0]!.schemaNode === undefined).toBe(set.tools[0]!.kind === 'custom');
      expect(validate(JSON.parse(filled))).toBe(true);
    }
  });
});
