// Grammars by chance, the same for the same seed.

/**
 * Numbers from 0 to below 1.
 * @param {number} seed
 * @returns {() => number}
 */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const STRINGS = [
  '"a"',
  '"ab"',
  '"if"',
  '"+"',
  '"SELECT"i',
  '" "',
  '"\\n"',
  '"\\u00e9"',
  '"\\x41"',
  '"é"',
  '"\\""',
  '"\\\\"',
  '""',
];
const BAD_STRINGS = ['"\\d"', '"\\."', "'a'", '"a', '"\\u12"', '"\\ud800"', '"\t"', '"a"s', '"\\q"', '"\\/"', '"\\b"'];
const REGEXES = [
  '/a+/',
  '/[a-z]+/',
  '/[0-9]{1,3}/',
  '/\\d+/',
  '/\\w*/',
  '/(a|b)c/',
  '/a|b/',
  '/[^"\\n]*/',
  '/\\p{L}+/',
  '/./s',
  '/x/i',
  '/(?i)ab/',
  '/(?P<n>a)b/',
  '/^a$/',
  '/a{2,}/',
  '/[a-z&&[^b]]/',
  '/[[:alpha:]]/',
  '/\\x41/',
  '/a*?/',
  '/\\//',
  '/a b/x',
  '/a++/',
  '/\\u{41}/',
  '/(?:ab)+/',
  '/[\\]\\-a]/',
  '/\\s/',
  '/\\Aab\\z/',
];
const BAD_REGEXES = [
  '/a(?=b)/',
  '/(?<!a)b/',
  '/\\bif\\b/',
  '/(a)\\1/',
  '/a^b/',
  '/a$b/',
  '/[b-a]/',
  '/(a/',
  '/a)/',
  '/*a/',
  '/a{2/',
  '/a{3,2}/',
  '/[/',
  '/\\Z/',
  '/\\Qa/',
  '/(?>a)/',
  '/(?#c)a/',
  '/(?(1)a|b)/',
  '/\\p{Nope}/',
  '/a/g',
  '/a/ii',
  '/[]/',
  '/(?P<a>x)(?P<a>y)/',
  '/\\012/',
  '/[^/]+/',
  '/^a/m',
  '/(?m)^a/',
  '/\\c/',
  '/a{,2}/',
  '/{/',
  '/\\h/',
];
const OPERATORS = ['', '', '', '', '?', '*', '+', '~2', '~1..3', '{2}', '{1,3}', '{2,}', '{,4}', ' ~ 2 .. 5'];
const BAD_OPERATORS = ['~3..1', '{0}', '{3,1}', '~-1', '~2..', '+*', '??', '~', '{', '{a}', '{0,0}'];
const IMPORTS = [
  '%import common.INT',
  '%import common.WS',
  '%import common.CNAME -> NAME',
  '%import common (LF, CR)',
  '%import common.NUMBER -> num',
];
const BAD_LINES = [
  '%import common.NOPE',
  '%import python.name',
  '%import .other.x',
  '%import common',
  '%declare INDENT',
  '%extend start: "z"',
  '%override start: "z"',
  'start: "again"',
  't{x}: x x',
  'A.2: "a"',
  'r.1: "a"',
  '?!m: "a"',
  '?_x: "a"',
  'fooBar: "a"',
  'x "a"',
  ': "a"',
  '| "b"',
  '// note\n  | "c"',
  'Foo: "a"',
  'B: start',
  'C: C "a"',
  '%ignore nope',
  '%ignore start',
  'x: ;',
  '%unknown x',
  'a-b: "x"',
  '__x: "a"',
  'x: y z',
  '!A: "a"',
  'd: "b".."a"',
  'd: "ab".."c"',
  '{',
  'x = "a"',
  'é: "a"',
  'x: "a" \\\n  "b"',
  'x: "a" |\n  "b"',
  'x:\n  "a"',
  'x: ("a"\n"b")',
  'x: <unknown>',
  'x: @other',
  'x[bad=1]: "a"',
  'x: %json {"type": "nope"}',
  'x: %json {',
  'x: %regex {"a": 1}',
  'x: %lark {\nstart: q\n}',
  '%llguidance {"no_forcing": 1}',
];
const EXTENSIONS = [
  'x: %json {"type": "object"}',
  'x: %json {"type": "integer", "minimum": 2}',
  'x[lazy]: /a.*b/',
  'x[max_tokens=3]: /a+/',
  'x[capture]: "a"',
  'x: %lark {\nstart: "q"\n}',
  'x: %regex {"substring_chars": "abc"}',
  '%llguidance {"no_forcing": true}',
  'E: /[a-z]+/ & /.*b/',
  'E: ~"a"',
  'E: /a/ & ~/b/',
  'x[suffix="b"]: /[a-z]+/',
  'x[stop=""]: /a+/',
  'x[temperature=0.5]: /a+/',
];

/**
 * @param {() => number} random
 * @param {readonly string[]} recorded Grammars that changes start from.
 */
export function grammarMaker(random, recorded) {
  const below = (/** @type {number} */ most) => Math.floor(random() * most);
  /** @template T @param {readonly T[]} list @returns {T} */
  const one = (list) => /** @type {T} */ (list[below(list.length)]);
  const often = (/** @type {number} */ share) => random() < share;

  const RULES = ['r', 's', 'list', 'item-x', '_in', 'x'];
  const TERMINALS = ['A', 'B', 'WORD', 'NUM', '_SEP'];

  /** @param {number} depth @param {boolean} terminal @param {number} faults */
  function value(depth, terminal, faults) {
    if (depth > 0 && often(0.25)) {
      const inner = alternatives(depth - 1, terminal, faults);
      return often(0.25) ? `[${inner}]` : `(${inner})`;
    }
    if (often(faults)) return one(often(0.5) ? BAD_STRINGS : BAD_REGEXES);
    const roll = random();
    if (roll < 0.3) return one(STRINGS);
    if (roll < 0.5) return one(REGEXES);
    if (roll < 0.55) return `"${one(['a', '0', 'A'])}".."${one(['f', '9', 'Z'])}"`;
    return terminal ? one([...TERMINALS.slice(2), ...STRINGS]) : one([...RULES, ...TERMINALS, 'INT']);
  }

  /** @param {number} depth @param {boolean} terminal @param {number} faults @returns {string} */
  function alternatives(depth, terminal, faults) {
    return Array.from({ length: 1 + below(3) }, () => {
      const items = Array.from({ length: 1 + below(3) }, () => {
        return value(depth, terminal, faults) + one(often(faults) ? BAD_OPERATORS : OPERATORS);
      });
      if (often(0.03)) items.length = 0;
      return items.join(' ') + (often(0.05) && !terminal ? ' -> alias' : '');
    }).join(often(0.15) ? '\n  | ' : ' | ');
  }

  /** A grammar put together from parts. */
  function made() {
    const faults = often(0.5) ? 0 : 0.04;
    const lines = [`start: ${alternatives(2, false, faults)}`];
    for (const rule of RULES)
      if (often(0.85))
        lines.push(`${often(0.1) ? one(['?', '!', '?']) : ''}${rule}: ${alternatives(2, false, faults)}`);
    for (const name of TERMINALS) {
      // Terminals use those behind them, so that there are no circles but by chance.
      if (often(0.95)) lines.push(`${name}: ${alternatives(1, true, faults)}`);
    }
    if (often(0.7)) lines.push('%import common.INT');
    if (often(0.4)) lines.push(`%ignore ${one(['WORD', '/ +/', '" "', 'INT', '(" " | "\\n")+'])}`);
    if (often(0.2)) lines.push(one(IMPORTS));
    if (often(0.15)) lines.push(one(EXTENSIONS).replace(/^x/, 'ext').replace(/^E/, 'EXT'));
    if (often(faults * 8)) lines.push(one(BAD_LINES));
    if (often(0.1)) lines.splice(below(lines.length), 0, one(['', '// note', '   ', '# note']));
    const order = often(0.3) ? lines.sort(() => random() - 0.5) : lines;
    return order.join(often(0.05) ? '\r\n' : '\n') + (often(0.8) ? '\n' : '');
  }

  const SNIPPETS = [
    ...STRINGS,
    ...BAD_STRINGS,
    ...REGEXES,
    ...BAD_REGEXES,
    ...OPERATORS,
    ...BAD_OPERATORS,
    ' | ',
    '\n',
    '\n  | ',
    '(',
    ')',
    '[',
    ']',
    '"',
    '/',
    '\\',
    ':',
    '.',
    '-> a',
    '~',
    '&',
    'A',
    'start',
    '%ignore ',
    '{',
    '}',
    ' ',
    '\t',
    ',',
    '!',
    '?',
    '1',
    '//',
    '#',
  ];

  /** A recorded grammar with a few changes. */
  function mutated() {
    let grammar = one(recorded.filter((each) => each.length < 2_000));
    for (let changes = 1 + below(3); changes > 0; changes--) {
      const at = below(grammar.length + 1);
      const roll = random();
      if (roll < 0.3) grammar = grammar.slice(0, at) + grammar.slice(at + 1 + below(3));
      else if (roll < 0.6) grammar = grammar.slice(0, at) + one(SNIPPETS) + grammar.slice(at);
      else if (roll < 0.7) {
        const lines = grammar.split('\n');
        lines.splice(below(lines.length), 1);
        grammar = lines.join('\n');
      } else if (roll < 0.8) {
        grammar = `${grammar.replace(/\n$/, '')}\n${one([...BAD_LINES, ...EXTENSIONS, ...IMPORTS])}\n`;
      } else if (roll < 0.9) {
        const lines = grammar.split('\n');
        lines.splice(below(lines.length + 1), 0, one(one(recorded).split('\n')));
        grammar = lines.join('\n');
      } else {
        const words = grammar.match(/[A-Za-z_]+|"[^"\n]*"|\/[^/\n]*\//g) ?? ['a'];
        const word = one(words);
        grammar = grammar.replace(word, () => one([...words, ...STRINGS, ...REGEXES]));
      }
    }
    return grammar;
  }

  return { made, mutated };
}
