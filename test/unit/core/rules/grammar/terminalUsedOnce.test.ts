import { describe, expect, it } from 'vitest';
import { checkGrammar } from '../../../../../server/src/core/checkGrammar';
import { createParser } from '../../../../../server/src/core/grammar/engine';
import { loadGrammar } from '../../../../../server/src/core/grammar/load/load';
import { parseGrammar } from '../../../../../server/src/core/grammar/parse';
import type { ParseChild } from '../../../../../server/src/core/grammar/tree';
import { applyEdits } from '../../../../../server/src/core/text/edits';
import { render } from '../../../../../server/src/core/text/message';

const about = (text: string) =>
  checkGrammar(text, { targets: ['lark'] }).filter(({ rule }) => rule === 'grammar/terminal-used-once');

/** Texts of the tokens in the tree of a text. */
function tokens(grammar: string, text: string): string[] {
  const { parser } = createParser(loadGrammar(parseGrammar(grammar)).grammar!);
  const result = parser!.parse(text);
  const open: ParseChild[] = [result.accepted ? result.tree : null];
  const found: string[] = [];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node?.kind === 'tree') open.push(...[...node.children].reverse());
    else if (node?.kind === 'token') found.push(node.value);
  }
  return found;
}

describe('a terminal that is used once', () => {
  it.each([
    ['start: "x" AS "y"\nAS: "as"\n'],
    ['start: w{AS}\nw{v}: "x" v "y"\nAS: "as"\n'],
    ['start: "x" (AS | B) "y"\n!b: B "z" | b B\nB: /b/\nAS: "as"\n'],
  ])('is told of where a literal leaves the tree: %j', (text) => {
    const [found, ...more] = about(text);
    expect(more).toEqual([]);
    expect(render(found!.message)).toBe(
      '`AS` is used once; the literal "as" would do there, and it would stay out of the tree.',
    );
    expect(tokens(text, 'xasy')).toContain('as');
    expect(tokens(applyEdits(text, found!.fixes[0]!.edits()), 'xasy')).not.toContain('as');
  });

  it.each([
    ['has a name with `_`', 'start: "x" _AS "y"\n_AS: "as"\n', []],
    ['stands in a rule with `!`', '!start: "x" AS "y"\nAS: "as"\n', ['x', 'as', 'y']],
    ['stands in a rule with `?!`', 'start: a\n?!a: "x" AS "y"\nAS: "as"\n', ['x', 'as', 'y']],
    ['goes into a template with `!`', 'start: w{AS}\n!w{v}: "x" v "y"\nAS: "as"\n', ['x', 'as', 'y']],
    ['goes on into one', 'start: u{AS}\nu{v}: w{v}\n!w{v}: "x" v "y"\nAS: "as"\n', ['x', 'as', 'y']],
  ])('is left alone where it %s', (_, text, kept) => {
    expect(about(text)).toEqual([]);
    expect(tokens(text, 'xasy')).toEqual(kept);
    // A literal changes nothing there.
    const literal = text.replace(/\n_?AS: "as"/, '').replace(/_?AS/, '"as"');
    expect(tokens(literal, 'xasy')).toEqual(kept);
  });
});
