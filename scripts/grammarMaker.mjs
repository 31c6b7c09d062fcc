// Grammars by chance, the same for the same seed.

import { grammarGrower } from './grammarGrower.mjs';
import {
  BAD_LINES,
  BAD_OPERATORS,
  BAD_REGEXES,
  BAD_STRINGS,
  EXTENSIONS,
  IMPORTS,
  OPERATORS,
  REGEXES,
  STRINGS,
} from './grammarParts.mjs';

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

/**
 * @param {() => number} random
 * @param {readonly string[]} recorded Grammars that changes start from.
 */
export function grammarMaker(random, recorded) {
  const below = (/** @type {number} */ most) => Math.floor(random() * most);
  /** @template T @param {readonly T[]} list @returns {T} */
  const one = (list) => /** @type {T} */ (list[below(list.length)]);
  const often = (/** @type {number} */ share) => random() < share;

  const short = recorded.filter((each) => each.length < 2_000);
  const RULES = ['r', 's', 'list', 'item-x', '_in', 'x'];
  const TERMINALS = ['A', 'B', 'WORD', 'NUM', '_SEP'];

  /** Terminals that a terminal may use. */
  let usable = TERMINALS;

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
    if (roll < 0.55) return one(['"a".."f"', '"0".."9"', '"A".."Z"', '"0".."f"']);
    return terminal ? one([...usable, ...STRINGS]) : one([...RULES, ...TERMINALS, 'INT']);
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
    const faults = often(0.6) ? 0 : 0.006;
    const lines = [`start: ${alternatives(2, false, faults)}`];
    for (const rule of RULES)
      if (often(0.98))
        lines.push(`${often(0.1) ? one(['?', '!', '?']) : ''}${rule}: ${alternatives(2, false, faults)}`);
    for (const [i, name] of TERMINALS.entries()) {
      usable = often(0.02) ? TERMINALS : TERMINALS.slice(i + 1);
      // Terminals use those behind them, so that there are no circles but by chance.
      if (often(0.99)) lines.push(`${name}: ${alternatives(1, true, faults)}`);
    }
    if (often(0.97)) lines.push('%import common.INT');
    if (often(0.4)) lines.push(`%ignore ${one(['WORD', '/ +/', '" "', 'INT', '(" " | "\\n")+'])}`);
    if (often(0.2)) lines.push(one(IMPORTS));
    if (often(0.15)) lines.push(one(EXTENSIONS).replace(/^x/, 'ext').replace(/^E/, 'EXT'));
    if (often(faults * 8)) lines.push(one(BAD_LINES));
    if (often(0.1)) lines.splice(below(lines.length), 0, one(['', '// note', '   ', '# note']));
    const order = often(0.3) ? lines.sort(() => random() - 0.5) : lines;
    let text = order.join(often(0.05) ? '\r\n' : '\n') + (often(0.8) ? '\n' : '');
    if (often(0.7)) text = text.replace(/([i)\]])~(\d+)\.\./g, '$1 ~$2..');
    return text;
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

  const { regexes, schema, grown, glued } = grammarGrower(random);

  const UNUSUAL = [
    '\ufeff',
    '\u00a0',
    '\u2028',
    '\u0085',
    '\f',
    '\v',
    '\r',
    '\0',
    '😀',
    '\u200b',
    '\x7f',
    'ſ',
    'K',
    '\ud83d',
    '\ufffd',
    'İ',
  ];

  /** A grammar with a few changes, most often a recorded one. */
  function mutated() {
    let grammar = often(0.3) ? one([made, grown])() : one(short);
    for (let changes = often(0.7) ? 1 : 2 + below(2); changes > 0; changes--) {
      const at = below(grammar.length + 1);
      const [before, after] = [grammar.slice(0, at), grammar.slice(at)];
      const roll = random();
      if (roll < 0.25) grammar = before + after.slice(1 + below(3));
      else if (roll < 0.5) grammar = before + one(SNIPPETS) + after;
      else if (roll < 0.58) {
        const lines = grammar.split('\n');
        lines.splice(below(lines.length), 1);
        grammar = lines.join('\n');
      } else if (roll < 0.63) {
        // A piece of another grammar, or of this one.
        const other = often(0.5) ? grammar : one(recorded);
        const from = below(other.length);
        grammar = before + other.slice(from, from + 1 + below(30)) + after;
      } else if (roll < 0.66) grammar = before + one(UNUSUAL) + after;
      else if (roll < 0.7) grammar = grammar.replace(/\/(?:\\.|[^/\\\n])+\/[imsux]*/, () => regexes.literal(0.03));
      else if (roll < 0.73) grammar = grammar.replace(/%json\s*\{.*\}/, () => `%json ${schema()}`);
      else if (roll < 0.81) {
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

  const ODD = [
    '',
    ' ',
    '\n',
    '// only a comment',
    '{',
    '{}',
    '{"grammars": []}',
    '[]',
    '\u0085',
    '\ufeffstart: "a"',
    'start',
    'start:',
    '%',
    '"',
    '/',
  ];

  /** Any of them. */
  function any() {
    const roll = random();
    if (roll < 0.25) return made();
    if (roll < 0.55) return grown();
    if (roll < 0.65) return glued();
    if (roll < 0.653) return one(ODD);
    return mutated();
  }

  return { any, made, grown, glued, mutated };
}
