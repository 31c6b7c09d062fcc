import { afterAll, describe, expect, test } from 'vitest';
import type { WalkParams, WalkResult } from '../../server/src/protocol';
import { startEngine } from '../engineFiles';
import { inBoth, jsonOf } from './grammarSupport';
import { FOLDER, Session } from './harness';

const service = startEngine();
afterAll(() => service.close());

const walk = (session: Session, params: WalkParams): Promise<WalkResult | null> =>
  session.request('toolspec/walk', params);

/** The document of a walk, blanks at line ends left out. */
async function walked(session: Session, params: WalkParams): Promise<string> {
  const found = await walk(session, params);
  if (found?.kind !== 'document') throw new Error(`No document: ${JSON.stringify(found)}`);
  return session.content(found.uri);
}

describe('step through generation', () => {
  inBoth(
    'a text is walked through the grammar',
    'start: "ab" (NUM | /[x-z]/)‸\nNUM: /[0-9]+/\n',
    async ({ session, uri, cursors, inJson }) => {
      const at = { uri, offset: inJson ? 10 : cursors[0]! };
      expect(await walk(session, at)).toEqual({ kind: 'input', name: inJson ? 'patch' : 'own.lark' });
      expect(await walked(session, { ...at, input: 'ab1?' })).toBe(
        [
          `${inJson ? 'patch' : 'own.lark'}, step by step, as llguidance 1.9.1 lets a model write it.`,
          '',
          'place  text  may come next',
          '1:1    "ab"  must be "ab" 2 bytes',
          '1:3    "1"   0–9 x–z',
          '1:4    "?"   refused, 0–9 or the end',
          '',
          'The text is refused at 1:4, after 3 bytes.',
          '',
        ].join('\n'),
      );
      expect(await walked(session, { ...at, input: '' })).toContain('The text is a beginning: it cannot end here.');
    },
    { engine: service },
  );

  test('a sample brings its own input, and an expression is walked too', async () => {
    const regex = jsonOf('[a-c]{2}').replace('"lark"', '"regex"');
    const session = await Session.start({ engine: service, files: { [`${FOLDER}/patch.tool.json`]: regex } });
    const calls = [
      { name: 'one', tool: 'patch', input: 'ab' },
      { name: 'two', tool: 'patch', input: 'ax' },
      { name: 'of nobody', tool: 'x', input: 'ax' },
    ];
    const text = JSON.stringify({ definitions: ['./patch.tool.json'], calls }, null, 2);
    const uri = await session.open('patch.samples.json', text);
    expect(await walked(session, { uri, offset: text.indexOf('"ab"') })).toContain('The text is accepted.');
    expect(await walked(session, { uri, offset: text.indexOf('"two"') })).toContain(
      'The text is refused at 1:2, after 1 byte.',
    );
    expect(await walk(session, { uri, offset: text.indexOf('"of nobody"') })).toBeNull();
    expect(await walk(session, { uri, offset: 0 })).toBeNull();
    const tool = await session.open('patch.tool.json', regex);
    expect(await walk(session, { uri: tool, offset: 5 })).toMatchObject({ kind: 'input' });
    await session.stop();
  });

  test('the document follows the grammar', async () => {
    const session = await Session.start({ engine: service });
    const uri = await session.open('own.lark', 'start: "a"\n', 'lark');
    const found = await walk(session, { uri, offset: 0, input: 'b' });
    const document = (found as { uri: string }).uri;
    expect(await session.content(document)).toContain('The text is refused');
    const refreshed = session.next('workspace/textDocumentContent/refresh');
    await session.replace(uri, '"a"', '"b"');
    await refreshed;
    expect(await session.content(document)).toContain('The text is accepted.');
    await session.replace(uri, '"b"', 'x');
    expect(await session.content(document)).toContain('refuses the grammar: unknown name: "x"');
    await session.stop();
  });

  test('without an engine the answer says so', async () => {
    const session = await Session.start();
    const uri = await session.open('own.lark', 'start: "a"\n', 'lark');
    expect(await walk(session, { uri, offset: 0, input: 'a' })).toMatchObject({ kind: 'unavailable' });
    await session.stop();
  });
});
