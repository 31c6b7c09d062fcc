import { headSpan, nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { Rule } from '../rule';

/** A tool about which the model learns nothing but its name. */
export const missingDescription: Rule = {
  id: 'tool/missing-description',
  section: 'file',
  summary: 'A tool has no description, so nothing tells the model when to use it',
  levels: { all: 'warning' },
  tool({ tool, report }) {
    if (tool.kind !== 'function' && tool.kind !== 'custom') return;
    const node = tool.descriptionNode;
    if (node === undefined || node.kind === 'null') {
      report({
        node: tool.body,
        span: tool.nameNode === undefined ? headSpan(tool.body) : nodeSpan(tool.nameNode),
        message: t('This tool has no description, so nothing tells the model when to use it.'),
      });
    } else if (node.string?.trim() === '') {
      report({ node, message: t('The description is empty, so nothing tells the model when to use this tool.') });
    } else if (node.kind !== 'string') report({ node, message: t('The description must be a string.') });
  },
};
