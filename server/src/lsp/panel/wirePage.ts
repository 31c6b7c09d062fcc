import { exposureOf } from '../../core/budget/lens';
import type { CompileResult } from '../../core/schema/compile';
import type { TraceEvent } from '../../core/schema/trace';
import { emitJson, emitString } from '../../core/text/emit';
import type { JsonNode } from '../../core/text/json';
import { pointerOf, resolvePointer, walkJson } from '../../core/text/jsonTree';
import { type Message, sentences, t } from '../../core/text/message';
import { utf8Length } from '../../core/text/utf8';
import { bytes, formatChange, list, shorten } from '../../core/text/words';
import type { ToolDefinition } from '../../core/tools/model';
import type { WireText } from '../../core/wire/wire';
import type { PanelAnswer, PanelDiff, PanelSize, WireAsk, WirePage } from '../../panelProtocol';
import type { WireMode } from '../../protocol';
import type { FileState } from '../files';
import { say, withoutBackticks } from '../language';
import { TextMemory } from '../textMemory';
import { keyOf } from '../toolAt';
import { wireOf } from '../wireText';
import { type CodeNote, cutCode, jsonCode, layoutText, MOST_NAME, toolsIn } from './code';
import { compareTexts } from './diff';
import type { PageContext } from './pageContext';

/** What the page shows when nothing is chosen yet. */
export const DEFAULT_WIRE: WireAsk = { mode: 'responses', scope: 'tool' };

/** Values with more bytes than this start out folded when they are no part of what the page tells. */
const FOLD_BYTES = 200;

/** Longer lists, in characters, go to the page without what stands in their tools. */
const MOST_WHOLE = 40_000;

/** Tokens of longer texts are not counted with every key stroke. */
const MOST_COUNTED = 200_000;

/** Beside one tool the size of all stands only where there are not more: it takes the text of all of them. */
const MOST_BESIDE = 300;

/** Characters of tools for which it is known whether they lose values. */
const MOST_KNOWN = 16_000_000;

const MODE_NAMES: Readonly<Record<WireMode, string | Message>> = {
  responses: 'Responses',
  lite: 'Lite',
  deferred: t('Deferred'),
  chat: 'Chat',
  mcp: 'MCP',
  anthropic: 'Anthropic',
};

/** What goes on the wire: the exact JSON laid out, what it weighs, and what does not go. */
export function wirePage(context: PageContext): WirePage {
  const ask = context.params.wire ?? DEFAULT_WIRE;
  const made = exactWire(context, ask);
  const base = { name: 'wire', ask, tokens: tokensNote(context) } as const;
  if (made.refusal !== undefined) {
    const title = say(refusalTitle(made, ask, context));
    const answer: PanelAnswer = { icon: 'error', title, detail: say(made.refusal.message) };
    return { ...base, answer, sizes: [], stays: stays(context) };
  }
  const compiled = isCodex(ask.mode) ? context.state.compile(context.tool) : undefined;
  const emptied = ask.scope === 'tool' && compiled !== undefined ? emptiedValues(compiled) : [];
  return {
    ...base,
    answer: answerOf(made, ask, emptied, context),
    code:
      ask.scope !== 'tool' && made.text.length > MOST_WHOLE
        ? cutCode(made.text)
        : jsonCode(
            made.text,
            (root) => (ask.scope === 'tool' ? toolNotes(root, emptied, compiled) : setNotes(root)),
            textName(ask, context),
            ask.part,
          ),
    ...(ask.compare === undefined ? {} : { diff: compareWith(made, ask, ask.compare, context) }),
    sizes: sizesOf(made, ask, context),
    stays: ask.scope === 'tool' ? stays(context) : [],
  };
}

/** The exact JSON that a choice of the page stands for. */
export function exactWire({ state, tool, grammars }: PageContext, { mode, scope }: WireAsk): WireText {
  const wire = wireOf(state, mode, grammars);
  return scope === 'tool' ? wire.tool(tool) : scope === 'set' ? wire.set() : wire.request();
}

function isCodex(mode: WireMode): boolean {
  return mode === 'responses' || mode === 'lite' || mode === 'deferred';
}

function refusalTitle({ refusal }: WireText, { mode, scope }: WireAsk, { tool }: PageContext): Message {
  const name = MODE_NAMES[mode];
  if (scope === 'tool' && refusal?.kind === 'left-out') return t('`{0}` is no part of this view.', tool.name ?? '');
  if (scope !== 'tool') return t('Nothing is sent: {0} refuses the whole set.', isCodex(mode) ? 'Codex' : name);
  return t('`{0}` is not sent: {1} refuses it.', tool.name ?? '', isCodex(mode) ? 'Codex' : name);
}

/** A schema that arrives as `{}`, and what it was. */
interface Emptied {
  readonly pointer: string;
  readonly event: TraceEvent;
}

function emptiedValues(compiled: CompileResult): Emptied[] {
  const found: Emptied[] = [];
  for (const event of compiled.events) {
    if (event.action !== 'emptied') continue;
    const fate = compiled.fate(event.node);
    if (fate.status !== 'changed' || fate.event !== event) continue;
    found.push({ pointer: pointerOf(event.node, compiled.source), event });
  }
  return found;
}

function answerOf(made: WireText, ask: WireAsk, emptied: readonly Emptied[], context: PageContext): PanelAnswer {
  const tokens = countOf(made.text, context);
  const size = tokens === null ? bytes(made.bytes) : t('{0}, {1} tokens', bytes(made.bytes), tokens);
  if (ask.scope !== 'tool') return setAnswer(size, made, ask, context);
  const losses = made.notes.filter(({ kind }) => kind === 'changed');
  if (!isCodex(ask.mode)) {
    const name = MODE_NAMES[ask.mode];
    if (losses.length > 0) {
      const title = t('{0}. This form cannot hold all of it.', size);
      return { icon: 'warning', title: say(title), detail: say(sentences(...losses.map(({ message }) => message))) };
    }
    const detail = t(
      '{0} carries the schema as written. The provider may refuse keywords, but does not shrink it.',
      name,
    );
    return { icon: 'fine', title: say(t('{0}. Nothing is taken out.', size)), detail: say(detail) };
  }
  if (emptied.length > 0) {
    const title =
      emptied.length === 1
        ? t('{0}. One value goes out as `{}`.', size)
        : t('{0}. {1} values go out as `{}`.', size, emptied.length);
    const detail = t('The model can put anything there.');
    const link = { label: say(t('See why')), action: { kind: 'page', page: 'compile' } } as const;
    return { icon: 'warning', title: say(title), detail: say(detail), link };
  }
  const compiled = context.state.compile(context.tool);
  const dropped = compiled === undefined ? 0 : keywordsDropped(compiled).keywords;
  if (losses.length > 0) {
    return {
      icon: 'warning',
      title: say(t('{0}.', size)),
      detail: say(sentences(...losses.map((each) => each.message))),
    };
  }
  if (dropped > 0) {
    const detail =
      dropped === 1
        ? t('Codex drops one keyword, so the model never sees that limit.')
        : t('Codex drops {0} keywords, so the model never sees those limits.', dropped);
    const link = { label: say(t('See which')), action: { kind: 'page', page: 'compile' } } as const;
    return { icon: 'info', title: say(t('{0}. No value is emptied.', size)), detail: say(detail), link };
  }
  return { icon: 'fine', title: say(t('{0}. All of it goes out.', size)) };
}

function setAnswer(size: Message, made: WireText, { scope, mode }: WireAsk, { state }: PageContext): PanelAnswer {
  const { tools } = state.result.set;
  const out = new Set(made.notes.flatMap(({ kind, tool }) => (kind === 'changed' ? [] : (tool ?? []))));
  const sent = tools.filter((tool) => !out.has(tool));
  const title =
    scope === 'request'
      ? t('The whole request: {0}.', size)
      : t('{0} of {1} tools: {2}.', sent.length, tools.length, size);
  const lossy = isCodex(mode) ? tools.filter((tool) => losesValues(tool, state)) : [];
  const refused = made.notes.filter(({ kind }) => kind === 'refused');
  const deferred = tools.filter((tool) => out.has(tool) && exposureOf(tool) === 'deferred').length;
  const parts = [
    refused.length === 0
      ? undefined
      : t(
          'Refused: {0}.',
          list(
            refused.map(({ tool }) => `\`${withoutBackticks(tool?.name ?? '')}\``),
            5,
          ),
        ),
    lossy.length === 0
      ? undefined
      : t(
          'Values are lost on the way in {0}.',
          list(
            lossy.map(({ name }) => `\`${withoutBackticks(name ?? '')}\``),
            5,
          ),
        ),
    deferred === 0 || mode === 'deferred' || !isCodex(mode)
      ? undefined
      : deferred === 1
        ? t('One deferred tool comes only after a search.')
        : t('{0} deferred tools come only after a search.', deferred),
  ].filter((part) => part !== undefined);
  const bad = refused.length + lossy.length > 0;
  return {
    icon: bad ? 'warning' : 'fine',
    title: say(title),
    ...(parts.length === 0 ? {} : { detail: say(sentences(...parts)) }),
  };
}

/** What stands behind lines of a single tool. */
function toolNotes(
  root: JsonNode,
  emptied: readonly Emptied[],
  compiled: CompileResult | undefined,
): { notes: CodeNote[]; folded: JsonNode[] } {
  const notes: CodeNote[] = [];
  const folded: JsonNode[] = [];
  const parameters = parametersOf(root);
  if (parameters === undefined || compiled === undefined) return { notes, folded };
  const told = new Set<JsonNode>();
  for (const { pointer, event } of emptied) {
    const node = resolvePointer(parameters, pointer);
    if (node === undefined) continue;
    notes.push({ node, label: say(wasLabel(event, compiled)), marked: true });
    for (let at: JsonNode | undefined = node; at !== undefined; at = at.parent) told.add(at);
  }
  for (const { value } of parameters.value('properties')?.properties ?? []) {
    const properties = value?.value('properties')?.properties.length ?? 0;
    if (value === undefined || properties === 0 || told.has(value)) continue;
    const size = utf8Length(emitJson(value));
    if (size <= FOLD_BYTES) continue;
    notes.push({ node: value, label: say(t('{0} properties, {1}', properties, bytes(size))), marked: false });
    folded.push(value);
  }
  return { notes, folded };
}

/** The compiled schema within whatever stands around it. */
function parametersOf(root: JsonNode): JsonNode | undefined {
  let found: JsonNode | undefined;
  walkJson(root, (node) => {
    if (found !== undefined) return false;
    const parameters = node.value('parameters');
    if (parameters === undefined || node.value('name')?.kind !== 'string') return true;
    found = parameters;
    return false;
  });
  return found;
}

/** What an emptied value was: the definition that it referred to, or what it lacked. */
function wasLabel(event: TraceEvent, compiled: CompileResult): Message {
  const reference = event.node.value('$ref')?.string;
  const definition =
    reference?.startsWith('#') === true ? resolvePointer(compiled.source, reference.slice(1)) : undefined;
  const name = reference?.split('/').pop();
  if (definition !== undefined && name !== undefined) {
    const size = bytes(compiled.sizeBefore(definition) ?? utf8Length(emitJson(definition)));
    return event.node.get('description') === undefined
      ? t('was {0}, {1}', name, size)
      : t('was {0}, {1}, and its description', name, size);
  }
  if (event.stage === 'lower' && event.node.get('description') !== undefined)
    return t('was a description without a type');
  return t('was {0}', bytes(compiled.sizeBefore(event.node) ?? utf8Length(emitJson(event.node))));
}

/** Every tool of a list or of a request is folded, with its name and size behind it. */
function setNotes(root: JsonNode): { notes: CodeNote[]; folded: JsonNode[] } {
  const notes: CodeNote[] = [];
  const folded: JsonNode[] = [];
  for (const { node, name } of toolsIn(root)) {
    notes.push({
      node,
      label: `${shorten(name, MOST_NAME)}, ${say(bytes(utf8Length(emitJson(node))))}`,
      marked: false,
    });
    folded.push(node);
  }
  return { notes, folded };
}

/** Tokens of a text; `null` where they are not counted, and for texts that it would take too long for. */
function countOf(text: string, { countTokens }: PageContext): number | null {
  return text.length > MOST_COUNTED ? null : (countTokens?.(text) ?? null);
}

/** Whether values of a tool go out as `{}`, by its text: an edit changes one tool of many. */
function losesValues(tool: ToolDefinition, state: FileState): boolean {
  const { id, budgetBytes } = state.result.profile;
  const how = `${id} ${budgetBytes} ${tool.kind}`;
  const known = losing.get(how, state, tool.node);
  if (known !== undefined) return known;
  const compiled = state.compile(tool);
  const loses = compiled !== undefined && emptiedValues(compiled).length > 0;
  losing.set(how, state, tool.node, loses);
  return loses;
}

const losing = new TextMemory<boolean>(MOST_KNOWN, () => 0);

function compareWith(made: WireText, ask: WireAsk, mode: WireMode, context: PageContext): PanelDiff {
  const other = exactWire(context, { ...ask, mode });
  const names = [MODE_NAMES[ask.mode], MODE_NAMES[mode]] as const;
  if (other.refusal !== undefined) {
    return { summary: say(t('There is no {0} to compare with: {1}', names[1], other.refusal.message)), lines: [] };
  }
  const compared = compareTexts(layoutText(made.text), layoutText(other.text), textName(ask, context), ask.part);
  const change = other.bytes - made.bytes;
  const summary =
    made.text === other.text
      ? t('{0} and {1} are the same.', ...names)
      : t('From {0} to {1}: {2} bytes.', ...names, formatChange(change));
  return { summary: say(summary), ...compared };
}

/** Names a text of which parts are sent. */
function textName({ mode, scope, compare }: WireAsk, { state, tool }: PageContext): string {
  const about = scope === 'tool' ? Object.values(keyOf(tool)) : [];
  return JSON.stringify([state.uri, mode, scope, compare ?? '', ...about]);
}

function sizesOf(made: WireText, ask: WireAsk, context: PageContext): PanelSize[] {
  const count = (text: string): number | null => countOf(text, context);
  const rows: PanelSize[] = [];
  const total: PanelSize = {
    label: say(ask.scope === 'tool' ? t('Tool') : ask.scope === 'set' ? t('Set') : t('Request')),
    bytes: made.bytes,
    tokens: count(made.text),
    role: 'sum',
  };
  if (ask.scope === 'tool') {
    const { tool, state } = context;
    const description = emitString(tool.description ?? '');
    const compiled = isCodex(ask.mode) ? state.compile(tool) : undefined;
    const schema = compiled?.text ?? (tool.schemaNode === undefined ? undefined : emitJson(tool.schemaNode));
    const { format } = tool;
    const grammar = format?.file === undefined ? format?.definitionNode?.string : context.grammars.get(format.file);
    const parts = [
      ...(tool.description === undefined ? [] : [{ label: t('Description'), text: description }]),
      ...(schema === undefined ? [] : [{ label: t('Parameters'), text: schema }]),
      ...(grammar === undefined ? [] : [{ label: t('Grammar'), text: emitString(grammar) }]),
    ];
    let rest = { bytes: made.bytes, tokens: total.tokens };
    for (const { label, text } of parts) {
      const size = { bytes: utf8Length(text), tokens: count(text) };
      rows.push({ label: say(label), ...size, role: 'part' });
      rest = {
        bytes: rest.bytes - size.bytes,
        tokens: rest.tokens === null || size.tokens === null ? null : rest.tokens - size.tokens,
      };
    }
    if (parts.length > 0 && rest.bytes >= 0) {
      rows.push({ label: say(t('Name and frame')), bytes: rest.bytes, tokens: rest.tokens, role: 'part' });
    }
    rows.push(total);
    const { length } = state.result.set.tools;
    const set = length > 1 && length <= MOST_BESIDE ? exactWire(context, { ...ask, scope: 'set' }) : undefined;
    if (set !== undefined && set.refusal === undefined) {
      rows.push({ label: say(t('All tools of the file')), bytes: set.bytes, tokens: count(set.text), role: 'beside' });
    }
    return rows;
  }
  rows.push(total);
  return rows;
}

function keywordsDropped(compiled: CompileResult): { keywords: number; places: number } {
  const places = new Set<JsonNode>();
  let keywords = 0;
  for (const event of compiled.events) {
    if (event.action !== 'keyword-dropped') continue;
    keywords++;
    places.add(event.node);
  }
  return { keywords, places: places.size };
}

/** What the tool says that no model sees. */
function stays({ state, tool }: PageContext): string[] {
  const lines: Message[] = [];
  if (tool.local.node !== undefined) lines.push(t('`x-toolspec` local facts'));
  if (tool.outputSchemaNode !== undefined) lines.push(t('`{0}` for hosts', tool.outputSchemaNode.property?.key ?? ''));
  const compiled = state.compile(tool);
  if (compiled !== undefined && compiled.refusal === undefined) {
    const { keywords, places } = keywordsDropped(compiled);
    if (keywords === 1) lines.push(t('1 keyword'));
    else if (keywords > 1) lines.push(t('{0} keywords in {1} places', keywords, places));
    const descriptions = compiled.events.filter(({ action }) => action === 'description-removed').length;
    const definitions = compiled.events.some(
      ({ action, stage }) => action === 'table-removed' && stage === 'definitions',
    );
    if (descriptions === 1) lines.push(t('1 description'));
    else if (descriptions > 1) lines.push(t('{0} descriptions', descriptions));
    if (definitions) lines.push(t('the definitions, taken by the second pass'));
    for (const { property } of compiled.unreachable.slice(0, 5)) lines.push(t('`{0}` not reachable', property.key));
    const more = compiled.unreachable.length - 5;
    if (more > 0) lines.push(t('{0} more that nothing reaches', more));
  }
  return lines.map(say);
}

function tokensNote({ countTokens }: PageContext): string {
  return countTokens === undefined
    ? say(t('Tokens are not counted here.'))
    : say(t('Tokens: o200k. Counted here, nothing is sent.'));
}
