import { describe, expect, test } from 'vitest';
import { type CheckResult, createChecker } from '../../../../server/src/core/check';
import { type Checked, fixText } from '../../../../server/src/core/rules/fixText';
import { applyEdits } from '../../../../server/src/core/text/edits';
import type { Finding, Fix, TextEdit } from '../../../../server/src/core/text/finding';
import { parseJson } from '../../../../server/src/core/text/json';
import { t } from '../../../../server/src/core/text/message';

const check = (text: string) => createChecker().check({ uri: 'file:///w/t.tools.json', text });

/** A check that finds each `from` in the text, with a fix that replaces it. */
function replacing(from: string, to: string, more: Partial<Finding> & { safe?: boolean } = {}) {
  return (text: string): Checked => {
    const findings: Finding[] = [];
    for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + from.length)) {
      const span = { start: at, end: at + from.length };
      const fix: Fix = {
        title: t('Replace.'),
        safe: more.safe ?? true,
        preferred: true,
        kind: 'quickfix',
        edits: () => [{ span, newText: to }],
      };
      findings.push({
        rule: 'tool/name-pattern',
        level: 'warning',
        span,
        message: t('Wrong.'),
        targets: [],
        tool: undefined,
        pointer: `/${findings.length}`,
        related: [],
        fixes: [fix],
        unnecessary: false,
        ...more,
      });
    }
    return { document: parseJson(text), findings };
  };
}

describe('fixing a text', () => {
  test('goes on until nothing is left, and every other byte stays', () => {
    const tool = {
      type: 'function',
      name: 'f',
      description: 'd',
      parameters: { type: 'object', properties: {}, $defs: { A: { $ref: '#/$defs/B' }, B: { type: 'string' } } },
    };
    const text = `\t${JSON.stringify([tool], null, 3)}   \r\n`;
    const outcome = fixText(text, check);
    expect(outcome.text).not.toContain('$defs');
    expect(applyEdits(text, outcome.edits)).toBe(outcome.text);
    expect(outcome.text.startsWith('\t[')).toBe(true);
    expect(outcome.text.endsWith(']   \r\n')).toBe(true);
    expect(outcome.result.findings.some(({ rule }) => rule === 'codex/unreachable-definition')).toBe(false);
    expect(outcome.applied.length).toBeGreaterThan(0);
  });

  test('applies all fixes of a round that do not touch each other', () => {
    const outcome = fixText('["x","x","x"]', replacing('"x"', '"y"'));
    expect(outcome.text).toBe('["y","y","y"]');
    expect(outcome.applied).toHaveLength(3);
  });

  test('leaves unsafe fixes alone', () => {
    expect(fixText('["x"]', replacing('"x"', '"y"', { safe: false })).edits).toEqual([]);
  });

  test('takes a fix back that breaks the JSON', () => {
    expect(fixText('["x"]', replacing('"x"', '"'))).toMatchObject({ text: '["x"]', edits: [], applied: [] });
  });

  test('takes a fix back that brings an error', () => {
    const base = replacing('"x"', '"z"');
    const withErrors = (text: string): Checked => {
      const { document, findings } = base(text);
      const error = { ...replacing('"z"', '', { level: 'error' })(text).findings[0]!, fixes: [] };
      return { document, findings: text.includes('"z"') ? [...findings, error] : findings };
    };
    expect(fixText('["x"]', withErrors).text).toBe('["x"]');
  });

  test('ends though each fix brings the next one', () => {
    const base = replacing('"x"', '"y","x"');
    const outcome = fixText('["x"]', base);
    expect(outcome.text).toMatch(/^\[("y",){10,100}"x"\]$/);
  });

  test('does nothing to broken JSON', () => {
    expect(fixText('["x"', replacing('"x"', '"y"')).text).toBe('["x"');
  });
});

describe('fixes whose edits meet', () => {
  /** A checker of texts that are lists of numbers: each `1` is a warning with the given fix. */
  function checkerOf(
    fixAt: (offset: number, text: string) => TextEdit[],
    levelOf: (text: string) => 'error' | undefined,
  ) {
    const calls: string[] = [];
    const check = (text: string): CheckResult => {
      calls.push(text);
      const findings: Finding[] = [...text.matchAll(/1/g)].map(({ index }) => {
        const fix: Fix = {
          title: t('Replace.'),
          safe: true,
          preferred: true,
          kind: 'quickfix',
          edits: () => fixAt(index, text),
        };
        return finding('one', 'warning', index, [fix]);
      });
      const level = levelOf(text);
      if (level !== undefined) findings.push(finding('whole', level, 0, []));
      return { ...createChecker().check({ uri: 'a.json', text: '[]' }), document: parseJson(text), findings };
    };
    return { check, calls };
  }

  function finding(rule: string, level: 'warning' | 'error', start: number, fixes: Fix[]): Finding {
    const span = { start, end: start + 1 };
    const message = t('x');
    return {
      rule,
      level,
      span,
      message,
      fixes,
      targets: [],
      tool: undefined,
      pointer: String(start),
      related: [],
      unnecessary: false,
    };
  }

  const replaceWith = (newText: string) => (start: number) => [{ span: { start, end: start + 1 }, newText }];

  test('applies fixes that do not touch each other in one round', () => {
    const { check, calls } = checkerOf(replaceWith('2'), () => undefined);
    const { text, applied } = fixText('[1, 1, 1]', check);
    expect(text).toBe('[2, 2, 2]');
    expect(applied).toHaveLength(3);
    expect(calls).toEqual(['[1, 1, 1]', '[2, 2, 2]']);
  });

  test('keeps fixes that touch each other for the next round', () => {
    const { check } = checkerOf(
      (start, text) => [{ span: { start, end: text.length - 1 }, newText: text.slice(start + 1, -1).concat('2') }],
      () => undefined,
    );
    expect(fixText('[11]', check).text).toBe('[22]');
  });

  test('tells fixes apart whose own edits touch each other', () => {
    const { check } = checkerOf(
      (start) => [
        { span: { start: start - 1, end: start }, newText: ' ' },
        { span: { start, end: start + 1 }, newText: '2' },
        { span: { start: start + 1, end: start + 1 }, newText: '0' },
      ],
      () => undefined,
    );
    expect(fixText('[ 1, 1, 5, 1]', check).text).toBe('[ 20, 20, 5, 20]');
  });

  test('takes back a fix that brings an error, and still applies the others', () => {
    const { check } = checkerOf(
      (start) => [{ span: { start, end: start + 1 }, newText: start === 1 ? '3' : '2' }],
      (text) => (text.includes('3') ? 'error' : undefined),
    );
    const { text, applied } = fixText('[1, 1, 1]', check);
    expect(text).toBe('[1, 2, 2]');
    expect(applied).toHaveLength(2);
  });
});
