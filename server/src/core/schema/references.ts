import type { JsonNode, JsonProperty } from '../text/json';
import { effectiveProperties, resolveTokens, unescapePointerToken } from '../text/jsonTree';
import { percentDecode } from './definitionPointer';
import { type SchemaSite, schemaSites } from './sites';

/**
 * How a reference is written.
 *
 * - `root`: `#`, the whole schema
 * - `pointer`: `#/…`, a JSON Pointer in the same schema
 * - `anchor`: `#name`
 * - `relative`: no scheme and no leading `#` (`Group`, `other.json#/$defs/X`)
 * - `absolute`: with a scheme (`https://…`, `urn:…`)
 */
export type ReferenceForm = 'root' | 'pointer' | 'anchor' | 'relative' | 'absolute';

/** A `$ref` with a string as its value. */
export interface Reference {
  /** The schema that holds the `$ref`. */
  readonly site: SchemaSite;
  /** The string. */
  readonly node: JsonNode;
  readonly text: string;
  readonly form: ReferenceForm;
  /** What it names within the same schema; `undefined` when there is nothing, or it lies elsewhere. */
  readonly target: JsonNode | undefined;
  /**
   * The reference stands below an embedded `$id`, so `#` is that schema for JSON Schema and the whole one for most
   * providers.
   */
  readonly embedded: boolean;
}

/** All references of one schema, and what they name. */
export interface References {
  /** In text order; those in schemas that only a reference reaches come last. */
  readonly list: readonly Reference[];
  /** Every schema: the sites that were given and those that only a reference reaches. */
  readonly sites: readonly SchemaSite[];
  /** The reference that a schema holds. */
  at(schema: JsonNode): Reference | undefined;
  /** The references that name a node. */
  to(target: JsonNode): readonly Reference[];
}

const NONE: readonly Reference[] = [];

/**
 * Resolves every `$ref` of a schema within that schema: JSON Pointers (percent-decoded, RFC 6901 and RFC 3986),
 * `#`, anchors, and `$id` (JSON Schema draft 6 to 2020-12). Nothing is fetched.
 *
 * @param root the outermost schema, where `#` points to
 * @param sites its schemas, if they are at hand
 */
export function referencesOf(root: JsonNode, sites: readonly SchemaSite[] = schemaSites(root)): References {
  const all = [...sites];
  const known = new Set(all.map((site) => site.node));
  const names = new NameTable(root);
  for (const site of all) names.add(site);
  const list: Reference[] = [];
  const bySchema = new Map<JsonNode, Reference>();
  const byTarget = new Map<JsonNode, Reference[]>();
  // A pointer may lead to a place where no keyword puts a schema: what lies there is read as one, too.
  for (let index = 0; index < all.length; index++) {
    const site = all[index]!;
    const property = site.node.get('$ref');
    if (property?.value?.kind !== 'string') continue;
    const reference = names.resolve(site, property.value);
    list.push(reference);
    bySchema.set(site.node, reference);
    const target = reference.target;
    if (target === undefined) continue;
    const others = byTarget.get(target);
    if (others === undefined) byTarget.set(target, [reference]);
    else others.push(reference);
    if (known.has(target)) continue;
    for (const found of schemaSites(target)) {
      if (known.has(found.node)) continue;
      known.add(found.node);
      all.push(found);
    }
  }
  return {
    list,
    sites: all,
    at: (schema) => bySchema.get(schema),
    to: (target) => byTarget.get(target) ?? NONE,
  };
}

/** The form of a reference's text. */
export function referenceForm(text: string): ReferenceForm {
  if (text === '' || text === '#') return 'root';
  if (text.startsWith('#/')) return 'pointer';
  if (text.startsWith('#')) return text.charCodeAt(1) === 0x25 /* % */ ? 'pointer' : 'anchor';
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.test(text) ? 'absolute' : 'relative';
}

/** The tokens of a fragment that is a JSON Pointer; `undefined` for any other fragment. */
export function pointerTokens(fragment: string): string[] | undefined {
  const pointer = percentDecode(fragment);
  if (pointer === undefined || /~(?![01])/.test(pointer)) return undefined;
  if (pointer === '') return [];
  return pointer.startsWith('/') ? pointer.slice(1).split('/').map(unescapePointerToken) : undefined;
}

/** The `$id` of an embedded schema: a string that is no mere anchor. */
export function embeddedId(node: JsonNode): string | undefined {
  const id = node.value('$id')?.string;
  return id === undefined || id === '' || id.startsWith('#') ? undefined : id;
}

/** Names that schemas give themselves, and the lookup of references among them. */
class NameTable {
  readonly #ids = new Map<string, JsonNode>();
  readonly #anchors = new Map<string, JsonNode>();
  readonly #resources = new Map<JsonNode, JsonNode>();
  readonly #root: JsonNode;
  readonly #base: string | undefined;

  constructor(root: JsonNode) {
    this.#root = root;
    this.#base = embeddedId(root);
  }

  add(site: SchemaSite): void {
    const node = site.node;
    const holder = site.parent === undefined ? this.#root : (this.#resources.get(site.parent.node) ?? this.#root);
    const id = embeddedId(node);
    this.#resources.set(node, id === undefined || site.parent === undefined ? holder : node);
    if (id !== undefined && !this.#ids.has(stripHash(id))) this.#ids.set(stripHash(id), node);
    for (const key of ['$anchor', '$dynamicAnchor']) {
      const anchor = node.value(key)?.string;
      if (anchor !== undefined && !this.#anchors.has(anchor)) this.#anchors.set(anchor, node);
    }
    // Drafts 6 and 7 write an anchor as `$id: "#name"`.
    const plain = node.value('$id')?.string;
    if (plain?.startsWith('#') && !this.#anchors.has(plain.slice(1))) this.#anchors.set(plain.slice(1), node);
  }

  resolve(site: SchemaSite, node: JsonNode): Reference {
    const text = node.text;
    const form = referenceForm(text);
    const resource = this.#resources.get(site.node) ?? this.#root;
    const embedded = resource !== this.#root;
    return { site, node, text, form, target: this.#target(text, form, resource), embedded };
  }

  #target(text: string, form: ReferenceForm, resource: JsonNode): JsonNode | undefined {
    if (form === 'root') return resource;
    if (form === 'pointer') {
      const tokens = pointerTokens(text.slice(1));
      if (tokens === undefined) return undefined;
      return resolveTokens(resource, tokens) ?? resolveTokens(this.#root, tokens);
    }
    if (form === 'anchor') return this.#anchors.get(percentDecode(text.slice(1)) ?? '');
    const hash = text.indexOf('#');
    const id = hash < 0 ? text : text.slice(0, hash);
    const owner = this.#ids.get(id) ?? (form === 'relative' ? this.#byRelative(id) : undefined);
    if (owner === undefined || hash < 0 || hash === text.length - 1) return owner;
    const tokens = pointerTokens(text.slice(hash + 1));
    return tokens === undefined ? this.#anchors.get(text.slice(hash + 1)) : resolveTokens(owner, tokens);
  }

  /** A relative reference beside the root's own `$id`. */
  #byRelative(id: string): JsonNode | undefined {
    if (this.#base === undefined) return undefined;
    return this.#ids.get(this.#base.slice(0, this.#base.lastIndexOf('/') + 1) + id);
  }
}

function stripHash(id: string): string {
  return id.endsWith('#') ? id.slice(0, -1) : id;
}

/** Keywords whose schemas judge the very value that the holder judges. */
const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if']);

/** Schemas as numbers, and the steps between them. */
interface Graph {
  readonly nodes: readonly JsonNode[];
  readonly steps: readonly (readonly Step[])[];
  readonly definitions: ReadonlySet<number>;
}

interface Step {
  readonly to: number;
  /** The reference that the step follows; `undefined` for a step into a subschema. */
  readonly reference: Reference | undefined;
}

function graphOf({ sites, at }: References, wanted: (site: SchemaSite) => boolean): Graph {
  const numbers = new Map<JsonNode, number>();
  for (const site of sites) numbers.set(site.node, numbers.size);
  const steps: Step[][] = sites.map(() => []);
  const definitions = new Set<number>();
  for (const site of sites) {
    const number = numbers.get(site.node)!;
    const parent = site.parent === undefined ? undefined : numbers.get(site.parent.node);
    if (site.keyword === '$defs' || site.keyword === 'definitions') definitions.add(number);
    else if (parent !== undefined && wanted(site)) steps[parent]!.push({ to: number, reference: undefined });
    const reference = at(site.node);
    const target = reference?.target === undefined ? undefined : numbers.get(reference.target);
    if (target !== undefined) steps[number]!.push({ to: target, reference });
  }
  return { nodes: sites.map((site) => site.node), steps, definitions };
}

/**
 * References that only lead to each other: to judge a value, a validator would have to judge that same value first,
 * without end. Each entry is one circle, its references in text order. JSON Schema 2020-12, Core 9.4.1, forbids them.
 */
export function referenceCycles(references: References): Reference[][] {
  if (references.list.length === 0) return [];
  const graph = graphOf(references, (site) => IN_PLACE.has(site.keyword ?? ''));
  const component = components(graph);
  const circles = new Map<number, Reference[]>();
  for (let number = 0; number < graph.nodes.length; number++) {
    for (const { to, reference } of graph.steps[number]!) {
      if (reference === undefined || component[number] !== component[to]) continue;
      const circle = circles.get(component[number]!);
      if (circle === undefined) circles.set(component[number]!, [reference]);
      else circle.push(reference);
    }
  }
  return [...circles.values()].map((circle) => circle.sort((a, b) => a.node.offset - b.node.offset));
}

/** A schema that contains itself by reference. */
export interface Recursion {
  /** The schema to which recursion returns. */
  readonly schema: JsonNode;
  /** The references that return to it. */
  readonly references: readonly Reference[];
}

/** Every schema to which recursion returns, seen from the root, then from definitions that nothing else reaches. */
export function recursions(references: References): Recursion[] {
  if (references.list.length === 0) return [];
  const graph = graphOf(references, () => true);
  const NEW = 0;
  const OPEN = 1;
  const DONE = 2;
  const state = new Uint8Array(graph.nodes.length);
  const found = new Map<number, Reference[]>();
  const visit = (start: number): void => {
    if (state[start] !== NEW) return;
    state[start] = OPEN;
    const path: { number: number; next: number }[] = [{ number: start, next: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const step = graph.steps[top.number]![top.next++];
      if (step === undefined) {
        state[top.number] = DONE;
        path.pop();
      } else if (state[step.to] === NEW) {
        state[step.to] = OPEN;
        path.push({ number: step.to, next: 0 });
      } else if (state[step.to] === OPEN && step.reference !== undefined) {
        const returning = found.get(step.to);
        if (returning === undefined) found.set(step.to, [step.reference]);
        else returning.push(step.reference);
      }
    }
  };
  if (graph.nodes.length > 0) visit(0);
  for (const number of graph.definitions) visit(number);
  for (let number = 0; number < graph.nodes.length; number++) visit(number);
  return [...found].map(([number, returning]) => ({ schema: graph.nodes[number]!, references: returning }));
}

/** Strongly connected components (Tarjan), with a stack of its own: the number of each node's component. */
function components({ nodes, steps }: Graph): number[] {
  const count = nodes.length;
  const order = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const component: number[] = new Array<number>(count).fill(-1);
  const open: number[] = [];
  let nextOrder = 0;
  let nextComponent = 0;
  for (let start = 0; start < count; start++) {
    if (order[start] !== -1) continue;
    const path: { number: number; next: number }[] = [{ number: start, next: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const number = top.number;
      if (top.next === 0) {
        order[number] = low[number] = nextOrder++;
        open.push(number);
      }
      const step = steps[number]![top.next++];
      if (step !== undefined) {
        if (order[step.to] === -1) path.push({ number: step.to, next: 0 });
        else if (component[step.to] === -1) low[number] = Math.min(low[number]!, order[step.to]!);
        continue;
      }
      path.pop();
      const below = path.at(-1);
      if (below !== undefined) low[below.number] = Math.min(low[below.number]!, low[number]!);
      if (low[number] !== order[number]) continue;
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        component[member] = nextComponent;
        if (member === number) break;
      }
      nextComponent++;
    }
  }
  return component;
}

/** A definition of a root table. */
export interface Definition {
  readonly table: '$defs' | 'definitions';
  readonly name: string;
  readonly property: JsonProperty;
}

/** The definitions in the root's two tables, in text order of each table. */
export function rootDefinitions(root: JsonNode): Definition[] {
  const found: Definition[] = [];
  for (const table of ['$defs', 'definitions'] as const) {
    const map = root.value(table);
    if (map?.kind !== 'object') continue;
    for (const property of effectiveProperties(map)) found.push({ table, name: property.key, property });
  }
  return found;
}
