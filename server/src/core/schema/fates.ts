import type { JsonNode } from '../text/json';
import { walkJson } from '../text/jsonTree';
import { LoweredList, LoweredObject, type LoweredValue } from './lowered';
import { knownTypes } from './sanitize';
import type { Fate, TraceEvent } from './trace';

const KEPT: Fate = { status: 'kept', event: undefined };
const OVERWRITTEN: Fate = { status: 'dropped', event: undefined };

/** Index of the fate of every node of a source schema. */
class FateIndexer {
  readonly fates = new Map<JsonNode, Fate>();

  constructor(readonly eventsAt: (node: JsonNode) => readonly TraceEvent[]) {}

  /** A value in a schema's place: a schema, or a list read as one. */
  schema(node: JsonNode, value: LoweredValue): void {
    if (value instanceof LoweredList) {
      this.fates.set(node, KEPT);
      value.items.forEach((item, i) => {
        const child = node.items[i];
        if (child !== undefined) this.schema(child, item);
      });
      return;
    }
    if (!(value instanceof LoweredObject)) {
      this.#all(node, KEPT);
      return;
    }
    const events = this.eventsAt(node);
    if (node.kind !== 'object') {
      this.fates.set(node, changed(events.find((event) => event.action === 'boolean-to-string')));
      return;
    }
    const emptied = value.keys.length === 0 ? events.findLast((event) => event.action === 'emptied') : undefined;
    if (emptied !== undefined) {
      this.#all(node, { status: 'dropped', event: emptied });
      this.fates.set(node, changed(emptied));
      return;
    }
    this.fates.set(node, KEPT);
    for (const member of node.properties) {
      const source = member.value;
      if (source === undefined) continue;
      if (node.get(member.key) !== member) this.#all(source, OVERWRITTEN);
      else this.#member(member.key, source, value, events);
    }
  }

  #member(key: string, source: JsonNode, schema: LoweredObject, events: readonly TraceEvent[]): void {
    const own = events.findLast((event) => event.property?.key === key);
    const value = schema.get(key);
    if (own?.action === 'const-to-enum') this.#all(source, changed(own));
    else if (own?.action === 'type-inferred') this.#replaced(source, own);
    else if (own?.action === 'type-filtered') this.#filtered(source, own);
    else if (value === undefined || own !== undefined) this.#all(source, { status: 'dropped', event: own });
    else if (key === 'enum') {
      const overwritten = events.find((event) => event.replaced === true);
      if (overwritten === undefined) this.#all(source, KEPT);
      else this.#replaced(source, overwritten);
    } else if (key === 'properties' && source.kind === 'null') {
      this.fates.set(source, changed(events.find((event) => event.action === 'properties-added')));
    } else if (key === 'properties' || key === '$defs' || key === 'definitions') this.#map(source, value);
    else if (key === 'items' || key === 'additionalProperties') this.schema(source, value);
    else if (key === 'anyOf' || key === 'oneOf' || key === 'allOf') this.schema(source, value);
    else this.#all(source, KEPT);
  }

  #map(source: JsonNode, value: LoweredValue): void {
    this.fates.set(source, KEPT);
    if (!(value instanceof LoweredObject)) return;
    for (const member of source.properties) {
      if (member.value === undefined) continue;
      const child = source.get(member.key) === member ? value.get(member.key) : undefined;
      if (child !== undefined) this.schema(member.value, child);
      else {
        const event = this.eventsAt(member.value).find((candidate) => candidate.action === 'definition-removed');
        this.#all(member.value, { status: 'dropped', event });
      }
    }
  }

  /** Something else stands in the place of the node, and nothing of what it held. */
  #replaced(node: JsonNode, event: TraceEvent): void {
    this.#all(node, { status: 'dropped', event });
    this.fates.set(node, changed(event));
  }

  /** A type list without its unknown words: those that stay may stand at another place. */
  #filtered(list: JsonNode, event: TraceEvent): void {
    this.#replaced(list, event);
    const words = event.stage === 'read' ? list.items : knownTypes(list);
    for (const word of words) this.fates.set(word, changed(event));
  }

  /** The node and all below it. What a repeated key overwrites in data is not sent, whatever becomes of the rest. */
  #all(node: JsonNode, fate: Fate): void {
    const overwritten: JsonNode[] = [];
    walkJson(node, (child) => {
      this.fates.set(child, fate);
      if (fate.status === 'dropped') return true;
      for (const member of child.properties) {
        if (member.value !== undefined && child.get(member.key) !== member) overwritten.push(member.value);
      }
      return true;
    });
    for (const value of overwritten) this.#all(value, OVERWRITTEN);
  }
}

function changed(event: TraceEvent | undefined): Fate {
  return { status: 'changed', event };
}

/**
 * What became of each node of the source, by walking it beside the final schema.
 *
 * Recurses once per level of a schema that has been read, whose nesting is bounded.
 */
export function indexFates(
  source: JsonNode,
  final: LoweredValue,
  eventsAt: (node: JsonNode) => readonly TraceEvent[],
): ReadonlyMap<JsonNode, Fate> {
  const indexer = new FateIndexer(eventsAt);
  indexer.schema(source, final);
  return indexer.fates;
}
