/** The header of a message is much shorter: longer ones are another protocol, or none. */
const MOST_HEADER_BYTES = 8192;

/**
 * Follows a stream of messages with headers (Language Server Protocol 3.17, base protocol) and says when it is none any
 * more. Contents are passed over. Whoever reads the messages waits for ever then: nobody knows where the next one begins.
 */
export class Frames {
  /** Bytes of content that are still to come. */
  #content = 0;
  /** The line of a header that is still to be ended. */
  #line = '';
  #headerBytes = 0;
  #length: number | undefined;
  #fault: string | undefined;

  /** Takes the next bytes. Gives what is wrong, as a sentence; the same again once something was. */
  take(bytes: Uint8Array): string | undefined {
    for (let at = 0; at < bytes.length && this.#fault === undefined; ) {
      if (this.#content > 0) {
        const passed = Math.min(this.#content, bytes.length - at);
        this.#content -= passed;
        at += passed;
        continue;
      }
      const end = bytes.indexOf(0x0a, at);
      const next = end < 0 ? bytes.length : end + 1;
      this.#headerBytes += next - at;
      if (this.#headerBytes > MOST_HEADER_BYTES) this.#fault = 'The header of a message has no end.';
      else {
        this.#line += String.fromCharCode(...bytes.subarray(at, next));
        if (end >= 0) this.#fault = this.#endLine();
      }
      at = next;
    }
    return this.#fault;
  }

  #endLine(): string | undefined {
    const line = this.#line;
    this.#line = '';
    if (!line.endsWith('\r\n')) {
      return `A line of a header does not end in a carriage return and a line feed: ${quoted(line)}.`;
    }
    if (line === '\r\n') return this.#endHeader();
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):(.*)\r\n$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return `This is no line of a header: ${quoted(line)}.`;
    if (name.toLowerCase() !== 'content-length') return undefined;
    const length = /^\d+$/.test(value.trim()) ? Number(value) : Number.NaN;
    if (!Number.isSafeInteger(length)) return `Content-Length is no number of bytes: ${quoted(line)}.`;
    this.#length = length;
    return undefined;
  }

  #endHeader(): string | undefined {
    if (this.#length === undefined) return 'A header has no Content-Length.';
    this.#content = this.#length;
    this.#length = undefined;
    this.#headerBytes = 0;
    return undefined;
  }
}

function quoted(line: string): string {
  const text = line.trim();
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
