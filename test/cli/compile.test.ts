import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLAIN, responsesTool, root, run, workspace } from './support';

describe('compile', () => {
  test('shows sizes, passes, unreachable definitions and losses with their places', async () => {
    const { code, out, err } = await run(['compile', 'samples/weather.tools.json', '--tool', 'get_forecast']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^get_forecast {2}6,120 of 5,000 bytes · descriptions and definitions go {2}samples\/weather/);
    expect(out).toMatch(/Pruned +6,120 +−217 +█+│▒+ +1 definition\n/);
    expect(out).toMatch(/1 Descriptions +5,021 +−1,099 +█+│▒ +20 descriptions\n/);
    expect(out).toMatch(/2 Definitions +1,102 +−3,919 +█+ +│ +9 definitions, 5 references → \{\}\n/);
    expect(out).toMatch(/Sent +1,102\n/);
    const text = readFileSync(path.join(root, 'samples/weather.tools.json'), 'utf8').split('\n');
    const place = (key: string): string => {
      const line = text.findIndex((each) => each.trimStart().startsWith(`"${key}":`));
      return `samples/weather.tools.json:${line + 1}:${(text[line]?.indexOf('"') ?? 0) + 1}`;
    };
    expect(out).toContain(`/$defs/LegacyStation  no reference reaches it  ${place('LegacyStation')}\n`);
    expect(out).toContain(`  $ref to Place  ${place('place')}\n`);
    expect(out).toContain(`  no type, and nothing to infer one from  ${place('units')}\n`);
    expect(out).toMatch(/ {4}pattern +2× {2}samples\/weather\.tools\.json:\d+:\d+, \d+:\d+\n/);
  });

  test('has a line per tool that fits, and totals', async () => {
    const { out } = await run(['compile', 'samples/weather.tools.json']);
    expect(out).toContain('weather_archive.find_station  ');
    expect(out).toMatch(/alerts\.list_subscriptions {2}62 of 5,000 bytes · deferred/);
    expect(out).toMatch(/\n8 schemas, [\d,]+ bytes sent, 1 over the budget\.\n$/);
  });

  test('--trace lists every event', async () => {
    const schema = { ...PLAIN, properties: { a: { const: 5, title: 'A' }, b: true } };
    const cwd = workspace({ 'a.tools.json': responsesTool('a', schema) });
    const { out } = await run(['compile', 'a.tools.json', '--trace'], { cwd });
    const trace = out
      .slice(out.indexOf('  Trace\n'))
      .split('\n')
      .map((line) => line.trim().split(/\s+/).slice(0, 4));
    expect(trace).toContainEqual(['lower', 'const-to-enum', '/properties/a', 'const']);
    expect(trace).toContainEqual(['lower', 'boolean-to-string', '/properties/b', 'a.tools.json:13:9']);
    expect(trace).toContainEqual(['read', 'keyword-dropped', '/properties/a', 'title']);
    expect((await run(['compile', 'a.tools.json'], { cwd })).out).not.toContain('Trace');
  });

  test('a refusal has its reason and its place, and exit code 1', async () => {
    const schema = { ...PLAIN, properties: { a: { type: 'array', items: [{ type: 'string' }] } } };
    const cwd = workspace({ 'a.tools.json': responsesTool('a', schema) });
    const { code, out } = await run(['compile', 'a.tools.json'], { cwd });
    expect(code).toBe(1);
    expect(out).toContain('Codex refuses this tool');
    expect(out).toMatch(/ {2}\/properties\/a\/items {2}a\.tools\.json:11:11\n$/);
  });

  test('takes a bare schema, from standard input too', async () => {
    const schema = '{"type":"object","properties":{"a":{"description":"x"}}}';
    const cwd = workspace({ 'schema.json': schema });
    const fromFile = await run(['compile', 'schema.json'], { cwd });
    const piped = await run(['compile', '-'], { cwd, input: [schema.slice(0, 10), schema.slice(10)] });
    expect(fromFile.code).toBe(0);
    expect(fromFile.out).toContain('/properties/a  no type, and nothing to infer one from  schema.json:1:');
    expect(piped.out.replaceAll('<stdin>', 'schema.json')).toBe(fromFile.out);
  });

  test('--profile and the config decide about budget and keywords', async () => {
    const schema = { ...PLAIN, properties: { a: { type: 'array', items: { type: 'string' }, minItems: 1 } } };
    const cwd = workspace({ 'toolspec.config.json': '{"budgetBytes":20}', 'a.tools.json': responsesTool('a', schema) });
    expect((await run(['compile', 'a.tools.json'], { cwd })).out).toMatch(
      / of 20 bytes · no pass finds anything to take, sent as it is/,
    );
    const old = await run(['compile', 'a.tools.json', '--profile', 'codex-0.148'], { cwd });
    expect(old.out).toMatch(/minItems +1×/);
  });

  test.each([
    ['[1', 'a.json:1:1: '],
    ['[1]', 'a.json holds neither tools nor a schema.'],
    ['"x"', 'a.json holds neither tools nor a schema.'],
    ['', 'a.json:1:1: There is no JSON value here.'],
    ['[{"type":"web_search"}]', 'No tool in a.json has a schema.'],
  ])('says why it cannot: %j', async (text, message) => {
    const cwd = workspace({ 'a.json': text });
    const { code, out, err } = await run(['compile', 'a.json'], { cwd });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });

  test('an unknown tool gets a suggestion', async () => {
    const { code, err } = await run(['compile', 'samples/weather.tools.json', '--tool', 'get_forcast']);
    expect(code).toBe(2);
    expect(err).toContain('has no tool named get_forcast. Did you mean get_forecast?');
  });
});
