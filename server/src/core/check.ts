import { GrammarMemory } from './grammar/memory';
import type { OpinionOf } from './grammar/providerOpinion';
import { type GrammarSurroundings, RecordedImports, stillGives } from './grammar/surroundings';
import { CODEX_PROFILES, type CodexProfile, codexProfile, DEFAULT_CODEX_PROFILE } from './profiles/codex';
import { DEFAULT_TARGETS, type Target } from './profiles/targets';
import { configBeyondSchema } from './rules/config/shape';
import { type FileFacts, Recall } from './rules/context';
import { type FindingRecord, fromRecord, toFinding, toRecord } from './rules/findings';
import { embeddedGrammar } from './rules/grammar/embedded';
import { RULE_IDS, RULES } from './rules/registry';
import type { Rule } from './rules/rule';
import { type ActiveRules, activateRules, runFile, runTool, type ToolVerdicts } from './rules/run';
import type { CompileResult } from './schema/compile';
import { compareFindings, type Finding, type RuleLevel } from './text/finding';
import { type JsonDocument, type JsonNode, parseJson } from './text/json';
import { pointerOf } from './text/jsonTree';
import { baseNameOf } from './tools/local';
import type { ToolDefinition, ToolSet } from './tools/model';
import { readTools } from './tools/read';
import { compileTool } from './wire/compileTool';

/** The name of config files. They get the rules of the section `config`, all other files those about tools. */
export const CONFIG_FILE_NAME = 'toolspec.config.json';

/** Extensions declare tools in their manifest. One without tools is none of ours. */
const MANIFEST_NAME = 'package.json';

/** A file to check. */
export interface CheckInput {
  /** Names the file; results of its previous version are reused under this name. */
  readonly uri: string;
  readonly text: string;
  /** Comments and trailing commas are fine. */
  readonly jsonc?: boolean;
}

/** What decides which rules speak, and how loudly. */
export interface CheckOptions {
  /** Default: `codex` and `openai`. */
  readonly targets?: Iterable<Target>;
  /** Id of the Codex profile; an unknown one counts as the default. */
  readonly profile?: string;
  /** Instead of the profile's budget. */
  readonly budgetBytes?: number;
  /** Levels of single rules. */
  readonly levels?: ReadonlyMap<string, RuleLevel>;
  /** Report broken JSON too. Editors have a JSON support of their own for that. */
  readonly syntax?: boolean;
  /** Report faults of config files that their published schema finds too (default). Some editors apply that schema. */
  readonly configShape?: boolean;
  /** What the provider's engine says of the grammars in the file, as far as the host has asked it (`askOpinion`). */
  readonly opinionOf?: OpinionOf | undefined;
  /** Grammar files around the file, as far as the host has read them. Unknown ones are not looked for. */
  readonly surroundings?: GrammarSurroundings | undefined;
  /** The file's name without folders. Default: the last part of the uri. */
  readonly baseName?: string;
}

/** How large a tool's parameters are for Codex. */
export interface ToolSummary {
  /** Bytes of compact JSON before the first pass. */
  readonly sourceBytes: number;
  /** Bytes that go out. */
  readonly bytes: number;
  readonly budgetBytes: number;
  readonly passes: CompileResult['passes'];
  readonly overBudget: boolean;
  /** Codex's reason when it refuses the tool. */
  readonly refusal: string | undefined;
}

/** What is known about one version of a file. */
export interface CheckResult {
  readonly uri: string;
  readonly document: JsonDocument;
  readonly set: ToolSet;
  readonly profile: CodexProfile;
  /** In the order of `compareFindings`. */
  readonly findings: readonly Finding[];
  /** What Codex makes of a tool of `set`; made on first use. `undefined` without a schema. */
  compile(tool: ToolDefinition): CompileResult | undefined;
  /** Sizes of a tool of `set`; made on first use. `undefined` without a schema. */
  summary(tool: ToolDefinition): ToolSummary | undefined;
}

/** Checks files and remembers the last version of each, so that an edit costs what it touches. */
export interface Checker {
  check(input: CheckInput, options?: CheckOptions): CheckResult;
  /** Forgets what is known about a file, or about all. */
  forget(uri?: string): void;
}

interface Entry {
  /** Number of the version in which it was made. */
  readonly born: number;
  readonly records: readonly FindingRecord[];
  readonly summary: ToolSummary | undefined;
  /** What the tool's grammar has imported. */
  readonly imports: RecordedImports['answers'];
}

/** Results of the tools of one version of one file: by local facts, then by text. */
interface Memory {
  readonly options: Prepared;
  readonly version: number;
  readonly recall: Recall;
  readonly entries: Map<string, Map<string, Entry>>;
}

interface Prepared {
  readonly targets: ReadonlySet<Target>;
  readonly profile: CodexProfile;
  readonly tools: ActiveRules;
  readonly config: ActiveRules;
}

/**
 * Entries may keep the text alive out of which they were made. When the entries of a file stem from more versions than
 * this, all are made anew.
 */
const MAX_VERSIONS = 32;

/** So many combinations of options are kept ready: one for each folder of a workspace, and some more. */
const MAX_PREPARED = 16;

/** A checker with a memory of its own. What it keeps of grammars can be shared with `checkGrammar`. */
export function createChecker(grammars = new GrammarMemory()): Checker {
  const memories = new Map<string, Memory>();
  const prepared = new Map<string, Prepared>();

  function prepare(options: CheckOptions): Prepared {
    const targets = new Set(options.targets ?? DEFAULT_TARGETS);
    const profile = findProfile(options);
    const levels = options.levels ?? new Map<string, RuleLevel>();
    const syntax = options.syntax ?? false;
    const configShape = options.configShape ?? true;
    const flags = [syntax, configShape];
    const key = JSON.stringify([[...targets].sort(), profile.id, profile.budgetBytes, [...levels].sort(), flags]);
    let found = prepared.get(key);
    if (found === undefined) {
      if (prepared.size >= MAX_PREPARED) prepared.clear();
      const rules = RULES.filter(({ id }) => syntax || id !== 'json/syntax').map((rule) =>
        configShape || rule.id !== configBeyondSchema.id ? rule : configBeyondSchema,
      );
      found = {
        targets,
        profile,
        tools: activateRules(
          rules.filter(({ section, tool }) => section !== 'config' && (section !== 'calls' || tool !== undefined)),
          targets,
          levels,
          grammars,
        ),
        config: activateRules(rules.filter(isForConfig), targets, levels, grammars),
      };
      prepared.set(key, found);
    }
    return found;
  }

  return {
    check(input, options = {}) {
      const ready = prepare(options);
      const baseName = options.baseName ?? lastPart(input.uri);
      const document = parseJson(input.text);
      if (baseName === CONFIG_FILE_NAME) {
        memories.delete(input.uri);
        return checkConfig(input, document, ready);
      }
      const set = readTools(document, { baseName: baseNameOf(baseName) });
      if (baseName === MANIFEST_NAME && set.tools.length === 0) {
        memories.delete(input.uri);
        return emptyResult(input, document, set, ready, []);
      }
      const known = memories.get(input.uri);
      const memory: Memory = {
        options: ready,
        version: (known?.version ?? 0) + 1,
        recall: new Recall(known?.recall),
        entries: new Map(),
      };
      const reusable = known?.options === ready && versionsIn(known) <= MAX_VERSIONS ? known : undefined;
      const result = checkTools(input, document, set, reusable, memory, options);
      memories.set(input.uri, { ...memory, recall: memory.recall.settle() });
      return result;
    },
    forget(uri) {
      if (uri === undefined) memories.clear();
      else memories.delete(uri);
    },
  };
}

function isForConfig(rule: Rule): boolean {
  return rule.section === 'config' || rule.id.startsWith('json/');
}

function findProfile({ profile, budgetBytes }: CheckOptions): CodexProfile {
  const id = CODEX_PROFILES.some((each) => each.id === profile) ? profile! : DEFAULT_CODEX_PROFILE.id;
  return codexProfile(id, budgetBytes) ?? DEFAULT_CODEX_PROFILE;
}

function lastPart(uri: string): string {
  return uri.slice(Math.max(uri.lastIndexOf('/'), uri.lastIndexOf('\\')) + 1);
}

function versionsIn(memory: Memory): number {
  const versions = new Set<number>();
  for (const byText of memory.entries.values()) for (const entry of byText.values()) versions.add(entry.born);
  return versions.size;
}

function checkConfig(input: CheckInput, document: JsonDocument, ready: Prepared): CheckResult {
  const set: ToolSet = {
    document,
    container: 'none',
    shape: undefined,
    reasons: [],
    entries: [],
    tools: [],
    namespaces: [],
    problems: [],
    listNode: undefined,
  };
  const verdicts = runFile(ready.config, factsOf(input, document, set, ready, new Recall()));
  const findings = verdicts.map((verdict) => toFinding(verdict, undefined)).sort(compareFindings);
  return emptyResult(input, document, set, ready, findings);
}

/** The result for a file that has no tools. */
function emptyResult(
  input: CheckInput,
  document: JsonDocument,
  set: ToolSet,
  ready: Prepared,
  findings: readonly Finding[],
): CheckResult {
  const nothing = (): undefined => undefined;
  return { uri: input.uri, document, set, profile: ready.profile, findings, compile: nothing, summary: nothing };
}

function factsOf(input: CheckInput, document: JsonDocument, set: ToolSet, ready: Prepared, recall: Recall): FileFacts {
  const { targets, profile } = ready;
  return { document, set, profile, targets, jsonc: input.jsonc ?? false, ruleIds: RULE_IDS, recall };
}

function checkTools(
  input: CheckInput,
  document: JsonDocument,
  set: ToolSet,
  known: Memory | undefined,
  memory: Memory,
  { opinionOf, surroundings }: CheckOptions,
): CheckResult {
  const { options: ready, version } = memory;
  const { profile } = ready;
  const facts: FileFacts = { ...factsOf(input, document, set, ready, memory.recall), opinionOf, surroundings };
  const findings: Finding[] = [];
  const compiled = new Map<ToolDefinition, CompileResult | undefined>();
  const entries = new Map<ToolDefinition, Entry>();

  const owners = new Map(set.tools.map((tool) => [tool.node, tool.name]));
  for (const verdict of runFile(ready.tools, facts)) findings.push(toFinding(verdict, ownerOf(verdict.node, owners)));

  for (const tool of set.tools) {
    const group = groupOf(tool, set, [opinionAbout(tool, document, opinionOf), fileOf(tool, surroundings)]);
    const text = document.text.slice(tool.node.offset, tool.node.end);
    const entry = known?.entries.get(group)?.get(text);
    if (entry !== undefined && stillGives(surroundings?.importer, entry.imports)) {
      remember(memory, group, text, entry);
      entries.set(tool, entry);
      replay(entry, tool, () => runTool(ready.tools, facts, tool), findings);
      continue;
    }
    const imports = new RecordedImports(surroundings?.importer);
    const around = surroundings && { ...imports, grammarFile: (path: string) => surroundings.grammarFile(path) };
    const result = runTool(ready.tools, { ...facts, surroundings: around }, tool);
    for (const verdict of result.verdicts) findings.push(toFinding(verdict, tool.name));
    if (result.compiled !== undefined) compiled.set(tool, result.compiled);
    const records = result.verdicts.map((verdict) => toRecord(verdict, tool.node));
    if (!records.every((record) => record !== undefined)) continue;
    remember(memory, group, text, {
      born: version,
      records,
      summary: summarize(result.compiled),
      imports: imports.answers,
    });
  }
  findings.sort(compareFindings);

  const compile = (tool: ToolDefinition): CompileResult | undefined => {
    if (!compiled.has(tool)) compiled.set(tool, compileTool(tool, profile));
    return compiled.get(tool);
  };
  const summary = (tool: ToolDefinition): ToolSummary | undefined =>
    entries.get(tool)?.summary ?? summarize(compile(tool));
  return { uri: input.uri, document, set, profile, findings, compile, summary };
}

/** The findings of an entry at the tool's present place. */
function replay(entry: Entry, tool: ToolDefinition, run: () => ToolVerdicts, findings: Finding[]): void {
  if (entry.records.length === 0) return;
  const place = { offset: tool.node.offset, pointer: pointerOf(tool.node), tool: tool.name };
  let again: ToolVerdicts | undefined;
  entry.records.forEach((record, index) => {
    findings.push(
      fromRecord(record, place, (fix) => {
        again ??= run();
        return again.verdicts[index]?.fixes[fix]?.edits() ?? [];
      }),
    );
  });
}

function remember(memory: Memory, group: string, text: string, entry: Entry): void {
  let byText = memory.entries.get(group);
  if (byText === undefined) {
    byText = new Map();
    memory.entries.set(group, byText);
  }
  byText.set(text, entry);
}

/** What the provider's engine says of a tool's grammar, as text; empty where nothing is known. */
function opinionAbout(tool: ToolDefinition, document: JsonDocument, opinionOf: OpinionOf | undefined): string {
  const grammar = opinionOf === undefined ? undefined : embeddedGrammar(document.text, tool);
  const opinion = grammar && opinionOf?.(grammar.syntax, grammar.text);
  return opinion === undefined ? '' : JSON.stringify(opinion);
}

/** What lies at the path that a tool names for its grammar. */
function fileOf({ format }: ToolDefinition, surroundings: GrammarSurroundings | undefined): unknown {
  return format?.file === undefined ? undefined : surroundings?.grammarFile(format.file);
}

/** Everything but a tool's own text that its findings may depend on. */
function groupOf(tool: ToolDefinition, set: ToolSet, around: readonly unknown[]): string {
  const { exposure, server, plugin, trusted } = tool.local;
  const { shape, kind, strict, deferred, schemaKey, namespace } = tool;
  return JSON.stringify([
    [shape, kind, strict ?? 0, deferred, schemaKey],
    namespace === undefined ? 0 : [namespace.shape, namespace.name],
    [exposure ?? 0, server, plugin, trusted],
    [set.container, set.shape],
    around,
  ]);
}

function ownerOf(node: JsonNode, owners: ReadonlyMap<JsonNode, string | undefined>): string | undefined {
  for (let current: JsonNode | undefined = node; current !== undefined; current = current.parent) {
    if (owners.has(current)) return owners.get(current);
  }
  return undefined;
}

function summarize(result: CompileResult | undefined): ToolSummary | undefined {
  if (result === undefined) return undefined;
  const { sourceBytes, bytes, passes, overBudget, refusal, profile } = result;
  return { sourceBytes, bytes, budgetBytes: profile.budgetBytes, passes, overBudget, refusal: refusal?.message };
}
