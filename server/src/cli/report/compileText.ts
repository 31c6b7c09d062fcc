import { lensStatus, sizeStatus } from '../../core/budget/lens';
import { toolSize } from '../../core/budget/sizes';
import type { CompileResult, Stage } from '../../core/schema/compile';
import type { TraceEvent } from '../../core/schema/trace';
import { emitJson } from '../../core/text/emit';
import { pointerOf } from '../../core/text/jsonTree';
import type { LineIndex } from '../../core/text/lines';
import { formatNumber, render } from '../../core/text/message';
import { utf8Length } from '../../core/text/utf8';
import { formatChange } from '../../core/text/words';
import type { ToolDefinition } from '../../core/tools/model';
import { plain, type Style } from '../style';
import { type DroppedKeyword, type Loss, lossesOf, stageLosses } from './losses';

/** One schema to report on. */
export interface CompiledItem {
  /** Namespace and name of the tool, or what else the schema is called. */
  readonly name: string;
  readonly compiled: CompileResult;
  /** `undefined` for a bare schema. */
  readonly tool: ToolDefinition | undefined;
}

/** How the report is written. */
export interface CompileReportOptions {
  readonly file: string;
  readonly lines: LineIndex;
  readonly style: Style;
  /** List every event. */
  readonly trace: boolean;
  /** Show the table of stages also where no pass runs. */
  readonly allStages: boolean;
}

const STAGE_NAMES: Readonly<Record<Stage['name'], string>> = {
  lowered: 'Lowered',
  pruned: 'Pruned',
  descriptions: '1 Descriptions',
  definitions: '2 Definitions',
  depth: '3 Depth',
  compositions: '4 Unions',
};

const BAR_WIDTH = 30;
/** So many places of a dropped keyword are named. */
const PLACES = 3;

/** What Codex makes of one schema, for people. */
export function compileReport(item: CompiledItem, options: CompileReportOptions): string {
  const { compiled } = item;
  const { style } = options;
  const head = `${style(plain(item.name), 'bold')}  ${status(item)}  ${style(at(headOf(item), options), 'gray')}\n`;
  if (compiled.refusal !== undefined) {
    const { message, node, pointer } = compiled.refusal;
    const where = at(node.property?.keyStart ?? node.offset, options);
    return `${head}  ${style(plain(message), 'red')}\n  ${plain(pointer || '(root)')}  ${style(where, 'gray')}\n`;
  }
  const showStages = options.allStages || compiled.passes.length > 0 || compiled.overBudget;
  return (
    head + (showStages ? stageTable(compiled, style) : '') + lossLists(compiled, options) + traceList(compiled, options)
  );
}

function headOf({ tool, compiled }: CompiledItem): number {
  return tool?.nameNode?.offset ?? compiled.source.offset;
}

function status({ compiled, tool }: CompiledItem): string {
  const size = toolSize(compiled);
  return render(tool === undefined ? sizeStatus(size, false) : lensStatus(tool, size));
}

function stageTable(compiled: CompileResult, style: Style): string {
  const budget = compiled.profile.budgetBytes;
  const source = utf8Length(emitJson(compiled.source));
  const scale = Math.max(budget * 1.25, source, ...compiled.stages.map((stage) => stage.bytes));
  const rows = [stageRow('Source', source, undefined, '', 'as written, not counted', style)];
  let before: number | undefined;
  for (const stage of compiled.stages) {
    // Only what is left after pruning is held against the budget.
    const bar = stage.name === 'lowered' ? '' : barOf(stage.bytes, budget, scale, style);
    const change = before === undefined ? undefined : stage.bytes - before;
    rows.push(stageRow(STAGE_NAMES[stage.name], stage.bytes, change, bar, stageLosses(compiled, stage.name), style));
    before = stage.bytes;
  }
  rows.push(stageRow('Sent', compiled.bytes, undefined, '', '', style));
  return rows.join('');
}

function stageRow(
  name: string,
  bytes: number,
  change: number | undefined,
  bar: string,
  lost: string,
  style: Style,
): string {
  const numbers = `${formatNumber(bytes).padStart(9)}  ${(change === undefined ? '' : formatChange(change)).padStart(8)}`;
  const plainBar = bar === '' ? ' '.repeat(BAR_WIDTH) : bar;
  return `${`  ${name.padEnd(15)}${numbers}  ${plainBar}  ${style(lost, 'gray')}`.trimEnd()}\n`;
}

/** Bytes within the budget full, those over it hatched, and the budget as a line. */
function barOf(bytes: number, budget: number, scale: number, style: Style): string {
  const cells = (value: number): number => Math.round((Math.min(value, scale) / scale) * BAR_WIDTH);
  const limit = Math.min(BAR_WIDTH - 1, Math.max(1, cells(budget)));
  const within = Math.min(limit, Math.max(bytes > 0 ? 1 : 0, cells(Math.min(bytes, budget))));
  const over = bytes > budget ? Math.max(1, Math.min(BAR_WIDTH - limit - 1, cells(bytes) - limit - 1)) : 0;
  const rest = BAR_WIDTH - limit - 1 - over;
  const left = style('█'.repeat(within), 'blue') + ' '.repeat(limit - within);
  return `${left}│${style('▒'.repeat(over), 'yellow')}${' '.repeat(Math.max(0, rest))}`;
}

function lossLists(compiled: CompileResult, options: CompileReportOptions): string {
  const { unreachable, emptied, changed, gone, dropped } = lossesOf(compiled);
  return [
    lossList('Unreachable, not sent', unreachable, options),
    lossList('Sent as {}', emptied, options),
    lossList('Sent in another form', changed, options),
    lossList('Tables that go', gone, options),
    droppedList(dropped, options),
  ].join('');
}

function lossList(title: string, losses: readonly Loss[], options: CompileReportOptions): string {
  if (losses.length === 0) return '';
  const width = Math.min(48, Math.max(...losses.map(({ pointer }) => plain(pointer).length)));
  const lines = losses.map(({ pointer, why, offset }) => {
    return `    ${plain(pointer).padEnd(width)}  ${plain(why)}  ${options.style(at(offset, options), 'gray')}\n`;
  });
  return `  ${title}\n${lines.join('')}`;
}

function droppedList(dropped: readonly DroppedKeyword[], options: CompileReportOptions): string {
  if (dropped.length === 0) return '';
  const width = Math.min(24, Math.max(...dropped.map(({ keyword }) => plain(keyword).length)));
  const lines = dropped.map(({ keyword, offsets }) => {
    const more = offsets.length - PLACES;
    const places = offsets.slice(0, PLACES).map((offset) => position(offset, options));
    const shown = `${places.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
    const times = formatNumber(offsets.length).padStart(4);
    return `    ${plain(keyword).padEnd(width)} ${times}×  ${options.style(`${plain(options.file)}:${shown}`, 'gray')}\n`;
  });
  return `  Keywords that are dropped\n${lines.join('')}`;
}

function traceList(compiled: CompileResult, options: CompileReportOptions): string {
  if (!options.trace || compiled.events.length === 0) return '';
  const lines = compiled.events.map((event) => {
    const node = pointerOf(event.node, compiled.source) || '(root)';
    const what = [event.action, plain(node), ...traceDetails(event)].join('  ');
    const offset = event.property?.keyStart ?? event.node.property?.keyStart ?? event.node.offset;
    return `    ${event.stage.padEnd(13)} ${what}  ${options.style(at(offset, options), 'gray')}\n`;
  });
  return `  Trace\n${lines.join('')}`;
}

function traceDetails({ property, detail }: TraceEvent): string[] {
  return [property?.key, detail].filter((part) => part !== undefined).map(plain);
}

/** `weather.tools.json:15:9`, clickable in terminals. */
function at(offset: number, options: CompileReportOptions): string {
  return `${plain(options.file)}:${position(offset, options)}`;
}

function position(offset: number, { lines }: CompileReportOptions): string {
  const { line, character } = lines.position(offset);
  return `${line + 1}:${character + 1}`;
}
