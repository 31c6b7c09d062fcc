import type { CompileResult } from '../../schema/compile';
import { definitionPointer } from '../../schema/definitionPointer';
import type { TraceEvent } from '../../schema/trace';
import type { RelatedPlace } from '../../text/finding';
import { keySpan } from '../../text/jsonTree';
import { type Message, t } from '../../text/message';
import type { Rule } from '../rule';
import { accepted, liveEvents } from './common';
import { inlineFix } from './inlineFix';

/** Each fix is tried out by a compilation of its own, so only the first few of a tool are offered. */
const MAX_FIXES = 20;

/** Passes two to four make schemas `{}` (Codex 0.171.0, observed). */
export const nodeEmptied: Rule = {
  id: 'codex/node-emptied',
  section: 'codex',
  summary: 'A pass makes this schema {}, so the model can put anything there',
  levels: { codex: 'warning' },
  tool(context) {
    const result = accepted(context);
    if (result === undefined) return;
    let tried = 0;
    for (const event of liveEvents(context, 'emptied')) {
      // The root has a rule of its own, which is an error.
      if (event.stage === 'lower' || event.node === result.source) continue;
      const definition = event.stage === 'definitions' ? definitionOf(result, event) : undefined;
      context.report({
        node: event.node,
        message: message(event, definition !== undefined),
        related: definition === undefined ? [] : [definition],
        fixes:
          definition === undefined || tried++ >= MAX_FIXES ? [] : inlineFix(context, result, event.node, event.detail!),
      });
    }
  },
};

function message(event: TraceEvent, defined: boolean): Message {
  if (event.stage === 'definitions') {
    return defined
      ? t('Pass 2 makes this node {}: it refers to {0}.', event.detail!)
      : t('Pass 2 makes this node {}: it refers to {0}, which is not defined.', event.detail!);
  }
  if (event.stage === 'depth') {
    return t('Pass 3 makes this node {}: it has structure of its own at depth {0}.', event.detail!);
  }
  return t('Pass 4 makes this node {}: it has {0}.', event.detail!);
}

function definitionOf(result: CompileResult, event: TraceEvent): RelatedPlace | undefined {
  const pointer = definitionPointer(event.node.value('$ref')?.string ?? '');
  const property = pointer && result.source.value(pointer.table)?.get(pointer.name);
  if (property?.value === undefined) return undefined;
  return { span: keySpan(property), message: t('This definition goes with pass 2.') };
}
