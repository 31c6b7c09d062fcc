import { declaredDraft } from '../../schema/dialect';
import { INFORMING, KEYWORD_VALUES, type KeywordValue } from '../../schema/keywords';
import {
  appendItem,
  changeObject,
  insertProperty,
  joinEdits,
  removeItem,
  removeProperty,
  replaceValue,
} from '../../text/edits';
import { emitString } from '../../text/emit';
import type { Fix, Level } from '../../text/finding';
import type { JsonNode, JsonProperty } from '../../text/json';
import { effectiveProperties } from '../../text/jsonTree';
import { type Message, t } from '../../text/message';
import { formatLike } from '../../text/style';
import type { Rule, SiteContext } from '../rule';
import { kindOf } from './common';

/** What the meta-schemas of JSON Schema, draft 4 to 2020-12, say of the values of keywords. */
export const invalidKeywordValue: Rule = {
  id: 'schema/invalid-keyword-value',
  section: 'schema',
  summary: 'A keyword has a value of the wrong kind',
  levels: { all: 'error' },
  outputSchemas: true,
  site(context) {
    const { node } = context.site;
    if (node.kind !== 'object') return;
    for (const property of effectiveProperties(node)) {
      const wanted = KEYWORD_VALUES.get(property.key);
      if (wanted === undefined) continue;
      const fault = faultOf(wanted, property.value!, property.key);
      if (fault !== undefined) judge(context, property, fault);
    }
  },
};

/** The node that is wrong, and what must stand there. */
interface Fault {
  readonly node: JsonNode;
  readonly wanted: Message;
  readonly found?: Message;
}

function judge(context: SiteContext, property: JsonProperty, fault: Fault): void {
  const { key } = property;
  const draft = declaredDraft(context.root);
  if (property.value!.kind === 'boolean') {
    if (key === 'required') {
      if (draft !== 3) reportRequiredFlag(context, property);
      return;
    }
    if (key === 'exclusiveMinimum' || key === 'exclusiveMaximum') {
      if (draft === undefined || draft > 4) reportExclusiveFlag(context, property);
      return;
    }
  }
  const level: Level | undefined = INFORMING.has(key) ? 'warning' : undefined;
  const { node, wanted, found = kindOf(node) } = fault;
  const message =
    node.kind === 'null' && node === property.value
      ? t('"{0}" must be {1}, but it is null. Leave it out where there is nothing to say.', key, wanted)
      : t('"{0}" must be {1}, but this is {2}.', key, wanted, found);
  context.report({ node, message, fixes: fixesOf(context, property, fault), ...(level && { level }) });
}

function faultOf(wanted: KeywordValue, node: JsonNode, key: string): Fault | undefined {
  switch (wanted) {
    case 'types':
      return typesFault(node);
    case 'text':
      return node.kind === 'string' ? undefined : { node, wanted: t('a string') };
    case 'flag':
      return node.kind === 'boolean' ? undefined : { node, wanted: t('true or false') };
    case 'list':
      return node.kind === 'array' ? undefined : { node, wanted: t('a list') };
    case 'number':
      return node.kind === 'number' ? undefined : { node, wanted: t('a number') };
    case 'positive':
      return numberFault(node, (value) => value > 0, t('a number above 0'));
    case 'count':
      return numberFault(node, (value) => value >= 0 && !(value % 1 > 0), t('a whole number from 0 on'));
    case 'names':
      return namesFault(node);
    case 'name-lists':
      if (node.kind !== 'object') return { node, wanted: t('an object with lists of property names') };
      return firstFault(effectiveProperties(node).map(({ value }) => namesFault(value!)));
    case 'schema-map':
      if (node.kind === 'object') {
        // Draft 4 to 7: an entry of `dependencies` is a schema or a list of names.
        const lists =
          key === 'dependencies' ? effectiveProperties(node).filter(({ value }) => value!.kind === 'array') : [];
        return firstFault(lists.map(({ value }) => namesFault(value!)));
      }
      return { node, wanted: t('an object with a schema for each name') };
    case 'schema-list':
      if (node.kind !== 'array') return { node, wanted: t('a list of schemas') };
      return node.items.length > 0
        ? undefined
        : { node, wanted: t('a list with at least one schema'), found: t('an empty list') };
  }
}

function firstFault(faults: readonly (Fault | undefined)[]): Fault | undefined {
  return faults.find((fault) => fault !== undefined);
}

/** A number that is none (`bad-number` in half-typed text) is no fault of the schema. */
function numberFault(node: JsonNode, fits: (value: number) => boolean, wanted: Message): Fault | undefined {
  const value = Number(node.text);
  if (node.kind === 'number')
    return Number.isNaN(value) || fits(value) ? undefined : { node, wanted, found: t('{0}', node.text) };
  return { node, wanted };
}

function typesFault(node: JsonNode): Fault | undefined {
  const wanted = t('a type or a list of types');
  if (node.kind === 'string') return undefined;
  if (node.kind !== 'array') return { node, wanted };
  if (node.items.length === 0) return { node, wanted, found: t('an empty list') };
  return itemsFault(node, wanted);
}

function namesFault(node: JsonNode): Fault | undefined {
  const wanted = t('a list of property names');
  return node.kind === 'array' ? itemsFault(node, wanted) : { node, wanted };
}

/** Strings, each once. */
function itemsFault(list: JsonNode, wanted: Message): Fault | undefined {
  const seen = new Set<string>();
  for (const node of list.items) {
    if (node.kind !== 'string') return { node, wanted };
    if (seen.has(node.text)) return { node, wanted, found: t('"{0}" for the second time', node.text) };
    seen.add(node.text);
  }
  return undefined;
}

/** The one right edit where there is one: null says nothing, and some values only have the wrong quotes. */
function fixesOf({ document: { text } }: SiteContext, property: JsonProperty, { node }: Fault): Fix[] {
  const { key } = property;
  const fix = (title: Message, edits: Fix['edits'], safe = false): Fix[] => [
    { title, safe, preferred: true, kind: 'quickfix', edits },
  ];
  if (node !== property.value) {
    const list = node.parent;
    const again = list?.items.findIndex((item) => item.kind === 'string' && item.text === node.text) ?? -1;
    if (node.kind !== 'string' || list === undefined || again >= node.index) return [];
    return fix(t('Remove the repetition'), () => removeItem(text, node), true);
  }
  if (node.kind === 'null') return fix(t('Remove "{0}"', key), () => removeProperty(text, property), key !== 'type');
  const wanted = KEYWORD_VALUES.get(key);
  if (node.kind !== 'string') return [];
  if (wanted === 'names') {
    return fix(t('Write it as a list'), () => replaceValue(node, formatLike(text, undefined, [node.text])));
  }
  if (wanted === 'flag' && (node.text === 'true' || node.text === 'false')) {
    return fix(t('Write it without quotes'), () => replaceValue(node, node.text));
  }
  const isNumber = wanted === 'number' || wanted === 'positive' || wanted === 'count';
  if (isNumber && /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(node.text)) {
    const value = Number(node.text);
    const fits = wanted === 'number' || (wanted === 'positive' ? value > 0 : value >= 0 && Number.isInteger(value));
    return fits ? fix(t('Write it without quotes'), () => replaceValue(node, node.text)) : [];
  }
  return [];
}

/** `required: true` in a property is draft 3; since draft 4 the holder lists the names. */
function reportRequiredFlag(context: SiteContext, property: JsonProperty): void {
  const { site, document } = context;
  const name = site.keyword === 'properties' ? site.key : undefined;
  const holder = site.parent?.node;
  const list = holder?.get('required');
  const edits = (): ReturnType<Fix['edits']> => {
    const removal = removeProperty(document.text, property);
    if (property.value!.text === 'false' || name === undefined || holder === undefined) return removal;
    if (list?.value?.kind !== 'array') {
      const names = formatLike(document.text, holder, [name]);
      return joinEdits(
        removal,
        insertProperty(document.text, holder, 'required', names, { after: holder.get('properties') }),
      );
    }
    if (list.value.items.some((item) => item.string === name)) return removal;
    return joinEdits(removal, appendItem(document.text, list.value, emitString(name)));
  };
  const fixable = name !== undefined && (list === undefined || list.value?.kind === 'array');
  context.report({
    node: property.value!,
    message: t(
      '"required" must be a list of property names. A flag in the property itself is JSON Schema draft 3; today the object that holds the property lists it.',
    ),
    fixes: fixable
      ? [{ title: t('Move it to the list of the object'), safe: false, preferred: true, kind: 'quickfix', edits }]
      : [],
  });
}

/** `exclusiveMinimum: true` beside `minimum` is draft 4 and OpenAPI 3.0; since draft 6 the keyword holds the limit. */
function reportExclusiveFlag(context: SiteContext, property: JsonProperty): void {
  const { site, document } = context;
  const plain = property.key === 'exclusiveMinimum' ? 'minimum' : 'maximum';
  const limit = site.node.get(plain);
  const exclusive = property.value!.text === 'true';
  const fix: Fix = {
    title: exclusive ? t('Write the limit as "{0}"', property.key) : t('Remove "{0}"', property.key),
    safe: false,
    preferred: true,
    kind: 'quickfix',
    edits: () =>
      exclusive && limit?.value !== undefined
        ? changeObject(document.text, site.node, { remove: [limit, property], add: [[property.key, limit.value.text]] })
        : removeProperty(document.text, property),
  };
  context.report({
    node: property.value!,
    level: 'warning',
    message: t(
      '"{0}" must be a number since draft 6: the limit itself. A flag beside "{1}" is draft 4 and OpenAPI 3.0, and validators of today refuse it.',
      property.key,
      plain,
    ),
    fixes: exclusive && limit?.value?.kind !== 'number' ? [] : [fix],
  });
}
