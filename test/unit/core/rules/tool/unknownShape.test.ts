import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';

const rule = 'tool/unknown-shape';

describe(rule, () => {
  test('a file without tools gets one hint with reasons and nothing else', () => {
    const checked = check([{ title: 'x' }, 5]);
    expect(checked.findings.map((each) => [each.rule, each.level])).toEqual([[rule, 'hint']]);
    expectFinding(checked, { rule, pointer: '', message: /no tool definition/ });
  });

  test('a list item that is no tool has a hint of its own', () => {
    const checked = check([{ name: 'a', description: 'A.', inputSchema: { type: 'object' } }, { x: 1 }], { rule });
    expectFinding(checked, { rule, level: 'hint', pointer: '/1' });
  });

  test('a namespace in a namespace is named, and the tools beside it are read', () => {
    const inner = { type: 'namespace', name: 'b', description: 'B.', tools: [] };
    const tool = { type: 'function', name: 'f', description: 'F.', parameters: { type: 'object', properties: {} } };
    const checked = check([{ type: 'namespace', name: 'a', description: 'A.', tools: [inner, tool] }], { rule });
    expectFinding(checked, { rule, level: 'hint', pointer: '/0/tools/0', message: /no further namespaces/ });
    expect(checked.result.set.tools.map(({ name }) => name)).toEqual(['f']);
  });

  test('the dialect of a benchmark is named once', () => {
    const tool = { name: 'a.b', description: 'A.', parameters: { type: 'dict', properties: {} } };
    const checked = check([tool, { ...tool, name: 'c' }]);
    expect(checked.findings.map((each) => each.rule)).toEqual([rule]);
    expectFinding(checked, { rule, message: /BFCL/ });
  });

  test('an extension manifest without tools is left alone', () => {
    expect(check({ name: 'ext', contributes: {} }, { file: 'package.json' }).findings).toEqual([]);
  });

  test('an empty text is no fault of shape', () => {
    expect(check('', { rule }).findings).toEqual([]);
  });
});
