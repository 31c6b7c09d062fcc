import type { JsonNode, JsonProperty } from '../../text/json';
import { nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { followed, inputReferences, isObjectSchema } from './common';
import { strictSites } from './strictSites';

/** Branches of a union that start with the same key, so that the model has to choose before it can. */
export const strictUnion: Rule = {
  id: 'schema/strict-union',
  section: 'openai',
  summary: 'Object branches of a union start with the same key',
  levels: { openai: 'warning' },
  site({ site, memo, report }) {
    const arms = site.node.value('anyOf');
    if (arms?.kind !== 'array' || arms.items.length < 2 || !memo(strictSites).has(site)) return;
    const references = memo(inputReferences);
    const byKey = new Map<string, JsonProperty[]>();
    for (const arm of arms.items) {
      const branch = followed(arm, references);
      const first = isObjectSchema(branch) ? branch.value('properties')?.properties[0] : undefined;
      if (first === undefined) continue;
      const others = byKey.get(first.key);
      if (others === undefined) byKey.set(first.key, [first]);
      else others.push(first);
    }
    for (const [key, firsts] of byKey) {
      if (firsts.length < 2 || tellsApart(firsts)) continue;
      report({
        node: arms,
        message: t(
          '{0} branches of this union start with the key "{1}". Strict mode refuses that at times. Start each with a key of its own, or with one that has another constant in each branch.',
          firsts.length,
          key,
        ),
        related: firsts.map((property) => ({
          span: nodeSpan(property.value ?? property.owner),
          message: t('This branch starts with "{0}".', key),
        })),
      });
    }
  },
};

/** Whether the first key has a constant in every branch, and another one in each. */
function tellsApart(firsts: readonly JsonProperty[]): boolean {
  const constants = firsts.map(({ value }) => constantOf(value));
  return constants.every((each) => each !== undefined) && new Set(constants).size === constants.length;
}

function constantOf(schema: JsonNode | undefined): string | undefined {
  const values = schema?.value('enum');
  const constant = schema?.value('const') ?? (values?.items.length === 1 ? values.items[0] : undefined);
  return constant === undefined ? undefined : `${constant.kind} ${constant.text}`;
}
