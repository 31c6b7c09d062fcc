import { html, nothing, type TemplateResult } from 'lit';
import type { PanelLine, PanelVerdict, PanelVerdicts } from '../../../server/src/panelProtocol';
import { rich } from '../rich';
import { icon } from './answer';
import { link } from './link';

const ICONS: Readonly<Record<PanelVerdict['verdict'], readonly [name: string, kind: string]>> = {
  accepted: ['pass', 'passed'],
  rejected: ['error', 'failed'],
  crashed: ['error', 'failed'],
  'timed-out': ['watch', 'errored'],
  'not-run': ['circle-slash', 'skipped'],
};

/** Two verdicts side by side, with a badge between them that tells whether they agree. */
export function verdicts({ left, right, relation }: PanelVerdicts): TemplateResult {
  return html`<div class="verdicts">
    ${side(left)}${side(right)}
    ${
      relation === undefined
        ? nothing
        : html`<span class="relation ${relation.kind}"><span aria-hidden="true">${relation.kind === 'agree' ? '=' : '≠'}</span> ${relation.label}</span>`
    }
  </div>`;
}

function side({ title, verdict, label, lines }: PanelVerdict): TemplateResult {
  const [name, kind] = ICONS[verdict];
  return html`<section class="verdict">
    <p class="dim">${rich(title)}</p>
    <p class="label">${icon(name, undefined, kind)} <strong>${label}</strong></p>
    ${lines.map(row)}
  </section>`;
}

function row({ text, dim, link: out }: PanelLine): TemplateResult {
  return html`<p class=${dim ? 'dim' : ''}>${rich(text)} ${out === undefined ? nothing : link(out)}</p>`;
}
