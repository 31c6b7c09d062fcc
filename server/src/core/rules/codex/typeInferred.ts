import type { JsonNode } from '../../text/json';
import { type Message, t } from '../../text/message';
import type { Rule } from '../rule';
import { liveEvents } from './common';

/** Codex infers a missing type from the first of a few keys that is there (0.171.0, observed). */
export const typeInferred: Rule = {
  id: 'codex/type-inferred',
  section: 'codex',
  summary: 'Codex puts in a type that is not written',
  levels: { codex: 'hint' },
  tool(context) {
    for (const event of liveEvents(context, 'type-inferred')) {
      context.report({ node: event.node, message: message(event.node, event.detail!) });
    }
  },
};

function message(node: JsonNode, type: string): Message {
  const values = node.value('const') === undefined ? node.value('enum')?.items : [node.value('const')!];
  if (type === 'string' && values?.some((value) => value.kind !== 'string') === true) {
    return t(
      'No type is written, so Codex sends "string" beside values that are no strings: no value can satisfy both. Write the type of the values.',
    );
  }
  return node.has('type')
    ? t('The written type is unknown, so Codex sends the type "{0}" instead.', type)
    : t('No type is written, so Codex sends the type "{0}".', type);
}
