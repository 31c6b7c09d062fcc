import type { GrammarDocument } from '../../grammar/ast';
import { type EngineVerdict, judgeForEngine } from '../../grammar/dialect/engineCheck';
import type { Importer } from '../../grammar/load/definitions';
import { type LoadOptions, type LoadResult, loadGrammar, loadGrammarSteps } from '../../grammar/load/load';
import { GrammarMemory } from '../../grammar/memory';
import { parseGrammar } from '../../grammar/parse';
import type { ProviderOpinion } from '../../grammar/providerOpinion';
import type { Target } from '../../profiles/targets';
import { type Finding, LEVELS, type Level, type RuleLevel } from '../../text/finding';
import { t } from '../../text/message';
import type { Span } from '../../text/span';
import { RULE_FAILED } from '../internal/ruleFailed';
import { activate } from '../levels';
import { faultsById } from './faults';
import type { GrammarContext, GrammarReport, GrammarRule } from './grammarRule';
import { isLibrary } from './library';
import { analysis, bnfOf } from './lint/analysis';
import { literals } from './literalFacts';

/** What the checks of one grammar share. */
export interface GrammarInput {
  readonly text: string;
  /** The text, where it has been read already. */
  readonly document?: GrammarDocument | undefined;
  readonly targets: ReadonlySet<Target>;
  readonly levels: ReadonlyMap<string, RuleLevel>;
  /** Gives the texts of imported files. */
  readonly importer?: Importer | undefined;
  /** The grammar stands in a JSON string. */
  readonly embedded?: boolean;
  /** Another grammar imports from this one. */
  readonly imported?: boolean | undefined;
  /** Shared by checks one after the other, so that an edit costs what it touches. */
  readonly memory?: GrammarMemory | undefined;
  /** What the provider's engine itself says of the text. */
  readonly provider?: ProviderOpinion | undefined;
}

/** Rules whose errors are about grammars that the engine loads, and that cannot be used then. */
const LOADS_ANYWAY: ReadonlySet<string> = new Set(
  ['non-productive', 'stuck-lexeme', 'free-text-split', 'ignored-literal'].map((name) => `grammar/${name}`),
);

/** So many findings of one rule about one grammar are kept at most. */
const MAX_REPORTS = 500;

class GrammarRun implements GrammarContext {
  readonly text: string;
  readonly document: GrammarDocument;
  readonly embedded: boolean;
  readonly memory: GrammarMemory;
  readonly provider: ProviderOpinion | undefined;
  readonly library: boolean;
  explained = false;
  useless = false;
  readonly findings: Finding[] = [];
  readonly #input: GrammarInput;
  readonly #memo = new Map<unknown, unknown>();
  #engine: EngineVerdict | undefined;
  #loaded: LoadResult | undefined;
  #rule: { rule: GrammarRule; configured: Level | undefined; count: number } | undefined;

  constructor(input: GrammarInput) {
    this.#input = input;
    this.text = input.text;
    this.embedded = input.embedded ?? false;
    this.provider = input.provider;
    this.memory = input.memory ?? new GrammarMemory();
    this.memory.settle();
    this.document = input.document?.text === input.text ? input.document : parseGrammar(input.text);
    this.library = input.imported === true && isLibrary(this.document);
  }

  get engine(): EngineVerdict {
    this.#engine ??= judgeForEngine(this.text, (source, flags) => this.memory.regex('rust', source, flags));
    return this.#engine;
  }

  get loaded(): LoadResult {
    this.#loaded ??= loadGrammar(this.document, this.#loadOptions);
    return this.#loaded;
  }

  get #loadOptions(): LoadOptions {
    return { lexer: 'dynamic', regex: this.memory.model, importer: this.#input.importer } as LoadOptions;
  }

  // Properties instead of methods, because rules take their context apart.
  readonly on = (target: Target): boolean => this.#input.targets.has(target);

  readonly slice = (span: Span): string => this.text.slice(span.start, span.end);

  readonly memo = <T>(make: (context: GrammarContext) => T): T => {
    if (!this.#memo.has(make)) this.#memo.set(make, make(this));
    return this.#memo.get(make) as T;
  };

  readonly report = (report: GrammarReport): void => {
    const run = this.#rule;
    if (run === undefined || run.count >= MAX_REPORTS) return;
    const levels = report.levels ?? run.rule.levels;
    let highest = -1;
    const targets: Target[] = [];
    for (const [target, level] of Object.entries(levels) as [Target, Level][]) {
      if (!this.on(target)) continue;
      targets.push(target);
      highest = Math.max(highest, LEVELS.indexOf(level));
    }
    if (targets.length === 0) return;
    run.count++;
    if (levels.llguidance === 'error') {
      if (LOADS_ANYWAY.has(run.rule.id)) this.useless = true;
      else this.explained = true;
    }
    this.findings.push({
      rule: run.rule.id,
      level: run.configured ?? LEVELS[highest]!,
      span: report.span,
      message: report.message,
      targets,
      tool: undefined,
      pointer: undefined,
      related: report.related ?? [],
      fixes: report.fixes ?? [],
      unnecessary: report.unnecessary ?? false,
    });
  };

  /** Loads the grammar before the rules need it, as `prepare` does. */
  *load(): Generator<void, void, undefined> {
    try {
      this.#loaded ??= yield* loadGrammarSteps(this.document, this.#loadOptions);
    } catch {
      // As below.
    }
  }

  /** Makes something before the rules need it. Where that fails the rules fail, and say so. */
  prepare(part: (run: GrammarRun) => unknown): void {
    try {
      part(this);
    } catch {
      // The first rule that asks for it meets the same failure.
    }
  }

  run(rule: GrammarRule): void {
    const active = activate(rule, this.#input.targets, this.#input.levels);
    if (active === undefined) return;
    this.#rule = { rule, configured: active.configured, count: 0 };
    try {
      rule.check(this);
    } catch (error) {
      this.#failed(rule, error);
    }
    this.#rule = undefined;
  }

  #failed(rule: GrammarRule, error: unknown): void {
    const failed = activate(RULE_FAILED, this.#input.targets, this.#input.levels);
    if (failed === undefined) return;
    this.findings.push({
      rule: RULE_FAILED.id,
      level: failed.configured ?? 'warning',
      span: { start: 0, end: 0 },
      message: t('The rule {0} failed, so its findings are missing here: {1}.', rule.id, String(error)),
      targets: [],
      tool: undefined,
      pointer: undefined,
      related: [],
      fixes: [],
      unnecessary: false,
    });
  }
}

/** What rules share and takes long in large grammars, in the order in which it is needed. */
const SHARED: readonly ((run: GrammarRun) => unknown)[] = [
  (run) => run.engine,
  (run) => run.memo(literals),
  (run) => run.memo(faultsById),
  (run) => run.memo(bnfOf),
  (run) => run.memo(analysis),
];

/**
 * As `runGrammarRules`, a part at a time, so that a host can do other things in between. Whoever does not want the rest any
 * more calls `return`.
 */
export function* grammarRuleSteps(
  rules: readonly GrammarRule[],
  input: GrammarInput,
): Generator<void, Finding[], undefined> {
  const run = new GrammarRun(input);
  const release = run.memory.hold();
  try {
    yield* run.load();
    for (const part of SHARED) {
      yield;
      run.prepare(part);
    }
    for (const rule of rules) {
      yield;
      run.run(rule);
    }
    return run.findings;
  } finally {
    release();
  }
}

/** Runs rules over a grammar; the findings in the order of the rules. A rule that throws never stops the others. */
export function runGrammarRules(rules: readonly GrammarRule[], input: GrammarInput): Finding[] {
  const run = new GrammarRun(input);
  for (const rule of rules) run.run(rule);
  return run.findings;
}
