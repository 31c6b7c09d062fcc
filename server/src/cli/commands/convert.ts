import { parseJson } from '../../core/text/json';
import { LineIndex } from '../../core/text/lines';
import { render } from '../../core/text/message';
import { type Converted, convertTools } from '../../core/tools/convert/convert';
import type { Loss } from '../../core/tools/convert/loss';
import { CONVERT_TARGETS, type ConvertTarget } from '../../core/tools/convert/targets';
import { readTools } from '../../core/tools/read';
import { type NamedInput, readInput, requireJson } from '../input';
import { EXIT, type Io, UsageError } from '../io';
import { parseOptions, usageLine } from '../options';
import { CONVERT } from '../specs';
import { LEVEL_PAINT, plain, styleFor } from '../style';

/** `toolspec convert`: definitions in another shape on standard output, what that costs on standard error. */
export async function runConvert(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(CONVERT, args);
  const target = CONVERT_TARGETS.find((each) => each === options.text('to'));
  if (target === undefined) {
    throw new UsageError(`toolspec convert needs --to: ${CONVERT_TARGETS.join(', ')}.`, usageLine(CONVERT));
  }
  const input = await readInput(options.positionals[0]!, io);
  const document = parseJson(input.text);
  requireJson(document, input);
  const set = readTools(document, { baseName: input.baseName });
  if (set.tools.length === 0 && set.namespaces.length === 0) {
    const reasons = set.reasons.map((reason) => render(reason)).join(' ');
    throw new UsageError(`${plain(input.shown)} holds no tools. ${reasons}`.trim());
  }
  const converted = convertTools(set, target);
  const json = options.text('format') === 'json';
  io.err(json ? lossJson(converted, target, input) : lossText(converted.losses, input, io));
  await io.out(converted.text);
  return converted.losses.some(({ level }) => level === 'error') ? EXIT.findings : EXIT.fine;
}

function lossText(losses: readonly Loss[], input: NamedInput, io: Io): string {
  const lines = new LineIndex(input.text);
  const style = styleFor(io.color);
  return losses
    .map(({ level, span, tool, message }) => {
      const { line, character } = lines.position(span.start);
      const name = tool === undefined ? '' : `${plain(tool)}: `;
      const place = `${plain(input.shown)}:${line + 1}:${character + 1}`;
      return `${place} ${style(level, LEVEL_PAINT[level])} ${name}${plain(render(message))}\n`;
    })
    .join('');
}

/** The report for programs, version 1. */
function lossJson({ losses, tools }: Converted, target: ConvertTarget, input: NamedInput): string {
  const lines = new LineIndex(input.text);
  const at = (offset: number) => {
    const { line, character } = lines.position(offset);
    return { line: line + 1, column: character + 1, offset };
  };
  const report = {
    version: 1,
    file: input.shown,
    target,
    tools,
    losses: losses.map((loss) => ({
      kind: loss.kind,
      level: loss.level,
      tool: loss.tool ?? null,
      pointer: loss.pointer,
      range: { start: at(loss.span.start), end: at(loss.span.end) },
      message: render(loss.message),
      value: loss.value ?? null,
    })),
  };
  return `${JSON.stringify(report)}\n`;
}
