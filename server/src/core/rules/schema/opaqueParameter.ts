import { isAnything } from '../../schema/emptinessFacts';
import type { SchemaSite } from '../../schema/sites';
import type { JsonNode } from '../../text/json';
import { t } from '../../text/message';
import type { Rule } from '../rule';

/**
 * Introspection of a Python function turns `*args` and `**kwargs` into parameters of these names, of which a model
 * cannot know what they take. Only names together with a schema that says nothing count.
 */
export const opaqueParameter: Rule = {
  id: 'schema/opaque-parameter',
  section: 'schema',
  summary: 'A parameter looks like an introspected "*args" or "**kwargs"',
  levels: { all: 'warning' },
  site(context) {
    const { site } = context;
    if (!isOpaqueParameter(site)) return;
    context.report({
      node: site.node,
      message: t(
        '"{0}" looks like the variable arguments of a function, and its schema does not say what goes in. The model cannot know either. Declare each parameter by its name.',
        site.key!,
      ),
    });
  },
};

/** Whether a schema is that of a parameter named as variable arguments, and says nothing of what it takes. */
export function isOpaqueParameter({ node, parent, keyword, key }: SchemaSite): boolean {
  if (keyword !== 'properties' || parent === undefined || parent.parent !== undefined || key === undefined)
    return false;
  if (node.kind !== 'object' && node.boolean !== true) return false;
  const name = key.replace(/^\*+/, '');
  if (name === 'kwargs') return saysNothing(node) || isUntypedMap(node);
  return name === 'args' && (saysNothing(node) || isUntypedList(node));
}

function saysNothing(node: JsonNode): boolean {
  return isAnything(node);
}

function isUntypedMap(node: JsonNode): boolean {
  if (node.value('type')?.string !== 'object') return false;
  const declared = node.value('properties')?.properties.length ?? 0;
  const rest = node.value('additionalProperties');
  return declared === 0 && (rest === undefined || isAnything(rest)) && !node.has('patternProperties');
}

function isUntypedList(node: JsonNode): boolean {
  if (node.value('type')?.string !== 'array') return false;
  const items = node.value('items');
  return (items === undefined || isAnything(items)) && !node.has('prefixItems');
}
