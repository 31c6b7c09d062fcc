import { type Message, t } from '../../text/message';
import type { Definition, GrammarDocument, ImportItem, Name } from '../ast';
import { libraryText } from '../libraries';
import { parseGrammar } from '../parse';
import type { GrammarProblemCode } from '../problems';
import { syntaxProblems } from './dialect';
import { type Entry, type EntrySet, type Loading, plainEntry, report } from './entries';
import { lowerBody, type Mangle } from './lower';
import { resolveTerminals } from './resolveTerminals';
import { type Origin, type Place, Sym, subtrees, TooComplex, Tree } from './tree';

/** A file that an import asks for: `path` is like `dir/name.lark`, `from` the id of the importing file. */
export interface ImportRequest {
  readonly path: string;
  readonly relative: boolean;
  readonly from: string | undefined;
}

/** Gives the text of an imported grammar and an id for it; `undefined` if there is none. Lark's own need none. */
export type Importer = (request: ImportRequest) => { readonly file: string; readonly text: string } | undefined;

/** Files that one grammar may import, each import counted. */
const MOST_IMPORTS = 500;

const SAME: Mangle = (name) => name;

/** The definitions of a file and of what it imports, in Lark's order (1.3.1, `GrammarBuilder`). */
export class Definitions implements EntrySet {
  readonly entries = new Map<string, Entry>();
  readonly ignored: { name: string; place: Place }[] = [];

  constructor(
    readonly loading: Loading,
    readonly importer: Importer | undefined,
    readonly origin: Origin,
    /** Ids of the files that import each other on the way here. */
    readonly chain: readonly (string | undefined)[],
  ) {}

  /** Takes a file in: its imports first, then its definitions in text order. `mangle` renames what is imported. */
  load(document: GrammarDocument, mangle: Mangle | undefined): void {
    this.#imports(document, mangle);
    for (const item of document.items) {
      if (item.kind === 'definition') this.#definition(item, mangle ?? SAME);
      else if (item.kind === 'ignore') {
        if (mangle === undefined) this.#ignore(lowerBody(item.body, this.origin, SAME), item.broken);
      } else if (item.kind === 'declare') {
        for (const name of item.names) this.#declare(name, mangle ?? SAME);
      }
    }
    resolveTerminals(this);
  }

  place(span: { start: number; end: number }): Place {
    return { span, origin: this.origin };
  }

  report(
    code: GrammarProblemCode,
    place: Place,
    message: Message,
    related?: { place: Place; message: Message }[],
  ): void {
    report(this.loading, code, place, message, related);
  }

  #declare(name: Name, mangle: Mangle): void {
    const place = this.place(name.span);
    if (!name.terminal) {
      this.report('declare.rule', place, t('%declare is for terminals; {0} is the name of a rule.', name.text));
      return;
    }
    this.#define(plainEntry({ name: mangle(name.text), terminal: true, tree: undefined, place, broken: false }));
  }

  #definition(item: Definition, mangle: Mangle): void {
    const { name } = item;
    const expand1 = item.modifiers.includes('?');
    const place = this.place(name.span);
    if (expand1 && name.text.startsWith('_')) {
      const message = t('{0} is spliced into its parent because of its underscore, so ? has nothing to do.', name.text);
      this.report('rule.inline-and-conditional', this.place(item.modifiersSpan!), message);
    }
    const parameters = name.terminal ? [] : (item.parameters ?? []).map((parameter) => mangle(parameter.text));
    const entry: Entry = {
      name: mangle(name.text),
      terminal: name.terminal,
      tree: lowerBody(item.body, this.origin, mangle),
      parameters,
      parameterPlaces: (item.parameters ?? []).map((parameter) => this.place(parameter.span)),
      keepAllTokens: !name.terminal && (item.modifiers.includes('!') || this.loading.keepAllTokens),
      expand1: !name.terminal && expand1,
      priority: item.priority?.value ?? (name.terminal ? 0 : undefined),
      templateSource: parameters.length > 0 ? name.text : undefined,
      place,
      broken: item.broken,
    };
    if (item.directive === 'override') this.#override(entry);
    else if (item.directive === 'extend') this.#extend(entry);
    else this.#define(entry);
  }

  #define(entry: Entry): void {
    const { name, place } = entry;
    const before = this.entries.get(name);
    if (before === undefined || (before.broken && before.tree === undefined)) {
      this.entries.set(name, entry);
      return;
    }
    const message =
      before.place.origin.file === place.origin.file
        ? t('{0} is defined already; %extend adds alternatives to a definition, %override replaces it.', name)
        : t('{0} is imported already; %override replaces an imported definition.', name);
    this.report('name.duplicate', place, message, [
      { place: before.place, message: t('The first definition is here.') },
    ]);
  }

  #override(entry: Entry): void {
    if (!this.entries.has(entry.name)) {
      const message = t('%override replaces a definition that comes before it, and there is none of {0}.', entry.name);
      this.report('override.missing', entry.place, message);
      // The name exists all the same, so that its uses are not reported too.
    }
    this.entries.set(entry.name, entry);
  }

  #extend(entry: Entry): void {
    const { name, place } = entry;
    const before = this.entries.get(name);
    if (before === undefined) {
      const message = t('%extend adds to a definition that comes before it, and there is none of {0}.', name);
      this.report('extend.missing', place, message);
      this.entries.set(name, entry);
    } else if (before.parameters.join() !== entry.parameters.join()) {
      const message = t('%extend takes the same parameters as the definition of {0}.', name);
      this.report('extend.params', place, message, [{ place: before.place, message: t('The definition is here.') }]);
    } else if (before.tree === undefined) {
      const message = t('{0} is only declared, so there is nothing to add to.', name);
      this.report('extend.abstract', place, message, [{ place: before.place, message: t('It is declared here.') }]);
    } else before.tree.children.unshift(entry.tree!);
  }

  #ignore(tree: Tree, broken: boolean): void {
    const only = tree.children.length === 1 ? tree.children[0] : undefined;
    const item =
      only instanceof Tree && only.kind === 'sequence' && only.children.length === 1 ? only.children[0] : undefined;
    const value = item instanceof Tree && item.kind === 'value' ? item.children[0] : undefined;
    if (value instanceof Sym && value.terminal) {
      this.ignored.push({ name: value.name, place: value.place! });
      return;
    }
    const name = `__IGNORE_${this.ignored.length}`;
    const place = tree.place!;
    this.ignored.push({ name, place });
    this.entries.set(name, plainEntry({ name, terminal: true, tree, place, broken }));
  }

  #imports(document: GrammarDocument, mangle: Mangle | undefined): void {
    interface Wanted {
      readonly path: string[];
      readonly relative: boolean;
      readonly item: ImportItem;
      readonly aliases: Map<string, string>;
    }
    const wanted = new Map<string, Wanted>();
    for (const item of document.items) {
      if (item.kind !== 'import') continue;
      if (item.broken) {
        this.#standIns(brokenNames(item), item, mangle ?? SAME);
        continue;
      }
      const path = item.path.map((name) => name.text);
      const aliases = new Map<string, string>();
      if (item.names !== undefined) for (const name of item.names) aliases.set(name.text, name.text);
      else {
        const name = path.pop()!;
        if (path.length === 0) {
          const message = t('Nothing is imported: behind {0} goes a dot with a name, or names in brackets.', name);
          this.report('import.nothing', this.place(item.path[0]!.span), message);
          continue;
        }
        aliases.set(name, item.alias?.text ?? name);
      }
      const key = path.join('.');
      const before = wanted.get(key);
      if (before === undefined) wanted.set(key, { path, relative: item.relative, item, aliases });
      else if (before.relative !== item.relative) {
        const message = t('{0} is imported both with and without a dot in front, which Lark does not allow.', key);
        this.report('internal.assertion', this.place(item.span), message);
      } else for (const [name, alias] of aliases) before.aliases.set(name, alias);
    }
    for (const { path, relative, item, aliases } of wanted.values())
      this.#import(path, relative, item, aliases, mangle);
  }

  #import(
    path: string[],
    relative: boolean,
    item: ImportItem,
    aliases: Map<string, string>,
    base: Mangle | undefined,
  ): void {
    const pathSpan = { start: item.path[0]!.span.start, end: item.path[path.length - 1]!.span.end };
    const place = this.place(pathSpan);
    if (++this.loading.imports > MOST_IMPORTS) throw new TooComplex('imports', place);
    const asked = `${path.join('/')}.lark`;
    const found = this.#find(asked, relative);
    const mangle = prefixed(path.join('__'), aliases, base);
    if (found === undefined) {
      this.report('import.not-found', place, t('There is no grammar {0}.', asked));
      this.#standIns(aliases, item, mangle);
      return;
    }
    if (this.chain.includes(found.file)) {
      const message = t('{0} imports itself, directly or through others.', asked);
      this.report('import.cycle', place, message);
      this.#standIns(aliases, item, mangle);
      return;
    }
    const importedAt = this.origin.importedAt ?? item.span;
    const origin: Origin = { file: found.file, importedAt, library: found.library };
    let document = this.loading.documents.get(found.file);
    if (document === undefined) {
      document = parseGrammar(found.text);
      this.loading.documents.set(found.file, document);
    }
    for (const wrong of syntaxProblems(document))
      this.loading.problems.push({ ...wrong, file: found.file, importedAt });
    const inner = new Definitions(this.loading, this.importer, origin, [...this.chain, found.file]);
    inner.load(document, mangle);
    const kept = inner.#used([...aliases.keys()].map(mangle));
    for (const [name, entry] of kept) {
      const before = this.entries.get(name);
      if (before !== undefined) {
        const message = t('{0} is imported twice, from different grammars; an alias (-> name) keeps them apart.', name);
        const names = item.alias ?? item.names?.find(({ text }) => text === name) ?? item.path.at(-1)!;
        this.report('import.collision', this.place(names.span), message);
      } else this.entries.set(name, entry);
    }
  }

  /** What an import that fails would have brought, so that its uses are not reported too. */
  #standIns(aliases: Map<string, string>, item: ImportItem, mangle: Mangle): void {
    for (const name of aliases.keys()) {
      const alias = mangle(name);
      if (this.entries.has(alias)) continue;
      const terminal = /^_?[A-Z]/.test(aliases.get(name)!);
      const place = this.place(item.span);
      this.entries.set(alias, plainEntry({ name: alias, terminal, tree: undefined, place, broken: true }));
    }
  }

  #find(path: string, relative: boolean): { file: string; text: string; library: boolean } | undefined {
    const found = this.importer?.({ path, relative, from: this.origin.file });
    if (found !== undefined) return { ...found, library: false };
    if (relative && !this.origin.library) return undefined;
    const text = libraryText(path);
    return text === undefined ? undefined : { file: `lark:${path}`, text, library: true };
  }

  /** The named entries and the rules that they use, in order of definition. */
  #used(names: readonly string[]): Map<string, Entry> {
    const used = new Set(names);
    for (const name of used) {
      const entry = this.entries.get(name);
      if (entry === undefined || entry.terminal || entry.tree === undefined) continue;
      for (const symbol of usedSymbols(entry.tree)) if (!entry.parameters.includes(symbol.name)) used.add(symbol.name);
    }
    return new Map([...this.entries].filter(([name]) => used.has(name)));
  }
}

/** The symbols in the sequences of a tree. An alias inside brackets counts as one, as in Lark. */
export function usedSymbols(root: Tree): Sym[] {
  const symbols: Sym[] = [];
  const top = topAliases(root);
  for (const tree of subtrees(root)) {
    for (const child of tree.children) if (child instanceof Sym) symbols.push(child);
    if (tree.alias !== undefined && !top.has(tree)) symbols.push(tree.alias);
  }
  return symbols;
}

/** The aliases of alternatives of the definition itself; `%extend` puts alternatives inside others. */
function topAliases(root: Tree): Set<Tree> {
  const aliases = new Set<Tree>();
  const open: Tree[] = [root];
  for (const tree of open) {
    for (const child of tree.children) {
      if (!(child instanceof Tree)) continue;
      if (child.kind === 'alias') aliases.add(child);
      else if (child.kind === 'alternatives') open.push(child);
    }
  }
  return aliases;
}

/** The names that an import would bring that cannot be read to its end. */
function brokenNames(item: ImportItem): Map<string, string> {
  const last = item.path.length > 1 ? item.path.at(-1) : undefined;
  const names = item.names ?? [item.alias ?? last];
  return new Map(names.flatMap((name) => (name === undefined ? [] : [[name.text, name.text]])));
}

/** Names as an import makes them: the asked ones as wanted, others with the module in front (Lark 1.3.1). */
function prefixed(prefix: string, aliases: ReadonlyMap<string, string>, base: Mangle | undefined): Mangle {
  return (name) => {
    const alias = aliases.get(name);
    const own = alias ?? (name.startsWith('_') ? `_${prefix}__${name.slice(1)}` : `${prefix}__${name}`);
    return base === undefined ? own : base(own);
  };
}
