import { emitString } from '../text/emit';
import { type JsonNode, parseJson } from '../text/json';
import { render } from '../text/message';
import { CodePoints } from './codePoints';
import type { ParseError, ParseResult, ParserKind, ParserOptions, PostLexer } from './engine';
import { createParser, type GrammarParser, type LexerKind, lexerOf, terminalsToKeep } from './engine';
import { type LoadResult, loadGrammar } from './load/load';
import { parseGrammar } from './parse';
import type { ParseChild } from './tree';

/**
 * Answers one line of `toolspec grammar parse --jsonl`: `{"id","grammar","options"?,"inputs"}`.
 *
 * Gives one line without its end: `{"id","loadError","results"}`, where `loadError` is null or
 * `{"code","line","column","message"}`, and a result `{"accepted":true,"tree"}` or
 * `{"accepted":false,"error":{"kind","line","column","pos","expected",…}}`. Lines and columns count from 1, columns and
 * positions in code points, as Lark counts. A line that is no request gets `{"id":null,"ok":false,"error"}`, one whose
 * options are wrong the same with its id. Never throws.
 */
export function grammarParseLine(given: string): string {
  const line = given.startsWith('\ufeff') ? given.slice(1) : given;
  const { root, problems } = parseJson(line);
  // Half a surrogate pair is a text like any other here.
  const problem = problems.find(({ code }) => code !== 'lone-surrogate');
  if (problem !== undefined || root === undefined) {
    return refused('null', problem === undefined ? 'There is no JSON value here.' : render(problem.message));
  }
  if (root.kind !== 'object') return refused('null', 'The line is no JSON object.');
  const idNode = root.value('id');
  const id = idNode === undefined ? 'null' : line.slice(idNode.offset, idNode.end);
  const request = readRequest(root);
  if (typeof request === 'string') return refused(id, request);
  return answer(id, request);
}

function refused(id: string, error: string): string {
  return `{"id":${id},"ok":false,"error":${emitString(error)}}`;
}

interface Request {
  readonly grammar: string;
  readonly inputs: readonly string[];
  readonly start: string;
  readonly keepAllTokens: boolean;
  readonly files: ReadonlyMap<string, string>;
  readonly parser: ParserOptions;
}

const PARSERS: readonly string[] = ['earley', 'lalr'] satisfies ParserKind[];
const LEXERS: readonly string[] = ['auto', 'basic', 'contextual', 'dynamic', 'dynamic_complete'] satisfies LexerKind[];
const AMBIGUITIES: readonly string[] = ['auto', 'resolve', 'explicit'];
const POSTLEXERS: readonly string[] = ['python'] satisfies PostLexer[];
const PRIORITIES: readonly string[] = ['auto', 'normal', 'invert'];

/** The request of a line, or why it is none. */
function readRequest(root: JsonNode): Request | string {
  const grammar = root.value('grammar')?.string;
  if (grammar === undefined) return 'The request has no text "grammar".';
  const inputs = root.value('inputs');
  if (inputs !== undefined && (inputs.kind !== 'array' || inputs.items.some((item) => item.string === undefined))) {
    return '"inputs" must be a list of texts.';
  }
  const options = root.value('options');
  if (options !== undefined && options.kind !== 'object' && options.kind !== 'null') {
    return '"options" must be an object.';
  }
  const given = (name: string): JsonNode | undefined => {
    const value = options?.value(name);
    return value?.kind === 'null' ? undefined : value;
  };
  const engine = given('engine');
  if (engine !== undefined && engine.string !== 'lark') return 'The only "engine" of this batch form is "lark".';

  const wrong: string[] = [];
  const choice = (name: string, values: readonly string[]): string | undefined => {
    const value = given(name);
    if (value === undefined) return undefined;
    if (value.string !== undefined && values.includes(value.string)) return value.string;
    wrong.push(`"${name}" must be one of ${values.map((one) => `"${one}"`).join(', ')}.`);
    return undefined;
  };
  const flag = (name: string, fallback: boolean): boolean => {
    const value = given(name);
    if (value === undefined) return fallback;
    if (value.boolean !== undefined) return value.boolean;
    wrong.push(`"${name}" must be true or false.`);
    return fallback;
  };
  const start = startOf(given('start'));
  if (start === undefined) wrong.push('"start" must be the name of a rule.');
  const files = filesOf(given('files'));
  if (files === undefined) wrong.push('"files" must be an object of texts.');
  const parser: ParserOptions = {
    parser: (choice('parser', PARSERS) ?? 'earley') as ParserKind,
    lexer: (choice('lexer', LEXERS) ?? 'auto') as LexerKind,
    ambiguity: (choice('ambiguity', AMBIGUITIES) ?? 'auto') as 'auto' | 'resolve' | 'explicit',
    priority:
      options?.value('priority')?.kind === 'null'
        ? null
        : ((choice('priority', PRIORITIES) ?? 'auto') as 'auto' | 'normal' | 'invert'),
    maybePlaceholders: flag('maybe_placeholders', true),
    strict: flag('strict', false),
    postlex: choice('postlex', POSTLEXERS) as PostLexer | undefined,
  };
  const keepAllTokens = flag('keep_all_tokens', false);
  if (wrong.length > 0) return wrong[0]!;
  const texts = inputs?.items.map((item) => item.string!) ?? [];
  return { grammar, inputs: texts, start: start!, keepAllTokens, files: files!, parser };
}

/** A start rule; a list of one is fine, as in Lark. */
function startOf(node: JsonNode | undefined): string | undefined {
  if (node === undefined) return 'start';
  if (node.kind === 'array') return node.items.length === 1 ? node.items[0]!.string : undefined;
  return node.string;
}

function filesOf(node: JsonNode | undefined): Map<string, string> | undefined {
  const files = new Map<string, string>();
  if (node === undefined) return files;
  if (node.kind !== 'object') return undefined;
  for (const { key, value } of node.properties) {
    if (value?.string === undefined) return undefined;
    files.set(key, value.string);
  }
  return files;
}

function answer(id: string, request: Request): string {
  const head = `{"id":${id},"loadError":`;
  const { parser = 'earley' } = request.parser;
  const kind = lexerOf(request.parser);
  const { grammar, problems } = load(request, kind);
  const problem = problems[0];
  if (problem === undefined) return `${head}${judged(createParser(grammar!, request.parser), request)}}`;
  if (parser === 'lalr' && OF_LEXERS.has(problem.code)) {
    // Lark makes the tables before the lexer, so their conflicts come first.
    const bare = load(request, undefined);
    const made = bare.problems.length === 0 ? createParser(bare.grammar!, request.parser) : undefined;
    if (made?.problem?.code.startsWith('lalr.') === true) return `${head}${judged(made, request)}}`;
  }
  const text = problem.file === undefined ? request.grammar : request.files.get(problem.file);
  const at = text === undefined || problem.at === undefined ? undefined : placeIn(text, problem.at);
  return `${head}${loadError(problem.code, render(problem.message), at)},"results":[]}`;
}

/** Problems that the lexers find. */
const OF_LEXERS: ReadonlySet<string> = new Set(['terminal.zero-width', 'regex.invalid', 'regex.unicode-category']);

function load(request: Request, lexer: Exclude<LexerKind, 'auto'> | undefined): LoadResult {
  return loadGrammar(parseGrammar(request.grammar), {
    start: [request.start],
    keepAllTokens: request.keepAllTokens,
    ...(lexer !== undefined && { lexer }),
    keep: terminalsToKeep(request.parser),
    // The files are Lark's import path, which it asks before the folder of the file that imports.
    importer: ({ path, relative, from }) => {
      const beside = relative && from !== undefined ? from.slice(0, from.lastIndexOf('/') + 1) + path : path;
      const file = [path, beside].find((name) => request.files.has(name));
      return file === undefined ? undefined : { file, text: request.files.get(file)! };
    },
  });
}

function judged(made: ReturnType<typeof createParser>, request: Request): string {
  if (made.problem !== undefined) {
    return `${loadError(made.problem.code, render(made.problem.message), undefined)},"results":[]`;
  }
  return `null,"results":[${request.inputs.map((input) => resultText(made.parser, input)).join(',')}]`;
}

/** Why a grammar does not load, as the batch form says it; lines and columns count from 1. */
export function loadError(code: string, message: string, at: { line: number; column: number } | undefined): string {
  const place = `"line":${at?.line ?? 'null'},"column":${at?.column ?? 'null'}`;
  return `{"code":${emitString(code)},${place},"message":${emitString(message)}}`;
}

/** Line and column of a UTF-16 offset, both from 1, the column in code points. */
export function placeIn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: [...before.slice(lineStart)].length + 1 };
}

/** What a parser says of a text, as the batch form says it: a tree or an error, places in code points. */
export function resultText(parser: GrammarParser, input: string): string {
  const result = parser.parse(input);
  const points = new CodePoints(input);
  if (!result.accepted) return `{"accepted":false,"error":${errorText(result.error, points)}}`;
  return `{"accepted":true,"tree":${treeText(result, points)}}`;
}

function errorText(error: ParseError, points: CodePoints): string {
  const { kind, pos, line, column, expected, token, accepts, message } = error;
  const parts = [`"kind":${emitString(kind)}`];
  if (pos === undefined) parts.push('"line":null,"column":null,"pos":null');
  else {
    const at = points.before(pos);
    const lineStart = points.before(pos - column! + 1);
    parts.push(`"line":${line},"column":${at - lineStart + 1},"pos":${at}`);
  }
  if (token !== undefined) {
    parts.push(`"token":{"type":${emitString(token.type)},"value":${emitString(token.value)}}`);
  }
  parts.push(`"expected":[${expected.map(emitString).join(',')}]`);
  if (accepts !== undefined) parts.push(`"accepts":[${accepts.map(emitString).join(',')}]`);
  if (message !== undefined) parts.push(`"message":${emitString(message)}`);
  return `{${parts.join(',')}}`;
}

/** A tree as `["name",[…]]`, tokens as objects, absent parts as null; any depth is fine. */
function treeText(result: Extract<ParseResult, { accepted: true }>, points: CodePoints): string {
  const parts: string[] = [];
  const stack: (ParseChild | string)[] = [result.tree];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (typeof step === 'string') parts.push(step);
    else if (step === null) parts.push('null');
    else if (step.kind === 'token') {
      const { line, lineStart } = result.place(step.start);
      const start = points.before(step.start);
      const at = [start, points.before(step.end), line, start - points.before(lineStart) + 1].join(',');
      parts.push(`{"type":${emitString(step.type)},"value":${emitString(step.value)},"at":[${at}]}`);
    } else {
      parts.push(`[${emitString(step.name)},[`);
      stack.push(']]');
      for (let i = step.children.length - 1; i >= 0; i--) {
        stack.push(step.children[i]!);
        if (i > 0) stack.push(',');
      }
    }
  }
  return parts.join('');
}
