import { html, type TemplateResult } from 'lit';
import type { PanelDiff, PanelDiffLine } from '../../../server/src/panelProtocol';
import { t } from '../l10n';
import { jsonTokens } from './jsonTokens';

/** A comparison line by line; signs tell added from removed lines, for those who see no colors. */
export function diffView({ lines }: PanelDiff, label: string): TemplateResult {
  return html`<pre class="code diff" tabindex="0" role="region" aria-label=${label}>${lines.map(row)}</pre>`;
}

const SIGNS: Readonly<Record<PanelDiffLine['kind'], string>> = { added: '+', removed: '−', same: ' ', skipped: ' ' };

function row({ kind, text, skipped }: PanelDiffLine): TemplateResult {
  const content =
    kind === 'skipped'
      ? html`<span class="hint">${t('{0} lines are the same', skipped ?? 0)}</span>`
      : // Colors of tokens are not made for the backgrounds of changed lines.
        kind !== 'same'
        ? text
        : jsonTokens(text).map(({ kind: token, text: piece }) => html`<span class=${token}>${piece}</span>`);
  return html`<span class="l ${kind}"><span class="sign">${SIGNS[kind]}</span>${content}
</span>`;
}
