import type { CommandSpec, OptionSpec } from './options';

const TOOL: OptionSpec = {
  type: 'string',
  value: 'NAME',
  about: 'the tool whose grammar is meant, in a file of tools',
};
const START: OptionSpec = { type: 'string', value: 'RULE', about: 'the rule to start with (default start)' };
const PARSER: OptionSpec = {
  type: 'string',
  value: 'P',
  choices: ['earley', 'lalr'],
  about: 'earley (default) or lalr, as in Lark',
};
const LEXER: OptionSpec = {
  type: 'string',
  value: 'L',
  choices: ['auto', 'basic', 'contextual', 'dynamic', 'dynamic_complete'],
  about: 'auto (default), basic, contextual, dynamic, dynamic_complete',
};
const ONE_GRAMMAR = [
  'FILE is a grammar, or a file of tool definitions with a custom tool: --tool names it where there are several. The',
  'tool has its grammar in itself or names a file ({"$file": …}). Imports with a dot are read beside the grammar.',
];

export const GRAMMAR_PARSE: CommandSpec = {
  name: 'grammar parse',
  usage: ['FILE INPUTFILE|- [options]', 'FILE --input TEXT [options]', '--jsonl < requests'],
  summary: 'the tree of a text, or where and why it is refused',
  details: [
    ...ONE_GRAMMAR,
    'The text is read as Lark 1.3.1 reads it, byte by byte: a line end at the end of a file counts. Exit code 1 says that',
    'the grammar does not load or that the text is refused.',
  ],
  options: {
    input: { type: 'string', value: 'TEXT', empty: true, about: 'the text itself, instead of a file with it' },
    start: START,
    parser: PARSER,
    lexer: LEXER,
    ambiguity: {
      type: 'string',
      value: 'A',
      choices: ['auto', 'resolve', 'explicit'],
      about: 'auto (default), resolve, or explicit for all trees of an ambiguous text',
    },
    postlex: {
      type: 'string',
      value: 'L',
      choices: ['python'],
      about: 'python makes _INDENT and _DEDENT out of indentation, as PythonIndenter of Lark',
    },
    'keep-all-tokens': { type: 'boolean', about: 'keep the tokens that trees leave out, as if every rule had !' },
    tool: TOOL,
    format: {
      type: 'string',
      short: 'f',
      value: 'F',
      choices: ['text', 'json'],
      about: 'text (default), or json: the answer of the batch form',
    },
    engine: {
      type: 'string',
      value: 'E',
      choices: ['lark', 'llguidance'],
      about: "lark (default), or llguidance for the verdict of the provider's engine with Lark's beside it",
    },
    jsonl: { type: 'boolean', about: 'answer JSON Lines from standard input, one line each' },
  },
  examples: [
    'toolspec grammar parse sql.lark --input "SELECT 1"',
    'toolspec grammar parse python.lark script.py --parser lalr --start file_input --postlex python',
    'toolspec grammar parse edit.tools.json --tool edit_file patch.txt --format json',
  ],
  positionals: { least: 0, most: 2, name: 'file' },
};

export const GRAMMAR_WALK: CommandSpec = {
  name: 'grammar walk',
  usage: ['FILE --input TEXT [options]', 'FILE [INPUTFILE|-] [options]'],
  summary: 'what a generating model meets: a text, byte by byte',
  details: [
    "The text goes through the provider's own engine (llguidance), which says at each place what may come next, where",
    'there is no choice, and where generation could stop. Without a text only the beginning is shown. FILE is a grammar,',
    'or a file of tool definitions with a custom tool; regular expressions (syntax "regex") go through the engine too.',
    'Exit code 1 says that the engine refuses the grammar, or that the text is not accepted.',
  ],
  options: {
    input: { type: 'string', value: 'TEXT', empty: true, about: 'the text itself, instead of a file with it' },
    tool: TOOL,
    format: { type: 'string', short: 'f', value: 'F', choices: ['text', 'json'], about: 'text (default) or json' },
  },
  examples: [
    'toolspec grammar walk sql.lark --input "SELECT 1"',
    'toolspec grammar walk edit.tools.json --tool edit_file patch.txt --format json',
  ],
  positionals: { least: 1, most: 2, name: 'file' },
};

export const GRAMMAR_GENERATE: CommandSpec = {
  name: 'grammar generate',
  usage: ['FILE [options]'],
  summary: 'texts that a grammar accepts, each alternative covered',
  details: [
    ...ONE_GRAMMAR,
    'Prints one text per line, as a JSON string. The first ones use each alternative of the grammar once, in short texts;',
    'the others are made by chance. Every text has been parsed. What no text uses is said on standard error.',
  ],
  options: {
    count: {
      type: 'string',
      short: 'n',
      value: 'N',
      about: 'print N texts at most (default: all alternatives and 10)',
    },
    seed: { type: 'string', value: 'S', about: 'a number; the same one gives the same texts (default 1)' },
    refused: { type: 'boolean', about: 'texts that the grammar refuses, each one change away from an accepted one' },
    start: START,
    parser: PARSER,
    lexer: LEXER,
    tool: TOOL,
    format: { type: 'string', short: 'f', value: 'F', choices: ['lines', 'json'], about: 'lines (default) or json' },
  },
  examples: ['toolspec grammar generate sql.lark --count 20', 'toolspec grammar generate sql.lark --refused --seed 7'],
  positionals: { least: 1, most: 1, name: 'file' },
};

export const GRAMMAR_FORMAT: CommandSpec = {
  name: 'grammar format',
  usage: ['FILE… [options]'],
  summary: 'the layout of grammars: one definition like the other',
  details: [
    'Only white space changes. Prints the text of one file; --write changes the files. In a file of tool definitions the',
    'grammars in it are laid out and everything else stays as it is.',
  ],
  options: {
    check: { type: 'boolean', about: 'list the files that would change, and exit 1 if there are any' },
    write: { type: 'boolean', about: 'change the files' },
  },
  examples: ['toolspec grammar format sql.lark', 'toolspec grammar format *.lark --check'],
  positionals: { least: 1, most: Number.POSITIVE_INFINITY, name: 'file' },
};

export const GRAMMAR_RAILROAD: CommandSpec = {
  name: 'grammar railroad',
  usage: ['FILE [--out DIR|FILE.svg] [options]'],
  summary: 'railroad diagrams as SVG',
  details: [
    ...ONE_GRAMMAR,
    'With --out and a name that ends with .svg, and without --out, it is one picture of all definitions; with --out and',
    'any other name a folder with one picture per definition. Names in the pictures are links.',
  ],
  options: {
    out: { type: 'string', short: 'o', value: 'PATH', about: 'a folder, or a file that ends with .svg' },
    width: { type: 'string', value: 'N', about: 'pixels beyond which a sequence goes on in a new line (default 800)' },
    tool: TOOL,
  },
  examples: ['toolspec grammar railroad sql.lark --out sql.svg', 'toolspec grammar railroad sql.lark --out diagrams'],
  positionals: { least: 1, most: 1, name: 'file' },
};
