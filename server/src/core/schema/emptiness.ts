import type { JsonNode } from '../text/json';
import { type Draft, declaredDraft } from './dialect';
import {
  hasPlainValue,
  isAnything,
  limitConflict,
  nameJudges,
  neededContains,
  neededItems,
  numberConflict,
  propertyJudges,
  requiredNames,
  smallestEnum,
  TYPE_BITS,
  TYPES,
  tooManyRequired,
  typesLeft,
  valueRefuter,
} from './emptinessFacts';
import { type References, referenceCycles } from './references';

/** Why nothing matches a schema. */
export type EmptyReason =
  /** `false`. */
  | { readonly kind: 'false' }
  /** `not` excludes every value, or every type that is left. */
  | { readonly kind: 'not'; readonly node: JsonNode }
  /** The types that are asked for have none in common. */
  | { readonly kind: 'types' }
  /** None of the listed values fits the rest. `node` is the `enum` or `const`. */
  | { readonly kind: 'values'; readonly node: JsonNode }
  /** A lower limit above the upper one; `unit` says of what. */
  | {
      readonly kind: 'limits';
      readonly unit: 'value' | 'length' | 'items' | 'properties';
      readonly nodes: readonly JsonNode[];
    }
  /** A required property that nothing matches, or that is not allowed at all. `schema` is what judges it. */
  | { readonly kind: 'required'; readonly name: string; readonly schema: JsonNode }
  /** More properties are required than may be there. */
  | { readonly kind: 'too-few-properties' }
  /** An element that must be there and that nothing matches. */
  | { readonly kind: 'item'; readonly schema: JsonNode }
  /** No branch of a union has a value. */
  | { readonly kind: 'union'; readonly node: JsonNode }
  /** Every value matches two branches of a `oneOf`. */
  | { readonly kind: 'one-of'; readonly node: JsonNode }
  /** What the reference names has no value. */
  | { readonly kind: 'reference'; readonly target: JsonNode }
  /** A member of `allOf` has no value. */
  | { readonly kind: 'member'; readonly node: JsonNode }
  /** Each type that is left is impossible for a reason of its own. */
  | { readonly kind: 'several' };

/** The answers about one schema. */
export interface Emptiness {
  /** Whether it is proven that no JSON value matches. `false` also when it is not known. */
  isEmpty(schema: JsonNode): boolean;
  /** Why, for a schema that is empty. */
  reason(schema: JsonNode): EmptyReason | undefined;
}

/** A schema within a conjunction. Unions of those that are not to be expanded are left out, which only weakens it. */
interface Member {
  readonly node: JsonNode;
  readonly expand: boolean;
}

/** A conjunction of schemas, and what must be shown to call it empty. */
class Goal {
  empty = true;
  compiled: Formula | undefined;
  queued = false;
  readonly dependents: Goal[] = [];
  constructor(readonly members: readonly Member[]) {}
}

/** Empty if `always`, or one part is empty, or one union has no arm left, or every type is impossible. */
interface Formula {
  readonly always: EmptyReason | undefined;
  /** Members judged alone, where there are too many to be looked at together. */
  readonly parts: readonly Goal[];
  readonly unions: readonly { readonly arms: readonly Goal[]; readonly reason: EmptyReason }[];
  /** `conflict`: impossible by itself. `needs`: impossible as soon as one of them is empty. */
  readonly types: readonly {
    readonly conflict: EmptyReason | undefined;
    readonly needs: readonly { readonly goal: Goal; readonly reason: EmptyReason }[];
  }[];
}

const ANY_TYPE = { conflict: undefined, needs: [] };

/** More members than this are not looked at together; leaving some out only weakens the conjunction. */
const MAX_MEMBERS = 24;
/** Steps after which nothing more is claimed, so that no schema takes long. */
const MAX_WORK = 600_000;

/**
 * Decides which schemas of a document accept nothing.
 *
 * A claim is always proven: whatever is not understood (`pattern`, `format`, `if`, `dependentSchemas`, unknown words, a
 * reference to nothing) counts as if every value passed. Values are finite, so a schema that needs itself is empty
 * (the greatest set of schemas of which each needs another one of the set, or has a contradiction of its own).
 * Keywords have the meaning of the declared draft, else of 2020-12; keywords beside a `$ref` count only where 2019-09
 * or 2020-12 is declared, because earlier drafts ignore them.
 */
export function emptinessOf(root: JsonNode, references: References): Emptiness {
  const analysis = new Analysis(root, references);
  return {
    isEmpty: (schema) => analysis.isEmpty(schema),
    reason: (schema) => analysis.reason(schema),
  };
}

class Analysis {
  readonly #draft: Draft | undefined;
  readonly #references: References;
  /** Schemas with a reference that only leads back to itself: what they mean is not defined. */
  readonly #circular = new Set<JsonNode>();
  readonly #numbers = new Map<JsonNode, number>();
  readonly #goals = new Map<string, Goal>();
  #fresh: Goal[] = [];
  #again: Goal[] = [];
  #work = 0;

  constructor(root: JsonNode, references: References) {
    this.#draft = declaredDraft(root);
    this.#references = references;
    for (const circle of referenceCycles(references)) {
      for (const reference of circle) this.#circular.add(reference.site.node);
    }
  }

  isEmpty(schema: JsonNode): boolean {
    if (hasPlainValue(schema)) return false;
    const goal = this.#goal([{ node: schema, expand: true }]);
    this.#solve();
    return this.#work <= MAX_WORK && goal.empty;
  }

  reason(schema: JsonNode): EmptyReason | undefined {
    if (!this.isEmpty(schema)) return undefined;
    if (schema.kind === 'object') {
      const target = this.#targetOf(schema);
      if (target !== undefined && this.isEmpty(target)) return { kind: 'reference', target };
      const member = schema.value('allOf')?.items.find((each) => this.isEmpty(each));
      if (member !== undefined && !this.#ignoresSiblings(schema)) return { kind: 'member', node: member };
    }
    const formula = this.#goal([{ node: schema, expand: true }]).compiled!;
    if (formula.always !== undefined) return formula.always;
    const union = formula.unions.find(({ arms }) => arms.every((arm) => arm.empty));
    if (union !== undefined) return union.reason;
    const reasons = formula.types.map(
      ({ conflict, needs }) => conflict ?? needs.find(({ goal }) => goal.empty)?.reason ?? { kind: 'several' as const },
    );
    return reasons.length === 1 ? reasons[0] : { kind: 'several' };
  }

  #goal(members: readonly Member[]): Goal {
    const kept = members.slice(0, MAX_MEMBERS);
    const key = kept
      .map(({ node, expand }) => (this.#number(node) << 1) | (expand ? 1 : 0))
      .sort((a, b) => a - b)
      .join();
    let goal = this.#goals.get(key);
    if (goal === undefined) {
      goal = new Goal(kept);
      this.#goals.set(key, goal);
      this.#fresh.push(goal);
    }
    return goal;
  }

  #number(node: JsonNode): number {
    let number = this.#numbers.get(node);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(node, number);
    }
    return number;
  }

  /** Until nothing changes: every goal counts as empty as long as nothing speaks against it. */
  #solve(): void {
    while (this.#work <= MAX_WORK) {
      const goal = this.#fresh.pop() ?? this.#again.pop();
      if (goal === undefined) return;
      goal.queued = false;
      if (goal.compiled === undefined) {
        goal.compiled = this.#compile(goal);
        for (const part of goal.compiled.parts) part.dependents.push(goal);
        for (const { arms } of goal.compiled.unions) for (const arm of arms) arm.dependents.push(goal);
        for (const { needs } of goal.compiled.types) for (const need of needs) need.goal.dependents.push(goal);
        // Goals that were known before may have fallen already, and new ones come first.
        this.#enqueue(goal);
        continue;
      }
      if (!goal.empty || this.#holds(goal.compiled)) continue;
      goal.empty = false;
      for (const dependent of goal.dependents) this.#enqueue(dependent);
    }
    this.#fresh = [];
    this.#again = [];
  }

  #enqueue(goal: Goal): void {
    if (!goal.empty || goal.queued) return;
    goal.queued = true;
    this.#again.push(goal);
  }

  #holds({ always, parts, unions, types }: Formula): boolean {
    this.#work += 1 + parts.length + unions.length + types.length;
    if (always !== undefined || parts.some((part) => part.empty)) return true;
    for (const { arms } of unions) {
      const live = arms.findIndex((arm) => !arm.empty);
      this.#work += live < 0 ? arms.length : live;
      if (live < 0) return true;
    }
    return types.every(({ conflict, needs }) => {
      if (conflict !== undefined) return true;
      this.#work += needs.length;
      return needs.some(({ goal }) => goal.empty);
    });
  }

  #ignoresSiblings(schema: JsonNode): boolean {
    return schema.value('$ref')?.kind === 'string' && (this.#draft === undefined || this.#draft < 2019);
  }

  /** What a schema's reference names, if that can be told for sure. */
  #targetOf(schema: JsonNode): JsonNode | undefined {
    const reference = this.#references.at(schema);
    if (reference === undefined || reference.embedded || this.#circular.has(schema)) return undefined;
    return reference.target;
  }

  /** The members with all that `$ref` and `allOf` add; `undefined` if one of them is `false`. */
  #flatten(members: readonly Member[]): { flat: Member[]; complete: boolean } | undefined {
    const seen = new Map<JsonNode, boolean>();
    const flat: Member[] = [];
    let complete = true;
    const stack = [...members].reverse();
    for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
      const { node, expand } = member;
      this.#work++;
      if (node.kind === 'boolean' && node.text === 'false') return undefined;
      if (node.kind !== 'object' || seen.get(node) === true || (seen.has(node) && !expand)) continue;
      if (seen.size >= MAX_MEMBERS) {
        complete = false;
        break;
      }
      seen.set(node, expand);
      const target = this.#targetOf(node);
      if (target !== undefined) stack.push({ node: target, expand });
      if (this.#ignoresSiblings(node)) continue;
      flat.push(member);
      const all = node.value('allOf');
      if (all?.kind !== 'array') continue;
      const count = Math.min(all.items.length, MAX_MEMBERS);
      if (count < all.items.length) complete = false;
      for (let i = count - 1; i >= 0; i--) stack.push({ node: all.items[i]!, expand });
    }
    return { flat, complete };
  }

  /** What `$ref` and `allOf` of the members add, each alone. */
  #parts(members: readonly Member[]): Goal[] {
    return members.flatMap(({ node }) => {
      const target = this.#targetOf(node);
      const all = this.#ignoresSiblings(node) ? undefined : node.value('allOf');
      const added = [...(target === undefined ? [] : [target]), ...(all?.items ?? [])];
      this.#work += added.length;
      return added.map((each) => this.#goal([{ node: each, expand: true }]));
    });
  }

  #compile(goal: Goal): Formula {
    const flattened = this.#flatten(goal.members);
    if (flattened === undefined) return impossible({ kind: 'false' });
    const { flat, complete } = flattened;
    const nodes = [...new Set(flat.map(({ node }) => node))];
    this.#work += nodes.length;
    const always = this.#contradiction(nodes);
    if (always !== undefined) return impossible(always);
    const unions = this.#unions(flat, nodes);
    const parts = complete ? [] : this.#parts(goal.members);
    const oneOf = flat.find(({ node }) => twiceAnything(node.value('oneOf')));
    if (oneOf !== undefined) return impossible({ kind: 'one-of', node: oneOf.node.value('oneOf')! });
    // Where values are listed and one of them fits, only the unions can still say no.
    if (smallestEnum(nodes, this.#draft) !== undefined) return { always, parts, unions, types: [ANY_TYPE] };
    const types = typesLeft(nodes)!;
    const list: Formula['types'][number][] = [];
    for (const type of TYPES) {
      if ((types.bits & TYPE_BITS[type]) === 0) continue;
      if (type === 'object') list.push(this.#object(nodes));
      else if (type === 'array') list.push(this.#array(nodes));
      else {
        let conflict: EmptyReason | undefined;
        if (type === 'number') conflict = limits('value', numberConflict(nodes, types.integer));
        else if (type === 'string') conflict = limits('length', limitConflict(nodes, 'minLength', 'maxLength'));
        list.push({ conflict, needs: [] });
      }
    }
    return { always, parts, unions, types: list };
  }

  /** What speaks against every value by the members' own words. */
  #contradiction(nodes: readonly JsonNode[]): EmptyReason | undefined {
    const nothing = nodes.find((node) => isAnything(node.value('not')));
    if (nothing !== undefined) return { kind: 'not', node: nothing.value('not')! };
    const types = typesLeft(nodes);
    if (types === undefined) return { kind: 'types' };
    const listed = smallestEnum(nodes, this.#draft);
    if (listed === undefined) return undefined;
    const refutes = valueRefuter(nodes, this.#draft);
    for (const value of listed.values) {
      this.#work += nodes.length;
      if (!refutes(value)) return undefined;
    }
    return { kind: 'values', node: listed.node };
  }

  #unions(flat: readonly Member[], nodes: readonly JsonNode[]): Formula['unions'] {
    const rest = nodes.map((node) => ({ node, expand: false }));
    const unions: Formula['unions'][number][] = [];
    const seen = new Set<JsonNode>();
    for (const { node, expand } of flat) {
      if (!expand || seen.has(node)) continue;
      seen.add(node);
      for (const keyword of ['anyOf', 'oneOf']) {
        const list = node.value(keyword);
        if (list?.kind !== 'array' || list.items.length === 0) continue;
        this.#work += list.items.length * rest.length;
        const arms = list.items.map((arm) => this.#goal([{ node: arm, expand: true }, ...rest]));
        unions.push({ arms, reason: { kind: 'union', node: list } });
      }
    }
    return unions;
  }

  #object(nodes: readonly JsonNode[]): Formula['types'][number] {
    const conflict = limits('properties', limitConflict(nodes, 'minProperties', 'maxProperties'));
    const needs: { goal: Goal; reason: EmptyReason }[] = [];
    if (conflict !== undefined) return { conflict, needs };
    const names = requiredNames(nodes);
    if (tooManyRequired(nodes, names.size)) return { conflict: { kind: 'too-few-properties' }, needs };
    for (const name of names) {
      this.#work += nodes.length;
      const judges = propertyJudges(nodes, name);
      if (judges.length === 0 || (judges.length === 1 && hasPlainValue(judges[0]!))) continue;
      const goal = this.#goal(judges.map((node) => ({ node, expand: true })));
      needs.push({ goal, reason: { kind: 'required', name, schema: judges[0]! } });
    }
    if (names.size > 0) {
      for (const node of nameJudges(nodes, this.#draft)) {
        needs.push({ goal: this.#goal([{ node, expand: true }]), reason: { kind: 'too-few-properties' } });
      }
    }
    return { conflict, needs };
  }

  #array(nodes: readonly JsonNode[]): Formula['types'][number] {
    const conflict = limits('items', limitConflict(nodes, 'minItems', 'maxItems'));
    const needs: { goal: Goal; reason: EmptyReason }[] = [];
    if (conflict !== undefined) return { conflict, needs };
    for (const judges of neededItems(nodes, this.#draft)) {
      this.#work += judges.length;
      const goal = this.#goal(judges.map((node) => ({ node, expand: true })));
      needs.push({ goal, reason: { kind: 'item', schema: judges[0]! } });
    }
    for (const schema of neededContains(nodes, this.#draft)) {
      needs.push({ goal: this.#goal([{ node: schema, expand: true }]), reason: { kind: 'item', schema } });
    }
    return { conflict, needs };
  }
}

function impossible(always: EmptyReason): Formula {
  return { always, parts: [], unions: [], types: [] };
}

function limits(
  unit: 'value' | 'length' | 'items' | 'properties',
  nodes: JsonNode[] | undefined,
): EmptyReason | undefined {
  return nodes === undefined ? undefined : { kind: 'limits', unit, nodes };
}

/** A `oneOf` with two branches that take everything: every value matches both, so none matches exactly one. */
function twiceAnything(list: JsonNode | undefined): boolean {
  if (list?.kind !== 'array') return false;
  // Every branch of a union is looked at together with the union, so a long one would be read as often as it is long.
  let twice = anythingTwice.get(list);
  if (twice === undefined) {
    twice = list.items.filter(isAnything).length > 1;
    anythingTwice.set(list, twice);
  }
  return twice;
}

const anythingTwice = new WeakMap<JsonNode, boolean>();
