import { type Message, t } from '../text/message';
import { list } from '../text/words';
import { numberFault, wordFault } from './argumentsWords';

/** Why an argument text is not JSON. Offsets are UTF-16 units. */
export interface ArgumentFault {
  readonly rule: 'call/invalid-json' | 'call/truncated-json' | 'call/non-json-number';
  /** Faults of one kind are told once. */
  readonly kind: string;
  readonly offset: number;
  readonly message: Message;
}

/** So many open brackets are named. */
const MOST_NAMED = 6;

const WHITE = new Set([' ', '\t', '\n', '\r']);
const CLOSER: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
/** Opening quotes that JSON does not know, and what closes each. */
const FOREIGN_QUOTES = new Map([
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['”', '”'],
  ['„', '“'],
  ['‘', '’'],
  ['«', '»'],
]);

type State = 'value' | 'first-item' | 'key' | 'first-key' | 'colon' | 'after';

/**
 * What is wrong with a text that should be JSON to the letter (RFC 8259), as far as it can be told apart: the first
 * place of each kind of fault. What models get wrong most often has words of its own; nothing is repaired. Linear, and
 * without recursion.
 */
export function argumentFaults(text: string): ArgumentFault[] {
  return new Scan(text).run();
}

class Scan {
  readonly #faults: ArgumentFault[] = [];
  readonly #kinds = new Set<string>();
  readonly #open: { readonly bracket: string; readonly offset: number }[] = [];
  #at = 0;
  #state: State = 'value';
  /** Offset of the comma that nothing has followed yet, or -1. */
  #comma = -1;
  /** Where the last string ended, or -1. */
  #stringEnd = -1;
  /** Offset of a string, comment or the like that the end of the text cuts off. */
  #cut: { readonly what: Message } | undefined;
  #stopped = false;

  constructor(readonly text: string) {}

  run(): ArgumentFault[] {
    if (this.text.charCodeAt(0) === 0xfeff) {
      this.#invalid('bom', 0, t('A byte order mark stands before the arguments. JSON decoders refuse it.'));
      this.#at = 1;
    }
    while (!this.#stopped) {
      this.#skip();
      if (this.#at >= this.text.length || this.#stopped) break;
      this.#step(this.text[this.#at]!);
    }
    const unfinished = this.#open.length > 0 || this.#cut !== undefined;
    if (!this.#stopped && unfinished) this.#truncated();
    return this.#faults;
  }

  #step(char: string): void {
    switch (this.#state) {
      case 'first-key':
      case 'key':
        this.#key(char);
        return;
      case 'colon':
        this.#colon(char);
        return;
      case 'after':
        this.#after(char);
        return;
      default:
        this.#value(char);
        return;
    }
  }

  #value(char: string): void {
    const first = this.#state === 'first-item';
    if (char === '{' || char === '[') {
      this.#open.push({ bracket: char, offset: this.#at++ });
      this.#comma = -1;
      this.#state = char === '{' ? 'first-key' : 'first-item';
    } else if (char === '"') {
      this.#string();
      this.#state = 'after';
    } else if (char === ']' && this.#open.at(-1)?.bracket === '[') {
      if (!first) this.#trailingComma();
      this.#close();
    } else if (char === ']' || char === '}') {
      if (this.#open.length === 0) {
        this.#stop('closer', this.#at, nothingOpen(char));
        return;
      }
      this.#invalid('no-value', this.#at, t('A value is missing before the "{0}".', char));
      this.#state = 'after';
    } else if (char === ',') {
      this.#invalid('no-value', this.#at, t('A value is missing before this comma.'));
      this.#state = 'after';
    } else this.#bare(char);
    if (this.#state === 'after') this.#comma = -1;
  }

  /** A value that is no string and no container. */
  #bare(char: string): void {
    if (this.#foreignString(char, t('this text'))) {
      this.#state = 'after';
      return;
    }
    const { text } = this;
    if (text.startsWith('```', this.#at)) {
      this.#stop('fence', this.#at, t('The arguments stand in a Markdown code fence. They are JSON and nothing else.'));
      return;
    }
    const word = wordAt(text, this.#at);
    if (word === '') {
      this.#stop('unexpected', this.#at, t('No JSON value starts with "{0}".', characterAt(text, this.#at)));
      return;
    }
    const start = this.#at;
    const end = start + word.length;
    this.#at = end;
    this.#state = 'after';
    const found = /^[-+.\d]/.test(word) ? numberFault(word) : wordFault(word);
    if (found === undefined) return;
    if (end === text.length && found.cut) {
      this.#cut = { what: t('the word "{0}"', word) };
      return;
    }
    if (this.#open.length === 0 && found.kind === 'word' && /[{[]/.test(text.slice(end))) {
      this.#stop('before', start, t('Text stands before the arguments. They are JSON and nothing else.'));
      return;
    }
    if (found.rule === 'call/non-json-number') this.#fault(found.rule, found.kind, start, found.message);
    else this.#invalid(found.kind, start, found.message);
    // Unquoted text goes on as far as nobody knows.
    if (found.kind === 'word') this.#stopped = true;
  }

  #key(char: string): void {
    const first = this.#state === 'first-key';
    if (char === '"') {
      this.#string();
      this.#state = 'colon';
    } else if (char === '}') {
      if (!first) this.#trailingComma();
      this.#close();
    } else if (char === ',') {
      this.#invalid('no-key', this.#at++, t('A member is missing before this comma.'));
    } else if (this.#foreignString(char, t('this key'))) {
      this.#state = 'colon';
    } else {
      const word = wordAt(this.text, this.#at);
      if (word === '') {
        this.#stop('no-key', this.#at, t('A key in double quotes is expected here.'));
        return;
      }
      this.#invalid('bare-key', this.#at, t('The key {0} stands without double quotes.', word));
      this.#at += word.length;
      this.#state = 'colon';
    }
    if (this.#state === 'colon') this.#comma = -1;
  }

  #colon(char: string): void {
    if (char === ':') {
      this.#at++;
    } else if (char === '=') {
      this.#invalid('colon', this.#at, t('A colon belongs between key and value, not "=".'));
      this.#at += this.text.startsWith('=>', this.#at) ? 2 : 1;
    } else {
      this.#stop('colon', this.#at, t('A colon is missing between key and value.'));
      return;
    }
    this.#state = 'value';
  }

  #after(char: string): void {
    const top = this.#open.at(-1);
    if (top === undefined) {
      this.#behind(char);
      return;
    }
    if (char === ',') {
      this.#comma = this.#at++;
      this.#state = top.bracket === '{' ? 'key' : 'value';
    } else if (char === CLOSER[top.bracket]) this.#close();
    else if (char === '}' || char === ']') {
      const wanted = CLOSER[top.bracket]!;
      this.#stop(
        'mismatch',
        this.#at,
        t(
          '"{0}" is expected before this "{1}": the "{2}" at offset {3} is open.',
          wanted,
          char,
          top.bracket,
          String(top.offset),
        ),
      );
    } else if (this.#stringEnd === this.#at) {
      this.#stop('quote', this.#at, t('The string ended before this. A double quote within a string is written \\".'));
    } else {
      const start = this.#at;
      this.#invalid('comma', start, t('A comma is missing before this.'));
      this.#state = top.bracket === '{' ? 'key' : 'value';
      if (char === ':' || char === '=') this.#stopped = true;
    }
  }

  /** Something stands behind the outermost value. */
  #behind(char: string): void {
    const message =
      char === '{' || char === '['
        ? t('A second JSON value begins here. Each call has arguments of its own.')
        : char === '}' || char === ']'
          ? nothingOpen(char)
          : char === ','
            ? t('A comma stands behind the arguments.')
            : t('The text goes on behind the end of the arguments.');
    this.#stop('behind', this.#at, message);
  }

  #close(): void {
    this.#open.pop();
    this.#at++;
    this.#comma = -1;
    this.#state = 'after';
  }

  #trailingComma(): void {
    if (this.#comma < 0) return;
    this.#invalid(
      'trailing-comma',
      this.#comma,
      t('This is a trailing comma: nothing follows it. JSON does not allow it.'),
    );
  }

  /** A string in double quotes. */
  #string(): void {
    const { text } = this;
    const start = this.#at++;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (Number.isNaN(code)) {
        this.#cut = { what: t('the string at offset {0}', String(start)) };
        return;
      }
      if (code === 0x22) break;
      if (code === 0x5c) {
        if (!this.#escape()) return;
      } else {
        if (code < 0x20) this.#control(code);
        this.#at++;
      }
    }
    this.#at++;
    this.#stringEnd = this.#at;
  }

  #control(code: number): void {
    const [name, written] =
      code === 10
        ? ['line feed', '\\n']
        : code === 13
          ? ['carriage return', '\\r']
          : code === 9
            ? ['tab', '\\t']
            : [`U+${code.toString(16).padStart(4, '0').toUpperCase()}`, `\\u${code.toString(16).padStart(4, '0')}`];
    this.#invalid('control', this.#at, t('A raw {0} stands within a string. JSON writes it as {1}.', name, written));
  }

  /** Passes over an escape; false when the text ends within it. */
  #escape(): boolean {
    const { text } = this;
    const start = this.#at;
    const next = text[start + 1];
    if (next === 'u') {
      const digits = /^[0-9a-fA-F]{0,4}/.exec(text.slice(start + 2, start + 6))![0];
      if (digits.length < 4 && start + 2 + digits.length < text.length) {
        this.#invalid('escape', start, t('\\u is followed by four hexadecimal digits, not by fewer.'));
      } else if (/^[dD][89aAbB]/.test(digits)) {
        if (/^\\u[dD][c-fC-F][0-9a-fA-F]{2}/.test(text.slice(start + 6, start + 12))) this.#at += 6;
        else if (text.length - start > 11 || !text.slice(start).startsWith('\\u')) this.#halfPair(start, digits);
        else if (!/^(?:\\(?:u[\da-fA-F]{0,4})?)?$/.test(text.slice(start + 6))) this.#halfPair(start, digits);
      } else if (/^[dD][c-fC-F]/.test(digits)) this.#halfPair(start, digits);
      this.#at += 2 + digits.length;
      return true;
    }
    if (next === undefined) {
      this.#at++;
      return true;
    }
    if (!'"\\/bfnrt'.includes(next)) {
      this.#invalid(
        'escape',
        start,
        t('JSON has no escape \\{0}. A backslash itself is written \\\\.', characterAt(text, start + 1)),
      );
      this.#at += 1;
      return true;
    }
    this.#at += 2;
    return true;
  }

  #halfPair(start: number, digits: string): void {
    this.#invalid(
      'surrogate',
      start,
      t('\\u{0} is half of a surrogate pair, which no UTF-8 text can hold. Strict decoders refuse it.', digits),
    );
  }

  /** A string in quotes that JSON does not know. */
  #foreignString(char: string, what: Message): boolean {
    const closer = FOREIGN_QUOTES.get(char);
    if (closer === undefined || this.text.startsWith('```', this.#at)) return false;
    const start = this.#at;
    this.#at++;
    while (this.#at < this.text.length && this.text[this.#at] !== closer)
      this.#at += this.text[this.#at] === '\\' ? 2 : 1;
    const message =
      char === "'"
        ? t('Single quotes are around {0}. JSON takes double quotes only.', what)
        : t('JSON takes double quotes only, and {0} stands around {1}.', char, what);
    this.#invalid('quotes', start, message);
    if (this.#at >= this.text.length) {
      this.#at = this.text.length;
      this.#cut = { what: t('the string at offset {0}', String(start)) };
    } else this.#at++;
    return true;
  }

  /** To the next character that is no white space; comments are faults. */
  #skip(): void {
    const { text } = this;
    for (;;) {
      while (WHITE.has(text[this.#at]!)) this.#at++;
      const start = this.#at;
      const line = text.startsWith('//', start) || text[start] === '#';
      if (!line && !text.startsWith('/*', start)) return;
      this.#invalid('comment', start, t('JSON has no comments.'));
      const end = text.indexOf(line ? '\n' : '*/', start + 1);
      if (end < 0) {
        if (!line) this.#cut = { what: t('the comment at offset {0}', String(start)) };
        this.#at = text.length;
        return;
      }
      this.#at = end + (line ? 1 : 2);
    }
  }

  #truncated(): void {
    const named = this.#open.slice(-MOST_NAMED).reverse();
    const open: Message[] = named.map(({ bracket, offset }) => t('the "{0}" at offset {1}', bracket, String(offset)));
    if (this.#cut !== undefined) open.unshift(this.#cut.what);
    const left = this.#open.length - named.length;
    if (left > 0) open.push(t('{0} more', left));
    const message =
      open.length === 1
        ? t(
            'The text is cut off: {0} is not closed. It is not repaired: send shorter arguments, or allow more output tokens.',
            open[0]!,
          )
        : t(
            'The text is cut off: {0} are not closed. It is not repaired: send shorter arguments, or allow more output tokens.',
            list(open),
          );
    this.#fault('call/truncated-json', 'truncated', this.text.length, message);
  }

  #stop(kind: string, offset: number, message: Message): void {
    this.#invalid(kind, offset, message);
    this.#stopped = true;
  }

  #invalid(kind: string, offset: number, message: Message): void {
    this.#fault('call/invalid-json', kind, offset, message);
  }

  #fault(rule: ArgumentFault['rule'], kind: string, offset: number, message: Message): void {
    if (this.#kinds.has(kind)) return;
    this.#kinds.add(kind);
    this.#faults.push({ rule, kind, offset, message });
  }
}

function nothingOpen(char: string): Message {
  return t('Nothing is open here that this "{0}" could close.', char);
}

const WORD = /[-+.\w$]+/y;

function wordAt(text: string, at: number): string {
  WORD.lastIndex = at;
  const ascii = WORD.exec(text)?.[0] ?? '';
  if (ascii !== '') return ascii;
  const letters = /[\p{L}\p{N}]+/uy;
  letters.lastIndex = at;
  return letters.exec(text)?.[0] ?? '';
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  if (code === undefined) return '';
  const hidden = code < 0x21 || /[\p{C}\p{Z}]/u.test(String.fromCodePoint(code));
  return hidden ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}` : String.fromCodePoint(code);
}
