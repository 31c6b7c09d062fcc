import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { type JsonValue, toValue } from '../text/jsonTree';
import type { Form, Forms } from './validateForms';
import { compilePattern } from './validatePattern';

type Plain = Record<string, unknown> | boolean;

/** Schemas nested deeper than this within one another are given to Ajv in parts, so that neither recurses far. */
const LEVELS_PER_PART = 40;

/** Ajv wants a constructor of expressions; RE2's engine stands in for JavaScript's. */
const engine = Object.assign(
  (source: string) => {
    const pattern = compilePattern(source);
    // What cannot be compiled is not enforced; whoever reads the schema's notes learns of it.
    return { test: pattern.test ?? (() => true), toString: () => source };
  },
  { code: '' },
);

/**
 * Schemas that refer to one another twice unfold without bound, and Ajv walks all of it: 60 definitions of two
 * alternatives are 2^60 walks. So many walks through the parts of a schema are made for one value.
 */
const MOST_WALKS = 300_000;

/** A value is not judged, because the schema unfolds to too much for it. */
export class UnfoldsTooFar extends RangeError {}

/** Stands first in each part, so that every walk through it is counted, also one that fails early. */
const COUNTED = 'toolspec-counted';

let walks = 0;

function countWalk(): boolean {
  if (++walks > MOST_WALKS) throw new UnfoldsTooFar('The schema unfolds to too much for this value.');
  return true;
}

let shared: Ajv2020 | undefined;

function ajv(): Ajv2020 {
  if (shared === undefined) {
    shared = new Ajv2020({
      strict: false,
      validateSchema: false,
      meta: false,
      inlineRefs: false,
      ownProperties: true,
      messages: false,
      logger: false,
      // 19.99 is a multiple of 0.01, whatever the last bit of the quotient says.
      multipleOfPrecision: 9,
      code: { regExp: engine },
      formats: fullFormats,
    });
    shared.addKeyword({ keyword: COUNTED, schema: false, errors: false, before: '$ref', validate: countWalk });
  }
  return shared;
}

/** Accepts a plain value, or refuses it. Throws a `RangeError` where the nesting is too deep, `UnfoldsTooFar` where the way is too long. */
export type PlainValidator = (value: JsonValue) => boolean;

/** How much of a schema is compiled. */
export interface CompileExtent {
  /**
   * Names of properties: only these are compiled of what `properties` declares. The verdict holds for values that have
   * no other keys: a declared property that a value does not have says nothing of it.
   */
  readonly keys?: ReadonlySet<string> | undefined;
  /** So many schemas within the schema are compiled, or none. */
  readonly most: number;
}

/** Compiles a schema that has been read. Throws what Ajv throws about a schema that it cannot compile. */
export function compileForms(forms: Forms, { keys, most }: CompileExtent): PlainValidator {
  const parts: { [name: string]: Plain } = {};
  const waiting: Form[] = [forms.root];
  const begun = new Set<Form>(waiting);
  let count = 0;
  const plain = (form: Form): Plain => {
    if (++count > most) throw new RangeError('The schema is too large.');
    return plainForm(form, place, keys);
  };
  const place = (form: Form, parent: Form): Plain => {
    if (!form.shared && (form.depth % LEVELS_PER_PART !== 0 || form.depth <= parent.depth)) return plain(form);
    if (!begun.has(form)) {
      begun.add(form);
      waiting.push(form);
    }
    return { $ref: `#/$defs/f${form.id}` };
  };
  for (let form = waiting.pop(); form !== undefined; form = waiting.pop()) {
    const part = plain(form);
    parts[`f${form.id}`] = typeof part === 'boolean' ? part : { [COUNTED]: true, ...part };
  }
  const schema = { $ref: `#/$defs/f${forms.root.id}`, $defs: parts };
  const validate = ajv().compile<JsonValue>(schema);
  // Ajv would keep every schema it has seen.
  ajv().removeSchema(schema);
  return (value) => {
    walks = 0;
    return validate(value);
  };
}

/** One schema for Ajv, with only what it knows and in the form it wants. */
function plainForm(
  form: Form,
  place: (form: Form, parent: Form) => Plain,
  keys: ReadonlySet<string> | undefined,
): Plain {
  if (form.always !== undefined) return form.always;
  const schema: Record<string, unknown> = {};
  const put = (key: string, value: unknown): void => {
    if (value !== undefined) schema[key] = value;
  };
  const one = (key: string, child: Form | undefined): void => put(key, child && place(child, form));
  const many = (key: string, children: readonly Form[]): void => {
    if (children.length > 0) schema[key] = children.map((child) => place(child, form));
  };
  const map = (key: string, children: Iterable<readonly [string, Form]>): void => {
    const entries = [...children].map(([name, child]) => [name, place(child, form)] as const);
    // `fromEntries` makes own properties, `__proto__` included.
    if (entries.length > 0) schema[key] = Object.fromEntries(entries);
  };
  put('type', form.types);
  if (form.ref !== undefined) {
    place(form.ref, form);
    schema.$ref = `#/$defs/f${form.ref.id}`;
  }
  if (form.enum !== undefined) {
    if (form.enum.length > 0) schema.enum = form.enum.map((node) => toValue(node));
    else schema.enum = [{ [NO_VALUE]: null }];
  }
  if (form.const !== undefined) schema.const = toValue(form.const);
  for (const [keyword, limit] of form.limits) schema[keyword] = Number(limit.text);
  if (form.pattern?.test !== undefined) schema.pattern = form.pattern.source;
  if (form.format !== undefined && Object.hasOwn(fullFormats, form.format)) schema.format = form.format;
  map('properties', propertiesWithin(form, keys));
  map(
    'patternProperties',
    form.patternProperties
      .filter(({ pattern }) => pattern.test !== undefined)
      .map((each) => [each.pattern.source, each.form]),
  );
  one('additionalProperties', form.additionalProperties);
  one('unevaluatedProperties', form.unevaluatedProperties);
  one('propertyNames', form.propertyNames);
  if (form.required.length > 0) schema.required = [...new Set(form.required)];
  if (form.dependentRequired.size > 0) schema.dependentRequired = Object.fromEntries(form.dependentRequired);
  map('dependentSchemas', form.dependentSchemas);
  many('prefixItems', form.prefixItems);
  one('items', form.items);
  one('unevaluatedItems', form.unevaluatedItems);
  if (form.contains !== undefined) {
    one('contains', form.contains);
    schema.minContains = form.minContains;
    put('maxContains', form.maxContains);
  }
  if (form.uniqueItems) schema.uniqueItems = true;
  many('allOf', form.allOf);
  many('anyOf', form.anyOf);
  many('oneOf', form.oneOf);
  one('not', form.not);
  if (form.condition !== undefined) {
    one('if', form.condition);
    one('then', form.whenTrue);
    one('else', form.whenFalse);
  }
  return schema;
}

function propertiesWithin({ properties }: Form, keys: ReadonlySet<string> | undefined): Iterable<[string, Form]> {
  if (properties === undefined) return [];
  if (keys === undefined) return properties;
  return [...keys].flatMap((key): [string, Form][] => {
    const form = properties.get(key);
    return form === undefined ? [] : [[key, form]];
  });
}

/** A key that no value has: an `enum` without members accepts nothing, and Ajv does not take an empty one. */
const NO_VALUE = '\u0000toolspec: no value\u0000';
