import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodePoints } from '../../../../server/src/core/grammar/codePoints';
import { grammarParseLine } from '../../../../server/src/core/grammar/jsonl';

const ask = (request: unknown): string => grammarParseLine(JSON.stringify(request));

describe('lines of grammar parse', () => {
  it('give trees and errors in code points, and the id as it is spelled', () => {
    const grammar = 'start: ("\u{1F600}" | /[a-z]/)+';
    expect(
      grammarParseLine(`{"id":1.50,"grammar":${JSON.stringify(grammar)},"inputs":["\u{1F600}a","\u{1F600}\\n"]}`),
    ).toBe(
      '{"id":1.50,"loadError":null,"results":[{"accepted":true,"tree":["start",[{"type":"__ANON_1","value":"a","at":[1,2,1,2]}]]},' +
        '{"accepted":false,"error":{"kind":"UnexpectedCharacters","line":1,"column":2,"pos":1,"expected":["__ANON_0","__ANON_1"]}}]}',
    );
  });

  it('name the token and what is accepted for LALR', () => {
    expect(ask({ id: 'x', grammar: 'start: "a" B\nB: "b"', options: { parser: 'lalr' }, inputs: ['aa'] })).toBe(
      '{"id":"x","loadError":null,"results":[{"accepted":false,"error":{"kind":"UnexpectedToken","line":1,"column":2,"pos":1,' +
        '"token":{"type":"A","value":"a"},"expected":["B"],"accepts":["B"]}}]}',
    );
  });

  it('give null places for failures outside of Lark’s own errors', () => {
    expect(ask({ grammar: '%declare X\nstart: X', inputs: ['a'] })).toBe(
      '{"id":null,"loadError":null,"results":[{"accepted":false,"error":{"kind":"KeyError","line":null,"column":null,"pos":null,"expected":[],"message":"\'X\'"}}]}',
    );
  });

  it('give load errors with a place where Lark has one', () => {
    const error = (request: object) => (JSON.parse(ask(request)) as { loadError: { code: string } }).loadError;
    expect(error({ grammar: 'start: "\u{1F600}" ;', inputs: [] })).toMatchObject({
      code: 'syntax.bad-character',
      line: 1,
      column: 12,
    });
    expect(error({ grammar: 'start: a', inputs: [] })).toMatchObject({
      code: 'name.undefined',
      line: null,
      column: null,
    });
    const both = 'start: a | b | C\na: "x"\nb: "x"\nC: /y*/';
    expect(error({ grammar: both, options: { parser: 'lalr' } }).code).toBe('lalr.reduce-reduce');
    expect(error({ grammar: both }).code).toBe('terminal.zero-width');
  });

  it('files in folders import what is beside them, after what the import path has', () => {
    const files = { 'deep/in.lark': '%import .other.Q\nP: Q "p"', 'deep/other.lark': 'Q: "q"' };
    const request = { grammar: '%import .deep.in.P\nstart: P', inputs: ['qp', 'rp'] };
    const accepted = (more: object) =>
      [...ask({ ...request, options: { files: { ...files, ...more } } }).matchAll(/"accepted":(\w+)/g)].map(
        (it) => it[1],
      );
    expect(accepted({})).toEqual(['true', 'false']);
    expect(accepted({ 'other.lark': 'Q: "r"' })).toEqual(['false', 'true']);
  });

  it('read options: files, start, priorities, placeholders', () => {
    const files = { 'n.lark': 'NUM: /[0-9]+/' };
    expect(ask({ grammar: '%import .n.NUM\ngo: [NUM] "x"', options: { files, start: 'go' }, inputs: ['x'] })).toContain(
      '"tree":["go",[null]]',
    );
    const options = { start: ['go'], maybe_placeholders: false, keep_all_tokens: true, ambiguity: null, lexer: null };
    expect(ask({ grammar: 'go: ["a"] "x"', options, inputs: ['x'] })).toContain('"tree":["go",[{"type":"X"');
    const ambiguous = 'start: a | b\na.1: "x"\nb.2: "x"';
    const chosen = (priority: unknown) => ask({ grammar: ambiguous, options: { priority }, inputs: ['x'] });
    expect(chosen('auto')).toContain('["b",[]]');
    expect(chosen('invert')).toContain('["a",[]]');
    expect(chosen(null)).toContain('["a",[]]');
  });

  it('refuse what is no request', () => {
    for (const line of ['', '1', '{', '[]', '\ufeff\ufeff{}']) {
      expect(grammarParseLine(line)).toMatch(/^\{"id":null,"ok":false,"error":".+"\}$/);
    }
    for (const request of [
      {},
      { grammar: 1 },
      { grammar: '', inputs: 'a' },
      { grammar: '', inputs: [1] },
      { grammar: '', options: [] },
      { grammar: '', options: { parser: 'cyk' } },
      { grammar: '', options: { files: { a: 1 } } },
      { grammar: '', options: { start: 1 } },
      { grammar: '', options: { strict: 'yes' } },
      { grammar: '', options: { engine: 'nothing' } },
    ]) {
      expect(ask({ id: 7, ...request })).toMatch(/^\{"id":7,"ok":false,"error":".+"\}$/);
    }
  });

  it('never throw', () => {
    fc.assert(
      fc.property(fc.string(), fc.json(), (text, json) => {
        for (const line of [text, json, ask({ grammar: text, inputs: [json] })]) {
          expect(() => JSON.parse(grammarParseLine(line))).not.toThrow();
        }
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it('write trees of any depth', () => {
    const line = ask({
      grammar: 'start: x\nx: x "a" | "a"',
      options: { parser: 'lalr' },
      inputs: ['a'.repeat(50_000)],
    });
    expect(line.match(/"x"/g)).toHaveLength(50_000);
  });
});

describe('code points', () => {
  it('count pairs once and halves as they are', () => {
    const points = new CodePoints('a\u{1F600}\ud800b\u{1F600}');
    expect([0, 1, 3, 4, 5, 7].map((offset) => points.before(offset))).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
