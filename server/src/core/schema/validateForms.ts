import type { JsonNode } from '../text/json';
import { effectiveProperties, pointerOf, walkJson } from '../text/jsonTree';
import { declaredDraft } from './dialect';
import { KEYWORD_VALUES, TYPE_WORDS } from './keywords';
import { referencesOf } from './references';
import type { ValidatePattern } from './validatePattern';
import { compilePattern } from './validatePattern';

/** Bounds of numbers, lengths and counts that a schema may state. */
export type LimitKeyword =
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'multipleOf'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'minProperties'
  | 'maxProperties';

export const LIMITS: readonly LimitKeyword[] = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
];

/** Decimal digits that a double always holds. */
const MOST_DIGITS = 15;

/** Something in a schema that cannot be enforced. */
export interface SchemaNote {
  readonly kind: 'pattern' | 'reference' | 'value' | 'draft';
  /** The keyword, and the text that cannot be used. */
  readonly keyword: string;
  readonly text: string;
  /** JSON Pointer of the keyword from the schema's root. */
  readonly pointer: string;
}

// Most schemas have none of these, and a file may have schemas without number.
const NO_LIMITS: ReadonlyMap<LimitKeyword, JsonNode> = new Map();
const NO_NAMES: ReadonlyMap<string, readonly string[]> = new Map();
const NO_FORMS: ReadonlyMap<string, Form> = new Map();
const NO_NOTES: readonly SchemaNote[] = [];

/**
 * One schema in the words of JSON Schema 2020-12, whatever draft it is written in, with its references followed. Maps
 * stand for objects whose keys are the user's.
 */
export class Form {
  /** For `true`, `false`, and values that are no schema: those accept everything. */
  always: boolean | undefined;
  types: readonly string[] | undefined;
  ref: Form | undefined;
  enum: readonly JsonNode[] | undefined;
  const: JsonNode | undefined;
  limits: ReadonlyMap<LimitKeyword, JsonNode> = NO_LIMITS;
  pattern: ValidatePattern | undefined;
  format: string | undefined;
  properties: ReadonlyMap<string, Form> | undefined;
  patternProperties: readonly { readonly pattern: ValidatePattern; readonly form: Form }[] = [];
  additionalProperties: Form | undefined;
  unevaluatedProperties: Form | undefined;
  propertyNames: Form | undefined;
  required: readonly string[] = [];
  dependentRequired: ReadonlyMap<string, readonly string[]> = NO_NAMES;
  dependentSchemas: ReadonlyMap<string, Form> = NO_FORMS;
  prefixItems: readonly Form[] = [];
  items: Form | undefined;
  unevaluatedItems: Form | undefined;
  contains: Form | undefined;
  minContains = 1;
  maxContains: number | undefined;
  uniqueItems = false;
  allOf: readonly Form[] = [];
  anyOf: readonly Form[] = [];
  oneOf: readonly Form[] = [];
  not: Form | undefined;
  condition: Form | undefined;
  whenTrue: Form | undefined;
  whenFalse: Form | undefined;
  notes: readonly SchemaNote[] = NO_NOTES;
  /** Others refer to it. */
  shared = false;

  /** It hands no value on to another schema for the same value. */
  get plain(): boolean {
    this.#plain ??=
      this.ref === undefined &&
      this.allOf.length + this.anyOf.length + this.oneOf.length === 0 &&
      this.not === undefined &&
      this.condition === undefined;
    return this.#plain;
  }

  #plain: boolean | undefined;

  constructor(
    readonly id: number,
    readonly node: JsonNode,
    /** Steps from the root. */
    readonly depth: number,
  ) {}
}

export interface Forms {
  readonly root: Form;
  readonly node: JsonNode;
  readonly all: readonly Form[];
  /** Whether anything in it cannot be enforced. */
  readonly noted: boolean;
  /** Whether it has numbers that a double may not hold to the last digit. */
  readonly hasLongNumber: boolean;
  /** Whether a property is declared whose name JavaScript's objects treat in a way of their own. */
  readonly hasPrototypeKey: boolean;
}

/** Reads a schema, whatever stands there. Iterative: nesting is limited by memory only. */
export function readForms(node: JsonNode): Forms {
  return new FormReader(node).read();
}

class FormReader {
  readonly #forms = new Map<JsonNode, Form>();
  readonly #all: Form[] = [];
  readonly #references;
  /** `$ref` hides what stands beside it, up to draft 7. */
  readonly #refAlone: boolean;
  #dynamicAnchors: ReadonlyMap<string, JsonNode> | undefined;

  constructor(readonly root: JsonNode) {
    this.#references = referencesOf(root);
    const draft = declaredDraft(root);
    this.#refAlone = draft !== undefined && draft <= 7;
  }

  read(): Forms {
    const root = this.#form(this.root, 0);
    // The list grows while it is walked.
    for (let i = 0; i < this.#all.length; i++) this.#fill(this.#all[i]!);
    const noted = this.#all.some((form) => form.notes.length > 0);
    const hasPrototypeKey = this.#all.some(({ properties }) => properties?.has('__proto__') === true);
    return { root, node: this.root, all: this.#all, noted, hasLongNumber: hasLongNumber(this.root), hasPrototypeKey };
  }

  #form(node: JsonNode, depth: number): Form {
    let form = this.#forms.get(node);
    if (form === undefined) {
      form = new Form(this.#all.length, node, depth);
      this.#forms.set(node, form);
      this.#all.push(form);
    }
    return form;
  }

  #fill(form: Form): void {
    const { node } = form;
    if (node.kind !== 'object') {
      form.always = node.boolean ?? true;
      if (node.kind !== 'boolean') this.#note(form, 'value', 'schema', node.text || node.kind, node);
      return;
    }
    this.#reference(form);
    if (form.ref !== undefined && this.#refAlone && node.has('$ref')) return;
    for (const { key, value } of effectiveProperties(node)) this.#keyword(form, key, value!);
    this.#oldForms(form);
  }

  #reference(form: Form): void {
    const { node } = form;
    const reference = this.#references.at(node);
    let target = reference?.target;
    let keyword = '$ref';
    if (reference === undefined) {
      keyword = node.has('$dynamicRef') ? '$dynamicRef' : '$recursiveRef';
      const text = node.value(keyword)?.string;
      if (text === undefined) return;
      target = text === '#' ? this.root : this.#anchor(text.slice(1));
    }
    if (target === undefined) {
      const value = node.value(keyword)!;
      this.#note(form, 'reference', keyword, value.text, value);
      return;
    }
    const to = this.#form(target, 0);
    to.shared = true;
    form.ref = to;
  }

  /** In one document, the schema that a dynamic reference names is the only one with that anchor. */
  #anchor(name: string): JsonNode | undefined {
    if (this.#dynamicAnchors === undefined) {
      const anchors = new Map<string, JsonNode>();
      for (const { node } of this.#references.sites) {
        const anchor = node.value('$dynamicAnchor')?.string ?? node.value('$anchor')?.string;
        if (anchor !== undefined && !anchors.has(anchor)) anchors.set(anchor, node);
      }
      this.#dynamicAnchors = anchors;
    }
    return this.#dynamicAnchors.get(name);
  }

  #note(form: Form, kind: SchemaNote['kind'], keyword: string, text: string, at: JsonNode): void {
    form.notes = [...form.notes, { kind, keyword, text, pointer: pointerOf(at, this.root) }];
  }

  #keyword(form: Form, key: string, value: JsonNode): void {
    if (KEYWORD_VALUES.has(key) && !this.#fits(key, value)) {
      // What older drafts write differently is read by `#oldForms`.
      const older = (key === 'exclusiveMinimum' || key === 'exclusiveMaximum') && value.kind === 'boolean';
      if (!older)
        this.#note(form, 'value', key, value.kind === 'string' ? `"${value.text}"` : value.text || value.kind, value);
      return;
    }
    const child = (node: JsonNode): Form => this.#form(node, form.depth + 1);
    switch (key) {
      case 'type':
        form.types = (value.kind === 'array' ? value.items : [value]).map(typeWord);
        return;
      case 'enum':
        form.enum = value.items;
        return;
      case 'const':
        form.const = value;
        return;
      case 'pattern':
        form.pattern = compilePattern(value.text);
        if (form.pattern.test === undefined) this.#note(form, 'pattern', key, value.text, value);
        return;
      case 'format':
        form.format = value.text;
        return;
      case 'required':
        form.required = value.items.map(({ text }) => text);
        return;
      case 'properties':
        form.properties = this.#map(value, form.depth);
        return;
      case 'patternProperties':
        form.patternProperties = [...this.#map(value, form.depth)].map(([source, property]) => {
          const pattern = compilePattern(source);
          if (pattern.test === undefined) this.#note(form, 'pattern', key, source, property.node);
          return { pattern, form: property };
        });
        return;
      case 'dependentRequired':
        form.dependentRequired = new Map([
          ...form.dependentRequired,
          ...effectiveProperties(value).map((each) => [each.key, each.value!.items.map(({ text }) => text)] as const),
        ]);
        return;
      case 'dependentSchemas':
        form.dependentSchemas = new Map([...form.dependentSchemas, ...this.#map(value, form.depth)]);
        return;
      case 'dependencies':
        this.#dependencies(form, value);
        return;
      case 'items':
        if (value.kind === 'array') form.prefixItems = value.items.map(child);
        else form.items = child(value);
        return;
      case 'prefixItems':
        form.prefixItems = value.items.map(child);
        return;
      case 'minContains':
        form.minContains = Number(value.text);
        return;
      case 'maxContains':
        form.maxContains = Number(value.text);
        return;
      case 'uniqueItems':
        form.uniqueItems = value.boolean === true;
        return;
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        form[key] = value.items.map(child);
        return;
      case 'additionalProperties':
      case 'unevaluatedProperties':
      case 'unevaluatedItems':
      case 'propertyNames':
      case 'contains':
      case 'not':
        form[key] = child(value);
        return;
      case 'if':
        form.condition = child(value);
        return;
      case 'then':
        form.whenTrue = child(value);
        return;
      case 'else':
        form.whenFalse = child(value);
        return;
      default:
        if ((LIMITS as readonly string[]).includes(key))
          form.limits = new Map([...form.limits, [key as LimitKeyword, value]]);
    }
  }

  #map(value: JsonNode, depth: number): Map<string, Form> {
    return new Map(effectiveProperties(value).map((each) => [each.key, this.#form(each.value!, depth + 1)]));
  }

  #dependencies(form: Form, value: JsonNode): void {
    const schemas = new Map(form.dependentSchemas);
    const names = new Map(form.dependentRequired);
    for (const { key, value: dependency } of effectiveProperties(value)) {
      if (dependency!.kind !== 'array') schemas.set(key, this.#form(dependency!, form.depth + 1));
      else {
        const needed = dependency!.items.flatMap(({ string }) => string ?? []);
        names.set(key, needed);
      }
    }
    form.dependentSchemas = schemas;
    form.dependentRequired = names;
  }

  /** Lists under `items` with `additionalItems` behind them (to 2019-09); exclusive bounds as flags (draft 4). */
  #oldForms(form: Form): void {
    const { node } = form;
    const more = node.value('additionalItems');
    if (more !== undefined && node.value('items')?.kind === 'array') form.items = this.#form(more, form.depth + 1);
    for (const [flag, bound] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const) {
      const limit = form.limits.get(bound);
      if (node.value(flag)?.boolean !== true || limit === undefined) continue;
      form.limits = new Map([...[...form.limits].filter(([keyword]) => keyword !== bound), [flag, limit]]);
    }
  }

  /** Whether the value of a keyword is what the keyword takes. */
  #fits(key: string, value: JsonNode): boolean {
    switch (KEYWORD_VALUES.get(key)) {
      case 'types':
        if (value.kind === 'array') return value.items.length > 0 && value.items.every((item) => isType(item));
        return isType(value);
      case 'text':
        return value.kind === 'string';
      case 'flag':
        return value.kind === 'boolean';
      case 'number':
        return value.kind === 'number';
      case 'positive':
        return value.kind === 'number' && Number(value.text) > 0;
      case 'count':
        return value.kind === 'number' && Number.isInteger(Number(value.text)) && Number(value.text) >= 0;
      case 'list':
        return value.kind === 'array';
      case 'names':
        return value.kind === 'array' && value.items.every(({ kind }) => kind === 'string');
      case 'name-lists':
        return value.kind === 'object' && value.properties.every((each) => each.value?.kind === 'array');
      case 'schema-map':
        return value.kind === 'object';
      case 'schema-list':
        return value.kind === 'array' && value.items.length > 0;
      default:
        return true;
    }
  }
}

/** Whether a number with more digits than a double holds stands in a value. */
export function hasLongNumber(node: JsonNode): boolean {
  let found = false;
  walkJson(node, (each) => {
    if (each.kind === 'number' && each.text.length > MOST_DIGITS) found = true;
    return !found;
  });
  return found;
}

function isType(node: JsonNode): boolean {
  return node.kind === 'string' && TYPE_WORDS.has(typeWord(node));
}

/** A type, also in the capitals of Gemini's schemas. */
function typeWord({ text }: JsonNode): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text;
}
