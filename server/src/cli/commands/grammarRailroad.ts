import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseGrammar } from '../../core/grammar/parse';
import { type RailroadRule, railroadOf } from '../../core/grammar/railroad';
import { railroadSheetSvg, railroadSvg } from '../../core/grammar/railroad/svg';
import { render } from '../../core/text/message';
import { writeFailureOf } from '../../host/files';
import { writeTextFile } from '../../host/writeFile';
import { readGrammarSource } from '../grammarInput';
import { GRAMMAR_RAILROAD } from '../grammarSpecs';
import { EXIT, type Io, UsageError } from '../io';
import { parseOptions, wholeNumber } from '../options';
import { count, plain } from '../style';

/** So many places that cannot be read are named. */
const MOST_PROBLEMS = 20;

/** `toolspec grammar railroad`: diagrams as SVG, one picture or one for each definition. */
export async function runGrammarRailroad(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(GRAMMAR_RAILROAD, args);
  const width = wholeNumber(options, 'width');
  const source = await readGrammarSource(options.positionals[0]!, options, io);
  const document = parseGrammar(source.text);
  const rules = railroadOf(document);
  if (rules.length === 0) throw new UsageError(`${plain(source.shown)} has no definitions to draw.`);
  // What cannot be read has no picture, or only a part of one.
  for (const { span, message } of document.problems.slice(0, MOST_PROBLEMS)) {
    io.err(`${source.at(span.start)} ${plain(render(message))}\n`);
  }
  const size = width === undefined ? {} : { width };
  const out = options.text('out');
  if (out === undefined) {
    await io.out(railroadSheetSvg(rules, source.title, size));
    return EXIT.fine;
  }
  const target = path.resolve(io.cwd, out);
  if (/\.svg$/i.test(out)) {
    await save(target, railroadSheetSvg(rules, source.title, size), out);
    io.err(`${count(rules.length, 'definition')} in ${plain(out)}.\n`);
    return EXIT.fine;
  }
  await saving(out, () => mkdir(target, { recursive: true }));
  const names = fileNames(rules);
  // A name leads to its definition, which has a picture only if it stands in this text.
  const byPlace = new Map(rules.map((rule, index) => [rule.nameSpan.start, names[index]!]));
  for (const [index, rule] of rules.entries()) {
    const svg = railroadSvg(rule, {
      ...size,
      link: ({ definition }) => (definition === undefined ? undefined : byPlace.get(definition.start)),
    });
    await save(path.join(target, names[index]!), svg, `${out}/${names[index]}`);
  }
  io.err(`${count(rules.length, 'picture')} in ${plain(out)}.\n`);
  return EXIT.fine;
}

/**
 * A file name for each definition. `item` and `ITEM` are two definitions, but one file on systems that do not tell
 * letter case apart, so a name that is taken gets a number.
 */
function fileNames(rules: readonly RailroadRule[]): string[] {
  const taken = new Set<string>();
  return rules.map(({ name }) => {
    const stem = name.replace(/[^\w.-]/g, '') || 'definition';
    let file = `${stem}.svg`;
    for (let number = 2; taken.has(file.toLowerCase()); number++) file = `${stem}-${number}.svg`;
    taken.add(file.toLowerCase());
    return file;
  });
}

async function save(file: string, svg: string, shown: string): Promise<void> {
  await saving(shown, () => writeTextFile(file, svg));
}

async function saving(shown: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new UsageError(`${plain(shown)} ${writeFailureOf(error)}.`);
  }
}
