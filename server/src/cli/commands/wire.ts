import path from 'node:path';
import { parseJson } from '../../core/text/json';
import { LineIndex } from '../../core/text/lines';
import { render } from '../../core/text/message';
import { readTools } from '../../core/tools/read';
import type { WebSearchMode, WireMode, WireNote, WireOptions } from '../../core/wire/options';
import { createWire, type Wire, type WireText } from '../../core/wire/wire';
import { readGrammarText } from '../../host/grammarFiles';
import { fullName, type NamedInput, readInput, requireJson, toolsNamed } from '../input';
import { EXIT, type Io, UsageError } from '../io';
import { answerLines } from '../jsonl';
import { checkBatch, type ParsedOptions, parseOptions, usageLine } from '../options';
import { profileFor } from '../profile';
import { tokenLine } from '../report/tokens';
import { WIRE } from '../specs';
import { count, plain } from '../style';

/** So many notes of one kind are shown; a file may have thousands. */
const SHOWN_NOTES = 20;

/** `toolspec wire`: the exact JSON that is sent. */
export async function runWire(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(WIRE, args);
  const [named] = options.positionals;
  if (options.flag('jsonl')) {
    checkBatch(options, ['profile']);
    const { wireLine } = await import('../../core/wire/jsonl');
    const profile = profileFor(options.text('profile'), undefined);
    await answerLines(io, (line) => wireLine(line, { profile }));
    return EXIT.fine;
  }
  if (named === undefined) {
    throw new UsageError('toolspec wire needs a file, or - for standard input.', usageLine(WIRE));
  }
  const input = await readInput(named, io);
  const wired = wireText(input, options);
  sayNotes(wired, input, io);
  if (wired.refusal !== undefined) return EXIT.findings;
  if (options.flag('tokens')) io.err(`${tokenLine(wired.text, wired.bytes, await io.tokens())}\n`);
  await io.out(`${wired.text}\n`);
  return EXIT.fine;
}

function wireText(input: NamedInput, options: ParsedOptions): WireText {
  const document = parseJson(input.text);
  requireJson(document, input);
  const set = readTools(document, { baseName: input.baseName });
  if (set.tools.length === 0 && set.namespaces.length === 0) {
    const reasons = set.reasons.map((reason) => render(reason)).join(' ');
    throw new UsageError(`${plain(input.shown)} holds no tools. ${reasons}`.trim());
  }
  const wire: Wire = createWire(set, wireOptions(input, options));
  const wanted = options.text('tool');
  if (wanted === undefined) return options.flag('request') ? wire.request() : wire.set();
  if (options.flag('request'))
    throw new UsageError('--tool and --request do not go together: a request has all tools.');
  const tools = toolsNamed(wanted, set, input);
  if (tools.length > 1) {
    const names = [...new Set(tools.map(fullName))].map(plain);
    throw new UsageError(
      `${plain(input.shown)} has ${count(tools.length, 'tool')} named ${plain(wanted)}.`,
      names.length > 1 ? `Name one of ${names.join(', ')}.` : undefined,
    );
  }
  return wire.tool(tools[0]!);
}

function wireOptions(input: NamedInput, options: ParsedOptions): WireOptions {
  const config = input.config?.config;
  return {
    mode: (options.text('mode') ?? 'responses') as WireMode,
    profile: profileFor(options.text('profile'), input.config),
    provider: config?.provider,
    server: options.text('server'),
    webSearch: webSearchMode(config?.webSearch),
    grammar: (file) => readGrammarText(path.resolve(input.folder, file)),
  };
}

const WEB_SEARCH_MODES: readonly string[] = ['disabled', 'cached', 'indexed', 'live'] satisfies WebSearchMode[];

function webSearchMode(word: string | undefined): WebSearchMode | undefined {
  return word !== undefined && WEB_SEARCH_MODES.includes(word) ? (word as WebSearchMode) : undefined;
}

/** Says on standard error what is refused, left out or changed. */
function sayNotes({ notes, refusal }: WireText, input: NamedInput, io: Io): void {
  const lines = new LineIndex(input.text);
  const all = refusal === undefined || notes.includes(refusal) ? notes : [...notes, refusal];
  for (const kind of ['refused', 'left-out', 'changed'] as const) {
    const some = all.filter((note) => note.kind === kind);
    for (const note of some.slice(0, SHOWN_NOTES)) io.err(`${noteLine(note, input, lines)}\n`);
    if (some.length > SHOWN_NOTES) io.err(`toolspec: ${count(some.length - SHOWN_NOTES, 'note')} more like these.\n`);
  }
}

function noteLine({ message, node, tool }: WireNote, input: NamedInput, lines: LineIndex): string {
  const name = tool?.name === undefined ? '' : `${plain(tool.name)}: `;
  const text = `${name}${plain(render(message))}`;
  if (node === undefined) return `${plain(input.shown)}: ${text}`;
  const { line, character } = lines.position(node.property?.keyStart ?? node.offset);
  return `${plain(input.shown)}:${line + 1}:${character + 1}: ${text}`;
}
