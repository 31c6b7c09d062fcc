import { CODEX_PROFILES } from '../core/profiles/codex';
import { TARGETS } from '../core/profiles/targets';
import { CONVERT_TARGETS } from '../core/tools/convert/targets';
import { WIRE_MODES } from '../core/wire/options';
import { GRAMMAR_FORMAT, GRAMMAR_GENERATE, GRAMMAR_PARSE, GRAMMAR_RAILROAD, GRAMMAR_WALK } from './grammarSpecs';
import type { CommandSpec, OptionSpec } from './options';

const PROFILE: OptionSpec = {
  type: 'string',
  value: 'P',
  choices: CODEX_PROFILES.map((profile) => profile.id),
  about: `version of Codex to model (default ${CODEX_PROFILES[0]!.id})`,
};

const JSONL: OptionSpec = { type: 'boolean', about: 'answer JSON Lines from standard input, one line each' };

/** Formats of the report of `check`. */
export const FORMATS = ['text', 'json', 'sarif', 'github', 'junit'] as const;

/** The option that names the form of a report. */
function formatOption(choices: readonly string[], what = ''): OptionSpec {
  return { type: 'string', short: 'f', value: 'F', choices, about: `${what}${choices.join(', ')} (default text)` };
}

export const CHECK: CommandSpec = {
  name: 'check',
  usage: ['[PATH…] [options]'],
  summary: 'all rules over files and folders',
  details: [
    'A named file is read whatever its name. A folder gives its tool definition files (*.tool.json, *.tools.json, their',
    '.jsonc forms, tools.json, and a package.json that contributes language model tools), sample calls (*.samples.json),',
    'grammars (*.lark) and toolspec.config.json, without node_modules, .git and what .gitignore names. Without a PATH',
    'the working directory is checked. Grammars that a custom tool names ({"$file": …}) are checked along with it.',
  ],
  options: {
    format: formatOption(FORMATS),
    'max-warnings': { type: 'string', value: 'N', about: 'also exit 1 when there are more than N warnings' },
    hints: { type: 'boolean', about: 'show hints in text and GitHub output; the other formats hold them anyway' },
    fix: { type: 'boolean', about: 'apply the fixes that keep the meaning, then check what is left' },
    target: {
      type: 'string',
      short: 't',
      value: 'T',
      multiple: true,
      choices: [...TARGETS, 'all'],
      about: 'whom to check for instead of the configured targets; repeatable',
    },
    profile: PROFILE,
  },
  examples: [
    'toolspec check',
    'toolspec check tools --format sarif > toolspec.sarif',
    'toolspec check a.tools.json --fix',
  ],
  positionals: { least: 0, most: Number.POSITIVE_INFINITY, name: 'path' },
};

export const GRAMMAR_CHECK: CommandSpec = {
  name: 'grammar check',
  usage: ['FILE… [options]'],
  summary: 'the rules about grammars alone',
  details: [
    'FILE is a grammar, or a file of tool definitions, of which the grammars are checked: those in it and those in the',
    'files that its tools name ({"$file": …}).',
  ],
  options: CHECK.options,
  examples: ['toolspec grammar check sql.lark', 'toolspec grammar check sql.lark --target llguidance --target lark'],
  positionals: { least: 1, most: Number.POSITIVE_INFINITY, name: 'file' },
};

export const GRAMMAR: CommandSpec = {
  name: 'grammar',
  usage: ['COMMAND FILE… [options]'],
  summary: 'the grammar side alone: check, parse, walk, generate, format, railroad',
  details: ['Works on Lark grammars: files of their own (*.lark) and those of custom tools.'],
  options: {},
  subcommands: [GRAMMAR_CHECK, GRAMMAR_PARSE, GRAMMAR_WALK, GRAMMAR_GENERATE, GRAMMAR_FORMAT, GRAMMAR_RAILROAD],
  examples: ['toolspec grammar check sql.lark', 'toolspec grammar parse sql.lark --input "SELECT 1"'],
  positionals: { least: 1, most: Number.POSITIVE_INFINITY, name: 'command' },
};

export const COMPILE: CommandSpec = {
  name: 'compile',
  usage: ['FILE|- [options]', '--jsonl < requests'],
  summary: 'what Codex makes of each schema: sizes, passes, losses',
  details: [
    'FILE holds tool definitions or one bare JSON Schema; - reads standard input. Exit code 1 says that Codex refuses',
    'a tool.',
  ],
  options: {
    trace: { type: 'boolean', about: 'list every change, node by node' },
    tokens: {
      type: 'boolean',
      about: 'o200k tokens too: of each schema and its properties, with --trace of every value',
    },
    tool: { type: 'string', value: 'NAME', about: 'only the tools with this name' },
    profile: PROFILE,
    jsonl: JSONL,
  },
  examples: ['toolspec compile weather.tools.json', 'toolspec compile - < schema.json'],
  positionals: { least: 0, most: 1, name: 'file' },
};

export const WIRE: CommandSpec = {
  name: 'wire',
  usage: ['FILE|- [options]', '--jsonl < requests'],
  summary: 'the exact JSON that is sent',
  details: [
    'Prints compact JSON and nothing else: the list of tools, or with --tool one of them. What is left out or changed on',
    'the way is said on standard error. FILE may be - for standard input.',
  ],
  options: {
    mode: {
      type: 'string',
      short: 'm',
      value: 'M',
      choices: WIRE_MODES,
      about: `${WIRE_MODES.join(', ')} (default responses)`,
    },
    tool: { type: 'string', value: 'NAME', about: 'one tool alone (namespace.name where the name is not enough)' },
    server: { type: 'string', value: 'NAME', about: 'name of the MCP server (default: the base name of the file)' },
    request: { type: 'boolean', about: 'the whole body of the request, not the tools alone' },
    tokens: { type: 'boolean', about: 'say bytes and o200k tokens on standard error' },
    profile: PROFILE,
    jsonl: JSONL,
  },
  examples: [
    'toolspec wire weather.tools.json --tool get_forecast',
    'toolspec wire shop.mcp.tools.json --mode deferred',
  ],
  positionals: { least: 0, most: 1, name: 'file' },
};

export const CONVERT: CommandSpec = {
  name: 'convert',
  usage: ['FILE|- --to SHAPE [options]'],
  summary: 'the definitions in another shape',
  details: [
    'Prints a definition file of the other shape. What it cannot hold is said on standard error, place by place. FILE may',
    'be - for standard input, and may have any shape that is read. Exit code 1 says that a whole tool is lost.',
  ],
  options: {
    to: { type: 'string', short: 't', value: 'SHAPE', choices: CONVERT_TARGETS, about: CONVERT_TARGETS.join(', ') },
    format: formatOption(['text', 'json'], 'form of what is said on standard error: '),
  },
  examples: [
    'toolspec convert shop.mcp.tools.json --to responses > shop.tools.json',
    'toolspec convert weather.tools.json --to anthropic',
  ],
  positionals: { least: 1, most: 1, name: 'file' },
};

export const SEARCH: CommandSpec = {
  name: 'search',
  usage: ['QUERY [PATH…] [options]'],
  summary: 'which deferred tools a query finds, and why',
  details: [
    'Ranks the deferred tools of all files together, as the tool search of Codex does, with the words that matched, the',
    'parts of each score, and why a tool is missing. Without a PATH the files of the working directory are searched.',
    'Exit code 1 says that nothing was found.',
  ],
  options: {
    limit: { type: 'string', short: 'n', value: 'N', about: 'tools that the search gives back (default 8)' },
    all: { type: 'boolean', about: 'search every tool that could be deferred, as if all were' },
    output: { type: 'boolean', about: 'print the exact tool_search_output item and nothing else' },
    format: formatOption(['text', 'json']),
    profile: PROFILE,
  },
  examples: ['toolspec search "rain warnings" weather.tools.json', 'toolspec search "send a mail" --all --format json'],
  positionals: { least: 1, most: Number.POSITIVE_INFINITY, name: 'query' },
};

export const LSP: CommandSpec = {
  name: 'lsp',
  usage: ['--stdio'],
  summary: 'the language server, for any editor',
  details: ['Speaks the Language Server Protocol over standard input and output.'],
  options: { stdio: { type: 'boolean', about: 'use standard input and output (the only way there is)' } },
  examples: ['toolspec lsp --stdio'],
  positionals: { least: 0, most: 0, name: 'path' },
};

export const RUN: CommandSpec = {
  name: 'run',
  usage: ['[PATH…] [options]', '[PATH…] --against FILE|git:REF [options]'],
  summary: 'sample calls through contract and handler',
  details: [
    'A named file is read whatever its name; a folder gives *.samples.json and *.samples.jsonc, without node_modules,',
    '.git and what .gitignore names. Without a PATH the working directory is looked through.',
    'This starts the handlers that the files name: programs, modules and MCP servers run with your rights. Run only',
    'files that you trust, or use --no-handlers, which judges the calls by their contracts alone.',
  ],
  options: {
    format: formatOption(['text', 'json', 'junit']),
    tool: {
      type: 'string',
      value: 'NAME',
      about: 'only the calls of this tool (namespace.name where the name is not enough)',
    },
    jobs: {
      type: 'string',
      short: 'j',
      value: 'N',
      about: 'so many handlers at once (default: one for each processor core)',
    },
    'no-handlers': { type: 'boolean', about: 'start no program, module or server' },
    against: {
      type: 'string',
      value: 'X',
      about: 'judge the calls by older definitions too: those of a file, or of a commit (git:REF)',
    },
    profile: PROFILE,
  },
  examples: ['toolspec run', 'toolspec run samples --tool update_plan', 'toolspec run --against git:main'],
  positionals: { least: 0, most: Number.POSITIVE_INFINITY, name: 'path' },
};

export const FUZZ: CommandSpec = {
  name: 'fuzz',
  usage: ['FILE [options]'],
  summary: 'looks for inputs on which contract and handler differ',
  details: [
    'FILE is a samples file, or a file of tool definitions whose handlers a samples file beside it, x-toolspec or',
    'toolspec.config.json names. Inputs are made of schema or grammar, changed step by step, judged by the contract and',
    'by the handler, and made as small as they can be. The same seed finds the same. Exit code 1 says that there is',
    'drift. This starts the handlers with your rights: run only files that you trust.',
  ],
  options: {
    tool: { type: 'string', value: 'NAME', about: 'only this tool (namespace.name where the name is not enough)' },
    runs: { type: 'string', short: 'n', value: 'N', about: 'inputs to judge for each tool (default 5,000)' },
    seed: { type: 'string', short: 's', value: 'S', about: 'another seed makes other inputs (default 1)' },
    format: formatOption(['text', 'json', 'junit']),
    save: { type: 'boolean', about: 'store each drift as a sample call, in the samples file' },
    'no-handlers': { type: 'boolean', about: 'start no program, module or server: only builtin handlers are searched' },
    profile: PROFILE,
  },
  examples: ['toolspec fuzz apply_patch.samples.json --runs 20000', 'toolspec fuzz plan.tool.json --seed 7 --save'],
  positionals: { least: 1, most: 1, name: 'file' },
};

export const SNAPSHOT: CommandSpec = {
  name: 'snapshot',
  usage: ['[--check] [PATH…]'],
  summary: 'tool definitions out of code, or out of an MCP server, into files',
  details: [
    'Runs the sources of toolspec.config.json and writes what they give. A PATH is a folder, a config file, or a file',
    'that a source has as its "out"; without a PATH the working directory counts. A source is a program, or an MCP server,',
    'that runs with your rights.',
    'Exit code 1 says that a stored file is stale (--check), 2 that a source gave no definitions; its file stays as it is.',
  ],
  options: { check: { type: 'boolean', about: 'write nothing; name every difference by tool and JSON Pointer' } },
  examples: ['toolspec snapshot', 'toolspec snapshot --check', 'toolspec snapshot server.tools.json'],
  positionals: { least: 0, most: Number.POSITIVE_INFINITY, name: 'path' },
};

/** Every command, in the order of help. */
export const COMMANDS: readonly CommandSpec[] = [
  CHECK,
  COMPILE,
  WIRE,
  GRAMMAR,
  RUN,
  FUZZ,
  SNAPSHOT,
  CONVERT,
  SEARCH,
  LSP,
];
