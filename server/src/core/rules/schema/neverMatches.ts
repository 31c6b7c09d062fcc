import { t } from '../../text/message';
import type { Rule } from '../rule';
import { neverFaults } from './never';

/** The whole schema, or a required property, of which JSON Schema itself proves that no value matches. */
export const neverMatches: Rule = {
  id: 'schema/never-matches',
  section: 'schema',
  summary: 'Nothing matches the schema, or a property that it requires',
  levels: { all: 'error' },
  tool(context) {
    for (const { kind, site, root, why, related } of context.memo(neverFaults)) {
      if (kind !== 'matches') continue;
      const { key, node } = site;
      context.report({
        node,
        message:
          node === root || site.keyword !== 'properties'
            ? t('No value matches this schema, so no call can be right. {0}', why)
            : t('No value matches the required property "{0}", so no object is right. {1}', key!, why),
        related,
      });
    }
  },
};
