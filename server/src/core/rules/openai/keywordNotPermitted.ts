import { REFUSED_KEYWORDS } from '../../profiles/openai';
import { removeProperty } from '../../text/edits';
import type { JsonNode } from '../../text/json';
import { t } from '../../text/message';
import type { Rule } from '../rule';

/** Keywords that the API refuses whatever `strict` says. */
export const keywordNotPermitted: Rule = {
  id: 'schema/keyword-not-permitted',
  section: 'openai',
  summary: 'A keyword that OpenAI refuses with and without strict',
  levels: { openai: 'error' },
  site({ site, document, report }) {
    for (const keyword of REFUSED_KEYWORDS) {
      const property = site.node.get(keyword);
      if (property?.value === undefined) continue;
      const trivial = keyword === 'propertyNames' && saysNothing(property.value);
      report({
        node: property.value,
        message: trivial
          ? t(
              'OpenAI refuses the request because of "{0}", with and without strict. It says nothing here, because keys of a JSON object are strings anyway.',
              keyword,
            )
          : t(
              'OpenAI refuses the request because of "{0}", with and without strict. Check the keys in the handler.',
              keyword,
            ),
        fixes: [
          {
            title: t('Remove "{0}"', keyword),
            safe: trivial,
            preferred: true,
            kind: 'quickfix',
            edits: () => removeProperty(document.text, property),
          },
        ],
      });
    }
  },
};

/** Whether a schema of keys lets every key pass. */
function saysNothing(value: JsonNode): boolean {
  if (value.kind === 'boolean') return value.boolean === true;
  if (value.kind !== 'object') return false;
  return value.properties.every(({ key, value: member }) => key === 'type' && member?.string === 'string');
}
