import path from 'node:path';
import { formatGrammar } from '../../core/grammar/format';
import { parseGrammar } from '../../core/grammar/parse';
import { applyEdits } from '../../core/text/edits';
import { EmbeddedText } from '../../core/text/embedded';
import type { TextEdit } from '../../core/text/finding';
import { parseJson } from '../../core/text/json';
import { readTools } from '../../core/tools/read';
import { readTextFile, writeFailureOf } from '../../host/files';
import { writeTextFile } from '../../host/writeFile';
import { GRAMMAR_FORMAT } from '../grammarSpecs';
import { hasGrammar, holdsTools, type NamedInput, readInput, requireJson } from '../input';
import { EXIT, type Io, UsageError } from '../io';
import { parseOptions } from '../options';
import { count, plain } from '../style';

/** `toolspec grammar format`: lays grammars out. Files change with `--write` alone. */
export async function runGrammarFormat(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(GRAMMAR_FORMAT, args);
  const files = [...new Set(options.positionals)];
  const check = options.flag('check');
  const write = options.flag('write');
  if (check && write) throw new UsageError('--check and --write do not go together: one only looks, the other writes.');
  if (write && files.includes('-'))
    throw new UsageError('Standard input cannot be written; without --write the text is printed.');
  if (files.length > 1 && !check && !write) {
    throw new UsageError('The text of one file is printed; for several files say --check or --write.');
  }
  let changed = 0;
  for (const named of files) {
    const input = await readInput(named, io);
    const text = formatted(input, io);
    if (!check && !write) {
      await io.out(text);
      return EXIT.fine;
    }
    if (text === input.text) continue;
    changed++;
    if (check) await io.out(`${plain(named)}\n`);
    else await writeBack(path.resolve(io.cwd, named), named, text, io);
  }
  if (check && changed > 0)
    io.err(`${count(changed, 'file')} of ${files.length.toLocaleString('en-US')} would change.\n`);
  return check && changed > 0 ? EXIT.findings : EXIT.fine;
}

/** The text with its grammars laid out. */
function formatted(input: NamedInput, io: Io): string {
  if (!holdsTools(input)) return applyEdits(input.text, formatGrammar(parseGrammar(input.text)));
  const document = parseJson(input.text);
  requireJson(document, input);
  const edits: TextEdit[] = [];
  let grammars = 0;
  for (const tool of readTools(document, { baseName: input.baseName }).tools) {
    const { format } = tool;
    if (!hasGrammar(tool) || format?.file !== undefined) continue;
    grammars++;
    const embedded = new EmbeddedText(input.text, format!.definitionNode!.offset);
    edits.push(...embedded.edits(formatGrammar(parseGrammar(embedded.text))));
  }
  if (grammars === 0) io.err(`toolspec: no tool in ${plain(input.shown)} has a grammar in itself.\n`);
  return applyEdits(input.text, edits);
}

async function writeBack(file: string, shown: string, text: string, io: Io): Promise<void> {
  const read = await readTextFile(file);
  const mark = 'bom' in read && read.bom ? '\ufeff' : '';
  try {
    await writeTextFile(file, `${mark}${text}`);
  } catch (error) {
    throw new UsageError(`${plain(shown)} ${writeFailureOf(error)}.`);
  }
  io.err(`${plain(shown)} changed.\n`);
}
