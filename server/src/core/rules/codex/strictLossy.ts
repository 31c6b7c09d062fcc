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
    const losses = new Set<string>();
    for (const event of result.events) {
      const loss = lossOf(event);
      if (loss !== undefined) losses.add(loss);
    }
    if (losses.size === 0) return;
    context.report({ node: context.tool.strictNode ?? result.source, message: message(context.tool.shape, losses) });
  },
};

function message(shape: string, losses: ReadonlySet<string>): Message {
  const what = list([...losses], 4);
  if (shape === 'responses') {
    return t('"strict" holds the model to the compiled schema, and that is not the one written here: {0}.', what);
  }
  return t('Codex sends "strict": false for a tool of this shape, and its schema loses something: {0}.', what);
}

/** What an event takes from the contract, in a word or two; `undefined` where values stay as valid as they were. */
function lossOf(event: TraceEvent): string | undefined {
  switch (event.action) {
    case 'keyword-dropped':
      return isAnnotation(event.property!.key) ? undefined : event.property!.key;
    case 'emptied':
      return '{}';
    case 'boolean-to-string':
      return event.node.text;
    case 'items-added':
      return 'items';
    case 'type-inferred':
    case 'type-filtered':
      return 'type';
    default:
      return undefined;
  }
}
