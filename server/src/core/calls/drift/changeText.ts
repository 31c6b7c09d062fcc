import type { SeededRandom } from '../../grammar/random';

/** Characters that parsers stumble over. */
const CHARACTERS = [
  ' ',
  '\t',
  '\n',
  '\r',
  '\u00a0',
  '\ufeff',
  "'",
  '"',
  '\\',
  '`',
  '{',
  '@',
  '*',
  '+',
  '-',
  '#',
  '0',
  'a',
  'é',
  '😀',
];

/** Longer texts are changed in some places only. */
const MOST_LINES = 24;

/** Habits of models: a whole text in something that it was not to be in. */
const WRAPPERS: readonly ((text: string) => string)[] = [
  (text) => `\n${text}`,
  (text) => ` ${text}`,
  (text) => `${text}\n`,
  (text) => `${text}\n\n`,
  (text) => `${text} `,
  (text) => text.trimEnd(),
  (text) => `\ufeff${text}`,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => text.replaceAll('\n', '\r'),
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `<<'EOF'\n${text}${text.endsWith('\n') ? '' : '\n'}EOF`,
  (text) => JSON.stringify(text),
  (text) => JSON.stringify({ input: text }),
  (text) => `${text}${text}`,
  () => '',
];

/** What may become of a line, or of several. */
const LINE_CHANGES: readonly ((line: string) => readonly string[])[] = [
  () => [],
  (line) => [line, line],
  (line) => [line, ''],
  (line) => ['', line],
  (line) => [` ${line}`],
  (line) => [`\t${line}`],
  (line) => [`${line} `],
  (line) => [`${line}\r`],
  (line) => [line.trim()],
  // A word at the end that is there, but blank or empty.
  (line) => [line.replace(/\S+$/, (word) => ' '.repeat(word.length))],
  (line) => [line.replace(/\S+$/, '')],
  (line) => [line.replace(/\s+\S+$/, '')],
  (line) => [line.slice(0, 1)],
  (line) => [line.slice(1)],
  (line) => [line.toLowerCase()],
];

/** Every change of one step of a text: around it, and in each of its lines. */
export function* textChanges(text: string): Iterable<string> {
  for (const wrap of WRAPPERS) yield wrap(text);
  const lines = text.split('\n');
  for (let at = 0; at < Math.min(lines.length, MOST_LINES); at++) {
    for (const change of LINE_CHANGES) {
      yield [...lines.slice(0, at), ...change(lines[at]!), ...lines.slice(at + 1)].join('\n');
    }
    if (at > 0) yield swapped(lines, at).join('\n');
  }
}

/** A change of one step by chance. `others` are texts out of which lines may come. */
export function changeText(text: string, others: readonly string[], random: SeededRandom): string {
  const kind = random.below(10);
  if (kind === 0) return random.pick(WRAPPERS)!(text);
  if (kind < 6) {
    const lines = text.split('\n');
    const at = random.below(lines.length);
    if (random.below(3) === 0) {
      const line = random.pick((random.pick(others) ?? text).split('\n'))!;
      return [...lines.slice(0, at), line, ...lines.slice(at)].join('\n');
    }
    if (at > 0 && random.below(8) === 0) return swapped(lines, at).join('\n');
    return [...lines.slice(0, at), ...random.pick(LINE_CHANGES)!(lines[at]!), ...lines.slice(at + 1)].join('\n');
  }
  const characters = [...text];
  const at = random.below(characters.length + 1);
  const other = random.below(2) === 0 ? random.pick(CHARACTERS)! : (random.pick(characters) ?? ' ');
  switch (random.below(6)) {
    case 0:
      characters.splice(at, 1);
      break;
    case 1:
      characters.splice(at, 0, other);
      break;
    case 2:
      characters.splice(at, 1, other);
      break;
    case 3:
      characters.splice(at, 1 + random.below(8));
      break;
    case 4:
      characters.splice(at, 0, ...characters.slice(at, at + 1 + random.below(8)));
      break;
    default:
      characters.length = Math.min(at, characters.length);
  }
  return characters.join('');
}

function swapped(lines: readonly string[], at: number): string[] {
  const out = [...lines];
  [out[at - 1], out[at]] = [out[at]!, out[at - 1]!];
  return out;
}
