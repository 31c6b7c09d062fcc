import { t } from '../../../text/message';
import type { Rule } from '../../rule';
import { reachableSchemas } from '../../schema/common';
import { isJsonSchemaForGemini, isNullSchema } from './common';

/**
 * The schema type of Gemini has one type per schema, and `nullable` for null (Gemini API reference, `Schema`, 2026).
 * `parametersJsonSchema` takes unions with null.
 */
export const nullUnion: Rule = {
  id: 'gemini/null-union',
  section: 'portability',
  summary: 'Null is a branch of a union, or one of several types',
  levels: { gemini: 'warning' },
  site({ site, tool, memo, report }) {
    if (!memo(reachableSchemas).has(site.node) || isJsonSchemaForGemini(tool)) return;
    const message = t(
      'Gemini has no union with null: it says "nullable": true beside the type. Clients that convert schemas do it in different ways, or not at all.',
    );
    const { node, keyword } = site;
    if ((keyword === 'anyOf' || keyword === 'oneOf') && isNullSchema(node)) report({ node, message });
    const type = node.value('type');
    if (type?.kind !== 'array' || type.items.length < 2) return;
    const word = type.items.find((item) => item.string?.toLowerCase() === 'null');
    if (word !== undefined) report({ node: word, message });
  },
};
