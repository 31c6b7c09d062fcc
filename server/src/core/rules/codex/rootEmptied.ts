import type { CompileResult } from '../../schema/compile';
import { type Message, t } from '../../text/message';
import type { Rule } from '../rule';
import { accepted, passNumber } from './common';

/**
 * Codex does not guard the root, but the provider wants an object schema there (refusal texts in public reports of 2025
 * and 2026, with strict and without).
 */
export const rootEmptied: Rule = {
  id: 'codex/root-emptied',
  section: 'codex',
  summary: 'The compiled root is {} or no object, which the provider refuses',
  levels: { codex: 'error' },
  tool(context) {
    const result = accepted(context);
    if (result === undefined || context.tool.kind !== 'function') return;
    const { kind } = result.root;
    if (kind !== 'object') context.report({ node: result.source, message: message(result, kind) });
  },
};

function message(result: CompileResult, kind: 'empty' | 'other'): Message {
  if (kind === 'other') {
    return t(
      'The root is sent without being of type "object" alone, and the provider refuses such parameters. Give it the type "object".',
    );
  }
  const event = result.eventsAt(result.source).findLast(({ action }) => action === 'emptied');
  const pass = event === undefined ? undefined : passNumber(event.stage);
  if (pass === undefined) {
    return t(
      'The root has no type, so the parameters are sent as {}, which the provider refuses. Give it the type "object".',
    );
  }
  return t(
    'Pass {0} makes the whole parameters {}, which the provider refuses: the root itself has {1}. Move that into a property, or get below the budget.',
    pass,
    event!.stage === 'definitions' ? '$ref' : event!.detail!,
  );
}
