/**
 * Types as a Rust program declares them for serde, as far as handlers of Codex need them. What a decoder does with
 * them, and in which words it refuses a text, is that of serde 1 and serde_json 1 with `arbitrary_precision`, which
 * Codex 0.171.0 is built with.
 */
export type SerdeType =
  | { readonly kind: 'string' }
  | { readonly kind: 'sequence'; readonly item: SerdeType }
  /** Absent and `null` are the same. */
  | { readonly kind: 'option'; readonly inner: SerdeType }
  | SerdeStruct
  /** An enum of unit variants. */
  | { readonly kind: 'enum'; readonly variants: readonly string[] };

export interface SerdeStruct {
  readonly kind: 'struct';
  readonly name: string;
  /** In the order of their declaration, which is that of the positional form. */
  readonly fields: readonly SerdeField[];
}

/** A field. Fields that are an option may be left out; in the positional form only those with a default. */
export interface SerdeField {
  readonly name: string;
  readonly type: SerdeType;
  /** `#[serde(default)]`: what is left out is `None`. */
  readonly defaulted?: boolean;
}

/** A decoded value. Structs become lists of their fields, in the order of their declaration. */
export type SerdeValue =
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'sequence'; readonly items: readonly SerdeValue[] }
  | { readonly kind: 'struct'; readonly members: readonly (readonly [name: string, value: SerdeValue])[] };

/** `` `a` or `b` `` for two, `` one of `a`, `b`, `c` `` for more: how serde lists what it expected. */
export function oneOf(names: readonly string[]): string {
  if (names.length === 1) return `\`${names[0]}\``;
  if (names.length === 2) return `\`${names[0]}\` or \`${names[1]}\``;
  return `one of ${names.map((name) => `\`${name}\``).join(', ')}`;
}

/** What a type calls itself after "expected". */
export function expecting(type: SerdeType): string {
  switch (type.kind) {
    case 'string':
      return 'a string';
    case 'sequence':
      return 'a sequence';
    case 'option':
      return expecting(type.inner);
    case 'struct':
      return `struct ${type.name}`;
    default:
      return 'variant identifier';
  }
}

/** `struct Name with 2 elements`: what the positional form of a struct expects. */
export function withElements({ name, fields }: SerdeStruct): string {
  return `struct ${name} with ${fields.length} element${fields.length === 1 ? '' : 's'}`;
}

/** The compact JSON text of a decoded value. */
export function serdeText(value: SerdeValue): string {
  switch (value.kind) {
    case 'string':
      return JSON.stringify(value.text);
    case 'none':
      return 'null';
    case 'sequence':
      return `[${value.items.map(serdeText).join(',')}]`;
    default:
      return `{${value.members.map(([name, inner]) => `${JSON.stringify(name)}:${serdeText(inner)}`).join(',')}}`;
  }
}
