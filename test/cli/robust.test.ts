import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { root, run, workspace } from './support';

const SAMPLES = ['weather.tools.json', 'orders.tools.json', 'shop.mcp.tools.json'].map((name) =>
  readFileSync(path.join(root, 'samples', name), 'utf8'),
);
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  'null',
  '{}',
  '"\\ud800"',
  '1e400',
  '"$ref":"#"',
  '"type":5,',
  '/*',
  '\u0000',
  '😀',
  '\r',
];

/** A sample with a few places changed: text removed, doubled, or replaced by a piece that hurts. */
const mutated = fc
  .tuple(
    fc.constantFrom(...SAMPLES),
    fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(60), fc.constantFrom('', ...PIECES), fc.boolean()),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  )
  .map(([text, changes]) =>
    changes.reduce((current, [at, length, piece, twice]) => {
      const start = Math.floor(at * current.length);
      const part = current.slice(start, start + length);
      return current.slice(0, start) + piece + (twice ? part + part : '') + current.slice(start + length);
    }, text),
  );

test('no text makes a command fail in a way of its own', async () => {
  const cwd = workspace();
  const file = path.join(cwd, 'a.tools.json');
  await fc.assert(
    fc.asyncProperty(
      mutated,
      fc.constantFrom('responses', 'lite', 'deferred', 'chat', 'mcp', 'anthropic'),
      async (text, mode) => {
        writeFileSync(file, text);
        const check = await run(['check', '--format', 'sarif', '--target', 'all'], { cwd });
        const compile = await run(['compile', 'a.tools.json', '--trace'], { cwd });
        const wire = await run(['wire', 'a.tools.json', '--mode', mode, '--request'], { cwd });
        for (const { code } of [check, compile, wire]) expect([0, 1, 2]).toContain(code);
        expect(() => JSON.parse(check.out)).not.toThrow();
        expect(check.out).not.toContain('internal/rule-failed');
        if (wire.code === 0) expect(`${JSON.stringify(JSON.parse(wire.out))}\n`.length).toBeGreaterThan(2);
        else expect(wire.out).toBe('');
      },
    ),
    { seed: 20_261_129, numRuns: 200 },
  );
});

test('fixing any text leaves JSON as JSON, and fixing again changes nothing', async () => {
  const cwd = workspace();
  const file = path.join(cwd, 'a.tools.json');
  await fc.assert(
    fc.asyncProperty(mutated, async (text) => {
      writeFileSync(file, text);
      await run(['check', '--fix', '--target', 'all'], { cwd });
      const fixed = readFileSync(file, 'utf8');
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      if (valid) expect(() => JSON.parse(fixed)).not.toThrow();
      await run(['check', '--fix', '--target', 'all'], { cwd });
      expect(readFileSync(file, 'utf8')).toBe(fixed);
    }),
    { seed: 7, numRuns: 120 },
  );
});
