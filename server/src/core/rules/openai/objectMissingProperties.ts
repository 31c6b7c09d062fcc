import { insertProperty } from '../../text/edits';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { hasOpenaiShape } from './common';

/** An object at the root without `properties`: valid JSON Schema, but refused by the API. */
export const objectMissingProperties: Rule = {
  id: 'schema/object-missing-properties',
  section: 'openai',
  summary: 'The root of the parameters has no "properties"',
  levels: { openai: 'error' },
  tool({ tool, document, report }) {
    const root = tool.schemaNode;
    if (root?.kind !== 'object' || tool.kind !== 'function' || !hasOpenaiShape(tool)) return;
    if (root.value('type')?.string !== 'object' || root.has('properties')) return;
    report({
      node: root,
      message: t(
        'The parameters have no "properties". OpenAI refuses the request for it ("object schema missing properties"), although JSON Schema allows it. Write an empty map for a tool without arguments.',
      ),
      fixes: [
        {
          title: t('Add "properties": {}'),
          safe: true,
          preferred: true,
          kind: 'quickfix',
          edits: () => insertProperty(document.text, root, 'properties', '{}', { after: root.get('type') }),
        },
      ],
    });
  },
};
