import { readFileSync } from 'node:fs';

/** What Codex made of a tool: the tool object it sent, or why it sent none. */
export interface Outcome {
  readonly wire: { readonly parameters: unknown } | null;
  readonly dropped: string | null;
}

/** One recorded case for a single tool. */
export interface FunctionVector extends Outcome {
  readonly id: string;
  readonly title: string;
  readonly input: { readonly name: string; readonly description: string; readonly inputSchema: unknown };
  readonly mcp?: Outcome;
  readonly schemaText?: string;
  readonly wireText?: string;
  readonly mcpWireText?: string;
}

/** A recorded schema, taken by one of the two ways into Codex. */
export interface SchemaVector {
  readonly id: string;
  readonly title: string;
  readonly via: 'dynamic' | 'mcp';
  /** The schema as JSON text. */
  readonly schema: string;
  /** The exact text of `parameters`, or `undefined` when the tool was refused. */
  readonly parameters: string | undefined;
  /** The client's words about the schema when it was refused. */
  readonly message: string | undefined;
}

const file = new URL('../vectors/codex/vectors.json', import.meta.url);

/** Every recorded case, as it stands in the file. */
export const vectorCases = (JSON.parse(readFileSync(file, 'utf8')) as { cases: ({ route: string } & FunctionVector)[] })
  .cases;

/** Words about the request or the tool before those about the schema. */
const PREFIX = /^thread\/start refused: (?:dynamic tool input schema is not supported for [^:]*: )?/;

/**
 * The recorded schemas by both ways. Cases that are about the tool's name instead and roots that MCP cannot carry
 * are left out.
 */
export function schemaVectors(): SchemaVector[] {
  const result: SchemaVector[] = [];
  for (const vector of vectorCases) {
    if (vector.route !== 'function') continue;
    const schema = vector.schemaText ?? JSON.stringify(vector.input.inputSchema);
    for (const via of ['dynamic', 'mcp'] as const) {
      if (via === 'mcp' && !/^\s*\{/.test(schema)) continue;
      const outcome = via === 'mcp' ? (vector.mcp ?? vector) : vector;
      const { id, title } = vector;
      if (outcome.wire === null) {
        if (id.startsWith('name-')) continue;
        const message = outcome.dropped!.replace(PREFIX, '').replace(/^.*failed to build tool spec: /, '');
        result.push({ id, title, via, schema, parameters: undefined, message });
        continue;
      }
      const text = via === 'mcp' && vector.mcp !== undefined ? vector.mcpWireText : vector.wireText;
      const parameters = parametersText(text) ?? JSON.stringify(outcome.wire.parameters);
      result.push({ id, title, via, schema, parameters, message: undefined });
    }
  }
  return result;
}

/** The text of the last member of a recorded tool object, `parameters`. */
function parametersText(tool: string | undefined): string | undefined {
  const key = '"parameters":';
  return tool?.slice(tool.indexOf(key) + key.length, -1);
}
