import type { Span } from '../../text/span';
import type { Alternative, Alternatives, Expression, Name } from '../ast';
import { type Child, type Origin, type Place, Sym, Tree } from './tree';

/** What a name is called where the definition goes; imported names get a prefix. */
export type Mangle = (name: string) => string;

/**
 * Turns what is written behind a colon into a tree. Occurrences of names that start with an underscore are filtered,
 * whatever an import calls them (Lark 1.3.1). Constructs that only llguidance has are left out.
 */
export function lowerBody(body: Alternatives, origin: Origin, mangle: Mangle): Tree {
  return new Lowering(origin, mangle).alternatives(body);
}

class Lowering {
  constructor(
    readonly origin: Origin,
    readonly mangle: Mangle,
  ) {}

  #place(span: Span): Place {
    return { span, origin: this.origin };
  }

  #symbol(name: Name): Sym {
    const filterOut = name.terminal && name.text.startsWith('_');
    return new Sym(this.mangle(name.text), name.terminal, filterOut, this.#place(name.span));
  }

  // Brackets nest no deeper than the parser allows, so that these methods may call each other.
  alternatives(body: Alternatives): Tree {
    const items = body.items.map((item) => this.#alternative(item));
    // A definition without its body still has one alternative.
    if (items.length === 0) items.push(new Tree('sequence', [], this.#place(body.span)));
    return new Tree('alternatives', items, this.#place(body.span));
  }

  #alternative(alternative: Alternative): Tree {
    const children: Child[] = [];
    for (const item of alternative.items) {
      const child = this.#expression(item);
      if (child !== undefined) children.push(child);
    }
    const place = this.#place(alternative.span);
    const sequence = new Tree('sequence', children, place);
    if (alternative.alias === undefined) return sequence;
    const tree = new Tree('alias', [sequence], place);
    tree.alias = this.#symbol(alternative.alias);
    return tree;
  }

  #value(child: Child, place: Place): Tree {
    return new Tree('value', [child], place);
  }

  #expression(expression: Expression): Tree | undefined {
    const place = this.#place(expression.span);
    switch (expression.kind) {
      case 'reference':
        return this.#value(this.#symbol(expression.name), place);
      case 'string':
      case 'regexp': {
        const literal = new Tree('literal', [], place);
        literal.raw = [expression.raw];
        return this.#value(literal, place);
      }
      case 'range': {
        const range = new Tree('range', [], place);
        range.raw = [expression.from.raw, expression.to.raw];
        return this.#value(range, place);
      }
      case 'template': {
        const args = expression.arguments.flatMap((argument) => this.#expression(argument) ?? []);
        return this.#value(new Tree('template', [this.#symbol(expression.name), ...args], place), place);
      }
      case 'group':
        return this.alternatives(expression.body);
      case 'optional':
        return new Tree('maybe', [this.alternatives(expression.body)], place);
      case 'repeat': {
        const item = this.#expression(expression.item);
        if (item === undefined) return undefined;
        const { operator, least, most, range } = expression;
        const tree = new Tree('repeat', [item], place);
        tree.repetition = { operator: operator === '{}' ? '~' : operator, least, most: most ?? least, range };
        return tree;
      }
      default:
        return undefined;
    }
  }
}
