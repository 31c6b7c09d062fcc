import { ANTHROPIC_PROPERTY_KEY, ANTHROPIC_PROPERTY_KEY_LENGTH } from '../../../profiles/anthropic';
import { joinEdits, renameKey, replaceValue } from '../../../text/edits';
import { emitString } from '../../../text/emit';
import type { Fix } from '../../../text/finding';
import type { JsonNode, JsonProperty } from '../../../text/json';
import { effectiveProperties } from '../../../text/jsonTree';
import { t } from '../../../text/message';
import type { Rule } from '../../rule';

/** Anthropic refuses a request with such a key; OpenAI and Codex take every name. */
export const propertyKey: Rule = {
  id: 'anthropic/property-key',
  section: 'portability',
  summary: 'The name of a parameter has characters that Anthropic refuses, or is too long',
  levels: { anthropic: 'warning' },
  tool({ tool, report }) {
    const properties = tool.schemaNode?.value('properties');
    if (tool.schemaNode === undefined || properties?.kind !== 'object') return;
    for (const property of effectiveProperties(properties)) {
      if (ANTHROPIC_PROPERTY_KEY.test(property.key)) continue;
      const name = fittingName(property.key);
      const fixable = name !== undefined && !properties.has(name);
      report({
        node: property.value!,
        message: fixable
          ? t(
              'Anthropic takes only letters, digits, "_", "." and "-" in the names of parameters, {0} characters at most. OpenAI and Codex take this one. Name it "{1}" and map it in the handler.',
              ANTHROPIC_PROPERTY_KEY_LENGTH,
              name,
            )
          : t(
              'Anthropic takes only letters, digits, "_", "." and "-" in the names of parameters, {0} characters at most. OpenAI and Codex take this one.',
              ANTHROPIC_PROPERTY_KEY_LENGTH,
            ),
        fixes: fixable ? [rename(tool.schemaNode, property, name)] : [],
      });
    }
  },
};

/** The name with `_` for what is not allowed: `filter[id]` becomes `filter_id`. */
function fittingName(key: string): string | undefined {
  const name = key
    .replace(/[^a-zA-Z0-9_.-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, ANTHROPIC_PROPERTY_KEY_LENGTH);
  return ANTHROPIC_PROPERTY_KEY.test(name) ? name : undefined;
}

/** Calls then carry another name, so the handler must know it. */
function rename(root: JsonNode, property: JsonProperty, name: string): Fix {
  return {
    title: t('Rename the parameter to "{0}"', name),
    safe: false,
    preferred: true,
    kind: 'quickfix',
    edits: () => {
      const required = root.value('required')?.items.filter((item) => item.string === property.key) ?? [];
      return joinEdits(renameKey(property, name), ...required.map((item) => replaceValue(item, emitString(name))));
    },
  };
}
