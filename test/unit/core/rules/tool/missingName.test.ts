import { describe, expect, test } from 'vitest';
import { check, checkMarked, expectFinding } from '../helper';

const rule = 'tool/missing-name';

describe(rule, () => {
  test('missing, empty, blank and of the wrong kind', () => {
    checkMarked('[⟦{⟧"inputSchema": {}, "description": "A."}]', { rule });
    checkMarked('[{⟦"name"⟧: "", "inputSchema": {}}, {⟦"name"⟧: "  ", "inputSchema": {}}]', { rule });
    checkMarked('[{"name": ⟦5⟧, "inputSchema": {}}]', { rule });
  });

  test('namespaces need one too', () => {
    const child = { type: 'function', name: 'a', description: 'A.', parameters: { type: 'object', properties: {} } };
    const checked = check([{ type: 'namespace', description: 'N.', tools: [child] }], { rule });
    expectFinding(checked, { rule, level: 'error', pointer: '/0', message: /namespace/ });
  });

  test('hosted tools have none', () => {
    expect(check([{ type: 'web_search' }, { type: 'file_search' }], { rule }).findings).toEqual([]);
  });

  test('a name that is being typed is a fault of the text', () => {
    expect(check('[{"name": , "inputSchema": {}}]', { rule }).findings).toEqual([]);
  });
});
