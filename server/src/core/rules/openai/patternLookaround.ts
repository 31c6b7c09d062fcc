import { removeProperty } from '../../text/edits';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { strictSites } from './strictSites';

/** A pattern with look-around, which the provider's engine does not have. */
export const patternLookaround: Rule = {
  id: 'schema/pattern-lookaround',
  section: 'openai',
  summary: 'A pattern uses look-around, which strict mode cannot enforce',
  levels: { openai: 'error' },
  site({ site, document, memo, report }) {
    const property = site.node.get('pattern');
    const pattern = property?.value?.string;
    if (pattern === undefined || !memo(strictSites).has(site)) return;
    const found = lookaroundOf(pattern);
    if (found === undefined) return;
    report({
      node: property!.value!,
      message: t(
        'The pattern uses look-around ("{0}"). The engine that enforces strict schemas has none, and requests with it fail. Rewrite the pattern without it, or check it in the handler.',
        found,
      ),
      fixes: [
        {
          title: t('Remove "pattern"'),
          safe: false,
          preferred: false,
          kind: 'quickfix',
          edits: () => removeProperty(document.text, property!),
        },
      ],
    });
  },
};

/** The first look-around of a pattern: outside of character classes and not escaped. */
function lookaroundOf(pattern: string): string | undefined {
  let inClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i];
    if (character === '\\') i++;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') {
      const found = /^\(\?<?[=!]/.exec(pattern.slice(i, i + 4));
      if (found !== null) return found[0];
    }
  }
  return undefined;
}
