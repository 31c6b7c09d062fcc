// Regular expressions by chance, in the syntax of Rust, and with what other dialects have.

/** @param {() => number} random */
export function regexMaker(random) {
  const below = (/** @type {number} */ most) => Math.floor(random() * most);
  /** @template T @param {readonly T[]} list @returns {T} */
  const one = (list) => /** @type {T} */ (list[below(list.length)]);
  const often = (/** @type {number} */ share) => random() < share;

  const CHARACTERS = [
    'a',
    'b',
    'z',
    '0',
    '9',
    ' ',
    '_',
    '-',
    ',',
    ':',
    'é',
    '日',
    '😀',
    '"',
    "'",
    '=',
    '<',
    '#',
    '&',
    '~',
    '!',
    '%',
    '@',
    '`',
    ';',
  ];
  const ESCAPES = [
    '\\d',
    '\\w',
    '\\s',
    '\\D',
    '\\W',
    '\\S',
    '\\n',
    '\\t',
    '\\r',
    '\\\\',
    '\\.',
    '\\/',
    '\\-',
    '\\"',
    '\\x41',
    '\\u0041',
    '\\u{e9}',
    '\\x{1F600}',
    '\\U0001F600',
    '\\p{L}',
    '\\pN',
    '\\P{Lu}',
    '\\p{Greek}',
    '\\[',
    '\\]',
    '\\(',
    '\\)',
    '\\{',
    '\\}',
    '\\|',
    '\\*',
    '\\#',
    '\\&',
    '\\~',
    '\\ ',
    '\\a',
    '\\f',
    '\\v',
    '\\xff',
    '\\_',
    '\\@',
    '\\%',
  ];
  const FOREIGN = [
    '\\b',
    '\\B',
    '\\1',
    '\\012',
    '\\0',
    '\\Z',
    '\\z',
    '\\A',
    '\\G',
    '\\K',
    '\\R',
    '\\X',
    '\\Q',
    '\\h',
    '\\H',
    '\\e',
    '\\c',
    '\\cA',
    '\\N',
    '\\N{DASH}',
    '\\p{Nope}',
    '\\p',
    '\\x4',
    '\\u12',
    '\\u{}',
    '\\u{110000}',
    '\\ud800',
    '\\x{d800}',
    '\\<',
    '\\>',
    '\\b{start}',
    '\\b{nope}',
    '\\E',
    '\\k<n>',
    '\\g1',
    '\\é',
    '\\p{L',
    '\\y',
    '\\i',
  ];
  const GROUPS = [
    '(',
    '(',
    '(?:',
    '(?:',
    '(?i:',
    '(?s:',
    '(?x:',
    '(?U:',
    '(?-i:',
    '(?m:',
    '(?P<n>',
    '(?<k>',
    '(?i-s:',
    '(?-u:',
    '(?u:',
    '(?R:',
  ];
  const FOREIGN_GROUPS = [
    '(?=',
    '(?!',
    '(?<=',
    '(?<!',
    '(?>',
    '(?#',
    '(?|',
    '(?(1)',
    "(?'q'",
    '(?P=n)',
    '(?&x)',
    '(?P>x)',
    '(?R)',
    '(?1)',
    '(?P<',
    '(?<1>',
    '(?<>',
    '(?-:',
    '(?)',
    '(?ii:',
    '(?q:',
    '(?',
    '(?a:',
    '(?L:',
  ];
  const REPEATS = [
    '?',
    '*',
    '+',
    '{2}',
    '{1,3}',
    '{2,}',
    '{0,0}',
    '{0}',
    '??',
    '*?',
    '+?',
    '{1,2}?',
    '++',
    '*+',
    '?+',
    '{ 1 , 2 }',
    '{1,2}*',
  ];
  const FOREIGN_REPEATS = ['{,2}', '{', '{a}', '{3,1}', '{2', '{2,', '{2,x}', '{}', '{-1}', '{99999999999}', '{1}{2}'];
  const FLAGS = ['i', 's', 'x', 'm', 'u', 'is', 'ix', 'imsux'];
  const POSIX = ['[:alpha:]', '[:^digit:]', '[:word:]', '[:nope:]', '[:alpha', '[:alnum:]'];
  const OPERATORS = ['&&', '--', '~~'];

  /** @param {number} faults @param {number} depth */
  function classOf(faults, depth) {
    const parts = [];
    if (often(0.2)) parts.push('^');
    if (often(0.1)) parts.push(one(['-', ']', '--', '^']));
    for (let left = 1 + below(4); left > 0; left--) {
      const roll = random();
      if (roll < 0.35) parts.push(one(CHARACTERS.filter((c) => c !== '#' && c !== '&' && c !== '~' && c !== '-')));
      else if (roll < 0.6)
        parts.push(
          one([
            'a-z',
            'A-Z',
            '0-9',
            '!-~',
            'à-ÿ',
            '\\x00-\\x1f',
            ...(often(faults * 4) ? ['z-a', 'a-\\d', '\\d-a'] : []),
          ]),
        );
      else if (roll < 0.8) parts.push(one(often(faults) ? FOREIGN : ESCAPES));
      else if (roll < 0.86) parts.push(one(POSIX));
      else if (roll < 0.92 && depth > 0) parts.push(classOf(faults, depth - 1));
      else if (roll < 0.96) parts.push(one(OPERATORS));
      else parts.push(one(['.', '*', '(', ')', '{', '}', '|', '$', '^', '+', '?', '-', ' ', '#']));
    }
    if (often(0.05)) parts.push('-');
    return `[${parts.join('')}${often(faults) ? '' : ']'}`;
  }

  /** @param {number} depth @param {number} faults @returns {string} */
  function item(depth, faults) {
    const roll = random();
    let text;
    if (roll < 0.4) text = one(CHARACTERS);
    else if (roll < 0.52) text = one(often(faults * 2) ? FOREIGN : ESCAPES);
    else if (roll < 0.68) text = classOf(faults, 1);
    else if (roll < 0.74) text = '.';
    else if (roll < 0.77) text = one(['^', '$', '(?i)', '(?s)', '(?x)', '(?-u)', '\\A', '\\z']);
    else if (depth > 0) {
      const open = one(often(faults) ? FOREIGN_GROUPS : GROUPS);
      text = `${open}${alternatives(depth - 1, faults)}${often(faults) ? '' : ')'}`;
    } else text = one(CHARACTERS);
    if (often(0.3)) text += one(often(faults) ? FOREIGN_REPEATS : REPEATS);
    return text;
  }

  /** @param {number} depth @param {number} faults @returns {string} */
  function alternatives(depth, faults) {
    const count = often(0.25) ? 2 + below(2) : 1;
    return Array.from({ length: count }, () => {
      const parts = Array.from({ length: often(0.06) ? 0 : 1 + below(3) }, () => item(depth, faults));
      if (often(0.06)) parts.unshift('^');
      if (often(0.06)) parts.push('$');
      return parts.join('');
    }).join('|');
  }

  return {
    /** An expression without slashes around it. */
    pattern: (/** @type {number} */ faults) => alternatives(2, faults),
    /** A literal of a grammar. */
    literal(/** @type {number} */ faults) {
      let body = alternatives(2, faults);
      if (!often(faults / 2)) body = body.replace(/(\\[\s\S])|\//g, (_all, escaped) => escaped ?? '\\/');
      if (body === '' || body.startsWith('*')) body = `a${body}`;
      if (often(0.02)) body += '\n';
      const flags = often(0.15) ? one(often(faults) ? ['g', 'l', 'ii', 'a', 'U'] : FLAGS) : '';
      return `/${body}/${flags}`;
    },
  };
}
