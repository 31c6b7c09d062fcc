import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonNode, parseJson } from '../../../../server/src/core/text/json';
import { walkJson } from '../../../../server/src/core/text/jsonTree';
import { render } from '../../../../server/src/core/text/message';
import type { ToolSet } from '../../../../server/src/core/tools/model';
import { readTools } from '../../../../server/src/core/tools/read';
import { TOOL_SHAPES } from '../../../../server/src/core/tools/shapes';

const folder = path.resolve(import.meta.dirname, '../../../fixtures/tools');
const fixtures = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));

/** Every node that the set names is a node of the document, in the tool that names it. */
function checkSet(set: ToolSet): void {
  const nodes = new Set<JsonNode>();
  if (set.document.root !== undefined) walkJson(set.document.root, (node) => void nodes.add(node));
  const belongs = (node: JsonNode | undefined, owner?: JsonNode): void => {
    if (node === undefined) return;
    expect(nodes.has(node)).toBe(true);
    if (owner !== undefined) {
      expect(node.offset).toBeGreaterThanOrEqual(owner.offset);
      expect(node.end).toBeLessThanOrEqual(owner.end);
    }
  };
  belongs(set.listNode);
  let from = -1;
  for (const tool of set.tools) {
    belongs(tool.node);
    expect(tool.node.offset).toBeGreaterThan(from);
    from = tool.node.offset;
    const parts = [tool.body, tool.nameNode, tool.descriptionNode, tool.schemaNode, tool.outputSchemaNode];
    for (const node of [...parts, tool.strictNode, tool.deferNode, tool.format?.node, tool.local.node]) {
      belongs(node, tool.node);
    }
    belongs(tool.format?.definitionNode, tool.format?.node);
    belongs(tool.local.handler?.node);
    if (tool.namespace !== undefined) expect(tool.namespace.tools).toContain(tool);
  }
  const entries = set.entries.flatMap((entry) => ('tool' in entry ? [entry.tool] : entry.namespace.tools));
  expect(entries).toEqual(set.tools);
  for (const { node, span } of set.problems) {
    belongs(node);
    expect(span.start).toBeLessThanOrEqual(span.end);
    expect(span.end).toBeLessThanOrEqual(set.document.text.length);
  }
  expect(set.problems.map((problem) => problem.span.start)).toEqual(
    set.problems.map((problem) => problem.span.start).sort((a, b) => a - b),
  );
  expect(set.shape === undefined).toBe(set.entries.length === 0);
  for (const reason of set.reasons) expect(render(reason)).not.toBe('');
}

describe('laws', () => {
  const shape = fc.option(fc.constantFrom(...TOOL_SHAPES), { nil: undefined });
  const word = fc.constantFrom(
    ...['type', 'name', 'description', 'parameters', 'inputSchema', 'input_schema', 'function', 'custom', 'format'],
    ...['tools', 'functions', 'dynamicTools', 'functionDeclarations', 'languageModelTools', 'contributes', 'messages'],
    ...['model', 'input', 'result', 'params', 'jsonrpc', 'strict', 'annotations', 'namespace', 'x-toolspec', '$file'],
    ...['definition', 'grammar', 'googleSearch', '__proto__', 'max_tokens', 'nextCursor', 'deferLoading'],
  );
  const leaf = fc.oneof(
    fc.constantFrom('function', 'namespace', 'custom', 'tool_search', 'web_search', 'bash_20250124', 'dict', 'OBJECT'),
    fc.constantFrom('tool_search_output', 'additional_tools', 'a', ''),
    fc.constantFrom(null, true, false, 0, 1.5),
  );
  const toolish = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      leaf,
      fc.dictionary(word, tie('value'), { maxKeys: 6 }),
      fc.array(tie('value'), { maxLength: 4 }),
    ),
  })).value;
  const mutated = fc
    .tuple(fc.constantFrom(...fixtures), fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.constantFrom(...'{}[],:"\\ a1'))))
    .map(([text, changes]) => {
      let result = text;
      for (const [place, cut, added] of changes.slice(0, 5)) {
        const at = place % (result.length + 1);
        result = result.slice(0, at) + added + result.slice(at + cut);
      }
      return result;
    });
  const options = { seed: 17, numRuns: 600 };

  test('objects made of the words of all shapes', () => {
    fc.assert(
      fc.property(toolish, shape, (value, chosen) => {
        checkSet(readTools(parseJson(JSON.stringify(value)), { baseName: 'x', shape: chosen }));
      }),
      { ...options, numRuns: 2000 },
    );
  });

  test('any JSON', () => {
    fc.assert(
      fc.property(fc.json(), shape, (text, chosen) => {
        checkSet(readTools(parseJson(text), { baseName: 'x', shape: chosen }));
      }),
      options,
    );
  });

  test('fixtures with faults typed into them', () => {
    fc.assert(
      fc.property(mutated, (text) => {
        checkSet(readTools(parseJson(text), { baseName: 'x' }));
      }),
      options,
    );
  });

  test('fixtures that break off keep the tools before the end', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fixtures), fc.nat(), (text, at) => {
        const length = at % text.length;
        const part = readTools(parseJson(text.slice(0, length)), { baseName: 'x' });
        checkSet(part);
        const found = part.tools.map((tool) => tool.node.offset);
        const whole = readTools(parseJson(text), { baseName: 'x' });
        for (const { node } of whole.tools) if (node.end < length) expect(found).toContain(node.offset);
      }),
      options,
    );
  });

  test('deep nesting around and inside of tools', () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const set = readTools(parseJson(`[{"name": "a", "inputSchema": ${deep}}]`), { baseName: 'x' });
    expect([set.shape, set.tools.length]).toEqual(['mcp', 1]);
    const nested = `${'{"type":"namespace","name":"n","tools":['.repeat(50_000)}${']}'.repeat(50_000)}`;
    expect(readTools(parseJson(nested), { baseName: 'x' }).problems.map(({ kind }) => kind)).toEqual(['not-a-tool']);
    expect(readTools(parseJson('['.repeat(100_000)), { baseName: 'x' }).container).toBe('none');
  });
});
