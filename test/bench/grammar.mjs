// The grammar engine against reference Lark (in the same run where Python and lark 1.3.1 are there, else against
// recorded times), chevrotain and nearley.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { jsonText } from './generate.mjs';
import { medians, ms, report } from './measure.mjs';

/** @param {string} name */
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');

const JSON_GRAMMAR = read('json.lark');
const PATCH_GRAMMAR = read('patch.lark');
const RIGHT_RECURSION = 'start: list\nlist: A | A "," list\nA: "a"\n';
const LARK = '1.3.1';

/**
 * Milliseconds of Lark 1.3.1 with Python 3.11.7 on two cores, recorded on texts of the same kind and size.
 * @type {Record<string, { load: number, parse: number | null }>}
 */
const RECORDED = {
  lalr: { load: 3.4, parse: 88 },
  earley: { load: 2.4, parse: 5394 },
  python: { load: 670, parse: null },
};

/** @param {any} core the bundle of core.ts */
export async function measureGrammars(core) {
  const text = jsonText(100_000);
  const lark = larkTimes({
    lalr: { grammar: JSON_GRAMMAR, options: { parser: 'lalr' }, text, rounds: 7 },
    earley: { grammar: JSON_GRAMMAR, options: { parser: 'earley' }, text, rounds: 3 },
    python: { grammar: 'lark:python', options: { parser: 'lalr', start: 'file_input' }, rounds: 5 },
  });
  console.log(`Lark: ${lark.source}. JSON text: ${text.length.toLocaleString('en-US')} characters.`);

  /** @param {string} grammar @param {object} options @param {object} [more] */
  const parserFor = (grammar, options, more = {}) => {
    const loaded = core.loadGrammar(core.parseGrammar(grammar), more);
    if (loaded.problems.length > 0) throw new Error(`The grammar does not load: ${loaded.problems[0].code}.`);
    const made = core.createParser(loaded.grammar, options);
    if (made.problem !== undefined) throw new Error(`There is no parser: ${made.problem.code}.`);
    return made.parser;
  };
  /** @param {any} parser @param {string} input */
  const parse = (parser, input) => {
    const result = parser.parse(input);
    if (!result.accepted) throw new Error(`The text is refused: ${result.error.kind}.`);
    return result.tree;
  };

  const { chevrotainActions, chevrotainCst, nearleyCharacters, nearleyMoo } = await import('./rivals.mjs');
  const lalr = parserFor(JSON_GRAMMAR, { parser: 'lalr' });
  const [ours, cst, actions] = await medians(
    25,
    () => parse(lalr, text),
    () => chevrotainCst(text),
    () => chevrotainActions(text),
  );
  report(
    'LALR with tree / Lark',
    ours / lark.times.lalr.parse,
    0.33,
    `${ms(ours)} against ${ms(lark.times.lalr.parse)}`,
  );
  report('LALR with tree / chevrotain', ours / cst, 3, `${ms(ours)} against ${ms(cst)} with its own tree`);
  report('LALR with tree / chevrotain, actions', ours / actions, 3, `${ms(ours)} against ${ms(actions)} with our tree`);

  const earley = parserFor(JSON_GRAMMAR, { parser: 'earley' });
  const [dynamic, characters, tokens] = await medians(
    5,
    () => parse(earley, text),
    () => nearleyCharacters(text),
    () => nearleyMoo(text),
  );
  const theirs = lark.times.earley.parse;
  report('Earley dynamic / Lark', dynamic / theirs, 0.1, `${ms(dynamic)} against ${ms(theirs)}`);
  const moo = `${ms(dynamic)} against ${ms(characters)}; nearley with moo takes ${ms(tokens)}`;
  report('Earley dynamic / nearley without lexer', dynamic / characters, 1, moo);

  const list = parserFor(RIGHT_RECURSION, { parser: 'earley' });
  const [short, long] = await medians(
    101,
    () => parse(list, tokensText(500)),
    () => parse(list, tokensText(2000)),
  );
  report('right recursion of 2,000 tokens, ms', long, 200, ms(long));
  const growth = `${ms(short)} and ${ms(long)}: 1.00 is linear`;
  report('right recursion, 2,000 / 4 times 500 tokens', long / (4 * short), 1.5, growth);

  // With a start of its own, so that the rules look at all of it.
  const python = `${core.libraryText('python.lark')}\nstart: file_input\n`;
  const loadPython = () => parserFor(python, { parser: 'lalr' }, { start: ['start'] });
  const options = { targets: ['openai', 'llguidance', 'lark'], memory: new core.GrammarMemory() };
  // Many rounds: an editor's server has long been warm.
  const [load, pythonEdit] = await medians(
    45,
    loadPython,
    edits(python, (edited) => core.checkGrammar(edited, options)),
  );
  const larkLoad = lark.times.python.load;
  report('python.lark, load / Lark', load / larkLoad, 0.2, `${ms(load)} against ${ms(larkLoad)}`);
  report('python.lark, edit to findings / load', pythonEdit / load, 1.5, `${ms(pythonEdit)} against ${ms(load)}`);
  const [patchEdit] = await medians(
    51,
    edits(PATCH_GRAMMAR, (edited) => core.checkGrammar(edited, options)),
  );
  report('patch grammar, edit to findings, ms', patchEdit, 20, ms(patchEdit));
}

/** So many tokens: items and the commas between them. @param {number} count */
function tokensText(count) {
  return `${'a,'.repeat(count / 2 - 1)}a`;
}

/**
 * Types one more character into a name or a text of a grammar in each round, as people do, and hands the text on.
 * @param {string} grammar
 * @param {(text: string) => unknown} check
 */
function edits(grammar, check) {
  const places = [...grammar.matchAll(/"[a-z]+/g)].map((match) => match.index + match[0].length);
  let round = 0;
  let text = grammar;
  return () => {
    const place = places[(round * 7) % places.length] ?? 0;
    text = `${grammar.slice(0, place)}${'abcdefghij'.charAt(round % 10)}${grammar.slice(place)}`;
    round++;
    return check(text);
  };
}

/**
 * Times of Lark on these cases: measured now, or the recorded ones.
 * @param {Record<string, object>} cases
 * @returns {{ source: string, times: Record<string, any> }}
 */
function larkTimes(cases) {
  const script = new URL('lark_times.py', import.meta.url).pathname;
  const { stdout, status } = spawnSync('python3', [script], { input: JSON.stringify(cases), encoding: 'utf8' });
  if (status !== 0) return { source: 'not there, so recorded times are taken', times: RECORDED };
  const { version, times } = JSON.parse(stdout);
  if (version !== LARK)
    return { source: `${version} is there, so recorded times of ${LARK} are taken`, times: RECORDED };
  return { source: `${version}, timed in this run`, times };
}
