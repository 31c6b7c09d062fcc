import { describe, expect, test } from 'vitest';
import { createChecker } from '../../../../../server/src/core/check';
import { checkGrammar } from '../../../../../server/src/core/checkGrammar';
import { GRAMMAR_RULES } from '../../../../../server/src/core/rules/grammar/rules';
import { EmbeddedText } from '../../../../../server/src/core/text/embedded';
import { compareFindings, type Finding } from '../../../../../server/src/core/text/finding';
import { render } from '../../../../../server/src/core/text/message';
import { read } from '../../../tidy/sources';

const tool = (syntax: string, definition: string): unknown => ({
  type: 'custom',
  name: 'q',
  description: 'Asks.',
  format: { type: 'grammar', syntax, definition },
});

function check(value: unknown): { text: string; findings: readonly Finding[] } {
  const text = JSON.stringify(value, null, 2);
  const checker = createChecker();
  checker.check({ uri: 'file:///w/t.tools.json', text: `\n${text}` }, { targets: ['openai'] });
  // The second time the findings come from what is remembered.
  const { findings } = checker.check({ uri: 'file:///w/t.tools.json', text }, { targets: ['openai'] });
  return { text, findings };
}

function found(value: unknown, rule: string): { text: string; finding: Finding } {
  const { text, findings } = check(value);
  const all = findings.filter((finding) => finding.rule === rule);
  expect(all.length).toBe(1);
  return { text, finding: all[0]! };
}

function applied(text: string, { fixes }: Finding): string {
  let result = text;
  for (const { span, newText } of [...fixes[0]!.edits()].reverse())
    result = result.slice(0, span.start) + newText + result.slice(span.end);
  return result;
}

describe('grammars inside tools', () => {
  test('places and fixes are those of the JSON text, through its escapes', () => {
    const { text, finding } = found(tool('lark', 'start: "<n>" BODY\nBODY: /.*?<\\/n>/\n'), 'grammar/lazy-quantifier');
    expect(text.slice(finding.span.start - 2, finding.span.end + 1)).toBe('.*?<');
    expect(finding.pointer).toBe('/format/definition');
    expect(finding.tool).toBe('q');
    const fixed = JSON.parse(applied(text, finding)) as { format: { definition: string } };
    expect(fixed.format.definition).toBe('start: "<n>" BODY\nBODY: /[^<]*<\\/n>/\n');
  });

  test('the shape of Chat Completions', () => {
    const grammar = { syntax: 'lark', definition: 'start: missing\n' };
    const value = { type: 'custom', custom: { name: 'q', description: 'Asks.', format: { type: 'grammar', grammar } } };
    expect(found(value, 'grammar/undefined-name').finding.pointer).toBe('/custom/format/grammar/definition');
  });

  for (const { id } of GRAMMAR_RULES) {
    const grammar = /^## Bad\n```lark\n([\s\S]*?)^```$/m.exec(read(`docs/rules/${id}.md`))?.[1];
    if (grammar === undefined) continue;
    test(`${id}: the same in a JSON string`, () => {
      const text = JSON.stringify(tool('lark', grammar));
      const embedded = new EmbeddedText(text, text.indexOf('"definition":') + '"definition":'.length);
      expect(embedded.text).toBe(grammar);
      const targets = ['openai', 'lark', 'llguidance'] as const;
      const { findings } = createChecker().check({ uri: 'file:///w/t.tools.json', text }, { targets });
      const show = ({ rule, level, span, message }: Finding) => [rule, level, span.start, span.end, render(message)];
      const inText = checkGrammar(grammar, { targets }).map((finding) => {
        return { ...finding, span: embedded.spanToDocument(finding.span) };
      });
      expect(findings.filter(({ rule }) => rule.startsWith('grammar/')).map(show)).toEqual(
        inText.sort(compareFindings).map(show),
      );
    });
  }

  test('an empty grammar', () => {
    expect(found(tool('lark', ''), 'grammar/empty').finding.level).toBe('error');
  });

  test('line breaks that are escaped twice', () => {
    const { text, finding } = found(tool('lark', 'start: x\\nx: "a"\\n'), 'grammar/definition-json');
    expect(text.slice(finding.span.start, finding.span.end)).toBe('\\\\n');
  });

  test('a lazy class whose end it may hold itself', () => {
    const { text, finding } = found(tool('regex', 'x[a-z;]*?;'), 'grammar/lazy-quantifier');
    const fixed = JSON.parse(applied(text, finding)) as { format: { definition: string } };
    expect(fixed.format.definition).toBe('x[a-z]*;');
  });

  test('an expression alone, with slashes', () => {
    const { text, finding } = found(tool('regex', 'a/b/.*?c'), 'grammar/lazy-quantifier');
    expect(text.slice(finding.span.start - 2, finding.span.end + 1)).toBe('.*?c');
    const fixed = JSON.parse(applied(text, finding)) as { format: { definition: string } };
    expect(fixed.format.definition).toBe('a/b/[^c]*c');
    expect(found(tool('regex', 'a(?=b)/'), 'grammar/lookaround').finding.level).toBe('error');
    const long = found(tool('regex', '(a{1000}){1000}'), 'grammar/large-repeat');
    expect(long.text.slice(long.finding.span.start, long.finding.span.end)).toBe('(a{1000}){1000}');
    expect(check(tool('regex', '^[a-z]{1,8}$')).findings.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
