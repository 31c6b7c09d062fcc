import { TOKENS_NOTE, type TokenCounter } from '../../core/budget/tokens';
import { compileSchema } from '../../core/schema/compile';
import { type JsonDocument, parseJson } from '../../core/text/json';
import { LineIndex } from '../../core/text/lines';
import { render } from '../../core/text/message';
import type { ToolSet } from '../../core/tools/model';
import { readTools } from '../../core/tools/read';
import { compileTool } from '../../core/wire/compileTool';
import { fullName, type NamedInput, readInput, requireJson, toolsNamed } from '../input';
import { EXIT, type Io, UsageError } from '../io';
import { answerLines } from '../jsonl';
import { checkBatch, type ParsedOptions, parseOptions, usageLine } from '../options';
import { profileFor } from '../profile';
import { type CompiledItem, compileReport } from '../report/compileText';
import { type TokenReportOptions, tokenReport } from '../report/tokens';
import { COMPILE } from '../specs';
import { count, plain, styleFor } from '../style';

/** `toolspec compile`: what Codex makes of each schema. */
export async function runCompile(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(COMPILE, args);
  const [named] = options.positionals;
  if (options.flag('jsonl')) {
    checkBatch(options, ['profile']);
    const { compileLine } = await import('../../core/wire/jsonl');
    const profile = profileFor(options.text('profile'), undefined);
    await answerLines(io, (line) => compileLine(line, { profile }));
    return EXIT.fine;
  }
  if (named === undefined)
    throw new UsageError('toolspec compile needs a file, or - for standard input.', usageLine(COMPILE));
  const input = await readInput(named, io);
  const document = parseJson(input.text);
  requireJson(document, input);
  const items = compileItems(document, input, options);
  const lines = new LineIndex(input.text);
  const style = styleFor(io.color);
  const counter = options.flag('tokens') ? await io.tokens() : undefined;
  for (const [index, item] of items.entries()) {
    const report = compileReport(item, {
      file: input.shown,
      lines,
      style,
      trace: options.flag('trace'),
      allStages: items.length === 1,
    });
    const tokens = counter === undefined ? '' : tokensOf(item, counter, { style, all: options.flag('trace') });
    await io.out(`${index === 0 ? '' : '\n'}${report}${tokens}`);
  }
  if (counter !== undefined) io.err(`${render(TOKENS_NOTE)}\n`);
  if (items.length > 1) await io.out(`\n${totals(items)}\n`);
  return items.some(({ compiled }) => compiled.refusal !== undefined) ? EXIT.findings : EXIT.fine;
}

/** Tokens of what is sent; nothing where Codex refuses the schema. */
function tokensOf({ compiled }: CompiledItem, counter: TokenCounter, options: TokenReportOptions): string {
  return compiled.refusal === undefined ? tokenReport(compiled.text, counter, options) : '';
}

/** The schemas of the file's tools; a file without tools is a schema itself. */
function compileItems(document: JsonDocument, input: NamedInput, options: ParsedOptions): CompiledItem[] {
  const profile = profileFor(options.text('profile'), input.config);
  const set = readTools(document, { baseName: input.baseName });
  const wanted = options.text('tool');
  if (set.tools.length === 0 && wanted === undefined) {
    const root = bareSchema(document, set, input);
    return [{ name: input.shown, compiled: compileSchema(root, { profile }), tool: undefined }];
  }
  const chosen = wanted === undefined ? set.tools : toolsNamed(wanted, set, input);
  const items = chosen.flatMap((tool): CompiledItem[] => {
    const compiled = compileTool(tool, profile);
    return compiled === undefined ? [] : [{ name: fullName(tool), compiled, tool }];
  });
  if (items.length === 0) throw new UsageError(`No tool in ${plain(input.shown)} has a schema.`);
  return items;
}

function bareSchema(document: JsonDocument, set: ToolSet, input: NamedInput): NonNullable<JsonDocument['root']> {
  const { root } = document;
  if (root?.kind === 'object' || root?.kind === 'boolean') return root;
  const reasons = set.reasons.map((reason) => render(reason)).join(' ');
  throw new UsageError(`${plain(input.shown)} holds neither tools nor a schema. ${reasons}`.trim());
}

function totals(items: readonly CompiledItem[]): string {
  const sent = items.reduce((sum, { compiled }) => sum + compiled.bytes, 0);
  const shrunk = items.filter(({ compiled }) => compiled.passes.length > 0).length;
  const refused = items.filter(({ compiled }) => compiled.refusal !== undefined).length;
  const parts = [
    `${count(items.length, 'schema')}, ${count(sent, 'byte')} sent`,
    shrunk > 0 ? `${shrunk.toLocaleString('en-US')} over the budget` : 'none over the budget',
    refused > 0 ? `${refused.toLocaleString('en-US')} refused` : '',
  ];
  return `${parts.filter((part) => part !== '').join(', ')}.`;
}
