import type { GrammarSurroundings } from '../grammar/surroundings';
import type { CodexProfile } from '../profiles/codex';
import type { Target } from '../profiles/targets';
import type { CompileResult } from '../schema/compile';
import type { SchemaSite } from '../schema/sites';
import type { Fix, Level, RelatedPlace } from '../text/finding';
import type { JsonDocument, JsonNode } from '../text/json';
import type { Message } from '../text/message';
import type { Span } from '../text/span';
import type { ToolDefinition, ToolSet } from '../tools/model';

/** Sections of the documentation, in its order. */
export type RuleSection = 'file' | 'schema' | 'openai' | 'codex' | 'portability' | 'grammar' | 'calls' | 'config';

/**
 * What a rule says of one place. The registry adds rule id, level, targets and tool.
 */
export interface Report {
  /** The node that is wrong: gives pointer and, without `span`, the place (`headSpan`: its key, a scalar, or the bracket). */
  readonly node: JsonNode;
  readonly span?: Span;
  readonly message: Message;
  readonly related?: readonly RelatedPlace[];
  readonly fixes?: readonly Fix[];
  readonly unnecessary?: boolean;
  /** Instead of the rule's own level. */
  readonly level?: Level;
  /** The targets that this report is about, if fewer than the rule's own. It is dropped when none of them is on. */
  readonly targets?: readonly Target[];
}

/** What every check may ask. */
export interface BaseContext {
  readonly document: JsonDocument;
  readonly set: ToolSet;
  readonly profile: CodexProfile;
  /** Whether comments and trailing commas are fine in this file. */
  readonly jsonc: boolean;
  /** Ids of all rules that exist. */
  readonly ruleIds: ReadonlySet<string>;
  /** Whether a target is switched on. */
  on(target: Target): boolean;
  report(report: Report): void;
  /**
   * Makes something once per file (in `file` and `set`) or once per tool (in `tool` and `site`), however often and by
   * whichever rule it is asked for. The key is the function itself, so pass one that is declared at the top of a module.
   */
  memo<T>(make: (context: BaseContext) => T): T;
  /**
   * What a function makes of a text, kept from the last version of the file if that text was asked for then too. For
   * checks of a whole set, which run again with every edit. The function must be declared at the top of a module.
   */
  recall<T>(make: (text: string) => T, text: string): T;
}

/** For checks of one tool. Only this tool's text and its local facts may decide, because results are cached by them. */
export interface ToolContext extends BaseContext {
  readonly tool: ToolDefinition;
  /** Grammar files around, as far as the host has looked. */
  readonly surroundings: GrammarSurroundings | undefined;
  /** Every schema of the input schema, parents first; empty without one. Made once per tool. */
  readonly sites: readonly SchemaSite[];
  /** The same of the output schema (MCP). */
  readonly outputSites: readonly SchemaSite[];
  /** What Codex makes of the input schema, or `undefined` without one. Made on first use, once per tool. */
  compile(): CompileResult | undefined;
  memo<T>(make: (context: ToolContext) => T): T;
}

/** For checks of one schema. */
export interface SiteContext extends ToolContext {
  readonly site: SchemaSite;
  /** Root of the schema the site belongs to: references start there. */
  readonly root: JsonNode;
  /** Whether the site belongs to the output schema. */
  readonly output: boolean;
}

/**
 * A rule: one kind of fault, with one id, one page of documentation and one place in settings.
 *
 * Each function is called where it fits: `file` once per file, `set` once per file with at least one tool,
 * `tool` once per tool, `site` once per schema of a tool. A rule that throws is reported as an internal error
 * and never stops the others.
 */
export interface Rule {
  readonly id: string;
  readonly section: RuleSection;
  /** One line for tables and settings: what it says, without a full stop. */
  readonly summary: string;
  /** Default level per target for which the rule speaks; `all` for rules that hold whatever the targets. */
  readonly levels: Readonly<Partial<Record<Target | 'all', Level>>>;
  /** Also called for schemas of `outputSchema`. */
  readonly outputSchemas?: boolean;
  file?(context: BaseContext): void;
  set?(context: BaseContext): void;
  tool?(context: ToolContext): void;
  site?(context: SiteContext): void;
}
