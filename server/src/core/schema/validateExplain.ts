import { fullFormats } from 'ajv-formats/dist/formats.js';
import { JsonNode, type JsonProperty } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { t } from '../text/message';
import { combineArms, declaredNames, type UnionArm } from './validateArms';
import {
  constraintFault,
  enumFault,
  isOfType,
  requiredFault,
  type SchemaFault,
  typeFault,
  unknownFault,
} from './validateFaults';
import type { Form, Forms } from './validateForms';
import { limitFault } from './validateLimits';
import { sameExactly } from './validateSame';
import { foundText, quoted } from './validateWords';

/** Schemas within schemas, and values within values, followed this deep. */
const DEEPEST = 1_000;
/** Pairs of a schema and a value that are looked at. */
const MOST_PAIRS = 1_000_000;

/** The value or the schema is too much to be explained. */
export class TooMuch extends Error {}

const NONE: readonly SchemaFault[] = [];

/**
 * Finds the faults of one value, each at the innermost place and once, with unions reduced to the arm that the value is
 * most like. Made for one value and thrown away.
 */
export class Explainer {
  readonly #memo = new Map<Form, Map<JsonNode, readonly SchemaFault[]>>();
  #pairs = 0;
  #depth = 0;
  /** Forms that the value has met, for the notes about what is not enforced. */
  readonly met = new Set<Form>();

  constructor(readonly forms: Forms) {}

  faults(form: Form, node: JsonNode): readonly SchemaFault[] {
    // A schema that hands the value on to no other one cannot come back to itself, and is not asked often.
    if (form.plain) return this.#count(form, node);
    let known = this.#memo.get(form);
    if (known === undefined) {
      known = new Map();
      this.#memo.set(form, known);
    }
    const before = known.get(node);
    if (before !== undefined) return before;
    // A schema that comes back to itself at the same value says nothing more.
    known.set(node, NONE);
    const found = this.#count(form, node);
    known.set(node, found);
    return found;
  }

  /** Judges within the limits. */
  #count(form: Form, node: JsonNode): readonly SchemaFault[] {
    if (++this.#pairs > MOST_PAIRS || this.#depth > DEEPEST) throw new TooMuch();
    if (form.always !== undefined) return form.always ? NONE : [this.#nothing(form, node)];
    this.#depth++;
    const found = this.#judge(form, node);
    this.#depth--;
    return found;
  }

  #nothing(form: Form, node: JsonNode): SchemaFault {
    return constraintFault(form, node, '', t('The schema allows no value here, and {0} stands here.', foundText(node)));
  }

  /** Whether a schema takes a value. */
  takes(form: Form, node: JsonNode): boolean {
    return this.faults(form, node).length === 0;
  }

  #judge(form: Form, node: JsonNode): readonly SchemaFault[] {
    this.met.add(form);
    if (form.types !== undefined && !form.types.some((type) => isOfType(node, type))) {
      return [typeFault(form, node, form.types)];
    }
    const found: SchemaFault[] = [];
    if (form.enum !== undefined && !form.enum.some((value) => sameExactly(value, node))) {
      found.push(enumFault(form, node, form.enum));
    } else if (form.const !== undefined && !sameExactly(form.const, node)) {
      found.push(enumFault(form, node, [form.const], 'const'));
    }
    this.#limits(form, node, found);
    if (node.kind === 'string') this.#string(form, node, found);
    if (form.ref !== undefined) addAll(found, this.faults(form.ref, node));
    for (const part of form.allOf) addAll(found, this.faults(part, node));
    this.#unions(form, node, found);
    if (node.kind === 'object') this.#object(form, node, found);
    if (node.kind === 'array') this.#array(form, node, found);
    return found.length < 2 ? found : withoutRepeats(found);
  }

  #limits(form: Form, node: JsonNode, found: SchemaFault[]): void {
    for (const [keyword, limit] of form.limits) {
      const fault = limitFault(form, node, keyword, limit);
      if (fault !== undefined) found.push(fault);
    }
  }

  #string(form: Form, node: JsonNode, found: SchemaFault[]): void {
    const { pattern, format } = form;
    if (pattern?.test?.(node.text) === false) {
      found.push(
        constraintFault(
          form,
          node,
          'pattern',
          t('{0} does not match the pattern {1}.', quoted(node.text), pattern.source),
        ),
      );
    }
    if (format !== undefined && !fitsFormat(format, node.text)) {
      found.push(constraintFault(form, node, 'format', t('{0} is not of the format {1}.', quoted(node.text), format)));
    }
  }

  #unions(form: Form, node: JsonNode, found: SchemaFault[]): void {
    if (form.anyOf.length > 0) this.#union(form, node, 'anyOf', form.anyOf, found);
    if (form.oneOf.length > 0) this.#union(form, node, 'oneOf', form.oneOf, found);
    if (form.not !== undefined && this.takes(form.not, node)) {
      found.push(constraintFault(form, node, 'not', t('The schema excludes this value by "not".')));
    }
    if (form.condition === undefined) return;
    const branch = this.takes(form.condition, node) ? form.whenTrue : form.whenFalse;
    if (branch !== undefined) addAll(found, this.faults(branch, node));
  }

  #union(form: Form, node: JsonNode, keyword: 'anyOf' | 'oneOf', arms: readonly Form[], found: SchemaFault[]): void {
    const judged: UnionArm[] = arms.map((arm) => ({ form: arm, faults: this.faults(arm, node) }));
    const taking = judged.filter(({ faults }) => faults.length === 0);
    if (taking.length === 0) addAll(found, combineArms(form, node, keyword, judged));
    else if (keyword === 'oneOf' && taking.length > 1) {
      const message = t(
        'The value fits {0} of the alternatives of "oneOf", and exactly one is allowed.',
        taking.length,
      );
      found.push(constraintFault(form, node, keyword, message));
    }
  }

  #object(form: Form, node: JsonNode, found: SchemaFault[]): void {
    const members = effectiveProperties(node);
    const declared = (): string[] => [...(form.properties?.keys() ?? [])];
    for (const name of new Set(form.required)) {
      if (!node.has(name)) found.push(requiredFault(form, node, name));
    }
    for (const [name, needed] of form.dependentRequired) {
      if (!node.has(name)) continue;
      for (const each of needed) {
        if (!node.has(each)) found.push(requiredFault(form, node, each, 'dependentRequired'));
      }
    }
    for (const [name, dependent] of form.dependentSchemas) {
      if (node.has(name)) addAll(found, this.faults(dependent, node));
    }
    for (const { key, value } of members) {
      const property = form.properties?.get(key);
      if (property !== undefined) addAll(found, this.faults(property, value!));
      const matching = form.patternProperties.filter(({ pattern }) => pattern.test?.(key) === true);
      for (const each of matching) addAll(found, this.faults(each.form, value!));
      if (property === undefined && matching.length === 0 && form.additionalProperties !== undefined) {
        addAll(found, this.#beyond(form, form.additionalProperties, value!, declared, 'additionalProperties'));
      }
    }
    if (form.propertyNames !== undefined) {
      for (const member of members) addAll(found, this.#nameFaults(form, form.propertyNames, member));
    }
    if (form.unevaluatedProperties !== undefined) this.#unevaluated(form, node, members, found);
  }

  #beyond(
    form: Form,
    rest: Form,
    value: JsonNode,
    declared: () => readonly string[],
    keyword: string,
  ): readonly SchemaFault[] {
    return rest.always === false ? [unknownFault(form, value, declared, keyword)] : this.faults(rest, value);
  }

  #nameFaults(form: Form, names: Form, { key, keyStart, value }: JsonProperty): SchemaFault[] {
    const name = new JsonNode('string', keyStart, keyStart, undefined, -1, key);
    return this.takes(names, name)
      ? []
      : [
          constraintFault(
            form,
            value!,
            'propertyNames',
            t('The schema does not allow {0} as the name of a property.', quoted(key)),
          ),
        ];
  }

  #unevaluated(form: Form, node: JsonNode, members: readonly JsonProperty[], found: SchemaFault[]): void {
    const evaluated = this.#evaluatedProperties(form, node, true);
    if (evaluated === 'all') return;
    const declared = (): string[] => [...declaredNames(form, { unions: true }).names];
    for (const { key, value } of members) {
      if (evaluated.has(key)) continue;
      addAll(found, this.#beyond(form, form.unevaluatedProperties!, value!, declared, 'unevaluatedProperties'));
    }
  }

  /** Keys that a schema and the parts of it which take the object look at. */
  #evaluatedProperties(form: Form, node: JsonNode, top: boolean, seen = new Set<Form>()): Set<string> | 'all' {
    const keys = new Set<string>();
    if (form.always !== undefined || seen.has(form)) return keys;
    seen.add(form);
    if (form.additionalProperties !== undefined || (!top && form.unevaluatedProperties !== undefined)) return 'all';
    for (const { key } of effectiveProperties(node)) {
      const matching = form.patternProperties.some(({ pattern }) => pattern.test?.(key) === true);
      if (form.properties?.has(key) === true || matching) keys.add(key);
    }
    for (const part of this.applied(form, node)) {
      const more = this.#evaluatedProperties(part, node, false, seen);
      if (more === 'all') return 'all';
      for (const key of more) keys.add(key);
    }
    return keys;
  }

  /** Schemas for the same value that hold within a schema. */
  applied(form: Form, node: JsonNode): Form[] {
    const parts = [...form.allOf, ...(form.ref === undefined ? [] : [form.ref])];
    for (const arm of [...form.anyOf, ...form.oneOf]) if (this.takes(arm, node)) parts.push(arm);
    for (const [name, dependent] of form.dependentSchemas) if (node.has(name)) parts.push(dependent);
    if (form.condition !== undefined) {
      const holds = this.takes(form.condition, node);
      if (holds) parts.push(form.condition);
      const branch = holds ? form.whenTrue : form.whenFalse;
      if (branch !== undefined) parts.push(branch);
    }
    return parts;
  }

  #array(form: Form, node: JsonNode, found: SchemaFault[]): void {
    const { prefixItems, items } = form;
    node.items.forEach((item, index) => {
      const schema = prefixItems[index] ?? items;
      if (schema !== undefined) addAll(found, this.faults(schema, item));
    });
    if (form.contains !== undefined) this.#contains(form, form.contains, node, found);
    if (form.uniqueItems) this.#unique(form, node, found);
    if (form.unevaluatedItems === undefined) return;
    const evaluated = this.#evaluatedItems(form, node, true);
    node.items.forEach((item, index) => {
      if (evaluated.has(index)) return;
      const rest = form.unevaluatedItems!;
      if (rest.always !== false) addAll(found, this.faults(rest, item));
      else found.push(constraintFault(form, item, 'unevaluatedItems', t('The schema allows no item here.')));
    });
  }

  #contains(form: Form, contains: Form, node: JsonNode, found: SchemaFault[]): void {
    const fitting = node.items.filter((item) => this.takes(contains, item)).length;
    if (fitting < form.minContains) {
      const message = t('{0} items fit what "contains" asks for, and at least {1} must.', fitting, form.minContains);
      found.push(constraintFault(form, node, 'contains', message));
    } else if (form.maxContains !== undefined && fitting > form.maxContains) {
      const message = t('{0} items fit what "contains" asks for, and at most {1} may.', fitting, form.maxContains);
      found.push(constraintFault(form, node, 'maxContains', message));
    }
  }

  #unique(form: Form, node: JsonNode, found: SchemaFault[]): void {
    const second = repeatedItem(node);
    if (second === undefined) return;
    found.push(
      constraintFault(
        form,
        second,
        'uniqueItems',
        t('This item stands in the array twice, and every item must be another.'),
      ),
    );
  }

  #evaluatedItems(form: Form, node: JsonNode, top: boolean, seen = new Set<Form>()): Set<number> {
    const indexes = new Set<number>();
    if (form.always !== undefined || seen.has(form)) return indexes;
    seen.add(form);
    const all = form.items !== undefined || (!top && form.unevaluatedItems !== undefined);
    node.items.forEach((item, index) => {
      if (all || index < form.prefixItems.length) indexes.add(index);
      else if (form.contains !== undefined && this.takes(form.contains, item)) indexes.add(index);
    });
    for (const part of this.applied(form, node)) {
      for (const index of this.#evaluatedItems(part, node, false, seen)) indexes.add(index);
    }
    return indexes;
  }
}

/** Spreading a list of many thousands into a call would overflow the stack. */
function addAll(found: SchemaFault[], more: readonly SchemaFault[]): void {
  for (const fault of more) found.push(fault);
}

/** The first item that equals one before it. */
function repeatedItem(node: JsonNode): JsonNode | undefined {
  const seen = new Map<string, JsonNode[]>();
  for (const item of node.items) {
    const key =
      item.kind === 'number'
        ? `number ${Number(item.text)}`
        : `${item.kind} ${item.text} ${item.items.length} ${item.properties.length}`;
    const like = seen.get(key);
    if (like === undefined) seen.set(key, [item]);
    else if (like.some((each) => sameExactly(each, item))) return item;
    else like.push(item);
  }
  return undefined;
}

/** One fault of a kind about a place is enough, however many schemas say it. */
function withoutRepeats(faults: readonly SchemaFault[]): readonly SchemaFault[] {
  if (faults.length < 2) return faults;
  const seen = new Map<JsonNode, Set<string>>();
  return faults.filter((fault) => {
    const { kind, node, keyword, missing } = fault;
    const key =
      kind === 'type' || kind === 'stringified' || kind === 'unknown-property'
        ? kind
        : JSON.stringify([kind, keyword, missing ?? fault.message]);
    const keys = seen.get(node);
    if (keys === undefined) seen.set(node, new Set([key]));
    else if (keys.has(key)) return false;
    else keys.add(key);
    return true;
  });
}

function fitsFormat(format: string, text: string): boolean {
  if (!Object.hasOwn(fullFormats, format)) return true;
  const known = fullFormats[format as keyof typeof fullFormats];
  if (typeof known === 'boolean') return known;
  if (known instanceof RegExp) return known.test(text);
  if (typeof known === 'function') return known(text) as boolean;
  const { validate, type } = known as { validate: unknown; type?: string };
  if (type === 'number') return true;
  return validate instanceof RegExp ? validate.test(text) : (validate as (value: string) => boolean)(text);
}
