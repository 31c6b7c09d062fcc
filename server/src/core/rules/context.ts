import type { OpinionOf } from '../grammar/providerOpinion';
import type { GrammarSurroundings } from '../grammar/surroundings';
import type { CodexProfile } from '../profiles/codex';
import type { Target } from '../profiles/targets';
import type { CompileResult } from '../schema/compile';
import { type SchemaSite, schemaSites } from '../schema/sites';
import type { JsonDocument, JsonNode } from '../text/json';
import type { ToolDefinition, ToolSet } from '../tools/model';
import { compileTool } from '../wire/compileTool';
import { type ActiveRule, reportTargets } from './levels';
import type { BaseContext, Report, SiteContext } from './rule';

/** Schemas that lie deeper are not judged one by one; Codex refuses a schema of more than 123 levels as a whole. */
const MAX_SITE_DEPTH = 200;

/** So many findings of one rule about one tool are kept at most. */
const MAX_REPORTS = 2000;

/** What the checks of one file share. */
export interface FileFacts {
  readonly document: JsonDocument;
  readonly set: ToolSet;
  readonly profile: CodexProfile;
  readonly targets: ReadonlySet<Target>;
  readonly jsonc: boolean;
  readonly ruleIds: ReadonlySet<string>;
  readonly recall: Recall;
  /** What the provider's engine says of the grammars in the file. */
  readonly opinionOf?: OpinionOf | undefined;
  /** Grammar files around the file. */
  readonly surroundings?: GrammarSurroundings | undefined;
}

/** What functions made of texts, in this version of a file and in the one before. Older results are forgotten. */
export class Recall {
  readonly #now = new Map<unknown, Map<string, unknown>>();
  readonly #before: ReadonlyMap<unknown, ReadonlyMap<string, unknown>>;

  constructor(before?: Recall) {
    this.#before = before === undefined ? new Map() : before.#now;
  }

  get<T>(make: (text: string) => T, text: string): T {
    let made = this.#now.get(make);
    if (made === undefined) {
      made = new Map();
      this.#now.set(make, made);
    }
    if (made.has(text)) return made.get(text) as T;
    const before = this.#before.get(make);
    const value = before?.has(text) === true ? (before.get(text) as T) : make(text);
    made.set(text, value);
    return value;
  }

  /** Lets go of the version before, once a file has been checked. */
  settle(): Recall {
    const settled = new Recall();
    for (const [make, made] of this.#now) settled.#now.set(make, made);
    return settled;
  }
}

/** A report with the rule that made it. */
export interface RawReport {
  readonly active: ActiveRule;
  readonly targets: readonly Target[];
  report: Report;
}

/** The context of file and set checks; also the base of that of tools. Collects what the rules say. */
export class FileRun implements BaseContext {
  readonly document: JsonDocument;
  readonly set: ToolSet;
  readonly profile: CodexProfile;
  readonly jsonc: boolean;
  readonly ruleIds: ReadonlySet<string>;
  readonly reports: RawReport[] = [];
  readonly failures: { readonly rule: string; readonly error: unknown }[] = [];
  readonly #targets: ReadonlySet<Target>;
  readonly #recall: Recall;
  readonly #memo = new Map<unknown, unknown>();
  readonly #counts = new Map<ActiveRule, number>();
  #current: ActiveRule | undefined;

  constructor(facts: FileFacts) {
    this.document = facts.document;
    this.set = facts.set;
    this.profile = facts.profile;
    this.jsonc = facts.jsonc;
    this.ruleIds = facts.ruleIds;
    this.#targets = facts.targets;
    this.#recall = facts.recall;
  }

  // Properties instead of methods, because rules take their context apart.
  readonly on = (target: Target): boolean => this.#targets.has(target);

  readonly report = (report: Report): void => {
    const active = this.#current;
    if (active === undefined) return;
    const targets = reportTargets(active, report);
    if (targets === undefined) return;
    const count = this.#counts.get(active) ?? 0;
    if (count >= MAX_REPORTS) return;
    this.#counts.set(active, count + 1);
    this.reports.push({ active, targets, report });
  };

  readonly memo = <T>(make: (context: never) => T): T => {
    if (!this.#memo.has(make)) this.#memo.set(make, make(this as never));
    return this.#memo.get(make) as T;
  };

  readonly recall = <T>(make: (text: string) => T, text: string): T => this.#recall.get(make, text);

  /** Runs one kind of check of one rule. A rule that throws is noted once and reports nothing more. */
  run(active: ActiveRule, kind: 'file' | 'set' | 'tool' | 'site'): void {
    if (this.failures.length > 0 && this.failures.some((failure) => failure.rule === active.rule.id)) return;
    this.#current = active;
    try {
      // The caller knows that the rule has this function and that this is the context it wants.
      active.rule[kind]!(this as never);
    } catch (error) {
      this.failures.push({ rule: active.rule.id, error });
    }
    this.#current = undefined;
  }
}

const NO_SITES: readonly SchemaSite[] = [];

/** The context of the checks of one tool and of its schemas. `site` and its companions move on during the walk. */
export class ToolRun extends FileRun implements SiteContext {
  site!: SchemaSite;
  root!: JsonNode;
  output = false;
  readonly surroundings: GrammarSurroundings | undefined;
  #sites: readonly SchemaSite[] | undefined;
  #outputSites: readonly SchemaSite[] | undefined;
  #compiled: CompileResult | undefined;
  #isCompiled = false;

  constructor(
    facts: FileFacts,
    readonly tool: ToolDefinition,
  ) {
    super(facts);
    this.surroundings = facts.surroundings;
  }

  get sites(): readonly SchemaSite[] {
    this.#sites ??= sitesOf(this.tool.schemaNode);
    return this.#sites;
  }

  get outputSites(): readonly SchemaSite[] {
    this.#outputSites ??= sitesOf(this.tool.outputSchemaNode);
    return this.#outputSites;
  }

  /** The compilation, if a rule has asked for it. */
  get compiled(): CompileResult | undefined {
    return this.#compiled;
  }

  readonly compile = (): CompileResult | undefined => {
    if (!this.#isCompiled) {
      this.#compiled = compileTool(this.tool, this.profile);
      this.#isCompiled = true;
    }
    return this.#compiled;
  };
}

function sitesOf(root: JsonNode | undefined): readonly SchemaSite[] {
  if (root === undefined) return NO_SITES;
  const sites = schemaSites(root);
  return root.height <= MAX_SITE_DEPTH ? sites : sites.filter((site) => site.depth <= MAX_SITE_DEPTH);
}
