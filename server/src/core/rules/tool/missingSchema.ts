import { t } from '../../text/message';
import { SHAPE_NAMES } from '../../tools/shapes';
import type { Rule } from '../rule';

/** A function tool without the input schema that its shape demands. */
export const missingSchema: Rule = {
  id: 'tool/missing-schema',
  section: 'file',
  summary: 'A tool lacks the input schema that its shape demands',
  levels: { all: 'error' },
  set({ set, report }) {
    for (const { kind, node, span, tool, details } of set.problems) {
      if (kind !== 'missing-schema' || tool === undefined) continue;
      const key = details[0]!;
      report({
        node,
        span,
        message: t(
          'This tool has no "{0}", which {1} demands of every tool. For a tool without arguments write an object schema without properties.',
          key,
          SHAPE_NAMES[tool.shape],
        ),
      });
    }
  },
};
