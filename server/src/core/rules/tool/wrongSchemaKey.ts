import { keySpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { ToolShape } from '../../tools/model';
import { SHAPE_NAMES } from '../../tools/shapes';
import type { Rule } from '../rule';

/** The schema stands under the key of another shape, so the receiver sees a tool without arguments. */
export const wrongSchemaKey: Rule = {
  id: 'tool/wrong-schema-key',
  section: 'file',
  summary: 'The schema stands under the key of another shape',
  levels: { all: 'error' },
  set({ set, report }) {
    for (const { kind, node, span, tool, details } of set.problems) {
      if (kind !== 'wrong-schema-key') continue;
      const [key, wanted, shape, evidence] = details as [string, string, ToolShape, string];
      const property = node.property!;
      const free = tool === undefined || !tool.body.has(wanted);
      report({
        node,
        span,
        message: t(
          'The schema stands under "{0}", but "{1}" shows that this is a tool for {2}, which reads "{3}". As it is, the tool has no arguments there.',
          key,
          evidence,
          SHAPE_NAMES[shape],
          wanted,
        ),
        fixes: free
          ? [
              {
                title: t('Rename "{0}" to "{1}"', key, wanted),
                safe: false,
                preferred: true,
                kind: 'quickfix',
                edits: () => [{ span: keySpan(property), newText: JSON.stringify(wanted) }],
              },
            ]
          : [],
      });
    }
  },
};
