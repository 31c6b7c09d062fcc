import { describe, expect, it } from 'vitest';
import { emitJson } from '../../server/src/core/text/emit';
import { parseJson } from '../../server/src/core/text/json';
import { readTools } from '../../server/src/core/tools/read';
import { wireLine } from '../../server/src/core/wire/jsonl';
import { createWire } from '../../server/src/core/wire/wire';
import { codexVectors, reasonOf, type VectorCase } from './codexVectors';

const cases = codexVectors();

interface WireAnswer {
  readonly ok: boolean;
  readonly wireText?: string;
}

function wire(each: VectorCase, via: string, inputText: string): WireAnswer {
  return JSON.parse(wireLine(`{"id":1,"route":"${each.route}","via":"${via}","input":${inputText}}`)) as WireAnswer;
}

/** Cases that say the same after `JSON.parse`: those without an exact text of their own. */
const ordinary = cases.filter((each) => each.schemaText === undefined);

describe('the path of a text and the path of a value', () => {
  it.each(ordinary)('$id: give equal JSON', (each) => {
    const byValue = JSON.stringify(JSON.parse(each.inputText));
    for (const via of ['dynamic', 'mcp']) {
      const text = wire(each, via, each.inputText);
      const value = wire(each, via, byValue);
      expect(value.ok).toBe(text.ok);
      if (text.ok) expect(JSON.parse(value.wireText!)).toEqual(JSON.parse(text.wireText!));
      else expect(value).toEqual(text);
    }
  });
});

/** The case as a definition file, and the server's name where it has one; `undefined` for what files cannot say. */
function asFile(each: VectorCase): { text: string; server?: string } | undefined {
  const tools = each.input.value('tools');
  if (each.route === 'dynamic-list') return { text: `{"dynamicTools":${emitJson(tools!)}}` };
  if (each.route === 'mcp-server') {
    if (each.input.has('config')) return undefined;
    const instructions = each.input.value('instructions');
    const more = instructions === undefined ? '' : `,"instructions":${emitJson(instructions)}`;
    return { text: `{"tools":${emitJson(tools!)}${more}}`, server: each.input.value('server')!.text };
  }
  const schema = each.input.value('inputSchema')!;
  const exact = each.schemaText ?? emitJson(schema);
  const { name, description } = { name: each.input.value('name')!, description: each.input.value('description')! };
  return {
    text: `{"dynamicTools":[{"type":"function","name":${emitJson(name)},"description":${emitJson(description)},"inputSchema":${exact}}]}`,
  };
}

describe('a definition file gives what the batch form gives', () => {
  const files = cases.map((each) => ({ each, file: asFile(each) })).filter(({ file }) => file !== undefined);

  it.each(files.map(({ each, file }) => ({ id: each.id, each, file: file! })))('$id', ({ each, file }) => {
    const set = readTools(parseJson(file.text), { baseName: 'oracle' });
    const view = createWire(set, { mode: 'responses', server: file.server }).set();
    if (each.wireText !== undefined) {
      expect(view.text).toBe(each.route === 'function' ? `[${each.wireText}]` : each.wireText);
      return;
    }
    const reason = reasonOf(each.dropped!);
    if (each.dropped!.startsWith('absent from the request')) expect(JSON.parse(view.text)).toEqual([]);
    else expect(view.refusal?.reason).toBe(reason);
  });
});
