import { type Message, t } from '../../text/message';

/** A word of the language with what it does. */
export interface Word {
  readonly text: string;
  readonly about: Message;
  /** Only llguidance reads it, or only reference Lark. */
  readonly only?: 'lark' | 'llguidance';
}

/** Words that a line starts with. */
export const DIRECTIVES: readonly Word[] = [
  { text: '%import', about: t('Takes rules and terminals from another grammar.') },
  { text: '%ignore', about: t('Text that matches this may stand between tokens and leaves no trace.') },
  { text: '%declare', about: t('Names terminals that have no expression, because code makes them.'), only: 'lark' },
  { text: '%override', about: t('Replaces a rule or terminal that was imported.'), only: 'lark' },
  { text: '%extend', about: t('Adds alternatives to a rule or terminal that was imported.'), only: 'lark' },
  { text: '%llguidance', about: t('Options of the engine, as JSON.'), only: 'llguidance' },
];

/** Words inside of a rule's body. */
export const BODY_WORDS: readonly Word[] = [
  { text: '%json', about: t('A JSON value that a JSON Schema describes.'), only: 'llguidance' },
  { text: '%regex', about: t('Parts of a text, as a JSON object says.'), only: 'llguidance' },
  { text: '%lark', about: t('A grammar of its own in braces.'), only: 'llguidance' },
];

/** What stands directly in front of a rule's name. */
export const MODIFIERS: readonly Word[] = [
  { text: '?', about: t('A node with a single child is left out: the child takes its place.') },
  { text: '!', about: t('Keeps all tokens in the tree, also those written as plain strings.') },
];

/** Attributes of rules in brackets. `value`: what stands behind the equals sign. */
export const ATTRIBUTES: readonly (Word & { readonly value?: string })[] = [
  { text: 'capture', about: t('Hands out what the rule matched, under its name.'), only: 'llguidance' },
  { text: 'lazy', about: t('Ends at the first place where the body is complete.'), only: 'llguidance' },
  { text: 'stop', about: t('Ends in front of this text, which is consumed.'), only: 'llguidance', value: '"$1"' },
  { text: 'suffix', about: t('Ends behind this text.'), only: 'llguidance', value: '"$1"' },
  { text: 'stop_capture', about: t('Hands out the text that ended the rule.'), only: 'llguidance', value: '"$1"' },
  { text: 'max_tokens', about: t('Ends after so many tokens.'), only: 'llguidance', value: '$1' },
  {
    text: 'temperature',
    about: t('The sampling temperature while the rule is matched.'),
    only: 'llguidance',
    value: '$1',
  },
];

/** Signs that a hover explains. */
export const SIGNS: ReadonlyMap<string, Message> = new Map([
  ['->', t('Names the tree node of this alternative.')],
  ['?', t('Once or not at all.')],
  ['*', t('Any number of times, also none.')],
  ['+', t('Once or more.')],
]);
