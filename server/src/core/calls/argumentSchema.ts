import type { JsonNode } from '../text/json';
import { sameValue } from '../text/jsonTree';
import {
  type DeclaredProperty,
  declaredProperties,
  keyword,
  openArms,
  type SchemaView,
  viewOf,
  withArm,
} from './drift/schemaView';

/** Alternatives of one schema that are looked at. */
const MOST_VIEWS = 40;

/**
 * The schemas that hold for a place in arguments: each way through `anyOf` and `oneOf` gives one, without those that a
 * constant of the object that is there rules out. Empty where the schema says nothing of the place.
 *
 * @param path keys and indexes from the arguments on
 * @param value the arguments as far as they are written
 */
export function schemasAt(
  root: JsonNode,
  path: readonly (string | number)[],
  value: JsonNode | undefined,
): readonly SchemaView[] {
  let views = alternatives(viewOf(root, root), root);
  let current = value;
  for (const step of path) {
    const here = fitting(views, current);
    const nodes = new Set(here.flatMap((view) => child(view, step)));
    views = [...nodes].flatMap((node) => alternatives(viewOf(node, root), root)).slice(0, MOST_VIEWS);
    current = typeof step === 'number' ? current?.items[step] : current?.value(step);
  }
  return fitting(views, current);
}

/** The properties that an object may have by any of these schemas; the first that declares one counts. */
export function propertiesOf(views: readonly SchemaView[]): readonly DeclaredProperty[] {
  const found = new Map<string, DeclaredProperty>();
  for (const view of views) {
    for (const property of declaredProperties(view)) if (!found.has(property.name)) found.set(property.name, property);
  }
  return [...found.values()];
}

function alternatives(start: SchemaView, root: JsonNode): SchemaView[] {
  const done: SchemaView[] = [];
  const open = [start];
  for (let view = open.shift(); view !== undefined; view = open.shift()) {
    const arms = done.length + open.length < MOST_VIEWS ? openArms(view) : undefined;
    if (arms === undefined) done.push(view);
    else open.unshift(...arms.arms.flatMap((arm) => withArm(view!, arms, arm, root) ?? []));
  }
  return done;
}

/** Without the alternatives whose constants the object contradicts; all of them where it contradicts all. */
function fitting(views: readonly SchemaView[], object: JsonNode | undefined): readonly SchemaView[] {
  if (views.length < 2 || object?.kind !== 'object') return views;
  const left = views.filter((view) =>
    declaredProperties(view).every(({ name, node }) => {
      const value = object.value(name);
      const allowed =
        node.kind === 'object' ? [...present(node.value('const')), ...(node.value('enum')?.items ?? [])] : [];
      return value === undefined || allowed.length === 0 || allowed.some((each) => sameValue(each, value));
    }),
  );
  return left.length === 0 ? views : left;
}

function child(view: SchemaView, step: string | number): JsonNode[] {
  if (typeof step === 'number') {
    const listed = keyword(view, 'prefixItems').flatMap(({ items }) => items[step] ?? []);
    return listed.length > 0 ? listed : keyword(view, 'items').filter(({ kind }) => kind === 'object');
  }
  const declared = keyword(view, 'properties').flatMap((list) => list.value(step) ?? []);
  return declared.length > 0 ? declared : keyword(view, 'additionalProperties').filter(({ kind }) => kind === 'object');
}

function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** What a value may be, in a few words: `"a" | "b"`, `integer`, `string[]`, `string or null`. */
export function typeWords(views: readonly SchemaView[]): string {
  const words = new Set(views.flatMap((view) => wordsOf(view)));
  return [...words].join(' | ');
}

/** Enumerated values that are named before the rest is left out. */
const MOST_VALUES = 6;

function wordsOf(view: SchemaView): string[] {
  const [constant] = keyword(view, 'const');
  if (constant !== undefined) return [scalarText(constant)];
  const [listed] = keyword(view, 'enum');
  if (listed !== undefined && listed.items.length > 0) {
    const values = listed.items.slice(0, MOST_VALUES).map(scalarText);
    return listed.items.length > MOST_VALUES ? [...values, '…'] : values;
  }
  const types = keyword(view, 'type').flatMap((node) => (node.kind === 'array' ? node.items : [node]));
  return types.flatMap(({ string }) => string ?? []);
}

function scalarText(node: JsonNode): string {
  return node.kind === 'string'
    ? JSON.stringify(node.text)
    : node.kind === 'object' || node.kind === 'array'
      ? '…'
      : node.text;
}
