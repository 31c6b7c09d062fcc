import { describe, expect, test } from 'vitest';
import { render } from '../../../../../server/src/core/text/message';
import { applyFix, check, checkMarked, expectFinding } from '../helper';

const file = 'toolspec.config.json';

describe('config/shape', () => {
  const options = { file, rule: 'config/shape' };

  test.each([
    ['{ ⟦"target"⟧: ["codex"] }', '"target" is no key here. Did you mean "targets"?'],
    ['{ "targets": ⟦"codex"⟧ }', 'This must be a list.'],
    ['{ "targets": [⟦"codx"⟧] }', /Did you mean "codex"\?$/],
    ['{ "rules": { "json/syntax": ⟦"warn"⟧ } }', /^This must be one of off, hint, info, warning and error/],
    ['{ "budgetBytes": ⟦0⟧ }', 'This must be a whole number above 0.'],
    ['{ "budgetBytes": ⟦1.5⟧ }', 'This must be a whole number above 0.'],
    ['{ "profile": ⟦"codex-0.1"⟧ }', /^This must be one of codex-0\.171 and codex-0\.148/],
    ['{ "provider": { "namespaces": ⟦"no"⟧ } }', 'This must be true or false.'],
    ['{ "webSearch": ⟦"on"⟧ }', 'This must be one of disabled, cached, indexed and live.'],
    ['{ ⟦"handlers"⟧: [] }', 'This must be an object.'],
    ['{ "handlers": { ⟦"t"⟧: { "cmd": ["x"] } } }', /one of the keys "builtin"/],
    ['{ "handlers": { "t": { ⟦"command"⟧: [] } } }', 'This list must not be empty.'],
    ['{ "handlers": { "t": { "command": [⟦1⟧] } } }', 'This must be a string.'],
    ['{ "sources": [⟦{⟧ "command": ["x"] }] }', '"out" is missing here.'],
    ['{ "sources": [⟦{⟧ "out": "a.json" }] }', 'A source has one of the keys "mcp" and "command".'],
    ['⟦[⟧]', 'This must be an object.'],
  ])('%s', (text, message) => {
    // A container without a key is marked as a whole; the mark of the tables stands at its bracket.
    const whole = /⟦([[{])⟧/.test(text);
    const checked = whole ? check(text.replaceAll(/[⟦⟧]/g, ''), options) : checkMarked(text, options);
    expectFinding(checked, { level: 'error', message });
  });

  const source = (out: string) => `{ "command": ["x"], "out": ${out} }`;

  test.each([
    ['a.json', 'a.json'],
    ['a.json', './a.json'],
    ['b//c/../a.json', 'b/a.json'],
    ['../a.json', 'b/../../a.json'],
    ['/x/a.json', '/x/./a.json'],
  ])('two sources that write %s and %s are told at the second one, also where a schema is checked', (one, two) => {
    const text = `{ "sources": [${source(`"${one}"`)}, ${source('"other.json"')}, ${source(`⟦"${two}"⟧`)}] }`;
    for (const configShape of [true, false]) {
      const finding = expectFinding(checkMarked(text, { ...options, configShape }), {
        level: 'error',
        message: /^A source before/,
      });
      expect(finding.related).toHaveLength(1);
    }
  });

  test.each([
    ['a.json', 'A.json'],
    ['a.json', 'b/a.json'],
    ['a.json', '../a.json'],
    ['a.json', '/a.json'],
    ['../a.json', '../../a.json'],
  ])('%s and %s are two files', (one, two) => {
    const text = `{ "sources": [${source(`"${one}"`)}, ${source(`"${two}"`)}] }`;
    expect(check(text, options).findings).toEqual([]);
  });

  test('a full config file is fine', () => {
    const config = {
      $schema: 'x',
      targets: ['codex', 'mcp'],
      include: ['tools/*.json'],
      exclude: [],
      rules: { 'tool/missing-description': 'off' },
      budgetBytes: 4000,
      profile: 'codex-0.148',
      provider: { namespaces: true, webSearch: false },
      webSearch: 'live',
      handlers: {
        '*': { builtin: 'json-schema' },
        a: { module: './a.mjs', export: 'parse', timeoutMs: 100 },
        b: { command: ['python3', 'b.py'], cwd: '.', env: { A: 'b' } },
        c: { mcp: { command: ['node', 'server.mjs'] } },
      },
      sources: [
        { mcp: { command: ['node', 'server.mjs'] }, out: 'server.tools.json' },
        { command: ['python3', 'dump.py'], out: 'my.tools.json' },
      ],
    };
    expect(check(config, { file }).findings.map((finding) => render(finding.message))).toEqual([]);
  });

  test('broken and half-typed files do not throw', () => {
    for (const text of ['', '{', '{ "rules": ', '{ "rules": { "a" } }', 'null', '"x"'])
      check(text, { file, syntax: true });
  });
});

describe('config/unknown-rule', () => {
  test('with the id that was meant', () => {
    const checked = checkMarked('{ "rules": { ⟦"codex/keyword-droped"⟧: "off", "codex/null-root": "error" } }', {
      file,
      rule: 'config/unknown-rule',
    });
    const finding = expectFinding(checked, { level: 'warning', message: /Did you mean "codex\/keyword-dropped"\?$/ });
    expect(applyFix(checked, finding)).toContain('"codex/keyword-dropped": "off"');
  });

  test('without one that is near', () => {
    const checked = checkMarked('{ "rules": { ⟦"no/such"⟧: "off" } }', { file, rule: 'config/unknown-rule' });
    expect(checked.findings[0]!.fixes).toEqual([]);
  });
});
