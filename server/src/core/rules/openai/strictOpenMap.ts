import { replaceValue } from '../../text/edits';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { inputReferences, needsUnnamed } from './common';
import { strictSites } from './strictSites';

/** An object with keys that the schema does not name: strict mode knows no such objects. */
export const strictOpenMap: Rule = {
  id: 'schema/strict-open-map',
  section: 'openai',
  summary: 'An object allows other keys than it names, which strict mode refuses',
  levels: { openai: 'error' },
  site({ site, memo, report }) {
    const value = site.node.value('additionalProperties');
    if (value === undefined || value.boolean === false || !memo(strictSites).has(site)) return;
    if (value.kind !== 'object' && value.kind !== 'boolean') return;
    const named =
      (site.node.value('properties')?.properties.length ?? 0) > 0 && !needsUnnamed(site, memo(inputReferences));
    report({
      node: value,
      message: t(
        'This object allows keys that the schema does not name, and strict mode takes closed objects only. For a map with free keys leave strict off, or take a list of objects with a key and a value.',
      ),
      fixes: named
        ? [
            {
              title: t('Close the object'),
              safe: false,
              preferred: true,
              kind: 'quickfix',
              edits: () => replaceValue(value, 'false'),
            },
          ]
        : [],
    });
  },
};
