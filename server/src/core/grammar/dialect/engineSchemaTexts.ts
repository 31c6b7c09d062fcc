import type { Span } from '../../text/span';
import type { SchemaPatterns } from './enginePatterns';
import { Refused } from './engineRefused';
import { checkExpression, type SchemaOptions } from './engineSchemaOptions';
import {
  ANY,
  type ArrayShape,
  literalOf,
  type NumberShape,
  type ObjectShape,
  propertyShape,
  type Shape,
  type StringShape,
} from './engineShape';

/** Nothing fits a shape, which is no harm where something else may stand. */
export class Unsatisfiable extends Error {
  /** The innermost schema that is to blame. */
  place: Span | undefined;
}

/** Whole numbers beyond this do not fit the engine's. */
const LARGEST = 2 ** 63;

/** Where nothing bounds the other side, the engine counts up to the next power of ten. */
const OPEN = 1e18;

/** Whether llguidance 1.9.1 can write rules for what it made of a schema. */
export class SchemaTexts {
  readonly #wanted = new Set<string>();

  constructor(
    readonly options: SchemaOptions,
    readonly patterns: SchemaPatterns,
    readonly definitions: ReadonlyMap<string, Shape>,
  ) {}

  /** Throws `Refused` or `Unsatisfiable` where it cannot. */
  check(root: Shape): void {
    this.#shape(root);
    // A set takes in what is added while it is walked.
    for (const to of this.#wanted) this.#shape(this.definitions.get(to) ?? ANY);
  }

  #shape(shape: Shape): void {
    try {
      this.#judge(shape);
    } catch (error) {
      if (error instanceof Refused || error instanceof Unsatisfiable) error.place ??= shape.at;
      throw error;
    }
  }

  #judge(shape: Shape): void {
    switch (shape.kind) {
      case 'never':
        throw new Unsatisfiable(shape.why);
      case 'any':
        this.#quote();
        this.#separators();
        break;
      case 'number':
        checkNumber(shape);
        break;
      case 'string':
        this.#string(shape);
        this.#quote();
        break;
      case 'array':
        this.#array(shape);
        break;
      case 'object':
        this.#object(shape);
        break;
      case 'reference':
        this.#wanted.add(shape.to);
        break;
      case 'oneOf':
        if (!this.options.coerce)
          throw new Refused(
            "oneOf constraints are not supported. Enable 'coerce_one_of' option to approximate oneOf with anyOf",
          );
        this.#anyOf(shape.items);
        break;
      case 'anyOf':
        this.#anyOf(shape.items);
        break;
      default:
    }
  }

  /** Whether something fits; other refusals go through. */
  #fits(shape: Shape): boolean {
    try {
      this.#shape(shape);
      return true;
    } catch (error) {
      if (error instanceof Unsatisfiable) return false;
      throw error;
    }
  }

  #anyOf(items: readonly Shape[]): void {
    let some = false;
    for (const item of items) if (this.#fits(item)) some = true;
    if (!some) throw new Unsatisfiable('All options in anyOf are unsatisfiable');
  }

  /** Strings are written with the escapes that are allowed. */
  #quote(): void {
    const wrong = [...(this.options.escapes ?? '')].find((c) => !'nrbtf\\"u'.includes(c));
    if (wrong !== undefined) throw new Refused(`invalid escape character in json_allowed_escapes: ${wrong}`);
  }

  #separators(): void {
    checkExpression('key_separator', this.options.keySeparator);
    checkExpression('item_separator', this.options.itemSeparator);
  }

  #string(shape: StringShape): void {
    const { least, most, rules } = shape;
    if (most !== undefined && least > most)
      throw new Unsatisfiable(`minLength (${least}) is greater than maxLength (${most})`);
    const literal = literalOf(shape);
    if (literal !== undefined) {
      const length = [...literal].length;
      if (length < least || length > (most ?? length))
        throw new Unsatisfiable(`Constant ${JSON.stringify(literal)} doesn't match length constraints`);
      return;
    }
    if (rules.length === 0) return;
    if (this.patterns.isEmpty(rules, least, most)) throw new Unsatisfiable('Regex is empty');
  }

  #array({ least, most, prefix, rest }: ArrayShape): void {
    if (most !== undefined && least > most)
      throw new Unsatisfiable(`minItems (${least}) is greater than maxItems (${most})`);
    if (!this.#fits(rest ?? ANY) && prefix.length < least) throw new Unsatisfiable('required item is unsatisfiable');
    for (const [i, item] of prefix.slice(0, most).entries()) {
      if (this.#fits(item)) continue;
      if (i >= least) break;
      throw new Unsatisfiable(`prefixItems[${i}] is unsatisfiable but minItems is ${least}`);
    }
    checkExpression('item_separator', this.options.itemSeparator);
  }

  #object(object: ObjectShape): void {
    checkExpression('key_separator', this.options.keySeparator);
    const { properties, patterns, rest, required } = object;
    let mandatory = 0;
    let optional = 0;
    for (const name of new Set([...properties.keys(), ...required])) {
      const fits = this.#fits(propertyShape(object, name, this.patterns));
      if (required.has(name)) {
        if (!fits) throw new Unsatisfiable(`required property '${name}' is unsatisfiable`);
        mandatory++;
      } else if (fits) optional++;
    }
    const least = Math.max(0, object.least - mandatory);
    const most = object.most === undefined ? undefined : Math.max(0, object.most - mandatory);
    if (optional > 0 && (least > 0 || most !== undefined)) {
      const single = least <= 1 && (most ?? 1) === 1 && patterns.size === 0 && rest?.kind === 'never';
      if (single) {
        checkExpression('item_separator', this.options.itemSeparator);
        return;
      }
      if (!this.options.lenient)
        throw new Refused('min/maxProperties only supported when all keys listed in "properties" are required');
    }
    let others = false;
    for (const shape of patterns.values()) {
      this.#quote();
      if (this.#fits(shape)) others = true;
    }
    if (this.#fits(rest ?? ANY)) {
      this.#quote();
      others = true;
    }
    if (others && most !== 0) checkExpression('item_separator', this.options.itemSeparator);
    else if (least > 0)
      throw new Unsatisfiable(`minProperties (${least}) is greater than number of properties (${mandatory})`);
    if (mandatory + optional > 0) checkExpression('item_separator', this.options.itemSeparator);
  }
}

/** Throws where no number lies within the bounds, or where they are too large for the engine. */
function checkNumber(number: NumberShape): void {
  const { integer, multiple } = number;
  const [least, open] = inner(number.least, number.above, (a, b) => a >= b);
  const [most, ended] = inner(number.most, number.below, (a, b) => a <= b);
  if (least !== undefined && most !== undefined) {
    if (least > most) throw new Unsatisfiable(`minimum (${least}) is greater than maximum (${most})`);
    if (least === most && (open || ended)) throw new Unsatisfiable(`minimum (${least}) is equal to maximum (${most})`);
    if (integer && wholeLeast(least, open) > wholeMost(most, ended))
      throw new Unsatisfiable(`there is no whole number from ${least} to ${most}`);
  }
  if (multiple?.coefficient === 0) {
    if (least !== undefined && (least > 0 || (open && least >= 0)))
      throw new Unsatisfiable(`minimum (${least}) is greater than 0, but multipleOf is 0`);
    if (most !== undefined && (most < 0 || (ended && most <= 0)))
      throw new Unsatisfiable(`maximum (${most}) is less than 0, but multipleOf is 0`);
  } else if (multiple !== undefined && least !== undefined && most !== undefined) {
    const step = multiple.coefficient / 10 ** multiple.places;
    let first = Math.ceil(least / step) * step;
    if (open && first === least) first += step;
    let last = Math.floor(most / step) * step;
    if (ended && last === most) last -= step;
    if (integer) [first, last] = [Math.ceil(first), Math.floor(last)];
    if (first > last) throw new Unsatisfiable(`there is no multiple of ${step} from ${least} to ${most}`);
  }
  const large = integer
    ? wholeTooLarge(
        least === undefined ? undefined : wholeLeast(least, open),
        most === undefined ? undefined : wholeMost(most, ended),
      )
    : tooLarge(least, most);
  if (large) throw new Refused('a bound of a number is too large');
  if (multiple?.coefficient === 0) throw new Refused('multipleOf is 0');
}

function inner(
  bound: number | undefined,
  exclusive: number | undefined,
  wins: (exclusive: number, bound: number) => boolean,
): [number | undefined, boolean] {
  if (exclusive === undefined) return [bound, false];
  return bound === undefined || wins(exclusive, bound) ? [exclusive, true] : [bound, false];
}

function wholeLeast(least: number, open: boolean): number {
  return open && least % 1 === 0 ? least + 1 : Math.ceil(least);
}

function wholeMost(most: number, ended: boolean): number {
  return ended && most % 1 === 0 ? most - 1 : Math.floor(most);
}

/** Whether the engine cannot write an expression for whole numbers within bounds: its own have 64 bits. */
function wholeTooLarge(least: number | undefined, most: number | undefined): boolean {
  if (most === undefined) return least !== undefined && (least >= OPEN || least <= -LARGEST);
  if (least === undefined) return -most >= OPEN;
  return least <= -LARGEST;
}

/** The same for all numbers. */
function tooLarge(least: number | undefined, most: number | undefined): boolean {
  if (most === undefined) return least !== undefined && (least >= OPEN || -least >= LARGEST);
  if (least === undefined) return most >= LARGEST || -most >= OPEN;
  return least !== most && Math.max(-least, most) >= LARGEST;
}
