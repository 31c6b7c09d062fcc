import type { NewMember } from '../../text/edits';
import { changeObject } from '../../text/edits';
import type { Fix } from '../../text/finding';
import type { JsonNode, JsonProperty } from '../../text/json';
import { sameValue } from '../../text/jsonTree';
import { t } from '../../text/message';
import { copyLike } from '../../text/style';
import type { Rule, SiteContext } from '../rule';

/**
 * The list form of `items`, which drafts up to 2019-09 have for tuples. 2020-12 has `prefixItems`; the OpenAI guide
 * Structured model outputs (2026) knows neither, and Codex 0.171.0 refuses the tool for it (observed).
 */
export const tupleItems: Rule = {
  id: 'schema/tuple-items',
  section: 'schema',
  summary: 'A tuple: "items" is a list of schemas',
  levels: { openai: 'warning', codex: 'warning' },
  site(context) {
    const property = context.site.node.get('items');
    const items = property?.value;
    if (items?.kind !== 'array') return;
    context.report({
      node: items,
      message: t(
        '"items" as a list describes a tuple. JSON Schema 2020-12 says that with "prefixItems", and models and providers know elements of one schema only. Better take an object with named fields.',
      ),
      fixes: items.items.every((item) => item.kind === 'object' || item.kind === 'boolean')
        ? fixesOf(context, property!, items)
        : [],
    });
  },
};

/** One schema for every element: the same meaning only if all are equal and no further element may follow. */
function fixesOf({ site: { node }, document: { text } }: SiteContext, property: JsonProperty, items: JsonNode): Fix[] {
  const distinct: JsonNode[] = [];
  for (const item of items.items.slice(0, 50))
    if (!distinct.some((known) => sameValue(known, item))) distinct.push(item);
  if (distinct.length === 0 || items.items.length > 50) return [];
  const most = node.value('maxItems');
  const additional = node.get('additionalItems');
  const closed = additional?.value?.boolean === false;
  const equal = distinct.length === 1;
  const edits = (): ReturnType<Fix['edits']> => {
    const parts = distinct.map((item) => copyLike(text, equal ? node : items, item));
    const add: NewMember[] = [['items', equal ? parts[0]! : `{"anyOf": [${parts.join(', ')}]}`]];
    if (closed && most === undefined) add.push(['maxItems', String(items.items.length)]);
    return changeObject(text, node, { remove: additional === undefined ? [property] : [property, additional], add });
  };
  return [
    {
      title: equal ? t('Use one schema for all elements') : t('Allow each of these schemas for every element'),
      safe: equal && (closed || Number(most?.text) <= items.items.length),
      preferred: true,
      kind: 'quickfix',
      edits,
    },
  ];
}
