import { isAnything } from '../../../schema/emptinessFacts';
import { removeProperty } from '../../../text/edits';
import type { JsonNode } from '../../../text/json';
import { t } from '../../../text/message';
import type { Rule } from '../../rule';

/**
 * An output schema that says no more than a type: a server that declares one must send structured results for it
 * (Model Context Protocol, since 2025-06-18), and clients learn nothing of them.
 */
export const emptyOutputSchema: Rule = {
  id: 'mcp/empty-output-schema',
  section: 'portability',
  summary: '"outputSchema" says nothing about the result',
  levels: { mcp: 'hint' },
  tool({ tool, document, report }) {
    const root = tool.outputSchemaNode;
    if (tool.shape !== 'mcp' || root === undefined || !saysNothing(root)) return;
    report({
      node: root,
      message: t(
        'This output schema says nothing about the result, but obliges the server to send a structured one. Describe the result, or leave the schema out.',
      ),
      fixes:
        root.property === undefined
          ? []
          : [
              {
                title: t('Remove "{0}"', root.property.key),
                safe: false,
                preferred: true,
                kind: 'quickfix',
                edits: () => removeProperty(document.text, root.property!),
              },
            ],
    });
  },
};

/** Nothing, a type alone, or that of an object without a single property. */
function saysNothing(root: JsonNode): boolean {
  if (isAnything(root)) return true;
  if (root.kind !== 'object') return false;
  return root.properties.every(({ key, value }) => {
    if (key === 'type' || key === 'title' || key === 'description' || key === '$schema') return true;
    if (key === 'properties') return value?.kind === 'object' && value.properties.length === 0;
    return key === 'required'
      ? value?.kind === 'array' && value.items.length === 0
      : key === 'additionalProperties' && isAnything(value);
  });
}
