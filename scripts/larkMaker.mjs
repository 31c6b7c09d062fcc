// Grammars as people write them for Lark, by chance, with set-ups and texts to parse; the same for the same seed.

const LETTERS = ['a', 'b', 'c', 'x'];
const RULES = ['start', 'p', 'q', '_in', 'r'];
const TERMINALS = ['A', 'B', '_SEP', 'WORD'];
const STRINGS = ['"a"', '"b"', '"c"', '"x"', '"ab"', '"B"i', '"ax"', '"+"'];
const PATTERNS = [
  ...STRINGS,
  '/a+/',
  '/[ab]/',
  '/[a-c]+/',
  '/b+c/',
  '/(?:ab)+/',
  '/[abc]{2}/',
  '/a|ab/',
  '/x(?=a)/',
  '/[^ab]/',
  '/a.c/s',
  '/ab/i',
  '"a".."c"',
  '"ab" | "c"',
  '"a" "b"?',
  '("a" | "b")+',
  '/a|b/ "c"',
];
const OPERATORS = ['', '', '', '', '', '', '?', '*', '+', '~2', '~1..2', '~0..1'];
/** What does not load, or only just: wrong in the way that people get it wrong. */
const FAULTS = [
  'p: "a"',
  'A: "a"',
  'bad: nowhere',
  'bad: NOWHERE',
  'LOOP: "a" LOOP',
  'BAD: p',
  'bad: "a"~3..1',
  'bad: ""',
  'BAD: ',
  'bad: ("a"',
  'bad: "a")',
  'bad: "a"+?',
  'bad "a"',
  'bad: "a" -> Up',
  '?_bad: "a"',
  '_bad: "a" -> x',
  'bad: twice{p}',
  'bad: pair{A}',
  'BAD: pair{A, B}',
  'EMPTY: /a*/\nmore: EMPTY',
  'OPEN: /(a/\nmore: OPEN',
  'bad: "ab".."c"',
  'BAD: "a" -> x',
  '%ignore',
  '%ignore NOWHERE',
  '%import common.NOWHERE',
  '%declare rule',
  '%override nothing: "a"',
  '%extend nothing: "a"',
  'BAD.x: "a"',
  'Bad: "a"',
  '1bad: "a"',
  'bad: A |\n | A',
  'bad: [A] [A]',
];

/**
 * @param {() => number} random numbers from 0 to below 1
 * @returns {() => import('./larkMaker.d.mts').LarkCase}
 */
export function larkMaker(random) {
  const below = (/** @type {number} */ most) => Math.floor(random() * most);
  /** @template T @param {readonly T[]} list @returns {T} */
  const one = (list) => /** @type {T} */ (list[below(list.length)]);
  const often = (/** @type {number} */ share) => random() < share;
  /** @template T @param {number} most @param {() => T} make @returns {T[]} */
  const some = (most, make) => Array.from({ length: 1 + below(most) }, make);

  /** Rules that the one at hand uses: mostly those behind it, so that texts come to an end. */
  let within = RULES;

  /** @param {number} depth @returns {string} */
  function item(depth) {
    const roll = random();
    if (roll < 0.25) return one(STRINGS) + one(OPERATORS);
    if (roll < 0.5) return one(TERMINALS) + one(OPERATORS);
    if (roll < 0.72) return one(often(0.15) ? RULES : within) + one(OPERATORS);
    if (roll < 0.78) return `pair{${one([...within, ...TERMINALS])}, ${one([...TERMINALS, ...STRINGS])}}`;
    if (roll < 0.82) return one(PATTERNS.slice(STRINGS.length, -4)) + one(OPERATORS);
    if (depth === 0) return one(TERMINALS);
    const inner = some(2, () => some(2, () => item(depth - 1)).join(' ')).join(' | ');
    return often(0.4) ? `[${inner}]` : `(${inner})${one(OPERATORS)}`;
  }

  /** @param {string} name */
  function rule(name) {
    const modifier = often(0.3) ? one(name.startsWith('_') ? ['!'] : ['?', '!', '?', '!?']) : '';
    const priority = name !== 'start' && often(0.2) ? `.${one([1, 2, -1])}` : '';
    const alternatives = some(often(0.5) ? 1 : 3, () => {
      const body = often(0.03) ? '' : some(3, () => item(often(0.3) ? 2 : 0)).join(' ');
      return body + (!name.startsWith('_') && often(0.15) ? ` -> ${one(['one', 'two'])}` : '');
    });
    return `${modifier}${name}${priority}: ${alternatives.join(often(0.3) ? '\n  | ' : ' | ')}`;
  }

  function grammar() {
    const lines = RULES.map((name, i) => {
      within = i + 1 < RULES.length ? RULES.slice(i + 1) : TERMINALS;
      return rule(name);
    });
    lines.push(`pair{one, two}: one two${often(0.5) ? ' | two' : ''}`);
    for (const name of TERMINALS) lines.push(`${name}${often(0.25) ? `.${one([1, 2, -1])}` : ''}: ${one(PATTERNS)}`);
    if (often(0.3)) lines.push(one(['%ignore " "', '%ignore / +/', '%import common.WS\n%ignore WS', '%ignore A']));
    if (often(0.1)) lines.push(one(['%import common.INT\ni: INT', '%import common (DIGIT, LETTER)\nd: DIGIT LETTER']));
    if (often(0.06)) lines.push(one(['%extend p: "x" p', '%override q: A "x"', '%extend A: "x"', '%override B: "b"']));
    if (often(0.05)) lines.push('%declare _OUT', 'out: _OUT A');
    if (often(0.12)) lines.splice(1 + below(lines.length), 0, one(FAULTS));
    if (often(0.1)) lines.splice(below(lines.length), 0, one(['// a remark', '', '# a remark', '   ']));
    return `${lines.join('\n')}\n`;
  }

  function setUp() {
    const parser = one(['lalr', 'earley']);
    const lexer = one(
      parser === 'lalr' ? ['auto', 'auto', 'contextual', 'basic'] : ['auto', 'auto', 'dynamic', 'basic'],
    );
    return {
      parser,
      lexer,
      ...(parser === 'earley' && often(0.2) ? { ambiguity: 'explicit' } : {}),
      ...(parser === 'earley' && often(0.1) ? { priority: 'invert' } : {}),
      ...(often(0.3) ? { maybe_placeholders: false } : {}),
      ...(often(0.15) ? { keep_all_tokens: true } : {}),
    };
  }

  const text = () =>
    Array.from({ length: below(6) }, () => (often(0.1) ? one([' ', '+', 'B', '\n', '1']) : one(LETTERS)));

  return () => ({ grammar: grammar(), options: setUp(), inputs: Array.from({ length: 8 }, () => text().join('')) });
}
