import type { SeededRandom } from '../../grammar/random';
import {
  isNumber,
  type Member,
  NULL,
  type Path,
  places,
  readValue,
  replaced,
  scalar,
  stringValue,
  textOf,
  type Value,
  valueText,
} from './value';

/** Values of every type. */
const OTHERS: readonly Value[] = [
  NULL,
  scalar('true'),
  scalar('0'),
  scalar('1.5'),
  scalar('""'),
  { kind: 'array', items: [] },
  { kind: 'object', members: [] },
];

/** What one step may make of a value. */
function* valueChanges(value: Value): Iterable<Value> {
  const type = value.kind === 'scalar' ? value.text[0] : value.kind;
  for (const other of OTHERS) {
    if (type !== (other.kind === 'scalar' ? other.text[0] : other.kind)) yield other;
  }
  // As models nest too much, too little, or encode twice.
  yield { kind: 'array', items: [value] };
  yield { kind: 'object', members: [['value', value]] };
  yield stringValue(valueText(value));
  if (value.kind === 'object') yield* objectChanges(value.members);
  else if (value.kind === 'array') yield* arrayChanges(value.items);
  else yield* scalarChanges(value);
}

function* objectChanges(members: readonly Member[]): Iterable<Value> {
  for (const [i, [key, inner]] of members.entries()) {
    yield { kind: 'object', members: members.filter((_, other) => other !== i) };
    yield { kind: 'object', members: members.map((member, other) => (other === i ? [`${key}_`, inner] : member)) };
    yield {
      kind: 'object',
      members: members.map((member, other) => (other === i ? [key.toUpperCase(), inner] : member)),
    };
  }
  yield { kind: 'object', members: [...members, ['extra', scalar('1')]] };
  yield { kind: 'object', members: [['__proto__', { kind: 'object', members: [] }], ...members] };
  yield { kind: 'object', members: [...members].reverse() };
  // The values alone, by their places.
  yield { kind: 'array', items: members.map(([, inner]) => inner) };
}

function* arrayChanges(items: readonly Value[]): Iterable<Value> {
  for (const [i, item] of items.entries()) {
    yield { kind: 'array', items: items.filter((_, other) => other !== i) };
    yield { kind: 'array', items: [...items.slice(0, i), item, ...items.slice(i)] };
  }
  yield { kind: 'array', items: [...items, NULL] };
  yield { kind: 'array', items: [...items].reverse() };
  if (items.length > 0) yield items[0]!;
  yield { kind: 'object', members: items.map((item, i) => [String(i), item]) };
}

function* scalarChanges(value: Value & { kind: 'scalar' }): Iterable<Value> {
  const text = textOf(value);
  if (text !== undefined) {
    for (const other of ['', ' ', `${text} `, ` ${text}`, `${text}x`, text.slice(1), text.toUpperCase(), `${text}\n`]) {
      if (other !== text) yield stringValue(other);
    }
    yield { kind: 'object', members: [[text, NULL]] };
    if (readValue(text) !== undefined) yield scalar(text);
    yield stringValue('x'.repeat(5000));
  } else if (isNumber(value)) {
    const number = Number(value.text);
    for (const other of [number + 1, number - 1, -number, number + 0.5, number * 1000]) {
      if (Number.isFinite(other)) yield scalar(String(other));
    }
    for (const spelling of ['9007199254740993', '-9223372036854775809', '18446744073709551616', '1e400', '-0']) {
      yield scalar(spelling);
    }
    if (/^-?\d+$/.test(value.text)) yield scalar(`${value.text}.0`);
  } else if (value.text === 'true' || value.text === 'false') {
    yield scalar(value.text === 'true' ? 'false' : 'true');
  }
}

/** Changes of the text that leave it no JSON to the letter, or the same value in another spelling. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  () => '',
  (text) => ` ${text}\n`,
  (text) => JSON.stringify(text),
  (text) => `\`\`\`json\n${text}\n\`\`\``,
  (text) => text.slice(0, -1),
  (text) => text.slice(0, Math.floor(text.length / 2)),
  (text) => text.replace(/[}\]](?!.*[}\]])/s, ',$&'),
  (text) => `${text} x`,
  (text) => `${text}${text}`,
  (text) => `\ufeff${text}`,
  (text) => text.replaceAll('"', "'"),
  (text) => text.replace(/"(\w+)":/, '$1:'),
  (text) => text.replace(/:(?:null|true|false|-?\d[\d.eE+-]*)/, ':NaN'),
  (text) => text.replace(/:(?:true|false)/, (found) => (found === ':true' ? ':True' : ':False')),
  (text) => text.replace(/:"[^"\\]*/, '$&\n'),
  (text) => text.replace(/:"[^"\\]*/, '$&\\ud83d'),
  (text) => text.replace('{', '{/* */'),
];

/** So many values of one text are changed; the rest of a large text says nothing new. */
const MOST_PLACES = 40;

/** Every change of one step of arguments: in each value, and of the text. */
export function* argumentChanges(text: string): Iterable<string> {
  for (const spell of SPELLINGS) yield spell(text);
  const root = readValue(text);
  if (root === undefined) return;
  for (const { path, value } of places(root).slice(0, MOST_PLACES)) yield* changesAt(root, path, value);
}

function* changesAt(root: Value, path: Path, value: Value): Iterable<string> {
  for (const changed of valueChanges(value)) yield valueText(replaced(root, path, changed));
}

/** A change of one step by chance. */
export function changeArguments(text: string, random: SeededRandom): string {
  const root = random.below(12) === 0 ? undefined : readValue(text);
  if (root === undefined) return random.pick(SPELLINGS)!(text);
  const { path, value } = random.pick(places(root))!;
  return valueText(replaced(root, path, random.pick([...valueChanges(value)])!));
}
