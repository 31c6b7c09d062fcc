import { type CodexProfile, DEFAULT_CODEX_PROFILE, type PassName } from '../profiles/codex';
import { JsonNode } from '../text/json';
import { pointerOf } from '../text/jsonTree';
import { utf8Length } from '../text/utf8';
import { dropCompositions } from './compact/compositions';
import { dropDefinitions } from './compact/definitions';
import { collapseDepth } from './compact/depth';
import { dropDescriptions } from './compact/descriptions';
import { type DecodeFault, decodeSchema, typeWord, wideInteger } from './decode';
import { indexFates } from './fates';
import { LoweredList, LoweredObject, type LoweredValue } from './lowered';
import { pruneDefinitions, type UnreachableDefinition } from './reach';
import { sanitize } from './sanitize';
import type { Fate, TraceEvent } from './trace';

/** How a schema is compiled. */
export interface CompileOptions {
  /** Default: the newest observed version of Codex. */
  readonly profile?: CodexProfile;
  /** The way into Codex. MCP puts `properties: {}` into the root first where they are missing or null. */
  readonly via?: 'dynamic' | 'mcp';
  /** Skips the passes, as Codex does for its own tools. */
  readonly trusted?: boolean;
  /** Levels of containers that stand around the schema beyond those of a plain tool (2 in a namespace). */
  readonly extraNesting?: number;
}

/** Codex does not take the schema. */
export interface Refusal {
  /** The client's own words about the schema. */
  readonly message: string;
  /** The value that causes it. */
  readonly node: JsonNode;
  /** The pointer of `node` from the schema's root. */
  readonly pointer: string;
  /**
   * What is refused: the schema, its root's type, the request as a whole before any schema is looked at, or a text
   * nested so deeply that the client does not read it.
   */
  readonly kind: 'schema' | 'null-root' | 'request' | 'nesting';
}

/** One state of the schema on its way. */
export interface Stage {
  readonly name: 'lowered' | 'pruned' | PassName;
  /** UTF-8 bytes of `text()`. */
  readonly bytes: number;
  /** The compact JSON that would go out if this were the last stage. */
  text(): string;
}

/** What the compiled root is: providers want an object schema there. */
export interface CompiledRoot {
  readonly kind: 'empty' | 'object' | 'other';
}

const PASSES: Record<PassName, (root: LoweredValue, profile: CodexProfile, events: TraceEvent[]) => LoweredValue> = {
  descriptions: (root, _, events) => dropDescriptions(root, events),
  definitions: (root, _, events) => dropDefinitions(root, events),
  depth: (root, profile, events) => collapseDepth(root, profile.depthLimit, events),
  compositions: (root, _, events) => dropCompositions(root, events),
};

const keptSets = new WeakMap<CodexProfile['keptKeywords'], ReadonlySet<string>>();

function keptSet(profile: CodexProfile): ReadonlySet<string> {
  let set = keptSets.get(profile.keptKeywords);
  if (set === undefined) {
    set = new Set(profile.keptKeywords);
    keptSets.set(profile.keptKeywords, set);
  }
  return set;
}

/**
 * Compiles an input schema to the `parameters` that Codex sends: lower, prune unreachable definitions, shrink while over
 * the budget, read, reject a root of type null, emit. Models Codex 0.171.0 as observed; 0.148.0 by its profile.
 *
 * Any value may be given; a schema that Codex does not take gives a result with `refusal`, in the client's own words.
 * Nesting beyond what the client reads is refused before anything recurses.
 */
export function compileSchema(node: JsonNode, options: CompileOptions = {}): CompileResult {
  const profile = options.profile ?? DEFAULT_CODEX_PROFILE;
  const buffered = options.via !== 'mcp';
  const limit = profile.maxSchemaNesting - (options.extraNesting ?? 0);
  const result = (outcome: Partial<Outcome>): CompileResult =>
    new CompileResult(node, profile, buffered, { ...NOTHING, ...outcome });
  if (node.height > limit) {
    const place = firstBelow(node, limit);
    return result({ refusal: refusal('nesting', { message: 'recursion limit exceeded', node: place }, node) });
  }
  if (buffered && node.hasLongNumber) {
    const wide = wideInteger(node);
    if (wide !== undefined) {
      return result({ refusal: refusal('request', { ...wide, message: `Invalid request: ${wide.message}` }, node) });
    }
  }

  const events: TraceEvent[] = [];
  const emptyProperties = options.via === 'mcp';
  const schema = sanitize(node, { events, keptKeywords: keptSet(profile), emptyProperties });

  const stages: LoweredStage[] = [];
  const measure = (name: Stage['name'], value: LoweredValue): DecodeFault | undefined => {
    const decoded = decodeSchema(value, { profile, buffered });
    if ('fault' in decoded) return decoded.fault;
    stages.push(new LoweredStage(name, value, decoded.text, utf8Length(decoded.text)));
    return undefined;
  };
  const pruned = pruneDefinitions(schema, events);
  const { unreachable, reachedBy } = pruned;
  const fault = measure('pruned', pruned.schema);
  if (fault !== undefined) {
    return result({ events, unreachable, reachedBy, refusal: refusal('schema', fault, node) });
  }
  // A fault in an unused definition goes with the definition, so the lowered stage may be unreadable.
  if (unreachable.length > 0) {
    const lowered = decodeSchema(schema, { profile, buffered });
    if ('text' in lowered) {
      stages.unshift(new LoweredStage('lowered', schema, lowered.text, utf8Length(lowered.text)));
    }
  } else {
    const { value, emitted, bytes } = stages[0]!;
    stages.unshift(new LoweredStage('lowered', value, emitted, bytes));
  }

  let current = pruned.schema;
  const passes: PassName[] = [];
  if (options.trusted !== true) {
    for (const pass of profile.passes) {
      if (stages[stages.length - 1]!.bytes <= profile.budgetBytes) break;
      passes.push(pass);
      current = PASSES[pass](current, profile, events);
      measure(pass, current);
    }
  }
  if (typeWord(typeOf(current, profile)) === 'null') {
    const message = 'tool input schema must not be a singleton null type';
    const cause = node.kind === 'object' ? (node.value('type') ?? node) : node;
    return result({ events, unreachable, reachedBy, refusal: refusal('null-root', { message, node: cause }, node) });
  }
  return result({ events, unreachable, reachedBy, stages, passes });
}

/** The `type` that the reader finds in a schema, or in a list that it reads field by field. */
function typeOf(schema: LoweredValue, profile: CodexProfile): JsonNode | undefined {
  let type: LoweredValue | undefined;
  if (schema instanceof LoweredObject) type = schema.get('type');
  else if (schema instanceof LoweredList) type = schema.items[profile.keptKeywords.indexOf('type')];
  return type instanceof JsonNode ? type : undefined;
}

/** A stage with the lowered value it was made of. */
class LoweredStage implements Stage {
  constructor(
    readonly name: Stage['name'],
    readonly value: LoweredValue,
    readonly emitted: string,
    readonly bytes: number,
  ) {}

  text(): string {
    return this.emitted;
  }
}

/** What `compileSchema` found out; absent parts have their neutral value. */
interface Outcome {
  readonly refusal: Refusal | undefined;
  readonly events: readonly TraceEvent[];
  readonly stages: readonly LoweredStage[];
  readonly passes: readonly PassName[];
  readonly unreachable: readonly UnreachableDefinition[];
  readonly reachedBy: ReadonlyMap<string, string>;
}

const NOTHING: Outcome = {
  refusal: undefined,
  events: [],
  stages: [],
  passes: [],
  unreachable: [],
  reachedBy: new Map(),
};

/** The compiled schema with its history. Everything that costs more than the compilation is made on first use. */
export class CompileResult {
  readonly refusal: Refusal | undefined;
  /** What each stage changed, in order. Events below a node that a later stage removes are not taken back. */
  readonly events: readonly TraceEvent[];
  /** `lowered`, `pruned`, then each pass that ran. Empty when Codex refuses the schema before it is measured. */
  readonly stages: readonly Stage[];
  readonly passes: readonly PassName[];
  readonly unreachable: readonly UnreachableDefinition[];
  /** For each definition that is used, the `$ref` that reached it first, by `$defs/Name`. */
  readonly reachedBy: ReadonlyMap<string, string>;
  readonly #stages: readonly LoweredStage[];
  #events: Map<JsonNode, TraceEvent[]> | undefined;
  #fates: ReadonlyMap<JsonNode, Fate> | undefined;
  #before: Map<JsonNode, number> | undefined;
  #after: Map<JsonNode, number> | undefined;

  constructor(
    readonly source: JsonNode,
    readonly profile: CodexProfile,
    readonly buffered: boolean,
    outcome: Outcome,
  ) {
    this.refusal = outcome.refusal;
    this.events = outcome.events;
    this.stages = outcome.stages;
    this.#stages = outcome.stages;
    this.passes = outcome.passes;
    this.unreachable = outcome.unreachable;
    this.reachedBy = outcome.reachedBy;
  }

  /** The exact compact JSON of `parameters`; empty when Codex refuses the schema. */
  get text(): string {
    return this.refusal === undefined ? this.stages[this.stages.length - 1]!.text() : '';
  }

  /** UTF-8 bytes of `text`. */
  get bytes(): number {
    return this.refusal === undefined ? this.stages[this.stages.length - 1]!.bytes : 0;
  }

  /** UTF-8 bytes before the first pass: what is held against the budget. */
  get sourceBytes(): number {
    return this.stages.find((stage) => stage.name === 'pruned')?.bytes ?? this.bytes;
  }

  /** Still over the budget after the last pass, and sent so. */
  get overBudget(): boolean {
    return this.bytes > this.profile.budgetBytes;
  }

  /** What the root has become; providers refuse one that is no plain object. */
  get root(): CompiledRoot {
    if (this.text === '{}') return { kind: 'empty' };
    const final = this.#final;
    const type = final === undefined ? undefined : typeOf(final, this.profile);
    return { kind: typeWord(type) === 'object' ? 'object' : 'other' };
  }

  /** The events whose node is this one. */
  eventsAt(node: JsonNode): readonly TraceEvent[] {
    if (this.#events === undefined) {
      this.#events = new Map();
      for (const event of this.events) {
        const list = this.#events.get(event.node);
        if (list === undefined) this.#events.set(event.node, [event]);
        else list.push(event);
      }
    }
    return this.#events.get(node) ?? [];
  }

  /** What became of a node of the source schema. Nodes outside of it, and all nodes of a refused schema, are dropped. */
  fate(node: JsonNode): Fate {
    this.#fates ??=
      this.#final === undefined ? new Map() : indexFates(this.source, this.#final, (at) => this.eventsAt(at));
    return this.#fates.get(node) ?? { status: 'dropped', event: undefined };
  }

  /** UTF-8 bytes that a schema takes before the first pass; `undefined` where it is not part of that stage. */
  sizeBefore(node: JsonNode): number | undefined {
    this.#before ??= this.#sizes(this.#stages.find((stage) => stage.name === 'pruned'));
    return this.#before.get(node);
  }

  /** UTF-8 bytes that a schema takes on the wire; `undefined` where it is not there. */
  sizeAfter(node: JsonNode): number | undefined {
    this.#after ??= this.refusal === undefined ? this.#sizes(this.#stages[this.#stages.length - 1]) : new Map();
    return this.#after.get(node);
  }

  get #final(): LoweredValue | undefined {
    return this.refusal === undefined ? this.#stages[this.#stages.length - 1]?.value : undefined;
  }

  #sizes(stage: LoweredStage | undefined): Map<JsonNode, number> {
    const sizes = new Map<JsonNode, number>();
    if (stage !== undefined) decodeSchema(stage.value, { profile: this.profile, buffered: this.buffered, sizes });
    return sizes;
  }
}

function refusal(kind: Refusal['kind'], fault: DecodeFault, root: JsonNode): Refusal {
  return { ...fault, kind, pointer: pointerOf(fault.node, root) };
}

/** The first node, in text order, that stands `levels` containers below `root` and is a container itself. */
function firstBelow(root: JsonNode, levels: number): JsonNode {
  let node = root;
  for (let level = 0; level < levels; level++) {
    const needed = levels - level;
    const children = node.kind === 'array' ? node.items : node.properties.map((property) => property.value);
    const next = children.find((child) => child !== undefined && child.height >= needed);
    if (next === undefined) break;
    node = next;
  }
  return node;
}
