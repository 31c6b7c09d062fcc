import type { JsonNode } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { declaredNames } from './validateArms';
import type { Explainer } from './validateExplain';
import { nearest } from './validateFaults';
import type { Form } from './validateForms';

/** A property of a value that fits the schema, though nothing that applies to the value declares it. */
export interface UndeclaredProperty {
  /** The property's value. */
  readonly node: JsonNode;
  readonly form: Form;
  /**
   * - `arm`: the arm of a union that takes the object does not declare it
   * - `slip`: the object takes any property, and this one looks like one that it declares
   */
  readonly kind: 'arm' | 'slip';
  readonly declared: readonly string[];
  /** The declared property that is probably meant. */
  readonly meant: string | undefined;
  /** Another arm of the union declares it. */
  readonly elsewhere: boolean;
}

/** Names around a value: what the schemas that hold the present one declare for the same value. */
const NOTHING: ReadonlySet<string> = new Set();

/** Finds undeclared properties of a value that fits. */
export class UndeclaredSearch {
  readonly found: UndeclaredProperty[] = [];
  readonly #seen = new Map<Form, Set<JsonNode>>();
  readonly #told = new Set<JsonNode>();

  constructor(readonly explainer: Explainer) {}

  visit(form: Form, node: JsonNode, around: ReadonlySet<string> = NOTHING): void {
    if (form.always !== undefined) return;
    const seen = this.#seen.get(form) ?? new Set();
    if (seen.has(node)) return;
    this.#seen.set(form, seen.add(node));
    const applied = this.explainer.applied(form, node);
    if (node.kind === 'object') this.#object(form, node, applied, around);
    if (node.kind === 'array') {
      node.items.forEach((item, index) => {
        const schema = form.prefixItems[index] ?? form.items;
        if (schema !== undefined) this.visit(schema, item);
      });
    }
  }

  #object(form: Form, node: JsonNode, applied: readonly Form[], around: ReadonlySet<string>): void {
    const own = declaredNames(form, { unions: false });
    const parts = applied.map((part) => declaredNames(part, { unions: true }));
    const names =
      parts.length === 0 && around.size === 0
        ? own.names
        : new Set([...around, ...own.names, ...parts.flatMap((part) => [...part.names])]);
    const open = own.open || parts.some((part) => part.open) || form.unevaluatedProperties !== undefined;
    const members = effectiveProperties(node);
    if (!open && names.size > 0 && members.some(({ key }) => !names.has(key))) this.#tell(form, node, applied, names);
    for (const part of applied) this.visit(part, node, names);
    for (const { key, value } of members) {
      const property = form.properties?.get(key);
      const matching = form.patternProperties.filter(({ pattern }) => pattern.test?.(key) === true);
      if (property !== undefined) this.visit(property, value!);
      for (const each of matching) this.visit(each.form, value!);
      const rest = form.additionalProperties;
      if (property === undefined && matching.length === 0 && rest !== undefined) this.visit(rest, value!);
    }
  }

  /** Properties of the object that are not among the names. */
  #tell(form: Form, node: JsonNode, applied: readonly Form[], names: ReadonlySet<string>): void {
    const arms = [...form.anyOf, ...form.oneOf];
    const namesOf = (arm: Form): ReadonlySet<string> => declaredNames(arm, { unions: true }).names;
    const taken = arms.filter((arm) => applied.includes(arm));
    const kind = taken.length > 0 && taken.every((arm) => namesOf(arm).size > 0) ? 'arm' : 'slip';
    const others = new Set(arms.filter((arm) => !taken.includes(arm)).flatMap((arm) => [...namesOf(arm)]));
    const free = [...names].filter((name) => !node.has(name));
    for (const { key, value } of effectiveProperties(node)) {
      if (names.has(key) || this.#told.has(value!)) continue;
      const meant = nearest(key, free);
      if (kind === 'slip' && (meant === undefined || arms.length > 0)) continue;
      this.#told.add(value!);
      this.found.push({ node: value!, form, kind, declared: [...names], meant, elsewhere: others.has(key) });
    }
  }
}
