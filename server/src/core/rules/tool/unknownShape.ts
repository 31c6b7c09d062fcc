import { sentences, t } from '../../text/message';
import type { Rule } from '../rule';

/** A file that matches the patterns but holds no tool, or a list item that is none. */
export const unknownShape: Rule = {
  id: 'tool/unknown-shape',
  section: 'file',
  summary: 'The file, or an item of its list, has the form of no tool',
  levels: { all: 'hint' },
  file({ set, report }) {
    for (const { kind, node, span, details } of set.problems) {
      if (kind === 'unknown-shape') {
        report({
          node,
          span,
          message: sentences(t('This file has no tool definition that is known here.'), ...set.reasons),
        });
      } else if (kind === 'not-a-tool') {
        report({
          node,
          span,
          message:
            details[0] === 'namespace'
              ? t('A namespace holds tools, and no further namespaces. This one is neither sent nor checked.')
              : t('This item has the form of no tool that is known here, so it is not checked.'),
        });
      }
    }
    const foreign = set.tools.filter((tool) => tool.shape === 'bfcl');
    if (foreign.length === 0) return;
    report({
      node: foreign[0]!.node,
      message: t(
        'This is written in the dialect of the BFCL benchmark, which is not JSON Schema: types are called "dict" and "float". It is recognized, but not checked.',
      ),
    });
  },
};
