import { chmodSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createChecker } from '../../server/src/core/check';
import { parseJson } from '../../server/src/core/text/json';
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
