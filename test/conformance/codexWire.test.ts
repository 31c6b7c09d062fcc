import { describe, expect, it } from 'vitest';
import { compileLine, wireLine } from '../../server/src/core/wire/jsonl';
import { codexVectors, reasonOf, type VectorCase } from './codexVectors';

const cases = codexVectors();
const functions = cases.filter((each) => each.route === 'function');

interface WireAnswer {
  readonly id: string;
  readonly ok: boolean;
  readonly wireText?: string;
  readonly warnings?: string[];
  readonly error?: string;
}

function wire(each: VectorCase, via: 'dynamic' | 'mcp' = 'dynamic'): WireAnswer {
  const text = each.schemaText === undefined ? '' : `,"inputSchemaText":${JSON.stringify(each.schemaText)}`;
  const line = `{"id":${JSON.stringify(each.id)},"route":"${each.route}","via":"${via}","input":${each.inputText}${text}}`;
  return JSON.parse(wireLine(line)) as WireAnswer;
}

/** The reason that a schema has, without the tool's name around it. */
function schemaReason(reason: string): string {
  return reason.replace(/^dynamic tool input schema is not supported for .*?: /, '');
}

function isObjectRoot(each: VectorCase): boolean {
  const schema = each.input.value('inputSchema')!;
  return schema.kind === 'object';
}

describe('wire', () => {
  it('has all recorded cases', () => {
    expect(cases).toHaveLength(341);
  });

  it.each(cases)('$id', (each) => {
    const answer = wire(each);
    expect(answer.id).toBe(each.id);
    if (each.wireText === undefined) {
      expect(answer).toEqual({ id: each.id, ok: false, error: reasonOf(each.dropped!) });
      return;
    }
    expect(answer.ok, answer.error).toBe(true);
    expect(answer.wireText).toBe(each.wireText);
    if (each.route !== 'function') expect(answer.warnings).toEqual(each.dropped === undefined ? [] : [each.dropped]);
  });

  it.each(functions.filter(isObjectRoot))('$id by MCP', (each) => {
    const answer = wire(each, 'mcp');
    const expected = each.mcp ?? each;
    if (expected.wireText === undefined) {
      const reason = schemaReason(reasonOf(expected.dropped!));
      expect(answer).toEqual({ id: each.id, ok: false, error: reason });
      return;
    }
    expect(answer.ok, answer.error).toBe(true);
    expect(answer.wireText).toBe(expected.wireText);
  });

  it('fails the server for roots that are no objects, as MCP demands objects', () => {
    for (const each of functions.filter((one) => !isObjectRoot(one))) {
      expect(wire(each, 'mcp')).toEqual({ id: each.id, ok: false, error: 'Unexpected response type' });
    }
  });
});

describe('compile', () => {
  const compile = (
    each: VectorCase,
    via: string,
  ): { ok: boolean; schemaText?: string; bytes?: number; error?: string } => {
    const schema =
      each.schemaText === undefined
        ? `"inputSchema":${each.inputText.slice(each.inputText.indexOf('"inputSchema":') + 14, -1)}`
        : `"inputSchemaText":${JSON.stringify(each.schemaText)}`;
    return JSON.parse(compileLine(`{"id":1,"via":"${via}",${schema}}`));
  };

  it.each(functions)('$id', (each) => {
    for (const via of isObjectRoot(each) ? ['dynamic', 'mcp'] : ['dynamic']) {
      const answer = compile(each, via);
      const wired = wire(each, via as 'dynamic' | 'mcp');
      const expected = via === 'mcp' ? (each.mcp ?? each) : each;
      if (expected.wireText !== undefined) {
        expect(answer.ok, answer.error).toBe(true);
        expect(expected.wireText.endsWith(`"parameters":${answer.schemaText}}`)).toBe(true);
        expect(answer.bytes).toBe(Buffer.byteLength(answer.schemaText!));
      } else if (/input schema|Invalid request: invalid type/.test(expected.dropped!)) {
        expect(answer.ok).toBe(false);
        expect(answer.error).toBe(schemaReason(wired.error!));
      } else expect(answer.ok, 'a name is refused, not the schema').toBe(true);
    }
  });
});
