import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { PanelPart, PanelPartAsk } from '../../../server/src/panelProtocol';
import { formatNumber, t } from '../l10n';

/** So many lines are shown before a marked one. */
const BEFORE_MARKED = 8;

/**
 * Says which part of a long text is shown, and leads to the others. It stays in sight while the part is scrolled.
 *
 * @param rest says how to get the whole
 */
export function partBar(
  { of, first, total, size, marked }: PanelPart,
  rest: string,
  show: (ask: PanelPartAsk) => void,
): TemplateResult {
  const last = Math.min(total, first + size);
  const go = (event: Event, line: number): void => {
    show({ of, first: Math.max(0, Math.min(line, total - 1)) });
    // The part that comes is read from its start.
    (event.target as Element).closest('.part-bar')?.scrollIntoView({ block: 'nearest' });
  };
  const button = (label: string, line: number, possible: boolean): TemplateResult =>
    html`<button
      class="link"
      aria-disabled=${possible ? nothing : 'true'}
      @click=${(event: Event) => (possible ? go(event, line) : undefined)}
    >${label}</button>`;
  return html`<div class="part-bar" role="group" aria-label=${t('Part of a long text')}>
      <span role="status">${t('Lines {0} to {1} of {2}', first + 1, last, total)}</span>
      ${button(t('First'), 0, first > 0)} ${button(t('Previous'), first - size, first > 0)}
      ${button(t('Next'), first + size, last < total)} ${button(t('Last'), total - size, last < total)}
      <label>${t('Line')}
        <input
          class="field small"
          type="number"
          min="1"
          max=${total}
          .value=${live(String(first + 1))}
          @change=${(event: Event) => {
            const line = Number((event.target as HTMLInputElement).value);
            if (Number.isSafeInteger(line)) go(event, line - 1);
          }}
        />
      </label>
    </div>
    <p class="dim part-note">
      ${rest}
      ${
        marked.length === 0
          ? nothing
          : html`${t('Marked lines:')} ${marked.map((line) => html`<button class="link" @click=${(event: Event) => go(event, line - BEFORE_MARKED)}>${formatNumber(line + 1)}</button> `)}`
      }
    </p>`;
}
