import { html, type TemplateResult } from 'lit';

/** Characters that turn the direction of what stands behind them, and are not seen themselves. */
const TURNS = /([\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])/;

/** A text of a file with such characters as signs: else it could be read as another one than is sent. */
export function visible(text: string): TemplateResult {
  const parts = text.split(TURNS);
  if (parts.length === 1) return html`${text}`;
  return html`${parts.map((part, index) =>
    index % 2 === 1
      ? html`<span class="turn">U+${part.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}</span>`
      : part,
  )}`;
}
