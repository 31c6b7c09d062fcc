import { TYPE_WORDS } from '../../schema/keywords';
import { replaceValue } from '../../text/edits';
import type { Fix } from '../../text/finding';
import { parseJson } from '../../text/json';
import { t } from '../../text/message';
import { formatLike } from '../../text/style';
import type { Rule, SiteContext } from '../rule';
import { kindOf, neededMembers } from './common';

/** JSON Schema 2020-12, Core 4.3: a schema is an object or a boolean. */
export const notASchema: Rule = {
  id: 'schema/not-a-schema',
  section: 'schema',
  summary: 'A schema is neither an object nor a boolean',
  levels: { all: 'error' },
  outputSchemas: true,
  site(context) {
    const { node } = context.site;
    if (node.kind === 'object' || node.kind === 'boolean') return;
    // The list form of `items` has a rule of its own; its elements are sites, the list is none.
    context.report({
      node,
      message: t('A schema stands here, so this must be an object or a boolean, but it is {0}.', kindOf(node)),
      fixes: fixesOf(context),
    });
  },
};

/** A type's name alone is a common slip for a schema of that type. */
function fixesOf(context: SiteContext): Fix[] {
  const { node } = context.site;
  const word = node.string;
  if (word === undefined || !TYPE_WORDS.has(word)) return [];
  return [
    {
      title: t('Write a schema with the type "{0}"', word),
      safe: false,
      preferred: true,
      kind: 'quickfix',
      edits: () => {
        const members = [['type', `"${word}"`], ...neededMembers(word, undefined, context)];
        const schema = parseJson(`{${members.map(([key, value]) => `"${key}":${value}`).join()}}`).root!;
        return replaceValue(node, formatLike(context.document.text, node.parent, schema));
      },
    },
  ];
}
