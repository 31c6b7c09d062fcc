import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseGrammar } from '../../../../../server/src/core/grammar/parse';
import { railroadOf } from '../../../../../server/src/core/grammar/railroad';
import { escapeXml, shownText, textWidth } from '../../../../../server/src/core/grammar/railroad/measure';
import { railroadSheetSvg, railroadSvg } from '../../../../../server/src/core/grammar/railroad/svg';

const SAMPLE = `start: (item ";")* [tail]
item: NAME "=" value ("," value)* -> assign
    | "if" cond "then" item ["else" item] -> branch
    | "loop" INT~2..5 item
    |
!value.2: /[a-z]+\\/(x|y)\\s*/i | "0".."9" | list{value, ","} | undefined_rule
list{x, sep}: x (sep x)*
cond: ("not" | "!")? value (("==" | "!=") value)~1..3 "and" a_rule_with_a_long_name "or" another_long_name "xor" "nand" value+
wide: "漢字かな" "😀" "e\u0301" "<&>" "a long literal that goes on and on and on until it has to be cut somewhere"
EX: /a/ & ~/b/ "c"
e[lazy]: %json {"type": "object"} <tok> @other TAG{2,} TAG{3}
NAME: ("a".."z" | "_")+
%import common.INT
%ignore /\\s+/
a_rule_with_a_long_name: ()
`;

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
  frame: boolean;
}

function rectsOf(svg: string): Rect[] {
  return [
    ...svg.matchAll(/<rect (class="frame[^"]*" )?x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)"/g),
  ].map(([, frame, x, y, width, height]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
    frame: frame !== undefined,
  }));
}

/** Fails where the text is not well-formed XML, as far as its writer can get that wrong. */
function checkXml(svg: string): void {
  const open: string[] = [];
  let rest = svg;
  for (const [tag, close, name, empty] of svg.matchAll(
    /<(\/?)([a-z]+)(?: [\w-]+="[^"<&]*(?:&[a-z]+;[^"<&]*)*")*(\/?)>/g,
  )) {
    if (close === '/') expect(open.pop()).toBe(name);
    else if (empty === '') open.push(name!);
    rest = rest.replace(tag, '');
  }
  expect(open).toEqual([]);
  expect(rest.replace(/&(?:amp|lt|gt|quot);/g, '')).not.toMatch(/[<&\u0000-\u0008\u000b-\u001f\ufffe\uffff]/);
}

/** Fails where something lies outside of the picture or on something else. */
function checkPlaces(svg: string): void {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number);
  const rects = rectsOf(svg);
  for (const rect of rects) {
    expect(rect.x).toBeGreaterThanOrEqual(0);
    expect(rect.y).toBeGreaterThanOrEqual(0);
    expect(rect.x + rect.width).toBeLessThanOrEqual(width!);
    expect(rect.y + rect.height).toBeLessThanOrEqual(height!);
  }
  const boxes = rects.filter(({ frame }) => !frame).sort((a, b) => a.y - b.y);
  boxes.forEach((box, i) => {
    for (let j = i + 1; j < boxes.length && boxes[j]!.y < box.y + box.height; j++) {
      const other = boxes[j]!;
      expect(other.x >= box.x + box.width || box.x >= other.x + other.width).toBe(true);
    }
  });
}

describe('a picture', () => {
  const rules = railroadOf(parseGrammar(SAMPLE));

  test('of a whole grammar', async () => {
    const svg = railroadSheetSvg(rules, 'Sample');
    await expect(svg).toMatchFileSnapshot('../../../../fixtures/railroad/sample.svg');
    checkXml(svg);
    checkPlaces(svg);
  });

  test('has a title and a description for those who do not see it', () => {
    const svg = railroadSvg(rules[2]!);
    expect(svg).toContain('role="img"');
    expect(svg).toContain('<title>!value.2</title>');
    expect(svg).toContain('<desc>!value.2: /[a-z]+\\/(x|y)\\s*/i | &quot;0&quot;..&quot;9&quot; |');
  });

  test('links names to what is in the same picture, or where it is told to', () => {
    expect(railroadSheetSvg(rules, 'x').match(/<a href="[^"]*">/g)).toContain('<a href="#railroad-cond">');
    expect(railroadSvg(rules[0]!)).not.toContain('<a ');
    expect(railroadSheetSvg(rules, 'x')).toContain('role="graphics-document document"');
    const linked = railroadSvg(rules[0]!, { link: ({ name }) => `${name}.svg?a&b` });
    expect(linked).toContain('<a href="item.svg?a&amp;b">');
    checkXml(linked);
  });

  test('marks names that nothing defines', () => {
    expect(railroadSvg(rules[2]!)).toContain('<g class="rule unknown">');
  });

  test('is narrower when it is told to be', () => {
    const widthOf = (svg: string) => Number(/width="(\d+)"/.exec(svg)![1]);
    const cond = rules.find(({ name }) => name === 'cond')!;
    expect(widthOf(railroadSvg(cond, { width: 400 }))).toBeLessThanOrEqual(440);
    expect(widthOf(railroadSvg(cond, { width: 2000 }))).toBeGreaterThan(900);
    checkPlaces(railroadSvg(cond, { width: 400 }));
  });

  test('can do without its heading', () => {
    const svg = railroadSvg(rules[0]!, { heading: false });
    expect(svg).not.toContain('class="heading"');
    checkPlaces(svg);
  });

  test('as a part of a page has no colors that the page cannot change', () => {
    expect(railroadSvg(rules[0]!)).toContain('class="railroad standalone"');
    expect(railroadSvg(rules[0]!, { standalone: false })).toContain('class="railroad"');
  });

  test('of nothing is empty', () => {
    checkXml(railroadSheetSvg([], 'Nothing'));
  });

  test('loads nothing and runs nothing', () => {
    expect(railroadSheetSvg(rules, 'x')).not.toMatch(/<script|url\(|@import|https?:(?!\/\/www\.w3\.org\/2000\/svg")/);
  });
});

describe('text', () => {
  test('is measured in cells of a monospaced font', () => {
    const cell = textWidth('x'.repeat(10)) / 10;
    expect(textWidth('漢字')).toBe(Math.ceil(4 * cell));
    expect(textWidth('😀')).toBe(Math.ceil(2 * cell));
    expect(textWidth('e\u0301')).toBe(Math.ceil(cell));
    expect(textWidth('한글')).toBe(textWidth('漢字'));
    expect(textWidth('')).toBe(0);
  });

  test('is shown on one line and cut where it is long', () => {
    expect(shownText('a\n\tb\u007f')).toBe('a␊␉b␡');
    expect(shownText('x'.repeat(64))).toBe('x'.repeat(64));
    expect(shownText('x'.repeat(65))).toBe(`${'x'.repeat(64)}…`);
    expect(shownText('漢'.repeat(40))).toBe(`${'漢'.repeat(32)}…`);
  });

  test('is escaped, and what XML has no place for is replaced', () => {
    expect(escapeXml('<a b="c">&\u0001\ud800😀')).toBe('&lt;a b=&quot;c&quot;&gt;&amp;��😀');
  });
});

describe('laws', () => {
  const { vectors } = JSON.parse(
    readFileSync(new URL('../../../../vectors/lark/vectors.json', import.meta.url), 'utf8'),
  ) as { vectors: { grammar: string }[] };
  const grammars = [...new Set(vectors.map(({ grammar }) => grammar))];

  test.each([240, 800])('pictures %i wide are well-formed, and nothing lies on something else', (width) => {
    expect(grammars.length).toBeGreaterThan(500);
    for (const grammar of grammars) {
      const svg = railroadSheetSvg(railroadOf(parseGrammar(grammar)), 'x', { width });
      checkPlaces(svg);
      if (width === 240) checkXml(svg);
      expect(svg).not.toContain('NaN');
      expect(svg).not.toContain('undefined ');
    }
  });

  test('a grammar that is deep or long still gives a picture', () => {
    const deep = `start: ${'['.repeat(900)}"x"${']'.repeat(900)}\nlong: ${'"a" | '.repeat(60_000)}"b"`;
    const svg = railroadSheetSvg(railroadOf(parseGrammar(deep)), 'x');
    expect(svg).toContain('… +59751');
    checkPlaces(svg);
  });
});
