import { emitString } from '../../text/emit';
import type { Fix } from '../../text/finding';
import type { JsonProperty } from '../../text/json';
import { keySpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { liveEvents } from './common';

/** Codex has no `const` on the wire (0.171.0, observed). */
export const constToEnum: Rule = {
  id: 'codex/const-to-enum',
  section: 'codex',
  summary: 'const is sent as an enum of one value',
  levels: { codex: 'hint' },
  tool(context) {
    for (const { property, replaced } of liveEvents(context, 'const-to-enum')) {
      context.report({
        node: property!.value!,
        span: keySpan(property!),
        message:
          replaced === true
            ? t('"const" is sent as an enum of one value, and the enum beside it is lost.')
            : t('"const" is sent as an enum of one value.'),
        // At the root an enum is refused, and the other rules know it by that name.
        fixes:
          replaced === true || property!.owner === context.tool.schemaNode
            ? []
            : [asEnum(context.document.text, property!)],
      });
    }
  },
};

/** The same in the form in which it goes out. Nothing but key and brackets changes. */
function asEnum(text: string, property: JsonProperty): Fix {
  return {
    title: t('Write it as an enum of one value'),
    safe: true,
    preferred: true,
    kind: 'quickfix',
    edits: () => {
      const { offset, end } = property.value!;
      return [
        { span: keySpan(property), newText: emitString('enum') },
        { span: { start: offset, end }, newText: `[${text.slice(offset, end)}]` },
      ];
    },
  };
}
