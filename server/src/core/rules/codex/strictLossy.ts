import type { TraceEvent } from '../../schema/trace';
import { type Message, t } from '../../text/message';
import { list } from '../../text/words';
import type { Rule } from '../rule';
import { accepted } from './common';
import { isAnnotation } from './contract';

/** `strict: true` asks the provider to hold the model to a schema that compilation has already changed. */
export const strictLossy: Rule = {
  id: 'codex/strict-lossy',
  section: 'codex',
  summary: 'strict is true, but compilation changes the contract',
  levels: { codex: 'warning' },
  tool(context) {
    const result = accepted(context);
    if (result === undefined || context.tool.strict !== true) return;
    const losses = lossesOf(result.events);
    if (losses.length === 0) return;
    context.report({ node: context.tool.strictNode ?? result.source, message: message(context.tool.shape, losses) });
  },
};

function message(shape: string, losses: readonly Message[]): Message {
  const what = list(losses);
  if (shape === 'responses') {
    return t('"strict" holds the model to the compiled schema, and that is not the one written here: {0}.', what);
  }
  return t('Codex sends "strict": false for a tool of this shape, and its schema loses something: {0}.', what);
}

/** What compilation does to the contract; nothing is said of changes after which the same values are valid. */
function lossesOf(events: readonly TraceEvent[]): Message[] {
  const dropped = new Set<string>();
  const changes = new Map<TraceEvent['action'], Message>();
  for (const { action, property } of events) {
    if (action === 'keyword-dropped') {
      if (!isAnnotation(property!.key)) dropped.add(`"${property!.key}"`);
      continue;
    }
    const change = CHANGES.get(action);
    if (change !== undefined) changes.set(action, change);
  }
  const keywords = list([...dropped], 4);
  const goes = dropped.size === 1 ? t('{0} goes', keywords) : t('{0} go', keywords);
  return [...(dropped.size === 0 ? [] : [goes]), ...changes.values()];
}

const CHANGES: ReadonlyMap<TraceEvent['action'], Message> = new Map([
  ['emptied', t('a schema becomes {}')],
  ['boolean-to-string', t('a boolean schema becomes that of a string')],
  ['items-added', t('arrays take strings')],
  ['type-inferred', t('a type is put in')],
  ['type-filtered', t('a type loses words')],
]);
