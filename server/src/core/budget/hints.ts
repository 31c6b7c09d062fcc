import type { CompileResult } from '../schema/compile';
import type { TraceEvent } from '../schema/trace';
import type { JsonNode, JsonProperty } from '../text/json';
import { effectiveProperties, headSpan } from '../text/jsonTree';
import type { LineIndex } from '../text/lines';
import { type Message, sentences, t } from '../text/message';
import { bytes, list, shorten } from '../text/words';
import type { ToolDefinition } from '../tools/model';
import { passesGo, passesThatTook } from './sizes';

/** Kinds of hints that can be switched on and off on their own. */
export type HintArea = 'sizes' | 'losses' | 'notSent';

/** A fact shown behind the end of a line. There is at most one per line. */
export interface Hint {
  /** Where it is shown: the end of the line, spaces left out. */
  readonly offset: number;
  readonly area: HintArea;
  readonly label: Message;
  readonly tooltip: Message;
}

/** Of several facts about one line the one with the highest rank is shown. */
const enum Rank {
  Size,
  Dropped,
  NotSent,
  Emptied,
  Table,
  Tool,
}

interface Candidate extends Hint {
  readonly rank: Rank;
}

/** From this part of the budget on a top-level property gets its size, and from this one on a deeper schema. */
const HEAVY_PROPERTY = 0.02;
const HEAVY_NESTED = 0.1;

/** Keys of a tool that never reach the model by any route, beside `x-toolspec`. */
const LOCAL_KEYS = ['outputSchema', 'output_schema'];

/**
 * The hints of one tool: what it weighs, what becomes of its parts, what is not sent. Nothing is said about the
 * descriptions that the first pass takes: the lens says that once.
 *
 * @param compiled what Codex makes of the schema, or `undefined` when that is of no interest or there is no schema
 */
export function toolHints(
  tool: ToolDefinition,
  compiled: CompileResult | undefined,
  lines: LineIndex,
  areas: ReadonlySet<HintArea>,
): Hint[] {
  const collector = new Collector(lines, areas);
  notSent(tool, collector);
  if (compiled !== undefined) {
    toolSizeHint(compiled, collector);
    if (compiled.refusal === undefined) {
      sizes(compiled, collector);
      losses(compiled, collector);
    }
  }
  return collector.hints();
}

/** Of hints on the same line, for example of two tools in one line, the first stays. */
export function onePerLine(hints: readonly Hint[]): Hint[] {
  const seen = new Set<number>();
  return hints.filter(({ offset }) => !seen.has(offset) && seen.add(offset) !== undefined);
}

class Collector {
  readonly #byLine = new Map<number, Candidate>();

  constructor(
    readonly lines: LineIndex,
    readonly areas: ReadonlySet<HintArea>,
  ) {}

  line(offset: number): number {
    return this.lines.position(offset).line;
  }

  add(rank: Rank, area: HintArea, at: number, label: Message, tooltip: Message): void {
    if (!this.areas.has(area)) return;
    const line = this.line(at);
    const present = this.#byLine.get(line);
    if (present !== undefined && present.rank >= rank) return;
    this.#byLine.set(line, { rank, area, offset: this.#lineEnd(line), label, tooltip });
  }

  /** Whether nothing but spaces stands before an offset in this line. */
  startsLine(offset: number, line: number): boolean {
    const start = this.lines.lineStart(line);
    return offset >= start && this.lines.text.slice(start, offset).trim() === '';
  }

  hints(): Hint[] {
    return [...this.#byLine.values()].sort((a, b) => a.offset - b.offset);
  }

  #lineEnd(line: number): number {
    const start = this.lines.lineStart(line);
    let end = this.lines.lineStart(line + 1);
    while (end > start && /\s/.test(this.lines.text[end - 1]!)) end--;
    return end;
  }
}

function notSent(tool: ToolDefinition, collector: Collector): void {
  const local = tool.local.node?.property;
  if (local !== undefined) {
    const tooltip = t('Local facts for ToolSpec. They never go on the wire.');
    collector.add(Rank.NotSent, 'notSent', local.keyStart, t('not sent'), tooltip);
  }
  for (const key of LOCAL_KEYS) {
    const property = tool.body.get(key) ?? tool.node.get(key);
    if (property === undefined) continue;
    const tooltip = t('The model never sees the output schema: hosts check results against it.');
    collector.add(Rank.NotSent, 'notSent', property.keyStart, t('not sent'), tooltip);
  }
}

function toolSizeHint(compiled: CompileResult, collector: Collector): void {
  const at = headSpan(compiled.source).start;
  const { refusal, passes, sourceBytes, profile } = compiled;
  if (refusal !== undefined) {
    const reason = t('Codex refuses the tool: {0}', shorten(refusal.message, 200));
    collector.add(Rank.Tool, 'losses', at, t('refused'), reason);
    return;
  }
  if (passes.length === 0) {
    const tooltip = t('What Codex sends as parameters: {0} of {1}.', sourceBytes, bytes(profile.budgetBytes));
    collector.add(Rank.Tool, 'sizes', at, bytes(sourceBytes), tooltip);
    return;
  }
  const took = passesThatTook(compiled);
  const tooltip = sentences(
    t('{0}, {1} over the budget of {2}.', bytes(sourceBytes), sourceBytes - profile.budgetBytes, profile.budgetBytes),
    took.length > 0
      ? t('So {0}, and {1} are sent.', passesGo(took), bytes(compiled.bytes))
      : t('No pass finds anything to take.'),
    compiled.overBudget ? t('That is still over the budget; Codex sends it as it is.') : undefined,
  );
  const label = took.length > 0 ? t('{0} → {1}', sourceBytes, bytes(compiled.bytes)) : bytes(sourceBytes);
  collector.add(Rank.Tool, 'sizes', at, label, tooltip);
}

function sizes(compiled: CompileResult, collector: Collector): void {
  const budget = compiled.profile.budgetBytes;
  const goes = compiled.passes.includes('definitions');
  const sizeHint = (property: JsonProperty, least: number, tooltip: (size: number) => Message): void => {
    const size = property.value === undefined ? undefined : compiled.sizeBefore(property.value);
    if (size === undefined || size < least) return;
    collector.add(Rank.Size, 'sizes', property.keyStart, bytes(size), tooltip(size));
  };
  for (const key of ['$defs', 'definitions']) {
    const table = compiled.source.get(key);
    if (table?.value?.kind !== 'object') continue;
    let total = 0;
    for (const member of effectiveProperties(table.value)) {
      total += compiled.sizeBefore(member.value!) ?? 0;
      sizeHint(member, 0, (size) =>
        goes
          ? t('{0} before the second pass takes the table.', bytes(size))
          : t('{0} of {1} are spent on this definition.', size, bytes(compiled.sourceBytes)),
      );
    }
    if (total === 0) continue;
    const label = goes ? t('{0}, gone in pass 2', bytes(total)) : bytes(total);
    const tooltip = goes
      ? t('The second pass makes every reference to a definition {} and removes the table.')
      : t('{0} of {1} are spent on definitions.', total, bytes(compiled.sourceBytes));
    collector.add(Rank.Table, 'sizes', table.keyStart, label, tooltip);
  }
  const properties = compiled.source.value('properties');
  const share = (size: number): Message => t('{0} of {1} are spent on this.', size, bytes(compiled.sourceBytes));
  for (const property of properties?.kind === 'object' ? effectiveProperties(properties) : []) {
    sizeHint(property, budget * HEAVY_PROPERTY, share);
    nestedSizes(property.value!, (nested) => sizeHint(nested, budget * HEAVY_NESTED, share));
  }
}

/** Visits the properties below a schema, however they are nested in arrays, unions and objects. */
function nestedSizes(schema: JsonNode, visit: (property: JsonProperty) => void): void {
  const stack: JsonNode[] = [schema];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const key of ['items', 'additionalProperties']) {
      const value = node.value(key);
      if (value?.kind === 'object') stack.push(value);
    }
    for (const key of ['anyOf', 'oneOf', 'allOf']) stack.push(...(node.value(key)?.items ?? []));
    const properties = node.value('properties');
    for (const property of properties?.kind === 'object' ? effectiveProperties(properties) : []) {
      visit(property);
      stack.push(property.value!);
    }
  }
}

function losses(compiled: CompileResult, collector: Collector): void {
  for (const { property } of compiled.unreachable) {
    const tooltip = t('No reference reaches this definition, so Codex does not send it.');
    collector.add(Rank.NotSent, 'losses', property.keyStart, t('not sent'), tooltip);
  }
  const emptied = new Map<number, JsonNode[]>();
  const dropped = new Map<number, JsonProperty[]>();
  const note = <T>(map: Map<number, T[]>, at: number, item: T): void => {
    const line = collector.line(at);
    const items = map.get(line);
    if (items === undefined) map.set(line, [item]);
    else if (!items.includes(item)) items.push(item);
  };
  for (const event of compiled.events) {
    if (event.action === 'emptied') {
      if (!decides(compiled, event) || event.node === compiled.source) continue;
      note(emptied, headSpan(event.node).start, event.node);
      holderOfItems(event.node, (property) => {
        if (collector.line(property.keyStart) !== collector.line(headSpan(event.node).start)) {
          note(emptied, property.keyStart, event.node);
        }
      });
    } else if (event.action === 'boolean-to-string' && decides(compiled, event)) {
      const tooltip = t('Codex turns a schema that is true or false into a string schema.');
      collector.add(Rank.Dropped, 'losses', headSpan(event.node).start, t('→ string'), tooltip);
    } else if (event.action === 'keyword-dropped' && event.property !== undefined) {
      if (stands(compiled, event.node)) note(dropped, event.property.keyStart, event.property);
    }
  }
  for (const [line, nodes] of emptied) {
    const at = collector.lines.lineStart(line);
    collector.add(Rank.Emptied, 'losses', at, emptiedLabel(nodes, line, collector), emptiedTooltip(nodes));
  }
  for (const [line, properties] of dropped) {
    const keys = [...new Set(properties.map(({ key }) => key))];
    const tooltip = t('Codex does not send {0}: the model never sees it.', list(keys));
    collector.add(
      Rank.Dropped,
      'losses',
      collector.lines.lineStart(line),
      droppedLabel(properties, line, collector),
      tooltip,
    );
  }
}

/** Whether this event is what becomes of its node in the end. */
function decides(compiled: CompileResult, event: TraceEvent): boolean {
  const fate = compiled.fate(event.node);
  return fate.status === 'changed' && fate.event?.node === event.node;
}

/** Whether the schema is sent with its keywords: neither gone nor emptied. */
function stands(compiled: CompileResult, schema: JsonNode): boolean {
  const fate = compiled.fate(schema);
  return fate.status !== 'dropped' && fate.event?.action !== 'emptied';
}

/** Calls back with the property that holds an array's `items`, so that the folded property still tells. */
function holderOfItems(node: JsonNode, found: (property: JsonProperty) => void): void {
  const key = node.property?.key;
  const holder = node.parent?.property;
  if ((key === 'items' || key === 'additionalProperties') && holder !== undefined) found(holder);
}

function droppedLabel(properties: readonly JsonProperty[], line: number, collector: Collector): Message {
  const [first, ...others] = properties;
  if (others.length > 0) return t('{0} dropped', properties.length);
  // A number of one would run into the number that stands before it.
  if (collector.startsLine(first!.keyStart, line)) return t('dropped');
  return t('{0} dropped', shorten(first!.key, 24));
}

function emptiedLabel(nodes: readonly JsonNode[], line: number, collector: Collector): Message {
  // The first key of a line needs no name: it stands right there. Other places do, above all where they are folded.
  if (nodes.length === 1 && collector.startsLine(headSpan(nodes[0]!).start, line)) return t('→ {}');
  const names = nodes.map((node) => node.property?.key ?? t('a branch'));
  return t('{0} → {}', list(names, 3));
}

function emptiedTooltip(nodes: readonly JsonNode[]): Message {
  return nodes.length === 1
    ? t('This is sent as {}, which allows any value.')
    : t('These are sent as {}, which allows any value.');
}
