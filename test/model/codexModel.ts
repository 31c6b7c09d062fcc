/**
 * A second model of how Codex 0.171.0 turns the input schema of a tool into `parameters`, written from the recorded
 * behaviour of that program and apart from the product: short, recursive, on `Map`s. Tests hold the product against it.
 * It reads strict JSON and is not meant for deep or hostile input.
 */

/** A JSON number by its spelling, since Codex keeps spellings. */
export class Num {
  constructor(readonly spelling: string) {}
}
export type Obj = Map<string, Val>;
export type Val = null | boolean | string | Num | Val[] | Obj;

export interface ModelOptions {
  readonly via?: 'dynamic' | 'mcp';
  readonly budgetBytes?: number;
}

export interface ModelResult {
  /** Why the tool is refused; then nothing is sent. */
  readonly error?: string;
  readonly text?: string;
  readonly bytes?: number;
  /** The numbers of the passes that ran, 1 to 4. */
  readonly passes: readonly number[];
  /** The root definitions nothing leads to, as pointers in the order of the source. */
  readonly unreachable: readonly string[];
}

class Refusal extends Error {}

const FIELDS =
  '$ref type description encrypted enum items minItems properties required additionalProperties anyOf oneOf allOf $defs definitions'.split(
    ' ',
  );
const TYPES = 'string number boolean integer object array null'.split(' ');
const COMBINERS = ['anyOf', 'oneOf', 'allOf'];
const TABLES = ['$defs', 'definitions'];

export function model(text: string, options: ModelOptions = {}): ModelResult {
  const passes: number[] = [];
  const unreachable: string[] = [];
  try {
    let root = read(text, options.via ?? 'dynamic');
    if (options.via === 'mcp' && isObj(root) && (root.get('properties') ?? null) === null) {
      root.set('properties', new Map());
    }
    root = lower(root);
    prune(root, unreachable);
    const steps = [dropTexts, dropTables, (v: Val) => collapse(v, 0), dropCombiners];
    for (const [i, step] of steps.entries()) {
      if (measure(root) <= (options.budgetBytes ?? 5000)) break;
      passes.push(i + 1);
      root = step(root);
    }
    const sent = readSchema(root);
    if (sent.get('type') === 'null') throw new Refusal('tool input schema must not be a singleton null type');
    const out = emit(sent);
    return { text: out, bytes: utf8(out), passes, unreachable };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { error: error.message, passes, unreachable };
  }
}

// ---- Values ----

export const isObj = (v: Val | undefined): v is Obj => v instanceof Map;
const utf8 = (s: string) => Buffer.byteLength(s);

/** Reads strict JSON with number spellings, the order of digit keys and keys such as `__proto__` intact. */
export function readJson(text: string, number: (spelling: string) => string = (spelling) => spelling): Val {
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*/gs;
  const marked = text.replace(token, (all, quoted?: string, colon?: string) => {
    if (quoted === undefined) return `"n${number(all)}"`;
    return `"${colon ? 'k' : 's'}${quoted.slice(1)}${colon ?? ''}`;
  });
  return JSON.parse(marked, (_, v) => {
    if (typeof v === 'string') return v[0] === 'n' ? new Num(v.slice(1)) : v.slice(1);
    if (v === null || typeof v !== 'object' || Array.isArray(v) || v instanceof Map || v instanceof Num) return v;
    return new Map(Object.entries(v).map(([key, value]) => [key.slice(1), value]));
  }) as Val;
}

function read(text: string, via: string): Val {
  return readJson(text, (spelling) => {
    if (/[.eE]/.test(spelling)) return spelling.replace(/[eE]([+-]?)/, (_, sign: string) => `e${sign || '+'}`);
    const value = BigInt(spelling);
    if (value >= -(2n ** 63n) && value < 2n ** 64n) return String(value);
    if (value >= -(2n ** 127n) && value < 2n ** 128n) {
      if (via === 'mcp') return spelling;
      const kind = value < 0n ? 'i128' : 'u128';
      throw new Refusal(`Invalid request: invalid type: integer \`${spelling}\` as ${kind}, expected any value`);
    }
    const short = String(Number(spelling));
    const [, sign, whole, fraction = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e\+(\d+)$/.exec(short) ?? [];
    if (whole === undefined) return spelling;
    return `${sign}${whole}${fraction.padEnd(Number(exponent), '0')}` === spelling ? short : spelling;
  });
}

/** Removes a key as the order-keeping map of serde_json does: the last entry moves into the gap. */
function swapRemove(map: Obj, key: string): void {
  const entries = [...map];
  const at = entries.findIndex(([k]) => k === key);
  const last = entries.pop();
  if (at < 0 || last === undefined) return;
  if (at < entries.length) entries[at] = last;
  map.clear();
  for (const [k, v] of entries) map.set(k, v);
}

// ---- Lowering ----

function lower(v: Val): Val {
  if (typeof v === 'boolean') return new Map([['type', 'string']]);
  if (Array.isArray(v)) return v.map(lower);
  if (!isObj(v)) return v;
  const m = new Map(v);
  const lowerMap = (table: Obj) => new Map([...table].map(([name, value]) => [name, lower(value)]));
  const properties = m.get('properties');
  if (isObj(properties)) m.set('properties', lowerMap(properties));
  for (const key of ['items', 'additionalProperties', 'prefixItems', ...COMBINERS]) {
    const value = m.get(key);
    if (value === undefined || (key === 'additionalProperties' && typeof value === 'boolean')) continue;
    m.set(key, lower(value));
  }
  for (const key of TABLES) {
    const table = m.get(key);
    if (isObj(table)) m.set(key, lowerMap(table));
    else swapRemove(m, key);
  }
  const constant = m.get('const');
  if (constant !== undefined) {
    swapRemove(m, 'const');
    m.set('enum', [constant]);
  }
  const given = m.get('type');
  let types = (Array.isArray(given) ? given : [given]).filter((t) => TYPES.includes(t as string));
  const has = (keys: string) => keys.split(' ').some((key) => m.has(key));
  if (types.length === 0) {
    if (has('$ref anyOf oneOf allOf')) return m;
    if (has('properties required additionalProperties')) types = ['object'];
    else if (has('items prefixItems')) types = ['array'];
    else if (has('enum format')) types = ['string'];
    else if (has('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf')) types = ['number'];
    else return new Map();
  }
  m.set('type', types.length === 1 ? (types[0] as Val) : (types as Val[]));
  if (types.includes('object') && !m.has('properties')) m.set('properties', new Map());
  if (types.includes('array') && !m.has('items')) m.set('items', new Map([['type', 'string']]));
  return m;
}

// ---- Definitions ----

/** The table and the name a local definition pointer leads to. */
export function definitionOf(ref: Val | undefined): [table: string, name: string] | undefined {
  if (typeof ref !== 'string' || !ref.startsWith('#')) return undefined;
  const source = Buffer.from(ref.slice(1));
  const bytes: number[] = [];
  for (let i = 0; i < source.length; i++) {
    const hex = /^%([0-9a-fA-F]{2})/.exec(source.toString('latin1', i, i + 3))?.[1];
    bytes.push(hex === undefined ? (source[i] as number) : Number.parseInt(hex, 16));
    if (hex !== undefined) i += 2;
  }
  let pointer: string;
  try {
    pointer = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  const [table, name] = pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return TABLES.includes(table as string) && name !== undefined ? [table as string, name] : undefined;
}

/** The schemas directly inside a schema; a list stands for its elements. */
function children(v: Val, tables: boolean): Val[] {
  if (Array.isArray(v)) return v;
  if (!isObj(v)) return [];
  const inMap = (key: string) => (isObj(v.get(key)) ? [...(v.get(key) as Obj).values()] : []);
  const direct = ['items', ...COMBINERS, 'additionalProperties'].map((key) => v.get(key) ?? null);
  return [...inMap('properties'), ...direct, ...(tables ? TABLES.flatMap(inMap) : [])];
}

function prune(root: Val, unreachable: string[]): void {
  if (!isObj(root)) return;
  const used = new Set<string>();
  const refs = (v: Val, inside: (v: Val) => Val[]): void => {
    const target = isObj(v) ? definitionOf(v.get('$ref')) : undefined;
    if (target && !used.has(target.join(' '))) {
      used.add(target.join(' '));
      const table = root.get(target[0]);
      const definition = isObj(table) ? table.get(target[1]) : undefined;
      if (definition !== undefined) refs(definition, (w) => (isObj(w) ? [...w.values()] : Array.isArray(w) ? w : []));
    }
    for (const child of inside(v)) refs(child, inside);
  };
  refs(root, (v) => children(v, false));
  for (const key of TABLES) {
    const table = root.get(key);
    if (!isObj(table)) continue;
    const unused = [...table.keys()].filter((name) => !used.has(`${key} ${name}`));
    for (const name of unused) {
      table.delete(name);
      unreachable.push(`/${key}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
    if (table.size === 0) root.delete(key);
  }
}

// ---- Passes ----

/** A copy of a value with every schema inside it replaced, tables only when asked for. */
function mapChildren(v: Val, tables: boolean, change: (child: Val) => Val): Val {
  if (Array.isArray(v)) return v.map(change);
  if (!isObj(v)) return v;
  return new Map(
    [...v].map(([key, value]): [string, Val] => {
      if (key === 'properties' || (tables && TABLES.includes(key))) {
        return [key, isObj(value) ? new Map([...value].map(([name, child]) => [name, change(child)])) : value];
      }
      return [key, ['items', ...COMBINERS, 'additionalProperties'].includes(key) ? change(value) : value];
    }),
  );
}

function dropTexts(v: Val): Val {
  const out = mapChildren(v, true, dropTexts);
  if (isObj(out)) out.delete('description');
  return out;
}

function dropTables(root: Val): Val {
  const blank = (v: Val): Val => (isObj(v) && definitionOf(v.get('$ref')) ? new Map() : mapChildren(v, false, blank));
  const out = blank(root);
  if (isObj(out)) for (const key of TABLES) out.delete(key);
  return out;
}

function collapse(v: Val, depth: number): Val {
  if (Array.isArray(v)) return v.map((element) => collapse(element, depth));
  const complex = ['items', ...COMBINERS, 'properties', 'additionalProperties', '$ref'];
  if (isObj(v) && depth >= 3 && complex.some((key) => v.has(key))) return new Map();
  return mapChildren(v, false, (child) => collapse(child, depth + 1));
}

function dropCombiners(v: Val): Val {
  if (isObj(v) && COMBINERS.some((key) => v.has(key))) return new Map();
  return mapChildren(v, false, dropCombiners);
}

/** The bytes of what would be sent; a schema that cannot be read measures 0. */
function measure(v: Val): number {
  try {
    return utf8(emit(readSchema(v)));
  } catch (error) {
    if (error instanceof Refusal) return 0;
    throw error;
  }
}

// ---- The typed read ----

/** A string as the client quotes it in messages. */
const debug = (text: string) =>
  JSON.stringify(text)
    .replaceAll('\\u0000', '\\0')
    .replace(/\\u00([01])(.)/g, (_, high: string, low: string) => `\\u{${high === '0' ? '' : high}${low}}`)
    .replace(/[\u007f-\u009f\u2028\u2029]/g, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`);

function wrong(v: Val, expected: string): never {
  const found =
    v === null
      ? 'null'
      : typeof v === 'boolean'
        ? `boolean \`${v}\``
        : typeof v === 'string'
          ? `string ${debug(v)}`
          : v instanceof Num
            ? 'number'
            : isObj(v)
              ? 'map'
              : 'sequence';
  throw new Refusal(`invalid type: ${found}, expected ${expected}`);
}

function readSchema(v: Val): Obj {
  const out: Obj = new Map();
  const field = (key: string, value: Val) => {
    if (value !== null) out.set(key, readField(key, value));
  };
  if (isObj(v)) {
    for (const [key, value] of v) if (FIELDS.includes(key)) field(key, value);
  } else if (Array.isArray(v)) {
    for (const [i, value] of v.slice(0, 15).entries()) field(FIELDS[i] as string, value);
    if (v.length < 15) throw new Refusal(`invalid length ${v.length}, expected struct JsonSchema with 15 elements`);
    if (v.length > 15) throw new Refusal(`invalid length ${v.length}, expected fewer elements in array`);
  } else wrong(v, 'struct JsonSchema');
  return out;
}

function readField(key: string, v: Val): Val {
  switch (key) {
    case '$ref':
    case 'description':
      return typeof v === 'string' ? v : wrong(v, 'a string');
    case 'type': {
      // `{"string":null}` is the other form of a variant without content.
      const word = (t: Val): Val => (isObj(t) && t.size === 1 && [...t.values()][0] === null ? [...t.keys()][0]! : t);
      const read = Array.isArray(v) ? v.map(word) : word(v);
      const known = (Array.isArray(read) ? read : [read]).every((t) => TYPES.includes(t as string));
      if (!known) throw new Refusal('data did not match any variant of untagged enum JsonSchemaType');
      return read;
    }
    case 'encrypted':
      return typeof v === 'boolean' ? v : wrong(v, 'a boolean');
    case 'minItems':
      if (!(v instanceof Num)) return wrong(v, 'usize');
      if (!/^\d+$/.test(v.spelling) || BigInt(v.spelling) >= 2n ** 64n) throw new Refusal('invalid number');
      return v;
    case 'enum':
      return Array.isArray(v) ? v : wrong(v, 'a sequence');
    case 'required':
      return Array.isArray(v)
        ? v.map((name) => (typeof name === 'string' ? name : wrong(name, 'a string')))
        : wrong(v, 'a sequence');
    case 'items':
      return readSchema(v);
    case 'additionalProperties':
      if (typeof v === 'boolean') return v;
      try {
        return readSchema(v);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        throw new Refusal('data did not match any variant of untagged enum AdditionalProperties');
      }
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return Array.isArray(v) ? v.map(readSchema) : wrong(v, 'a sequence');
    default:
      return isObj(v) ? new Map([...v].map(([name, value]) => [name, readSchema(value)])) : wrong(v, 'a map');
  }
}

// ---- Writing ----

function emit(schema: Obj): string {
  const member = (key: string, text: string) => `${JSON.stringify(key)}:${text}`;
  const fields = FIELDS.filter((key) => schema.has(key)).map((key) => {
    const v = schema.get(key) as Val;
    if (!isObj(v)) return member(key, COMBINERS.includes(key) ? `[${(v as Obj[]).map(emit)}]` : writeJson(v));
    if (key === 'items' || key === 'additionalProperties') return member(key, emit(v));
    const sorted = [...v].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return member(key, `{${sorted.map(([name, child]) => member(name, emit(child as Obj)))}}`);
  });
  return `{${fields}}`;
}

/** Compact JSON of a value in its own order. */
export function writeJson(v: Val): string {
  if (v instanceof Num) return v.spelling;
  if (Array.isArray(v)) return `[${v.map(writeJson)}]`;
  if (isObj(v)) return `{${[...v].map(([key, value]) => `${JSON.stringify(key)}:${writeJson(value)}`)}}`;
  return JSON.stringify(v);
}
