import { insertProperty } from '../../text/edits';
import { t } from '../../text/message';
import { formatLike } from '../../text/style';
import type { Rule } from '../rule';
import { declaredSites, typeWords } from './common';

/** An array without `items`: valid JSON Schema, but refused by the API. */
export const arrayMissingItems: Rule = {
  id: 'schema/array-missing-items',
  section: 'openai',
  summary: 'An array schema has no "items"',
  levels: { openai: 'error' },
  site({ site, document, memo, report }) {
    const { node } = site;
    if (node.kind !== 'object' || node.has('items')) return;
    const word = typeWords(node).find((type) => type.string === 'array');
    if (word === undefined || !memo(declaredSites).has(site)) return;
    report({
      node: word.parent === node ? node : word,
      message: t(
        'This array has no "items". OpenAI refuses the whole request for it ("array schema missing items"), although JSON Schema allows it. Say what the elements are.',
      ),
      fixes: [
        {
          title: t('Add "items" with strings'),
          safe: false,
          preferred: true,
          kind: 'quickfix',
          edits: () =>
            insertProperty(document.text, node, 'items', formatLike(document.text, node, { type: 'string' }), {
              after: node.get('type'),
            }),
        },
      ],
    });
  },
};
