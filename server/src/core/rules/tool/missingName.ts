import { t } from '../../text/message';
import type { Rule } from '../rule';

/** A tool that cannot be called, because it has no name. */
export const missingName: Rule = {
  id: 'tool/missing-name',
  section: 'file',
  summary: 'A tool or a namespace has no name',
  levels: { all: 'error' },
  set({ set, report }) {
    for (const { kind, node, span, tool } of set.problems) {
      if (kind !== 'missing-name') continue;
      const isValue = node === tool?.nameNode || (tool === undefined && node.kind !== 'object');
      report({
        node,
        span,
        message: isValue
          ? t('The name must be a string.')
          : tool === undefined
            ? t('This namespace has no "name", so its tools cannot be called.')
            : t('This tool has no "name", so the model cannot call it.'),
      });
    }
    const named = [...set.tools.filter(({ kind }) => kind === 'function' || kind === 'custom'), ...set.namespaces];
    for (const { name, nameNode } of named) {
      if (nameNode !== undefined && name !== undefined && name.trim() === '') {
        report({ node: nameNode, message: t('The name is empty, so the model cannot call it.') });
      }
    }
  },
};
