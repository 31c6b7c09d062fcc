import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codexProfile } from '../../../../server/src/core/profiles/codex';
import { compileLine, wireLine } from '../../../../server/src/core/wire/jsonl';

const FUNCTION = '"route":"function","input":{"name":"a","description":"d","inputSchema":{}}';

describe('wire lines', () => {
  it('gives the id back as it is spelled', () => {
    for (const id of ['1', '1.50', '1E3', '"a\\u0041\\/"', 'null', '{"a": 1}', '123456789012345678901234567890']) {
      expect(wireLine(`{ "id" : ${id} ,${FUNCTION}}`)).toBe(
        `{"id":${id},"ok":true,"wireText":"{\\"type\\":\\"function\\",\\"name\\":\\"a\\",\\"description\\":\\"d\\",\\"strict\\":false,\\"parameters\\":{}}","warnings":[]}`,
      );
    }
    expect(wireLine(`{${FUNCTION}}`)).toMatch(/^\{"id":null,"ok":true,/);
  });

  it('knows a request that no UTF-8 text can hold by its id', () => {
    const half = `{"id":"x",${FUNCTION.replace('"d"', '"\\ud800"')}}`;
    expect(wireLine(half)).toMatch(/^\{"id":"x","ok":false,"error":"This string has half of a surrogate pair/);
    expect(wireLine(half.replace('"x"', '"\\udc00"'))).toMatch(/^\{"id":null,"ok":false,/);
    expect(wireLine(`${half}}`)).toMatch(/^\{"id":null,"ok":false,/);
  });

  it('reads the exact text of the schema in place of its value', () => {
    const text = JSON.stringify('{"enum":[1.0,1E2,{"b":1,"10":2}],"type":"array","type":"string"}');
    const expected =
      '\\"parameters\\":{\\"type\\":\\"string\\",\\"enum\\":[1.0,1e+2,{\\"b\\":1,\\"10\\":2}]}}","warnings":[]}';
    for (const input of [
      '{"name":"a","description":"d","inputSchema":{"type":"null"}}',
      '{"inputSchema" : 5 ,"name":"a","description":"d"}',
      '{"name":"a","description":"d"}',
    ]) {
      const line = wireLine(`{"id":1,"route":"function","input":${input},"inputSchemaText":${text}}`);
      expect(line.endsWith(expected), line).toBe(true);
    }
    expect(
      wireLine(`{"id":1,"route":"function","via":"mcp","input":{"name":"a"},"inputSchemaText":${text}}`),
    ).toContain('\\"type\\":\\"string\\",\\"enum\\":[1.0,1e+2');
  });

  it.each([
    ['', 'There is no JSON value here.'],
    ['x', 'This is not a JSON value.'],
    ['[1]', 'The line is no JSON object.'],
    [`{${FUNCTION}} // note`, 'Comments are not JSON.'],
    [`{${FUNCTION},}`, 'A comma before the end is not JSON.'],
    [`{${FUNCTION}`, undefined],
  ])('answers the line %j without an id', (line, error) => {
    const answer = JSON.parse(wireLine(line));
    expect(answer).toEqual({ id: null, ok: false, error: error ?? answer.error });
    expect(JSON.parse(compileLine(line))).toEqual(answer);
  });

  it.each([
    ['{"id":7}', '"input" must be an object.'],
    ['{"id":7,"input":{}}', '"route" must be "function", "mcp-server" or "dynamic-list".'],
    [`{"id":7,"via":"http",${FUNCTION}}`, '"via" must be "dynamic" or "mcp".'],
    [`{"id":7,"inputSchemaText":5,${FUNCTION}}`, '"inputSchemaText" must be a string.'],
    [`{"id":7,"inputSchemaText":"{,}",${FUNCTION}}`, '"inputSchemaText": A key in double quotes is missing here.'],
    [`{"id":7,"inputSchemaText":"\\ufeff{}",${FUNCTION}}`, '"inputSchemaText": A byte order mark is not JSON.'],
    ['{"id":7,"route":"dynamic-list","input":{"tools":{}}}', '"input.tools" must be a list.'],
    ['{"id":7,"route":"mcp-server","input":{"tools":[]}}', '"server" must be a string.'],
    ['{"id":7,"route":"mcp-server","input":{"server":"s"}}', '"tools" must be a list.'],
    [
      '{"id":7,"route":"mcp-server","input":{"server":"s","tools":[],"config":{"tool_input_schema_max_bytes":0}}}',
      '"tool_input_schema_max_bytes" must be a whole number of 1 or more.',
    ],
    [
      '{"id":7,"route":"function","input":{"name":"a","inputSchema":{}}}',
      'Invalid request: missing field `description`',
    ],
    ['{"id":7,"route":"function","input":{}}', 'Invalid request: missing field `name`'],
    ['{"id":7,"route":"function","via":"mcp","input":{}}', 'Unexpected response type'],
    [
      '{"id":7,"route":"function","input":{"name":"exec_command","description":"d","inputSchema":{}}}',
      'absent from the request; log: WARN codex_core::tools::registry: skipping external tool with reserved name tool_name=exec_command',
    ],
    [
      '{"id":7,"route":"dynamic-list","input":{"tools":[{"type":"namespace","name":"n","description":"","tools":[{"type":"function","name":"a","description":"d","inputSchema":{},"deferLoading":true}]}]}}',
      'absent from the request, nothing logged',
    ],
  ])('refuses %s', (line, error) => {
    expect(JSON.parse(wireLine(line))).toEqual({ id: 7, ok: false, error });
  });

  it('names dropped members of a list in its warnings', () => {
    const tool = (name: string, schema = '{}'): string =>
      `{"type":"function","name":"${name}","description":"d","inputSchema":${schema}}`;
    const dynamic = wireLine(`{"id":1,"route":"dynamic-list","input":{"tools":[${tool('a')},${tool('view_image')}]}}`);
    expect(JSON.parse(dynamic).warnings).toEqual([
      'WARN codex_core::tools::registry: skipping duplicate external tool that is already registered tool_name=view_image',
    ]);
    const servers = wireLine(
      `{"id":1,"route":"mcp-server","input":{"servers":[{"server":"bad name","tools":[]},{"server":"s","tools":[${tool('a')},${tool('a')},${tool('n', '{"type":"null"}')}]}]}}`,
    );
    expect(JSON.parse(servers).warnings).toEqual([
      `WARN codex_mcp::rmcp_client: MCP server startup failed server_name="bad name" error=Invalid MCP server name 'bad name': must match pattern ^[a-zA-Z0-9_:@/.-]+$`,
      'WARN codex_mcp::tools: skipping duplicated tool a',
      'WARN codex_core::mcp_tool_exposure: Skipping MCP tool `mcp__sn`: failed to build tool spec: tool input schema must not be a singleton null type',
    ]);
  });

  it('uses the profile it is given', () => {
    const options = { profile: codexProfile('codex-0.148') };
    const line =
      '{"id":1,"route":"function","input":{"name":"a","description":"d","inputSchema":{"type":"array","minItems":2}}}';
    expect(JSON.parse(wireLine(line)).wireText).toContain('"minItems":2');
    expect(JSON.parse(wireLine(line, options)).wireText).not.toContain('minItems');
  });

  it('never throws, and always answers one line of JSON', () => {
    const word = fc.constantFrom(
      'id',
      'route',
      'input',
      'function',
      'mcp-server',
      'dynamic-list',
      'tools',
      'name',
      'server',
      'type',
      'namespace',
      'inputSchema',
      'description',
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 5, 1.5, 'a', ''),
        word,
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(word, tie('any'), { maxKeys: 5 }),
      ),
    })).any;
    const request = fc.record({
      id: value,
      route: fc.constantFrom('function', 'mcp-server', 'dynamic-list'),
      via: fc.constantFrom('dynamic', 'mcp'),
      input: fc.dictionary(word, value, { maxKeys: 6 }),
    });
    fc.assert(
      fc.property(request, (each) => {
        const answer = wireLine(JSON.stringify(each));
        expect(answer).not.toMatch(/[\n\r]/);
        expect(typeof JSON.parse(answer).ok).toBe('boolean');
        expect(typeof JSON.parse(compileLine(JSON.stringify({ id: 1, inputSchema: each }))).ok).toBe('boolean');
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});

describe('compile lines', () => {
  it('answers with sizes, passes and definitions that nothing reaches', () => {
    const schema = { $defs: { B: { type: 'string' } }, description: 'é'.repeat(3000), properties: {} };
    expect(compileLine(JSON.stringify({ id: 'x', inputSchema: schema }))).toBe(
      '{"id":"x","ok":true,"schemaText":"{\\"type\\":\\"object\\",\\"properties\\":{}}","bytes":33,"passes":["descriptions"],"unreachable":["/$defs/B"]}',
    );
  });

  it('takes either way', () => {
    expect(compileLine('{"id":1,"inputSchema":{},"via":"mcp"}')).toContain(
      '"schemaText":"{\\"type\\":\\"object\\",\\"properties\\":{}}"',
    );
    expect(compileLine('{"id":1,"inputSchema":true}')).toContain('"schemaText":"{\\"type\\":\\"string\\"}"');
    expect(compileLine('{"id":1,"inputSchemaText":"{\\"const\\":1E2}"}')).toContain('[1e+2]');
  });

  it('refuses with the place', () => {
    expect(compileLine('{"id":1,"inputSchema":{"properties":{"a/b":{"items":3}}}}')).toBe(
      '{"id":1,"ok":false,"error":"invalid type: number, expected struct JsonSchema","pointer":"/properties/a~1b/items"}',
    );
    expect(compileLine('{"id":1}')).toBe(
      '{"id":1,"ok":false,"error":"The request has neither \\"inputSchema\\" nor \\"inputSchemaText\\"."}',
    );
    expect(compileLine('{"id":1,"inputSchemaText":"["}')).toContain('"ok":false,"error":"\\"inputSchemaText\\": ');
  });
});
