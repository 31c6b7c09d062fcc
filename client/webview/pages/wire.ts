import { html, nothing, type TemplateResult } from 'lit';
import type { PanelPartAsk, PanelSize, WireAsk, WirePage } from '../../../server/src/panelProtocol';
import type { WireMode } from '../../../server/src/protocol';
import { send } from '../host';
import { formatNumber, t } from '../l10n';
import { answer } from '../parts/answer';
import { choice, pick } from '../parts/choice';
import { diffView } from '../parts/diffView';
import { rich } from '../rich';
import '../parts/codeView';

const CODEX_MODES = [
  { value: 'responses', label: 'Responses' },
  { value: 'lite', label: 'Lite' },
  { value: 'deferred', label: t('Deferred') },
] as const;

const OTHER_MODES = [
  { value: 'chat', label: 'Chat' },
  { value: 'mcp', label: 'MCP' },
  { value: 'anthropic', label: 'Anthropic' },
] as const;

/** What goes on the wire. */
export function wireView(page: WirePage, change: (ask: WireAsk) => void): TemplateResult {
  const { ask } = page;
  const setMode = (mode: WireMode): void => {
    const { compare, ...rest } = ask;
    change({ ...rest, mode, ...(compare === undefined || compare === mode ? {} : { compare }) });
  };
  const setScope = (scope: WireAsk['scope']): void => change({ ...ask, scope });
  return html`${answer(page.answer)}
    <div class="bar">
      ${choice<WireMode>('codex-mode', t('Codex'), CODEX_MODES, ask.mode, setMode)}
      ${choice<WireMode>('other-mode', t('As written'), OTHER_MODES, ask.mode, setMode)}
      ${choice(
        'scope',
        t('Show'),
        [
          { value: 'tool', label: t('Tool') },
          { value: 'set', label: t('Set') },
          { value: 'request', label: t('Request') },
        ],
        ask.scope,
        setScope,
      )}
    </div>
    <div class="split">
      <div>${page.code === undefined ? nothing : jsonPart(page, change)}</div>
      <div class="side">
        ${page.sizes.length === 0 ? nothing : sizes(page)}
        ${
          page.stays.length === 0
            ? nothing
            : html`<section>
                <h2>${t('Stays in your file')}</h2>
                <ul class="plain">${page.stays.map((line) => html`<li>${rich(line)}</li>`)}</ul>
              </section>`
        }
        <p class="dim">${rich(page.tokens)}</p>
      </div>
    </div>`;
}

function jsonPart(page: WirePage, change: (ask: WireAsk) => void): TemplateResult {
  const { ask, diff } = page;
  const { compare, ...plain } = ask;
  const others = [...CODEX_MODES, ...OTHER_MODES].filter(({ value }) => value !== ask.mode);
  const start = (): void => change({ ...ask, compare: others[0]!.value });
  const showPart = (part: PanelPartAsk): void => change({ ...ask, part });
  return html`<div class="part-head">
      <h2>JSON</h2>
      <span class="dim remark reading-note">${t('indented for reading; copied and counted without')}</span>
      <span class="spring"></span>
      ${
        compare === undefined
          ? html`<vscode-button secondary icon="diff" @click=${start}>${t('Compare…')}</vscode-button>`
          : html`<label>${t('Compare with')}
                ${pick(t('Compare with'), others, compare, (value) => change({ ...ask, compare: value as WireMode }))}</label>
              <button class="link" @click=${() => change(plain)}>${t('Close comparison')}</button>`
      }
      ${toolButton('copy', t('Copy exact JSON'), () => send({ type: 'copyWire', wire: ask }))}
      ${toolButton('go-to-file', t('Open as document'), () => send({ type: 'openWire', wire: ask }))}
    </div>
    ${
      diff === undefined
        ? html`<toolspec-code .code=${page.code} .showPart=${showPart} label=${t('Wire JSON')}></toolspec-code>`
        : html`<p class="dim">${rich(diff.summary)}</p>${diffView(diff, t('Comparison'), showPart)}`
    }`;
}

function toolButton(name: string, label: string, run: () => void): TemplateResult {
  return html`<vscode-toolbar-button icon=${name} label=${label} title=${label} @click=${run}></vscode-toolbar-button>`;
}

function sizes({ sizes: rows }: WirePage): TemplateResult {
  const counted = rows.some(({ tokens }) => tokens !== null);
  return html`<section>
    <h2>${t('Size')}</h2>
    <table class="sizes">
      <thead>
        <tr><th scope="col">${t('Part')}</th><th scope="col" class="num">${t('Bytes')}</th>${
          counted ? html`<th scope="col" class="num">${t('Tokens')}</th>` : nothing
        }</tr>
      </thead>
      <tbody>${rows.map((row) => sizeRow(row, counted))}</tbody>
    </table>
  </section>`;
}

function sizeRow({ label, bytes, tokens, role }: PanelSize, counted: boolean): TemplateResult {
  return html`<tr class=${role}>
    <th scope="row">${rich(label)}</th>
    <td class="num">${formatNumber(bytes)}</td>
    ${counted ? html`<td class="num">${tokens === null ? '' : formatNumber(tokens)}</td>` : nothing}
  </tr>`;
}
