/**
 * A sentence for people that is not yet in any language: an English template with `{0}`, `{1}` … and what goes
 * into it. It is rendered where it is shown, so that the core needs no language and translations need no code.
 */
export interface Message {
  /** The English template; also the key in message bundles. */
  readonly text: string;
  readonly args: readonly MessageArgument[];
}

/** Numbers are shown with commas between thousands; messages are rendered in the same language. */
export type MessageArgument = string | number | Message;

/** Looks a template up in a message bundle; gives the template itself where the bundle lacks it. */
export type Translate = (text: string) => string;

/** A message. Write the template as a literal, so that message bundles can be extracted from the source. */
export function t(text: string, ...args: MessageArgument[]): Message {
  return { text, args };
}

/** Several messages as one text, with a space between. */
export function sentences(...parts: (Message | undefined)[]): Message {
  return joined(
    parts.filter((part) => part !== undefined),
    ' ',
  );
}

/** Several messages as one text, each in a line of its own. */
export function lines(parts: readonly Message[]): Message {
  return joined(parts, '\n');
}

function joined(parts: readonly Message[], between: string): Message {
  return parts.length === 1 ? parts[0]! : { text: parts.map((_, i) => `{${i}}`).join(between), args: parts };
}

/**
 * The message as text, in English unless `translate` knows better.
 *
 * @param code changes texts that stand between the backticks of a template, where backticks mark code
 */
export function render(message: Message, translate?: Translate, code?: (text: string) => string): string {
  const text = translate === undefined ? message.text : translate(message.text);
  return text.replace(/\{(\d+)\}/g, (placeholder, index: string, at: number) => {
    const argument = message.args[Number(index)];
    if (argument === undefined) return placeholder;
    if (typeof argument === 'number') return formatNumber(argument);
    if (typeof argument !== 'string') return render(argument, translate, code);
    const isCode = text[at - 1] === '`' && text[at + placeholder.length] === '`';
    return isCode && code !== undefined ? code(argument) : argument;
  });
}

/** A whole number with commas between thousands: `6,120`. */
export function formatNumber(value: number): string {
  const digits = String(Math.abs(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return value < 0 ? `−${digits}` : digits;
}
