import { STRICT_LIMITS } from '../../profiles/openai';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { isStrict } from './common';
import { totals } from './totals';

/** More text in names and values of a schema than strict mode takes. */
export const stringBudget: Rule = {
  id: 'schema/string-budget',
  section: 'openai',
  summary: 'Names and enum values have more characters than strict mode takes',
  levels: { openai: 'error' },
  tool(context) {
    const root = context.tool.schemaNode;
    if (root === undefined || !isStrict(context)) return;
    const { stringCharacters, stringEnums } = context.memo(totals);
    const { stringCharacters: limit, largeEnumValues, largeEnumCharacters } = STRICT_LIMITS;
    if (stringCharacters > limit) {
      context.report({
        node: root,
        message: t(
          'Property names, definition names, enum and const values of this schema have {0} characters together, and strict mode takes {1}.',
          stringCharacters,
          limit,
        ),
      });
    }
    for (const { node, values, characters } of stringEnums) {
      if (values <= largeEnumValues || characters <= largeEnumCharacters) continue;
      context.report({
        node,
        message: t(
          'This enum has {0} values with {1} characters together. Above {2} values strict mode takes {3} characters.',
          values,
          characters,
          largeEnumValues,
          largeEnumCharacters,
        ),
      });
    }
  },
};
