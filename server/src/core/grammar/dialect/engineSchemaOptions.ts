import { parseRustRegex } from '../regex/parseRust';
import { type JsonValue, memberPlace } from './engineJson';
import { Refused, refusedAt } from './engineRefused';

/** What `"x-guidance"` at the top of a schema may say to llguidance 1.9.1. */
export interface SchemaOptions {
  readonly lenient: boolean;
  readonly coerce: boolean;
  readonly itemSeparator: string;
  readonly keySeparator: string;
  readonly escapes: string | undefined;
  readonly generalEscapes: boolean;
}

type Kind = 'string' | 'boolean' | 'optional';

/** The options, in the order of the engine, which reads them from a list too. */
const OPTIONS: readonly (readonly [name: string, kind: Kind])[] = [
  ['item_separator', 'string'],
  ['key_separator', 'string'],
  ['whitespace_flexible', 'boolean'],
  ['whitespace_pattern', 'optional'],
  ['coerce_one_of', 'boolean'],
  ['lenient', 'boolean'],
  ['json_allowed_escapes', 'optional'],
  ['json_allow_general_unicode_escapes', 'boolean'],
];

/** Reads the options of a schema, and gives the schema without them. Throws what the engine refuses. */
export function schemaOptions(schema: JsonValue): { options: SchemaOptions; rest: JsonValue } {
  const given = schema.kind === 'object' ? schema.members.get('x-guidance') : undefined;
  const values = new Map<string, JsonValue>();
  let rest = schema;
  if (given !== undefined && schema.kind === 'object') {
    rest = { ...schema, members: new Map([...schema.members].filter(([key]) => key !== 'x-guidance')) };
    for (const [name, value] of named(given)) {
      const kind = OPTIONS.find(([known]) => known === name)?.[1];
      if (kind === undefined) {
        const known = OPTIONS.map(([each]) => `\`${each}\``).join(', ');
        throw refusedAt(value, `unknown field \`${name}\` in x-guidance, expected one of ${known}`);
      }
      const fits =
        value.kind === (kind === 'optional' ? 'string' : kind) || (kind === 'optional' && value.kind === 'null');
      if (!fits) throw refusedAt(value, `\`${name}\` in x-guidance must be a ${kind === 'boolean' ? kind : 'string'}`);
      values.set(name, value);
    }
  }
  const on = (name: string): boolean => {
    const value = values.get(name);
    return value?.kind === 'boolean' && value.value;
  };
  const text = (name: string): string | undefined => {
    const value = values.get(name);
    return value?.kind === 'string' ? value.value : undefined;
  };
  const blanks = text('whitespace_pattern');
  if (blanks !== undefined) {
    try {
      checkExpression('whitespace_pattern', blanks);
    } catch (error) {
      if (error instanceof Refused) error.place = memberPlace(values.get('whitespace_pattern')!);
      throw error;
    }
  }
  const options = {
    lenient: on('lenient'),
    coerce: on('coerce_one_of') || on('lenient'),
    itemSeparator: text('item_separator') ?? ',',
    keySeparator: text('key_separator') ?? ':',
    escapes: text('json_allowed_escapes'),
    generalEscapes: on('json_allow_general_unicode_escapes'),
  };
  return { options, rest };
}

function named(given: JsonValue): Iterable<readonly [string, JsonValue]> {
  if (given.kind === 'object') return given.members;
  if (given.kind !== 'array') throw refusedAt(given, 'x-guidance must be an object with options');
  if (given.items.length > OPTIONS.length) throw refusedAt(given, 'x-guidance has too many items');
  return given.items.map((item, i) => [OPTIONS[i]![0], item] as const);
}

/** Throws unless the engine takes an option for an expression. */
export function checkExpression(name: string, source: string): void {
  const { problem } = parseRustRegex(source);
  if (problem !== undefined) throw new Refused(`\`${name}\` in x-guidance is no expression (${problem.code})`);
}
