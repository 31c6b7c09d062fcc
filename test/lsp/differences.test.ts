import { afterAll, describe, expect, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver';
import { LineIndex } from '../../server/src/core/text/lines';
import { startEngine } from '../engineFiles';
import { jsonOf } from './grammarSupport';
import { FOLDER, Session, type SessionOptions } from './harness';

const service = startEngine();
afterAll(() => service.close());

const GRAMMAR = 'start: "a"+ NL\nNL: "\\n"\n%ignore " "\n';
const FILES = {
  [`${FOLDER}/patch.tool.json`]: jsonOf(GRAMMAR),
  [`${FOLDER}/long.patch`]: ' a\n',
};

const SAMPLES = JSON.stringify(
  {
    definitions: ['./patch.tool.json'],
    calls: [
      { name: 'both take it', tool: 'patch', input: 'aa\n' },
      { name: 'both refuse it', tool: 'patch', input: 'b\n' },
      { name: 'Lark alone takes it', tool: 'patch', input: 'a\n ' },
      { name: 'from a file', tool: 'patch', inputFile: './long.patch' },
    ],
  },
  null,
  2,
);

/** The findings about differences, as soon as there are any. */
async function differing(session: Session, uri: string): Promise<Diagnostic[]> {
  for (;;) {
    const news = session.next('workspace/diagnostic/refresh');
    const found = (await session.diagnostics(uri)).filter(({ code }) => code === 'grammar/engines-differ');
    if (found.length > 0) return found;
    await news;
  }
}

const start = (options: SessionOptions = {}): Promise<Session> =>
  Session.start({ engine: service, files: FILES, ...options });

describe('inputs that the engines judge differently', () => {
  test('are marked in the samples file, with the reason', async () => {
    const session = await start();
    const uri = await session.open('patch.samples.json', SAMPLES);
    const found = await differing(session, uri);
    const lines = new LineIndex(SAMPLES);
    const shown = found.map(({ range }) => SAMPLES.slice(lines.offset(range.start), lines.offset(range.end)));
    expect(shown).toEqual([' ', '"./long.patch"']);
    expect(found.map(({ severity }) => severity)).toEqual([3, 3]);
    expect(found[0]!.message).toMatch(/Lark/);
    expect(found[1]!.message).toMatch(/skip|ignore|first/);
    // What is known is there at once.
    const again = (await session.diagnostics(uri)).filter(({ code }) => code === 'grammar/engines-differ');
    expect(again).toEqual(found);
    await session.stop();
  });

  test('are marked as the settings say, and not at all where the engine has no say', async () => {
    const level = await start({ settings: { rules: { 'grammar/engines-differ': 'warning' } } });
    const uri = await level.open('patch.samples.json', SAMPLES);
    expect((await differing(level, uri)).map(({ severity }) => severity)).toEqual([2, 2]);
    await level.stop();
    for (const settings of [{ rules: { 'grammar/engines-differ': 'off' } }, { targets: ['lark'] }]) {
      const session = await start({ settings });
      const own = await session.open('patch.samples.json', SAMPLES);
      await session.diagnostics(own);
      expect(await session.rules(own)).not.toContain('grammar/engines-differ');
      await session.stop();
    }
  });
});
