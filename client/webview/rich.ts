import { html, type TemplateResult } from 'lit';
import { BACKTICK, type Rich } from '../../server/src/panelProtocol';

/** A text whose parts between backticks are code. */
export function rich(text: Rich): TemplateResult {
  const parts = text.split('`').map((part) => part.replaceAll(BACKTICK, '`'));
  // An odd number of backticks is no markup.
  if (parts.length % 2 === 0) return html`${text}`;
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
