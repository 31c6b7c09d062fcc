import { html, nothing, type TemplateResult } from 'lit';
import type { CompileAsk, CompilePage, PanelLosses, PanelStage } from '../../../server/src/panelProtocol';
import { formatNumber, t } from '../l10n';
import { answer, icon } from '../parts/answer';
import { pick } from '../parts/choice';
import { diffView } from '../parts/diffView';
import { link, placeLink } from '../parts/link';
import { rich } from '../rich';

const ICONS: Readonly<Record<PanelStage['state'], string>> = {
  uncounted: 'list-flat',
  fits: 'pass',
  over: 'warning',
  unused: 'circle-large-outline',
  result: 'arrow-right',
};

/** What the compilation did, stage by stage. */
export function compileView(page: CompilePage, change: (ask: CompileAsk) => void): TemplateResult {
  return html`${answer(page.answer)}${stages(page, change)}
    ${page.losses.map((group, index) => losses(group, index === 0))}
    ${page.comparison === undefined ? nothing : comparison(page.comparison, change)}`;
}

function stages(
  { stages: rows, budgetBytes, comparison: compared }: CompilePage,
  change: (ask: CompileAsk) => void,
): TemplateResult {
  const widest = Math.max(budgetBytes * 1.2, ...rows.map(({ bytes }) => bytes ?? 0));
  const share = (bytes: number): number => (100 * bytes) / widest;
  const limit = share(budgetBytes);
  const names = new Set(compared?.stages.map(({ name }) => name) ?? []);
  // Sizes are set as properties: an attribute would be inline style, which the page does not allow.
  const row = (stage: PanelStage, index: number): TemplateResult => {
    const { label, bytes, change: difference, lost, state } = stage;
    const chosen = compared?.to === stage.name && state !== 'result';
    const before = rows[index - 1]?.name;
    const show = (): void => {
      if (before !== undefined && names.has(stage.name))
        change({ from: names.has(before) ? before : 'source', to: stage.name });
    };
    const can = before !== undefined && names.has(stage.name);
    return html`<tr role="row" class="stage ${state}" aria-current=${chosen ? 'true' : nothing}>
      <td role="cell" class="state">${icon(ICONS[state], stateLabel(state), state === 'fits' ? 'fine' : state === 'over' ? 'warning' : '')}</td>
      <th role="rowheader" scope="row">${can ? html`<button class="plain-button" title=${t('Compare with the stage before')} @click=${show}>${label}</button>` : label}</th>
      <td role="cell" class="track">
        <div class="track-box">
          ${bytes === undefined ? nothing : bar(bytes, budgetBytes, share, state)}
          <span class="limit" .style=${`left: ${limit}%`}></span>
        </div>
      </td>
      <td role="cell" class="num">${bytes === undefined ? '' : formatNumber(bytes)}</td>
      <td role="cell" class="num change dim">${difference === undefined || difference === 0 ? '' : signed(difference)}</td>
      <td role="cell" class="lost">${rich(lost)}</td>
    </tr>`;
  };
  // With roles, for a narrow page lays each row out in two lines.
  return html`<table class="stages" role="table">
    <thead role="rowgroup">
      <tr role="row">
        <td role="cell"></td>
        <th role="columnheader" scope="col">${t('Stage')}</th>
        <th role="columnheader" scope="col" class="track"><span class="track-box"><span class="limit-label" title=${t('The budget, in bytes')} .style=${`left: ${limit}%`}><span class="visually-hidden">${t('Budget:')} </span>${formatNumber(budgetBytes)}</span></span></th>
        <th role="columnheader" scope="col" class="num">${t('Bytes')}</th>
        <th role="columnheader" scope="col" class="num change">${t('Change')}</th>
        <th role="columnheader" scope="col" class="lost">${t('Lost')}</th>
      </tr>
    </thead>
    <tbody role="rowgroup">${rows.map(row)}</tbody>
  </table>`;
}

function stateLabel(state: PanelStage['state']): string {
  switch (state) {
    case 'uncounted':
      return t('not counted');
    case 'fits':
      return t('within the budget');
    case 'over':
      return t('over the budget');
    case 'unused':
      return t('not run');
    case 'result':
      return t('what is sent');
  }
}

function bar(
  bytes: number,
  budget: number,
  share: (bytes: number) => number,
  state: PanelStage['state'],
): TemplateResult {
  if (state === 'uncounted') return html`<span class="fill hollow" .style=${`width: ${share(bytes)}%`}></span>`;
  const within = Math.min(bytes, budget);
  const over = bytes - within;
  return html`<span class="fill" .style=${`width: ${share(within)}%`}></span>
    ${over > 0 ? html`<span class="fill over" .style=${`left: ${share(budget)}%; width: ${share(over)}%`}></span>` : nothing}`;
}

function signed(value: number): string {
  return value > 0 ? `+${formatNumber(value)}` : formatNumber(value);
}

function losses({ title, summary, rows, more }: PanelLosses, open: boolean): TemplateResult {
  return html`<details class="losses" ?open=${open}>
    <summary><strong>${rich(title)}</strong> <span class="dim">${rich(summary)}</span></summary>
    <ul class="rows plain">
      ${rows.map(
        ({ pointer, what, place }) => html`<li class="row">
          <code class="pointer">${pointer}</code><span class="what">${rich(what)}</span><span class="at">${placeLink(place)}</span>
        </li>`,
      )}
      ${more > 0 ? html`<li class="row dim">${t('and {0} more', more)}</li>` : nothing}
    </ul>
  </details>`;
}

function comparison(
  { stages: options, from, to, diff }: NonNullable<CompilePage['comparison']>,
  change: (ask: CompileAsk) => void,
): TemplateResult {
  const choices = options.map(({ name, label }) => ({ value: name, label }));
  const open = { label: t('Open all stages'), action: { kind: 'command', command: 'toolspec.showStages' } } as const;
  return html`<section class="comparison">
    <div class="part-head">
      <h2>${t('Difference')}</h2>
      <label>${t('from')} ${pick(t('From stage'), choices, from, (value) => change({ from: value, to }))}</label>
      <label>${t('to')} ${pick(t('To stage'), choices, to, (value) => change({ from, to: value }))}</label>
      <span class="spring"></span>
      ${link(open)}
    </div>
    ${diff.summary === '' ? nothing : html`<p class="dim">${rich(diff.summary)}</p>`}
    ${diffView(diff, t('Difference between two stages'), (part) => change({ from, to, part }))}
  </section>`;
}
