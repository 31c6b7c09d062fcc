import { REFUSED_KEYWORDS, ROOT_COMBINATORS, STRICT_KEYWORDS, type StrictKeyword } from '../../profiles/openai';
import { changeObject, removeProperty, renameKey } from '../../text/edits';
import type { Fix } from '../../text/finding';
import type { JsonNode, JsonProperty } from '../../text/json';
import { type Message, sentences, t } from '../../text/message';
import { copyLike } from '../../text/style';
import type { Rule } from '../rule';
import { strictSites } from './strictSites';

/** Keywords that describe and do not judge. */
const NOTES: ReadonlySet<string> = new Set(['description', 'title', 'default', 'examples', '$comment', 'deprecated']);

/** Keywords that say what a value is, not only what it is not. */
const SUBSTANCE: ReadonlySet<string> = new Set(['allOf', 'oneOf', 'prefixItems']);

const ROOT: readonly string[] = ROOT_COMBINATORS.openai;

/** Keywords that strict mode does not support. */
export const strictKeyword: Rule = {
  id: 'schema/strict-keyword',
  section: 'openai',
  summary: 'A keyword that strict mode does not support',
  levels: { openai: 'error' },
  site({ site, document, memo, report }) {
    const { node } = site;
    if (node.kind !== 'object' || !memo(strictSites).has(site)) return;
    // All that stands beside a reference is refused for that.
    if (node.has('$ref')) return;
    for (const property of node.properties) {
      const { key, value } = property;
      const known = STRICT_KEYWORDS.get(key);
      if (known === undefined || value === undefined || node.get(key) !== property) continue;
      if (REFUSED_KEYWORDS.includes(key) || (site.parent === undefined && ROOT.includes(key))) continue;
      report({
        node: value,
        level: known.level,
        message: sentences(
          known.level === 'error'
            ? t('Strict mode does not take "{0}": the whole request is refused.', key)
            : t('Not every model takes "{0}" in strict mode.', key),
          advice(property),
        ),
        fixes: fixesOf(document.text, node, property, known),
      });
    }
  },
};

function advice({ key, value }: JsonProperty): Message | undefined {
  switch (key) {
    case 'oneOf':
      return t('"anyOf" says the same where the branches exclude each other.');
    case 'allOf':
      return value!.items.length === 1
        ? t('It has one member, which can stand in its place.')
        : t('Write the members together as one schema.');
    case 'default':
      return t('Say in the description what happens when nothing is given, and let the value be null.');
    case 'discriminator':
      return t('It is a keyword of OpenAPI; constants that differ in each branch say the same.');
    case 'prefixItems':
      return t('Take an object with named fields, or a list of one kind of items.');
    default:
      return t('Say it in the description, and check it in the handler.');
  }
}

function fixesOf(text: string, node: JsonNode, property: JsonProperty, { annotation }: StrictKeyword): Fix[] {
  const { key, value } = property;
  if (key === 'oneOf' && !node.has('anyOf')) {
    return quickfix(t('Rename "oneOf" to "anyOf"'), false, () => renameKey(property, 'anyOf'));
  }
  const member = key === 'allOf' && value!.items.length === 1 ? value!.items[0]! : undefined;
  const others = node.properties.filter((each) => each !== property);
  const isReference = member?.has('$ref') === true && others.length > 0;
  if (isReference && !node.has('anyOf')) {
    // Nothing may stand beside a reference; a union of one is the same as that one.
    return quickfix(t('Rename "allOf" to "anyOf"'), true, () => renameKey(property, 'anyOf'));
  }
  const merges = member?.properties.every((each) => each.value !== undefined && !node.has(each.key)) === true;
  if (member?.kind === 'object' && merges && !isReference) {
    // Keywords of the two may get to see each other, as "additionalProperties" sees "properties".
    const safe = others.every((each) => NOTES.has(each.key));
    return quickfix(t('Put the single member of "allOf" in its place'), safe, () =>
      changeObject(text, node, {
        remove: [property],
        add: member.properties.map((each) => [each.key, copyLike(text, node, each.value!)]),
      }),
    );
  }
  // Without these the schema would say something else, or nothing.
  if (SUBSTANCE.has(key)) return [];
  return quickfix(t('Remove "{0}"', key), annotation, () => removeProperty(text, property));
}

function quickfix(title: Message, safe: boolean, edits: Fix['edits']): Fix[] {
  return [{ title, safe, preferred: true, kind: 'quickfix', edits }];
}
