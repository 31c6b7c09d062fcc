import { touches } from '../../text/span';
import type { Alternatives, Definition, Expression, GrammarDocument, GrammarItem, NestedGrammar } from '../ast';
import { type GrammarNames, importPath, type Scope } from '../resolve';
import type { GrammarLinks } from '../resolveFiles';

/** The names that hold at an offset: those of the grammar, or of a `%lark { … }` around it. */
export function scopeAt(document: GrammarDocument, names: GrammarNames, offset: number): Scope {
  let scope = names.root;
  for (let inner = nestedAt(document.items, offset); inner !== undefined; inner = nestedAt(inner.items, offset)) {
    const { span, items } = inner;
    const deeper = nestedAt(items, offset)?.span;
    const own = names.occurrences.find(
      ({ name }) =>
        span.start <= name.span.start &&
        name.span.end <= span.end &&
        !(deeper !== undefined && deeper.start <= name.span.start && name.span.end <= deeper.end),
    );
    scope = own?.scope ?? { symbols: new Map(), imports: [] };
  }
  return scope;
}

function nestedAt(items: readonly GrammarItem[], offset: number): NestedGrammar | undefined {
  const open: (Alternatives | Expression)[] = [];
  for (const item of items) {
    if ((item.kind === 'definition' || item.kind === 'ignore') && touches(item.span, offset)) open.push(item.body);
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!touches(next.span, offset)) continue;
    if (next.kind === 'nested') return next;
    if (next.kind === 'alternatives') for (const { items: parts } of next.items) open.push(...parts);
    else if (next.kind === 'group' || next.kind === 'optional') open.push(next.body);
    else if (next.kind === 'repeat' || next.kind === 'negation') open.push(next.item);
    else if (next.kind === 'intersection') for (const { items: parts } of next.operands) open.push(...parts);
  }
  return undefined;
}

/** The grammar and definition behind a name of a scope, across imports where the file can be read. */
export function definitionOf(
  links: GrammarLinks,
  file: string,
  name: string,
  scope: Scope | undefined = links.names(file)?.root,
): { readonly file: string; readonly definition: Definition } | undefined {
  let at = { file, name, scope };
  // An import leads to a file, and that may import the name in its turn.
  for (let step = 0; step < 100; step++) {
    const symbol = at.scope?.symbols.get(at.name);
    const own = symbol?.definitions.find(
      ({ role }) => role === 'definition' || role === 'override' || role === 'extend',
    );
    if (own?.container !== undefined) return { file: at.file, definition: own.container };
    const imported = at.scope?.imports.find(({ local }) => local.text === at.name);
    if (imported === undefined) return undefined;
    const request = { path: importPath(imported.item), relative: imported.relative, from: at.file };
    const target = links.files.resolve(request);
    if (target === undefined) return undefined;
    at = { file: target, name: imported.name.text, scope: links.names(target)?.root };
  }
  return undefined;
}

const MOST_LINES = 12;

/** The text of a definition, cut after some lines. */
export function sourceOf(text: string, { span }: Definition): string {
  const lines = text.slice(span.start, span.end).split(/\r?\n/);
  return lines.length <= MOST_LINES ? lines.join('\n') : [...lines.slice(0, MOST_LINES - 1), '…'].join('\n');
}

/** The text of the definition behind a name, if there is one. */
export function definitionSource(links: GrammarLinks, file: string, name: string, scope?: Scope): string | undefined {
  const found = definitionOf(links, file, name, scope);
  const document = found && links.files.document(found.file);
  return document === undefined ? undefined : sourceOf(document.text, found!.definition);
}
