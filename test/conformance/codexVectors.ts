import { readFileSync } from 'node:fs';
import { emitJson } from '../../server/src/core/text/emit';
import { type JsonNode, parseJson } from '../../server/src/core/text/json';

/** One recorded case, its JSON parts as exact compact text. */
export interface VectorCase {
  readonly id: string;
  readonly route: 'function' | 'mcp-server' | 'dynamic-list';
  readonly input: JsonNode;
  readonly inputText: string;
  /** Exact text of the schema where the file keeps one. */
  readonly schemaText: string | undefined;
  /** What went out, or `undefined` where nothing did. */
  readonly wireText: string | undefined;
  readonly dropped: string | undefined;
  /** Where the MCP route gave something else. */
  readonly mcp: { readonly wireText: string | undefined; readonly dropped: string | undefined } | undefined;
}

/** The recorded cases (Codex 0.171.0), read without `JSON.parse`, which would lose spellings and key orders. */
export function codexVectors(): VectorCase[] {
  const text = readFileSync(new URL('../vectors/codex/vectors.json', import.meta.url), 'utf8');
  const cases = parseJson(text).root!.value('cases')!;
  return cases.items.map((node) => {
    const input = node.value('input')!;
    const mcp = node.value('mcp');
    return {
      id: node.value('id')!.text,
      route: node.value('route')!.text as VectorCase['route'],
      input,
      inputText: emitJson(input),
      schemaText: node.value('schemaText')?.text,
      wireText: node.value('wireText')?.text ?? compact(node.value('wire')),
      dropped: node.value('dropped')?.string,
      mcp: mcp && {
        wireText: node.value('mcpWireText')?.text ?? compact(mcp.value('wire')),
        dropped: mcp.value('dropped')?.string,
      },
    };
  });
}

function compact(node: JsonNode | undefined): string | undefined {
  return node === undefined || node.kind === 'null' ? undefined : emitJson(node);
}

/** Codex's own reason within a recorded line: what stands behind the words that introduce it. */
export function reasonOf(dropped: string): string {
  for (const mark of ['refused: ', 'failed to build tool spec: ', 'error=']) {
    const at = dropped.indexOf(mark);
    if (at >= 0) return dropped.slice(at + mark.length).replace(/ at line \d+ column \d+$/, '');
  }
  return dropped;
}
