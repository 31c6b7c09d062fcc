import { STRICT_FORMATS } from '../../profiles/openai';
import { removeProperty } from '../../text/edits';
import { t } from '../../text/message';
import { list } from '../../text/words';
import type { Rule } from '../rule';
import { strictSites } from './strictSites';

/** A format that strict mode does not know. */
export const strictFormat: Rule = {
  id: 'schema/strict-format',
  section: 'openai',
  summary: 'A format that strict mode does not know',
  levels: { openai: 'error' },
  site({ site, document, memo, report }) {
    const property = site.node.get('format');
    const format = property?.value?.string;
    if (format === undefined || STRICT_FORMATS.includes(format) || !memo(strictSites).has(site)) return;
    // All that stands beside a reference is refused for that.
    if (site.node.has('$ref')) return;
    report({
      node: property!.value!,
      message: t(
        'Strict mode does not know the format "{0}" and refuses the request. It knows {1}. Say it in the description instead.',
        format,
        list(STRICT_FORMATS),
      ),
      fixes: [
        {
          title: t('Remove "format"'),
          safe: false,
          preferred: true,
          kind: 'quickfix',
          edits: () => removeProperty(document.text, property!),
        },
      ],
    });
  },
};
