import { type Message, render, type Translate } from '../core/text/message';

let translate: Translate | undefined;

/**
 * Sets the language in which this server speaks: templates of messages to their translations, as VS Code's l10n
 * bundles have them. A server has one client, and a client one language.
 */
export function setLanguage(bundle: Readonly<Record<string, string>> | undefined): void {
  const templates = bundle === undefined ? undefined : new Map(Object.entries(bundle));
  translate = templates === undefined ? undefined : (text) => templates.get(text) ?? text;
}

/** A message as text in the client's language. */
export function say(message: Message): string {
  return render(message, translate);
}
