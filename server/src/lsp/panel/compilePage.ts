import { eventText } from '../../core/budget/explain';
import { passNumber } from '../../core/budget/reasons';
import { passTakes } from '../../core/budget/sizes';
import { schemaInWireOrder } from '../../core/budget/sourceView';
import type { PassName } from '../../core/profiles/codex';
import type { CompileResult, Stage } from '../../core/schema/compile';
import type { StageName, TraceEvent } from '../../core/schema/trace';
import { emitJson } from '../../core/text/emit';
import type { JsonNode } from '../../core/text/json';
import { escapePointerToken, keySpan, nodeSpan, pointerOf } from '../../core/text/jsonTree';
import { type Message, sentences, t } from '../../core/text/message';
import { prettyText } from '../../core/text/pretty';
import { utf8Length } from '../../core/text/utf8';
import { bytes, formatChange, list } from '../../core/text/words';
import type {
  CompileAsk,
  CompilePage,
  EmptyPage,
  PanelAnswer,
  PanelLoss,
  PanelLosses,
  PanelStage,
} from '../../panelProtocol';
import { say, withoutBackticks } from '../language';
import { keyOf } from '../toolAt';
import { compareTexts } from './diff';
import type { PageContext } from './pageContext';
import { placeIn } from './place';

/** So many rows of one stage are listed. */
const MAX_ROWS = 100;

/** What the compilation did to the schema: sizes after each stage, what was lost where, and any two stages side by side. */
export function compilePage(context: PageContext): CompilePage | EmptyPage {
  const { state, tool, params } = context;
  const compiled = state.compile(tool);
  if (compiled === undefined) return nothingToCompile(context);
  if (compiled.refusal !== undefined) return refused(compiled, context);
  const base = {
    name: 'compile',
    answer: answerOf(compiled, tool.local.trusted),
    budgetBytes: compiled.profile.budgetBytes,
    stages: stagesOf(compiled, context),
    losses: lossesOf(compiled, context),
  } as const;
  const comparison = compare(compiled, params.compile ?? {}, context);
  return comparison === undefined ? base : { ...base, comparison };
}

function nothingToCompile({ state, tool }: PageContext): EmptyPage {
  const name = tool.name ?? '';
  const detail = !state.codex
    ? t('The target `codex` is off in the settings or in the config file.')
    : tool.kind === 'custom'
      ? t('A custom tool takes text. What shapes it is its grammar, which goes out as it is.')
      : t('It has no schema.');
  const link =
    state.codex && tool.format?.type === 'grammar'
      ? ({ label: say(t('Show the grammar')), action: { kind: 'page', page: 'grammar' } } as const)
      : undefined;
  const title = say(t('Nothing of `{0}` is compiled.', name));
  return { name: 'empty', empty: { title, detail: say(detail), ...(link === undefined ? {} : { link }) } };
}

function refused({ refusal }: CompileResult, { state, tool }: PageContext): EmptyPage {
  const { message, node, pointer } = refusal!;
  const place = placeIn(state.uri, state.lines, nodeSpan(node));
  const title = say(t('Codex refuses `{0}`, so the model never sees it.', tool.name ?? ''));
  const detail = say(t('{0}, at `{1}` of the schema.', message, pointer === '' ? '/' : pointer));
  return { name: 'empty', empty: { title, detail, link: { label: place.label, action: { kind: 'place', place } } } };
}

function answerOf(compiled: CompileResult, trusted: boolean): PanelAnswer {
  const { sourceBytes, profile, passes, overBudget } = compiled;
  const over = sourceBytes - profile.budgetBytes;
  if (over <= 0) {
    const title = t('{0} of {1}: nothing is shrunk.', sourceBytes, bytes(profile.budgetBytes));
    const lost = compiled.events.some(({ action }) => action === 'keyword-dropped' || action === 'emptied');
    if (!lost)
      return { icon: 'fine', title: say(title), detail: say(t('The schema goes out with all that Codex reads.')) };
    return { icon: 'info', title: say(title), detail: say(t('Keywords that Codex does not read are still dropped.')) };
  }
  if (trusted) {
    const title = t('{0} over the budget, and sent as it is: the tool is trusted.', bytes(over));
    return { icon: 'info', title: say(title) };
  }
  const title = t('{0} over the budget, so Codex takes out {1}.', bytes(over), list(passes.map(passTakes)));
  const before = compiled.stages[compiled.stages.length - 2];
  const still = before === undefined || passes.length < 2 ? 0 : before.bytes - profile.budgetBytes;
  const detail = sentences(
    still <= 0 ? undefined : t('Before the last pass it is still {0} over.', bytes(still)),
    overBudget
      ? t('After the last pass it is still over, and sent so.')
      : t('Bring it down to {0} and all of it stays.', bytes(profile.budgetBytes)),
  );
  return { icon: 'warning', title: say(title), detail: say(detail) };
}

function stagesOf(compiled: CompileResult, { tool, countTokens }: PageContext): PanelStage[] {
  const { source, stages, profile } = compiled;
  const rows: PanelStage[] = [];
  const sourceBytes = utf8Length(emitJson(source));
  rows.push({
    name: 'source',
    label: say(t('Source')),
    bytes: sourceBytes,
    lost: say(t('as written; not counted')),
    state: 'uncounted',
  });
  let before = sourceBytes;
  const run = new Map<string, Stage>(stages.map((stage) => [stage.name, stage]));
  for (const name of ['lowered', 'pruned', ...profile.passes] as const) {
    const stage = run.get(name);
    const label = say(stageLabel(name));
    if (stage === undefined) {
      if (name === 'lowered') continue;
      const lost = tool.local.trusted ? t('skipped for a trusted tool') : t('not needed');
      rows.push({ name, label, lost: say(lost), state: 'unused' });
      continue;
    }
    const counted = name !== 'lowered';
    rows.push({
      name,
      label,
      bytes: stage.bytes,
      change: stage.bytes - before,
      lost: say(lostIn(name, compiled)),
      state: !counted ? 'uncounted' : stage.bytes > profile.budgetBytes ? 'over' : 'fits',
    });
    before = stage.bytes;
  }
  const tokens = countTokens?.(compiled.text);
  const lost = tokens === undefined ? '' : say(t('{0} tokens', tokens));
  rows.push({ name: 'emitted', label: say(t('Sent')), bytes: compiled.bytes, lost, state: 'result' });
  return rows;
}

function stageLabel(name: 'lowered' | 'pruned' | PassName): Message {
  switch (name) {
    case 'lowered':
      return t('Lowered');
    case 'pruned':
      return t('Pruned');
    case 'descriptions':
      return t('1 Descriptions');
    case 'definitions':
      return t('2 Definitions');
    case 'depth':
      return t('3 Depth');
    case 'compositions':
      return t('4 Unions');
  }
}

/** The events that a row of the table stands for. Reading drops keywords before anything is measured. */
function eventsOf(name: string, { events }: CompileResult): TraceEvent[] {
  const of = (stage: StageName): boolean =>
    name === 'lowered' ? stage === 'lower' || stage === 'read' : name === 'pruned' ? stage === 'prune' : stage === name;
  return events.filter(({ stage }) => of(stage));
}

function count(events: readonly TraceEvent[], action: TraceEvent['action']): number {
  return events.filter((event) => event.action === action).length;
}

function lostIn(name: string, compiled: CompileResult): Message {
  const events = eventsOf(name, compiled);
  const parts: Message[] = [];
  const add = (number: number, one: Message, many: Message): void => {
    if (number > 0) parts.push(number === 1 ? one : many);
  };
  const keywords = count(events, 'keyword-dropped');
  add(keywords, t('1 keyword'), t('{0} keywords', keywords));
  const descriptions = count(events, 'description-removed');
  add(descriptions, t('1 description'), t('{0} descriptions', descriptions));
  const tables = events.filter(({ action, stage }) => action === 'table-removed' && stage === 'definitions');
  const inTables = tables.reduce((sum, table) => sum + definitionsOf(table, compiled), 0);
  const definitions = count(events, 'definition-removed') + inTables;
  add(definitions, t('1 definition'), t('{0} definitions', definitions));
  const emptied = count(events, 'emptied');
  if (name === 'definitions') add(emptied, t('1 reference'), t('{0} references', emptied));
  else add(emptied, t('1 value emptied'), t('{0} values emptied', emptied));
  return parts.length === 0 ? t('nothing') : t('{0}', list(parts));
}

/** How many definitions go with a table: those that nothing reaches have gone before. */
function definitionsOf({ property }: TraceEvent, { unreachable }: CompileResult): number {
  const gone = new Set(unreachable.map((each) => each.property));
  return (property?.value?.properties ?? []).filter((each) => !gone.has(each)).length;
}

function lossesOf(compiled: CompileResult, { state }: PageContext): PanelLosses[] {
  const groups: PanelLosses[] = [];
  for (const name of ['lowered', 'pruned', ...compiled.passes] as const) {
    const { rows, more } = rowsOf(eventsOf(name, compiled), compiled, state);
    if (rows.length === 0) continue;
    const number = passNumber(name as StageName);
    const stage = compiled.stages.findIndex((each) => each.name === name);
    const before = compiled.stages[stage - 1];
    const change = before === undefined || stage < 0 ? 0 : compiled.stages[stage]!.bytes - before.bytes;
    const title = number > 0 ? t('Pass {0}, {1}', number, passTakes(name as PassName)) : stageLabel(name);
    const lost = lostIn(name, compiled);
    groups.push({
      stage: name,
      title: say(title),
      summary: say(change === 0 ? lost : t('{0}, {1} bytes', lost, formatChange(change))),
      rows,
      more,
    });
  }
  return groups.reverse();
}

/** One row per changed node; the keywords that it loses are told together. Only rows that are listed are made. */
function rowsOf(
  events: readonly TraceEvent[],
  compiled: CompileResult,
  state: PageContext['state'],
): Pick<PanelLosses, 'rows' | 'more'> {
  const dropped = new Map<JsonNode, TraceEvent[]>();
  for (const event of events) {
    if (event.action !== 'keyword-dropped' || event.property === undefined) continue;
    const others = dropped.get(event.node);
    if (others === undefined) dropped.set(event.node, [event]);
    else others.push(event);
  }
  const rows: PanelLoss[] = [];
  const row = (node: JsonNode, what: Message, span = nodeSpan(node), table?: string): void => {
    const own = pointerOf(node, compiled.source);
    const pointer = table === undefined ? own : `${own}/${escapePointerToken(table)}`;
    rows.push({
      pointer: pointer === '' ? '/' : pointer,
      what: say(what),
      place: placeIn(state.uri, state.lines, span),
    });
  };
  const told = events.filter((event) => event.action !== 'keyword-dropped' || dropped.get(event.node)?.[0] === event);
  for (const event of told.slice(0, MAX_ROWS)) {
    const { node, action, property } = event;
    if (action === 'keyword-dropped') {
      const own = dropped.get(node)!;
      const names = own.map((each) => `\`${withoutBackticks(each.property!.key)}\``);
      row(
        node,
        names.length === 1 ? t('{0} is dropped', names[0]!) : t('{0} are dropped', list(names)),
        keySpan(own[0]!.property!),
      );
      continue;
    }
    const what = whatGoes(event, compiled);
    if (what === undefined) continue;
    const holder = property ?? node.property;
    const table = action === 'table-removed' ? property?.key : undefined;
    row(node, what, holder === undefined ? nodeSpan(node) : keySpan(holder), table);
  }
  return { rows, more: told.length - rows.length };
}

/** What an event takes, in a row of a list: what all rows save stands above them, and the table has a row of its own. */
function whatGoes(event: TraceEvent, compiled: CompileResult): Message | undefined {
  const { action, stage } = event;
  if (action === 'description-removed') return t('its description goes');
  if (action === 'table-removed' && stage === 'definitions') {
    const definitions = definitionsOf(event, compiled);
    return definitions === 1 ? t('1 definition goes') : t('{0} definitions go', definitions);
  }
  return eventText(event, compiled, (text) => `\`${withoutBackticks(text)}\``, { table: false });
}

function compare(compiled: CompileResult, ask: CompileAsk, { state, tool }: PageContext): CompilePage['comparison'] {
  const { source, profile, stages } = compiled;
  const texts = new Map<string, { readonly label: string; readonly text: () => string }>();
  texts.set('source', { label: say(t('Source')), text: () => schemaInWireOrder(source, profile) });
  for (const stage of stages) {
    texts.set(stage.name, { label: say(stageLabel(stage.name)), text: () => prettyText(stage.text()) });
  }
  const names = [...texts.keys()];
  if (names.length < 2) return undefined;
  const known = (name: string | undefined, otherwise: string): string =>
    name !== undefined && texts.has(name) ? name : otherwise;
  // What took most is what one wants to see first: the last pass, or all that lowering did.
  const to = known(ask.to, names[names.length - 1]!);
  const from = known(ask.from, compiled.passes.length > 0 ? names[names.length - 2]! : 'source');
  const before = texts.get(from)!.text();
  const after = texts.get(to)!.text();
  const of = JSON.stringify([state.uri, ...Object.values(keyOf(tool)), from, to]);
  const summary = before === after ? say(t('Both are the same.')) : '';
  const options = [...texts].map(([name, { label }]) => ({ name, label }));
  return { stages: options, from, to, diff: { summary, ...compareTexts(before, after, of, ask.part) } };
}
