import path from 'node:path';
import type { CompiledGrammar } from '../core/grammar/compiled';
import { createParser, type GrammarParser, lexerOf, type ParserOptions, terminalsToKeep } from '../core/grammar/engine';
import { loadError, placeIn } from '../core/grammar/jsonl';
import type { Importer } from '../core/grammar/load/definitions';
import { type LoadResult, loadGrammar } from '../core/grammar/load/load';
import { parseGrammar } from '../core/grammar/parse';
import type { ProviderSyntax } from '../core/grammar/provider';
import { EmbeddedText } from '../core/text/embedded';
import { parseJson } from '../core/text/json';
import { LineIndex } from '../core/text/lines';
import { render } from '../core/text/message';
import type { Span } from '../core/text/span';
import { didYouMean } from '../core/text/words';
import type { ToolDefinition } from '../core/tools/model';
import { readTools } from '../core/tools/read';
import { readRegularFile, slashes } from '../host/files';
import { grammarImporter } from '../host/grammarFiles';
import {
  fullName,
  hasDefinition,
  hasGrammar,
  holdsTools,
  type NamedInput,
  readInput,
  requireJson,
  toolsNamed,
} from './input';
import { type Io, UsageError } from './io';
import type { ParsedOptions } from './options';
import { plain } from './style';

/** A grammar that a command works on alone, with its place in a file. */
export interface GrammarSource {
  readonly text: string;
  /** `regex` only where that was asked for. */
  readonly syntax: ProviderSyntax;
  /** The file that it stands in, as messages name it. */
  readonly shown: string;
  /** What a picture of it is called: the name of the tool, or of the file without its ending. */
  readonly title: string;
  readonly importer: Importer;
  /** `file:line:column` of an offset in it. */
  at(offset: number): string;
}

/**
 * Reads the grammar that `FILE` and `--tool` name: a file of its own, the text in a custom tool, or the file that a
 * custom tool names. Throws `UsageError` where there is none. Regular expressions of tools count if `regex` says so.
 */
export async function readGrammarSource(
  named: string,
  options: ParsedOptions,
  io: Io,
  regex = false,
): Promise<GrammarSource> {
  const input = await readInput(named, io);
  const wanted = options.text('tool');
  if (!holdsTools(input)) {
    if (wanted !== undefined) {
      throw new UsageError(`${plain(named)} is a grammar, so --tool ${plain(wanted)} has nothing to choose from.`);
    }
    const lines = new LineIndex(input.text);
    const title = input.baseName.replace(/(?<=.)\.lark$/, '');
    return source(input.text, input.shown, title, input.folder, (offset) => place(lines, offset));
  }
  const tool = chooseTool(input, wanted, regex);
  const { format } = tool;
  const syntax = format?.syntax === 'regex' ? 'regex' : 'lark';
  const title = tool.name ?? input.baseName;
  if (format?.file !== undefined) {
    const file = path.resolve(input.folder, format.file);
    const shown = slashes(path.relative(io.cwd, file));
    const read = await readRegularFile(file);
    if ('failure' in read) throw new UsageError(`${plain(shown)}, the grammar of ${plain(title)}, ${read.failure}.`);
    const lines = new LineIndex(read.text);
    return source(read.text, shown, title, path.dirname(file), (offset) => place(lines, offset), syntax);
  }
  const lines = new LineIndex(input.text);
  const embedded = new EmbeddedText(input.text, format!.definitionNode!.offset);
  const where = (offset: number): string => place(lines, embedded.toDocument(offset));
  return source(embedded.text, input.shown, title, input.folder, where, syntax);
}

function source(
  text: string,
  shown: string,
  title: string,
  folder: string,
  where: (offset: number) => string,
  syntax: ProviderSyntax = 'lark',
): GrammarSource {
  const at = (offset: number): string => `${plain(shown)}:${where(offset)}`;
  return { text, syntax, shown, title, importer: grammarImporter(folder), at };
}

function place(lines: LineIndex, offset: number): string {
  const { line, character } = lines.position(offset);
  return `${line + 1}:${character + 1}`;
}

function chooseTool(input: NamedInput, wanted: string | undefined, withRegex: boolean): ToolDefinition {
  const document = parseJson(input.text);
  requireJson(document, input);
  const set = readTools(document, { baseName: input.baseName });
  const named = wanted === undefined ? set.tools : toolsNamed(wanted, set, input);
  const chosen = named.filter(withRegex ? ({ format }) => hasDefinition(format) : hasGrammar);
  const [first, second] = chosen;
  if (first === undefined) {
    const regex = named.some(({ format }) => format?.syntax === 'regex');
    const whose = wanted === undefined ? `No tool in ${plain(input.shown)}` : `${plain(wanted)}`;
    if (regex && wanted !== undefined) {
      throw new UsageError(`${whose} has a regular expression, which is not a grammar of its own.`);
    }
    throw new UsageError(wanted === undefined ? `${whose} has a Lark grammar.` : `${whose} has no Lark grammar.`);
  }
  if (second !== undefined) {
    const names = [...new Set(chosen.map(fullName))].map(plain).join(', ');
    throw new UsageError(`${plain(input.shown)} has several grammars; --tool says which.`, `It has ${names}.`);
  }
  return first;
}

/** A grammar that could be loaded, with a parser for it. */
export interface ReadyGrammar {
  readonly grammar: CompiledGrammar;
  readonly parser: GrammarParser;
}

/** Why there is no parser. */
export interface LoadFailure {
  /** One line for each problem, with its place. */
  readonly problems: readonly string[];
  /** The first one as the batch form has it. */
  readonly loadError: string;
}

/**
 * Loads a grammar as Lark does and makes a parser, or gives what keeps it from that. The first problem is the one that
 * Lark reports. Throws `UsageError` when the start rule that was typed does not exist.
 */
export function loadSource(from: GrammarSource, options: ParsedOptions, io: Io): ReadyGrammar | LoadFailure {
  const setup = parserOptions(options);
  const start = options.text('start') ?? 'start';
  const loaded = loadGrammar(parseGrammar(from.text), {
    start: [start],
    keepAllTokens: options.flag('keep-all-tokens'),
    lexer: lexerOf(setup),
    keep: terminalsToKeep(setup),
    importer: from.importer,
  });
  requireStart(start, loaded, options);
  if (loaded.grammar === undefined || loaded.problems.length > 0) {
    const [first] = loaded.problems;
    const text = first?.file === undefined ? from.text : loaded.files.get(first.file)?.text;
    const at = text === undefined || first?.at === undefined ? undefined : placeIn(text, first.at);
    return {
      problems: loaded.problems.map((problem) => problemLine(problem, from, loaded, io)),
      loadError: loadError(first?.code ?? 'too-complex', first === undefined ? '' : render(first.message), at),
    };
  }
  const made = createParser(loaded.grammar, setup);
  if (made.problem === undefined) return { grammar: loaded.grammar, parser: made.parser };
  const { code, message, terminal } = made.problem;
  if (code === 'options.invalid') throw new UsageError(render(message));
  const span: Span = terminal?.span ?? { start: 0, end: 0 };
  const line = `${from.at(span.start)} error ${plain(render(message))} [${code}]`;
  return { problems: [line], loadError: loadError(code, render(message), undefined) };
}

/** The set-up of a parser that was typed. */
export function parserOptions(options: ParsedOptions): ParserOptions {
  const { parser, lexer, ambiguity } = {
    parser: options.text('parser') as ParserOptions['parser'],
    lexer: options.text('lexer') as ParserOptions['lexer'],
    ambiguity: options.text('ambiguity') as ParserOptions['ambiguity'],
  };
  const postlex = options.text('postlex') as ParserOptions['postlex'];
  return {
    ...(parser === undefined ? {} : { parser }),
    ...(lexer === undefined ? {} : { lexer }),
    ...(ambiguity === undefined ? {} : { ambiguity }),
    ...(postlex === undefined ? {} : { postlex }),
  };
}

function requireStart(start: string, { problems, grammar }: LoadResult, options: ParsedOptions): void {
  if (options.text('start') === undefined || problems[0]?.code !== 'start.undefined') return;
  const names = new Set(grammar?.rules.map(({ origin }) => origin).filter((name) => !name.startsWith('__')));
  const guess = didYouMean(start, names);
  throw new UsageError(
    `The grammar has no rule ${plain(start)} to start with.${guess === undefined ? '' : ` Did you mean ${guess}?`}`,
  );
}

function problemLine(problem: LoadResult['problems'][number], from: GrammarSource, loaded: LoadResult, io: Io): string {
  const { span, file, message, code } = problem;
  const text = `error ${plain(render(message))} [${code}]`;
  if (file === undefined) return `${from.at(span.start)} ${text}`;
  const shown = path.isAbsolute(file) ? slashes(path.relative(io.cwd, file)) : file;
  const document = loaded.files.get(file);
  return `${plain(shown)}:${document === undefined ? '1:1' : place(new LineIndex(document.text), span.start)} ${text}`;
}
