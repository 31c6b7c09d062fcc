import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TARGETS } from '../../../../../server/src/core/profiles/targets';
import { PORTABILITY_RULES } from '../../../../../server/src/core/rules/portability/rules';
import { SCHEMA_RULES } from '../../../../../server/src/core/rules/schema/rules';
import { applyFix, check, describeFinding } from '../helper';

/** The example under a heading of a page. */
function example(page: string, heading: string): string {
  return new RegExp(`## ${heading}\\n\`\`\`json\\n([\\s\\S]*?)\\n\`\`\``).exec(page)![1]!;
}

/** An example as a file: a tool as it is, a schema as that of a tool of an MCP server. */
function asTool(json: string, key: string): string {
  const value: unknown = JSON.parse(json);
  const isTool = typeof value === 'object' && value !== null && 'name' in value;
  if (isTool) return json;
  const input = key === 'inputSchema' ? '' : '"inputSchema": { "type": "object", "properties": {} }, ';
  return `{ "name": "t", "description": "Does it.", ${input}"${key}": ${json} }`;
}

describe.each([...SCHEMA_RULES, ...PORTABILITY_RULES])('$id', ({ id, summary }) => {
  const page = readFileSync(new URL(`../../../../../docs/rules/${id}.md`, import.meta.url), 'utf8');
  const key = id === 'mcp/output-root' ? 'outputSchema' : 'inputSchema';
  const checked = (heading: string) => check(asTool(example(page, heading), key), { targets: TARGETS, rule: id });

  test('the page opens with the rule', () => {
    expect(page.split('\n').slice(0, 3)).toEqual([`# ${id}`, '', `${summary}.`]);
    expect(page).toMatch(/\n## Why\n[\s\S]*\nSource: [\s\S]*\n## Bad\n[\s\S]*\n## Good\n[\s\S]*\n## Fix\n./);
  });

  test('it speaks of the bad example', () => {
    expect(checked('Bad').findings.length).toBeGreaterThan(0);
  });

  test('each fix of the bad example does away with a finding, and makes no error', () => {
    const bad = checked('Bad');
    for (const finding of bad.findings) for (const index of finding.fixes.keys()) applyFix(bad, finding, index);
  });

  test('it is silent about the good one', () => {
    expect(checked('Good').findings.map(describeFinding)).toEqual([]);
  });
});
