import type { JsonNode, JsonProperty } from '../../text/json';
import { keySpan, walkJson } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { BaseContext, Report, Rule } from '../rule';

/** A key that stands twice in an object: every reader keeps the last value only. */
export const duplicateKey: Rule = {
  id: 'json/duplicate-key',
  section: 'file',
  summary: 'A key stands twice in an object, and only its last value counts',
  levels: { all: 'warning' },
  // Tools are walked one by one, so that those that did not change cost nothing.
  file(context) {
    const { root } = context.document;
    if (root === undefined) return;
    const tools = new Set(context.set.tools.map((tool) => tool.node));
    walkJson(root, (node) => {
      if (tools.has(node)) return false;
      return checkObject(node, context);
    });
  },
  tool(context) {
    walkJson(context.tool.node, (node) => checkObject(node, context));
  },
};

function checkObject(node: JsonNode, context: BaseContext): void {
  const { properties } = node;
  if (properties.length < 2 || !hasRepeats(properties)) return;
  const first = new Map<string, JsonProperty>();
  for (const property of properties) {
    const earlier = first.get(property.key);
    if (earlier === undefined) first.set(property.key, property);
    else context.report(repeated(property, earlier));
  }
}

/** Comparing a few keys with each other is faster than a set. */
function hasRepeats(properties: readonly JsonProperty[]): boolean {
  if (properties.length > 12) return new Set(properties.map(({ key }) => key)).size < properties.length;
  for (let i = 1; i < properties.length; i++) {
    for (let j = 0; j < i; j++) if (properties[i]!.key === properties[j]!.key) return true;
  }
  return false;
}

function repeated(property: JsonProperty, earlier: JsonProperty): Report {
  return {
    node: property.value ?? property.owner,
    span: keySpan(property),
    message: t('"{0}" stands more than once in this object, and only its last value counts.', property.key),
    related: [{ span: keySpan(earlier), message: t('"{0}" stands here first.', property.key) }],
  };
}
