import { t } from '../../text/message';
import type { CompiledGrammar, CompiledRule, CompiledTerminal, RuleOptions } from '../compiled';
import { AnonymousTerminals, type TerminalDraft } from './anonymous';
import type { Definitions } from './definitions';
import { Ebnf } from './ebnf';
import { type Entry, type Loading, report } from './entries';
import { Expansion, type FlatAlternative } from './expand';
import { Patterns, patternRegexp } from './patterns';
import type { RegexModel } from './regexModel';
import { Templates } from './templates';
import { EMPTY, ownTrees, type Place, rewrite, type Sym, subtrees, Tree } from './tree';

/** A rule whose symbols are still shared. */
interface DraftRule {
  readonly origin: string;
  readonly items: readonly Sym[];
  readonly alias: string | undefined;
  readonly order: number;
  readonly options: RuleOptions;
  readonly place: Place;
}

/** A grammar in BNF with what is needed to check it further. */
export interface Lowered {
  readonly rules: readonly DraftRule[];
  readonly terminals: readonly TerminalDraft[];
  readonly patterns: Patterns;
}

const NO_EMPTY: readonly boolean[] = [];

/** So many definitions are one part of the work. */
const PART = 200;

/** Makes rules and terminals of valid definitions (Lark 1.3.1, `Grammar.compile`), a part at a time. */
export function* lower(
  definitions: Definitions,
  start: readonly string[],
  regex: RegexModel,
  keep: readonly string[],
): Generator<void, Lowered | undefined, undefined> {
  const { loading } = definitions;
  const before = loading.problems.length;
  const entries = [...definitions.entries.values()];
  const patterns = new Patterns(loading, regex);
  const terminals = lowerTerminals(loading, patterns, entries);
  const anonymous = new AnonymousTerminals(terminals);
  const ebnf = new Ebnf(loading);
  const trees: { name: string; tree: Tree; place: Place; entry: Entry | undefined; keepAllTokens: boolean }[] = [];
  const sources = entries.filter((entry) => !entry.terminal && entry.tree !== undefined);
  const templates = new Templates(loading, sources);
  let done = 0;
  yield;
  // Uses of templates add to the list.
  for (const entry of sources) {
    if (entry.parameters.length > 0) continue;
    if (++done % PART === 0) yield;
    const { name, keepAllTokens, place } = entry;
    const tree = yield* symbols(entry, patterns, anonymous, templates);
    if (tree !== undefined)
      trees.push({ name, tree: ebnf.rule(name, keepAllTokens, place, tree), place, entry, keepAllTokens });
  }
  for (const helper of ebnf.helpers) trees.push({ ...helper, entry: undefined });
  if (loading.problems.length > before) return undefined;
  const expansion = new Expansion();
  const rules: DraftRule[] = [];
  for (const { name, tree, place, entry, keepAllTokens } of trees) {
    if (++done % PART === 0) yield;
    const drafts = draftRules(loading, name, expansion.rule(tree), place, options(entry, keepAllTokens));
    for (const draft of drafts) rules.push(draft);
  }
  yield;
  const unique = withoutDuplicates(loading, rules);
  if (loading.problems.length > before) return undefined;
  yield;
  const used = usedRules(unique, start);
  return {
    rules: used,
    terminals: usedTerminals(terminals, used, [...definitions.ignored.map(({ name }) => name), ...keep]),
    patterns,
  };
}

function lowerTerminals(loading: Loading, patterns: Patterns, entries: readonly Entry[]): TerminalDraft[] {
  const terminals = entries.filter((entry) => entry.terminal);
  for (const { name, tree, place } of terminals) {
    const sequences = tree === undefined ? [] : ownTrees(tree).filter((part) => part.kind === 'sequence');
    if (sequences.length !== 1 || sequences[0]!.children.length > 0) continue;
    const message = name.startsWith('__')
      ? t('Nothing is ignored: a terminal is missing.')
      : t('Terminal {0} is empty.', name);
    report(loading, 'terminal.empty-definition', place, message);
  }
  return terminals.flatMap((entry): TerminalDraft[] => {
    const { name, place } = entry;
    const priority = entry.priority ?? 0;
    if (entry.tree === undefined) return [{ name, pattern: undefined, priority, place }];
    const pattern = patterns.terminal(entry);
    return pattern === undefined ? [] : [{ name, pattern, priority, place }];
  });
}

/** A rule with more trees than this is one part of the work by itself, and each kind of what is in it. */
const LARGE = 2_000;

/** Turns everything in a rule but operators and groups into symbols. One kind after the other, as Lark does. */
function* symbols(
  entry: Entry,
  patterns: Patterns,
  anonymous: AnonymousTerminals,
  templates: Templates,
): Generator<void, Tree | undefined, undefined> {
  const { problems } = patterns.loading;
  const before = problems.length;
  const parts = subtrees(entry.tree!);
  const large = parts.length > LARGE;
  const usesTemplates = parts.some(({ kind }) => kind === 'template');
  let tree = rewrite(entry.tree!, (part) => {
    if (part.kind !== 'literal' && part.kind !== 'range') return part;
    const made = new Tree('pattern', [], part.place);
    made.pattern = patterns.literal(part);
    return made;
  }) as Tree;
  if (problems.length > before) return undefined;
  if (large) yield;
  tree = rewrite(tree, (part) => (part.kind === 'value' ? part.children[0]! : part)) as Tree;
  if (large) yield;
  tree = rewrite(tree, (part) => {
    return part.kind === 'pattern' ? anonymous.symbol(part.pattern!, entry.keepAllTokens) : part;
  }) as Tree;
  if (large) yield;
  if (usesTemplates) tree = rewrite(tree, (part) => (part.kind === 'template' ? templates.use(part) : part)) as Tree;
  return problems.length > before ? undefined : tree;
}

function options(entry: Entry | undefined, keepAllTokens: boolean): RuleOptions {
  return {
    keepAllTokens,
    expand1: entry?.expand1 ?? false,
    priority: entry?.priority,
    templateSource: entry?.templateSource,
    emptyIndices: NO_EMPTY,
  };
}

function draftRules(
  loading: Loading,
  name: string,
  alternatives: readonly FlatAlternative[],
  place: Place,
  common: RuleOptions,
): DraftRule[] {
  return alternatives.flatMap((alternative, order) => {
    const { alias, stray } = alternative;
    if (stray !== undefined) {
      const message = t('An alias stands at the end of an alternative of the rule itself, not inside brackets.');
      report(loading, 'internal.assertion', stray.place!, message);
      return [];
    }
    if (alias !== undefined && name.startsWith('_')) {
      const message = t(
        '{0} is spliced into its parent because of its underscore, so there is no node to rename.',
        name,
      );
      report(loading, 'rule.alias-on-inlined', alias.place!, message);
      return [];
    }
    const left = alternative.items.includes(EMPTY);
    const items = left ? alternative.items.filter((item) => item !== EMPTY) : alternative.items;
    if (common.keepAllTokens) for (const item of items) item.filterOut = false;
    const made = left ? { ...common, emptyIndices: alternative.items.map((item) => item === EMPTY) } : common;
    return [{ origin: name, items, alias: alias?.name, order, options: made, place: alternative.place ?? place }];
  });
}

/** Equal empty alternatives become one; others that are equal are an error. */
function withoutDuplicates(loading: Loading, rules: readonly DraftRule[]): DraftRule[] {
  const first = new Map<string, DraftRule>();
  const reported = new Set<DraftRule>();
  for (const rule of rules) {
    let key = rule.origin;
    for (const item of rule.items) key += item.terminal ? ` T${item.name}` : ` N${item.name}`;
    const before = first.get(key);
    if (before === undefined) first.set(key, rule);
    else if (rule.items.length > 0 && !reported.has(before)) {
      reported.add(before);
      const text = rule.items.map((item) => item.name).join(' ');
      const message = t(
        'Two alternatives of {0} become the same, {1}, when optional parts are left out.',
        rule.origin,
        text,
      );
      const other =
        before.place.span.start === rule.place.span.start
          ? []
          : [{ place: before.place, message: t('The other one is here.') }];
      report(loading, 'rule.duplicate-expansion', rule.place, message, other);
    }
  }
  return [...first.values()];
}

/** Rules that nothing else uses are dropped, again and again; two that use each other stay. */
function usedRules(all: readonly DraftRule[], start: readonly string[]): DraftRule[] {
  const byOrigin = new Map<string, DraftRule[]>();
  const uses = new Map<string, number>();
  const count = (rule: DraftRule, change: number, gone?: string[]): void => {
    for (const item of rule.items) {
      if (item.terminal || item.name === rule.origin) continue;
      const left = (uses.get(item.name) ?? 0) + change;
      uses.set(item.name, left);
      if (left === 0) gone?.push(item.name);
    }
  };
  for (const rule of all) {
    const same = byOrigin.get(rule.origin);
    if (same === undefined) byOrigin.set(rule.origin, [rule]);
    else same.push(rule);
    count(rule, 1);
  }
  const kept = new Set(start);
  const dropped = new Set<string>();
  const queue = [...byOrigin.keys()].filter((origin) => !uses.get(origin));
  for (let origin = queue.pop(); origin !== undefined; origin = queue.pop()) {
    if (kept.has(origin) || dropped.has(origin)) continue;
    dropped.add(origin);
    for (const rule of byOrigin.get(origin) ?? []) count(rule, -1, queue);
  }
  return all.filter((rule) => !dropped.has(rule.origin));
}

function usedTerminals(
  all: readonly TerminalDraft[],
  rules: readonly DraftRule[],
  kept: readonly string[],
): TerminalDraft[] {
  const used = new Set(kept);
  for (const rule of rules) for (const item of rule.items) if (item.terminal) used.add(item.name);
  return all.filter(({ name }) => used.has(name));
}

/** Reports names of rules that no rule is made for: a start that is missing, or a template without arguments. */
export function undefinedRules(definitions: Definitions, { rules }: Lowered, start: readonly string[]): void {
  const { loading, origin } = definitions;
  const defined = new Set(rules.map((rule) => rule.origin));
  const reported = new Set<string>();
  for (const rule of rules) {
    for (const item of rule.items) {
      if (item.terminal || defined.has(item.name) || reported.has(item.name)) continue;
      reported.add(item.name);
      const message = t('{0} is a template: it is used with arguments in braces.', item.name);
      report(loading, 'start.undefined', item.place ?? rule.place, message);
    }
  }
  for (const name of start) {
    if (defined.has(name) || reported.has(name)) continue;
    const entry = definitions.entries.get(name);
    const message =
      entry === undefined
        ? t('There is no rule {0} to start with.', name)
        : t('{0} is a template or a terminal; reading starts with a rule.', name);
    report(loading, 'start.undefined', entry?.place ?? { span: { start: 0, end: 0 }, origin }, message);
  }
}

/** Brings rules and terminals into their final form. Terminals whose width is unknown are reported and left out. */
export function finish(definitions: Definitions, lowered: Lowered, start: readonly string[]): CompiledGrammar {
  const own = (place: Place | undefined): CompiledRule['span'] =>
    place?.origin.file === undefined ? place?.span : undefined;
  const rules = lowered.rules.map((rule): CompiledRule => {
    const expansion = rule.items.map(({ name, terminal, filterOut }) => ({ name, terminal, filterOut }));
    const { origin, alias, order, options: made, place } = rule;
    return { origin, expansion, alias, order, options: made, span: own(place) };
  });
  const terminals = lowered.terminals.flatMap(({ name, pattern, priority, place }): CompiledTerminal[] => {
    const span = own(place);
    if (pattern === undefined) {
      const nothing = { kind: 'regexp', value: '', flags: new Set<never>(), raw: undefined } as const;
      return [{ name, pattern: nothing, regexp: '', minWidth: 0, maxWidth: 0, priority, declared: true, span }];
    }
    const width = lowered.patterns.width(pattern, place);
    if (width === undefined) return [];
    const { kind, value, raw } = pattern;
    const made = { kind, value, flags: new Set(pattern.flags), raw };
    const regexp = patternRegexp(pattern);
    return [{ name, pattern: made, regexp, minWidth: width.min, maxWidth: width.max, priority, declared: false, span }];
  });
  return { start, terminals, rules, ignore: definitions.ignored.map(({ name }) => name) };
}
