import { GEMINI_NAME_START } from '../../../profiles/gemini';
import { replaceValue } from '../../../text/edits';
import { emitString } from '../../../text/emit';
import { nodeSpan } from '../../../text/jsonTree';
import { t } from '../../../text/message';
import type { Rule } from '../../rule';

/** The name of a function "must start with a letter or an underscore" (Gemini API reference, `FunctionDeclaration`, 2026). */
export const nameStart: Rule = {
  id: 'gemini/name-start',
  section: 'portability',
  summary: 'The name of a tool starts with neither a letter nor an underscore',
  levels: { gemini: 'warning' },
  tool({ tool, report }) {
    const node = tool.nameNode;
    const name = tool.name;
    if (node === undefined || name === undefined || name === '' || GEMINI_NAME_START.test(name)) return;
    report({
      node,
      span: nodeSpan(node),
      message: t('Names of functions must start with a letter or an underscore for Gemini, which refuses this one.'),
      fixes: [
        {
          title: t('Rename the tool to "{0}"', `_${name}`),
          safe: false,
          preferred: true,
          kind: 'quickfix',
          edits: () => replaceValue(node, emitString(`_${name}`)),
        },
      ],
    });
  },
};
