import { Client, type ClientOptions, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { emitJson } from '../../core/text/emit';
import { parseStrictJson } from '../../core/text/jsonStrict';

/** How a server is reached: the process and its lines belong to the caller. */
export interface McpChannel {
  send(line: string): void;
  /** Takes what the server says beside its answers. */
  note(text: string): void;
}

/** An answer of the server: the exact text of the result, or the words of the error. */
export type McpAnswer = { readonly result: string } | { readonly error: string };

/** Stands in a message where the exact text of arguments belongs. */
const ARGUMENTS = 'toolspec:arguments';

/** No limit of the library's own: time is kept by the session, which ends the process. */
const TIMEOUT_MS = 2 ** 31 - 1;

/** Takes every result: what it says is read from its exact text. */
const ANY_RESULT = {
  '~standard': { version: 1, vendor: 'toolspec', validate: (value: unknown) => ({ value }) },
} as const;

/** Lets every result pass: ToolSpec's own validator checks them, which knows the places in the files. */
const NO_VALIDATION = {
  getValidator: () => (input: unknown) => ({ valid: true, data: input, errorMessage: undefined }),
} as NonNullable<ClientOptions['jsonSchemaValidator']>;

/** A connection to an MCP server by the official client, over lines that someone else carries. One request at a time. */
export class McpConnection {
  readonly #transport: LineTransport;
  readonly #client: Client;

  constructor(channel: McpChannel) {
    this.#transport = new LineTransport(channel);
    const options: ClientOptions = { capabilities: {}, jsonSchemaValidator: NO_VALIDATION };
    this.#client = new Client({ name: 'toolspec', version: '1.0.0' }, options);
    this.#client.onerror = (error) => channel.note(`MCP: ${error.message}`);
  }

  /** Takes a line of output. */
  receive(line: string): void {
    this.#transport.receive(line);
  }

  /** Gives up what is still asked: the server is gone. A request that waits would keep the process alive. */
  async close(): Promise<void> {
    await this.#client.close().catch(() => {});
  }

  /** The handshake. Gives the server's words when it refuses, and settles at `close` when it does not answer. */
  async initialize(): Promise<string | undefined> {
    try {
      await this.#client.connect(this.#transport, { timeout: TIMEOUT_MS });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /**
   * Sends a request and gives its answer.
   *
   * @param args compact JSON text that becomes `params.arguments` as it is
   */
  async request(
    method: 'tools/call' | 'tools/list',
    params: Readonly<Record<string, unknown>>,
    args?: string,
  ): Promise<McpAnswer> {
    this.#transport.expect(method, args);
    const sent = args === undefined ? params : { ...params, arguments: { [ARGUMENTS]: true } };
    const options = { timeout: TIMEOUT_MS, onprogress: () => {} };
    let failure: unknown;
    try {
      await this.#client.request({ method, params: sent }, ANY_RESULT, options);
    } catch (error) {
      failure = error;
    }
    // What the server wrote counts, not what the library made of it.
    const answer = this.#transport.answer();
    if (answer !== undefined) return answer;
    throw failure instanceof Error ? failure : new Error(String(failure));
  }
}

/** MCP messages as lines. Keeps the exact text of the answer that is waited for. */
class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  #method = '';
  #arguments: string | undefined;
  #id: unknown;
  #answer: McpAnswer | undefined;

  constructor(readonly channel: McpChannel) {}

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.();
  }

  /** The next request of this method carries these arguments, and its answer is kept. */
  expect(method: string, args: string | undefined): void {
    this.#method = method;
    this.#arguments = args;
    this.#id = undefined;
    this.#answer = undefined;
  }

  answer(): McpAnswer | undefined {
    return this.#answer;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    let line = JSON.stringify(message);
    if ('method' in message && 'id' in message && message.method === this.#method) {
      this.#id = message.id;
      const args = this.#arguments;
      if (args !== undefined) line = line.replace(`{"${ARGUMENTS}":true}`, () => args);
    }
    this.channel.send(line);
  }

  receive(line: string): void {
    const root = /^\s*[{[]/.test(line) ? parseStrictJson(line, { halves: true }) : undefined;
    if (root?.kind !== 'object' || root.value('jsonrpc')?.string !== '2.0') {
      this.channel.note(line);
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = JSON.parse(line) as JSONRPCMessage;
    } catch {
      this.channel.note(line);
      return;
    }
    if ('method' in message && !('id' in message)) {
      // For people only: nothing of the library acts on them.
      this.channel.note(notificationText(message.method, message.params));
      return;
    }
    if ('id' in message && !('method' in message) && this.#id !== undefined && message.id === this.#id) {
      const result = root.value('result');
      const error = root.value('error');
      if (result !== undefined) this.#answer = { result: emitJson(result) };
      else if (error !== undefined) this.#answer = { error: error.value('message')?.string ?? emitJson(error) };
    }
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}

/** A notification in a line. */
function notificationText(method: string, params: unknown): string {
  const { progress, total, message, level, logger, data } = Object(params) as Record<string, unknown>;
  if (method === 'notifications/progress') {
    const share = total === undefined ? String(progress) : `${String(progress)} of ${String(total)}`;
    return `progress ${share}${typeof message === 'string' ? `: ${message}` : ''}`;
  }
  if (method === 'notifications/message') {
    const name = typeof logger === 'string' ? ` ${logger}` : '';
    return `${String(level)}${name}: ${typeof data === 'string' ? data : JSON.stringify(data)}`;
  }
  return params === undefined ? method : `${method} ${JSON.stringify(params)}`;
}
