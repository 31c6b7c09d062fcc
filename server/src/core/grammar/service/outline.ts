import type { Span } from '../../text/span';
import { shorten } from '../../text/words';
import type { Alternatives, Definition, Expression, GrammarDocument, GrammarItem, Name } from '../ast';

/** A name that a grammar makes known, for an outline. */
export interface OutlineSymbol {
  readonly name: string;
  readonly kind: 'rule' | 'template' | 'terminal' | 'import' | 'declared' | 'alias';
  /** What is written behind the name, in one line. */
  readonly detail: string;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly OutlineSymbol[];
}

const MOST_CHARACTERS = 60;

/** Definitions, imports and declarations in text order. Below a rule stand the names of its tree nodes. */
export function outline({ text, items }: Pick<GrammarDocument, 'text' | 'items'>): OutlineSymbol[] {
  const symbols: OutlineSymbol[] = [];
  for (const item of items) symbols.push(...symbolsOf(text, item));
  return symbols;
}

function symbolsOf(text: string, item: GrammarItem): OutlineSymbol[] {
  switch (item.kind) {
    case 'definition':
      return item.name.text === '' ? [] : [definitionSymbol(text, item)];
    case 'declare':
      return item.names.map((name) => leaf(name, 'declared', '%declare', name.span));
    case 'import': {
      const path = item.path.map((part) => part.text).join('.');
      const dot = item.relative ? '.' : '';
      if (item.names !== undefined) {
        return item.names.map((name) => leaf(name, 'import', `${dot}${path}.${name.text}`, name.span));
      }
      const local = item.alias ?? item.path.at(-1);
      return local === undefined ? [] : [leaf(local, 'import', `${dot}${path}`, item.span)];
    }
    default:
      return [];
  }
}

function leaf(name: Name, kind: OutlineSymbol['kind'], detail: string, span: Span): OutlineSymbol {
  return { name: name.text, kind, detail, span, nameSpan: name.span, children: [] };
}

function definitionSymbol(text: string, item: Definition): OutlineSymbol {
  const { name, span, body, parameters } = item;
  const kind = name.terminal ? 'terminal' : parameters === undefined ? 'rule' : 'template';
  const detail = shorten(text.slice(body.span.start, body.span.end).replace(/\s+/g, ' ').trim(), MOST_CHARACTERS);
  const children = [...aliases(body), ...nested(text, body)];
  return { name: name.text, kind, detail, span, nameSpan: name.span, children };
}

/** Names of tree nodes, each once. */
function aliases(body: Alternatives): OutlineSymbol[] {
  const seen = new Set<string>();
  return body.items.flatMap(({ alias, span }) => {
    if (alias === undefined || alias.text === '' || seen.has(alias.text)) return [];
    seen.add(alias.text);
    const whole = { start: Math.min(span.start, alias.span.start), end: Math.max(span.end, alias.span.end) };
    return [leaf(alias, 'alias', '', whole)];
  });
}

/** The definitions of grammars inside of a body. */
function nested(text: string, body: Alternatives): OutlineSymbol[] {
  const open: { expression: Expression; depth: number }[] = body.items.flatMap(({ items }) =>
    items.map((expression) => ({ expression, depth: 0 })),
  );
  return open.flatMap(({ expression }) =>
    expression.kind === 'nested' ? outline({ text, items: expression.items }) : [],
  );
}
