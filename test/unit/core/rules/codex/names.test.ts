import { describe, expect, test } from 'vitest';
import { check, checkMarked, describeFinding, expectFinding } from '../helper';

const codex = { targets: ['codex'] as const };
const schema = '{ "type": "object" }';

describe('codex/name-sanitized', () => {
  test('MCP names show their final form', () => {
    const checked = checkMarked(`{ "name": ⟦"local.files-list"⟧, "description": "T.", "inputSchema": ${schema} }`, {
      ...codex,
      rule: 'codex/name-sanitized',
    });
    expectFinding(checked, { level: 'info', message: /the name "local_files_list"/ });
  });

  test('silent for names that stay, and for shapes that keep theirs', () => {
    const rule = 'codex/name-sanitized';
    checkMarked(`{ "name": "a_b", "description": "T.", "inputSchema": ${schema} }`, { ...codex, rule });
    checkMarked(`{ "type": "function", "name": "a-b", "description": "T.", "parameters": ${schema} }`, {
      ...codex,
      rule,
    });
  });
});

describe('codex/name-hashed', () => {
  const tool = (
    length: number,
  ): string => `{ "name": ⟦"${'a'.repeat(length)}"⟧, "description": "T.", "inputSchema": ${schema},
    "x-toolspec": { "server": "shop" } }`;

  test('namespace, name and two bytes beyond the limit', () => {
    const checked = checkMarked(tool(118), { ...codex, rule: 'codex/name-hashed' });
    expectFinding(checked, {
      level: 'info',
      message: /^Codex shows the model the name "a{104}_[0-9a-f]{12}" in the namespace "mcp__shop"/,
    });
    checkMarked(tool(117).replaceAll(/[⟦⟧]/g, ''), { ...codex, rule: 'codex/name-hashed' });
  });

  test('64 bytes in 0.148', () => {
    checkMarked(tool(54), { ...codex, profile: 'codex-0.148', rule: 'codex/name-hashed' });
    checkMarked(tool(53).replaceAll(/[⟦⟧]/g, ''), { ...codex, profile: 'codex-0.148', rule: 'codex/name-hashed' });
  });
});

/** A canonical dynamic tool with this name. */
function dynamic(name: string, more = ''): string {
  return `{ "type": "function", "name": ${name}, "description": "T.", "inputSchema": ${schema}${more} }`;
}

describe('codex/reserved-name', () => {
  const options = { ...codex, rule: 'codex/reserved-name' };

  test.each([['mcp'], ['mcp__x'], ['view_image'], ['exec_command']])('tool %s', (name) => {
    expectFinding(checkMarked(dynamic(`⟦"${name}"⟧`), options), { level: 'error' });
  });

  test.each([['mcp__x'], ['functions'], ['python'], ['web']])('namespace %s', (name) => {
    const text = `[{ "type": "namespace", "name": ⟦"${name}"⟧, "description": "N.", "tools": [${dynamic('"a"')}] }]`;
    expectFinding(checkMarked(text, options), { level: 'error' });
  });

  test('silent for other names, for built-in names inside a namespace, and for MCP tools', () => {
    for (const name of ['shell', 'web_search', 'apply_patch', 'mcp_x']) checkMarked(dynamic(`"${name}"`), options);
    checkMarked(
      `[{ "type": "namespace", "name": "n", "description": "N.", "tools": [${dynamic('"view_image"')}] }]`,
      options,
    );
    checkMarked(`{ "name": "mcp__x", "description": "T.", "inputSchema": ${schema} }`, options);
  });
});

describe('codex/namespace', () => {
  const options = { ...codex, rule: 'codex/namespace' };
  const space = (name: string, description = '"N."', tools = dynamic('"a"')): string =>
    `{ "type": "namespace", "name": ${name}, "description": ${description}, "tools": [${tools}] }`;

  test('repeated, too long, badly named, too long a text', () => {
    const checked = checkMarked(`[${space('"n"')}, ${space('⟦"n"⟧')}]`, options);
    expect(checked.findings[0]!.related).toHaveLength(1);
    checkMarked(`[${space(`⟦"${'g'.repeat(65)}"⟧`)}]`, options);
    checkMarked(`[${space(`"${'g'.repeat(64)}"`)}]`, options);
    checkMarked(`[${space('⟦"a b"⟧')}]`, options);
    checkMarked(
      `[${space('"n"', `⟦"${'d'.repeat(1025)}"⟧`)
        .replace('⟦', '')
        .replace('⟧', '')
        .replace('"description"', '⟦"description"⟧')}]`.replace(/⟦"description"⟧(?=: "T)/g, '"description"'),
      options,
    );
    checkMarked(`[${space('"n"', `"${'d'.repeat(1024)}"`)}]`, options);
  });

  test('empty', () => {
    expectFinding(check(`{ "dynamicTools": [${space('"n"', '"N."', '')}] }`, options), {
      level: 'error',
      message: /at least one tool/,
    });
  });

  test('a deferred tool outside of a namespace', () => {
    checkMarked(`[${dynamic('"a"', ', ⟦"deferLoading"⟧: true')}]`, options);
    checkMarked(`[${space('"n"', '"N."', dynamic('"a"', ', "deferLoading": true'))}]`, options);
  });
});

describe('codex/dynamic-tool', () => {
  const options = { ...codex, rule: 'codex/dynamic-tool' };

  test('a description is demanded', () => {
    expect(
      check({ type: 'function', name: 'a', inputSchema: { type: 'object' } }, options).findings.map(describeFinding),
    ).toEqual([
      'error codex/dynamic-tool : A dynamic tool needs a description, else Codex refuses the whole list: "missing field `description`".',
    ]);
    expect(check({ type: 'function', name: 'a', description: 5, inputSchema: {} }, options).findings).toHaveLength(1);
    expect(check({ name: 'a', inputSchema: {} }, options).findings, 'an MCP tool needs none').toEqual([]);
  });

  test('canonical and legacy entries do not mix', () => {
    const legacy = { name: 'b', description: 'B.', namespace: 'n', inputSchema: {} };
    const canonical = { type: 'function', name: 'a', description: 'A.', inputSchema: {} };
    const mixed = check({ dynamicTools: [legacy, canonical] }, options);
    expectFinding(mixed, { pointer: '/dynamicTools/1', message: /either canonical or legacy/ });
    expect(check({ dynamicTools: [canonical, { ...canonical, name: 'b' }] }, options).findings).toEqual([]);
  });
});
