import { t } from '../../../text/message';
import type { Rule } from '../../rule';
import { reachableSchemas } from '../../schema/common';
import { enumValues } from './common';

/** Null is no string either; Gemini says it with `nullable`. */
export const enumNull: Rule = {
  id: 'gemini/enum-null',
  section: 'portability',
  summary: 'An "enum" has null among its values',
  levels: { gemini: 'warning' },
  site(context) {
    if (!context.memo(reachableSchemas).has(context.site.node)) return;
    const node = enumValues(context.site.node).find(({ kind }) => kind === 'null');
    if (node === undefined) return;
    context.report({
      node,
      message: t(
        'Gemini takes only strings in "enum" and refuses the request for null. It says the same with "nullable": true.',
      ),
    });
  },
};
