import type { CodexProfile, KeptKeyword } from '../profiles/codex';
import { emitJson, emitString } from '../text/emit';
import { JsonNode } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { integerWidth } from '../text/number';
import { rustDebug } from '../text/rustDebug';
import { compareUtf8, utf8Length } from '../text/utf8';
import { LoweredList, LoweredObject, type LoweredValue } from './lowered';

/** Why a lowered schema cannot be read: the client's own words, and the value that causes them. */
export interface DecodeFault {
  readonly message: string;
  readonly node: JsonNode;
}

/** The outcome of reading: the exact compact JSON text that goes out, or the first fault. */
export type Decoded = { readonly text: string } | { readonly fault: DecodeFault };

/** Options of `decodeSchema`. */
export interface DecodeOptions {
  readonly profile: CodexProfile;
  /**
   * Numbers came through the client's buffered request (dynamic tools), where `-0` has already become `0`.
   */
  readonly buffered: boolean;
  /** Filled with the bytes of each schema, by its source node. */
  readonly sizes?: Map<JsonNode, number> | undefined;
}

const TYPES = new Set(['string', 'number', 'boolean', 'integer', 'object', 'array', 'null']);
const U64_MAX = 18446744073709551615n;

/**
 * Reads a lowered schema into the keywords of the profile and writes it as Codex does (0.171.0, observed): fields in
 * a fixed order, maps sorted by UTF-8 bytes, unknown keys passed over, null as absent. Faults are met in the order
 * of the input's keys, as the client meets them.
 *
 * Recurses once per level: the caller bounds the nesting.
 */
export function decodeSchema(schema: LoweredValue, options: DecodeOptions): Decoded {
  const reader = new Reader(options);
  const text = reader.schema(schema);
  return reader.fault === undefined ? { text: text! } : { fault: reader.fault };
}

/** Reading functions give `undefined` after a fault, and `''` for an absent field. */
type Text = string | undefined;

class Reader {
  fault: DecodeFault | undefined;
  readonly #slots: ReadonlyMap<string, number>;
  readonly #width: number;
  /** Greater than 0 inside `additionalProperties`, whose value the client buffers before it reads it. */
  #buffers = 0;

  constructor(readonly options: DecodeOptions) {
    this.#slots = slotsOf(options.profile);
    this.#width = this.#slots.size;
  }

  schema(written: LoweredValue): Text {
    const value = opened(written);
    let text: Text;
    if (value instanceof LoweredObject) text = this.#object(value);
    else if (value instanceof LoweredList) text = this.#positional(value);
    else return this.#wrongType(value, 'struct JsonSchema');
    if (text !== undefined) this.options.sizes?.set(value.source, utf8Length(text));
    return text;
  }

  #object(value: LoweredObject): Text {
    const fields: string[] = new Array(this.#width).fill('');
    for (let i = 0; i < value.keys.length; i++) {
      const key = value.keys[i]!;
      const slot = this.#slots.get(key);
      if (slot === undefined) continue;
      const text = this.#field(key as KeptKeyword, value.values[i]!);
      if (text === undefined) return undefined;
      fields[slot] = text;
    }
    return this.#assemble(fields);
  }

  /** A list in a schema's place is read field by field, in the order of the fields. */
  #positional(value: LoweredList): Text {
    const names = this.options.profile.keptKeywords;
    const fields: string[] = new Array(this.#width).fill('');
    for (let i = 0; i < this.#width; i++) {
      const item = value.items[i];
      if (item === undefined) {
        return this.#fail(
          `invalid length ${value.items.length}, expected struct JsonSchema with ${this.#width} elements`,
          value.source,
        );
      }
      const text = this.#field(names[i]!, item);
      if (text === undefined) {
        // An element is at fault because a list stands here at all.
        this.fault = { message: this.fault!.message, node: value.source };
        return undefined;
      }
      fields[i] = text;
    }
    if (value.items.length > this.#width) {
      return this.#fail(`invalid length ${value.items.length}, expected fewer elements in array`, value.source);
    }
    return this.#assemble(fields);
  }

  #assemble(fields: readonly string[]): string {
    const names = this.options.profile.keptKeywords;
    let text = '';
    for (let i = 0; i < fields.length; i++) {
      if (fields[i] !== '') text += `${text === '' ? '{' : ','}"${names[i]}":${fields[i]}`;
    }
    return text === '' ? '{}' : `${text}}`;
  }

  #field(key: KeptKeyword, value: LoweredValue): Text {
    if (value instanceof JsonNode && value.kind === 'null') return '';
    switch (key) {
      case '$ref':
      case 'description':
        return this.#string(value);
      case 'type':
        return this.#type(value);
      case 'encrypted':
        if (value instanceof JsonNode && value.kind === 'boolean') return value.text;
        return this.#wrongType(value, 'a boolean');
      case 'enum':
        return this.#enum(value);
      case 'required':
        return this.#list(value, (item) => this.#string(item));
      case 'anyOf':
      case 'oneOf':
      case 'allOf':
        return this.#list(value, (item) => this.schema(item));
      case 'items':
        return this.schema(value);
      case 'minItems':
        return this.#size(value);
      case 'additionalProperties':
        return this.#additionalProperties(value);
      case 'properties':
      case '$defs':
      case 'definitions':
        return this.#map(value);
    }
  }

  #string(value: LoweredValue): Text {
    if (value instanceof JsonNode && value.kind === 'string') return emitString(value.text);
    return this.#wrongType(value, 'a string');
  }

  #type(value: LoweredValue): Text {
    const wide = this.#wide(value);
    if (wide !== undefined) return this.#fail(wide.message, wide.node);
    const word = typeWord(value);
    if (word !== undefined) return `"${word}"`;
    const items = value instanceof LoweredList || value.kind === 'array' ? value.items : undefined;
    const words = items?.map(typeWord);
    if (words?.every((each) => each !== undefined)) return `[${words.map((each) => `"${each}"`).join(',')}]`;
    return this.#fail('data did not match any variant of untagged enum JsonSchemaType', sourceOf(value));
  }

  #enum(value: LoweredValue): Text {
    const items = value instanceof LoweredList || value.kind === 'array' ? value.items : undefined;
    if (items === undefined) return this.#wrongType(value, 'a sequence');
    return `[${items.map((item) => this.#data(item)).join(',')}]`;
  }

  /** Data as written; an element of a list that stands in a schema's place may have been lowered, though. */
  #data(value: LoweredValue): string {
    if (value instanceof JsonNode) return emitJson(value, this.options.profile);
    if (value instanceof LoweredList) return `[${value.items.map((item) => this.#data(item)).join(',')}]`;
    return `{${value.keys.map((key, i) => `${emitString(key)}:${this.#data(value.values[i]!)}`).join(',')}}`;
  }

  #list(value: LoweredValue, read: (item: LoweredValue) => Text): Text {
    const items = value instanceof LoweredList || value.kind === 'array' ? value.items : undefined;
    if (items === undefined) return this.#wrongType(value, 'a sequence');
    let text = '[';
    for (let i = 0; i < items.length; i++) {
      const item = read(items[i]!);
      if (item === undefined) return undefined;
      text += i > 0 ? `,${item}` : item;
    }
    return `${text}]`;
  }

  #map(written: LoweredValue): Text {
    const value = opened(written);
    if (!(value instanceof LoweredObject)) return this.#wrongType(value, 'a map');
    const members: { key: string; text: string }[] = [];
    for (let i = 0; i < value.keys.length; i++) {
      const text = this.schema(value.values[i]!);
      if (text === undefined) return undefined;
      members.push({ key: value.keys[i]!, text });
    }
    members.sort((a, b) => compareUtf8(a.key, b.key));
    let text = '{';
    for (const member of members) text += `${text === '{' ? '' : ','}${emitString(member.key)}:${member.text}`;
    return `${text}}`;
  }

  #size(value: LoweredValue): Text {
    if (!(value instanceof JsonNode) || value.kind !== 'number') return this.#wrongType(value, 'usize');
    if (value.text === '-0' && (this.options.buffered || this.#buffers > 0)) return '0';
    if (/^\d+$/.test(value.text) && (value.text.length < 19 || BigInt(value.text) <= U64_MAX)) return value.text;
    return this.#fail('invalid number', value);
  }

  #additionalProperties(value: LoweredValue): Text {
    if (value instanceof JsonNode && value.kind === 'boolean') return value.text;
    const wide = this.#wide(value);
    if (wide !== undefined) return this.#fail(wide.message, wide.node);
    this.#buffers++;
    const text = this.schema(value);
    this.#buffers--;
    if (text !== undefined) return text;
    this.fault = {
      message: 'data did not match any variant of untagged enum AdditionalProperties',
      node: this.fault!.node,
    };
    return undefined;
  }

  /** The client buffers a value before it tries the variants of an untagged enum; only the outermost is raw. */
  #wide(value: LoweredValue): DecodeFault | undefined {
    return this.#buffers === 0 && sourceOf(value).hasLongNumber ? wideInteger(value) : undefined;
  }

  #wrongType(value: LoweredValue, expected: string): undefined {
    return this.#fail(`invalid type: ${described(value)}, expected ${expected}`, sourceOf(value));
  }

  #fail(message: string, node: JsonNode): undefined {
    this.fault = { message, node };
    return undefined;
  }
}

/**
 * A type: a word, or the word as the only key of an object, with null. That is how serde, with which the client reads
 * schemas, writes a variant that holds nothing among variants that hold something, and it takes either form.
 */
export function typeWord(value: LoweredValue | undefined): string | undefined {
  if (!(value instanceof JsonNode)) return undefined;
  if (value.kind === 'string') return TYPES.has(value.text) ? value.text : undefined;
  if (value.kind !== 'object') return undefined;
  const members = effectiveProperties(value);
  const only = members.length === 1 ? members[0]! : undefined;
  return only?.value?.kind === 'null' && TYPES.has(only.key) ? only.key : undefined;
}

const slotCache = new WeakMap<readonly KeptKeyword[], ReadonlyMap<string, number>>();

function slotsOf(profile: CodexProfile): ReadonlyMap<string, number> {
  let slots = slotCache.get(profile.keptKeywords);
  if (slots === undefined) {
    slots = new Map(profile.keptKeywords.map((keyword, index) => [keyword, index]));
    slotCache.set(profile.keptKeywords, slots);
  }
  return slots;
}

/**
 * A container of the source as the reader takes it. Such a one stands in a schema's place only below a list that is
 * read field by field: lowering took its elements for schemas and left what their unknown keywords hold alone.
 */
function opened(value: LoweredValue): LoweredValue {
  if (!(value instanceof JsonNode)) return value;
  if (value.kind === 'array') return new LoweredList(value, value.items);
  if (value.kind !== 'object') return value;
  const members = effectiveProperties(value);
  return new LoweredObject(
    value,
    members.map((member) => member.key),
    members.map((member) => member.value!),
  );
}

function sourceOf(value: LoweredValue): JsonNode {
  return value instanceof JsonNode ? value : value.source;
}

/** A value in the words of the client's messages. */
function described(value: LoweredValue): string {
  if (value.kind === 'object') return 'map';
  if (value.kind === 'array') return 'sequence';
  if (value.kind === 'string') return `string ${rustDebug(value.text)}`;
  return value.kind === 'boolean' ? `boolean \`${value.text}\`` : value.kind;
}

/**
 * The first integer that the client cannot buffer: one beyond 64 bits that 128 bits hold (0.171.0, observed).
 * Wider ones are floating-point numbers to it and pass.
 */
export function wideInteger(value: LoweredValue): DecodeFault | undefined {
  const stack: LoweredValue[] = [value];
  for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
    if (current instanceof LoweredObject) pushReversed(stack, current.values);
    else if (current instanceof LoweredList) pushReversed(stack, current.items);
    else if (current.kind === 'number') {
      if (current.text.length < 19 || integerWidth(current.text) !== '128') continue;
      const width = current.text.startsWith('-') ? 'i128' : 'u128';
      return {
        message: `invalid type: integer \`${current.text}\` as ${width}, expected any value`,
        node: current,
      };
    } else if (current.hasLongNumber) {
      pushReversed(stack, current.items);
      for (let i = current.properties.length - 1; i >= 0; i--) {
        const child = current.properties[i]!.value;
        if (child !== undefined) stack.push(child);
      }
    }
  }
  return undefined;
}

function pushReversed(stack: LoweredValue[], values: readonly LoweredValue[]): void {
  for (let i = values.length - 1; i >= 0; i--) stack.push(values[i]!);
}
