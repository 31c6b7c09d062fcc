import { afterAll, describe, expect, test } from 'vitest';
import { createChecker } from '../../../../../server/src/core/check';
import { checkGrammar } from '../../../../../server/src/core/checkGrammar';
import type { Provider, ProviderAnswer } from '../../../../../server/src/core/grammar/provider';
import { askOpinion, type ProviderOpinion } from '../../../../../server/src/core/grammar/providerOpinion';
import { findCulprits, type Retry } from '../../../../../server/src/core/grammar/providerPlace';
import { readRefusal } from '../../../../../server/src/core/grammar/providerText';
import { compareFindings, type Finding } from '../../../../../server/src/core/text/finding';
import { render } from '../../../../../server/src/core/text/message';
import { startEngine } from '../../../../engineFiles';

const engine = startEngine();
afterAll(() => engine.close());

const opinionOn = (text: string): Promise<ProviderOpinion | undefined> =>
  askOpinion(engine, { syntax: 'lark', text }, { milliseconds: 20_000 });

/** An engine that gives the same answer to everything. */
const answering = (answer: Partial<ProviderAnswer>): Provider => ({
  ask: async () => ({ end: { state: 'done' }, load: undefined, inputs: [], steps: [], texts: [], ...answer }),
});

const spoken = (text: string, provider: ProviderOpinion | undefined, levels = new Map()): string[] =>
  checkGrammar(text, { targets: ['llguidance'], provider, levels })
    .filter(({ rule }) => rule.startsWith('grammar/provider-'))
    .map(({ level, span, message }) => `${level} ${text.slice(span.start, span.end)}: ${render(message)}`);

/** Texts in sequence that are too much work for the lexer; each alone would do. */
const BIG = `{"substring_chars": "${Array.from({ length: 20_000 }, (_, i) => `${i} `).join('')}"}`;

describe('grammar/provider-refuses', () => {
  test('a limit of size is marked where it is met, in the words of the engine', async () => {
    const text = `start: a b\na: "x" | c\nb: "z"\nc: "u" | "v" %regex ${BIG} "w"\nd: "unused"\n`;
    const opinion = await opinionOn(text);
    expect(opinion?.state).toBe('refused');
    const [found, ...more] = checkGrammar(text, { targets: ['openai'], provider: opinion }).filter(
      ({ rule }) => rule === 'grammar/provider-refuses',
    );
    expect(more).toEqual([]);
    expect(text.slice(found!.span.start, found!.span.end)).toBe(`%regex ${BIG}`);
    expect(render(found!.message)).toBe(
      "The provider's engine refuses the grammar, so the API refuses the tool: initial lexer configuration (grammar) too big (limit for this grammar: 1000000).",
    );
  });

  test('it is silent where a rule has explained the refusal', async () => {
    const text = 'start: /(?!x)y/\n';
    const opinion = await opinionOn(text);
    expect(opinion).toMatchObject({ state: 'refused', culprits: [] });
    expect(spoken(text, opinion)).toEqual([]);
  });

  test('it speaks where that rule is off', async () => {
    const text = 'start: "a" /(?!x)y/\n';
    const [line, ...more] = spoken(text, await opinionOn(text), new Map([['grammar/lookaround', 'off']]));
    expect(more).toEqual([]);
    expect(line).toMatch(/^error \(\?!: The provider's engine refuses the grammar, .*invalid regex/);
    expect(line).toMatch(/look-around.*\.$/);
  });

  test('a grammar that loads and fails at the first character is refused all the same', async () => {
    const words = Array.from({ length: 2_100 }, (_, i) => `"a${i}b"`).join(' | ');
    const always = `start: word "."\nword: ${words}\n`;
    const said =
      "Parser Error: Current row has #,# items; max is 2000; consider making your grammar left-recursive if it's right-recursive.";
    const numbers = (lines: readonly string[]) => lines.map((line) => line.replace(/has \d+ items/, 'has #,# items'));
    expect(numbers(spoken(always, await opinionOn(always)))).toEqual([
      `error word: The provider's engine loads the grammar and gives up as soon as text is generated: ${said}`,
    ]);
    const some = `start: "x" | "z"~0..1 word\nword: ${words}\n`;
    expect(numbers(spoken(some, await opinionOn(some)))).toEqual([
      `warning word: The provider's engine loads the grammar and gives up on some texts at their first character: ${said}`,
    ]);
    // One beginning of many: each is tried.
    const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
    const commands = letters.map((letter) => (letter === 'q' ? '"q" word' : `"${letter}" NUM`)).join(' | ');
    const hidden = `start: ${commands}\nNUM: /[0-9]{1,3}/\nword: ${words}\n`;
    expect(numbers(spoken(hidden, await opinionOn(hidden)))).toEqual([
      `warning word: The provider's engine loads the grammar and gives up on some texts at their first character: ${said}`,
    ]);
    // As one terminal they are no such work.
    const one = `start: WORD "."\nWORD: ${words}\n`;
    expect(await opinionOn(one)).toEqual({ state: 'taken', warnings: [] });
    expect(spoken(one, await opinionOn(one))).toEqual([]);
  });

  test('a rule that says why nothing can be generated is enough', async () => {
    const text = 'start: "b" start\n';
    const failure = { error: 'no', always: true, culprits: [] };
    expect(spoken(text, { state: 'taken', warnings: [], failure })).toEqual([]);
    expect(spoken('start: "b"\n', { state: 'taken', warnings: [], failure })).toEqual([
      "error start: The provider's engine loads the grammar and gives up as soon as text is generated: no.",
    ]);
  });

  test('an engine that breaks at the first character is told, one that is slow there is not', async () => {
    const load = { ok: true, warnings: [] } as const;
    const text = 'start: "a"\n';
    const end = { state: 'crashed', cause: 'panic', detail: 'oh no' } as const;
    expect(spoken(text, await askOpinion(answering({ load, end }), { syntax: 'lark', text }))).toEqual([
      "error start: The provider's engine loads the grammar and gives up as soon as text is generated: oh no.",
    ]);
    const late = answering({ load, end: { state: 'timed-out', milliseconds: 3_000 } });
    expect(await askOpinion(late, { syntax: 'lark', text })).toEqual({ state: 'taken', warnings: [] });
  });

  test('targets without the engine hear nothing of it', async () => {
    const text = `start: %regex ${BIG}\n`;
    const findings = checkGrammar(text, { targets: ['lark', 'codex'], provider: await opinionOn(text) });
    expect(findings.map(({ rule }) => rule)).not.toContain('grammar/provider-refuses');
  });

  test('no verdict in time is a warning, and a broken engine an error', async () => {
    const text = 'start: "a"\n';
    const late = await askOpinion(answering({ end: { state: 'timed-out', milliseconds: 3_000 } }), {
      syntax: 'lark',
      text,
    });
    expect(spoken(text, late)).toEqual([
      "warning start: The provider's engine did not load the grammar within 3,000 ms, so there is no verdict. Fewer and smaller repetitions make it lighter.",
    ]);
    const words = {
      memory: 'memory runs out',
      stack: 'too deeply',
      panic: 'breaks while it loads the grammar: oh no.',
    };
    for (const [cause, part] of Object.entries(words)) {
      const end = { state: 'crashed', cause: cause as 'memory', detail: 'oh no\nat x' } as const;
      const [line] = spoken(text, await askOpinion(answering({ end }), { syntax: 'lark', text }));
      expect(line).toMatch(/^error start: /);
      expect(line).toContain(part);
    }
  });

  test('without an engine, or when a newer text has come, there is no opinion', async () => {
    const grammar = { syntax: 'lark', text: 'start: "a"\n' } as const;
    expect(await askOpinion(answering({ end: { state: 'unavailable', detail: 'no' } }), grammar)).toBeUndefined();
    expect(await askOpinion(answering({ end: { state: 'outdated' } }), grammar)).toBeUndefined();
  });
});

describe('grammar/provider-warns', () => {
  test('a remark stands at the key that it is about', async () => {
    const text =
      'start: a\na: %json {"type": "array", "items": {"type": "string"}, "x-guidance": {"lenient": true}, "uniqueItems": true}\n';
    expect(spoken(text, await opinionOn(text))).toEqual([
      'warning "uniqueItems": The provider\'s engine accepts the grammar and remarks: Unimplemented keys: ["uniqueItems"].',
    ]);
  });
});

describe('in JSON', () => {
  test('findings have their place in the string, and an opinion that comes later is not missed', async () => {
    const grammar = `start: "é\\n" c\nc: %regex ${BIG}\n`;
    const text = JSON.stringify({
      type: 'custom',
      name: 'big',
      description: 'x',
      format: { type: 'grammar', syntax: 'lark', definition: grammar },
    });
    const checker = createChecker();
    const input = { uri: 'file:///w/big.tool.json', text };
    const rulesOf = (findings: readonly Finding[]): string[] =>
      findings.map(({ rule }) => rule).filter((rule) => rule === 'grammar/provider-refuses');
    expect(rulesOf(checker.check(input, { opinionOf: () => undefined }).findings)).toEqual([]);
    const opinion = await opinionOn(grammar);
    const { findings } = checker.check(input, { opinionOf: () => opinion });
    const [found] = findings.filter(({ rule }) => rule === 'grammar/provider-refuses');
    expect(text.slice(found!.span.start, found!.span.end)).toBe(JSON.stringify(`%regex ${BIG}`).slice(1, -1));
    expect(found).toMatchObject({ level: 'error', tool: 'big', pointer: '/format/definition' });
    expect(findings).toEqual([...findings].sort(compareFindings));
    expect(rulesOf(checker.check(input, { opinionOf: () => undefined }).findings)).toEqual([]);
  });

  test('an expression of its own is asked about as one', async () => {
    const asked: string[] = [];
    const tool = (syntax: string, definition: string): string =>
      JSON.stringify({ type: 'custom', name: 'x', description: 'x', format: { type: 'grammar', syntax, definition } });
    const check = (text: string, opinion: ProviderOpinion | undefined): readonly Finding[] =>
      createChecker().check(
        { uri: 'file:///w/x.tool.json', text },
        {
          targets: ['openai'],
          opinionOf: (syntax, source) => {
            asked.push(`${syntax} ${source}`);
            return opinion;
          },
        },
      ).findings;
    const refusal = readRefusal('something else', 'a/b');
    const findings = check(tool('regex', 'a/b'), { state: 'refused', refusal, culprits: [] });
    expect(new Set(asked)).toEqual(new Set(['regex a/b']));
    expect(findings.map(({ rule }) => rule)).toContain('grammar/provider-refuses');
    asked.length = 0;
    check(tool('other', 'a'), undefined);
    expect(asked).toEqual([]);
  });
});

describe('a culprit without a place', () => {
  /** An engine that refuses texts that match, all for the same reason. */
  const refusing =
    (bad: (text: string) => boolean) =>
    async (text: string): Promise<Retry> =>
      bad(text) ? { message: `too big (limit ${text.length})` } : 'loads';
  const culprits = async (
    marked: string,
    bad: (text: string) => boolean,
    most?: number,
  ): Promise<[string[], string[]]> => {
    const wanted = [...marked.matchAll(/⟦([^⟧]*)⟧/g)].map((match) => match[1]!);
    const text = marked.replace(/[⟦⟧]/g, '');
    const spans = await findCulprits(text, `too big (limit ${text.length})`, refusing(bad), most);
    return [spans.map(({ start, end }) => text.slice(start, end)), wanted];
  };

  test.each([
    ['an expression in an alternative', 'start: a\na: "x" | "y" ⟦"BAD"⟧ "z"\nb: a', /BAD/],
    ['inside groups and repetitions', 'start: a\na: ("x" (⟦"BAD"⟧ "z")+)*\n', /BAD/],
    ['in an ignored expression', 'start: "a"\n%ignore /x/ | ⟦/BAD/⟧\n', /BAD/],
    ['in a terminal', 'start: A\nA: B "x"\nB: "1" ⟦"BAD"⟧\n', /BAD/],
    ['two definitions that matter together', 'start: a b c\n⟦a⟧: "BAD"\nb: "x"\n⟦c⟧: "WORSE"\n', /BAD[\s\S]*WORSE/],
  ])('%s', async (_name, marked, bad) => {
    const [found, wanted] = await culprits(marked, (text) => bad.test(text));
    expect(found).toEqual(wanted);
  });

  test('a reason in the names themselves has no place', async () => {
    expect(await culprits('start: BAD\nBAD: "x"\n', (text) => text.includes('BAD'))).toEqual([[], []]);
  });

  test('it ends when nobody answers, and after so many questions', async () => {
    const text = 'start: a\na: "BAD"\n';
    expect(await findCulprits(text, 'x', async () => 'stop')).toEqual([]);
    const rules = Array.from({ length: 500 }, (_, i) => `r${i}: "BAD${i}"`).join('\n');
    let asked = 0;
    const found = await findCulprits(`start: r1\n${rules}`, 'x', async (each) => {
      asked++;
      return each.includes('BAD499') ? { message: 'x' } : 'loads';
    });
    expect(asked).toBeLessThanOrEqual(80);
    expect(found).toHaveLength(1);
  });
});
