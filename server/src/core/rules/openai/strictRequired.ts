import { appendItem, insertProperty, joinEdits, removeItem, replaceValue } from '../../text/edits';
import type { TextEdit } from '../../text/finding';
import type { JsonNode, JsonProperty } from '../../text/json';
import { effectiveProperties } from '../../text/jsonTree';
import { t } from '../../text/message';
import { formatLike } from '../../text/style';
import { list } from '../../text/words';
import type { Rule, SiteContext } from '../rule';
import { inputReferences, isJudgedBeside, isObjectSchema } from './common';
import { allowNull, takesNull } from './nullable';
import { strictSites } from './strictSites';

/** Strict mode wants every property required; what is optional takes null instead. */
export const strictRequired: Rule = {
  id: 'schema/strict-required',
  section: 'openai',
  summary: 'Strict mode wants every property in "required", and nothing else there',
  levels: { openai: 'error' },
  site(context) {
    const { node } = context.site;
    if (!isObjectSchema(node) || !context.memo(strictSites).has(context.site)) return;
    const map = node.value('properties');
    const required = node.value('required');
    // A value of the wrong kind is the concern of another rule.
    if (required !== undefined && required.kind !== 'array') return;
    if (map !== undefined && map.kind !== 'object') return;
    const properties = map === undefined ? [] : effectiveProperties(map);
    const names = new Set(required?.items.map((item) => item.string));
    const missing = properties.filter(({ key }) => !names.has(key));
    if (missing.length > 0) reportMissing(context, node, required, missing);
    const known = new Set(properties.map(({ key }) => key));
    for (const item of required?.items ?? []) {
      if (item.string !== undefined && !known.has(item.string)) reportExtra(context, item);
    }
  },
};

function reportMissing(
  context: SiteContext,
  node: JsonNode,
  required: JsonNode | undefined,
  missing: readonly JsonProperty[],
): void {
  const { text } = context.document;
  const named = list(
    missing.map(({ key }) => `"${key}"`),
    8,
  );
  const references = context.memo(inputReferences);
  context.report({
    node: required ?? node,
    message: t(
      'Strict mode wants every property in "required". Missing: {0}. Let what is optional take null, so that the model can still leave it out.',
      named,
    ),
    // What several schemas say of one value, one of them cannot change alone.
    fixes: isJudgedBeside(context.site, references)
      ? []
      : [
          {
            title: t('Require {0}, with null for what was optional', named),
            safe: false,
            preferred: true,
            kind: 'quickfix',
            edits: () => requireAll(text, node, required, missing, (value) => takesNull(value, references)),
          },
        ],
  });
}

function requireAll(
  text: string,
  node: JsonNode,
  required: JsonNode | undefined,
  missing: readonly JsonProperty[],
  isNullable: (schema: JsonNode) => boolean,
): TextEdit[] {
  const names = missing.map(({ key }) => JSON.stringify(key));
  const listed =
    required === undefined
      ? insertProperty(text, node, 'required', `[${names.join(', ')}]`, { after: node.get('properties') })
      : appendItem(text, required, names.join(', '));
  const nullable = missing.map(({ value }) => {
    // What never had a value is always null from then on.
    if (value!.boolean === false) return replaceValue(value!, formatLike(text, value!.parent, { type: 'null' }));
    return value!.kind === 'object' && !isNullable(value!) ? allowNull(text, value!) : [];
  });
  return joinEdits(...nullable, listed);
}

function reportExtra({ document, report }: SiteContext, item: JsonNode): void {
  report({
    node: item,
    message: t('"{0}" is required but not among the properties, which strict mode refuses.', item.string!),
    fixes: [
      {
        title: t('Take "{0}" out of "required"', item.string!),
        safe: false,
        preferred: true,
        kind: 'quickfix',
        edits: () => removeItem(document.text, item),
      },
    ],
  });
}
