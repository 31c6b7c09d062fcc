import { describe, expect, it } from 'vitest';
import { createChecker } from '../../../../../server/src/core/check';
import type { GrammarSurroundings } from '../../../../../server/src/core/grammar/surroundings';
import { applyEdits } from '../../../../../server/src/core/text/edits';
import { render } from '../../../../../server/src/core/text/message';
import { read } from '../../../tidy/sources';

/** A world with these grammars, by path. */
function around(grammars: Record<string, string>): GrammarSurroundings {
  return {
    importer: ({ path }) => (grammars[path] === undefined ? undefined : { file: path, text: grammars[path] }),
    grammarFile: (path) =>
      grammars[path] === undefined ? { there: false, others: Object.keys(grammars) } : { there: true },
  };
}

function toolWith(definition: unknown): string {
  return JSON.stringify({
    type: 'custom',
    name: 'patch',
    description: 'Applies a patch.',
    format: { type: 'grammar', syntax: 'lark', definition },
  });
}

const check = (text: string, surroundings?: GrammarSurroundings, checker = createChecker()) =>
  checker.check({ uri: 'file:///w/t.tools.json', text }, { surroundings, targets: ['lark'] }).findings;

describe('grammar/missing-file', () => {
  it('is an error at the name, and offers the grammar that was meant', () => {
    const text = toolWith({ $file: 'pach.lark' });
    const [found, ...more] = check(text, around({ 'patch.lark': 'start: "a"\n', 'other.lark': '' }));
    expect(more).toEqual([]);
    expect(found).toMatchObject({ rule: 'grammar/missing-file', level: 'error', tool: 'patch' });
    expect(text.slice(found!.span.start, found!.span.end)).toBe('"pach.lark"');
    expect(render(found!.message)).toBe(
      'There is no file `pach.lark` here, so the tool has no grammar. Did you mean `patch.lark`?',
    );
    expect(applyEdits(text, found!.fixes[0]!.edits())).toBe(toolWith({ $file: 'patch.lark' }));
  });

  it('finds a grammar of the same name in another folder', () => {
    const [found] = check(toolWith({ $file: 'patch.lark' }), around({ 'grammars/patch.lark': '' }));
    expect(render(found!.message)).toContain('Did you mean `grammars/patch.lark`?');
  });

  it('has no fix where nothing is alike', () => {
    const [found] = check(toolWith({ $file: 'x/y.lark' }), around({}));
    expect(found).toMatchObject({ rule: 'grammar/missing-file', fixes: [] });
  });

  it('says nothing of what is not known', () => {
    expect(check(toolWith({ $file: 'x.lark' }))).toEqual([]);
    expect(check(toolWith({ $file: 'x.lark' }), around({ 'x.lark': '' }))).toEqual([]);
  });

  it('comes and goes with the file, though the text stays the same', () => {
    const checker = createChecker();
    const text = toolWith({ $file: 'x.lark' });
    expect(check(text, around({}), checker)).toHaveLength(1);
    expect(check(text, around({ 'x.lark': '' }), checker)).toEqual([]);
    expect(check(text, around({}), checker)).toHaveLength(1);
  });

  it('the examples of its page have the fault, and have it not', () => {
    const [bad, good] = [...read('docs/rules/grammar/missing-file.md').matchAll(/```json\n([\s\S]*?)```/g)];
    const world = around({ 'patch.lark': 'start: "a"\n' });
    expect(check(bad![1]!, world).map(({ rule }) => rule)).toEqual(['grammar/missing-file']);
    expect(check(good![1]!, world)).toEqual([]);
  });
});

describe('imports of grammars in strings', () => {
  const text = toolWith('%import .words.WORD\nstart: WORD\n');

  it('read files beside the file', () => {
    expect(check(text, around({ 'words.lark': 'WORD: /[a-z]+/\n' }))).toEqual([]);
    expect(check(text, around({})).map(({ rule }) => rule)).toEqual(['grammar/import']);
  });

  it('are asked for again whenever the file is checked', () => {
    const checker = createChecker();
    const rules = (words: string) => check(text, around({ 'words.lark': words }), checker).map(({ rule }) => rule);
    expect(rules('WORD: /[a-z]+/\n')).toEqual([]);
    expect(rules('WORDS: /[a-z]+/\n')).not.toEqual([]);
    expect(rules('WORD: /[a-z]+/\n')).toEqual([]);
  });
});
