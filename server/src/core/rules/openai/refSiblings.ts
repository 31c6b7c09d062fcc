import { STRICT_KEYWORDS } from '../../profiles/openai';
import type { Reference, References } from '../../schema/references';
import { changeObject, insertProperty, joinEdits, removeProperties } from '../../text/edits';
import type { Fix } from '../../text/finding';
import type { JsonNode, JsonProperty } from '../../text/json';
import { type Message, t } from '../../text/message';
import { copyLike } from '../../text/style';
import { list } from '../../text/words';
import type { Rule, SiteContext } from '../rule';
import { contains, leadsTo, referencesWithin } from '../schema/refIndex';
import { definitionOf, inputReferences } from './common';
import { strictSites } from './strictSites';

/** Tables of definitions may stand beside a reference at the root. */
const TABLES: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/** Keywords beside `$ref`, which strict mode refuses. */
export const refSiblings: Rule = {
  id: 'schema/ref-siblings',
  section: 'openai',
  summary: 'Keywords stand beside "$ref", which strict mode refuses',
  levels: { openai: 'error' },
  site(context) {
    const { node } = context.site;
    if (node.value('$ref')?.kind !== 'string' || !context.memo(strictSites).has(context.site)) return;
    const siblings = node.properties.filter(
      ({ key, value }) => key !== '$ref' && !TABLES.has(key) && value !== undefined,
    );
    if (siblings.length === 0) return;
    const names = list(siblings.map(({ key }) => `"${key}"`));
    context.report({
      node: siblings[0]!.value!,
      message: t(
        '{0} beside "$ref": strict mode takes a reference only by itself and refuses the request. Move the text into the definition, or write the definition here.',
        names,
      ),
      fixes: fixesOf(context, node, siblings),
    });
  },
};

function fixesOf(context: SiteContext, node: JsonNode, siblings: readonly JsonProperty[]): Fix[] {
  const { text } = context.document;
  const fixes: Fix[] = [];
  const add = (title: Message, safe: boolean, edits: Fix['edits']): void => {
    fixes.push({ title, safe, preferred: fixes.length === 0, kind: 'quickfix', edits });
  };
  if (siblings.every(({ key }) => STRICT_KEYWORDS.get(key)?.annotation === true)) {
    const names = list(siblings.map(({ key }) => `"${key}"`));
    add(t('Remove {0}', names), true, () => removeProperties(text, siblings));
  }
  const references = context.memo(inputReferences);
  const reference = references?.at(node);
  const target = reference?.target;
  if (references === undefined || target?.kind !== 'object') return fixes;
  const only = siblings.length === 1 ? siblings[0]! : undefined;
  const isFree = only?.key === 'description' && !target.has('description') && references.to(target).length === 1;
  if (isFree && isDefinition(reference!) && !target.has('$ref')) {
    add(t('Move "description" into the definition'), true, () =>
      joinEdits(
        removeProperties(text, siblings),
        insertProperty(text, target, 'description', copyLike(text, target, only.value!), { after: null }),
      ),
    );
  }
  if (canInline(node, target, references)) {
    add(t('Write the definition here'), false, () => inlined(text, node, target, siblings));
  }
  return fixes;
}

function isDefinition(reference: Reference): boolean {
  return definitionOf(reference) !== undefined;
}

/** A definition that leads back to itself cannot be written out, nor one that holds the reference. */
function canInline(node: JsonNode, target: JsonNode, references: References): boolean {
  // A definition that is a reference itself would leave a reference with something beside it.
  if (contains(target, node) || target.has('$ref')) return false;
  // One with this same fault would bring it along.
  const isFaulty = ({ site }: Reference): boolean => site.node.properties.length > 1;
  return !referencesWithin(references, target).some(isFaulty) && !leadsTo(references, target, [target]);
}

/** The definition's members in place of `$ref`; what stood beside it wins over them, unless strict mode refuses it. */
function inlined(
  text: string,
  node: JsonNode,
  target: JsonNode,
  siblings: readonly JsonProperty[],
): ReturnType<Fix['edits']> {
  const refused = siblings.filter(({ key }) => STRICT_KEYWORDS.get(key)?.level === 'error');
  const kept = new Set(siblings.filter((each) => !refused.includes(each)).map(({ key }) => key));
  return changeObject(text, node, {
    remove: [node.get('$ref')!, ...refused].sort((a, b) => a.keyStart - b.keyStart),
    add: target.properties
      .filter(({ key, value }) => value !== undefined && !kept.has(key) && !TABLES.has(key))
      .map(({ key, value }) => [key, copyLike(text, node, value!)]),
  });
}
