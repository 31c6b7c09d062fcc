import type { CompiledGrammar, CompiledTerminal } from '../compiled';
import type { Importer } from '../load/definitions';
import { loadGrammar } from '../load/load';
import { parseGrammar } from '../parse';
import { shortestDerivations, shortestText } from '../parser/shortest';
import { type NumberedGrammar, numberGrammar } from '../parser/symbols';
import type { Scope } from '../resolve';
import type { GrammarLinks } from '../resolveFiles';
import { TerminalTexts } from '../terminalTexts';

/** A rule or terminal with all that it uses, loaded as a grammar of its own: what is broken elsewhere does not matter. */
export interface Excerpt {
  readonly grammar: CompiledGrammar;
  /** The terminal, if it is one. */
  readonly terminal: CompiledTerminal | undefined;
  /** Name of the rule that it starts with. */
  readonly start: string;
}

/** Start of an excerpt about a terminal. Names of grammars have no two underscores in front. */
const START = 'toolspec_excerpt';

/** More definitions than this are not loaded for one answer. */
const MOST_DEFINITIONS = 2000;

/** Loads a name with what it uses; `undefined` when it does not load, or when it is a template. */
export function excerptOf(links: GrammarLinks, file: string, scope: Scope, name: string): Excerpt | undefined {
  const document = links.files.document(file);
  const symbol = scope.symbols.get(name);
  if (document === undefined || symbol === undefined) return undefined;
  if (symbol.definitions.some(({ container }) => container?.parameters !== undefined)) return undefined;
  const lines = definitionsOf(document.text, scope, name);
  if (lines === undefined) return undefined;
  const start = symbol.terminal ? START : name;
  if (symbol.terminal) lines.push(`${START}: ${name}`);
  const importer: Importer = ({ path, relative, from }) => {
    const target = links.files.resolve({ path, relative, from: from ?? file });
    const found = target === undefined ? undefined : links.files.document(target);
    return found === undefined ? undefined : { file: target!, text: found.text };
  };
  const { grammar, problems } = loadGrammar(parseGrammar(`${lines.join('\n')}\n`), { start: [start], importer });
  if (grammar === undefined || problems.length > 0) return undefined;
  const terminal = symbol.terminal ? grammar.terminals.find((each) => each.name === name) : undefined;
  return { grammar, terminal, start };
}

/** The texts of all definitions that a name needs, its imports included; `undefined` when one is missing or broken. */
function definitionsOf(text: string, scope: Scope, name: string): string[] | undefined {
  const lines: string[] = [];
  const wanted = new Set([name]);
  const uses = usesOf(scope);
  const imports = new Map(scope.imports.map((each) => [each.local.text, each]));
  // A set hands out what is added while it is walked through.
  for (const each of wanted) {
    if (wanted.size > MOST_DEFINITIONS) return undefined;
    const imported = imports.get(each);
    if (imported !== undefined) {
      const path = imported.path.slice(0, -'.lark'.length).replaceAll('/', '.');
      const alias = imported.name.text === each ? '' : ` -> ${each}`;
      lines.push(`%import ${imported.relative ? '.' : ''}${path}.${imported.name.text}${alias}`);
    }
    for (const { role, container } of scope.symbols.get(each)?.definitions ?? []) {
      if (role === 'declare') lines.push(`%declare ${each}`);
      if (container === undefined || role === 'parameter') continue;
      if (container.broken) return undefined;
      lines.push(text.slice(container.span.start, container.span.end));
    }
    for (const used of uses.get(each) ?? []) wanted.add(used);
  }
  return lines;
}

/** The names that each definition of a scope uses. */
function usesOf(scope: Scope): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  for (const { name, references } of scope.symbols.values()) {
    for (const { container } of references) {
      const user = container?.name.text;
      if (user === undefined) continue;
      const known = uses.get(user);
      if (known === undefined) uses.set(user, [name]);
      else known.push(name);
    }
  }
  return uses;
}

/** Longer texts say little at a glance. */
const MOST_CHARACTERS = 200;

/** So many ways of a rule are looked at. */
const MOST_WAYS = 200;

/** The shortest texts of an excerpt, of different ways through it, the shortest first. */
export function textsOf({ grammar, terminal, start }: Excerpt, count: number): string[] {
  const texts = new TerminalTexts();
  if (terminal !== undefined) return texts.samples(terminal).filter(isShort).slice(0, count);
  const numbered = numberGrammar(grammar);
  const shortest = shortestDerivations(numbered);
  const found = new Set<string>();
  const take = (symbols: readonly number[]): void => {
    const parts = shortestText(numbered, shortest, symbols)?.map((id) => {
      const own = numbered.terminals[id];
      return own === undefined ? undefined : texts.samples(own)[0];
    });
    if (parts?.every((part) => part !== undefined)) found.add(parts.join(''));
  };
  const ways = waysOf(numbered, numbered.nonterminalIds.get(start) ?? -1);
  for (const way of ways) take(way);
  // A rule with one way has others in what it uses.
  if (found.size < count)
    for (const way of ways.flatMap((each) => inner(numbered, each)).slice(0, MOST_WAYS)) take(way);
  return [...found]
    .filter(isShort)
    .sort((a, b) => a.length - b.length)
    .slice(0, count);
}

/** The alternatives of a nonterminal. */
function waysOf(grammar: NumberedGrammar, nonterminal: number): number[][] {
  return (grammar.rulesOf[nonterminal] ?? []).slice(0, MOST_WAYS).map((rule) => [...grammar.right[rule]!]);
}

/** A row of symbols with each of its rules in turn replaced by each of that one's alternatives. */
function inner(grammar: NumberedGrammar, symbols: readonly number[]): number[][] {
  return symbols.flatMap((symbol, i) =>
    symbol < grammar.terminalCount
      ? []
      : waysOf(grammar, symbol - grammar.terminalCount).map((way) => [
          ...symbols.slice(0, i),
          ...way,
          ...symbols.slice(i + 1),
        ]),
  );
}

function isShort(text: string): boolean {
  return text.length <= MOST_CHARACTERS;
}
