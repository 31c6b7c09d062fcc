import { type Message, render, type Translate } from '../core/text/message';

let translate: Translate | undefined;

/**
 * Sets the language in which this server speaks: templates of messages to their translations, as VS Code's l10n
 * bundles have them; anything else counts as English. A server has one client, and a client one language.
 */
export function setLanguage(bundle: unknown): void {
  const entries = typeof bundle === 'object' && bundle !== null ? Object.entries(bundle) : [];
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
  const templates = texts.length === 0 ? undefined : new Map(texts);
  translate = templates === undefined ? undefined : (text) => templates.get(text) ?? text;
}

/** A message as text in the client's language. Its parts between backticks are shown as code, so none may have others. */
export function say(message: Message): string {
  return render(message, translate, withoutBackticks);
}

/** A text that can stand where backticks mark code. */
export function withoutBackticks(text: string): string {
  return text.replaceAll('`', '′');
}

/** What the core needs where it writes texts by itself; `undefined` for English. */
export function translation(): Translate | undefined {
  return translate;
}
