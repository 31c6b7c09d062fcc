import { t } from '../../../text/message';
import type { Rule } from '../../rule';
import { reachableSchemas } from '../../schema/common';
import { enumValues, isJsonSchemaForGemini } from './common';

/** `Schema.enum` is a list of strings (Gemini API reference, 2026): "Invalid value at … enum[0] (TYPE_STRING), 1". */
export const enumNotString: Rule = {
  id: 'gemini/enum-not-string',
  section: 'portability',
  summary: 'An "enum" has a value that is no string',
  levels: { gemini: 'warning' },
  site(context) {
    if (!context.memo(reachableSchemas).has(context.site.node)) return;
    const direct = isJsonSchemaForGemini(context.tool);
    const wrong = enumValues(context.site.node).filter(
      ({ kind }) => kind !== 'string' && kind !== 'null' && !(direct && kind === 'number'),
    );
    const first = wrong[0];
    if (first === undefined) return;
    context.report({
      node: first,
      message:
        wrong.length === 1
          ? t('Gemini takes only strings in "enum" and refuses the request for this value. It is fine elsewhere.')
          : t(
              'Gemini takes only strings in "enum" and refuses the request for {0} values of this one. They are fine elsewhere.',
              wrong.length,
            ),
    });
  },
};
