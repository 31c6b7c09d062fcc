import { html, nothing, type TemplateResult } from 'lit';
import type { PanelAnswer, PanelEmpty } from '../../../server/src/panelProtocol';
import { t } from '../l10n';
import { rich } from '../rich';
import { link } from './link';

const ICONS: Readonly<Record<PanelAnswer['icon'], string>> = {
  fine: 'pass',
  warning: 'warning',
  error: 'error',
  info: 'info',
};

/** A codicon. With a label it says something by itself; without one the words beside it do. */
export function icon(name: string, label?: string, kind = ''): TemplateResult {
  return label === undefined
    ? html`<span class="codicon codicon-${name} ${kind}" aria-hidden="true"></span>`
    : html`<span class="codicon codicon-${name} ${kind}" role="img" aria-label=${label}></span>`;
}

/** What opens a page: one icon, one sentence, one line of cause or way out. */
export function answer({ icon: kind, title, detail, link: out }: PanelAnswer): TemplateResult {
  const labels = { fine: t('Fine'), warning: t('Warning'), error: t('Error'), info: t('Information') };
  return html`<div class="answer" role="status">
    ${icon(ICONS[kind], labels[kind], kind)}
    <div>
      <p class="title">${rich(title)}</p>
      ${
        detail === undefined && out === undefined
          ? nothing
          : html`<p class="dim">${detail === undefined ? nothing : rich(detail)} ${out === undefined ? nothing : link(out)}</p>`
      }
    </div>
  </div>`;
}

/** A page with nothing to show: why, and one way on. */
export function empty({ title, detail, link: out }: PanelEmpty): TemplateResult {
  return html`<div class="empty" role="status">
    <p class="title">${rich(title)}</p>
    <p class="dim">${rich(detail)}</p>
    ${out === undefined ? nothing : html`<p>${link(out)}</p>`}
  </div>`;
}
