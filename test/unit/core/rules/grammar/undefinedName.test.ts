import { describe, expect, it } from 'vitest';
import { checkGrammar } from '../../../../../server/src/core/checkGrammar';
import { applyEdits } from '../../../../../server/src/core/text/edits';
import { render } from '../../../../../server/src/core/text/message';

/** The message about the first undefined name, and the text after the preferred fix. */
function about(text: string): [string, string] {
  const found = checkGrammar(text, { targets: ['lark'] }).find(({ rule }) => rule === 'grammar/undefined-name')!;
  const preferred = found.fixes.find((fix) => fix.preferred)!;
  return [render(found.message), applyEdits(text, preferred.edits())];
}

describe('a name that nothing defines', () => {
  it('may be meant for a definition that nothing uses', () => {
    expect(about('start: pair\npear: "x"\n')).toEqual([
      'The rule `pair` is not defined. Did you mean `pear`?',
      'start: pear\npear: "x"\n',
    ]);
  });

  it('may be a slip for one that is used', () => {
    expect(about('start: number numbr\nnumber: "1"\n')[1]).toBe('start: number number\nnumber: "1"\n');
  });

  it.each([
    ['used elsewhere', 'start: pair pear\npear: "x"\n'],
    ['of the other kind', 'start: pair\nPEAR: "x"\n'],
    ['too short to tell', 'start: ab\ncd: "x"\n'],
    ['the entry', 'begin: stort\nstart: begin\n'.replace('stort', 'sturd')],
  ])('is not taken for one that is %s', (_, text) => {
    expect(about(text)[0]).not.toContain('Did you mean');
  });
});
