import type { Span } from '../../text/span';
import type { SchemaPatterns } from './enginePatterns';
import { Refused, type TextRule } from './engineRefused';

/** Bounds of numbers; `multiple` is a coefficient and a count of decimal places. */
export interface NumberShape {
  readonly kind: 'number';
  readonly least: number | undefined;
  readonly most: number | undefined;
  readonly above: number | undefined;
  readonly below: number | undefined;
  readonly integer: boolean;
  readonly multiple: { readonly coefficient: number; readonly places: number } | undefined;
}

export interface ObjectShape {
  readonly kind: 'object';
  readonly properties: ReadonlyMap<string, Shape>;
  readonly patterns: ReadonlyMap<string, Shape>;
  readonly rest: Shape | undefined;
  readonly required: ReadonlySet<string>;
  readonly least: number;
  readonly most: number | undefined;
}

export interface ArrayShape {
  readonly kind: 'array';
  readonly least: number;
  readonly most: number | undefined;
  readonly prefix: readonly Shape[];
  readonly rest: Shape | undefined;
}

export interface StringShape {
  readonly kind: 'string';
  readonly least: number;
  readonly most: number | undefined;
  readonly rules: readonly TextRule[];
}

/** What llguidance makes of a schema before it writes rules for it. */
export type Shape = (
  | { readonly kind: 'any' | 'null' }
  | { readonly kind: 'never'; readonly why: string }
  | { readonly kind: 'boolean'; readonly value: boolean | undefined }
  | { readonly kind: 'reference'; readonly to: string }
  | { readonly kind: 'anyOf' | 'oneOf'; readonly items: readonly Shape[] }
  | NumberShape
  | StringShape
  | ArrayShape
  | ObjectShape
) & {
  /** The schema that it comes from, where that is a single one. */
  readonly at?: Span;
};

/** Shapes inside one another that the engine merges. */
const MOST_DEPTH = 128;

export const ANY: Shape = { kind: 'any' };
export const FALSE: Shape = { kind: 'never', why: 'schema is false' };

/** What the merging of shapes asks of the schema that they come from. */
export interface ShapeContext {
  readonly patterns: SchemaPatterns;
  /** Counts what is made; throws above the limit. */
  count(): void;
  /** The shape behind a reference. */
  resolve(to: string): Shape;
}

/** The shape that holds for a property: its own, that of the pattern for its name, else that of all others. */
export function propertyShape(object: ObjectShape, name: string, patterns: SchemaPatterns): Shape {
  const own = object.properties.get(name);
  if (own !== undefined) return own;
  for (const [pattern, shape] of object.patterns) if (patterns.matches(pattern, name)) return shape;
  return object.rest ?? ANY;
}

/** An object whose counts contradict one another is none. */
export function objectShape(object: ObjectShape): Shape {
  const { least, most, required } = object;
  if (most !== undefined && least > most) return { kind: 'never', why: 'minProperties > maxProperties' };
  if (most !== undefined && required.size > most) return { kind: 'never', why: 'required > maxProperties' };
  return object;
}

/** What matches both. */
export function both(a: Shape, b: Shape, context: ShapeContext, depth = 0): Shape {
  context.count();
  if (depth > MOST_DEPTH) throw new Refused('Schema intersection stack level exceeded');
  const merge = (x: Shape, y: Shape): Shape => both(x, y, context, depth + 1);
  return normal(merged(a, b, context, merge), context);
}

function merged(a: Shape, b: Shape, context: ShapeContext, merge: (x: Shape, y: Shape) => Shape): Shape {
  if (a.kind === 'any') return b;
  if (b.kind === 'any') return a;
  if (a.kind === 'never') return a;
  if (b.kind === 'never') return b;
  if (a.kind === 'reference') return merge(context.resolve(a.to), b);
  if (b.kind === 'reference') return merge(a, context.resolve(b.to));
  for (const kind of ['oneOf', 'anyOf'] as const) {
    if (a.kind === kind) return { kind, items: a.items.map((item) => merge(item, b)) };
    if (b.kind === kind) return { kind, items: b.items.map((item) => merge(a, item)) };
  }
  if (a.kind === 'boolean' && b.kind === 'boolean') {
    if (a.value === b.value || b.value === undefined) return a;
    return a.value === undefined ? b : { kind: 'never', why: 'incompatible boolean values' };
  }
  if (a.kind === 'number' && b.kind === 'number') return bothNumbers(a, b);
  if (a.kind === 'string' && b.kind === 'string') {
    const { least, most } = narrower(a, b);
    return { kind: 'string', least, most, rules: [...a.rules, ...b.rules] };
  }
  if (a.kind === 'array' && b.kind === 'array') {
    const prefix: Shape[] = [];
    for (let i = 0; i < Math.max(a.prefix.length, b.prefix.length); i++)
      prefix.push(merge(a.prefix[i] ?? a.rest ?? ANY, b.prefix[i] ?? b.rest ?? ANY));
    return { kind: 'array', ...narrower(a, b), prefix, rest: bothOptional(a.rest, b.rest, merge) };
  }
  if (a.kind === 'object' && b.kind === 'object') return bothObjects(a, b, context, merge);
  return a.kind === b.kind ? a : { kind: 'never', why: 'incompatible types' };
}

function bothNumbers(a: NumberShape, b: NumberShape): Shape {
  return {
    kind: 'number',
    least: larger(a.least, b.least),
    most: smaller(a.most, b.most),
    above: larger(a.above, b.above),
    below: smaller(a.below, b.below),
    integer: a.integer || b.integer,
    multiple: a.multiple === undefined || b.multiple === undefined ? (a.multiple ?? b.multiple) : common(a, b),
  };
}

/** The least common multiple of two decimal numbers. */
function common(a: NumberShape, b: NumberShape): NumberShape['multiple'] {
  const [x, y] = [a.multiple!, b.multiple!];
  if (x.coefficient === 0 || y.coefficient === 0) return { coefficient: 0, places: 0 };
  const places = Math.max(x.places, y.places);
  const [p, q] = [x, y].map(({ coefficient, places: own }) => coefficient * 10 ** (places - own)) as [number, number];
  let [u, v] = [p, q];
  while (v !== 0) [u, v] = [v, u % v];
  return simplest((p / u) * q, places);
}

/** A decimal number without zeros at its end. */
export function simplest(coefficient: number, places: number): NonNullable<NumberShape['multiple']> {
  let [left, right] = [coefficient, places];
  if (left === 0) return { coefficient: 0, places: 0 };
  while (right > 0 && left % 10 === 0) {
    left /= 10;
    right--;
  }
  return { coefficient: left, places: right };
}

function bothObjects(
  a: ObjectShape,
  b: ObjectShape,
  context: ShapeContext,
  merge: (x: Shape, y: Shape) => Shape,
): Shape {
  const properties = new Map<string, Shape>();
  for (const [name, shape] of a.properties)
    properties.set(name, merge(shape, propertyShape(b, name, context.patterns)));
  const others = { ...a, properties: new Map<string, Shape>() };
  for (const [name, shape] of b.properties)
    if (!properties.has(name)) properties.set(name, merge(propertyShape(others, name, context.patterns), shape));
  const patterns = new Map<string, Shape>();
  for (const [pattern, shape] of a.patterns) {
    const other = b.patterns.get(pattern) ?? b.rest;
    patterns.set(pattern, other === undefined ? shape : merge(shape, other));
  }
  for (const [pattern, shape] of b.patterns) {
    if (!patterns.has(pattern)) patterns.set(pattern, a.rest === undefined ? shape : merge(shape, a.rest));
  }
  context.patterns.apart([...patterns.keys()]);
  const required = new Set([...a.required, ...b.required]);
  const rest = bothOptional(a.rest, b.rest, merge);
  return objectShape({ kind: 'object', properties, patterns, rest, required, ...narrower(a, b) });
}

function bothOptional(
  a: Shape | undefined,
  b: Shape | undefined,
  merge: (x: Shape, y: Shape) => Shape,
): Shape | undefined {
  return a === undefined || b === undefined ? (a ?? b) : merge(a, b);
}

interface Counts {
  readonly least: number;
  readonly most: number | undefined;
}

function narrower(a: Counts, b: Counts): Counts {
  return { least: Math.max(a.least, b.least), most: smaller(a.most, b.most) };
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** Without alternatives that nothing matches; alternatives that exclude each other are alternatives like others. */
export function normal(shape: Shape, context: ShapeContext): Shape {
  if (shape.kind !== 'anyOf' && shape.kind !== 'oneOf') return shape;
  const { kind } = shape;
  if (kind === 'anyOf' && shape.items.some((item) => item.kind === 'any')) return ANY;
  const items = shape.items
    .filter((item) => item.kind !== 'never')
    .flatMap((item) => (item.kind === kind ? item.items : [item]));
  if (items.length === 0) return shape.items[0] ?? { kind: 'never', why: `${kind} is empty` };
  if (items.length === 1) return items[0]!;
  if (kind === 'anyOf') return { kind, items };
  const apart = items.every((a, i) => items.slice(i + 1).every((b) => exclude(a, b, context.patterns)));
  return { kind: apart ? 'anyOf' : 'oneOf', items };
}

/** Whether two shapes exclude each other as far as the engine sees. */
function exclude(a: Shape, b: Shape, patterns: SchemaPatterns): boolean {
  if (a.kind === 'never' || b.kind === 'never') return true;
  if (a.kind === 'any' || b.kind === 'any' || a.kind === 'reference' || b.kind === 'reference') return false;
  if (a.kind === 'boolean' && b.kind === 'boolean')
    return a.value !== undefined && b.value !== undefined && a.value !== b.value;
  if (a.kind === 'anyOf' || a.kind === 'oneOf') return a.items.every((item) => exclude(item, b, patterns));
  if (b.kind === 'anyOf' || b.kind === 'oneOf') return b.items.every((item) => exclude(a, item, patterns));
  if (a.kind === 'string' && b.kind === 'string') {
    const [x, y] = [literalOf(a), literalOf(b)];
    return x !== undefined && y !== undefined && x !== y;
  }
  if (a.kind === 'object' && b.kind === 'object') {
    return [...new Set([...a.required, ...b.required])].some((name) =>
      exclude(propertyShape(a, name, patterns), propertyShape(b, name, patterns), patterns),
    );
  }
  return a.kind !== b.kind;
}

/** The one text of a constant. */
export function literalOf({ rules }: StringShape): string | undefined {
  const [rule] = rules;
  return rules.length === 1 && rule!.kind === 'literal' ? rule!.text : undefined;
}
