import { type Definitions, loadDefinitions } from './calls/definitions';
import type { SampleFile } from './calls/model';
import { readSamples } from './calls/read';
import type { SampleWorkspace } from './calls/workspace';
import { codexProfile, DEFAULT_CODEX_PROFILE } from './profiles/codex';
import { Recall } from './rules/context';
import { toFinding } from './rules/findings';
import { activate, reportLevel } from './rules/levels';
import { RULE_IDS, RULES } from './rules/registry';
import { activateRules, runFile } from './rules/run';
import { isSampleRule, type MissingFile } from './rules/sample/sampleRule';
import { compareFindings, type Finding, type RuleLevel } from './text/finding';
import { type JsonDocument, type JsonNode, parseJson } from './text/json';

/** A samples file to check. */
export interface SampleCheckInput {
  /** Names the file; its own paths start in its folder. */
  readonly uri: string;
  readonly text: string;
  /** Comments and trailing commas are fine. */
  readonly jsonc?: boolean;
}

/** What decides which rules speak, and how loudly. */
export interface SampleCheckOptions {
  /** Id of the Codex profile, which names MCP tools; an unknown one counts as the default. */
  readonly profile?: string;
  /** Levels of single rules. */
  readonly levels?: ReadonlyMap<string, RuleLevel>;
  /** Report broken JSON too. Editors have a JSON support of their own for that. */
  readonly syntax?: boolean;
  /** Report faults that the published schema finds too (default). Some editors apply that schema. */
  readonly shape?: boolean;
}

/** What is known about one version of a samples file. */
export interface SampleCheckResult {
  readonly file: SampleFile;
  readonly definitions: Definitions;
  /** In the order of `compareFindings`. */
  readonly findings: readonly Finding[];
}

/**
 * Checks a file of sample calls: its own form, and what it names in other files. Runs no call. Never rejects.
 */
export async function checkSamples(
  input: SampleCheckInput,
  workspace: SampleWorkspace,
  options: SampleCheckOptions = {},
): Promise<SampleCheckResult> {
  const document = parseJson(input.text);
  const file = readSamples(document, input.uri);
  const profile = codexProfile(options.profile ?? DEFAULT_CODEX_PROFILE.id, undefined) ?? DEFAULT_CODEX_PROFILE;
  const [definitions, missingFiles] = await Promise.all([
    loadDefinitions(file, input.uri, workspace, profile),
    findMissingFiles(file, input.uri, workspace),
  ]);
  const levels = options.levels ?? new Map<string, RuleLevel>();
  const findings = jsonFindings(document, input.jsonc ?? false, levels, options.syntax ?? false);
  const owners = new Map(file.calls.map((call) => [call.node, call.tool]));
  for (const rule of RULES.filter(isSampleRule)) {
    if (options.shape === false && rule.id === 'sample/shape') continue;
    const active = activate(rule, new Set(), levels);
    if (active === undefined) continue;
    rule.sample({
      file,
      definitions,
      missingFiles,
      report: ({ node, span, message, related = [], fixes = [], unnecessary = false, level }) => {
        const reported = reportLevel(active, { node, message, ...(level === undefined ? {} : { level }) }, []);
        const verdict = {
          rule: rule.id,
          level: reported,
          node,
          span,
          message,
          related,
          fixes,
          unnecessary,
          targets: [],
        };
        findings.push(toFinding(verdict, ownerOf(node, owners)));
      },
    });
  }
  return { file, definitions, findings: findings.sort(compareFindings) };
}

/** What the rules about JSON say. */
function jsonFindings(
  document: JsonDocument,
  jsonc: boolean,
  levels: ReadonlyMap<string, RuleLevel>,
  syntax: boolean,
): Finding[] {
  const wanted = RULES.filter(({ id }) => id.startsWith('json/') && (syntax || id !== 'json/syntax'));
  const set = {
    document,
    container: 'none' as const,
    shape: undefined,
    reasons: [],
    entries: [],
    tools: [],
    namespaces: [],
    problems: [],
    listNode: undefined,
  };
  const facts = {
    document,
    set,
    profile: DEFAULT_CODEX_PROFILE,
    targets: new Set<never>(),
    jsonc,
    ruleIds: RULE_IDS,
    recall: new Recall(),
  };
  return runFile(activateRules(wanted, new Set(), levels), facts).map((verdict) => toFinding(verdict, undefined));
}

async function findMissingFiles(file: SampleFile, uri: string, workspace: SampleWorkspace): Promise<MissingFile[]> {
  const named: Omit<MissingFile, 'failure'>[] = [];
  for (const { payload } of file.calls) {
    if (payload?.kind === 'input-file') named.push({ node: payload.node, path: payload.path, use: 'input' });
  }
  for (const { spec, node } of file.handlers) {
    if (spec?.kind !== 'module') continue;
    named.push({ node: node.value('module') ?? node, path: spec.module, use: 'module' });
  }
  const read = await Promise.all(named.map(({ path }) => workspace.read(path, uri)));
  return named.flatMap((each, index) => {
    const found = read[index]!;
    return 'failure' in found ? { ...each, failure: found.failure } : [];
  });
}

function ownerOf(node: JsonNode, owners: ReadonlyMap<JsonNode, string | undefined>): string | undefined {
  for (let current: JsonNode | undefined = node; current !== undefined; current = current.parent) {
    if (owners.has(current)) return owners.get(current);
  }
  return undefined;
}
