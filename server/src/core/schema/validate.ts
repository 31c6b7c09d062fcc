import { emitJson } from '../text/emit';
import type { JsonNode } from '../text/json';
import { type JsonValue, pointerOf, toValue, walkJson } from '../text/jsonTree';
import { t } from '../text/message';
import { compileForms, type PlainValidator, UnfoldsTooFar } from './validateAjv';
import { Explainer, TooMuch } from './validateExplain';
import { constraintFault, type SchemaFault } from './validateFaults';
import { type Form, type Forms, hasLongNumber, readForms, type SchemaNote } from './validateForms';
import { type UndeclaredProperty, UndeclaredSearch } from './validateUndeclared';

export type { FaultKind, SchemaFault } from './validateFaults';
export type { SchemaNote } from './validateForms';
export type { UndeclaredProperty } from './validateUndeclared';

/** What a schema says of a value. */
export interface Judgment {
  readonly accepted: boolean;
  /** Each at the innermost value; at least one for a value that is refused, none for one that is accepted. */
  readonly faults: readonly SchemaFault[];
  /** Properties of an accepted value that nothing declares, where that is worth telling. */
  readonly undeclared: readonly UndeclaredProperty[];
  /** What the value met in the schema that is not enforced. */
  readonly notes: readonly SchemaNote[];
}

/** So many compiled schemas are kept. */
const MOST_KEPT = 300;

/**
 * Ajv compiles schemas that have so many schemas within them. Of larger ones it compiles what a value reaches, and where
 * that is more too, the search for faults alone decides.
 */
const MOST_COMPILED = 2_000;

/** Of a schema that is compiled by parts, so many parts are kept. */
const MOST_PARTS = 32;

/** After so many values of which Ajv had to be stopped, a schema's values are left to the search alone. */
const MOST_UNFOLDED = 3;

/** By the schema's text: the same text is compiled once. */
const byText = new Map<string, SchemaValidator>();
const byNode = new WeakMap<JsonNode, SchemaValidator>();

/** What Ajv needs of a value: two schemas are held against each. */
interface PlainValue {
  readonly value: JsonValue;
  readonly hasLongNumber: boolean;
  /** The keys of all objects in it. */
  readonly keys: ReadonlySet<string>;
}

const plainValues = new WeakMap<JsonNode, PlainValue>();

function plainOf(node: JsonNode): PlainValue {
  let plain = plainValues.get(node);
  if (plain === undefined) {
    plain = { value: toValue(node), hasLongNumber: hasLongNumber(node), keys: keysIn(node) };
    plainValues.set(node, plain);
  }
  return plain;
}

function keysIn(node: JsonNode): Set<string> {
  const keys = new Set<string>();
  walkJson(node, ({ properties }) => {
    for (const { key } of properties) keys.add(key);
  });
  return keys;
}

/**
 * The validator of a schema; made once per text.
 *
 * @param compact the schema's compact JSON, where it is at hand
 */
export function validatorOf(schema: JsonNode, compact?: string): SchemaValidator {
  let validator = byNode.get(schema);
  if (validator !== undefined) return validator;
  const text = compact ?? emitJson(schema);
  validator = byText.get(text);
  if (validator === undefined) {
    if (byText.size >= MOST_KEPT) byText.clear();
    validator = new SchemaValidator(schema);
    byText.set(text, validator);
  }
  byNode.set(schema, validator);
  return validator;
}

/**
 * Holds values against one schema: the verdict is Ajv's (JSON Schema 2020-12, with older drafts read as such and formats
 * enforced), the faults are found on the value's own tree, so that every one has a place in its text. Never throws.
 */
export class SchemaValidator {
  readonly forms: Forms;
  /** What Ajv has made of the schema, or of parts of it, by the keys that lead to them. */
  readonly #compiled = new Map<string, PlainValidator | undefined>();
  /** Values that were too much for Ajv, because of how far the schema unfolds. */
  #unfolded = 0;

  constructor(readonly schema: JsonNode) {
    this.forms = readForms(schema);
  }

  /** Whether the value fits. */
  accepts(value: JsonNode): boolean {
    return this.#verdict(value) ?? this.judge(value).accepted;
  }

  judge(value: JsonNode): Judgment {
    const verdict = this.#verdict(value);
    const explainer = new Explainer(this.forms);
    let found: readonly SchemaFault[] | undefined;
    try {
      found = explainer.faults(this.forms.root, value);
    } catch (error) {
      if (!(error instanceof TooMuch || error instanceof RangeError)) throw error;
    }
    const notes = this.forms.noted ? [...explainer.met].flatMap((form) => form.notes) : [];
    const accepted = verdict ?? found?.length === 0;
    if (accepted) return { accepted, faults: [], undeclared: this.#undeclared(explainer, value), notes };
    const faults = found === undefined || found.length === 0 ? [this.#unexplained(value, found === undefined)] : found;
    return { accepted, faults, undeclared: [], notes };
  }

  /** The schema's keyword that a fault is about, as a JSON Pointer from the schema's root. */
  pointerOf({ form, keyword }: { readonly form: Form; readonly keyword: string }): string {
    const base = pointerOf(form.node, this.schema);
    return keyword === '' ? base : `${base}/${keyword}`;
  }

  #undeclared(explainer: Explainer, value: JsonNode): readonly UndeclaredProperty[] {
    const search = new UndeclaredSearch(explainer);
    try {
      search.visit(this.forms.root, value);
    } catch (error) {
      if (!(error instanceof TooMuch || error instanceof RangeError)) throw error;
    }
    return search.found;
  }

  #unexplained(value: JsonNode, tooMuch: boolean): SchemaFault {
    const message = tooMuch
      ? t(
          'The value is too large or nested too deeply, or the schema has too many alternatives, to say where it does not fit.',
        )
      : t('The value does not fit the schema.');
    return constraintFault(this.forms.root, value, '', message);
  }

  /** Ajv's verdict; `undefined` where it has none: a schema or value that is nested too deeply for it. */
  #verdict(value: JsonNode): boolean | undefined {
    if (this.#unfolded >= MOST_UNFOLDED) return undefined;
    // Doubles do not tell long numbers apart, and Ajv passes over a property of this name.
    const plain = plainOf(value);
    if (plain.hasLongNumber || this.forms.hasLongNumber || this.forms.hasPrototypeKey) return undefined;
    try {
      return this.#compiledFor(plain)?.(plain.value);
    } catch (error) {
      if (error instanceof UnfoldsTooFar) this.#unfolded++;
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #compiledFor({ keys }: PlainValue): PlainValidator | undefined {
    const isWhole = this.forms.all.length <= MOST_COMPILED;
    if (!isWhole && keys.size > MOST_COMPILED) return undefined;
    const part = isWhole ? '' : JSON.stringify([...keys].sort());
    if (this.#compiled.has(part)) return this.#compiled.get(part);
    let compiled: PlainValidator | undefined;
    try {
      compiled = compileForms(this.forms, { keys: isWhole ? undefined : keys, most: MOST_COMPILED });
    } catch {
      // Ajv cannot compile it, or it is too much.
    }
    if (this.#compiled.size >= MOST_PARTS) this.#compiled.clear();
    this.#compiled.set(part, compiled);
    return compiled;
  }
}
