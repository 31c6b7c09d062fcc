import { t } from '../../text/message';
import { didYouMean } from '../../text/words';
import { type Definitions, usedSymbols } from './definitions';
import { type Entry, report } from './entries';
import { ownTrees, Sym, subtrees, type Tree } from './tree';

/** Reports wrong uses of names, in every definition and in Lark's order (1.3.1, `GrammarBuilder.validate`). */
export function validate(definitions: Definitions): void {
  for (const entry of definitions.entries.values()) {
    parameters(definitions, entry);
    if (entry.tree === undefined) continue;
    const reported = templates(definitions, entry);
    if (!entry.terminal) names(definitions, entry, reported);
  }
  for (const { name, place } of definitions.ignored) {
    if (definitions.entries.has(name)) continue;
    definitions.report('ignore.undefined', place, t('Terminal {0} is not defined, so it cannot be ignored.', name));
  }
  for (const entry of definitions.entries.values()) {
    if (entry.terminal && entry.tree !== undefined) templatesInTerminal(definitions, entry);
  }
}

function parameters(definitions: Definitions, entry: Entry): void {
  const { loading } = definitions;
  entry.parameters.forEach((parameter, i) => {
    const other = definitions.entries.get(parameter);
    if (other !== undefined) {
      const message = t('The parameter {0} of template {1} has the name of a definition.', parameter, entry.name);
      report(loading, 'template.param-conflict', entry.parameterPlaces[i]!, message, [
        { place: other.place, message: t('{0} is defined here.', parameter) },
      ]);
    }
    if (entry.parameters.indexOf(parameter) < i) {
      const message = t('Template {0} has two parameters {1}.', entry.name, parameter);
      report(loading, 'template.param-duplicate', entry.parameterPlaces[i]!, message);
    }
  });
}

function templatesInTerminal(definitions: Definitions, entry: Entry): void {
  for (const tree of ownTrees(entry.tree!)) {
    if (tree.kind !== 'template') continue;
    const message = t('Terminals cannot use templates.');
    report(definitions.loading, 'template.in-terminal', tree.place!, message);
  }
}

/** Checks the uses of templates; gives the names that are reported. */
function templates(definitions: Definitions, entry: Entry): Set<Sym> {
  const { loading, entries } = definitions;
  const reported = new Set<Sym>();
  const trees = entry.terminal ? ownTrees(entry.tree!) : subtrees(entry.tree!);
  for (const tree of trees) {
    const name = tree.kind === 'template' ? tree.children[0] : undefined;
    if (!(name instanceof Sym) || entry.parameters.includes(name.name)) continue;
    const template = entries.get(name.name);
    const given = tree.children.length - 1;
    if (template === undefined) {
      reported.add(name);
      report(loading, 'template.undefined', name.place!, t('Template {0} is not defined.', name.name));
    } else if (template.parameters.length !== given && !(template.broken && template.tree === undefined)) {
      const message =
        template.parameters.length === 0
          ? t('{0} is a rule without parameters; it takes no arguments.', name.name)
          : t('Template {0} takes {1} arguments, not {2}.', name.name, template.parameters.length, given);
      report(loading, 'template.arity', tree.place!, message, [
        { place: template.place, message: t('{0} is defined here.', name.name) },
      ]);
    }
  }
  return reported;
}

function names(definitions: Definitions, entry: Entry, reported: ReadonlySet<Sym>): void {
  const { entries, loading } = definitions;
  const aliases = new Set(subtrees(entry.tree!).map((tree: Tree) => tree.alias));
  const symbols = usedSymbols(entry.tree!);
  const parts = partsOfNames(symbols, entries);
  for (const symbol of symbols) {
    if (reported.has(symbol) || parts.has(symbol) || entries.has(symbol.name) || entry.parameters.includes(symbol.name))
      continue;
    if (aliases.has(symbol)) {
      const message = t('An alias stands at the end of an alternative of the rule itself, not inside brackets.');
      report(loading, 'name.undefined', symbol.place!, message);
      continue;
    }
    const near = didYouMean(symbol.name, entries.keys());
    const message = symbol.terminal
      ? near === undefined
        ? t('Terminal {0} is not defined.', symbol.name)
        : t('Terminal {0} is not defined. Did you mean {1}?', symbol.name, near)
      : near === undefined
        ? t('Rule {0} is not defined.', symbol.name)
        : t('Rule {0} is not defined. Did you mean {1}?', symbol.name, near);
    report(loading, 'name.undefined', symbol.place!, message);
  }
}

/** Symbols that together are the name of a definition in mixed case, which is reported where it is defined. */
function partsOfNames(symbols: readonly Sym[], entries: ReadonlyMap<string, Entry>): Set<Sym> {
  const inOrder = symbols.filter((symbol) => symbol.place !== undefined);
  inOrder.sort((a, b) => a.place!.span.start - b.place!.span.start);
  const parts = new Set<Sym>();
  let group: Sym[] = [];
  for (const symbol of [...inOrder, undefined]) {
    const before = group.at(-1);
    if (symbol !== undefined && before !== undefined && before.place!.span.end === symbol.place!.span.start) {
      group.push(symbol);
      continue;
    }
    if (group.length > 1 && entries.has(group.map(({ name }) => name).join('')))
      for (const part of group) parts.add(part);
    group = symbol === undefined ? [] : [symbol];
  }
  return parts;
}
