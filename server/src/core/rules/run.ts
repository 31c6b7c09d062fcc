import { GrammarMemory } from '../grammar/memory';
import type { Target } from '../profiles/targets';
import type { CompileResult } from '../schema/compile';
import type { Finding, RuleLevel } from '../text/finding';
import type { JsonNode } from '../text/json';
import { sentences, t } from '../text/message';
import type { ToolDefinition } from '../tools/model';
import { type FileFacts, FileRun, type RawReport, ToolRun } from './context';
import { type GrammarSettings, grammarVerdicts } from './grammar/embedded';
import { isGrammarRule } from './grammar/grammarRule';
import { RULE_FAILED } from './internal/ruleFailed';
import { type ActiveRule, activate, reportLevel } from './levels';
import type { Rule } from './rule';

/** Rules that are on, by the functions they have. */
export interface ActiveRules {
  readonly file: readonly ActiveRule[];
  readonly set: readonly ActiveRule[];
  readonly tool: readonly ActiveRule[];
  readonly site: readonly ActiveRule[];
  readonly outputSite: readonly ActiveRule[];
  readonly grammar: GrammarSettings;
  readonly failed: ActiveRule | undefined;
}

/** Picks the rules that are on, so that the others cost nothing. */
export function activateRules(
  rules: readonly Rule[],
  targets: ReadonlySet<Target>,
  levels: ReadonlyMap<string, RuleLevel>,
  memory: GrammarMemory = new GrammarMemory(),
): ActiveRules {
  const active = rules.map((rule) => activate(rule, targets, levels)).filter((each) => each !== undefined);
  const site = active.filter(({ rule }) => rule.site !== undefined);
  return {
    file: active.filter(({ rule }) => rule.file !== undefined),
    set: active.filter(({ rule }) => rule.set !== undefined),
    tool: active.filter(({ rule }) => rule.tool !== undefined),
    site,
    outputSite: site.filter(({ rule }) => rule.outputSchemas === true),
    grammar: { rules: active.map(({ rule }) => rule).filter(isGrammarRule), targets, levels, memory },
    failed: activate(RULE_FAILED, targets, levels),
  };
}

/** A report that is ready to become a finding: its level is settled. */
export type Verdict = Pick<Finding, 'rule' | 'level' | 'message' | 'targets' | 'related' | 'fixes' | 'unnecessary'> & {
  readonly node: JsonNode;
  readonly span: Finding['span'] | undefined;
};

/** What the file and set checks say. Set checks run only for files with a tool. */
export function runFile(rules: ActiveRules, facts: FileFacts): Verdict[] {
  const run = new FileRun(facts);
  for (const active of rules.file) run.run(active, 'file');
  if (facts.set.tools.length > 0 || facts.set.namespaces.length > 0) {
    for (const active of rules.set) run.run(active, 'set');
  }
  return settle(run, rules, facts.document.root);
}

/** What was said about a tool, and its compilation if a rule asked for one. */
export interface ToolVerdicts {
  readonly verdicts: readonly Verdict[];
  readonly compiled: CompileResult | undefined;
}

/** What the checks of one tool and of its schemas say. Entries in BFCL's dialect are recognized and not judged. */
export function runTool(rules: ActiveRules, facts: FileFacts, tool: ToolDefinition): ToolVerdicts {
  if (tool.shape === 'bfcl') return { verdicts: [], compiled: undefined };
  const run = new ToolRun(facts, tool);
  for (const active of rules.tool) run.run(active, 'tool');
  if (tool.schemaNode !== undefined) walk(run, rules.site, false);
  if (tool.outputSchemaNode !== undefined) walk(run, rules.outputSite, true);
  const verdicts = settle(run, rules, tool.node);
  if (rules.grammar.rules.length > 0) verdicts.push(...grammarVerdicts(rules.grammar, facts, tool));
  return { verdicts, compiled: run.compiled };
}

function walk(run: ToolRun, rules: readonly ActiveRule[], output: boolean): void {
  if (rules.length === 0) return;
  run.output = output;
  run.root = output ? run.tool.outputSchemaNode! : run.tool.schemaNode!;
  for (const site of output ? run.outputSites : run.sites) {
    run.site = site;
    for (const active of rules) run.run(active, 'site');
  }
}

function settle(run: FileRun, rules: ActiveRules, place: JsonNode | undefined): Verdict[] {
  const verdicts = yieldUnsupported(run.reports).map(
    ({ active, targets, report }): Verdict => ({
      rule: active.rule.id,
      level: reportLevel(active, report, targets),
      node: report.node,
      span: report.span,
      message: report.message,
      targets,
      related: report.related ?? [],
      fixes: report.fixes ?? [],
      unnecessary: report.unnecessary ?? false,
    }),
  );
  if (rules.failed !== undefined && place !== undefined) {
    for (const { rule, error } of run.failures) {
      verdicts.push({
        rule: RULE_FAILED.id,
        level: reportLevel(rules.failed, { node: place, message: t('') }, []),
        node: place,
        span: undefined,
        message: t('The rule {0} failed, so its findings are missing here: {1}.', rule, String(error)),
        targets: [],
        related: [],
        fixes: [],
        unnecessary: false,
      });
    }
  }
  return verdicts;
}

const UNSUPPORTED = 'codex/schema-unsupported';

/**
 * One fault, one finding: where another rule reports an error at the very node for which Codex refuses the tool, that
 * finding speaks for both and adds what Codex does. A more specific Codex rule speaks alone.
 */
function yieldUnsupported(reports: readonly RawReport[]): RawReport[] {
  const refusals = reports.filter(({ active }) => active.rule.id === UNSUPPORTED);
  if (refusals.length === 0) return [...reports];
  const gone = new Set<RawReport>();
  for (const refusal of refusals) {
    const other = reports.find(
      (each) =>
        each.active.rule.id !== UNSUPPORTED &&
        each.report.node === refusal.report.node &&
        reportLevel(each.active, each.report, each.targets) === 'error',
    );
    if (other === undefined) continue;
    gone.add(refusal);
    if (other.active.rule.section === 'codex') continue;
    other.report = { ...other.report, message: sentences(other.report.message, t('Codex refuses the tool for it.')) };
  }
  return reports.filter((each) => !gone.has(each));
}
