import { afterAll, describe, expect, test } from 'vitest';
import { judgeContract } from '../../server/src/core/calls/contract';
import type { ContractVerdict } from '../../server/src/core/calls/report';
import type { Provider } from '../../server/src/core/grammar/provider';
import { parseJson } from '../../server/src/core/text/json';
import { render } from '../../server/src/core/text/message';
import { readTools } from '../../server/src/core/tools/read';
import { startEngine } from '../engineFiles';

const service = startEngine();
afterAll(() => service.close());

function send(
  definition: string,
  text: string,
  provider: Provider = service,
  syntax = 'lark',
): Promise<ContractVerdict> {
  const format = { type: 'grammar', syntax, definition };
  const document = parseJson(JSON.stringify([{ type: 'custom', name: 't', description: 'd', format }]));
  const [tool] = readTools(document, { baseName: 't' }).tools;
  return judgeContract({ tool: tool!, kind: 'custom', text, provider });
}

const words = ({ findings }: ContractVerdict): string[] =>
  findings.map(({ rule, message }) => `${rule}: ${render(message)}`);

describe("the provider's engine decides, and Lark stands beside it", () => {
  test('both agree', async () => {
    expect(await send('start: "a" "b"\n', 'ab')).toEqual({
      verdict: 'accepted',
      findings: [],
      provider: 'accepted',
      lark: 'accepted',
    });
  });

  test('what was expected, as characters and as terminals', async () => {
    const verdict = await send('start: ("hello" | "help") " " /[0-9]+/\n', 'help me');
    expect(verdict).toMatchObject({
      verdict: 'rejected',
      provider: 'rejected',
      lark: 'rejected',
      findings: [{ offset: 5, line: 1, column: 6 }],
    });
    expect(words(verdict)).toEqual([
      'call/grammar-mismatch: The grammar does not allow "m" here. Expected 0–9 for /[0-9]+/.',
    ]);
  });

  test('the end of the input may be what was expected', async () => {
    expect(words(await send('start: "a"\n', 'ab'))).toEqual([
      'call/grammar-mismatch: The grammar does not allow "b" here. Expected the end of the input.',
    ]);
  });

  test('a refused grammar is told, and Lark has the verdict', async () => {
    const verdict = await send('start: A\nA.2: "x"\n', 'x');
    expect(verdict).toMatchObject({ verdict: 'accepted', provider: 'refused', lark: 'accepted' });
    expect(verdict.findings).toMatchObject([{ rule: 'grammar/provider-refuses', level: 'error' }]);
  });

  test('an engine that gives no answer leaves the verdict to Lark', async () => {
    const silent: Provider = {
      ask: async () => ({
        end: { state: 'timed-out', milliseconds: 50 },
        load: undefined,
        inputs: [],
        steps: [],
        texts: [],
      }),
    };
    const verdict = await send('start: "a"\n', 'b', silent);
    expect(verdict).toMatchObject({ verdict: 'rejected', provider: 'gave-up', lark: 'rejected' });
    expect(words(verdict)[0]).toContain('did not answer within 50 ms');
  });

  test('expressions', async () => {
    expect((await send('[a-z]+/[0-9]{2}', 'ab/12', service, 'regex')).verdict).toBe('accepted');
    expect((await send('[a-z]+/[0-9]{2}', 'ab/1x', service, 'regex')).findings).toMatchObject([{ offset: 4 }]);
  });
});

describe('why the engines differ', () => {
  test.each([
    [
      'terminals that can be empty',
      'start: ("+" /(.*)/ LF)+\n%import common.LF\n',
      '+\n',
      'accepted',
      'refused',
      'can match nothing',
    ],
    [
      'skipping before the first token',
      'start: "a" "b"\n%ignore " "\n',
      ' a b',
      'rejected',
      'accepted',
      'in front of the first terminal',
    ],
    [
      'skipping behind the end',
      'start: "a" "b"\n%ignore " "\n',
      'a b ',
      'rejected',
      'accepted',
      'behind the last terminal',
    ],
    [
      'skipped text that is a token too',
      'start: "a" " " "b"\n%ignore " "\n',
      'a b',
      'rejected',
      'accepted',
      'also matches text that the grammar ignores',
    ],
    ['the longest token', 'start: "a" "b" "d" | "ab" "c"\n', 'abd', 'rejected', 'accepted', 'begin alike'],
    ['lazy quantifiers', 'start: "<" /.*?>/ "x>" "y"\n', '<a>x>y', 'rejected', 'accepted', 'Here /.*?>/ has begun'],
    ['classes beyond ASCII', 'start: /\\w+/\n', 'a\u0301', 'accepted', 'rejected', 'differ about a character'],
    [
      'escaped strings',
      'start: ESCAPED_STRING\n%import common.ESCAPED_STRING\n',
      '"a\nb"',
      'accepted',
      'rejected',
      'ESCAPED_STRING',
    ],
    ['bars of parts', 'start: T\nT: /a|b/ "c"\n', 'ac', 'accepted', 'rejected', 'with its neighbors as text'],
  ])('%s', async (_what, grammar, text, provider, lark, reason) => {
    const verdict = await send(grammar, text);
    expect(verdict).toMatchObject({ verdict: provider, provider, lark });
    const differs = verdict.findings.find(({ rule }) => rule === 'grammar/engines-differ');
    expect(differs?.level).toBe('info');
    expect(render(differs!.message)).toContain(reason);
  });
});
