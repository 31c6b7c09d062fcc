import type { Span } from '../text/span';
import type { Alternative, Alternatives, Definition, Expression, GrammarDocument, GrammarItem, Name } from './ast';

/** A definition as a railroad diagram: what to draw, not how. */
export interface RailroadRule {
  readonly kind: 'rule' | 'terminal' | 'template' | 'ignore';
  /** Name of the rule, terminal or template; `%ignore` for what is ignored. */
  readonly name: string;
  /** The head as written but for white space: directive, modifiers, parameters, priority and attributes included. */
  readonly head: string;
  /** The name in the text; the directive of `%ignore`. */
  readonly nameSpan: Span;
  readonly span: Span;
  readonly diagram: RailroadNode;
  /** The definition as text, white space collapsed, for those who do not see the picture. */
  readonly source: string;
}

export type RailroadNode =
  | RailroadSkip
  | RailroadLiteral
  | RailroadName
  | RailroadSequence
  | RailroadChoice
  | RailroadOptional
  | RailroadRepeat
  | RailroadGroup
  | RailroadMore;

/** Nothing: straight through. */
export interface RailroadSkip {
  readonly kind: 'skip';
}

/** What stands for text itself, as written. */
export interface RailroadLiteral {
  readonly kind: 'literal';
  readonly type: 'string' | 'regexp' | 'range' | 'special' | 'value';
  readonly text: string;
  readonly span: Span;
}

/** The name of a rule, a terminal, a template with its arguments, or another grammar. */
export interface RailroadName {
  readonly kind: 'name';
  readonly type: 'rule' | 'terminal' | 'template' | 'parameter' | 'grammar';
  readonly name: string;
  /** The name with arguments or parameter, as written but for white space. */
  readonly text: string;
  readonly span: Span;
  /** Where the name is defined, imported or declared in the same text. */
  readonly definition: Span | undefined;
}

export interface RailroadSequence {
  readonly kind: 'sequence';
  readonly items: readonly RailroadNode[];
}

export interface RailroadChoice {
  readonly kind: 'choice';
  readonly items: readonly RailroadNode[];
}

export interface RailroadOptional {
  readonly kind: 'optional';
  readonly item: RailroadNode;
  /** Written with square brackets, which leave a place in reference Lark's tree. */
  readonly placeholder: boolean;
}

/** Once or more. What may come not at all is an optional repeat. */
export interface RailroadRepeat {
  readonly kind: 'repeat';
  readonly item: RailroadNode;
  /** Between two rounds: `x ("," x)*` and `(x ",")* x` repeat `x` with a comma. */
  readonly separator: RailroadNode | undefined;
  readonly least: number;
  readonly most: number | undefined;
}

export interface RailroadGroup {
  readonly kind: 'group';
  /** `alias`: the node's name in the tree. `not` and `and`: llguidance's operators. `if`: its conditions. */
  readonly type: 'alias' | 'not' | 'and' | 'if';
  readonly label: string;
  readonly span: Span;
  readonly item: RailroadNode;
}

/** What is left out of a diagram that would be too large to read. */
export interface RailroadMore {
  readonly kind: 'more';
  /** How many alternatives or items; `undefined` for what is too deep. */
  readonly count: number | undefined;
  readonly span: Span;
}

/** Expressions inside one another beyond this are left out. */
const MOST_DEPTH = 40;
/** Alternatives and items in a row beyond this are left out. */
const MOST_ITEMS = 250;

/**
 * The diagrams of all definitions and of `%ignore`, in text order. Half-typed definitions give what is there.
 * Brackets that only group are gone, alternatives inside alternatives are alternatives, and lists with separators are
 * repeats. Work is linear in the length of the text, and the depth of a diagram is bounded.
 */
export function railroadOf(document: GrammarDocument): RailroadRule[] {
  const places = new Map<string, Span>();
  for (const item of document.items) addNames(item, places);
  const rules: RailroadRule[] = [];
  for (const item of document.items) {
    if (item.kind === 'definition') rules.push(definitionOf(document, item, places));
    else if (item.kind === 'ignore') {
      const builder = new Builder(document.text, places, new Map());
      rules.push({
        kind: 'ignore',
        name: '%ignore',
        head: '%ignore',
        nameSpan: item.directiveSpan,
        span: item.span,
        diagram: builder.alternatives(item.body, 0),
        source: collapse(document.text, item.span),
      });
    }
  }
  return rules;
}

function addNames(item: GrammarItem, places: Map<string, Span>): void {
  const add = (name: Name): void => {
    if (!places.has(name.text)) places.set(name.text, name.span);
  };
  if (item.kind === 'definition') {
    // What `%extend` adds to is defined elsewhere, if it is.
    if (item.directive === undefined || !places.has(item.name.text)) add(item.name);
  } else if (item.kind === 'declare') item.names.forEach(add);
  else if (item.kind === 'import') {
    const single = item.alias ?? item.path.at(-1);
    if (item.names !== undefined) item.names.forEach(add);
    else if (single !== undefined) add(single);
  }
}

function definitionOf(document: GrammarDocument, item: Definition, places: ReadonlyMap<string, Span>): RailroadRule {
  const parameters = new Map<string, Span>();
  for (const { text, span } of item.parameters ?? []) parameters.set(text, span);
  const { text } = document;
  const end = Math.max(
    item.name.span.end,
    item.parametersSpan?.end ?? 0,
    item.priority?.span.end ?? 0,
    item.attributesSpan?.end ?? 0,
    item.parametric?.end ?? 0,
  );
  const { terminal, text: name, span } = item.name;
  return {
    kind: item.parameters !== undefined ? 'template' : terminal ? 'terminal' : 'rule',
    name,
    head: collapse(text, { start: item.span.start, end }),
    nameSpan: span,
    span: item.span,
    diagram: new Builder(text, places, parameters).alternatives(item.body, 0),
    source: collapse(text, item.span),
  };
}

/** Text on one line. */
function collapse(text: string, { start, end }: Span): string {
  return text.slice(start, end).replace(/\s+/g, ' ').trim();
}

class Builder {
  constructor(
    readonly text: string,
    readonly places: ReadonlyMap<string, Span>,
    readonly parameters: ReadonlyMap<string, Span>,
  ) {}

  alternatives({ items, span }: Alternatives, depth: number): RailroadNode {
    if (depth > MOST_DEPTH) return { kind: 'more', count: undefined, span };
    const choices: RailroadNode[] = [];
    for (const each of items.slice(0, MOST_ITEMS)) {
      const node = this.#alternative(each, depth);
      if (node.kind === 'choice') choices.push(...node.items);
      else choices.push(node);
    }
    const rest = items.length - MOST_ITEMS;
    if (rest > 0)
      choices.push({ kind: 'more', count: rest, span: { start: items[MOST_ITEMS]!.span.start, end: span.end } });
    return choices.length === 1 ? choices[0]! : choices.length === 0 ? { kind: 'skip' } : choice(choices);
  }

  #alternative({ items, alias, condition, span }: Alternative, depth: number): RailroadNode {
    let node = this.#sequence(items, span, depth);
    if (condition !== undefined) {
      node = { kind: 'group', type: 'if', label: collapse(this.text, condition), span: condition, item: node };
    }
    if (alias !== undefined) node = { kind: 'group', type: 'alias', label: alias.text, span: alias.span, item: node };
    return node;
  }

  #sequence(items: readonly Expression[], span: Span, depth: number): RailroadNode {
    const nodes: RailroadNode[] = [];
    const shown = items.slice(0, MOST_ITEMS);
    const lists = this.#lists(shown, depth);
    for (let i = 0; i < shown.length; i++) {
      const list = lists.get(i);
      if (list !== undefined) {
        nodes.push(list.node);
        i = list.last;
        continue;
      }
      const node = this.#expression(shown[i]!, depth);
      if (node.kind === 'sequence') nodes.push(...node.items);
      else if (node.kind !== 'skip') nodes.push(node);
    }
    const rest = items.length - MOST_ITEMS;
    if (rest > 0)
      nodes.push({ kind: 'more', count: rest, span: { start: items[MOST_ITEMS]!.span.start, end: span.end } });
    return nodes.length === 1 ? nodes[0]! : nodes.length === 0 ? { kind: 'skip' } : { kind: 'sequence', items: nodes };
  }

  /** Lists with separators among the items of a sequence, by where they start. */
  #lists(items: readonly Expression[], depth: number): Map<number, { last: number; node: RailroadNode }> {
    const lists = new Map<number, { last: number; node: RailroadNode }>();
    let from = 0;
    for (let i = 0; i < items.length; i++) {
      const round = roundOf(items[i]!);
      if (round === undefined) continue;
      const found = this.#listBefore(items, from, i, round) ?? this.#listBehind(items, i, round);
      if (found === undefined) continue;
      const { first, last, element, separator } = found;
      const node: RailroadRepeat = {
        kind: 'repeat',
        item: this.#sequence(element, spanOf(element), depth + 1),
        separator: this.#sequence(separator, spanOf(separator), depth + 1),
        least: 1,
        most: undefined,
      };
      lists.set(first, { last, node });
      from = last + 1;
      i = last;
    }
    return lists;
  }

  /** `x (s x)*`: the longest end of the round that also stands in front of it. */
  #listBefore(items: readonly Expression[], from: number, at: number, round: readonly Expression[]): List | undefined {
    let length = 0;
    while (length < at - from && length < round.length - 1) {
      if (!this.#same(items[at - 1 - length]!, round[round.length - 1 - length]!)) break;
      length++;
    }
    if (length === 0) return undefined;
    const element = round.slice(round.length - length);
    return { first: at - length, last: at, element, separator: round.slice(0, round.length - length) };
  }

  /** `(x s)* x`: the longest start of the round that also stands behind it. */
  #listBehind(items: readonly Expression[], at: number, round: readonly Expression[]): List | undefined {
    let length = 0;
    while (at + 1 + length < items.length && length < round.length - 1) {
      if (!this.#same(items[at + 1 + length]!, round[length]!)) break;
      length++;
    }
    if (length === 0) return undefined;
    return { first: at, last: at + length, element: round.slice(0, length), separator: round.slice(length) };
  }

  #same(a: Expression, b: Expression): boolean {
    return collapse(this.text, a.span) === collapse(this.text, b.span);
  }

  #expression(expression: Expression, depth: number): RailroadNode {
    const { kind, span } = expression;
    if (depth > MOST_DEPTH) return { kind: 'more', count: undefined, span };
    const text = collapse(this.text, span);
    switch (kind) {
      case 'reference':
        return this.#name(expression.name, span, text);
      case 'template': {
        const definition = this.places.get(expression.name.text);
        return { kind: 'name', type: 'template', name: expression.name.text, text, span, definition };
      }
      case 'string':
      case 'regexp':
        return { kind: 'literal', type: kind, text: expression.raw, span };
      case 'range':
        return { kind: 'literal', type: 'range', text: `${expression.from.raw}..${expression.to.raw}`, span };
      case 'group':
        return this.alternatives(expression.body, depth + 1);
      case 'optional':
        return optional(this.alternatives(expression.body, depth + 1), true);
      case 'repeat':
        return repeat(this.#expression(expression.item, depth + 1), expression);
      case 'negation': {
        const item = this.#expression(expression.item, depth + 1);
        return { kind: 'group', type: 'not', label: 'not', span, item };
      }
      case 'intersection': {
        const items = expression.operands.map((each) => this.#sequence(each.items, each.span, depth + 1));
        return { kind: 'group', type: 'and', label: 'and', span, item: choice(items) };
      }
      case 'json':
      case 'structuredRegex':
      case 'nested':
        return { kind: 'literal', type: 'value', text, span };
      case 'special':
        return { kind: 'literal', type: 'special', text, span };
      case 'grammarName':
        return { kind: 'name', type: 'grammar', name: text, text, span, definition: undefined };
    }
  }

  #name(name: Name, span: Span, text: string): RailroadName {
    const parameter = this.parameters.get(name.text);
    const type = parameter !== undefined ? 'parameter' : name.terminal ? 'terminal' : 'rule';
    return { kind: 'name', type, name: name.text, text, span, definition: parameter ?? this.places.get(name.text) };
  }
}

interface List {
  readonly first: number;
  readonly last: number;
  readonly element: readonly Expression[];
  readonly separator: readonly Expression[];
}

/** The items of one round of `( … )*` that has more than one; `undefined` for anything else. */
function roundOf(expression: Expression): readonly Expression[] | undefined {
  if (expression.kind !== 'repeat' || expression.operator !== '*' || expression.item.kind !== 'group') return undefined;
  const { items } = expression.item.body;
  const [only] = items;
  if (only === undefined || items.length > 1 || only.alias !== undefined || only.items.length < 2) return undefined;
  return only.condition === undefined ? only.items : undefined;
}

function spanOf(items: readonly Expression[]): Span {
  return { start: items[0]!.span.start, end: items.at(-1)!.span.end };
}

/** Alternatives, of which several that are empty count as one. */
function choice(items: readonly RailroadNode[]): RailroadNode {
  const first = items.findIndex(({ kind }) => kind === 'skip');
  const kept = items.filter(({ kind }, i) => kind !== 'skip' || i === first);
  if (kept.length === 1) return kept[0]!;
  return { kind: 'choice', items: kept };
}

function optional(item: RailroadNode, placeholder: boolean): RailroadNode {
  if (item.kind === 'skip') return item;
  if (item.kind === 'optional') return { ...item, placeholder: item.placeholder || placeholder };
  return { kind: 'optional', item, placeholder };
}

function repeat(item: RailroadNode, { operator, least, most, range }: Expression & { kind: 'repeat' }): RailroadNode {
  if (item.kind === 'skip') return item;
  if (operator === '?') return optional(item, false);
  const greatest = operator === '~' && !range ? least : most;
  if (greatest !== undefined && greatest < 1) return { kind: 'skip' };
  if (greatest === 1 && least <= 1) return least === 1 ? item : optional(item, false);
  // Where nothing of the item is enough, a repeat of it is one too.
  if (least <= 0 && item.kind === 'optional') {
    const rounds: RailroadNode = { kind: 'repeat', item: item.item, separator: undefined, least: 1, most: greatest };
    return { ...item, item: rounds };
  }
  const rounds: RailroadNode = {
    kind: 'repeat',
    item,
    separator: undefined,
    least: Math.max(1, least),
    most: greatest,
  };
  return least <= 0 ? optional(rounds, false) : rounds;
}
