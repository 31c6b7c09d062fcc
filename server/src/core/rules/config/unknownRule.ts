import { renameKey } from '../../text/edits';
import { effectiveProperties, keySpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import { didYouMean } from '../../text/words';
import type { Rule } from '../rule';

/** A level for a rule that does not exist changes nothing, which is easily overlooked. */
export const unknownRule: Rule = {
  id: 'config/unknown-rule',
  section: 'config',
  summary: 'The config file sets the level of a rule that does not exist',
  levels: { all: 'warning' },
  file(context) {
    const rules = context.document.root?.value('rules');
    if (rules?.kind !== 'object') return;
    for (const property of effectiveProperties(rules)) {
      if (context.ruleIds.has(property.key)) continue;
      const near = didYouMean(property.key, context.ruleIds);
      context.report({
        node: property.value!,
        span: keySpan(property),
        message:
          near === undefined
            ? t('There is no rule "{0}", so this changes nothing.', property.key)
            : t('There is no rule "{0}", so this changes nothing. Did you mean "{1}"?', property.key, near),
        fixes:
          near === undefined
            ? []
            : [
                {
                  title: t('Change it to "{0}"', near),
                  safe: false,
                  preferred: true,
                  kind: 'quickfix',
                  edits: () => renameKey(property, near),
                },
              ],
      });
    }
  },
};
