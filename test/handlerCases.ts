const FUNCTION = { type: 'function', name: 'plan', description: 'Plans.', parameters: { type: 'object' } };
const FREE = { type: 'custom', name: 'note', description: 'Notes.' };
const GRAMMAR = { definition: 'start: "a"', type: 'grammar', syntax: 'lark' };
const WORDS = { type: 'custom', name: 'words', description: 'Words.', format: GRAMMAR };

const tools = (...list: object[]): string => JSON.stringify(list);
const samples = (definition: string, more: object = {}): string =>
  JSON.stringify({ definitions: [definition], calls: [], ...more });

/** Files that are there in each case. */
export const HANDLER_FILES = { 'a.tools.json': tools(FUNCTION, FREE, WORDS) };

/**
 * Handlers of a config file, the files around it, and the parts of the config that are none for their tools. The editor
 * and the command line are held to the same.
 */
export const HANDLER_CASES: readonly (readonly [
  name: string,
  handlers: object,
  files: Readonly<Record<string, string>>,
  told: readonly string[],
])[] = [
  ['suited ones are not', { plan: { builtin: 'json-schema' }, words: { builtin: 'grammar' } }, {}, []],
  [
    'of custom tools',
    { note: { builtin: 'grammar' }, words: { builtin: 'json-schema' } },
    {},
    ['"grammar"', '"json-schema"'],
  ],
  ['of functions', { plan: { builtin: 'apply_patch' } }, {}, ['"apply_patch"']],
  ['other kinds of handlers are not', { plan: { module: './m.mjs' }, note: { command: ['x'] } }, {}, []],
  ['names without a tool are not', { nobody: { builtin: 'grammar' } }, {}, []],
  ['under * as long as one tool is read', { '*': { builtin: 'grammar' } }, {}, []],
  [
    'under * where no tool is read',
    { '*': { builtin: 'json-schema' }, plan: { builtin: 'json-schema' } },
    {},
    ['"json-schema"'],
  ],
  [
    'one of several files',
    { plan: { builtin: 'json-schema' } },
    { 'b.tools.json': tools({ ...FREE, name: 'plan' }) },
    [],
  ],
  [
    'the one that a samples file leads to',
    { plan: { builtin: 'json-schema' } },
    { 'b.tools.json': tools({ ...FREE, name: 'plan' }), 'b.samples.json': samples('b.tools.json') },
    ['"json-schema"'],
  ],
  [
    'not where the samples file names another',
    { plan: { builtin: 'json-schema' } },
    {
      'b.tools.json': tools({ ...FREE, name: 'plan' }),
      'b.samples.json': samples('b.tools.json', { handlers: { plan: { module: './m.mjs' } } }),
    },
    [],
  ],
  [
    'a file of any name that a samples file leads to',
    { other: { builtin: 'grammar' } },
    { 'defs/own.json': tools({ ...FUNCTION, name: 'other' }), 'o.samples.json': samples('./defs/own.json') },
    ['"grammar"'],
  ],
  [
    'not where the definition names its own',
    { own: { builtin: 'grammar' } },
    { 'own.tools.json': tools({ ...FUNCTION, name: 'own', 'x-toolspec': { handler: { module: './m.mjs' } } }) },
    [],
  ],
  [
    'not of tools for which another config file holds',
    { inner: { builtin: 'grammar' } },
    { 'in/t.tools.json': tools({ ...FUNCTION, name: 'inner' }), 'in/toolspec.config.json': '{}' },
    [],
  ],
  [
    'MCP tools by the namespace that their file gives them',
    { 'mcp__shop.find': { builtin: 'grammar' }, 'mcp__shop_tools_json.find': { builtin: 'apply_patch' } },
    { 'shop.tools.json': JSON.stringify({ tools: [{ name: 'find', inputSchema: { type: 'object' } }] }) },
    ['"grammar"'],
  ],
];
