import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  collectTexts,
  filesOf,
  LANGUAGES,
  marksOf,
  problemOf,
  pseudoBundle,
  readTexts,
} from '../../../scripts/l10n.mjs';
import { readJson, root } from './sources';

const { texts, computed } = collectTexts();
const titles = readTexts('package.nls.json');

test('the text of every message is a literal, so that it can be translated', () => {
  expect(texts.size).toBeGreaterThan(1_500);
  expect(computed).toEqual([]);
});

test('the English bundle holds the texts of the sources and no other', () => {
  const english = readTexts('l10n/bundle.l10n.json');
  expect(Object.keys(english).sort()).toEqual([...texts.keys()].sort());
  for (const [key, text] of Object.entries(english)) expect(text).toBe(key);
});

test('every language has its files, and there are no others', () => {
  const bundles = LANGUAGES.map((language) => filesOf(language).bundle.replace('l10n/', ''));
  expect(readdirSync(`${root}/l10n`).sort()).toEqual(['bundle.l10n.json', ...bundles].sort());
  expect(readdirSync(root).filter((file) => /^package\.nls\..+\.json$/.test(file))).toEqual(
    LANGUAGES.map((language) => filesOf(language).manifest),
  );
  expect(readJson<{ l10n: string }>('package.json').l10n).toBe('./l10n');
});

describe.each(LANGUAGES)('%s', (language) => {
  const { bundle, manifest } = filesOf(language);

  test.each([
    [bundle, new Map([...texts.keys()].map((key) => [key, key]))],
    [manifest, new Map(Object.entries(titles))],
  ])('%s translates every text, and nothing else', (file, wanted) => {
    const translations = readTexts(file);
    const problems = [...wanted].flatMap(([key, text]) => {
      const problem = problemOf(text, translations[key]);
      return problem === undefined ? [] : [`${JSON.stringify(text)} ${problem}`];
    });
    expect(problems).toEqual([]);
    expect(Object.keys(translations).filter((key) => !wanted.has(key))).toEqual([]);
  });
});

test('placeholders and code are what a translation has to keep', () => {
  expect(marksOf('{1} of `a {0}` and {0}')).toEqual(['`a {0}`', '{0}', '{1}']);
  expect(problemOf('{0} of {1}', '{1} 中的 {0}')).toBeUndefined();
  expect(problemOf('{0} of {1}', '{0}')).toBe('has {0} where the text has {0} {1}');
  expect(problemOf('Run `x`.', '运行 `y`。')).toBe('has `y` where the text has `x`');
  expect(problemOf('Run', '')).toBe('is not translated');
});

test('the made-up language keeps what a translation has to keep', () => {
  for (const [text, pseudo] of Object.entries(pseudoBundle(texts.keys()))) {
    expect(problemOf(text, pseudo)).toBeUndefined();
    expect(pseudo).toMatch(/^⟦[\s\S]*⟧$/);
  }
});
