import { describe, expect, test } from 'vitest';
import { compileSchema } from '../unit/schemas/support';
import { run, workspace } from './support';

const TOOLS = [
  {
    type: 'function',
    name: 'find',
    description: 'Finds.',
    strict: true,
    parameters: { type: 'object', properties: {} },
  },
  {
    type: 'namespace',
    name: 'shop',
    description: 'The shop.',
    tools: [{ type: 'function', name: 'buy', strict: false, defer_loading: true, parameters: { properties: {} } }],
  },
  { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: { $file: './a.lark' } } },
];

const validate = compileSchema('report-convert.schema.json');

const cwdOf = (text = `${JSON.stringify(TOOLS, undefined, 2)}\n`): string => workspace({ 'a.tools.json': text });

describe('convert', () => {
  test('Chat: one level deeper, namespaces before the names, grammar files stay', async () => {
    const { code, out, err } = await run(['convert', 'a.tools.json', '--to', 'chat'], { cwd: cwdOf() });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([
      {
        type: 'function',
        function: { name: 'find', description: 'Finds.', parameters: { type: 'object', properties: {} }, strict: true },
      },
      { type: 'function', function: { name: 'shop__buy', parameters: { properties: {} }, strict: false } },
      {
        type: 'custom',
        custom: {
          name: 'patch',
          format: { type: 'grammar', grammar: { syntax: 'lark', definition: { $file: './a.lark' } } },
        },
      },
    ]);
    expect(err.split('\n')).toEqual([
      'a.tools.json:12:3 warning Chat Completions has no namespaces: the tools stand on their own, and what the namespace says of itself goes.',
      'a.tools.json:19:9 warning buy: Chat Completions has no namespaces, so the name becomes "shop__buy".',
      'a.tools.json:21:9 warning buy: Chat Completions cannot defer a tool, so this one is always sent.',
      '',
    ]);
  });

  test('MCP: a list under tools; a tool that it has not is lost, and the exit code says so', async () => {
    const { code, out, err } = await run(['convert', 'a.tools.json', '--to', 'mcp'], { cwd: cwdOf() });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      tools: [
        { name: 'find', description: 'Finds.', inputSchema: { type: 'object', properties: {} } },
        { name: 'shop__buy', inputSchema: { type: 'object', properties: {} } },
      ],
    });
    expect(err).toContain('find: MCP has no strict mode.');
    expect(err).toContain('error patch: MCP has no tools with a grammar or free text, so the tool goes.');
  });

  test('Codex dynamic tools keep namespaces and deferral in them', async () => {
    const { out } = await run(['convert', 'a.tools.json', '--to', 'codex-dynamic'], { cwd: cwdOf() });
    expect(JSON.parse(out)).toEqual([
      { type: 'function', name: 'find', description: 'Finds.', inputSchema: { type: 'object', properties: {} } },
      {
        type: 'namespace',
        name: 'shop',
        description: 'The shop.',
        tools: [
          { type: 'function', name: 'buy', description: '', inputSchema: { properties: {} }, deferLoading: true },
        ],
      },
    ]);
  });

  test('Anthropic', async () => {
    const { out } = await run(['convert', 'a.tools.json', '--to', 'anthropic'], { cwd: cwdOf() });
    expect(JSON.parse(out)).toEqual([
      { name: 'find', description: 'Finds.', input_schema: { type: 'object', properties: {} }, strict: true },
      { name: 'shop__buy', input_schema: { type: 'object', properties: {} }, strict: false, defer_loading: true },
    ]);
  });

  test('the losses as JSON', async () => {
    const { err } = await run(['convert', 'a.tools.json', '--to', 'mcp', '-f', 'json'], { cwd: cwdOf() });
    const report = JSON.parse(err);
    validate(report);
    expect(validate.errors ?? []).toEqual([]);
    expect(report).toMatchObject({ version: 1, file: 'a.tools.json', target: 'mcp', tools: 2 });
    expect(report.losses[0]).toEqual({
      kind: 'changed',
      level: 'warning',
      tool: 'find',
      pointer: '/0/strict',
      range: { start: { line: 6, column: 5, offset: 83 }, end: { line: 6, column: 13, offset: 91 } },
      message: 'MCP has no strict mode.',
      value: 'false',
    });
    expect(report.losses.map(({ kind, pointer }: { kind: string; pointer: string }) => `${kind} ${pointer}`)).toEqual([
      'changed /0/strict',
      'unwrapped /1',
      'changed /1/tools/0/name',
      'lost /1/tools/0/defer_loading',
      'added /1/tools/0/parameters/type',
      'lost /2',
    ]);
  });

  test('MCP to Responses: strict mode is switched off, hints go, comments are spoken of', async () => {
    const text = `[ // one
      { "name": "a", "title": "A", "inputSchema": { "type": "object", "properties": { "n": { "const": 1.50 } } }, "outputSchema": {}, "annotations": {} }
    ]`;
    const { out, err } = await run(['convert', 'a.tools.json', '--to', 'responses'], { cwd: cwdOf(text) });
    expect(JSON.parse(out)).toEqual([
      {
        type: 'function',
        name: 'a',
        strict: false,
        parameters: { type: 'object', properties: { n: { const: 1.5 } } },
        output_schema: {},
      },
    ]);
    expect(out).toContain('"const": 1.50');
    expect(err).toContain('OpenAI Responses has no place for "title", so it goes.');
    expect(err).toContain('OpenAI Responses has no place for "annotations", so it goes.');
    expect(err).toContain('The comment of the file goes.');
  });

  test('types of Gemini and BFCL become those of JSON Schema', async () => {
    const gemini = {
      functionDeclarations: [
        {
          name: 'a',
          parameters: { type: 'OBJECT', properties: { type: { type: 'STRING', nullable: true, enum: ['OBJECT'] } } },
        },
      ],
    };
    const bfcl = [
      { name: 'a', parameters: { type: 'dict', properties: { x: { type: 'float', default: { type: 'dict' } } } } },
    ];
    const schemaOf = async (value: object) => {
      const { out } = await run(['convert', 'a.tools.json', '-t', 'mcp'], { cwd: cwdOf(JSON.stringify(value)) });
      return JSON.parse(out).tools[0].inputSchema;
    };
    expect(await schemaOf(gemini)).toEqual({
      type: 'object',
      properties: { type: { type: ['string', 'null'], nullable: true, enum: ['OBJECT'] } },
    });
    expect(await schemaOf(bfcl)).toEqual({
      type: 'object',
      properties: { x: { type: 'number', default: { type: 'dict' } } },
    });
  });

  test('tools of VS Code, and flat dynamic tools with their namespaces', async () => {
    const vscode = {
      languageModelTools: [
        { name: 'a', displayName: 'A', modelDescription: 'Does a.', inputSchema: { type: 'object' } },
      ],
    };
    const flat = [
      { name: 'a', description: 'x', inputSchema: {}, namespace: 'n', exposeToContext: false },
      { name: 'b', description: 'y', inputSchema: {}, namespace: 'n' },
    ];
    const converted = async (value: object, target: string) => {
      const { out } = await run(['convert', 'a.tools.json', '-t', target], { cwd: cwdOf(JSON.stringify(value)) });
      return JSON.parse(out);
    };
    expect(await converted(vscode, 'mcp')).toEqual({
      tools: [{ name: 'a', title: 'A', description: 'Does a.', inputSchema: { type: 'object' } }],
    });
    expect(await converted(flat, 'codex-dynamic')).toEqual([
      {
        type: 'namespace',
        name: 'n',
        description: '',
        tools: [
          { type: 'function', name: 'a', description: 'x', inputSchema: {}, deferLoading: true },
          { type: 'function', name: 'b', description: 'y', inputSchema: {} },
        ],
      },
    ]);
  });

  test('what stands around the tools goes, local facts stay', async () => {
    const body = {
      model: 'm',
      'x-toolspec': { server: 's' },
      tools: [{ type: 'function', name: 'a', 'x-toolspec': { plugin: true } }],
    };
    const { out, err } = await run(['convert', 'a.tools.json', '-t', 'codex-dynamic'], {
      cwd: cwdOf(JSON.stringify(body)),
    });
    expect(JSON.parse(out)).toMatchObject({
      'x-toolspec': { server: 's' },
      dynamicTools: [{ name: 'a', 'x-toolspec': { plugin: true } }],
    });
    expect(err).toContain('"model" stands beside the tools, so it goes.');
  });

  test('wrong use', async () => {
    expect((await run(['convert', 'a.tools.json'], { cwd: cwdOf() })).err).toContain(
      'needs --to: responses, chat, mcp',
    );
    expect((await run(['convert', 'a.tools.json', '--to', 'gemini'], { cwd: cwdOf() })).code).toBe(2);
    expect((await run(['convert', 'a.tools.json', '--to', 'chat'], { cwd: cwdOf('{"a":1}') })).err).toContain(
      'holds no tools',
    );
    expect((await run(['convert', 'a.tools.json', '--to', 'chat'], { cwd: cwdOf('{"a":') })).code).toBe(2);
  });
});
