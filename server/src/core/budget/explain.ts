import { CODEX_PROFILES, type KeptKeyword } from '../profiles/codex';
import type { CompileResult } from '../schema/compile';
import { schemaKeywordKind } from '../schema/sites';
import type { TraceEvent } from '../schema/trace';
import type { JsonNode, JsonProperty } from '../text/json';
import { type JsonPlace, keySpan, nodeSpan } from '../text/jsonTree';
import { formatNumber, type Message, t } from '../text/message';
import type { Span } from '../text/span';
import { bytes, formatChange, list, shorten } from '../text/words';
import { codexRoute, type ToolDefinition } from '../tools/model';
import { dropReason, passNumber } from './reasons';
import { passesGo, passesThatTook, passTakes } from './sizes';

/** What happens to one place of a tool on its way to the model. Texts are Markdown. */
export interface Explanation {
  /** What the explanation is about. */
  readonly span: Span;
  /** The answer: a sentence or two. */
  readonly title: Message;
  /** How it comes about, in order: a short label and a fragment. */
  readonly rows: readonly ExplanationRow[];
}

/** One line of an explanation. */
export interface ExplanationRow {
  readonly label: Message;
  readonly text: Message;
}

/** How the host shows a place of the file inside a text, for example as a link. */
export type ShowPlace = (text: string, span: Span) => string;

/** What is known about the tool that a place belongs to. */
export interface ExplainedTool {
  readonly tool: ToolDefinition;
  /** Whether the target Codex is on. Else nothing is said about names. */
  readonly codex: boolean;
  /** What Codex makes of the schema; `undefined` when that is of no interest or there is none. */
  readonly compiled: CompileResult | undefined;
  /** The names under which the model sees it, by the wire renderer; `undefined` when it is left out or not of interest. */
  wireName(): { readonly namespace: string | undefined; readonly name: string } | undefined;
}

/** User text as inline code. */
export function code(text: string, length = 80): string {
  const plain = shorten(text.replace(/\s+/g, ' '), length);
  if (!plain.includes('`')) return `\`${plain}\``;
  return `\`\` ${plain} \`\``;
}

/**
 * Explains what happens to the place, or `undefined` where there is nothing to say: between values, in data, in a key
 * that no route reads.
 */
export function explainPlace(place: JsonPlace, about: ExplainedTool, show: ShowPlace): Explanation | undefined {
  const property = place.key ?? (isContainer(place.node) ? undefined : owningProperty(place.node));
  if (property === undefined) return undefined;
  const { tool, compiled } = about;
  if (property.owner === tool.body || property.owner === tool.node) return explainToolKey(property, about);
  if (compiled === undefined || tool.schemaNode === undefined || compiled.refusal !== undefined) return undefined;
  const role = roleOf(property, tool.schemaNode);
  if (role === undefined) return undefined;
  if (role.kind === 'schema') return explainSchema(role.property, compiled, show);
  return explainKeyword(role.property, compiled, show);
}

function isContainer(node: JsonNode): boolean {
  return node.kind === 'object' || node.kind === 'array';
}

/** The member that a scalar, or the list around it, is the value of. */
function owningProperty(node: JsonNode): JsonProperty | undefined {
  let current: JsonNode | undefined = node;
  while (current !== undefined && current.property === undefined && current.parent?.kind === 'array')
    current = current.parent;
  return current?.property;
}

interface Role {
  /** `schema`: its value is a schema that a kept keyword or a map holds. `keyword`: any other keyword of a schema. */
  readonly kind: 'schema' | 'keyword';
  readonly property: JsonProperty;
}

/** What a member inside an input schema is. Within data (`enum`, `default`, …) it is the keyword that holds the data. */
function roleOf(property: JsonProperty, root: JsonNode): Role | undefined {
  const chain: (JsonProperty | number)[] = [property];
  let node: JsonNode | undefined = property.owner;
  while (node !== undefined && node !== root) {
    if (node.property !== undefined) chain.push(node.property);
    else chain.push(node.index);
    node = node.parent;
  }
  if (node === undefined) return undefined;
  let state: 'schema' | 'list' | 'map' = 'schema';
  for (let i = chain.length - 1; i >= 0; i--) {
    const step = chain[i]!;
    if (typeof step === 'number') {
      if (state !== 'list') return undefined;
      state = 'schema';
      continue;
    }
    if (state === 'map') {
      state = 'schema';
      if (i === 0) return { kind: 'schema', property: step };
      continue;
    }
    const kind = schemaKeywordKind(step.key);
    const isSchema: boolean = kind === 'schema' && step.value?.kind !== 'array';
    if (i === 0)
      return {
        kind: isSchema && isKept(step.key) && step.value?.kind === 'object' ? 'schema' : 'keyword',
        property: step,
      };
    if (kind === undefined || state === 'list') return { kind: 'keyword', property: step };
    state = kind === 'map' ? 'map' : isSchema ? 'schema' : 'list';
  }
  return undefined;
}

function isKept(keyword: string): boolean {
  return CODEX_PROFILES.some((profile) => profile.keptKeywords.includes(keyword as KeptKeyword));
}

/** Keys of a tool by what becomes of them. */
const TOOL_KEYS_NEVER_SENT = new Set([
  'x-toolspec',
  'outputSchema',
  'output_schema',
  'annotations',
  'title',
  'icons',
  'execution',
  '_meta',
]);

function explainToolKey(property: JsonProperty, about: ExplainedTool): Explanation | undefined {
  const { tool, compiled } = about;
  const span = keySpan(property);
  if (property === tool.nameNode?.property) return explainTool(property, about);
  if (property === tool.schemaNode?.property && compiled !== undefined) return explainSizes(span, compiled);
  if (property.key === 'x-toolspec') {
    return { span, title: t('**Not sent.** These are local facts for ToolSpec.'), rows: [] };
  }
  if (property === tool.outputSchemaNode?.property) {
    return {
      span,
      title: t('**Not sent.** The model never sees the output schema; hosts check results against it.'),
      rows: [],
    };
  }
  const route = codexRoute(tool.shape);
  if (route !== 'own' && TOOL_KEYS_NEVER_SENT.has(property.key)) {
    return { span, title: t('**Not sent.** Codex does not read {0} into the tool.', code(property.key)), rows: [] };
  }
  if (property === tool.strictNode?.property && route !== 'own' && compiled !== undefined) {
    return { span, title: t('**Sent as `false`.** Codex never sends strict tools of others.'), rows: [] };
  }
  if (property === tool.descriptionNode?.property && compiled !== undefined) {
    return {
      span,
      title: t('**Sent in full.** The description of a tool does not count against the budget of its schema.'),
      rows: [],
    };
  }
  return undefined;
}

function explainTool(property: JsonProperty, about: ExplainedTool): Explanation | undefined {
  if (!about.codex) return undefined;
  const { tool, compiled } = about;
  const wireName = about.wireName();
  const rows: ExplanationRow[] = [];
  if (compiled !== undefined) {
    rows.push({ label: t('Route'), text: routeText(tool, codexRoute(tool.shape)) });
    if (compiled.refusal !== undefined) {
      rows.push({ label: t('Reason'), text: t('{0}', code(compiled.refusal.message, 200)) });
    } else rows.push(...sizeRows(compiled));
  }
  const span = property.value === undefined ? keySpan(property) : { start: property.keyStart, end: property.value.end };
  if (wireName === undefined) return { span, title: t('**Not sent.** Codex leaves this tool out.'), rows };
  const name = code(wireName.name);
  const title =
    wireName.namespace === undefined
      ? t('**Sent as {0}.**', name)
      : t('**Sent as {0} in the namespace {1}.**', name, code(wireName.namespace));
  return { span, title, rows };
}

function routeText(tool: ToolDefinition, route: ReturnType<typeof codexRoute>): Message {
  if (route === 'mcp') return t('tool of the MCP server {0}', code(tool.local.server));
  if (route === 'dynamic') return t('dynamic tool, `strict` is sent as `false`');
  return t('name and `strict` go as written, the schema is compiled as that of a dynamic tool');
}

function explainSizes(span: Span, compiled: CompileResult): Explanation {
  const { refusal, sourceBytes, profile, passes } = compiled;
  if (refusal !== undefined) {
    const rows = [{ label: t('Reason'), text: t('{0}', code(refusal.message, 200)) }];
    return { span, title: t('**Codex refuses this tool.** The model never sees it.'), rows };
  }
  const over = sourceBytes - profile.budgetBytes;
  const took = passesThatTook(compiled);
  let title: Message;
  if (took.length > 0) {
    title = t(
      '**{0}, {1} over the budget of {2}.** So {3}, and {4} are sent.',
      bytes(sourceBytes),
      over,
      profile.budgetBytes,
      passesGo(took),
      bytes(compiled.bytes),
    );
  } else if (passes.length > 0) {
    title = t('**{0}, sent as they are.** No pass finds anything to take.', bytes(sourceBytes));
  } else if (over > 0) {
    title = t('**{0}, sent as they are.** The tool is trusted, so nothing is shrunk.', bytes(sourceBytes));
  } else title = t('**{0} of {1}.** Nothing is shrunk.', sourceBytes, bytes(profile.budgetBytes));
  return { span, title, rows: stageRows(compiled) };
}

function sizeRows(compiled: CompileResult): ExplanationRow[] {
  const { sourceBytes, profile } = compiled;
  const took = passesThatTook(compiled);
  const used = t('{0} of {1}', sourceBytes, bytes(profile.budgetBytes));
  if (took.length === 0) return [{ label: t('Size'), text: used }];
  return [{ label: t('Size'), text: t('{0}; {1}, {2} are sent', used, passesGo(took), bytes(compiled.bytes)) }];
}

/** One row per pass that ran: what it takes and how much that is. */
function stageRows(compiled: CompileResult): ExplanationRow[] {
  const rows: ExplanationRow[] = [];
  let before = compiled.sourceBytes;
  for (const stage of compiled.stages) {
    if (stage.name === 'lowered' || stage.name === 'pruned') continue;
    const text =
      stage.bytes === before
        ? t('finds no {0}', passTakes(stage.name))
        : t('{0} go, {1} to {2}', passTakes(stage.name), change(stage.bytes - before), bytes(stage.bytes));
    rows.push({ label: passLabel(stage.name), text });
    before = stage.bytes;
  }
  return rows;
}

function change(value: number): Message {
  return t('{0} bytes', formatChange(value));
}

function passLabel(stage: TraceEvent['stage']): Message {
  return t('Pass {0}', passNumber(stage));
}

/** Explains a schema that a property name, a definition name or a keyword such as `items` holds. */
function explainSchema(property: JsonProperty, compiled: CompileResult, show: ShowPlace): Explanation | undefined {
  const node = property.value;
  const span = keySpan(property);
  if (node === undefined) return undefined;
  const fate = compiled.fate(node);
  const rows = eventRows(node, compiled, show);
  if (fate.status === 'dropped') {
    const why = fate.event === undefined ? [] : [{ label: t('Why'), text: dropReason(fate.event, compiled, show) }];
    return { span, title: t('**Not sent.** The model never sees {0}.', code(property.key)), rows: why };
  }
  if (fate.event?.action === 'emptied' && fate.event.node === node) {
    const title = t('**Sent as `{}`.** The model can put anything into {0}.', code(property.key));
    return { span, title, rows: [...rows, ...whyRow(fate.event, compiled)] };
  }
  if (fate.event?.action === 'boolean-to-string') {
    return { span, title: t('**Sent as `{"type":"string"}`.** Codex turns a boolean schema into that.'), rows };
  }
  const size = compiled.sizeAfter(node);
  const before = compiled.sizeBefore(node);
  const own = rows.length > 0;
  const inside = lossesInside(node, compiled);
  if (inside !== undefined) rows.push({ label: t('Inside'), text: inside });
  if (size !== undefined && before !== undefined && before !== size) {
    const title = t('**Sent with {0} of its {1}.**', formatNumber(size), bytes(before));
    return { span, title, rows: [...rows, ...whyRow(lastPassEvent(compiled), compiled)] };
  }
  if (size !== undefined) rows.push({ label: t('Size'), text: bytes(size) });
  if (own) return { span, title: t('**Sent, but not as written.**'), rows };
  return { span, title: inside === undefined ? t('**Sent as written.**') : t('**Sent, but not all of it.**'), rows };
}

/** What the schemas below one lose, as a fragment; `undefined` when nothing. */
function lossesInside(node: JsonNode, compiled: CompileResult): Message | undefined {
  let dropped = 0;
  let emptied = 0;
  let descriptions = 0;
  for (const event of compiled.events) {
    const at = event.node;
    if (at === node || at.offset < node.offset || at.end > node.end) continue;
    const fate = compiled.fate(at);
    const isEmpty = fate.event?.action === 'emptied';
    const stands = fate.status !== 'dropped' && !isEmpty;
    if (event.action === 'keyword-dropped' && stands) dropped++;
    else if (event.action === 'description-removed' && stands) descriptions++;
    else if (event.action === 'emptied' && fate.status === 'changed' && fate.event === event) emptied++;
  }
  const parts = [
    ...(descriptions > 0
      ? [descriptions === 1 ? t('1 description goes') : t('{0} descriptions go', descriptions)]
      : []),
    ...(dropped > 0 ? [dropped === 1 ? t('1 keyword is dropped') : t('{0} keywords are dropped', dropped)] : []),
    ...(emptied > 0 ? [emptied === 1 ? t('1 schema becomes `{}`') : t('{0} schemas become `{}`', emptied)] : []),
  ];
  return parts.length === 0 ? undefined : list(parts);
}

/** An event of the last pass that took something: why it ran is why anything went. */
function lastPassEvent({ events }: CompileResult): TraceEvent | undefined {
  return events.findLast((event) => passNumber(event.stage) > 0);
}

/** Why any pass runs: the budget. Lowering needs no such reason. */
function whyRow(event: TraceEvent | undefined, compiled: CompileResult): ExplanationRow[] {
  if (event === undefined || event.stage === 'lower' || event.stage === 'prune' || event.stage === 'read') return [];
  const { sourceBytes, profile } = compiled;
  const over = t('{0} are {1} over the budget', bytes(sourceBytes), sourceBytes - profile.budgetBytes);
  const index = compiled.stages.findIndex((stage) => stage.name === event.stage);
  const previous = compiled.stages[index - 1];
  if (previous === undefined || previous.name === 'pruned' || previous.name === 'lowered') {
    return [{ label: t('Why'), text: over }];
  }
  const still = previous.bytes - profile.budgetBytes;
  return [{ label: t('Why'), text: t('{0}; after pass {1} still {2} over', over, passNumber(previous.name), still) }];
}

/** One row per thing that happens to a schema itself, in the order of the stages. */
function eventRows(node: JsonNode, compiled: CompileResult, show: ShowPlace): ExplanationRow[] {
  const rows: ExplanationRow[] = [];
  const dropped: string[] = [];
  for (const event of compiled.eventsAt(node)) {
    if (event.action === 'keyword-dropped') {
      if (event.property !== undefined) dropped.push(code(event.property.key));
      continue;
    }
    const text = eventText(event, compiled, show);
    if (text !== undefined) rows.push({ label: stageLabel(event), text });
  }
  if (dropped.length > 0) rows.push({ label: t('Dropped'), text: list(dropped) });
  return rows;
}

function stageLabel(event: TraceEvent): Message {
  if (event.stage === 'lower') return t('Lowering');
  if (event.stage === 'prune') return t('Pruning');
  return event.stage === 'read' ? t('Reading') : passLabel(event.stage);
}

/**
 * What an event does to its schema, as a fragment; `undefined` for a dropped keyword, which is told with others.
 *
 * @param options.table whether a lost reference tells of its table too, which goes with it
 */
export function eventText(
  event: TraceEvent,
  compiled: CompileResult,
  show: ShowPlace,
  options = { table: true },
): Message | undefined {
  switch (event.action) {
    case 'emptied':
      return emptiedText(event, compiled, show, options.table);
    case 'boolean-to-string':
      return t('a boolean schema becomes `{"type":"string"}`');
    case 'type-inferred':
      return t('no usable type; {0} is inferred', code(event.detail ?? ''));
    case 'type-filtered':
      return t('of the type only {0} is left', code(event.detail ?? ''));
    case 'const-to-enum':
      return event.replaced === true
        ? t('`const` becomes a one-value `enum`, which replaces the `enum` beside it')
        : t('`const` becomes a one-value `enum`');
    case 'properties-added':
      return t('`properties: {}` is added');
    case 'items-added':
      return t('`items: {"type":"string"}` is added');
    case 'table-removed':
      return t('{0} goes', code(event.property?.key ?? '$defs'));
    case 'description-removed': {
      const count = compiled.events.filter((each) => each.action === 'description-removed').length;
      const saved = savedBy(event, compiled);
      return count === 1
        ? t('its description goes, {0}', change(saved))
        : t('its description goes (all {0} do), {1}', count, change(saved));
    }
    case 'definition-removed':
      return t('no reference reaches it');
    case 'null-dropped':
      return t('{0} is null, which counts as absent', code(event.property?.key ?? ''));
    case 'keyword-dropped':
      return undefined;
  }
}

/** Bytes that the whole pass of an event changes, negative when it shrinks. */
function savedBy(event: TraceEvent, compiled: CompileResult): number {
  const index = compiled.stages.findIndex((stage) => stage.name === event.stage);
  const stage = compiled.stages[index];
  const previous = compiled.stages[index - 1];
  return stage === undefined || previous === undefined ? 0 : stage.bytes - previous.bytes;
}

function emptiedText(event: TraceEvent, compiled: CompileResult, show: ShowPlace, table: boolean): Message {
  if (event.stage === 'lower') return t('no type and nothing to infer one from, so all of it goes, a description too');
  if (event.stage === 'definitions') {
    const name = event.detail ?? '';
    const definition = definitionNamed(name, compiled.source);
    if (definition?.value === undefined) return t('`$ref` to a missing definition becomes `{}`');
    const link = show(name, nodeSpan(definition.value));
    const size = compiled.sizeBefore(definition.value);
    const named = size === undefined ? link : t('{0} ({1})', link, bytes(size));
    return table ? t('`$ref` to {0} becomes `{}`, the table goes', named) : t('`$ref` to {0} becomes `{}`', named);
  }
  if (event.stage === 'depth') {
    return t('a schema with structure at depth {0} becomes `{}`', event.detail ?? String(compiled.profile.depthLimit));
  }
  return t('a schema with {0} becomes `{}`', code(event.detail ?? 'anyOf'));
}

function definitionNamed(name: string, root: JsonNode): JsonProperty | undefined {
  return root.value('$defs')?.get(name) ?? root.value('definitions')?.get(name);
}

/** Explains a keyword of a schema. */
function explainKeyword(property: JsonProperty, compiled: CompileResult, show: ShowPlace): Explanation | undefined {
  const span = keySpan(property);
  const schema = property.owner;
  const fate = compiled.fate(schema);
  const name = code(property.key);
  if (fate.status === 'dropped' || (fate.event?.action === 'emptied' && fate.event.node === schema)) {
    const rows = fate.event === undefined ? [] : [{ label: t('Why'), text: dropReason(fate.event, compiled, show) }];
    return { span, title: t('**Not sent.** {0} goes with its schema.', name), rows };
  }
  const events = compiled.eventsAt(schema).filter((event) => event.property === property);
  const event = events.find((each) => each.action !== 'keyword-dropped') ?? events[0];
  if (event?.action === 'keyword-dropped') {
    const rows: ExplanationRow[] = [
      { label: t('Versions'), text: t('not read by {0}', list(versions(property.key, false))) },
    ];
    const kept = versions(property.key, true);
    if (kept.length > 0) rows.push({ label: t('But'), text: t('read by {0}', list(kept)) });
    rows.push({ label: t('Instead'), text: t('say it in the description') });
    return { span, title: t('**Not sent.** The model never sees {0}.', name), rows };
  }
  if (event !== undefined) {
    const text = eventText(event, compiled, show);
    const rows = text === undefined ? [] : [{ label: stageLabel(event), text }, ...whyRow(event, compiled)];
    const goes = event.action === 'description-removed' || event.action === 'table-removed';
    const gone = goes || event.action === 'null-dropped';
    return { span, title: gone ? t('**Not sent.**') : t('**Sent, but not as written.**'), rows };
  }
  if (!isKept(property.key)) return undefined;
  const missing = versions(property.key, false);
  const rows = missing.length === 0 ? [] : [{ label: t('But'), text: t('not read by {0}', list(missing)) }];
  return { span, title: t('**Sent.** Codex reads {0}.', name), rows };
}

function versions(keyword: string, keeps: boolean): string[] {
  return CODEX_PROFILES.filter((each) => each.keptKeywords.includes(keyword as KeptKeyword) === keeps).map(
    (each) => each.id,
  );
}
