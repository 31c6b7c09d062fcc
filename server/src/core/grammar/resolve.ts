import { type Span, touches } from '../text/span';
import type { Alternatives, Definition, Expression, GrammarDocument, GrammarItem, ImportItem, Name } from './ast';

/** What a name does where it stands. */
export type Role =
  /** `name: …`. */
  | 'definition'
  /** `%override name: …` and `%extend name: …`. */
  | 'override'
  | 'extend'
  /** `%declare NAME`. */
  | 'declare'
  /** The name that an import makes known: an alias, or a name that is imported under its own. */
  | 'import'
  /** In an import with an alias: the name in the other grammar. */
  | 'imported'
  /** In an import: a part of the path to the other grammar. */
  | 'module'
  | 'reference'
  /** A terminal behind `%ignore`. */
  | 'ignore'
  /** A parameter where a template lists it. */
  | 'parameter'
  /** The name of a tree node behind `->`. */
  | 'alias';

/** A name at one place. */
export interface Occurrence {
  readonly role: Role;
  readonly name: Name;
  /** The definition that it stands in, if it stands in one. */
  readonly container: Definition | undefined;
  readonly scope: Scope;
  /** The template whose parameter it is, defined or used. */
  readonly template: Definition | undefined;
  /** The import that it belongs to. */
  readonly item: ImportItem | undefined;
}

/** A rule, template or terminal of one grammar, with all places of its name. */
export interface GrammarSymbol {
  readonly name: string;
  readonly terminal: boolean;
  /** Where it is defined, declared or imported, in text order. */
  readonly definitions: readonly Occurrence[];
  readonly references: readonly Occurrence[];
}

/** The names of one grammar: those of the document, or those inside a `%lark { … }`. */
export interface Scope {
  readonly symbols: Map<string, MutableSymbol>;
  readonly imports: ImportedName[];
}

interface MutableSymbol extends GrammarSymbol {
  readonly definitions: Occurrence[];
  readonly references: Occurrence[];
}

/** A name that comes from another grammar. */
export interface ImportedName {
  readonly item: ImportItem;
  /** Path of the other grammar, like `dir/name.lark`. */
  readonly path: string;
  readonly relative: boolean;
  /** What it is called there and where that is written. */
  readonly name: Name;
  /** What it is called here. */
  readonly local: Name;
}

/** The names of a grammar document and where they stand. */
export interface GrammarNames {
  readonly root: Scope;
  /** All names in text order. */
  readonly occurrences: readonly Occurrence[];
}

/** Collects the names of a grammar, without looking at other files. Work is linear in the length of the text. */
export function grammarNames(document: GrammarDocument): GrammarNames {
  const collector = new Collector();
  const root = newScope();
  collector.items(document.items, root);
  collector.occurrences.sort((a, b) => a.name.span.start - b.name.span.start);
  return { root, occurrences: collector.occurrences };
}

/** The name at an offset or at its edge. */
export function occurrenceAt({ occurrences }: GrammarNames, offset: number): Occurrence | undefined {
  let low = 0;
  let high = occurrences.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (occurrences[middle]!.name.span.start <= offset) low = middle + 1;
    else high = middle;
  }
  // Of two names that touch at the offset, the one that starts there is meant.
  for (const candidate of [occurrences[low - 1], occurrences[low - 2]]) {
    if (candidate !== undefined && touches(candidate.name.span, offset)) return candidate;
  }
  return undefined;
}

/** All places of the document that mean the same as an occurrence, in text order. */
export function sameName(names: GrammarNames, occurrence: Occurrence): Occurrence[] {
  const { role, scope, template, name } = occurrence;
  return names.occurrences.filter((other) => {
    if (other.scope !== scope || other.name.text !== name.text || other.template !== template) return false;
    if (role === 'alias' || other.role === 'alias') return role === other.role;
    if (role === 'module' || other.role === 'module') return role === other.role;
    if (role === 'imported' || other.role === 'imported') {
      return role === other.role && importPath(other.item!) === importPath(occurrence.item!);
    }
    return true;
  });
}

/** Path of the file that an import reads, like `dir/name.lark`. */
export function importPath(item: ImportItem): string {
  const parts = item.names === undefined ? item.path.slice(0, -1) : item.path;
  return `${parts.map((part) => part.text).join('/')}.lark`;
}

/** Whether a name can be given to a rule, or to a terminal, in both dialects. */
export function isValidName(name: string, terminal: boolean): boolean {
  return terminal ? /^_?[A-Z][_A-Z0-9]*$/.test(name) : /^_?[a-z][_a-z0-9]*$/.test(name);
}

function newScope(): Scope {
  return { symbols: new Map(), imports: [] };
}

class Collector {
  readonly occurrences: Occurrence[] = [];

  items(items: readonly GrammarItem[], scope: Scope): void {
    for (const item of items) {
      switch (item.kind) {
        case 'definition':
          this.#definition(item, scope);
          break;
        case 'ignore':
          this.#body(item.body, scope, undefined, 'ignore');
          break;
        case 'declare':
          for (const name of item.names) this.#add({ role: 'declare', name, scope });
          break;
        case 'import':
          this.#import(item, scope);
          break;
        default:
      }
    }
  }

  #add(what: Pick<Occurrence, 'role' | 'name' | 'scope'> & Partial<Occurrence>): void {
    const { role, name, scope, container, template, item } = what;
    const occurrence: Occurrence = { role, name, scope, container, template, item };
    this.occurrences.push(occurrence);
    if (role === 'alias' || role === 'module' || role === 'imported' || template !== undefined) return;
    let symbol = scope.symbols.get(name.text);
    if (symbol === undefined) {
      symbol = { name: name.text, terminal: name.terminal, definitions: [], references: [] };
      scope.symbols.set(name.text, symbol);
    }
    const refers = role === 'reference' || role === 'ignore';
    (refers ? symbol.references : symbol.definitions).push(occurrence);
  }

  #definition(item: Definition, scope: Scope): void {
    this.#add({ role: item.directive ?? 'definition', name: item.name, scope, container: item });
    for (const name of item.parameters ?? []) {
      this.#add({ role: 'parameter', name, scope, container: item, template: item });
    }
    this.#body(item.body, scope, item, 'reference');
  }

  #import(item: ImportItem, scope: Scope): void {
    const module = item.names === undefined ? item.path.slice(0, -1) : item.path;
    for (const name of module) this.#add({ role: 'module', name, scope, item });
    const path = importPath(item);
    const take = (name: Name, local: Name): void => {
      scope.imports.push({ item, path, relative: item.relative, name, local });
      if (name !== local) this.#add({ role: 'imported', name, scope, item });
      this.#add({ role: 'import', name: local, scope, item });
    };
    if (item.names !== undefined) for (const name of item.names) take(name, name);
    else if (item.path.length > 1) take(item.path.at(-1)!, item.alias ?? item.path.at(-1)!);
    else for (const name of item.path) this.#add({ role: 'module', name, scope, item });
  }

  #body(body: Alternatives, scope: Scope, container: Definition | undefined, role: 'reference' | 'ignore'): void {
    const parameters = new Set(container?.parameters?.map((parameter) => parameter.text));
    const refer = (name: Name): void => {
      const template = parameters.has(name.text) ? container : undefined;
      this.#add({ role, name, scope, container, template });
    };
    const bodies: Alternatives[] = [body];
    for (let next = bodies.pop(); next !== undefined; next = bodies.pop()) {
      for (const { items, alias } of next.items) {
        if (alias !== undefined) this.#add({ role: 'alias', name: alias, scope, container });
        const open: Expression[] = [...items];
        for (let expression = open.pop(); expression !== undefined; expression = open.pop()) {
          switch (expression.kind) {
            case 'reference':
              refer(expression.name);
              break;
            case 'template':
              refer(expression.name);
              open.push(...expression.arguments);
              break;
            case 'group':
            case 'optional':
              bodies.push(expression.body);
              break;
            case 'repeat':
            case 'negation':
              open.push(expression.item);
              break;
            case 'intersection':
              for (const operand of expression.operands) open.push(...operand.items);
              break;
            case 'nested':
              // Names outside are unknown inside.
              this.items(expression.items, newScope());
              break;
            default:
          }
        }
      }
    }
  }
}

/** A place in one of several grammar files. */
export interface FilePlace {
  readonly file: string;
  readonly span: Span;
}
