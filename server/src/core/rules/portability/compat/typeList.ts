import { changeObject } from '../../../text/edits';
import type { Fix } from '../../../text/finding';
import type { JsonNode } from '../../../text/json';
import { t } from '../../../text/message';
import { formatLike } from '../../../text/style';
import type { Rule, SiteContext } from '../../rule';
import { reachableSchemas } from '../../schema/common';
import { isJsonSchemaForGemini } from '../gemini/common';

/** A schema of Gemini has one type (Gemini API reference, `Schema.type`, 2026); several are a union of schemas there. */
export const typeList: Rule = {
  id: 'compat/type-list',
  section: 'portability',
  summary: 'Several types in a list, where some clients take one type only',
  levels: { gemini: 'hint' },
  site(context) {
    const { site, tool, report } = context;
    const type = site.node.value('type');
    if (type?.kind !== 'array' || type.items.length < 2 || isJsonSchemaForGemini(tool)) return;
    if (!context.memo(reachableSchemas).has(site.node)) return;
    report({
      node: type,
      message: t(
        'Gemini and clients in front of it take one type per schema. "anyOf" with a schema for each type says the same.',
      ),
      fixes: fixesOf(context, type),
    });
  },
};

/** Keywords of arrays and objects would have to move into the branch of their type, so only plain types are split. */
function fixesOf({ site: { node, parent }, document: { text } }: SiteContext, type: JsonNode): Fix[] {
  const words = type.items.map((item) => item.string);
  const plain = words.every((word) => word !== undefined && word !== 'object' && word !== 'array');
  if (!plain || parent === undefined || new Set(words).size < words.length || node.has('anyOf')) return [];
  // Without a type beside them, properties would make an object of it.
  if (node.has('properties')) return [];
  return [
    {
      title: t('Write it as "anyOf"'),
      safe: false,
      preferred: true,
      kind: 'quickfix',
      edits: () => {
        const branches = formatLike(
          text,
          node,
          words.map((word) => ({ type: word! })),
        );
        return changeObject(text, node, { remove: [node.get('type')!], add: [['anyOf', branches]] });
      },
    },
  ];
}
