import { type Emptiness, type EmptyReason, emptinessOf } from '../../schema/emptiness';
import type { SchemaSite } from '../../schema/sites';
import type { RelatedPlace } from '../../text/finding';
import type { JsonNode } from '../../text/json';
import { headSpan } from '../../text/jsonTree';
import { type Message, t } from '../../text/message';
import { list } from '../../text/words';
import type { ToolContext } from '../rule';
import { declaringSites, isRequiredProperty, type SchemaPart, schemaParts } from './common';

/** A schema that nothing matches, where it is told. */
export interface NeverFault {
  /** `branch`: the rest of the schema still has values. `matches`: a required property, or the whole schema, has none. */
  readonly kind: 'branch' | 'matches';
  readonly site: SchemaSite;
  readonly root: JsonNode;
  readonly why: Message;
  readonly related: readonly RelatedPlace[];
}

/** All schemas of a tool that nothing matches, each fault once, at the innermost place that is to blame. */
export function neverFaults(context: ToolContext): readonly NeverFault[] {
  // Gemini's own dialect lists the values of a number as strings (Gemini API reference, `Schema.enum`, 2026).
  if (context.tool.shape === 'gemini' && context.tool.schemaKey === 'parameters') return [];
  return context.memo(schemaParts).flatMap((part) => new Search(part).faults());
}

/** What is wrong with a schema that is empty, and what it passes the blame to. */
class Search {
  readonly #part: SchemaPart;
  readonly #emptiness: Emptiness;
  /** Empty schemas by their node. */
  readonly #empty = new Map<JsonNode, SchemaSite>();
  readonly #reasons = new Map<JsonNode, EmptyReason>();
  readonly #faults: NeverFault[] = [];
  /** Definitions whose fault was told where they are used. */
  readonly #told = new Set<JsonNode>();

  constructor(part: SchemaPart) {
    this.#part = part;
    this.#emptiness = emptinessOf(part.root, part.references);
  }

  faults(): NeverFault[] {
    for (const site of declaringSites(this.#part.sites)) {
      if (!this.#emptiness.isEmpty(site.node)) continue;
      this.#empty.set(site.node, site);
      this.#reasons.set(site.node, this.#emptiness.reason(site.node)!);
    }
    const own = [...this.#empty.values()].filter((site) => this.#blamed(site) === undefined);
    const loops = new Set<JsonNode>();
    // References first: they decide whether a definition's fault is told at the definition.
    for (const site of own) if (this.#reasons.get(site.node)!.kind === 'reference') this.#reference(site, loops);
    for (const site of own) {
      const kind = this.#reasons.get(site.node)!.kind;
      if (kind !== 'reference' && !this.#told.has(site.node)) this.#tell(site, this.#why(site), []);
    }
    return this.#faults.sort((a, b) => a.site.node.offset - b.site.node.offset);
  }

  /** The subschema to which the fault of an empty schema belongs, if it is a fault of its own. */
  #blamed(site: SchemaSite): SchemaSite | undefined {
    const reason = this.#reasons.get(site.node)!;
    const node = reason.kind === 'required' ? reason.schema : reason.kind === 'member' ? reason.node : undefined;
    const below = node === undefined ? undefined : this.#empty.get(node);
    return below?.parent === site && (reason.kind === 'member' || isRequiredProperty(below)) ? below : undefined;
  }

  /** A reference to an empty definition: told here if the definition is wrong as a whole, or if it needs itself. */
  #reference(site: SchemaSite, loops: Set<JsonNode>): void {
    const passed = new Set<JsonNode>();
    let current = site;
    while (!passed.has(current.node)) {
      passed.add(current.node);
      const reason = this.#reasons.get(current.node)!;
      const next = reason.kind === 'reference' ? this.#empty.get(reason.target) : this.#blamed(current);
      if (next === undefined) break;
      current = next;
      if (!passed.has(next.node)) continue;
      // Each circle is told once, and only by a reference that is part of it.
      if (next.node !== site.node || [...passed].some((node) => loops.has(node))) return;
      for (const node of passed) loops.add(node);
      this.#tell(site, t('It needs a value of the same kind inside, and so on without end.'), []);
      return;
    }
    const isDefinition = current.keyword === '$defs' || current.keyword === 'definitions';
    if (!isDefinition || this.#isPlainNo(current)) {
      if (isDefinition) this.#tell(site, t('It refers to a definition that nothing matches.'), this.#related(current));
      return;
    }
    if (this.#tell(site, t('It refers to a definition that nothing matches.'), this.#related(current))) {
      this.#told.add(current.node);
    }
  }

  #related(site: SchemaSite): RelatedPlace[] {
    return [{ span: headSpan(site.node), message: this.#why(site) }];
  }

  /** `false` and `not: {}` are how authors forbid something, so they are no slip by themselves. */
  #isPlainNo(site: SchemaSite): boolean {
    const kind = this.#reasons.get(site.node)!.kind;
    return kind === 'false' || (kind === 'not' && site.node.properties.length === 1);
  }

  /** Reports a fault by what it makes impossible. Gives whether it did. */
  #tell(site: SchemaSite, why: Message, related: readonly RelatedPlace[]): boolean {
    const path = [site];
    for (let top = site; top.parent !== undefined && this.#empty.has(top.parent.node); top = top.parent) {
      if (this.#blamed(top.parent) !== top) break;
      path.push(top.parent);
    }
    const top = path.at(-1)!;
    const { root } = this.#part;
    if (top.keyword === 'anyOf' || top.keyword === 'oneOf') {
      const places = top === site ? related : [...related, { span: headSpan(site.node), message: t('this is why') }];
      this.#faults.push({ kind: 'branch', site: top, root, why: top === site ? why : this.#why(top), related: places });
      return true;
    }
    const required = path.find(isRequiredProperty);
    if (required !== undefined || top.parent === undefined) {
      this.#faults.push({ kind: 'matches', site: required ?? site, root, why, related });
      return true;
    }
    const reason = this.#reasons.get(site.node)!.kind;
    if (this.#isPlainNo(site) || reason === 'reference') return false;
    this.#faults.push({ kind: 'branch', site, root, why, related });
    return true;
  }

  #why(site: SchemaSite): Message {
    return whyEmpty(this.#reasons.get(site.node)!, site.node);
  }
}

/** The reason as a sentence. */
function whyEmpty(reason: EmptyReason, node: JsonNode): Message {
  switch (reason.kind) {
    case 'false':
      return t('It is false.');
    case 'not':
      return t('"not" excludes every value.');
    case 'types':
      return t('Its types exclude each other.');
    case 'values':
      return whyValues(reason.node, node);
    case 'limits':
      return t(
        'Its limits exclude each other: {0}.',
        list(reason.nodes.map((each) => `"${each.property?.key ?? ''}": ${each.text}`)),
      );
    case 'required':
      return t('It requires "{0}", which nothing matches.', reason.name);
    case 'too-few-properties':
      return t('It requires more properties than it allows.');
    case 'item':
      return t('It needs an element that nothing matches.');
    case 'union':
      return t('No branch of "{0}" is left that fits the rest.', reason.node.property?.key ?? '');
    case 'one-of':
      return t('Every value matches two branches of "oneOf", which takes exactly one.');
    case 'reference':
      return t('It refers to a definition that nothing matches.');
    case 'member':
      return t('A member of "allOf" matches nothing.');
    case 'several':
      return t('For each type that it allows, the rest excludes every value.');
  }
}

function whyValues(values: JsonNode, node: JsonNode): Message {
  const type = node.value('type')?.string;
  if (values.property?.key === 'const') {
    return type === undefined
      ? t('The constant does not fit the rest of the schema.')
      : t(
          'The constant is {0}, which does not fit the type "{1}" and the rest.',
          values.text || t('a list or an object'),
          type,
        );
  }
  if (values.items.length === 0) return t('"enum" lists no value.');
  return type === undefined
    ? t('No value in "enum" fits the rest of the schema.')
    : t('No value in "enum" fits the type "{0}" and the rest of the schema.', type);
}
