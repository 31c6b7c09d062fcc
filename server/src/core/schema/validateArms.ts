import type { JsonNode } from '../text/json';
import { t } from '../text/message';
import { constraintFault, enumFault, type SchemaFault, typeFault } from './validateFaults';
import type { Form } from './validateForms';
import { sameExactly } from './validateSame';

/** An alternative of a union, with what a value has against it. */
export interface UnionArm {
  readonly form: Form;
  readonly faults: readonly SchemaFault[];
}

/** What counts against an arm. */
const COST = {
  /** The value is of another type altogether. */
  type: 10_000,
  /** It is a string that holds the text of the right type. */
  stringified: 5_000,
  /** A property with a fixed value, which tells arms apart, has another one. */
  discriminator: 1_000,
  /** A fault of the value itself, or of a value in it. */
  fault: 10,
} as const;

/** Properties of the value that an arm declares speak for it. */
const DECLARED = 3;

/**
 * The faults of a value that fits no arm of a union: those against the arm that it is most like. Arms that all want
 * another type, or another value, are told in one sentence.
 */
export function combineArms(form: Form, node: JsonNode, keyword: string, arms: readonly UnionArm[]): SchemaFault[] {
  const own = arms.map(({ faults }) => faults.find((fault) => fault.node === node));
  // Each once: arms that lead to the same alternatives would double them at every level.
  if (own.every((fault) => fault?.types !== undefined)) {
    const types = new Set(own.flatMap((fault) => fault!.types!));
    return [typeFault(form, node, [...types], keyword)];
  }
  if (own.every((fault) => fault?.types !== undefined || fault?.values !== undefined)) {
    const values = [...new Set(own.flatMap((fault) => fault!.values ?? []))];
    const near = own.some((fault) => fault!.values?.some(({ kind }) => kind === node.kind) === true);
    if (near) return [enumFault(form, node, values, keyword)];
    const types = new Set(own.flatMap((fault) => fault!.types ?? fault!.values!.map(({ kind }) => kind)));
    return [typeFault(form, node, [...types], keyword)];
  }
  let best: { readonly arm: UnionArm; readonly cost: number } | undefined;
  for (const arm of arms) {
    const cost = costOf(arm, node);
    if (best === undefined || cost < best.cost) best = { arm, cost };
  }
  const discriminated = discriminatorFault(form, node, keyword, arms);
  if (discriminated !== undefined) return [discriminated];
  return best === undefined
    ? [constraintFault(form, node, keyword, t('The value fits none of the alternatives.'))]
    : [...best.arm.faults];
}

function costOf({ form, faults }: UnionArm, node: JsonNode): number {
  let cost = 0;
  for (const fault of faults) {
    if (fault.node === node && fault.kind === 'type') cost += COST.type;
    else if (fault.node === node && fault.kind === 'stringified') cost += COST.stringified;
    else if (isDiscriminator(fault, node)) cost += COST.discriminator;
    else cost += COST.fault;
  }
  if (node.kind !== 'object') return cost;
  const { names } = declaredNames(form, { unions: true });
  for (const { key } of node.properties) if (names.has(key)) cost -= DECLARED;
  return cost;
}

/** Whether a fault says that a property of the object has another fixed value than the arm wants. */
function isDiscriminator(fault: SchemaFault, node: JsonNode): boolean {
  return fault.values !== undefined && fault.node.parent === node;
}

/** All arms want another value of the same property: one finding names them all. */
function discriminatorFault(
  form: Form,
  node: JsonNode,
  keyword: string,
  arms: readonly UnionArm[],
): SchemaFault | undefined {
  const wanted = arms.map(({ faults }) => faults.find((fault) => isDiscriminator(fault, node)));
  const first = wanted[0];
  if (first === undefined || !wanted.every((fault) => fault?.node === first.node)) return undefined;
  const values: JsonNode[] = [];
  for (const value of wanted.flatMap((fault) => fault!.values!)) {
    if (!values.some((each) => sameExactly(each, value))) values.push(value);
  }
  return enumFault(form, first.node, values, keyword);
}

/** Names that a schema declares for the properties of an object. */
export interface DeclaredNames {
  readonly names: ReadonlySet<string>;
  /** It takes further ones by a schema of their own, so that nothing is undeclared. */
  readonly open: boolean;
}

const around = new WeakMap<Form, DeclaredNames>();
const within = new WeakMap<Form, DeclaredNames>();

/** The property names of a schema, through references and `allOf`, and through unions on request. */
export function declaredNames(form: Form, { unions }: { readonly unions: boolean }): DeclaredNames {
  const known = unions ? within : around;
  let declared = known.get(form);
  if (declared === undefined) {
    declared = findNames(form, unions);
    known.set(form, declared);
  }
  return declared;
}

function findNames(form: Form, unions: boolean): DeclaredNames {
  const names = new Set<string>();
  let open = false;
  const seen = new Set<Form>();
  const waiting = [form];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const name of next.properties?.keys() ?? []) names.add(name);
    const rest = next.additionalProperties;
    if (next.patternProperties.length > 0 || (rest !== undefined && rest.always !== false)) open = true;
    if (next.ref !== undefined) waiting.push(next.ref);
    waiting.push(...next.allOf);
    if (unions) waiting.push(...next.anyOf, ...next.oneOf);
    for (const branch of [next.condition, next.whenTrue, next.whenFalse])
      if (branch !== undefined) waiting.push(branch);
    waiting.push(...next.dependentSchemas.values());
  }
  return { names, open };
}
