import { describe, expect, test } from 'vitest';
import { type HintArea, onePerLine, toolHints } from '../../../../server/src/core/budget/hints';
import { lensStatus } from '../../../../server/src/core/budget/lens';
import { passesThatTook } from '../../../../server/src/core/budget/sizes';
import { sourceInWireOrder } from '../../../../server/src/core/budget/sourceView';
import { type CheckOptions, type CheckResult, createChecker } from '../../../../server/src/core/check';
import { LineIndex } from '../../../../server/src/core/text/lines';
import { render } from '../../../../server/src/core/text/message';

const ALL: ReadonlySet<HintArea> = new Set<HintArea>(['sizes', 'losses', 'notSent']);

function check(source: unknown, options: CheckOptions = {}): CheckResult {
  const text = typeof source === 'string' ? source : JSON.stringify(source, null, 2);
  return createChecker().check({ uri: 'file:///w/t.tools.json', text }, options);
}

/** The text with each hint behind its line, as `⟨label⟩`. */
function annotated(source: unknown, options: CheckOptions = {}, areas = ALL): string {
  const result = check(source, options);
  const lines = new LineIndex(result.document.text);
  const hints = onePerLine(result.set.tools.flatMap((tool) => toolHints(tool, result.compile(tool), lines, areas)));
  let text = result.document.text;
  for (const { offset, label } of [...hints].reverse()) {
    text = `${text.slice(0, offset)} ⟨${render(label)}⟩${text.slice(offset)}`;
  }
  return text;
}

function lens(source: unknown, options: CheckOptions = {}): string {
  const result = check(source, options);
  const tool = result.set.tools[0]!;
  const summary = tool.kind === 'function' ? result.summary(tool) : undefined;
  const size = summary && { ...summary, passes: passesThatTook(result.compile(tool)!) };
  return render(lensStatus(tool, size));
}

const tool = (parameters: unknown, more: object = {}): object => ({
  type: 'function',
  name: 'f',
  description: 'Does it.',
  parameters,
  ...more,
});

describe('hints', () => {
  test('stand at the end of the line they are about', () => {
    const text = `{
  "type": "function", "name": "f", "description": "d",
  "x-toolspec": { "trusted": false },
  "parameters": {
    "type": "object",
    "properties": {
      "q": { "type": "string", "minLength": 1, "maxLength": 9 },
      "free": { "description": "anything" },
      "flag": true,
      "list": {
        "type": "array",
        "items": { "description": "anything" }
      },
      "a": { "default": 1 }, "b": { "default": 2 }
    },
    "$defs": {
      "Old": { "type": "string" }
    }
  }
}`;
    expect(annotated(text)).toBe(`{
  "type": "function", "name": "f", "description": "d",
  "x-toolspec": { "trusted": false }, ⟨not sent⟩
  "parameters": { ⟨138 bytes⟩
    "type": "object",
    "properties": {
      "q": { "type": "string", "minLength": 1, "maxLength": 9 }, ⟨2 dropped⟩
      "free": { "description": "anything" }, ⟨→ {}⟩
      "flag": true, ⟨→ string⟩
      "list": { ⟨items → {}⟩
        "type": "array",
        "items": { "description": "anything" } ⟨→ {}⟩
      },
      "a": { "default": 1 }, "b": { "default": 2 } ⟨a and b → {}⟩
    },
    "$defs": {
      "Old": { "type": "string" } ⟨not sent⟩
    }
  }
}`);
  });

  test('tell what the second pass takes', () => {
    const text = `{
  "name": "f", "description": "d",
  "inputSchema": {
    "type": "object",
    "properties": {
      "place": { "$ref": "#/$defs/Place" }
    },
    "$defs": {
      "Place": { "type": "string", "enum": ["here", "there"] }
    }
  },
  "outputSchema": { "type": "object" }
}`;
    expect(annotated(text, { budgetBytes: 60 })).toBe(`{
  "name": "f", "description": "d",
  "inputSchema": { ⟨125 → 43 bytes⟩
    "type": "object",
    "properties": {
      "place": { "$ref": "#/$defs/Place" } ⟨→ {}⟩
    },
    "$defs": { ⟨41 bytes, gone in pass 2⟩
      "Place": { "type": "string", "enum": ["here", "there"] } ⟨41 bytes⟩
    }
  },
  "outputSchema": { "type": "object" } ⟨not sent⟩
}`);
  });

  test('say that a tool is refused, and nothing more about it', () => {
    const text = annotated(
      tool({ type: 'object', properties: { q: { type: 'array', items: [{}] }, r: { default: 1 } } }),
    );
    expect(text.match(/⟨.*⟩/g)).toEqual(['⟨refused⟩']);
  });

  test('give heavy properties their size, at any depth', () => {
    const long = 'x'.repeat(600);
    const schema = {
      type: 'object',
      properties: {
        small: { type: 'string' },
        outer: {
          type: 'object',
          properties: { inner: { type: 'string', description: long }, tiny: { type: 'string' } },
        },
      },
    };
    const text = annotated(tool(schema));
    expect(text).toMatch(/"outer": \{ ⟨\d+ bytes⟩/);
    expect(text).toMatch(/"inner": \{ ⟨\d+ bytes⟩/);
    expect(text).not.toMatch(/"(?:small|tiny)": \{ ⟨/);
  });

  test('name the one keyword that is dropped, unless it begins the line', () => {
    const text = `{ "name": "f", "inputSchema": { "type": "object", "properties": {
  "one": { "type": "string", "format": "date" },
  "two": { "type": "integer",
    "minimum": 1,
    "maximum": 9
  },
  "three": { "default": 1, "type": "integer" }, "four": { "type": "integer", "default": 2 }
} } }`;
    expect(annotated(text).match(/⟨.*⟩/g)!.slice(1)).toEqual([
      '⟨format dropped⟩',
      '⟨dropped⟩',
      '⟨dropped⟩',
      '⟨2 dropped⟩',
    ]);
  });

  test('of several tools in one line only the first has one', () => {
    const text = JSON.stringify([tool({ type: 'object' }), tool({ type: 'object' }, { name: 'g' })]);
    expect(annotated(text).match(/⟨/g)).toHaveLength(1);
  });

  test('come by area', () => {
    const source = tool({ type: 'object', properties: { q: { type: 'string', minLength: 1 } } }, { 'x-toolspec': {} });
    expect(annotated(source, {}, new Set<HintArea>(['notSent'])).match(/⟨.*⟩/g)).toEqual(['⟨not sent⟩']);
    expect(annotated(source, {}, new Set<HintArea>(['losses'])).match(/⟨.*⟩/g)).toEqual(['⟨dropped⟩']);
    expect(annotated(source, {}, new Set())).toBe(JSON.stringify(source, null, 2));
  });
});

describe('the lens', () => {
  const schema = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/A', description: 'x' }, b: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    $defs: { A: { type: 'string', description: 'y'.repeat(100) } },
  };

  test('opens with bytes of budget', () => {
    expect(lens(tool({ type: 'object' }))).toBe('33 of 5,000 bytes');
  });

  test('names what goes', () => {
    expect(lens(tool(schema), { budgetBytes: 200 })).toMatch(/^\d+ of 200 bytes · descriptions go$/);
    expect(lens(tool(schema), { budgetBytes: 110 })).toMatch(/^\d+ of 110 bytes · descriptions and definitions go$/);
    expect(lens(tool(schema), { budgetBytes: 60 })).toMatch(
      /^\d+ of 60 bytes · descriptions, definitions and unions go$/,
    );
    expect(lens(tool(schema), { budgetBytes: 9 })).toMatch(/ go · still \d+ bytes, sent as it is$/);
  });

  test('leaves out passes that find nothing', () => {
    expect(lens(tool({ type: 'object', properties: { a: { enum: ['x'], anyOf: [] } } }), { budgetBytes: 50 })).toMatch(
      /^\d+ of 50 bytes · unions go$/,
    );
    expect(lens(tool({ type: 'object' }), { budgetBytes: 9 })).toBe(
      '33 of 9 bytes · no pass finds anything to take, sent as it is',
    );
  });

  test('says why nothing goes', () => {
    expect(lens(tool(schema, { 'x-toolspec': { trusted: true } }), { budgetBytes: 50 })).toMatch(
      /^\d+ of 50 bytes · trusted, so nothing is shrunk$/,
    );
    expect(lens(tool({ type: 'object', properties: { q: null } }))).toBe('Codex refuses this tool');
  });

  test('says where the tool goes', () => {
    expect(lens(tool({ type: 'object' }, { defer_loading: true }))).toBe('33 of 5,000 bytes · deferred');
    expect(lens(tool({ type: 'object' }, { 'x-toolspec': { exposure: 'hidden' } }))).toBe(
      '33 of 5,000 bytes · hidden from the model',
    );
  });

  test('names tools without a schema', () => {
    const custom = (format: object): object => ({ type: 'custom', name: 'c', description: 'd', format });
    expect(lens(custom({ type: 'text' }))).toBe('free text');
    expect(lens(custom({ type: 'grammar', syntax: 'lark', definition: 'start: "é"' }))).toBe('grammar, 11 bytes');
    expect(lens(custom({ type: 'grammar', syntax: 'lark', definition: { $file: './g.lark' } }))).toBe('grammar');
    expect(lens({ type: 'web_search' })).toBe('web search');
  });
});

describe('the source in the order of the wire', () => {
  test('has sent keywords first, sorted maps, and all that is not sent', () => {
    const source = {
      name: 'f',
      parameters: {
        title: 'T',
        required: ['b'],
        properties: { b: { minimum: 1, type: 'integer' }, a: { default: { z: 1, a: 2 }, type: 'string' } },
        type: 'object',
      },
      strict: false,
      type: 'function',
      description: 'd',
    };
    const result = check(source);
    const text = sourceInWireOrder(result.set.tools[0]!, result.profile);
    expect(JSON.parse(text)).toEqual(source);
    expect(text.replace(/\s+/g, '')).toBe(
      '{"type":"function","name":"f","description":"d","strict":false,"parameters":{"type":"object","properties":' +
        '{"a":{"type":"string","default":{"z":1,"a":2}},"b":{"type":"integer","minimum":1}},"required":["b"],"title":"T"}}',
    );
  });
});
