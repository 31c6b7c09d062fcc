import { insertProperty } from '../../text/edits';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { inputReferences, isObjectSchema, needsUnnamed } from './common';
import { strictSites } from './strictSites';

/** An object that strict mode refuses because it does not say that it is closed. */
export const strictAdditionalProperties: Rule = {
  id: 'schema/strict-additional-properties',
  section: 'openai',
  summary: 'An object lacks "additionalProperties": false, which strict mode demands',
  levels: { openai: 'error' },
  site({ site, document, memo, report }) {
    const { node } = site;
    if (!isObjectSchema(node) || node.has('additionalProperties') || !memo(strictSites).has(site)) return;
    report({
      node,
      message: t('This object does not say "additionalProperties": false, which strict mode demands of every object.'),
      fixes: needsUnnamed(site, memo(inputReferences))
        ? []
        : [
            {
              title: t('Add "additionalProperties": false'),
              safe: true,
              preferred: true,
              kind: 'quickfix',
              edits: () => insertProperty(document.text, node, 'additionalProperties', 'false'),
            },
          ],
    });
  },
};
