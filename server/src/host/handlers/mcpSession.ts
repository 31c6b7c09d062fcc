import type { CancelSignal, HandlerRequest } from '../../core/calls/handler';
import { emitJson } from '../../core/text/emit';
import type { JsonNode } from '../../core/text/json';
import { parseStrictJson } from '../../core/text/jsonStrict';
import { type Message, render, t } from '../../core/text/message';
import type { Answer } from './answers';
import { type Force, HandlerProcess, type ProcessEnd, type ProcessOptions } from './handlerProcess';
import type { McpAnswer, McpConnection } from './mcpClient';
import { type Asked, type Ending, type Session, Waiting } from './session';
import { canceled, crashed, type Stopped, tooSlow } from './stops';

/** An MCP server over its standard input and output, initialized once. */
export class McpSession implements Session {
  served = false;
  readonly #process: HandlerProcess;
  readonly #connection: Promise<McpConnection>;
  #initialized = false;
  #waiting: Waiting | undefined;
  #over: { readonly why: Message; readonly end: ProcessEnd } | undefined;
  /** Output that came before there was a connection. */
  #early: string[] | undefined = [];

  constructor(options: ProcessOptions) {
    this.#process = new HandlerProcess(
      { ...options, who: 'server' },
      {
        line: (text) => this.#line(text),
        ended: (why, end) => {
          this.#over = { why, end };
          this.#waiting?.finish({ by: 'end', ...this.#over });
          void this.#connection.then((connection) => connection.close());
        },
      },
    );
    this.#connection = this.#connect();
  }

  get alive(): boolean {
    return this.#over === undefined && this.#process.alive;
  }

  /** Runs `tools/call`; the server is initialized before the first one, within the same time again. */
  async ask(request: HandlerRequest, timeoutMs: number, signal: CancelSignal | undefined): Promise<Asked> {
    const args = toolArguments(request.text);
    const { ending, answer } = await this.#wait(timeoutMs, signal, async (connection) => {
      if ('feedback' in args) return undefined;
      return connection.request('tools/call', { name: request.tool }, args.json);
    });
    const notes = this.#process.notes.take();
    if (ending.by === 'answer') {
      this.served = true;
      const outcome: Answer =
        'feedback' in args
          ? { verdict: 'rejected', feedback: args.feedback }
          : answer === undefined
            ? ending.answer
            : callOutcome(answer);
      return { outcome: { ...outcome, notes }, unseen: false };
    }
    return { outcome: { ...this.#failure(ending, timeoutMs), notes }, unseen: false };
  }

  /**
   * All pages of `tools/list`, each the exact text of the result; or a sentence that says why there are none.
   *
   * @param timeoutMs for the start of the server, and again for its answers
   */
  async listTools(timeoutMs: number, signal?: CancelSignal): Promise<ListedTools> {
    const pages: string[] = [];
    let refused: Message | undefined;
    const { ending } = await this.#wait(timeoutMs, signal, async (connection) => {
      const seen = new Set<string>();
      for (let cursor: string | undefined; ; ) {
        const answer = await connection.request('tools/list', cursor === undefined ? {} : { cursor });
        if ('error' in answer) {
          refused = t('The MCP server refused to list its tools: {0}', answer.error);
          return answer;
        }
        pages.push(answer.result);
        cursor = parseStrictJson(answer.result, { halves: true })?.value('nextCursor')?.string;
        if (cursor === undefined) return answer;
        if (seen.has(cursor)) {
          refused = t('The MCP server gives the same page of its tools again and again.');
          return answer;
        }
        seen.add(cursor);
      }
    });
    const notes = this.#process.notes.take();
    if (ending.by !== 'answer') return { failure: this.#why(ending, timeoutMs), notes };
    if (ending.answer.verdict === 'crashed') {
      return { failure: ending.answer.stop?.words ?? t('{0}', ending.answer.detail), notes };
    }
    return refused === undefined ? { pages, notes } : { failure: refused, notes };
  }

  end(force: Force): Promise<void> {
    return this.#process.end(force);
  }

  async #connect(): Promise<McpConnection> {
    const { McpConnection } = await import('./mcpClient');
    const connection = new McpConnection({
      send: (line) => this.#process.send(line),
      note: (text) => this.#process.notes.add(text),
    });
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const line of early) connection.receive(line);
    this.#receiver = connection;
    return connection;
  }

  #receiver: McpConnection | undefined;

  #line(text: string): void {
    if (this.#receiver !== undefined) this.#receiver.receive(text);
    else this.#early?.push(text);
  }

  /** Initializes where that is still to be done, then does the work; the first thing that ends it counts. */
  async #wait(
    timeoutMs: number,
    signal: CancelSignal | undefined,
    work: (connection: McpConnection) => Promise<McpAnswer | undefined>,
  ): Promise<{ readonly ending: Ending; readonly answer: McpAnswer | undefined }> {
    const waiting = new Waiting(signal);
    this.#waiting = waiting;
    this.#process.beginCall();
    if (this.#over !== undefined) waiting.finish({ by: 'end', ...this.#over });
    let answer: McpAnswer | undefined;
    const done = async (): Promise<void> => {
      try {
        const connection = await this.#connection;
        // Nobody would answer, and a request that waits keeps the process alive.
        if (this.#over !== undefined) return;
        waiting.within(timeoutMs);
        if (!this.#initialized) {
          const refused = await connection.initialize();
          if (refused !== undefined) {
            void this.#process.end('firm');
            const answer = crashed(t('The MCP server refused to start a session: {0}', refused), 'not-started');
            return waiting.finish({ by: 'answer', answer });
          }
          this.#initialized = true;
          waiting.within(timeoutMs);
        }
        answer = await work(connection);
        waiting.finish({ by: 'answer', answer: { verdict: 'accepted', value: undefined } });
      } catch (error) {
        const words = t('The MCP server answered with something that is no answer: {0}', (error as Error).message);
        waiting.finish({ by: 'answer', answer: crashed(words, 'bad-answer') });
      }
    };
    void done();
    const ending = await waiting.ending;
    this.#waiting = undefined;
    if (ending.by === 'time' || ending.by === 'cancel') void this.#process.end('firm');
    return { ending, answer };
  }

  #failure(ending: Exclude<Ending, { by: 'answer' }>, timeoutMs: number): Stopped<'crashed' | 'timed-out' | 'aborted'> {
    if (ending.by === 'cancel') return canceled();
    const why = this.#why(ending, timeoutMs);
    if (ending.by === 'end') return { verdict: 'crashed', detail: render(why), stop: ending.end.stop };
    return tooSlow(timeoutMs, why, this.#initialized ? 'timeout' : 'start-timeout');
  }

  #why(ending: Exclude<Ending, { by: 'answer' }>, timeoutMs: number): Message {
    if (ending.by === 'end') return ending.why;
    if (ending.by === 'cancel') return t('The run was canceled before the handler answered.');
    return this.#initialized
      ? t('The MCP server gave no answer within {0} ms, so it was ended.', timeoutMs)
      : t('The MCP server did not answer "initialize" within {0} ms, so it was ended.', timeoutMs);
  }
}

export type ListedTools =
  | { readonly pages: readonly string[]; readonly notes: readonly string[] }
  | { readonly failure: Message; readonly notes: readonly string[] };

/** The arguments as compact JSON text; blank text stands for none, as in Codex. */
function toolArguments(text: string): { readonly json: string | undefined } | { readonly feedback: string } {
  if (text.trim() === '') return { json: undefined };
  const root = parseStrictJson(text);
  if (root === undefined) return { feedback: `err: ${jsonFault(text)}` };
  if (root.kind !== 'object')
    return { feedback: `err: the arguments of an MCP tool must be an object, not ${root.kind}` };
  return { json: emitJson(root) };
}

function jsonFault(text: string): string {
  try {
    JSON.parse(text);
    return 'the arguments are not JSON';
  } catch (error) {
    return (error as Error).message;
  }
}

/** What a result of `tools/call` says: `isError` is a rejection, its text the feedback. */
function callOutcome(answer: McpAnswer): Answer {
  if ('error' in answer) return { verdict: 'rejected', feedback: answer.error };
  const root = parseStrictJson(answer.result, { halves: true });
  if (root?.kind !== 'object') {
    return crashed(t('The MCP server answered "tools/call" with a result that is no object.'), 'bad-answer');
  }
  if (root.value('isError')?.boolean !== true) return { verdict: 'accepted', value: answer.result };
  return { verdict: 'rejected', feedback: contentText(root), value: answer.result };
}

/** The texts of the content, or the whole content where it has none. */
function contentText(root: JsonNode): string {
  const content = root.value('content');
  const texts = (content?.items ?? []).flatMap((item) => item.value('text')?.string ?? []);
  if (texts.length > 0) return texts.join('\n');
  return content === undefined || content.items.length === 0 ? 'The tool failed without a word.' : emitJson(content);
}
