import { describe, expect, test } from 'vitest';
import { responsesTool, run, workspace } from './support';

const WEATHER = 'samples/weather.tools.json';

describe('tokens', () => {
  test('wire says bytes and tokens of a tool, of the list and of the request, beside the JSON', async () => {
    const of = async (...args: string[]) => {
      const { out, err } = await run(['wire', WEATHER, '--tokens', ...args]);
      const [, bytes, tokens] = /^([\d,]+) bytes, ([\d,]+) tokens of o200k_base\. Counted on the JSON/m.exec(err) ?? [];
      expect(Number(bytes?.replaceAll(',', ''))).toBe(Buffer.byteLength(out) - 1);
      return Number(tokens?.replaceAll(',', ''));
    };
    const [tool, list, request] = [await of('--tool', 'get_forecast'), await of(), await of('--request')];
    expect(tool).toBeGreaterThan(200);
    expect(list).toBeGreaterThan(tool);
    expect(request).toBeGreaterThan(list);
  });

  test('compile lists what the properties take', async () => {
    const cwd = workspace({
      'a.tools.json': responsesTool('a', {
        type: 'object',
        properties: { city: { type: 'string', description: 'Where to look.' }, n: { type: 'integer' } },
      }),
    });
    const { code, out, err } = await run(['compile', 'a.tools.json', '--tokens'], { cwd });
    expect(code).toBe(0);
    expect(err).toBe(
      'Counted on the JSON that is sent. The provider shows tools to the model in a form of its own, so what it bills differs.\n',
    );
    expect(out).toMatch(/ {2}\d+ tokens of o200k_base\n {4}\d+ {2}\/properties\/city\n {4} ?\d+ {2}\/properties\/n\n/);
    const traced = await run(['compile', 'a.tools.json', '--tokens', '--trace'], { cwd });
    expect(traced.out).toMatch(/ {4}\d+ {4}city\n {4} ?\d+ {6}type\n/);
    expect((await run(['compile', 'a.tools.json'], { cwd })).out).not.toContain('tokens');
  });
});
