import type { References } from '../../schema/references';
import type { SchemaSite } from '../../schema/sites';
import { insertProperty } from '../../text/edits';
import type { JsonNode } from '../../text/json';
import { headSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { Rule, ToolContext } from '../rule';
import { inputPart } from './common';

/**
 * A branch of a union that does not close its object also takes what belongs to another branch, so the two can no
 * longer be told apart by their keys.
 */
export const openVariant: Rule = {
  id: 'schema/open-variant',
  section: 'schema',
  summary: 'A branch of a union does not close its object',
  levels: { all: 'hint' },
  tool(context) {
    const part = inputPart(context);
    if (part === undefined) return;
    const unions = new Map<JsonNode, SchemaSite[]>();
    for (const site of part.sites) {
      if (site.keyword !== 'anyOf' && site.keyword !== 'oneOf') continue;
      const list = site.node.parent!;
      const arms = unions.get(list);
      if (arms === undefined) unions.set(list, [site]);
      else arms.push(site);
    }
    for (const arms of unions.values()) judge(context, part.references, arms);
  },
};

function judge(context: ToolContext, references: References, arms: readonly SchemaSite[]): void {
  const objects = arms
    .map((site) => ({ site, schema: followed(site.node, references) }))
    .filter(({ schema }) => isObject(schema));
  const holder = objects[0]?.site.parent?.node;
  // One object among other types is told apart by its type.
  if (objects.length < 2 || holder?.value('unevaluatedProperties')?.boolean === false) return;
  // Branches that only refine an object with properties of its own cannot be closed: that would forbid those.
  if (holder?.has('properties') === true) return;
  for (const { site, schema } of objects) {
    if (['additionalProperties', 'unevaluatedProperties', 'patternProperties'].some((key) => schema.has(key))) continue;
    const own = schema === site.node;
    context.report({
      node: site.node,
      message: t(
        'This branch takes objects with other properties too, so what belongs to another branch fits here as well. Close it with "additionalProperties": false.',
      ),
      related: own ? [] : [{ span: headSpan(schema), message: t('the object that is open') }],
      fixes: [
        {
          title: t('Close the object'),
          safe: false,
          preferred: true,
          kind: 'quickfix',
          edits: () => insertProperty(context.document.text, schema, 'additionalProperties', 'false'),
        },
      ],
    });
  }
}

function followed(node: JsonNode, references: References): JsonNode {
  let current = node;
  for (let steps = 0; steps < 16; steps++) {
    const target = references.at(current)?.target;
    if (target === undefined) break;
    current = target;
  }
  return current;
}

/** An object by its type, or by its properties where it has no type. */
function isObject(node: JsonNode): boolean {
  const type = node.value('type');
  if (type === undefined) return node.value('properties')?.kind === 'object';
  return type.string === 'object';
}
