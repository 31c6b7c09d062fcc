import { chmodSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixText } from '../../server/src/cli/fix';
import { type CheckResult, createChecker } from '../../server/src/core/check';
import type { Finding, Fix, TextEdit } from '../../server/src/core/text/finding';
import { parseJson } from '../../server/src/core/text/json';
import { t } from '../../server/src/core/text/message';
import { root, run, workspace } from './support';

/** Strict mode wants the object closed, which is a fix that keeps the meaning. Laid out by hand, on purpose. */
const OPEN_OBJECT = `[
    {"type": "function", "name": "a",   "description": "Does a.", "strict": true,
        "parameters": {
            "type": "object",
            "properties": {"b": {"type": "string"}},   
            "required": [ "b" ]
        }
    }
]`;

const orders = readFileSync(path.join(root, 'samples/orders.tools.json'), 'utf8');

describe('check --fix', () => {
  test.each([
    ['LF', '\n', ''],
    ['CRLF', '\r\n', ''],
    ['CRLF and a byte order mark', '\r\n', '\ufeff'],
  ])('changes what it must and leaves every other byte alone: %s', async (_, lineEnd, mark) => {
    const before = mark + OPEN_OBJECT.replaceAll('\n', lineEnd);
    const cwd = workspace({ 'a.tools.json': before });
    const { code, err } = await run(['check', '--fix'], { cwd });
    const after = readFileSync(path.join(cwd, 'a.tools.json'), 'utf8');
    expect(code).toBe(0);
    expect(err).toMatch(/^a\.tools\.json: 1 fix applied\.\n {2}\S.*\n/);
    const added = /("required": \[ "b" \])(,\s*"additionalProperties": false)/.exec(after);
    expect(added?.[2]).toBeDefined();
    expect(after.replace(added?.[2] ?? '', '')).toBe(before);
    // Once more changes nothing.
    await run(['check', '--fix'], { cwd });
    expect(readFileSync(path.join(cwd, 'a.tools.json'), 'utf8')).toBe(after);
  });

  test('goes on until nothing is left that it may fix, and only ever removes errors', async () => {
    const cwd = workspace({ 'orders.tools.json': orders });
    const errors = async (): Promise<string[]> =>
      JSON.parse((await run(['check', '--format', 'json'], { cwd })).out).findings.flatMap(
        (each: { level: string; rule: string }) => (each.level === 'error' ? [each.rule] : []),
      );
    const before = await errors();
    await run(['check', '--fix'], { cwd });
    const after = await errors();
    expect(after.length).toBeLessThan(before.length);
    expect(after.filter((rule) => !before.includes(rule))).toEqual([]);
    const fixed = readFileSync(path.join(cwd, 'orders.tools.json'), 'utf8');
    expect(parseJson(fixed).problems).toEqual([]);
    const { findings } = createChecker().check({ uri: 'orders.tools.json', text: fixed });
    expect(findings.flatMap(({ fixes }) => fixes.filter(({ safe }) => safe))).toEqual([]);
  });

  test('keeps a definition that a misspelled reference may mean', async () => {
    const reason = '"Reason": { "type": "string", "enum": ["mistake", "too_late", "other"] }';
    expect(orders).toContain(reason);
    const cwd = workspace({ 'orders.tools.json': orders });
    await run(['check', '--fix'], { cwd });
    expect(readFileSync(path.join(cwd, 'orders.tools.json'), 'utf8')).toContain(reason);
  });

  test('does not touch a file that is broken JSON, or one without anything to fix', async () => {
    const cwd = workspace({ 'a.tools.json': `${OPEN_OBJECT}]`, 'b.tools.json': '[]\n' });
    const times = ['a.tools.json', 'b.tools.json'].map((name) => statSync(path.join(cwd, name)).mtimeMs);
    const { err } = await run(['check', '--fix'], { cwd });
    expect(err).not.toContain('applied');
    expect(readFileSync(path.join(cwd, 'a.tools.json'), 'utf8')).toBe(`${OPEN_OBJECT}]`);
    expect(['a.tools.json', 'b.tools.json'].map((name) => statSync(path.join(cwd, name)).mtimeMs)).toEqual(times);
  });

  test('without --fix nothing is written', async () => {
    const cwd = workspace({ 'a.tools.json': OPEN_OBJECT });
    chmodSync(path.join(cwd, 'a.tools.json'), 0o444);
    expect((await run(['check'], { cwd })).code).toBe(1);
    expect(readFileSync(path.join(cwd, 'a.tools.json'), 'utf8')).toBe(OPEN_OBJECT);
  });
});

describe('fixText', () => {
  /** A checker of texts that are lists of numbers: each `1` is a warning with the given fix. */
  function checkerOf(
    fixAt: (offset: number, text: string) => TextEdit[],
    levelOf: (text: string) => 'error' | undefined,
  ) {
    const calls: string[] = [];
    const check = (text: string): CheckResult => {
      calls.push(text);
      const findings: Finding[] = [...text.matchAll(/1/g)].map(({ index }) => {
        const fix: Fix = {
          title: t('Replace.'),
          safe: true,
          preferred: true,
          kind: 'quickfix',
          edits: () => fixAt(index, text),
        };
        return finding('one', 'warning', index, [fix]);
      });
      const level = levelOf(text);
      if (level !== undefined) findings.push(finding('whole', level, 0, []));
      return { ...createChecker().check({ uri: 'a.json', text: '[]' }), document: parseJson(text), findings };
    };
    return { check, calls };
  }

  function finding(rule: string, level: 'warning' | 'error', start: number, fixes: Fix[]): Finding {
    const span = { start, end: start + 1 };
    const message = t('x');
    return {
      rule,
      level,
      span,
      message,
      fixes,
      targets: [],
      tool: undefined,
      pointer: String(start),
      related: [],
      unnecessary: false,
    };
  }

  const replaceWith = (newText: string) => (start: number) => [{ span: { start, end: start + 1 }, newText }];

  test('applies fixes that do not touch each other in one round', () => {
    const { check, calls } = checkerOf(replaceWith('2'), () => undefined);
    const { text, applied } = fixText('[1, 1, 1]', check);
    expect(text).toBe('[2, 2, 2]');
    expect([...applied]).toEqual([['Replace.', 3]]);
    expect(calls).toEqual(['[1, 1, 1]', '[2, 2, 2]']);
  });

  test('keeps fixes that touch each other for the next round', () => {
    const { check } = checkerOf(
      (start, text) => [{ span: { start, end: text.length - 1 }, newText: text.slice(start + 1, -1).concat('2') }],
      () => undefined,
    );
    expect(fixText('[11]', check).text).toBe('[22]');
  });

  test('tells fixes apart whose own edits touch each other', () => {
    const { check } = checkerOf(
      (start) => [
        { span: { start: start - 1, end: start }, newText: ' ' },
        { span: { start, end: start + 1 }, newText: '2' },
        { span: { start: start + 1, end: start + 1 }, newText: '0' },
      ],
      () => undefined,
    );
    expect(fixText('[ 1, 1, 5, 1]', check).text).toBe('[ 20, 20, 5, 20]');
  });

  test('takes back a fix that breaks the text', () => {
    const { check } = checkerOf(replaceWith('}'), () => undefined);
    const { text, applied } = fixText('[1, 5]', check);
    expect(text).toBe('[1, 5]');
    expect(applied.size).toBe(0);
  });

  test('takes back a fix that brings an error, and still applies the others', () => {
    const { check } = checkerOf(
      (start) => [{ span: { start, end: start + 1 }, newText: start === 1 ? '3' : '2' }],
      (text) => (text.includes('3') ? 'error' : undefined),
    );
    const { text, applied } = fixText('[1, 1, 1]', check);
    expect(text).toBe('[1, 2, 2]');
    expect([...applied]).toEqual([['Replace.', 2]]);
  });

  test('ends also when every fix makes room for the next', () => {
    const { check, calls } = checkerOf(
      (start) => [{ span: { start, end: start + 1 }, newText: '1,1' }],
      () => undefined,
    );
    fixText('[1]', (text) => (text.length > 400 ? check('[2]') : check(text)));
    expect(calls.length).toBeLessThan(500);
  });
});
