import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';

const rule = 'tool/description-overlap';
const tools = (...descriptions: string[]) =>
  descriptions.map((description, i) => ({
    name: `t${i}`,
    description,
    inputSchema: { type: 'object', properties: {} },
  }));
const pairs = (...descriptions: string[]) =>
  check(tools(...descriptions), { rule }).findings.map(({ pointer, related }) => [pointer, related.length]);

const WORDS = 'reads one order of the shop by its number and gives state carrier price and every line of it'.split(' ');

describe(rule, () => {
  test('equal after case, spaces and punctuation are folded', () => {
    const checked = check(tools('Do it.', 'Something else.', '  do  IT!'), { rule });
    const finding = expectFinding(checked, {
      rule,
      level: 'warning',
      pointer: '/2/description',
      tool: 't2',
      message: /same as that of "t0"/,
    });
    expect(checked.text.slice(finding.related[0]!.span.start, finding.related[0]!.span.end)).toBe('"Do it."');
  });

  test('short texts are not compared by parts', () => {
    expect(pairs('reads one order by its number now', 'reads one order by its number here')).toEqual([]);
  });

  test('from eight words on, 80 % of the three-word runs are too many', () => {
    // 19 words have 17 runs. A change of the last word leaves 16 of 18 in common; one in the middle 14 of 20.
    const text = WORDS.join(' ');
    expect(pairs(text, [...WORDS.slice(0, -1), 'her'].join(' '))).toEqual([['/1/description', 1]]);
    expect(pairs(text, [...WORDS.slice(0, 9), 'or', ...WORDS.slice(10)].join(' '))).toEqual([]);
  });

  test('a tool that resembles several has one finding', () => {
    const text = WORDS.join(' ');
    expect(pairs(text, `${text} now`, `${text} here`).map(([pointer]) => pointer)).toEqual([
      '/1/description',
      '/2/description',
    ]);
  });

  test('two tools of one name are left to the rule about names', () => {
    const twice = [tools('Do it.')[0], tools('Do it.')[0]];
    expect(check(twice, { rule }).findings).toEqual([]);
  });

  test('finds the same pairs as a comparison of all with all', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return (seed >>> 8) % below;
    };
    const texts: string[] = [];
    for (let i = 0; i < 150; i++) {
      const base =
        i > 0 && random(2) === 0
          ? texts[random(i)]!.split(' ')
          : Array.from({ length: 8 + random(30) }, () => `w${random(400)}`);
      const words = [...base];
      for (let change = random(4); change > 0; change--) words[random(words.length)] = `w${random(400)}`;
      texts.push(words.join(' '));
    }
    const runs = texts.map((text) => {
      const words = text.split(' ');
      return new Set(words.slice(2).map((_, i) => words.slice(i, i + 3).join(' ')));
    });
    const similar = (a: Set<string>, b: Set<string>) => {
      const common = [...a].filter((run) => b.has(run)).length;
      return common / (a.size + b.size - common) >= 0.8;
    };
    const expected = texts.flatMap((text, i) =>
      texts.slice(0, i).some((other, j) => other === text || similar(runs[i]!, runs[j]!)) ? [`/${i}/description`] : [],
    );
    expect(expected.length).toBeGreaterThan(20);
    expect(check(tools(...texts), { rule }).findings.map(({ pointer }) => pointer)).toEqual(expected);
  });
});
