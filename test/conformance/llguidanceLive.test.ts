import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { agreement } from '../../scripts/agreement.mjs';
import { grammarMaker, randomOf } from '../../scripts/grammarMaker.mjs';
import { checkGrammar } from '../../server/src/core/checkGrammar';
import { judgeForEngine } from '../../server/src/core/grammar/dialect/engineCheck';
import { Languages, UNKNOWN } from '../../server/src/core/grammar/regex/automaton';
import { parseRustRegex } from '../../server/src/core/grammar/regex/parseRust';
import { ENGINE_SCHEMA_FORMATS } from '../../server/src/core/profiles/llguidance';
import { render } from '../../server/src/core/text/message';
import { startEngine } from '../engineFiles';

const engine = startEngine();
afterAll(() => engine.close());

const loads = async (text: string): Promise<boolean | undefined> =>
  (await engine.ask({ kind: 'load', grammar: { syntax: 'lark', text } }, { milliseconds: 20_000 })).load?.ok;

const errors = (text: string) =>
  checkGrammar(text, { targets: ['llguidance'] }).filter(({ level }) => level === 'error');

const json = (schema: string): string => `start: %json ⟦${schema}⟧`;

/** What the engine refuses: the rule that says so, and the place that it marks. */
const REFUSED: readonly (readonly [rule: string, grammar: string])[] = [
  // Ranges of counts that it misreads.
  ['tilde-range', 'start: ⟦"a"i~1..3⟧'],
  ['tilde-range', 'start: ⟦("a"i)~1..3⟧'],
  ['tilde-range', 'start: ⟦["a"i]~1..3⟧'],
  ['tilde-range', 'start: ⟦(("a"i))~10..30⟧ "x"'],
  ['tilde-range', 'start:\nunused: ⟦"a"i~0..2⟧'],
  ['tilde-range', 'start: ⟦%json{"type":"null"}~1..2⟧'],
  ['tilde-range', 'start: ⟦<[7]>~1..2⟧'],
  // Tokens by name and number.
  ['special-token', 'start: ⟦<think>⟧'],
  ['special-token', 'start: ⟦<[257]>⟧'],
  ['special-token', 'start: ⟦<[9-7]>⟧'],
  ['special-token', 'start: A\nA: ⟦<[7]>⟧'],
  // %regex is read while the text is split, so what nothing reaches counts too.
  ['provider-refuses', 'start:\nx: ⟦%regex {"a":1}⟧'],
  ['provider-refuses', 'start:\nx: ⟦%regex {"substring_chars":1}⟧'],
  ['provider-refuses', 'start:\nx: ⟦%regex {"substring_chars":"a","substring_chars":"b"}⟧'],
  ['provider-refuses', 'start: ⟦%regex {"substring_chars":"a","substring_words":"b"}⟧'],
  ['provider-refuses', 'start: ⟦%regex {}⟧'],
  // Expressions for bytes.
  ['regex-invalid', '%llguidance {"allow_invalid_utf8":true}\nstart: ⟦/(?-u:\\xff/⟧'],
  ['regex-invalid', '%llguidance {"allow_invalid_utf8":true}\nstart: ⟦/[é]/⟧'],
  ['regex-invalid', '%llguidance {"allow_invalid_utf8":true}\nstart: ⟦/\\p{L}/⟧'],
  ['regex-invalid', '%llguidance {"allow_invalid_utf8":true}\nstart: ⟦"é".."ÿ"⟧'],
  ['regex-invalid', '%llguidance {"allow_invalid_utf8":true}\nstart: "a"\n%ignore ⟦/(?-u:\\xff)/⟧'],
  ['regex-invalid', 'start: ⟦/(?-u:\\xff)/⟧'],
  // Without the flag `x` a blank ends a range, and that is before the letter.
  ['regex-invalid', 'start: ⟦/[a- ]/⟧'],
  ['regex-invalid', 'start: ⟦/(?-u:[[:^digit:]])/⟧'],
  ['regex-invalid', 'start: ⟦/(?-u:[[:^digit:]&&[a-z]])/⟧'],
  ['regex-invalid', 'start: ⟦/(?-u:[^[:^digit:]])/⟧'],
  ['regex-invalid', 'start: ⟦/(?-u:[^a])/⟧'],
  ['regex-invalid', 'start: ⟦/(?-u:\\D)/⟧'],
  ['regex-invalid', 'start: ⟦/(?-u:[[^a]&&[a-z]])/⟧'],
  // Attributes and parameters.
  ['provider-refuses', 'start: a\na⟦[stop="",lazy]⟧: /y/'],
  ['provider-refuses', 'start: a::1\n⟦a⟧::_: b::_~0\nb::_: b::incr(_) "x" | "y" %if eq(_, 3)'],
  ['provider-refuses', 'start: a\na[max_tokens=⟦4294967296⟧]: "y"'],
  // Options of a schema, and what no value fits.
  ['provider-refuses', 'start: %json {"x-guidance":{⟦"lenien":true⟧},"type":"string"}'],
  ['provider-refuses', 'start: %json {"x-guidance":{"coerce_one_of":true,⟦"lenient":1⟧},"type":"string"}'],
  ['provider-refuses', 'start: %json {⟦"x-guidance":null⟧,"type":"string"}'],
  ['provider-refuses', 'start: %json {"x-guidance":{⟦"whitespace_pattern":"("⟧},"type":"null"}'],
  ['provider-refuses', json('{"x-guidance":{"json_allowed_escapes":"x"},"type":"string"}')],
  ['provider-refuses', json('{"type":"integer","minimum":5,"maximum":3}')],
  ['provider-refuses', json('{"type":"integer","exclusiveMinimum":1,"exclusiveMaximum":2}')],
  ['provider-refuses', json('{"type":"number","multipleOf":0.07}')],
  ['provider-refuses', json('{"type":"number","multipleOf":2,"minimum":3,"maximum":3.5}')],
  ['provider-refuses', json('{"type":"integer","minimum":1e18}')],
  ['provider-refuses', json('{"type":"integer","minimum":-1e19,"maximum":1}')],
  ['provider-refuses', json('{"type":"integer","maximum":-1e18}')],
  ['provider-refuses', json('{"type":"number","maximum":1e19}')],
  ['provider-refuses', json('{"type":"number","minimum":1e18}')],
  ['provider-refuses', json('{"type":"number","minimum":0,"maximum":1e19}')],
  ['provider-refuses', json('{"type":"array","minItems":3,"maxItems":1}')],
  ['provider-refuses', json('{"type":"array","prefixItems":[false],"minItems":1}')],
  ['provider-refuses', json('{"type":"string","minLength":3,"maxLength":1}')],
  ['provider-refuses', json('{"type":"string","pattern":"^a$","maxLength":0}')],
  ['provider-refuses', json('{"const":"abc","maxLength":2,"type":"string"}')],
  ['provider-refuses', json('{"type":"string","format":"duration","maxLength":2}')],
  ['provider-refuses', json('{"type":"string","format":"time","maxLength":8}')],
  ['provider-refuses', json('{"type":"string","format":"email","maxLength":2}')],
  ['provider-refuses', json('{"type":"string","format":"ipv6","maxLength":1}')],
  ['provider-refuses', json('{"type":"string","format":"uri","maxLength":1}')],
  ['provider-refuses', json('{"type":"string","format":"date","pattern":"-02-3"}')],
  ['provider-refuses', json('{"type":"string","format":"hostname","const":"-a"}')],
  ['provider-refuses', json('{"type":"string","format":"email","pattern":"^.$","maxLength":61}')],
  ['provider-refuses', json('{"type":"string","format":"ipv6","pattern":"^[0-9]+$","minLength":19}')],
  ['provider-refuses', json('{"type":"string","format":"uri","pattern":"^$","minLength":36}')],
  ['provider-refuses', json('{"type":"string","format":"duration","pattern":"^(?:^a|(^)b)"}')],
  ['provider-refuses', json('{"type":"string","format":"date","pattern":"(?:x$|[^0-9](?:$))"}')],
  ['provider-refuses', json('{"type":"string","const":"ba","pattern":"(^a|c)"}')],
  ['provider-refuses', json('{"type":"string","const":"a","pattern":"^$"}')],
  ['provider-refuses', json('{"type":"object","patternProperties":{"a":true,"b":true}}')],
  ['provider-refuses', json('{"type":"object","properties":{"a":true,"b":true},"minProperties":1}')],
  ['provider-refuses', json('{"type":"object","required":["a"],"additionalProperties":false}')],
  ['provider-refuses', 'start: %json {⟦"dependencies":{}⟧}'],
  ['provider-refuses', 'start: %json {"type":"array","items":{"type":"string",⟦"format":"nope"⟧}}'],
  ['provider-refuses', 'start: %json {"properties":{"a":⟦{"type":"nope"}⟧}}'],
  ['provider-refuses', 'start: %json {"items":{⟦"maxLength":-1⟧}}'],
  ['provider-refuses', json('{"$ref":"#a"}')],
  ['provider-refuses', 'start: %json {"$defs":{"a":⟦{"$ref":"#/$defs/a","type":"string"}⟧},"$ref":"#/$defs/a"}'],
  ['provider-refuses', 'start: %json {"anyOf":[{"type":"null"},⟦{"type":"string","pattern":"a(?=b)"}⟧]}'],
];

/** What it takes, however it looks. */
const TAKEN: readonly string[] = [
  'start: "a"i ~1..3',
  'start: "a"i~1 ..3',
  'start: "a"i~1 .. 3',
  'start: "a"~1..3',
  'start: /a/i~1..3',
  'start: A~1..3\nA: "a"',
  'start: ("b"i "a")~1..3',
  'start: ("a"i )~1..3',
  'start: <[7]>',
  'start: <|end|>',
  'start: <[^0-256]>',
  'start: "a"\nunused: <think>',
  'start: %regex [["a"],null,null]',
  'start: %regex {"substring_chars":"a","substring_words":null}',
  '%llguidance {"allow_invalid_utf8":true}\nstart: /[\\xff]./ /é/ /(?u:[é])/',
  'start: /(?-u:\\x{ff})/',
  'start: /[a- ]/x',
  'start: /(?-u:[[:digit:]&&[a-z0]])/',
  'start: "\ude00"',
  'start: a\na[stop="x",lazy]: /y/',
  'start: a\na[suffix="",lazy]: /y/',
  'start: a\na[max_tokens=3]: %json {"type":"object"}*',
  'start: %json {"x-guidance":[],"type":"string"}',
  'start: %json {"x-guidance":{"lenient":true},"not":{}}',
  'start: %json {"x-guidance":{"item_separator":"("},"type":"null"}',
  'start: %json {"type":"number","maximum":1e18}',
  'start: %json {"type":"number","exclusiveMaximum":1e18}',
  'start: %json {"type":"integer","maximum":1e19}',
  'start: %json {"type":"integer","minimum":0,"maximum":1e19}',
  'start: %json {"type":"integer","minimum":-1e18}',
  'start: %json {"type":"number","minimum":-1e18}',
  'start: %json {"contentSchema":{},"type":"string"}',
  'start: %json {"$schema":"http://json-schema.org/draft-04/schema#","if":{},"type":"string"}',
  'start: %json {"type":"array","prefixItems":[false],"maxItems":5}',
  'start: %json {"type":"object","patternProperties":{"^a":true,"^b":true}}',
  'start: %json {"type":"object","properties":{"a":false},"additionalProperties":false}',
  'start: %json {"type":"object","properties":{"a":true},"minProperties":1,"additionalProperties":false}',
  'start: %json {"anyOf":[{"type":"string","maxLength":0,"minLength":1},{"type":"null"}]}',
  'start: %json {"type":"string","pattern":"a\\\\"}',
  'start: %json {"type":"string","const":"ba","pattern":"(^b|c)"}',
  'start: %json {"type":"string","const":"ba","pattern":"(^b|a$)$"}',
  'start: %json {"type":"string","const":"ba","pattern":"(?:^|b)a"}',
  'start: %json {"type":"string","const":"ba","pattern":"$"}',
  'start: %json {"type":"string","const":"ba","pattern":"^(?:)"}',
  'start: %json {"type":"string","const":"","pattern":"^(?:^)+$"}',
  // What is also ignored, where a text does without it.
  'start: /s/ [] r?\nr: "\\u00e9"\nWORD: "é" ()\n%ignore WORD',
  'start: "a" (" " "b")?\n%ignore " "',
  'start: "a" | "b" W "c"\nW: " "\n%ignore / /',
  'start: "x"+ W*\nW: "w"\n%ignore "w"',
  // Within `%json` and `%lark` what they ignore themselves is skipped, and so behind them as long as they may go on.
  'start: (%json {"":{}}) ~4..5 "0".."9"\n%import common.INT\n%ignore INT',
  'start: %json {"const":true}+ A\nA: "0".."9"\n%ignore /[0-9]+/',
  'start: %json {"const":true} %json {"const":false}? A\nA: "0".."9"\n%ignore /[0-9]+/',
  'start: p+ A\np[max_tokens=20]: %json {"const":true}\nA: "0".."9"\n%ignore /[0-9]+/',
  'start: %lark {\nstart: "x" "y"?\n} A\nA: "0".."9"\n%ignore /[0-9]+/',
  'start: "x" A "z" | %lark {\nstart: "x" "y"?\n} "u"\nA: "0".."9"\n%ignore /[0-9]+/',
  'start: "true" %json {}? A | %json {"const":true} "u"\nA: "0".."9"\n%ignore /[0-9]+/',
];

/** What it takes, and nothing can be generated from all the same. */
const USELESS: readonly (readonly [rule: string, grammar: string])[] = [
  ['ignored-literal', 'start: %json {} ⟦A⟧\nA: "0".."9"\n%ignore /[0-9]+/'],
  ['ignored-literal', 'start: "y" %json {}? ⟦A⟧\nA: "0".."9"\n%ignore /[0-9]+/'],
  ['ignored-literal', 'start: "x" ⟦A⟧ | %json {} ⟦A⟧\nA: "0".."9"\n%ignore /[0-9]+/'],
];

const generated = async (text: string): Promise<readonly string[]> => {
  const grammar = { syntax: 'lark', text } as const;
  const job = { kind: 'generate', grammar, seed: 1, count: 3, mostBytes: 60 } as const;
  return (await engine.ask(job, { milliseconds: 20_000 })).texts.filter((each) => each !== '');
};

describe('findings and the engine agree where they once did not', () => {
  test.each(REFUSED)('%s: %s', async (rule, marked) => {
    const start = marked.indexOf('⟦');
    const end = marked.indexOf('⟧') - 1;
    const text = marked.replace(/[⟦⟧]/g, '');
    expect(await loads(text)).toBe(false);
    const found = errors(text).map((each) => [each.rule, text.slice(each.span.start, each.span.end)]);
    expect(found).toContainEqual([`grammar/${rule}`, text.slice(start, end)]);
  });

  test.each(TAKEN)('taken: %s', async (text) => {
    expect(await loads(text)).toBe(true);
    expect(errors(text).map(({ rule, message }) => `${rule}: ${render(message)}`)).toEqual([]);
  });

  test.each(USELESS)('%s, and nothing is generated: %s', async (rule, marked) => {
    const text = marked.replace(/[⟦⟧]/g, '');
    const places = [...marked.matchAll(/⟦(.*?)⟧/g)].map(([, place]) => place);
    expect(await generated(text)).toEqual([]);
    const found = errors(text).map((each) => [each.rule, text.slice(each.span.start, each.span.end)]);
    expect(found).toEqual(places.map((place) => [`grammar/${rule}`, place]));
  });

  test('the fix of a misread range makes it one that the engine takes', async () => {
    const text = 'start: ("a"i)~1..3 "b"';
    const [found] = errors(text);
    const [edit, ...more] = found!.fixes[0]!.edits();
    expect(more).toEqual([]);
    const fixed = text.slice(0, edit!.span.start) + edit!.newText + text.slice(edit!.span.end);
    expect(fixed).toBe('start: ("a"i)~1 .. 3 "b"');
    expect(await loads(fixed)).toBe(true);
    expect(errors(fixed)).toEqual([]);
  });
});

test.each([...ENGINE_SCHEMA_FORMATS])('the engine takes what the expression of %s does', async (format, source) => {
  const of = new Languages();
  const language = of.ofTree(parseRustRegex(source).tree!);
  if (language === UNKNOWN) throw new Error('the expression is not regular');
  const samples = of.samples(language, { count: 40, seed: 3, length: 24 });
  if (samples === UNKNOWN) throw new Error('there are no samples');
  const random = randomOf(7);
  // Those, and others that differ in one place: a character goes, comes twice, or becomes one of another text.
  const others = samples.flatMap((text, i) => {
    const at = Math.floor(random() * text.length);
    const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)];
    return [before + after, before + here + here + after, before + (samples[i - 1]?.[at] ?? '0') + after];
  });
  const inputs = [...new Set([...samples, ...others])].filter((text) => !/\p{Surrogate}/u.test(text));
  const grammar = { syntax: 'lark', text: `start: %json {"type":"string","format":"${format}"}` } as const;
  const written = inputs.map((text) => JSON.stringify(text));
  const answer = await engine.ask({ kind: 'judge', grammar, inputs: written }, { milliseconds: 20_000 });
  const taken = inputs.filter((_, i) => answer.inputs[i]?.verdict.accepted === true);
  expect(taken).toEqual(inputs.filter((text) => of.matches(language, text) === true));
  expect(taken.length).toBeGreaterThan(20);
});

test('the engine reads a negated property as its Python package does: the negation does not count', async () => {
  const grammar = { syntax: 'lark', text: 'start: /\\p{sc!=Greek}/' } as const;
  const answer = await engine.ask({ kind: 'judge', grammar, inputs: ['α', 'a'] }, { milliseconds: 20_000 });
  expect(answer.inputs.map((each) => each?.verdict.accepted)).toEqual([true, false]);
  const of = new Languages();
  const language = of.ofTree(parseRustRegex('\\p{sc!=Greek}').tree!);
  if (language === UNKNOWN) throw new Error('the expression is not regular');
  expect(['α', 'a'].map((text) => of.matches(language, text))).toEqual([true, false]);
});

test.each([
  ['"x" | "y" /(a{330}){330}/', 'ya', true],
  ['"x" A\nA: /(a{330}){330}/', 'xa', true],
  ['/[xy](é{230}){230}/', 'xé', true],
  ['/(?:b|[xy](ab){60000})/', 'xab', true],
  ['/[xy](a{150}){150}/', 'xa', false],
  ['/[xy]((a|b){330}){330}/', 'xa', false],
])('runs without a choice: %s', async (body, input, tooLong) => {
  const text = `start: ${body}`;
  const job = { kind: 'walk', grammar: { syntax: 'lark', text }, input } as const;
  const { steps } = await engine.ask(job, { milliseconds: 20_000 });
  const failed = steps.some(({ error }) => error?.includes('too many expressions constructed'));
  const found = checkGrammar(text, { targets: ['llguidance'] }).filter(({ rule }) => rule === 'grammar/large-repeat');
  expect(failed).toBe(tooLong);
  expect(found.map(({ level, span }) => [level, text.slice(span.start, span.end)])).toEqual(
    tooLong ? [['warning', body.slice(body.indexOf('/'))]] : [],
  );
});

test('a run without a choice at the very start may be longer, and not without end', () => {
  const large = (body: string) =>
    checkGrammar(`start: ${body}`, { targets: ['llguidance'] }).some(({ rule }) => rule === 'grammar/large-repeat');
  expect(large('/(a{1000}){1000}/')).toBe(true);
  expect(large('/(a{600}){600}/')).toBe(false);
});

const RUNS = 500;

// `node scripts/lintsAgainstEngine.mjs` does the same with more, and shrinks what it finds.
test('findings and the engine agree on grammars made by chance', async () => {
  const { vectors } = JSON.parse(
    readFileSync(new URL('../vectors/llguidance/vectors.json', import.meta.url), 'utf8'),
  ) as { vectors: readonly { grammar?: string }[] };
  const maker = grammarMaker(
    randomOf(20),
    vectors.flatMap(({ grammar }) => grammar ?? []),
  );
  const { disagreement, counts, limits } = agreement({ engine, checkGrammar, judgeForEngine, render });
  const found: string[] = [];
  for (let i = 0; i < RUNS; i++) {
    const grammar = maker.any();
    const wrong = await disagreement(grammar);
    if (wrong !== undefined) found.push(`${wrong.kind}: ${wrong.detail}: ${JSON.stringify(grammar)}`);
  }
  console.log(
    `${RUNS} grammars: ${counts.taken} taken, ${counts.refused} refused, ${limits.size} kinds of refusals for size, ` +
      `${counts.unanswered} without an answer; ${found.length} disagreements`,
  );
  expect(found).toEqual([]);
  expect(counts.taken).toBeGreaterThan(100);
  expect(counts.refused).toBeGreaterThan(100);
});
