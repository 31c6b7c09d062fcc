// Grammars by chance in which every construct of the provider's engine can come.

import {
  BAD_LINES,
  BAD_OPERATORS,
  BAD_REGEXES,
  BAD_STRINGS,
  EXTENSIONS,
  OPERATORS,
  REGEXES,
  STRINGS,
} from './grammarParts.mjs';
import { regexMaker } from './regexMaker.mjs';
import { schemaMaker } from './schemaMaker.mjs';

/** @param {() => number} random */
export function grammarGrower(random) {
  const below = (/** @type {number} */ most) => Math.floor(random() * most);
  /** @template T @param {readonly T[]} list @returns {T} */
  const one = (list) => /** @type {T} */ (list[below(list.length)]);
  const often = (/** @type {number} */ share) => random() < share;
  const regexes = regexMaker(random);
  const schema = schemaMaker(random, () => regexes.pattern(0.02));

  const LETTERS = [
    'a',
    'b',
    'if',
    'x',
    '0',
    ' ',
    'é',
    '日',
    '😀',
    '+',
    '{',
    '\\n',
    '\\t',
    '\\"',
    '\\\\',
    '\\/',
    '\\u00e9',
    '\\x41',
  ];
  const BAD_LETTERS = [
    '\\d',
    "\\'",
    '\\x4',
    '\\u12',
    '\\ud83d',
    '\\0',
    '\t',
    '\n',
    '\\U0001F600',
    '\x7f',
    '\\v',
    '\\\n',
  ];
  const NUMBERS = ['0', '1', '2', '3', '5', '12', '0', '2', '4'];
  const ODD_NUMBERS = [
    '-1',
    '+2',
    '2147483647',
    '2147483648',
    '1.5',
    '1.',
    '1e3',
    '01',
    '0x10',
    '4294967295',
    '99999999999',
    '-0',
  ];

  /** @param {number} faults */
  function string(faults) {
    const parts = Array.from({ length: below(4) }, () => one(often(faults) ? BAD_LETTERS : LETTERS));
    return `"${parts.join('')}${often(faults / 3) ? '' : '"'}${often(0.15) ? one(often(faults) ? ['s', 'ii', 'I'] : ['i']) : ''}`;
  }

  const count = (/** @type {number} */ faults) => one(often(faults) ? ODD_NUMBERS : NUMBERS);

  /** @param {number} faults */
  function operator(faults) {
    const roll = random();
    if (roll < 0.5) return '';
    if (roll < 0.7) return one(['?', '*', '+']);
    if (often(faults))
      return one([...BAD_OPERATORS, '{,0}', '~2..', '{,}', '{1,,2}', '~ ', '~1...2', '~1.2', '~1..2..3']);
    const [least, most] = [count(faults), count(faults)];
    const [low, high] = often(faults) || Number(least) <= Number(most) ? [least, most] : [most, least];
    const blank = () => (often(0.3) ? ' ' : '');
    if (roll < 0.8) return `${blank()}~${blank()}${low}${often(0.6) ? `${blank()}..${blank()}${high}` : ''}`;
    const list = [
      `{${low === '0' ? '1' : low}}`,
      `{${low},}`,
      `{,${high === '0' ? '1' : high}}`,
      `{${low},${high === '0' ? '3' : high}}`,
      '{,}',
      `{ ${low} , }`,
    ];
    return one(list);
  }

  const SPECIAL = ['<[7]>', '<[97-99,101]>', '<[^97]>', '<[*]>', '<|end|>'];
  const BAD_SPECIAL = [
    '<think>',
    '<[257]>',
    '<[^*]>',
    '<[]>',
    '<[9-7]>',
    '<[1 - 2]>',
    '<[a]>',
    '<>',
    '<a b>',
    '<[1-2-3]>',
    '<[1,*]>',
    '<[300]>',
  ];
  const PARAMETERS = [
    '_',
    '0',
    '3',
    '0x1F',
    'incr(_)',
    'decr(_)',
    'set_bit(1)',
    'clear_bit(63)',
    'bit_and(7)',
    'bit_or(0x3)',
    'incr([0:4])',
    'decr([2:3])',
  ];
  const BAD_PARAMETERS = [
    'set_bit(64)',
    'incr(1)',
    'nope(_)',
    'incr([4:4])',
    'incr([0:65])',
    '-1',
    'A',
    '',
    'incr',
    '4294967296',
  ];
  const CONDITIONS = [
    'true',
    'eq(_, 1)',
    'ne([0:3],2)',
    'bit_set(1)',
    'bit_clear(0)',
    'is_ones([0:2])',
    'is_zeros(_)',
    'and(lt(_,3), gt(_,0))',
    'not(le(_,2))',
    'or(true, ge(_, 0x2))',
    'bit_count_lt(_, 3)',
    'bit_count_eq([0:4], 63)',
  ];
  const BAD_CONDITIONS = [
    'false',
    'eq(_)',
    'eq(1, 1)',
    'bit_set(64)',
    'and(true)',
    'not(_)',
    'bit_count_lt(_, 64)',
    'true()',
    '',
  ];
  const STRUCTURED = [
    '{"substring_words": "a b c"}',
    '{"substring_chars":"héllo"}',
    '{"substring_chunks": ["a", "b c"]}',
    '{"substring_chars":"x","substring_words":null}',
    '[null,"a b",null]',
  ];
  const BAD_STRUCTURED = [
    '{"substring_words": 1}',
    '{}',
    '{"substring_chunks":"a"}',
    '{"substring_chars":"a","substring_words":"b"}',
    '{"substring":"a"}',
    '[]',
    '"a"',
    '{"substring_chars":"a","substring_chars":"b"}',
    '[1]',
    'null',
    '{"substring_chunks":[1]}',
    '{"substring_chars":"a",}',
  ];

  const NAMES = ['r', 's', 'item-x', '_in', 'x', 'p1'];
  const TOKENS = ['A', 'B', 'WORD', '_SEP', 'N-1'];
  const PARAMETRIC = ['par', 'bits'];

  /** Terminals that a terminal may use. */
  let usable = [...TOKENS, 'INT'];

  /** @param {number} depth @param {boolean} terminal @param {number} faults @param {boolean} parametric @returns {string} */
  function atom(depth, terminal, faults, parametric) {
    const roll = random();
    if (depth > 0 && roll < 0.22) {
      const inner = list(depth - 1, terminal, faults, parametric);
      return often(0.3) ? `[${inner}${often(faults / 4) ? '' : ']'}` : `(${inner}${often(faults / 4) ? '' : ')'}`;
    }
    if (roll < 0.4) return string(faults);
    if (roll < 0.56) return regexes.literal(faults);
    if (roll < 0.6 && often(faults * 4))
      return `${string(faults / 2)}${one(['..', ' .. ', '..'])}${string(faults / 2)}`;
    if (roll < 0.63) return one(['"a".."f"', '"0".."9"', '"é".."ÿ"', '"\\u0041".."Z"']);
    if (roll < 0.65 || often(faults / 2))
      return one(often(faults * 8) ? [...BAD_STRINGS, ...BAD_REGEXES] : [...STRINGS, ...REGEXES]);
    if (roll < 0.68) return `~${often(0.2) ? ' ' : ''}${atom(0, terminal, faults, parametric)}`;
    if (roll < 0.7) return `%regex${often(0.5) ? ' ' : ''}${one(often(faults) ? BAD_STRUCTURED : STRUCTURED)}`;
    if (!terminal || often(faults / 3)) {
      if (roll < 0.75) return `%json${often(0.5) ? ' ' : ''}${schema()}${often(0.9) ? ' ' : ''}`;
      if (roll < 0.77) return one(often(faults) ? BAD_SPECIAL : SPECIAL);
      if (roll < 0.79) return nested(depth, faults);
      if (roll < 0.81)
        return `${one(often(faults) ? [...NAMES, 'A'] : PARAMETRIC)}::${one(often(faults) ? BAD_PARAMETERS : PARAMETERS.filter((each) => parametric || /^[0-9]/.test(each)))}`;
      if (often(faults / 2)) return one(['@other', '@7', 't{x}', 't{"a", B}', '@', 'A{x}', 'unknown', 'UNKNOWN']);
    }
    if (often(faults / 3)) return one(['unknown', 'UNKNOWN', 'fooBar', 't{"a"}', 'common.INT']);
    return one(terminal ? usable : [...NAMES, ...TOKENS, 'INT']);
  }

  /** @param {number} depth @param {number} faults */
  function nested(depth, faults) {
    const lines = [`start: ${list(Math.max(0, depth - 1), false, faults, false)}`];
    for (const name of NAMES) if (often(0.7)) lines.push(`${name}: ${string(0)}`);
    for (const name of [...TOKENS, 'INT']) if (often(0.9)) lines.push(`${name}: ${regexes.literal(0)}`);
    if (often(0.2)) lines.push(`%ignore ${one(['/ +/', 'WORD', '"x"'])}`);
    if (often(0.1)) lines.push(header(faults));
    return `%lark {${one(['\n', '\n', ' ', ''])}${lines.join('\n')}\n}`;
  }

  /** @param {number} faults */
  function header(faults) {
    const keys = ['no_forcing', 'allow_invalid_utf8', 'allow_initial_skip', 'ignore_once', 'other'];
    const members = Array.from(
      { length: below(3) },
      () => `"${one(keys)}": ${often(faults) ? one(['1', 'null', '"x"', '[]']) : often(0.7)}`,
    );
    return `%llguidance${one([' ', '', '  '])}{${members.join(one([', ', ',']))}${often(faults / 2) ? '' : '}'}`;
  }

  /** @param {number} depth @param {boolean} terminal @param {number} faults @param {boolean} parametric @returns {string} */
  function list(depth, terminal, faults, parametric) {
    const between = () =>
      one([' ', ' ', ' ', ' ', '', '  ', '\t', ...(often(faults) ? ['\n', ' \\\n', '\f', '\u00a0', '\r'] : [])]);
    const count = often(0.003) ? 20 + below(30) : 1 + below(2);
    return Array.from({ length: count }, () => {
      const items = Array.from({ length: often(0.04) ? 0 : 1 + below(2) }, () => {
        return atom(depth, terminal, faults, parametric) + operator(faults);
      });
      let text = items.reduce((before, item) => before + (before === '' ? '' : between()) + item, '');
      if (often(terminal ? 0.05 : faults / 8)) text += ` & ${atom(depth, terminal, faults, parametric)}`;
      if (often(0.05)) text += ` -> ${often(faults) ? one(['A', '1', '', 'x y']) : one(['alias', 'al-ias', '_a'])}`;
      if (parametric && often(0.6)) text += ` %if ${one(often(faults) ? BAD_CONDITIONS : CONDITIONS)}`;
      else if (often(faults / 10)) text += ` %if ${one(CONDITIONS)}`;
      return text;
    }).join(
      often(0.15)
        ? one(['\n  | ', '\n\n| ', '\n\t|'])
        : often(faults)
          ? one(['\n // c\n | ', ' |\n ', '\n \n | ', ' || ', '\n'])
          : one([' | ', '|', ' |']),
    );
  }

  const ATTRIBUTES = [
    'lazy',
    'capture',
    'capture="n"',
    'stop="x"',
    'stop=/b+/',
    'stop=""',
    'suffix="y"',
    'suffix=A',
    'max_tokens=3',
    'max_tokens=0',
    'temperature=0.5',
    'stop_capture="c"',
  ];
  const BAD_ATTRIBUTES = [
    'lazy=1',
    'capture=1',
    'bad=1',
    'stop',
    'stop=',
    'max_tokens=-1',
    'max_tokens=1.5',
    'temperature=x',
    'suffix="a"i',
    'stop_capture=A',
    'CAPTURE',
    'stop=<x>',
    'stop=r',
    'suffix=%json {}',
    'max_tokens=4294967296',
    'capture="n"i',
  ];

  /** @param {number} faults */
  function attributes(faults) {
    const parts = Array.from({ length: often(0.05) ? 0 : often(0.2) ? 2 : 1 }, () =>
      one(often(faults) ? BAD_ATTRIBUTES : ATTRIBUTES),
    );
    return `[${parts.join(one([', ', ',']))}${often(0.1) ? ',' : ''}${often(faults / 3) ? '' : ']'}`;
  }

  const EVERY_IMPORT = [
    'INT',
    'WS',
    'CNAME',
    'NUMBER',
    'ESCAPED_STRING',
    '_EXP',
    'SIGNED_FLOAT',
    'C_COMMENT',
    'LETTER',
    'NEWLINE',
    'WS_INLINE',
    'DIGIT',
  ];

  /** A grammar in which every construct of the engine can come, right or not, with blanks and comments anywhere. */
  function grown() {
    const faults = one([0, 0, 0, 0.003, 0.006, 0.02]);
    const depth = often(0.01) ? 5 : 1 + below(2);
    const lines = [`start: ${list(depth, false, faults, false)}`];
    for (const name of NAMES) {
      if (!often(0.99)) continue;
      const marks = often(0.1) ? one(often(faults) ? ['?!', '! ', '?_', '!!'] : ['?', '!']) : '';
      const attribute = often(0.15) ? attributes(faults) : '';
      // Most attributes want a body of terminals.
      const body = list(attribute === '' ? depth : 1, attribute !== '' && often(0.9), faults, false);
      const extra = often(faults / 3) ? one(['.2', '.-1', '{x}', '{x, y}', '::_', '.', '.x', '{X}']) : '';
      lines.push(`${marks}${name}${extra}${attribute}${one([':', ': ', ' : ', ':'])}${body}`);
    }
    for (const name of PARAMETRIC)
      if (often(0.98)) lines.push(`${name}::_${often(faults) ? attributes(0) : ''}: ${list(1, false, faults, true)}`);
    for (const [i, name] of TOKENS.entries()) {
      // Terminals use those behind them, so that there are no circles but by chance.
      usable = often(faults) ? TOKENS : [...TOKENS.slice(i + 1), 'INT'];
      const extra = often(faults / 3) ? one(['.2', '{X}', '[lazy]', '::_', '.10']) : '';
      if (often(0.99)) lines.push(`${name}${extra}: ${list(1, true, faults, false)}`);
    }
    if (often(0.8))
      lines.push(`%import common.${often(faults) ? one(['NOPE', 'int', '_STRING_INNER', 'INT.x']) : 'INT'}`);
    if (often(0.3)) lines.push(`%ignore ${list(1, true, faults, false)}`);
    if (often(0.1)) lines.push(`%ignore ${one([...EVERY_IMPORT, '" "', '/\\s+/', '//', 's'])}`);
    if (often(0.2)) {
      const names = Array.from({ length: 1 + below(3) }, () => one(EVERY_IMPORT));
      lines.push(
        one([
          `%import common.${names[0]}`,
          `%import common.${names[0]} -> ${one(['OWN', 'own', 'A'])}`,
          `%import common (${names.join(one([', ', ',']))})`,
          ...(often(faults * 4)
            ? [
                `%import common(${names.join(' ')})`,
                '%import .a.B',
                '%import common',
                '%import common.*',
                `%import common.${names[0]} OWN`,
              ]
            : []),
        ]),
      );
    }
    if (often(0.12)) lines.push(header(faults));
    if (often(faults * 4)) lines.push(one([...BAD_LINES, ...EXTENSIONS]));
    if (often(0.2))
      lines.splice(below(lines.length), 0, one(['', '// note', '   ', '# note', '\t', '//', '/////', '# é "']));
    const order = often(0.3) ? lines.sort(() => random() - 0.5) : lines;
    let text = order
      .map((line) => (often(0.03) ? `${line}${one([' // c', '# c', '  '])}` : line))
      .join(often(0.05) ? '\r\n' : '\n');
    if (often(0.7)) text = text.replace(/([i)\]])~(\d+)\.\./g, '$1 ~$2..');
    return `${often(0.03) ? one(['\n', ' ', '\t\n', '// c\n']) : ''}${text}${often(0.8) ? '\n' : ''}`;
  }

  const GLUE = [
    ...OPERATORS,
    ...BAD_OPERATORS,
    ...SPECIAL,
    ...BAD_SPECIAL,
    '%json {}',
    '%json',
    '%regex ',
    '%lark {',
    '\n}',
    '%if true',
    '::',
    '::_',
    '_',
    '&',
    '..',
    '->',
    '1..3',
    '~1..3',
    '~2',
    '"a"i',
    '"b"',
    '/c/',
    '/d/i',
    'A',
    'r',
    'start: ',
    '\nstart: "x"',
    '\nr: ',
    '\nA: ',
    '1',
    '1.',
    '.',
    '0x1',
    '%import common.INT',
    '%ignore ',
    '%declare A',
    ',',
    '=',
    '[lazy]',
    '{2}',
    '{1,2}',
    '*',
    '+',
    '?',
    '!',
    '(',
    ')',
    '[',
    ']',
    '|',
    '\n  | ',
    ' ',
    '  ',
    '\n',
  ];

  /** Tokens one after another, with or without blanks: what splits a text apart must agree. */
  function glued() {
    let text = often(0.7) ? 'start: ' : '';
    for (let left = 1 + below(often(0.3) ? 14 : 6); left > 0; left--) text += one(GLUE) + (often(0.3) ? ' ' : '');
    if (often(0.5)) text += '\nr: "y"\nA: /z/\n';
    return text;
  }

  return { regexes, schema, grown, glued };
}
