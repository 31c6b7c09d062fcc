import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Frames } from '../../../server/src/host/frames';

const frame = (content: string, more = ''): string =>
  `${more}Content-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`;

/** What is said of a stream that comes in pieces of these sizes. */
function said(stream: string | Uint8Array, sizes: readonly number[] = []): string | undefined {
  const bytes = Buffer.from(stream);
  const frames = new Frames();
  let fault: string | undefined;
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? bytes.length;
    fault = frames.take(bytes.subarray(at, at + size));
    at += size;
  }
  return fault;
}

const SIZES = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

describe('a stream of messages', () => {
  test('has no fault, whatever stands in the contents and however it comes', () => {
    const content = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constant('\n\r\n\r\nContent-Length: x\r\n\r\n'),
      fc.json(),
    );
    const header = fc.constantFrom('', 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n', 'X: \r\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(content, header)), SIZES, (messages, sizes) => {
        expect(said(messages.map(([text, more]) => frame(text, more)).join(''), sizes)).toBeUndefined();
      }),
      { seed: 1 },
    );
    expect(said(frame('{}').replace('Content-Length: ', 'content-length:  '))).toBeUndefined();
  });

  const faults: readonly (readonly [string, string, RegExp])[] = [
    [
      'a length that is a word',
      'Content-Length: abc\r\n\r\n{}',
      /^Content-Length is no number of bytes: "Content-Length: abc"\.$/,
    ],
    ['a length that is negative', 'Content-Length: -5\r\n\r\n{}', /no number of bytes/],
    ['a length that is a fraction', 'Content-Length: 1.5\r\n\r\n{}', /no number of bytes/],
    ['a length with something behind it', 'Content-Length: 2x\r\n\r\n{}', /no number of bytes/],
    ['a length without end', `Content-Length: ${'9'.repeat(40)}\r\n\r\n{}`, /no number of bytes/],
    ['no length', 'Content-Type: x\r\n\r\n{}', /^A header has no Content-Length\.$/],
    ['nothing but its end', '\r\n{}', /^A header has no Content-Length\.$/],
    ['a message without a header', '{"jsonrpc":"2.0"}\r\n', /^This is no line of a header: /],
    ['a word', 'hello\r\n', /^This is no line of a header: "hello"\.$/],
    [
      'what a person types',
      'help\n',
      /^A line of a header does not end in a carriage return and a line feed: "help"\.$/,
    ],
    ['line feeds alone', 'Content-Length: 2\n\n{}', /does not end in a carriage return/],
    ['a header without an end', `X: ${'x'.repeat(10_000)}`, /^The header of a message has no end\.$/],
    ['lines without an end', 'X: x\r\n'.repeat(2000), /^The header of a message has no end\.$/],
    ['a length that is too short', frame('{"a":1}').replace('7', '4'), /./],
  ];

  test.each(faults)('with %s is told, at once or behind others, in one piece or in many', (_, garbled, words) => {
    fc.assert(
      fc.property(fc.array(fc.json(), { maxLength: 3 }), SIZES, (before, sizes) => {
        const stream = `${before.map((text) => frame(text)).join('')}${garbled}${frame('{}')}`;
        expect(said(stream, sizes)).toMatch(words);
      }),
      { seed: 2, numRuns: 30 },
    );
  });
});
