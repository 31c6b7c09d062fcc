import { expect } from 'vitest';
import { type CheckOptions, type CheckResult, createChecker } from '../../../../server/src/core/check';
import type { Finding, Level } from '../../../../server/src/core/text/finding';
import { render } from '../../../../server/src/core/text/message';

/** How a text is checked in a test. */
export interface Options extends CheckOptions {
  /** Look at the findings of this rule only. */
  rule?: string;
  /** Default: `t.tools.json`. */
  file?: string;
  jsonc?: boolean;
}

/** A text that was checked, and what was said about it. */
export interface Checked {
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly result: CheckResult;
  readonly options: Options;
}

/** Checks a text, which may be given as a value, and keeps the findings of `options.rule`. */
export function check(source: unknown, options: Options = {}): Checked {
  const text = typeof source === 'string' ? source : JSON.stringify(source, null, 2);
  const { rule, file = 't.tools.json', jsonc = false, ...rest } = options;
  const result = createChecker().check({ uri: `file:///w/${file}`, text, jsonc }, rest);
  const findings = result.findings.filter((finding) => rule === undefined || finding.rule === rule);
  return { text, findings, result, options };
}

/** A text without its marks, and the spans between `⟦` and `⟧` in the order of their starts. */
export function unmark(marked: string): { text: string; spans: { start: number; end: number }[] } {
  const spans: { start: number; end: number }[] = [];
  const open: { start: number; end: number }[] = [];
  let text = '';
  for (const character of marked) {
    if (character === '⟦') {
      const span = { start: text.length, end: -1 };
      spans.push(span);
      open.push(span);
    } else if (character === '⟧') {
      const span = open.pop();
      if (span === undefined) throw new Error('A mark is closed that was not opened.');
      span.end = text.length;
    } else text += character;
  }
  if (open.length > 0) throw new Error('A mark is not closed.');
  return { text, spans };
}

/**
 * Checks a text in which `⟦…⟧` marks each place where `options.rule` must speak, and expects it to speak at these
 * places and nowhere else. Without marks it must be silent.
 */
export function checkMarked(marked: string, options: Options & { rule: string }): Checked {
  const { text, spans } = unmark(marked);
  const checked = check(text, options);
  const found = checked.findings.map(({ span }) => span);
  const show = (list: { start: number; end: number }[]): string[] =>
    list.map(({ start, end }) => `${start}-${end} ${text.slice(start, end)}`);
  expect(show(found)).toEqual(show(spans));
  return checked;
}

/** What a finding is expected to be; only what is given is compared. */
export interface Expected {
  rule?: string;
  level?: Level;
  pointer?: string;
  message?: string | RegExp;
  targets?: readonly string[];
  tool?: string;
}

/** Expects exactly one finding that fits, among those of a check, and gives it. */
export function expectFinding({ findings }: Pick<Checked, 'findings'>, expected: Expected): Finding {
  const fits = findings.filter(
    (each) =>
      (expected.rule === undefined || each.rule === expected.rule) &&
      (expected.pointer === undefined || each.pointer === expected.pointer),
  );
  expect(fits.map(describeFinding), `findings like ${JSON.stringify(expected)}`).toHaveLength(1);
  const finding = fits[0]!;
  if (expected.level !== undefined) expect(finding.level).toBe(expected.level);
  if (expected.targets !== undefined) expect(finding.targets).toEqual(expected.targets);
  if (expected.tool !== undefined) expect(finding.tool).toBe(expected.tool);
  if (typeof expected.message === 'string') expect(render(finding.message)).toBe(expected.message);
  else if (expected.message !== undefined) expect(render(finding.message)).toMatch(expected.message);
  return finding;
}

/** A finding in one line, for comparisons that are read. */
export function describeFinding(finding: Finding): string {
  return `${finding.level} ${finding.rule} ${finding.pointer ?? ''}: ${render(finding.message)}`;
}

/** The text after a fix of a finding. */
export function editedText(text: string, finding: Finding, fix = 0): string {
  const edits = finding.fixes[fix]!.edits();
  let result = '';
  let end = 0;
  for (const edit of edits) {
    expect(edit.span.start, 'edits are in order and do not overlap').toBeGreaterThanOrEqual(end);
    expect(edit.span.end).toBeGreaterThanOrEqual(edit.span.start);
    result += text.slice(end, edit.span.start) + edit.newText;
    end = edit.span.end;
  }
  return result + text.slice(end);
}

/**
 * Applies a fix and gives the new text. Expects that the finding is gone (one fewer of its rule), that no error is new,
 * and that the text can still be parsed. What the edits do not cover stays as it is, by construction.
 */
export function applyFix(checked: Checked, finding: Finding, fix = 0): string {
  expect(finding.fixes.length, `fixes of ${describeFinding(finding)}`).toBeGreaterThan(fix);
  const text = editedText(checked.text, finding, fix);
  expect(text).not.toBe(checked.text);
  const { rule: _, ...rest } = checked.options;
  const before = check(checked.text, rest);
  const after = check(text, rest);
  const isError = (each: Finding): boolean => each.level === 'error';
  const rules = (list: readonly Finding[]): string[] => list.filter(isError).map((each) => each.rule);
  const left = rules(before.findings);
  const added = rules(after.findings).filter((rule) => {
    const at = left.indexOf(rule);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  expect(added, 'errors that are new after the fix').toEqual([]);
  const count = (list: readonly Finding[]): number => list.filter(({ rule }) => rule === finding.rule).length;
  expect(count(after.findings), `findings of ${finding.rule} after the fix`).toBeLessThan(count(before.findings));
  expect(after.result.document.problems.map(({ code }) => code)).toEqual(
    before.result.document.problems.map(({ code }) => code),
  );
  return text;
}
