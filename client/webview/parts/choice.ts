import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';

/** One of several, shown side by side: radio buttons, so one stop for the keyboard with arrow keys inside. */
export function choice<T extends string>(
  name: string,
  legend: string,
  options: readonly { readonly value: T; readonly label: string }[],
  chosen: T,
  choose: (value: T) => void,
): TemplateResult {
  return html`<fieldset class="seg">
    <legend>${legend}</legend>
    ${options.map(
      ({ value, label }) => html`<label>
        <input
          type="radio"
          name=${name}
          .value=${value}
          .checked=${value === chosen}
          @change=${() => choose(value)}
        /><span>${label}</span>
      </label>`,
    )}
  </fieldset>`;
}

/**
 * One of many, behind a click. The browser's own element: it has groups, finds by typing, and screen readers know it.
 */
export function pick(
  label: string,
  options: readonly { readonly value: string; readonly label: string }[],
  chosen: string,
  choose: (value: string) => void,
): TemplateResult {
  return html`<select
    aria-label=${label}
    @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}
  >
    ${options.map(
      ({ value, label: text }) => html`<option .value=${value} .selected=${live(value === chosen)}>${text}</option>`,
    )}
  </select>`;
}
