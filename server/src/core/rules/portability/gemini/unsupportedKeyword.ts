import { GEMINI_JSON_SCHEMA_KEYWORDS, GEMINI_SCHEMA_KEYWORDS } from '../../../profiles/gemini';
import type { SchemaSite } from '../../../schema/sites';
import { changeObject, renameKey } from '../../../text/edits';
import { emitString } from '../../../text/emit';
import type { Fix } from '../../../text/finding';
import type { JsonProperty } from '../../../text/json';
import { effectiveProperties } from '../../../text/jsonTree';
import { type Message, t } from '../../../text/message';
import type { Rule, SiteContext } from '../../rule';
import { reachableSchemas } from '../../schema/common';
import { isJsonSchemaForGemini } from './common';

/** Gemini refuses a request with a keyword that its schema type lacks: "Unknown name … Cannot find field". */
export const unsupportedKeyword: Rule = {
  id: 'gemini/unsupported-keyword',
  section: 'portability',
  summary: 'A keyword that the schema type of Gemini lacks',
  levels: { gemini: 'warning' },
  site(context) {
    const { site, tool } = context;
    // Definitions that nothing uses are told once, by the table itself.
    if (site.node.kind !== 'object' || isBelowUnsupported(site)) return;
    if (!context.memo(reachableSchemas).has(site.node)) return;
    const direct = isJsonSchemaForGemini(tool);
    const known = direct ? GEMINI_JSON_SCHEMA_KEYWORDS : GEMINI_SCHEMA_KEYWORDS;
    for (const property of effectiveProperties(site.node)) {
      if (known.has(property.key)) continue;
      context.report({
        node: property.value!,
        message: messageOf(property, direct),
        fixes: fixesOf(context, property),
      });
    }
  },
};

/** Schemas of a keyword that is reported itself are not judged once more, but for those that may be kept in another way. */
const PASSED_ON: ReadonlySet<string> = new Set([
  'properties',
  'items',
  'anyOf',
  'oneOf',
  'allOf',
  '$defs',
  'definitions',
  'prefixItems',
]);

function isBelowUnsupported(site: SchemaSite): boolean {
  for (let each: SchemaSite | undefined = site; each?.keyword !== undefined; each = each.parent) {
    if (!PASSED_ON.has(each.keyword)) return true;
  }
  return false;
}

function messageOf({ key }: JsonProperty, direct: boolean): Message {
  if (direct) return t('Gemini does not read "{0}" in "parametersJsonSchema".', key);
  switch (key) {
    case 'additionalProperties':
      return t(
        'The schema type of Gemini has no "additionalProperties", and the request is refused for it. OpenAI\'s strict mode needs it, so keep it here and leave it out in an export of its own for Gemini.',
      );
    case 'const':
      return t(
        'The schema type of Gemini has no "const", and the request is refused for it. An "enum" with one value says the same.',
      );
    case 'oneOf':
      return t('The schema type of Gemini has no "oneOf", and the request is refused for it. It has "anyOf".');
    case '$ref':
    case '$defs':
    case 'definitions':
      return t(
        'The schema type of Gemini has no references: "{0}" is refused. What is referred to must be written out, by hand or by the client.',
        key,
      );
    default:
      return t(
        'The schema type of Gemini has no "{0}", and the request is refused for it. Leave it out in "parameters", or send the schema as "parametersJsonSchema".',
        key,
      );
  }
}

function fixesOf({ site: { node }, document: { text } }: SiteContext, property: JsonProperty): Fix[] {
  const { key } = property;
  const value = property.value!;
  const fix = (title: Message, safe: boolean, edits: Fix['edits']): Fix[] => [
    { title, safe, preferred: true, kind: 'quickfix', edits },
  ];
  if (key === 'const' && value.kind === 'string' && !node.has('enum')) {
    return fix(t('Write it as "enum"'), true, () =>
      changeObject(text, node, { remove: [property], add: [['enum', `[${emitString(value.text)}]`]] }),
    );
  }
  if (key === 'oneOf' && !node.has('anyOf')) {
    return fix(t('Write it as "anyOf"'), false, () => renameKey(property, 'anyOf'));
  }
  const plain = key === 'exclusiveMinimum' ? 'minimum' : key === 'exclusiveMaximum' ? 'maximum' : undefined;
  const limit = Number(value.text);
  if (plain !== undefined && value.kind === 'number' && Number.isSafeInteger(limit) && !node.has(plain)) {
    if (node.value('type')?.string !== 'integer') return [];
    const next = String(key === 'exclusiveMinimum' ? limit + 1 : limit - 1);
    return fix(t('Write it as "{0}": {1}', plain, next), true, () =>
      changeObject(text, node, { remove: [property], add: [[plain, next]] }),
    );
  }
  return [];
}
