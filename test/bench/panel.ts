import { PassThrough } from 'node:stream';
import {
  createConnection,
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { startServer } from '../../server/src/lsp/server';

/** A server with one open file, over streams, as an editor has it. */
export async function openFile(uri: string, text: string, countTokens: (text: string) => number) {
  const up = new PassThrough();
  const down = new PassThrough();
  startServer(createConnection(new StreamMessageReader(up), new StreamMessageWriter(down)), {
    version: '0.0.0',
    readFile: async () => undefined,
    findFiles: async () => [],
    now: () => performance.now(),
    countTokens: async () => countTokens,
    breathe: () => new Promise((resolve) => setImmediate(resolve)),
    after(milliseconds, call) {
      const timer = setTimeout(call, milliseconds);
      return () => clearTimeout(timer);
    },
  });
  const client = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  client.listen();
  await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {}, workspaceFolders: null });
  await client.sendNotification('initialized', {});
  await client.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'json', version: 1, text },
  });
  let version = 1;
  return {
    /** Replaces a part of one line. */
    async edit(line: number, character: number, length: number, newText: string): Promise<void> {
      const range = { start: { line, character }, end: { line, character: character + length } };
      await client.sendNotification('textDocument/didChange', {
        textDocument: { uri, version: ++version },
        contentChanges: [{ range, text: newText }],
      });
    },
    /** Checks the file, as every edit makes an editor ask for. */
    check: (): Promise<object> => client.sendRequest('textDocument/diagnostic', { textDocument: { uri } }),
    ask: (params: object): Promise<object> => client.sendRequest('toolspec/panel', { uri, ...params }),
    close(): void {
      client.dispose();
      up.destroy();
      down.destroy();
    },
  };
}
