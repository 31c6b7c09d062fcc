import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { TokenKind } from '../../../server/src/core/grammar/lex';
import { parseGrammar } from '../../../server/src/core/grammar/parse';
import { EmbeddedText } from '../../../server/src/core/text/embedded';
import { readJson } from '../tidy/sources';
import { loadGrammar, type ScopedToken, shown, tokensOf } from './tokens';

const lark = await loadGrammar('source.lark');
const json = await loadGrammar('source.json');

/** Each piece of a grammar with its innermost scope, `.lark` left out. */
const scopes = (text: string): string[] => shown(tokensOf(lark, text)).map((each) => each.replace(/\.lark$/, ''));

/** The same for a grammar inside a JSON string. */
function embeddedScopes(text: string): string[] {
  const document = `{"syntax": "lark", "definition": ${JSON.stringify(text)}}`;
  const tokens = tokensOf(json, document).filter((token) => token.scopes.includes('meta.inline.lark'));
  return shown(tokens).map((each) => each.replace(/\.lark$/, ''));
}

describe('a grammar', () => {
  test('has heads of rules, terminals and templates', () => {
    expect(scopes('!?start.2: x\n_A.-1: "x"\nt{a, b}: a')).toEqual([
      '!? storage.modifier',
      'start entity.name.function.rule',
      '. punctuation.separator.priority',
      '2 constant.numeric.priority',
      ': punctuation.separator.definition',
      'x variable.other.rule',
      '_A entity.name.type.terminal',
      '. punctuation.separator.priority',
      '-1 constant.numeric.priority',
      ': punctuation.separator.definition',
      '" punctuation.definition.string.begin',
      'x string.quoted.double',
      '" punctuation.definition.string.end',
      't entity.name.function.rule',
      '{ punctuation.definition.parameters.begin',
      'a variable.parameter',
      ', punctuation.separator.parameter',
      'b variable.parameter',
      '} punctuation.definition.parameters.end',
      ': punctuation.separator.definition',
      'a variable.other.rule',
    ]);
  });

  test('has operators', () => {
    expect(scopes('a: B? (c | [d]+)* e~2..3 -> f\n | t{"x"} F{2,} & ~G')).toEqual([
      'a entity.name.function.rule',
      ': punctuation.separator.definition',
      'B support.type.terminal',
      '? keyword.operator.quantifier',
      '( punctuation.section.group.begin',
      'c variable.other.rule',
      '| keyword.operator.or',
      '[ punctuation.section.optional.begin',
      'd variable.other.rule',
      '] punctuation.section.optional.end',
      '+ keyword.operator.quantifier',
      ') punctuation.section.group.end',
      '* keyword.operator.quantifier',
      'e variable.other.rule',
      '~ keyword.operator.quantifier',
      '2 constant.numeric.quantifier',
      '.. keyword.operator.range',
      '3 constant.numeric.quantifier',
      '-> keyword.operator.alias',
      'f entity.name.tag.alias',
      '| keyword.operator.or',
      't entity.name.function.template',
      '{ punctuation.section.arguments.begin',
      '" punctuation.definition.string.begin',
      'x string.quoted.double',
      '" punctuation.definition.string.end',
      '} punctuation.section.arguments.end',
      'F support.type.terminal',
      '{ keyword.operator.quantifier',
      '2 constant.numeric.quantifier',
      ', keyword.operator.quantifier',
      '} keyword.operator.quantifier',
      '& keyword.operator.and',
      '~ keyword.operator.not',
      'G support.type.terminal',
    ]);
  });

  test('has strings with escapes and flags', () => {
    expect(scopes('"a\\n\\x41\\q\\x4"i "//" "#"').filter((each) => !each.includes('punctuation'))).toEqual([
      'a string.quoted.double',
      '\\n constant.character.escape',
      '\\x41 constant.character.escape',
      '\\q constant.character.escape.unknown',
      '\\x invalid.illegal.escape',
      '4 string.quoted.double',
      'i storage.modifier.flag',
      '// string.quoted.double',
      '# string.quoted.double',
    ]);
  });

  test('has regular expressions with their parts', () => {
    expect(scopes('/^(?P<n>[^a-z\\/]|\\d{2,3}?)(?<!x)\\1(?P=n).\\p{Lu}$/ims').slice(1, -2)).toEqual([
      '^ keyword.control.anchor.regexp',
      '( punctuation.definition.group.begin.regexp',
      '?P< keyword.operator.group.regexp',
      'n entity.name.group.regexp',
      '> keyword.operator.group.regexp',
      '[ punctuation.definition.character-class.begin.regexp',
      '^ keyword.operator.negation.regexp',
      'a constant.other.character-class.set.regexp',
      '- keyword.operator.range.regexp',
      'z constant.other.character-class.set.regexp',
      '\\/ constant.character.escape.regexp',
      '] punctuation.definition.character-class.end.regexp',
      '| keyword.operator.or.regexp',
      '\\d constant.character.escape.class.regexp',
      '{2,3}? keyword.operator.quantifier.regexp',
      ') punctuation.definition.group.end.regexp',
      '( punctuation.definition.group.begin.regexp',
      '?<! keyword.operator.group.regexp',
      'x string.regexp',
      ') punctuation.definition.group.end.regexp',
      '\\1 keyword.other.back-reference.regexp',
      '( punctuation.definition.group.begin.regexp',
      '?P= keyword.operator.group.regexp',
      'n keyword.other.back-reference.regexp',
      ') punctuation.definition.group.end.regexp',
      '. constant.other.character-class.any.regexp',
      '\\p{Lu} constant.character.escape.unicode.regexp',
      '$ keyword.control.anchor.regexp',
    ]);
    expect(scopes('/a/ims').slice(-2)).toEqual(['/ punctuation.definition.string.end', 'ims storage.modifier.flag']);
  });

  test('has regular expressions of several lines, which end at the next definition at the latest', () => {
    expect(scopes('A: /a # x\n  b/x\nb: c').slice(3)).toEqual([
      'a string.regexp.multiline',
      '# x comment.line.number-sign.regexp',
      'b string.regexp.multiline',
      '/ punctuation.definition.string.end',
      'x storage.modifier.flag',
      'b entity.name.function.rule',
      ': punctuation.separator.definition',
      'c variable.other.rule',
    ]);
    expect(scopes('A: /a\nb: c').slice(3, 5)).toEqual(['a string.regexp.multiline', 'b entity.name.function.rule']);
  });

  test('has directives and comments', () => {
    expect(scopes('%import a.b.WS -> W // x\n%import .m (A, b)\n%ignore W # y\n%declare X\n%extend A: "b"')).toEqual([
      '%import keyword.control.import',
      'a entity.name.namespace',
      '. punctuation.separator.path',
      'b entity.name.namespace',
      '. punctuation.separator.path',
      'WS entity.name.type.terminal',
      '-> keyword.operator.alias',
      'W entity.name.type.terminal',
      '// punctuation.definition.comment',
      'x comment.line.double-slash',
      '%import keyword.control.import',
      '. punctuation.separator.path',
      'm entity.name.namespace',
      '( punctuation.section.list.begin',
      'A entity.name.type.terminal',
      ', punctuation.separator.list',
      'b entity.name.function.rule',
      ') punctuation.section.list.end',
      '%ignore keyword.control.directive',
      'W support.type.terminal',
      '# punctuation.definition.comment',
      'y comment.line.number-sign',
      '%declare keyword.control.directive',
      'X entity.name.type.terminal',
      '%extend keyword.control.directive',
      'A entity.name.type.terminal',
      ': punctuation.separator.definition',
      '" punctuation.definition.string.begin',
      'b string.quoted.double',
      '" punctuation.definition.string.end',
    ]);
  });

  test('has what only llguidance reads', () => {
    expect(
      scopes('a-b[lazy, stop="x", max_tokens=3]: <tok> @g').filter((each) => !each.includes('punctuation')),
    ).toEqual([
      'a-b entity.name.function.rule',
      'lazy entity.other.attribute-name',
      'stop entity.other.attribute-name',
      '= keyword.operator.assignment',
      'x string.quoted.double',
      'max_tokens entity.other.attribute-name',
      '= keyword.operator.assignment',
      '3 constant.numeric',
      '<tok> constant.other.token',
      'g variable.other.grammar',
    ]);
    expect(scopes('p::_: p::incr(_) %if lt(_, 0x3)').filter((each) => !each.includes('punctuation'))).toEqual([
      'p entity.name.function.rule',
      ':: keyword.operator.parameter',
      '_ variable.parameter',
      'p variable.other.rule',
      ':: keyword.operator.parameter',
      'incr support.function.parameter',
      '_ variable.language.parameter',
      '%if keyword.control.conditional',
      'lt support.function.condition',
      '_ variable.language.parameter',
      '0x3 constant.numeric.parameter',
    ]);
    expect(
      scopes('a: %json {"b": [1, true],\n "c": "d"} "e"').filter((each) => /json|string\.quoted/.test(each)),
    ).toEqual([
      '%json keyword.control.directive',
      '{ punctuation.definition.dictionary.begin.json',
      '" support.type.property-name.json',
      'b support.type.property-name.json',
      '" support.type.property-name.json',
      ': punctuation.separator.dictionary.key-value.json',
      '[ punctuation.definition.array.begin.json',
      '1 constant.numeric.json',
      ', punctuation.separator.json',
      'true constant.language.json',
      '] punctuation.definition.array.end.json',
      ', punctuation.separator.json',
      '" support.type.property-name.json',
      'c support.type.property-name.json',
      '" support.type.property-name.json',
      ': punctuation.separator.dictionary.key-value.json',
      '" string.quoted.double.json',
      'd string.quoted.double.json',
      '" string.quoted.double.json',
      '} punctuation.definition.dictionary.end.json',
      'e string.quoted.double',
    ]);
    expect(scopes('a: %lark {\nb: C\n}\nd: e').slice(2, 9)).toEqual([
      '%lark keyword.control.directive',
      '{ punctuation.section.grammar.begin',
      'b entity.name.function.rule',
      ': punctuation.separator.definition',
      'C support.type.terminal',
      '} punctuation.section.grammar.end',
      'd entity.name.function.rule',
    ]);
  });

  test('marks what no dialect reads', () => {
    expect(scopes("a: 'b' ;\n%nope").filter((each) => each.includes('invalid'))).toEqual([
      "'b' invalid.illegal.quote",
      '; invalid.illegal.character',
      '%nope invalid.illegal.directive',
    ]);
  });
});

describe('a grammar in a JSON string', () => {
  test('has the same scopes', () => {
    const text = '?a.1: b "c"i | D+ -> e\n  | /[^f-g]+/ // h\n%import common.WS -> W\n# i\nt{x}: x~2';
    const own = scopes(text);
    expect(embeddedScopes(text).filter((each) => each !== '\\n constant.character.escape.json')).toEqual(
      own.map((each) => each.replace(/^"/, '\\"')),
    );
  });

  test('has escapes of both kinds', () => {
    expect(embeddedScopes('a: "\\n\\"" /\\d\\/\\\\"/').slice(2)).toEqual([
      '\\" punctuation.definition.string.begin',
      '\\\\n constant.character.escape',
      '\\\\\\" constant.character.escape',
      '\\" punctuation.definition.string.end',
      '/ punctuation.definition.string.begin',
      '\\\\d constant.character.escape.class.regexp',
      '\\\\/ constant.character.escape.regexp',
      '\\\\\\\\ constant.character.escape.regexp',
      '\\" constant.character.escape.json',
      '/ punctuation.definition.string.end',
    ]);
  });

  const embedded = (document: string): string =>
    tokensOf(json, document)
      .filter((token) => token.scopes.includes('meta.inline.lark'))
      .map(({ text }) => text)
      .join('');

  test.each([
    ['behind its syntax', '{"syntax": "lark", "definition": "file: x"}', 'file: x'],
    ['behind its syntax, on the next line', '{\n  "syntax": "lark",\n  "definition": "file: x"\n}', 'file: x'],
    ['before its syntax on one line', '{"definition": "file: x", "syntax": "lark"}', 'file: x'],
    ['with a start rule', '{\n"definition": "A: \\"b\\"\\n?start: A",\n"syntax": "lark"}', 'A: \\"b\\"\\n?start: A'],
    ['with a comment first', '{"definition": "// c\\nfile: x"}', '// c\\nfile: x'],
    ['with an import', '{"definition": "%import common.WS\\nfile: x"}', '%import common.WS\\nfile: x'],
    ['that is a regular expression', '{"syntax": "regex", "definition": "a: b"}', ''],
    ['that is a text', '{"definition": "Something: to start: with"}', ''],
    ['of another member', '{"description": "start: x"}', ''],
    ['in a list', '["definition", "start: x"]', ''],
    ['as a value', '{"a": "definition", "b": "start: x"}', ''],
    ['behind another syntax', '{"syntax": "lark",\n"b": 1, "definition": "file: x"}', ''],
  ])('is found: %s', (_, document, expected) => {
    expect(embedded(document)).toBe(expected);
    expect(tokensOf(json, document).filter(({ scopes }) => scopes.some((each) => each.startsWith('invalid')))).toEqual(
      [],
    );
  });

  test('leaves the rest of the document to JSON', () => {
    const document = '{"a": {"syntax": "lark", "definition": "start: \\"x"}, "b": 1, "c": ["d"]}';
    const rest = tokensOf(json, document).filter(({ start }) => start >= document.indexOf('}, "b"'));
    expect(shown(rest)).toEqual(shown(tokensOf(json, '{"x": {}, "b": 1, "c": ["d"]}').slice(-22)));
  });
});

const EXPECTED: Partial<Record<TokenKind, RegExp>> = {
  comment: /^comment\.line/,
  string: /^string\.quoted\.double\.lark/,
  regexp: /^string\.regexp/,
  directive: /^keyword\.control/,
  or: /^keyword\.operator\.or\.lark/,
  and: /^keyword\.operator\.and\.lark/,
  arrow: /^keyword\.operator\.alias/,
  operator: /^keyword\.operator\.quantifier\.lark/,
  tilde: /^keyword\.operator\.(?:quantifier|not)\.lark/,
  rule: /^(?:entity\.name|variable|entity\.other)\b/,
  terminal: /^(?:entity\.name|support\.type)\b/,
  modifiers: /^storage\.modifier/,
  colon: /^punctuation\.separator\.definition/,
  number: /^constant\.numeric/,
  leftParen: /^punctuation\.section/,
  rightParen: /^punctuation\.section/,
  leftBracket: /^punctuation\.(?:section|definition)/,
  rightBracket: /^punctuation\.(?:section|definition)/,
  special: /^constant\.other\.token/,
};

/** Tokens of a grammar without problems whose scope is not the one that their kind has. */
function wrongTokens(text: string, found: readonly ScopedToken[], place: (offset: number) => number): string[] {
  const wrong: string[] = [];
  let i = 0;
  for (const { kind, start, end } of parseGrammar(text).tokens) {
    const pattern = EXPECTED[kind];
    if (pattern === undefined || start === end) continue;
    const at = place(start);
    while (found[i] !== undefined && found[i]!.end <= at) i++;
    if (!found[i]?.scopes.some((scope) => pattern.test(scope))) {
      wrong.push(`${kind} ${text.slice(start, end)}: ${found[i]?.scopes.join(' ')}`);
    }
  }
  return wrong;
}

describe('laws', () => {
  const { vectors } = readJson<{ vectors: { grammar: string }[] }>('test/vectors/lark/vectors.json');
  const grammars = [...new Set(vectors.map(({ grammar }) => grammar))].filter(
    (text) => parseGrammar(text).problems.length === 0,
  );

  test('every token has the scope of its kind', () => {
    expect(grammars.length).toBeGreaterThan(300);
    expect(grammars.flatMap((text) => wrongTokens(text, tokensOf(lark, text), (offset) => offset))).toEqual([]);
  });

  test('also inside a JSON string', () => {
    const head = '{"syntax": "lark", "definition": ';
    const wrong = grammars.flatMap((text) => {
      const document = `${head}${JSON.stringify(text)}, "end": 1}`;
      const embedded = new EmbeddedText(document, head.length);
      const tokens = tokensOf(json, document);
      const end = tokens.at(-2)?.scopes.at(-1) === 'constant.numeric.json' ? [] : [`JSON behind ${text}`];
      return [...wrongTokens(text, tokens, (offset) => embedded.toDocument(offset)), ...end];
    });
    expect(wrong).toEqual([]);
  });
});

describe('the language configuration', () => {
  const file = readFileSync(new URL('../../../syntaxes/lark.language-configuration.json', import.meta.url), 'utf8');
  const configuration = JSON.parse(file) as {
    wordPattern: string;
    indentationRules: { increaseIndentPattern: string; decreaseIndentPattern: string };
    folding: { markers: { start: string; end: string } };
  };

  test('has words that are names and directives', () => {
    const words = (text: string): string[] => text.match(new RegExp(configuration.wordPattern, 'g')) ?? [];
    expect(words('%import a.b->c_1 A-B a->x _X!?y')).toEqual(['%import', 'a', 'b', 'c_1', 'A-B', 'a', 'x', '_X', 'y']);
  });

  test('indents behind a head without a body', () => {
    const { increaseIndentPattern, decreaseIndentPattern } = configuration.indentationRules;
    const increases = (line: string): boolean => new RegExp(increaseIndentPattern).test(line);
    expect(['start:', '!?a.2: ', 't{x, y}:', 'x: %lark {', '%extend a:'].filter(increases)).toHaveLength(5);
    expect(['start: a', '// start:', '    | a'].filter(increases)).toEqual([]);
    expect(new RegExp(decreaseIndentPattern).test('  }')).toBe(true);
  });

  test('folds regions', () => {
    const { start, end } = configuration.folding.markers;
    expect(['// region A', '#region', '// #region x'].every((line) => new RegExp(start).test(line))).toBe(true);
    expect(['// endregion', '#endregion'].every((line) => new RegExp(end).test(line))).toBe(true);
  });
});
