import type { Reference } from '../../schema/references';
import { changeObject, insertProperty, joinEdits, removeProperties } from '../../text/edits';
import type { Fix } from '../../text/finding';
import type { JsonNode, JsonProperty } from '../../text/json';
import { t } from '../../text/message';
import { copyLike } from '../../text/style';
import { list } from '../../text/words';
import type { Rule, SiteContext } from '../rule';
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
  const references = context.memo(inputReferences);
  const reference = references?.at(node);
  const target = reference?.target;
  if (references === undefined || target?.kind !== 'object') return [];
  const { text } = context.document;
  const fixes: Fix[] = [];
  const only = siblings.length === 1 ? siblings[0]! : undefined;
  const moves =
    only?.key === 'description' &&
    !target.has('description') &&
    references.to(target).length === 1 &&
    isDefinition(reference!);
  if (moves) {
    fixes.push({
      title: t('Move "description" into the definition'),
      safe: true,
      preferred: true,
      kind: 'quickfix',
      edits: () =>
        joinEdits(
          removeProperties(text, siblings),
          insertProperty(text, target, 'description', copyLike(text, target, only.value!), { after: null }),
        ),
    });
  }
  if (canInline(node, target, references.list)) {
    fixes.push({
      title: t('Write the definition here'),
      safe: false,
      preferred: !moves,
      kind: 'quickfix',
      edits: () => inlined(text, node, target),
    });
  }
  return fixes;
}

function isDefinition(reference: Reference): boolean {
  return definitionOf(reference) !== undefined;
}

/** A definition that leads back to itself cannot be written out, nor one that holds the reference. */
function canInline(node: JsonNode, target: JsonNode, references: readonly Reference[]): boolean {
  if (contains(target, node)) return false;
  const seen = new Set<JsonNode>([target]);
  const open = [target];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const reference of references) {
      if (reference.target === undefined || !contains(holder, reference.site.node)) continue;
      if (reference.target === target || contains(reference.target, target)) return false;
      if (!seen.has(reference.target)) {
        seen.add(reference.target);
        open.push(reference.target);
      }
    }
  }
  return true;
}

function contains(outer: JsonNode, inner: JsonNode): boolean {
  return outer.offset <= inner.offset && inner.end <= outer.end;
}

/** The definition's members in place of `$ref`; what stood beside it wins over them. */
function inlined(text: string, node: JsonNode, target: JsonNode): ReturnType<Fix['edits']> {
  const added = target.properties.filter(({ key, value }) => value !== undefined && !node.has(key));
  return changeObject(text, node, {
    remove: [node.get('$ref')!],
    add: added.map(({ key, value }) => [key, copyLike(text, node, value!)]),
  });
}
