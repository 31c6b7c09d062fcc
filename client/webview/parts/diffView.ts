import { html, nothing, type TemplateResult } from 'lit';
import type { PanelDiff, PanelDiffLine, PanelPartAsk } from '../../../server/src/panelProtocol';
import { t } from '../l10n';
import { jsonTokens } from './jsonTokens';
import { partBar } from './parts';
import { visible } from './visible';

/** A comparison line by line; signs tell added from removed lines, for those who see no colors. */
export function diffView(
  { lines, part }: PanelDiff,
  label: string,
  showPart: (ask: PanelPartAsk) => void,
): TemplateResult {
  const bar = part === undefined ? nothing : partBar(part, t('The comparison is too long to show whole.'), showPart);
  return html`${bar}<pre class="code diff" tabindex="0" role="region" aria-label=${label}>${lines.map(row)}</pre>`;
}

const SIGNS: Readonly<Record<PanelDiffLine['kind'], string>> = { added: '+', removed: '−', same: ' ', skipped: ' ' };

function row({ kind, text, skipped, more }: PanelDiffLine): TemplateResult {
  const content =
    kind === 'skipped'
      ? html`<span class="hint">${t('{0} lines are the same', skipped ?? 0)}</span>`
      : // Colors of tokens are not made for the backgrounds of changed lines.
        kind !== 'same'
        ? visible(text)
        : jsonTokens(text).map(({ kind: token, text: piece }) => html`<span class=${token}>${visible(piece)}</span>`);
  return html`<span class="l ${kind}"><span class="sign">${SIGNS[kind]}</span>${content}${
    more === undefined ? nothing : html`<span class="hint">${t('{0} more characters', more)}</span>`
  }
</span>`;
}
