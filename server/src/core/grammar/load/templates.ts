import { t } from '../../text/message';
import { type Entry, type Loading, report } from './entries';
import { clone, rewrite, Sym, TooComplex, type Tree } from './tree';

/** Instances of templates in one grammar, and characters in the name of one. */
const MOST_INSTANCES = 5000;
const LONGEST_NAME = 5000;

/** Makes a rule of each use of a template with other arguments (Lark 1.3.1, `ApplyTemplates`). */
export class Templates {
  readonly #made = new Set<string>();
  readonly #byName: Map<string, Entry>;

  /** New rules are put behind `rules`. */
  constructor(
    readonly loading: Loading,
    readonly rules: Entry[],
  ) {
    this.#byName = new Map(rules.map((rule) => [rule.name, rule]));
  }

  /** The rule that a use of a template stands for. The arguments are symbols already. */
  use(tree: Tree): Sym {
    const [template, ...args] = tree.children as Sym[];
    const name = `${template!.name}{${args.map((arg) => arg.name).join(',')}}`;
    const symbol = new Sym(name, false, false, tree.place);
    if (this.#made.has(name)) return symbol;
    this.#made.add(name);
    if (this.#made.size > MOST_INSTANCES || name.length > LONGEST_NAME) throw new TooComplex('templates', tree.place);
    const entry = this.#byName.get(template!.name);
    if (entry?.tree === undefined || entry.parameters.length !== args.length) {
      const code = entry === undefined ? 'template.undefined' : 'template.arity';
      report(
        this.loading,
        code,
        tree.place!,
        t('{0} is no template with {1} parameters.', template!.name, args.length),
      );
      return symbol;
    }
    const values = new Map(entry.parameters.map((parameter, i) => [parameter, args[i]!]));
    const body = rewrite(clone(entry.tree), (part) => replace(part, values)) as Tree;
    const made: Entry = { ...entry, name, parameters: [], parameterPlaces: [], tree: body };
    this.rules.push(made);
    this.#byName.set(name, made);
    return symbol;
  }
}

/** Puts arguments where parameters stand. An argument is one symbol, shared by all the places where it goes. */
function replace(tree: Tree, values: ReadonlyMap<string, Sym>): Tree | Sym {
  const first = tree.children[0];
  if (!(first instanceof Sym)) return tree;
  const value = values.get(first.name);
  if (value === undefined) return tree;
  if (tree.kind === 'value') return value;
  if (tree.kind === 'template') tree.children = [value, ...tree.children.slice(1)];
  return tree;
}
