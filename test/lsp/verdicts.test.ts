import { afterAll, describe, expect, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver';
import type { Provider, ProviderAnswer, ProviderJob } from '../../server/src/core/grammar/provider';
import { readRefusal } from '../../server/src/core/grammar/providerText';
import { startEngine } from '../engineFiles';
import { inBoth, jsonOf, OpenGrammar } from './grammarSupport';
import { FOLDER, Session } from './harness';

const service = startEngine();
afterAll(() => service.close());

/** A remark of the engine that no rule of ours foresees. */
const REMARKED = (keyword: string): string =>
  `start: a\na: %json {"type": "array", "items": {"type": "string"}, "x-guidance": {"lenient": true}, ⟦"${keyword}"⟧: true}\n`;

const TAKEN: ProviderAnswer = {
  end: { state: 'done' },
  load: { ok: true, warnings: [] },
  inputs: [],
  steps: [],
  texts: [],
};

/** An engine whose answers the test gives when it likes. */
class SlowEngine implements Provider {
  readonly asked: { job: ProviderJob; key: string | undefined; answer: (answer: ProviderAnswer) => void }[] = [];
  #waiting: (() => void) | undefined;

  ask(job: ProviderJob, options: { key?: string } = {}): Promise<ProviderAnswer> {
    return new Promise((answer) => {
      this.asked.push({ job, key: options.key, answer });
      this.#waiting?.();
    });
  }

  /** Resolves when so many questions have been asked. */
  async count(wanted: number): Promise<void> {
    while (this.asked.length < wanted) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
  }
}

/** The findings as soon as there is a remark. The first verdict may be late, for the engine starts then. */
async function withRemark(session: Session, uri: string): Promise<Diagnostic[]> {
  for (;;) {
    const news = session.next('workspace/diagnostic/refresh');
    const found = await session.diagnostics(uri);
    if (found.some(({ code }) => code === 'grammar/provider-warns')) return found;
    await news;
  }
}

const remarks = (warnings: string[]): ProviderAnswer => ({ ...TAKEN, load: { ok: true, warnings } });

describe("verdicts of the provider's engine in the editor", () => {
  inBoth(
    'a remark of the engine is a finding at its place',
    REMARKED('uniqueItems'),
    async (grammar) => {
      const { session, uri } = grammar;
      const found = await withRemark(session, uri);
      const [remark] = found.filter(({ code }) => code === 'grammar/provider-warns');
      expect(remark).toMatchObject({
        severity: 2,
        range: grammar.ranges[0],
        message: 'The provider\'s engine accepts the grammar and remarks: Unimplemented keys: ["uniqueItems"].',
      });
    },
    { engine: service },
  );

  test('targets without the engine do not ask it', async () => {
    const engine = new SlowEngine();
    const session = await Session.start({ engine, settings: { targets: ['lark', 'codex'] } });
    await session.diagnostics(await session.open('a.lark', 'start: "a"\n', 'lark'));
    await session.diagnostics(await session.open('a.tool.json', jsonOf('start: "a"\n')));
    expect(engine.asked).toEqual([]);
    await session.stop();
  });

  test('a verdict that is late comes with a refresh, and each text is asked about once', async () => {
    const engine = new SlowEngine();
    const session = await Session.start({ engine });
    const grammar = new OpenGrammar(session, REMARKED('x'), false);
    const uri = await session.open(grammar.uri, grammar.document, 'lark');
    const rules = (await session.diagnostics(uri)).map(({ code }) => code);
    expect(rules).toContain('grammar/engine-extension');
    expect(rules).not.toContain('grammar/provider-warns');
    const refreshed = Promise.all([
      session.next('workspace/diagnostic/refresh'),
      session.next('workspace/codeLens/refresh'),
    ]);
    engine.asked[0]!.answer(remarks(['Unimplemented keys: ["x"]']));
    await refreshed;
    expect(await session.rules(uri)).toContain('grammar/provider-warns');
    expect(await session.rules(uri)).toContain('grammar/provider-warns');
    expect(engine.asked.filter(({ job }) => job.kind === 'load')).toHaveLength(1);
    await session.stop();
  });

  test('what is known about a text is there at once when the text comes back', async () => {
    const engine = new SlowEngine();
    const session = await Session.start({ engine });
    const grammar = new OpenGrammar(session, REMARKED('x'), true);
    const uri = await session.open(grammar.uri, grammar.document, 'json');
    const first = session.rules(uri);
    await engine.count(1);
    engine.asked[0]!.answer(remarks(['Unimplemented keys: ["x"]']));
    expect(await first).toContain('grammar/provider-warns');
    // Another part of the document changes: the grammar is the same, so nothing is asked and nothing flickers.
    await session.replace(uri, 'Changes files.', 'Changes many files.');
    expect(await session.rules(uri)).toContain('grammar/provider-warns');
    await session.replace(uri, 'start: a', 'start: a a');
    const second = session.rules(uri);
    await engine.count(2);
    engine.asked[1]!.answer(TAKEN);
    expect(await second).not.toContain('grammar/provider-warns');
    await session.replace(uri, 'start: a a', 'start: a');
    expect(await session.rules(uri)).toContain('grammar/provider-warns');
    expect(engine.asked).toHaveLength(2);
    await session.stop();
  });

  test('questions about one grammar have one key, so that a newer text makes older ones outdated', async () => {
    const engine = new SlowEngine();
    const session = await Session.start({ engine });
    const uri = await session.open('a.lark', 'start: "a"\n', 'lark');
    await session.diagnostics(uri);
    await session.replace(uri, '"a"', '"b"');
    const again = session.diagnostics(uri);
    await engine.count(2);
    const [first, second] = engine.asked;
    expect(first!.key).toBe(second!.key);
    first!.answer({ ...TAKEN, load: undefined, end: { state: 'outdated' } });
    second!.answer(remarks(['A remark.']));
    expect((await again).map(({ code }) => code)).toContain('grammar/provider-warns');
    await session.stop();
  });

  test('a grammar file that is not open and that an open tool names gets its remark, too', async () => {
    const grammar = REMARKED('x').replace(/[⟦⟧]/g, '');
    const quick: Provider = { ask: async () => remarks(['Unimplemented keys: ["x"]']) };
    const session = await Session.start({ engine: quick, files: { [`${FOLDER}/closed.lark`]: grammar } });
    const pushed = session.next('textDocument/publishDiagnostics');
    const tool = jsonOf('').replace('"definition": ""', '"definition": {"$file": "./closed.lark"}');
    await session.diagnostics(await session.open('a.tool.json', tool));
    await pushed;
    const { params } = session.received.filter(({ method }) => method === 'textDocument/publishDiagnostics').at(-1)!;
    const { uri, diagnostics } = params as { uri: string; diagnostics: Diagnostic[] };
    expect(uri).toBe(`${FOLDER}/closed.lark`);
    expect(diagnostics.map(({ code }) => code)).toContain('grammar/provider-warns');
    await session.stop();
  });

  test('the status of a grammar file says what both engines say, and why one is missing', async () => {
    const status = async (text: string, engine?: Provider): Promise<object | undefined> => {
      const session = await Session.start({ ...(engine && { engine }), initialization: { status: true } });
      await session.diagnostics(await session.open('a.lark', text, 'lark'));
      await session.stop();
      const sent = session.received.filter(({ method }) => method === 'toolspec/status').at(-1);
      return (sent?.params as { grammar?: object } | undefined)?.grammar;
    };
    const quick: Provider = { ask: async () => TAKEN };
    expect(await status('start: TEXT\nTEXT: /.*/\n', quick)).toEqual({
      engine: 'takes',
      engineLine: null,
      engineMissing: null,
      lark: 'refuses',
      larkLine: 2,
    });
    const refusal = readRefusal('at 1(7): unknown name: "x"', 'start: x\n');
    const refusing: Provider = { ask: async () => ({ ...TAKEN, load: { ok: false, refusal } }) };
    expect(await status('start: x\n', refusing)).toMatchObject({ engine: 'refuses', engineLine: 1, lark: 'refuses' });
    expect(await status('start: "a"\n')).toMatchObject({ engineMissing: 'This host has no engine.', lark: 'takes' });
    const off: Provider = {
      ask: async () => ({ ...TAKEN, load: undefined, end: { state: 'unavailable', detail: 'No.' } }),
    };
    expect(await status('start: "a"\n', off)).toMatchObject({ engine: 'unknown', engineMissing: 'No.' });
  });

  test('where there is no engine the log says so once and the rules go on', async () => {
    const engine: Provider = {
      ask: async () => ({ ...TAKEN, load: undefined, end: { state: 'unavailable', detail: 'WebAssembly is off.' } }),
    };
    const session = await Session.start({ engine });
    for (const name of ['a.lark', 'b.lark']) {
      const uri = await session.open(name, 'start: x\n', 'lark');
      expect(await session.rules(uri)).toContain('grammar/undefined-name');
    }
    expect(session.logged.filter((line) => line.includes('WebAssembly is off.'))).toEqual([
      "The provider's grammar engine does not run here, so grammars are judged by ToolSpec's own rules: WebAssembly is off.",
    ]);
    await session.stop();
  });

  test('a host without an engine answers as before', async () => {
    const session = await Session.start();
    const uri = await session.open('a.lark', 'start: x\n', 'lark');
    expect(await session.rules(uri)).toContain('grammar/undefined-name');
    expect(session.logged.filter((line) => line.includes('engine'))).toEqual([]);
    await session.stop();
  });

  test('a grammar that another tool names by $file is judged in its own file', async () => {
    const session = await Session.start({ engine: service, files: { [`${FOLDER}/own.lark`]: 'start: "a"\n' } });
    const tool = jsonOf('').replace('"definition": ""', '"definition": {"$file": "./own.lark"}');
    const json = await session.open('a.tool.json', tool);
    expect((await session.rules(json)).filter((rule) => rule.startsWith('grammar/provider'))).toEqual([]);
    const grammar = new OpenGrammar(session, REMARKED('uniqueItems'), false);
    const uri = await session.open(grammar.uri, grammar.document, 'lark');
    expect((await withRemark(session, uri)).length).toBeGreaterThan(0);
    await session.stop();
  });
});
