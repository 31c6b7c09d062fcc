import { isAnything } from '../../schema/emptinessFacts';
import { replaceValue } from '../../text/edits';
import type { Fix } from '../../text/finding';
import { type Message, t } from '../../text/message';
import { formatLike } from '../../text/style';
import type { Rule } from '../rule';

/** `additionalProperties` that is `true` or `{}` says no more than leaving it out, and hides what is meant. */
export const openMap: Rule = {
  id: 'schema/open-map',
  section: 'schema',
  summary: 'An object takes any value under any name',
  levels: { all: 'hint' },
  site(context) {
    const { site, document } = context;
    const { node } = site;
    if (site.keyword !== 'additionalProperties' || !isAnything(node)) return;
    const named = (site.parent?.node.value('properties')?.properties.length ?? 0) > 0;
    const fix = (title: Message, jsonText: string): Fix => ({
      title,
      safe: false,
      preferred: true,
      kind: 'quickfix',
      edits: () => replaceValue(node, jsonText),
    });
    context.report({
      node,
      message: named
        ? t(
            'Any value under any other name is allowed here. Say which values are meant, or close the object with false.',
          )
        : t('Any value under any name is allowed here. Say which values are meant.'),
      fixes: [
        named
          ? fix(t('Allow no other properties'), 'false')
          : fix(t('Allow strings only'), formatLike(document.text, node.parent, { type: 'string' })),
      ],
    });
  },
};
