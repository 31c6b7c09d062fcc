import { expect, test } from 'vitest';
import type { ToolListResult } from '../../server/src/protocol';
import { FOLDER, Session } from './harness';

const tool = (name: string, extra: object = {}): object => ({
  type: 'function',
  name,
  description: `Does ${name}.\nAnd more.`,
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
  ...extra,
});

test('tools of a folder: closed files from disk, open ones as they stand in their editors', async () => {
  const session = await Session.start({
    files: {
      [`${FOLDER}/b.tools.json`]: JSON.stringify([
        tool('first', { defer_loading: true }),
        { type: 'namespace', name: 'shop', description: 'Shop.', tools: [tool('order'), tool('cancel')] },
      ]),
      [`${FOLDER}/sub/a.tool.json`]: JSON.stringify(tool('big', { parameters: big() })),
      [`${FOLDER}/broken.tools.json`]: '[{"type": "function", "name": "half"',
      [`${FOLDER}/new.tools.json`]: '',
      [`${FOLDER}/other.json`]: JSON.stringify([tool('not_ours')]),
      'file:///elsewhere/c.tools.json': JSON.stringify([tool('outside')]),
    },
  });
  const before = await session.request<ToolListResult>('toolspec/toolList', { folder: FOLDER });
  expect(before.limits).toEqual({ tools: 128, start: 20, namespace: 10 });
  expect(before.files.map(({ name }) => name)).toEqual([
    'b.tools.json',
    'broken.tools.json',
    'new.tools.json',
    'sub/a.tool.json',
  ]);
  const [shop, broken, blank, large] = before.files;
  expect(blank).toMatchObject({ tools: [], problem: null });
  expect(shop!.start).toBe(2);
  expect(shop!.tools).toMatchObject([
    {
      name: 'first',
      namespace: '',
      exposure: 'deferred',
      state: 'fine',
      pointer: '/0',
      description: 'Does first. And more.',
    },
    { name: 'order', namespace: 'shop', exposure: 'direct', pointer: '/1/tools/0' },
    { name: 'cancel', namespace: 'shop' },
  ]);
  expect(shop!.tools[1]!.status).toMatch(/^\d+ of 5,000 bytes$/);
  expect(shop!.tools.map(({ short }) => short)).toEqual([
    expect.stringMatching(/^\d+ bytes · deferred$/),
    expect.stringMatching(/^\d+ bytes$/),
    expect.stringMatching(/^\d+ bytes$/),
  ]);
  expect(broken!.problem).toBe('The file is not JSON everywhere, so tools may be missing.');
  expect(large!.tools).toMatchObject([{ name: 'big', state: 'over', range: { start: { line: 0, character: 0 } } }]);

  const uri = await session.open('b.tools.json', JSON.stringify([tool('renamed')]));
  const after = await session.request<ToolListResult>('toolspec/toolList', { folder: FOLDER });
  expect(after.files[0]!.tools.map(({ name }) => name)).toEqual(['renamed']);
  const one = await session.request<ToolListResult>('toolspec/toolList', { file: uri });
  expect(one.files.map(({ name }) => name)).toEqual(['b.tools.json']);
  await session.stop();
});

function big(): object {
  const properties: Record<string, object> = {};
  for (let i = 0; i < 200; i++) properties[`property_${i}`] = { type: 'string', description: 'x'.repeat(30) };
  return { type: 'object', properties };
}
