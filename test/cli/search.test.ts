import { describe, expect, test } from 'vitest';
import { compileSchema } from '../unit/schemas/support';
import { run, workspace } from './support';

const WEATHER = 'samples/weather.tools.json';
const QUERY = 'rain warnings in Oslo last winter';
const validate = compileSchema('report-search.schema.json');

describe('search', () => {
  test('says what is found, why, and what is not', async () => {
    const { code, out, err } = await run(['search', QUERY, WEATHER]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.split('\n');
    expect(lines.slice(0, 4)).toEqual([
      '4 of 6 deferred tools match. The best has 2 of 5 words.',
      'Near miss in get_daily_records: "rainfall" reads as "rainfal", not "rain". Say "rain" as well.',
      'Searched as: rain, warn, oslo (in no tool), last and winter. Left out: in.',
      '',
    ]);
    expect(lines[4]).toMatch(
      /^ {2}1 {2}2\.8080 {2}alerts\.list_subscriptions {2}samples\/weather\.tools\.json:\d+:\d+$/,
    );
    expect(out).toContain('last: 1.5404 × 1.1451 = 1.7640, in last (description)');
    expect(out).toContain('Not found: 2 deferred tools, no word in common.');
    expect(out).toContain('update_plan: It is not deferred, so it stands in every request');
  });

  test('the report as JSON is that of the published schema', async () => {
    for (const args of [
      [QUERY, WEATHER],
      ['the of', WEATHER],
      [QUERY, WEATHER, '--limit', '1'],
      ['', WEATHER],
      ['mail', 'samples', '--all'],
    ]) {
      const { out } = await run(['search', ...args, '--format', 'json']);
      const report = JSON.parse(out);
      validate(report);
      expect(validate.errors ?? [], args.join(' ')).toEqual([]);
      expect(out.endsWith('}\n')).toBe(true);
    }
    const report = JSON.parse((await run(['search', QUERY, WEATHER, '-f', 'json', '-n', '1'])).out);
    expect(report).toMatchObject({ version: 1, query: QUERY, limit: 1, searched: 6, error: null });
    expect(report.found.map(({ within }: { within: boolean }) => within)).toEqual([true, false, false, false]);
    expect(report.words[0]).toEqual({ word: 'rain', token: 'rain', start: 0, end: 4, tools: 1 });
    expect(report.missing.map(({ near }: { near: { kind: string } | null }) => near?.kind ?? null).sort()).toEqual([
      null,
      'stem',
    ]);
  });

  test('--output is the item that the model gets', async () => {
    const { out } = await run(['search', QUERY, WEATHER, '--output', '--limit', '2']);
    const item = JSON.parse(out);
    expect(out).toBe(`${JSON.stringify(item)}\n`);
    expect(item).toMatchObject({ type: 'tool_search_output', status: 'completed', execution: 'client' });
    expect(item.tools).toHaveLength(1);
    expect(item.tools[0].tools.map(({ name }: { name: string }) => name)).toEqual(['list_subscriptions', 'subscribe']);
  });

  test('searches folders, and --all the tools that are not deferred', async () => {
    const tool = { type: 'function', name: 'send_mail', description: 'Sends a mail.' };
    const cwd = workspace({
      'a/x.tools.json': JSON.stringify([tool]),
      'b/y.tools.json': JSON.stringify([{ ...tool, name: 'mail_box', defer_loading: true }]),
    });
    const names = async (...args: string[]) =>
      JSON.parse((await run(['search', 'mail', ...args, '-f', 'json'], { cwd })).out).found.map(
        ({ tool: name }: { tool: string }) => name,
      );
    expect(await names()).toEqual(['mail_box']);
    expect((await names('--all')).sort()).toEqual(['mail_box', 'send_mail']);
    const none = await run(['search', 'mail', 'a'], { cwd });
    expect(none.code).toBe(1);
    expect(none.out).toContain('No tool is deferred, so there is nothing to search.');
  });

  test('arguments that tool search does not take are answered in its words', async () => {
    const blank = await run(['search', ' ', WEATHER]);
    expect(blank.code).toBe(1);
    expect(blank.out).toContain('Tool search answers "query must not be empty" and finds nothing.');
    expect((await run(['search', 'rain', WEATHER, '--limit', '0'])).out).toContain('limit must be greater than zero');
    expect((await run(['search', 'rain', WEATHER, '--limit', '0', '--output'])).code).toBe(2);
    for (const limit of ['8.0', '-1', '1.5', 'x']) {
      expect((await run(['search', 'rain', WEATHER, `--limit=${limit}`])).code).toBe(2);
    }
  });

  test('of many tools without a hit a few are named', async () => {
    const tools = Array.from({ length: 70 }, (_, i) => ({
      type: 'function',
      name: `t${i}`,
      description: i < 30 ? 'Rainfall.' : 'Tides.',
      ...(i < 60 ? { defer_loading: true } : {}),
    }));
    const cwd = workspace({
      'a.tools.json': JSON.stringify(tools.map((tool, i) => (i > 65 ? { ...tool, name: `u${i}` } : tool))),
    });
    const { code, out } = await run(['search', 'rain'], { cwd });
    expect(code).toBe(1);
    expect(out).toContain('Not found: 60 deferred tools, no word in common.');
    expect(out).toContain('10 near misses more; --format json has all.');
    expect(out).toContain('t49 and 10 more\n');
    expect(out.split('\n').length).toBeLessThan(50);
  });

  test('what cannot be read is said, and the rest is searched', async () => {
    const { code, out, err } = await run(['search', QUERY, 'nowhere.tools.json', WEATHER]);
    expect(code).toBe(2);
    expect(err).toContain('nowhere.tools.json does not exist');
    expect(out).toContain('4 of 6 deferred tools match.');
    const cwd = workspace({ 'a.txt': 'x' });
    expect((await run(['search', 'x'], { cwd })).err).toContain('There are no tool definitions here.');
  });
});
