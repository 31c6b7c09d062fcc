import type { Span } from '../../text/span';
import type { Definition, GrammarDocument, ImportItem, Name, Reference, TemplateUse } from '../ast';
import { expressions, type Owner, owners } from './walk';

/** What a name stands for. */
export interface GrammarSymbol {
  readonly name: string;
  readonly terminal: boolean;
  readonly kind: 'definition' | 'template' | 'import' | 'declared';
  /** The name where it is defined. */
  readonly span: Span;
  readonly definition: Definition | undefined;
  /** Of an import: the path with the name it has there, like `common.INT`, and the directive. */
  readonly path: string | undefined;
  readonly item: ImportItem | undefined;
  readonly uses: Use[];
}

/** A place where a name is used. */
export interface Use {
  readonly name: string;
  readonly span: Span;
  readonly owner: Owner;
  readonly node: Reference | TemplateUse;
}

/** The names of a grammar, without those inside `%lark { … }`. */
export interface GrammarNames {
  readonly symbols: ReadonlyMap<string, GrammarSymbol>;
  readonly uses: readonly Use[];
  /** Names that only have an attribute `capture="…"`, with the rule that captures. */
  readonly captures: ReadonlyMap<string, string>;
}

/** Finds what is defined, imported, declared and used. The first definition of a name counts. */
export function grammarNames(document: GrammarDocument): GrammarNames {
  const symbols = new Map<string, GrammarSymbol>();
  const captures = new Map<string, string>();
  const add = (name: Name, more: Partial<GrammarSymbol> & Pick<GrammarSymbol, 'kind'>): void => {
    if (symbols.has(name.text)) return;
    const { text, terminal, span } = name;
    symbols.set(text, {
      name: text,
      terminal,
      span,
      definition: undefined,
      path: undefined,
      item: undefined,
      uses: [],
      ...more,
    });
  };
  for (const item of document.items) {
    if (item.kind === 'import') {
      const parts = item.path.map((name) => name.text);
      const dot = item.relative ? '.' : '';
      if (item.names !== undefined) {
        for (const name of item.names)
          add(name, { kind: 'import', path: `${dot}${parts.join('.')}.${name.text}`, item });
      } else if (item.path.length > 0) {
        add(item.alias ?? item.path.at(-1)!, { kind: 'import', path: dot + parts.join('.'), item });
      }
    } else if (item.kind === 'declare') {
      for (const name of item.names) add(name, { kind: 'declared' });
    } else if (item.kind === 'definition') {
      add(item.name, { kind: item.parameters === undefined ? 'definition' : 'template', definition: item });
      for (const { name, value } of item.attributes) {
        if (name === 'capture' && value !== undefined) captures.set(value.text.slice(1, -1), item.name.text);
      }
    }
  }
  const uses: Use[] = [];
  const use = (owner: Owner, node: Use['node']): void => {
    const made: Use = { name: node.name.text, span: node.name.span, owner, node };
    uses.push(made);
    symbols.get(made.name)?.uses.push(made);
  };
  for (const owner of owners(document.items)) {
    if (owner.kind === 'definition') for (const node of attributeNames(owner)) use(owner, node);
    const parameters = new Set(owner.kind === 'definition' ? (owner.parameters ?? []).map(({ text }) => text) : []);
    for (const node of expressions(owner.body)) {
      if (node.kind !== 'reference' && node.kind !== 'template') continue;
      if (!parameters.has(node.name.text)) use(owner, node);
    }
  }
  return { symbols, uses, captures };
}

/** Names of terminals in attributes: `stop=NAME` and `suffix=NAME`. */
function attributeNames({ attributes }: Definition): Reference[] {
  return attributes.flatMap(({ name, value }): Reference[] => {
    if ((name !== 'stop' && name !== 'suffix') || value === undefined || !/^_?[A-Za-z]/.test(value.text)) return [];
    const { text, span } = value;
    return [{ kind: 'reference', span, name: { text, terminal: /^_?[A-Z]/.test(text), span }, parameter: undefined }];
  });
}

/** The names that can be reached from the rule `start` and from `%ignore`. */
export function reachable(names: GrammarNames): Set<string> {
  const found = new Set<string>(['start']);
  const from = new Map<Owner, Use[]>();
  for (const use of names.uses) {
    const list = from.get(use.owner);
    if (list === undefined) from.set(use.owner, [use]);
    else list.push(use);
    if (use.owner.kind === 'ignore') found.add(use.name);
  }
  // A set hands out what is added while it is walked through.
  for (const name of found) {
    const definition = names.symbols.get(name)?.definition;
    if (definition === undefined) continue;
    for (const use of from.get(definition) ?? []) found.add(use.name);
  }
  return found;
}
