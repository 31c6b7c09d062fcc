import { t } from '../../text/message';
import { list } from '../../text/words';
import type { ToolShape } from '../../tools/model';
import { SHAPE_NAMES } from '../../tools/shapes';
import type { Rule } from '../rule';

/** Items of several shapes in one list: no receiver takes such a list as a whole. */
export const mixedShapes: Rule = {
  id: 'tool/mixed-shapes',
  section: 'file',
  summary: 'A list holds tools of several shapes',
  levels: { all: 'warning' },
  set({ set, report }) {
    for (const { kind, node, span, details } of set.problems) {
      if (kind !== 'mixed-shapes') continue;
      const [own, most, ...counts] = details;
      const parts = [];
      for (let i = 0; i + 1 < counts.length; i += 2) {
        parts.push(t('{0} of {1}', Number(counts[i + 1]), SHAPE_NAMES[counts[i] as ToolShape]));
      }
      report({
        node,
        span,
        message: t(
          'This tool has the form of {0}, but most of the list have that of {1} ({2}). No receiver takes a list of several forms.',
          SHAPE_NAMES[own as ToolShape],
          SHAPE_NAMES[most as ToolShape],
          list(parts),
        ),
      });
    }
  },
};
