import {
  type Definition,
  pointerTokens,
  type Reference,
  type References,
  rootDefinitions,
} from '../../schema/references';
import type { SchemaSite } from '../../schema/sites';
import {
  applyEdits,
  changeObject,
  insertProperty,
  joinEdits,
  removeProperties,
  removeProperty,
  replaceValue,
} from '../../text/edits';
import { emitString } from '../../text/emit';
import type { TextEdit } from '../../text/finding';
import { type JsonNode, parseJson } from '../../text/json';
import { escapePointerToken } from '../../text/jsonTree';
import { copyLike, formatLike } from '../../text/style';
import { didYouMean } from '../../text/words';
import { contains, hasNameWithin, hasTargetInside, leadsTo } from './refIndex';

/** The text of a reference to a definition of the root. */
export function definitionReference(table: string, name: string): string {
  const token = escapePointerToken(name);
  return `#/${table}/${/^[\w$.~-]+$/.test(token) ? token : encodeFragment(token)}`;
}

function encodeFragment(token: string): string {
  try {
    return encodeURIComponent(token);
  } catch {
    // Half of a surrogate pair cannot be encoded.
    return token.replaceAll('%', '%25');
  }
}

/** Keywords whose schemas judge the very value that their holder judges. */
const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);

/** Whether a reference to a node would lead from this place only back to itself. */
function leadsBack(from: SchemaSite, target: JsonNode | undefined): boolean {
  for (let site: SchemaSite | undefined = from; site !== undefined; site = site.parent) {
    if (site.node === target) return true;
    if (site.keyword === undefined || !IN_PLACE.has(site.keyword)) return false;
  }
  return false;
}

/** Similar names are looked for among this many definitions at most; the same name among all. */
const MAX_SIMILAR = 500;

/** Tables of the definitions of a root by name, and the names that were meant by others so far. */
const tables = new WeakMap<
  JsonNode,
  { known: ReadonlyMap<string, Definition>; similar: Map<string, string | undefined> }
>();

function tableOf(root: JsonNode): NonNullable<ReturnType<typeof tables.get>> {
  let table = tables.get(root);
  if (table === undefined) {
    const known = new Map(rootDefinitions(root).map((definition) => [definition.name, definition]));
    table = { known, similar: new Map() };
    tables.set(root, table);
  }
  return table;
}

/**
 * The reference that was probably meant by one that names nothing: the same name in a table, else a similar one. None that
 * would lead in a circle.
 */
export function meantReference(root: JsonNode, { text, site }: Reference): string | undefined {
  const { known, similar } = tableOf(root);
  const hash = text.indexOf('#');
  const fragment = hash < 0 ? '' : text.slice(hash + 1);
  const tokens = fragment.startsWith('/') ? pointerTokens(fragment) : undefined;
  const name = tokens?.at(-1) ?? (fragment || text.replace(/^.*\//, '').replace(/\.json$/, ''));
  if (!known.has(name) && !similar.has(name)) {
    const near = known.size > MAX_SIMILAR || similar.size > MAX_SIMILAR ? undefined : didYouMean(name, known.keys());
    similar.set(name, near);
  }
  const meant = known.get(known.has(name) ? name : (similar.get(name) ?? name));
  if (meant === undefined || leadsBack(site, meant.property.value)) return undefined;
  return definitionReference(meant.table, meant.name);
}

/** Keywords that may stand beside a reference that is written out: they judge nothing, and the nearer one wins. */
const NOTES: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/**
 * Whether what a reference names can be written in its place without a change of meaning: not where it leads back to
 * itself, has names of its own, or keywords that judge stand beside the reference.
 */
export function canInline(references: References, reference: Reference): boolean {
  const target = reference.target;
  const holder = reference.site.node;
  if (target === undefined || reference.embedded || contains(target, holder)) return false;
  if (target.kind !== 'object' && holder.properties.length > 1) return false;
  if (holder.properties.some(({ key }) => key !== '$ref' && !NOTES.has(key))) return false;
  return !hasNameWithin(references, target) && !leadsTo(references, target, [holder, target]);
}

/** Writes what the reference names in its place. */
export function inline(text: string, { site, target }: Reference): TextEdit[] {
  const { node } = site;
  if (node.properties.length === 1) return replaceValue(node, copyLike(text, node.parent, target!));
  const added = target!.properties.filter(({ key, value }) => value !== undefined && !node.has(key));
  return changeObject(text, node, {
    remove: [node.get('$ref')!],
    add: added.map(({ key, value }) => [key, copyLike(text, node, value!)]),
  });
}

/** Takes a definition of the root away, and its table with it when it is the last one. */
export function removeDefinition(text: string, target: JsonNode): TextEdit[] {
  const property = target.property!;
  const table = property.owner.property;
  return property.owner.properties.length === 1 && table !== undefined
    ? removeProperties(text, [table])
    : removeProperties(text, [property]);
}

/** What a move of a schema into the root's definitions would do. */
export interface Move {
  /** How it is named from then on. */
  readonly reference: string;
  edits(): TextEdit[];
}

/**
 * Moves a schema into the definitions of the root; its old place and every reference to it then name the definition.
 * `undefined` where that is not possible: the schema is the root, or the table is no object.
 */
export function moveToDefinitions(
  text: string,
  root: JsonNode,
  references: References,
  target: JsonNode,
): Move | undefined {
  if (target === root || target.kind !== 'object' || root.kind !== 'object') return undefined;
  const table = root.has('$defs') || root.value('definitions')?.kind !== 'object' ? '$defs' : 'definitions';
  const map = root.value(table);
  if (map !== undefined && map.kind !== 'object') return undefined;
  // Other references into it would lose their way.
  if (hasTargetInside(references, target)) return undefined;
  const users = references.to(target);
  const name = freeName(map, wantedName(target));
  const reference = definitionReference(table, name);
  const edits = (): TextEdit[] => {
    const inside = users.filter(({ node }) => contains(target, node));
    const id = target.get('$id');
    const changes = inside.flatMap(({ node }) => replaceValue(node, emitString(reference)));
    // Below an `$id` of its own, `#` would be the definition itself.
    if (id !== undefined) changes.push(...removeProperty(text, id));
    const definition = changed(text, map ?? root, target, changes);
    const entry =
      map === undefined
        ? insertProperty(text, root, table, nested(text, root, name, definition))
        : insertProperty(text, map, name, definition);
    const others = users.filter((each) => !inside.includes(each));
    return joinEdits(
      replaceValue(target, formatLike(text, target.parent, { $ref: reference })),
      ...others.map(({ node }) => replaceValue(node, emitString(reference))),
      entry,
    );
  };
  return { reference, edits };
}

/** The text of a schema with changes inside, for a new place. */
function changed(text: string, container: JsonNode, node: JsonNode, changes: readonly TextEdit[]): string {
  if (changes.length === 0) return copyLike(text, container, node);
  const shifted = joinEdits(changes).map(({ span, newText }) => ({
    span: { start: span.start - node.offset, end: span.end - node.offset },
    newText,
  }));
  const copy = parseJson(applyEdits(text.slice(node.offset, node.end), shifted)).root!;
  return formatLike(text, container, copy);
}

/** A new table with one definition. */
function nested(text: string, root: JsonNode, name: string, definition: string): string {
  const copy = parseJson(`{${emitString(name)}:${definition}}`).root!;
  return formatLike(text, root, copy);
}

/** A name for a definition: the schema's own, else the key under which it stands. */
function wantedName(target: JsonNode): string {
  const id = target.value('$id')?.string?.replace(/^.*[/#]/, '');
  const word = id || target.property?.key || target.parent?.property?.key || 'Definition';
  return word.replace(/[^A-Za-z0-9_.-]+/g, '_') || 'Definition';
}

function freeName(map: JsonNode | undefined, wanted: string): string {
  let name = wanted;
  for (let count = 2; map?.has(name) === true; count++) name = `${wanted}${count}`;
  return name;
}
