import { MCP_LAST_OBJECT_OUTPUT } from '../../../profiles/mcp';
import { insertProperty } from '../../../text/edits';
import { t } from '../../../text/message';
import type { Rule } from '../../rule';

/**
 * Up to the revision 2025-11-25 the schema of MCP demands `"type": "object"` at the root of `outputSchema`; the newest
 * revision (2026-07-28) takes any schema.
 */
export const outputRoot: Rule = {
  id: 'mcp/output-root',
  section: 'portability',
  summary: 'The root of "outputSchema" is no object, which most hosts refuse',
  levels: { mcp: 'warning' },
  tool({ tool, document, report }) {
    const root = tool.outputSchemaNode;
    if (tool.shape !== 'mcp' || root === undefined || (root.kind !== 'object' && root.kind !== 'boolean')) return;
    const type = root.value('type');
    if (type?.string === 'object') return;
    const lacksType = type === undefined && root.value('properties')?.kind === 'object';
    report({
      node: type ?? root,
      message: t(
        'The root of "outputSchema" must have the type "object" for hosts of revisions up to {0}: they refuse the tool. Only the newest revision takes any schema.',
        MCP_LAST_OBJECT_OUTPUT,
      ),
      fixes: lacksType
        ? [
            {
              title: t('Add "type": "object"'),
              safe: false,
              preferred: true,
              kind: 'quickfix',
              edits: () => insertProperty(document.text, root, 'type', '"object"', { after: null }),
            },
          ]
        : [],
    });
  },
};
