import type { JsonNode } from '../../text/json';
import { type Message, t } from '../../text/message';
import { list } from '../../text/words';
import type { Rule } from '../rule';
import { accepted, liveEvents } from './common';

/** A schema in which Codex finds no type and nothing to infer one from is sent as `{}` (0.171.0, observed). */
export const schemaEmptied: Rule = {
  id: 'codex/schema-emptied',
  section: 'codex',
  summary: 'A schema without a usable type is sent as {}, and its description is lost',
  levels: { codex: 'warning' },
  tool(context) {
    const root = accepted(context)?.source;
    for (const event of liveEvents(context, 'emptied')) {
      // The root has a rule of its own, which is an error.
      if (event.stage !== 'lower' || event.node === root) continue;
      context.report({ node: event.node, message: message(event.node) });
    }
  },
};

function message(node: JsonNode): Message {
  const described = node.value('description')?.kind === 'string';
  if (node.has('type')) {
    return described
      ? t('Codex does not know this type, so the schema is sent as {} and its description is lost.')
      : t('Codex does not know this type, so the schema is sent as {}: the model can put anything here.');
  }
  if (described) return t('No type, so it is sent as {} and its description is lost.');
  const lost = list(
    node.properties.map((property) => property.key),
    3,
  );
  return t('No type, so it is sent as {}: the model can put anything here. Lost: {0}.', lost);
}
