import { html, nothing, type TemplateResult } from 'lit';
import type { CallsPage, PanelCallRow, PanelNotice, PanelStep } from '../../../server/src/panelProtocol';
import { send } from '../host';
import { t } from '../l10n';
import { answer, icon } from '../parts/answer';
import { placeLink } from '../parts/link';
import { withSide } from '../parts/sideList';
import type { TextTyped } from '../parts/textEditor';
import { verdicts } from '../parts/verdicts';
import { rich } from '../rich';
import '../parts/codeView';
import '../parts/textEditor';

/** Icon, its color, and a sign for where there are no icons. */
const STATES: Readonly<Record<PanelCallRow['state'], readonly [icon: string, kind: string, sign: string]>> = {
  passed: ['pass', 'passed', '✓'],
  failed: ['error', 'failed', '×'],
  errored: ['error', 'failed', '×'],
  'timed-out': ['watch', 'errored', '×'],
  skipped: ['circle-slash', 'skipped', '○'],
  running: ['loading', 'codicon-modifier-spin', '…'],
  none: ['circle-large-outline', 'unset', '○'],
};

export interface CallsActions {
  /** Another stored call, perhaps of another tool. */
  choose(row: PanelCallRow): void;
  /** The text has changed; `undefined` for what is stored. */
  write(of: string, text: string | undefined): void;
}

/** Sample calls: what the model may send, what the handler takes, and whether they agree. */
export function callsView(page: CallsPage, text: string, actions: CallsActions): TemplateResult {
  const rows = new Map(page.groups.flatMap(({ calls }) => calls.map((row) => [row.key, row])));
  const runAll = t('Run all calls of the list');
  const all =
    page.files.length === 0
      ? undefined
      : html`<vscode-toolbar-button icon="run-all" label=${runAll} title=${runAll} @click=${() => send({ type: 'runAll', files: page.files })}></vscode-toolbar-button>`;
  return withSide(
    {
      title: t('Samples'),
      note: page.summary,
      pickNote: page.summary,
      ...(all === undefined ? {} : { tool: all }),
      pick: t('Sample'),
      pickNone: t('(an example, not stored)'),
      groups: page.groups.map(({ tool, calls }) => ({
        title: tool,
        items: calls.map(({ key, name, state, note }) => {
          const [shape, kind, sign] = STATES[state];
          return { key, label: name, note, sign, code: false, icon: icon(shape, stateLabel(state), kind) };
        }),
      })),
      chosen: page.chosen ?? undefined,
      choose(key) {
        const row = rows.get(key);
        if (row !== undefined && key !== page.chosen) actions.choose(row);
      },
    },
    html`${page.notice === null ? nothing : notice(page.notice)} ${answer(page.answer)} ${verdicts(page.verdicts)}
      ${editor(page, text, actions)} ${steps(page.steps)} ${outcome(page)}`,
  );
}

function stateLabel(state: PanelCallRow['state']): string {
  switch (state) {
    case 'passed':
      return t('passed');
    case 'failed':
      return t('failed');
    case 'errored':
      return t('not judged');
    case 'timed-out':
      return t('timed out');
    case 'skipped':
      return t('skipped');
    case 'running':
      return t('running');
    case 'none':
      return t('not run');
  }
}

function notice({ title, detail, link: out }: PanelNotice): TemplateResult {
  return html`<div class="notice" role="note">
    ${icon('shield')}
    <div><p><strong>${rich(title)}</strong></p><p>${rich(detail)}</p></div>
    ${
      out === undefined
        ? nothing
        : html`<vscode-button secondary @click=${() => send({ type: 'act', action: out.action })}>${out.label}</vscode-button>`
    }
  </div>`;
}

function editor(page: CallsPage, text: string, { write }: CallsActions): TemplateResult {
  const isArguments = page.kind === 'arguments';
  const label = isArguments ? t('Arguments') : t('Input');
  const run = (): void => send({ type: 'run', stored: page.edited ? null : page.stored });
  return html`<section class="editing">
    <div class="part-line">
      <h2>${label}</h2>
      <span class="dim">${isArguments ? t('raw text, as the model sent it') : t('free text, as the model sent it')}</span>
      <span class="spring"></span>
      ${page.storedAt === null ? html`<span class="dim">${t('an example, not stored')}</span>` : placeLink(page.storedAt)}
    </div>
    <toolspec-text
      .value=${text}
      .marks=${text === page.text ? page.marks : []}
      language=${isArguments ? 'json' : 'text'}
      label=${label}
      @text-typed=${(event: TextTyped) => write(page.of, event.text)}
    ></toolspec-text>
    <div class="actions">
      <vscode-button
        icon=${page.running ? 'debug-stop' : 'play'}
        ?disabled=${!page.running && !page.canRun}
        aria-disabled=${!page.running && !page.canRun ? 'true' : nothing}
        @click=${page.running ? () => send({ type: 'stop' }) : run}
        >${page.running ? t('Stop') : t('Run handler')}</vscode-button
      >
      <vscode-button secondary @click=${() => send({ type: 'save' })}>${t('Save as sample')}</vscode-button>
      ${
        page.edited && page.stored !== null
          ? html`<button class="link" @click=${() => write(page.of, undefined)}>${t('Back to the stored text')}</button>`
          : nothing
      }
      <span class="spring"></span>
      <span class="dim">${rich(page.expectation)}</span>
    </div>
  </section>`;
}

const STEP_ICONS: Readonly<Record<PanelStep['state'], readonly [icon: string, kind: string]>> = {
  passed: ['pass', 'passed'],
  failed: ['error', 'failed'],
  skipped: ['circle-slash', 'skipped'],
  sent: ['arrow-right', ''],
};

function steps(rows: readonly PanelStep[]): TemplateResult {
  const labels = { passed: t('passed'), failed: t('failed'), skipped: t('skipped'), sent: t('sent') };
  return html`<section>
    <h2>${t('Steps')}</h2>
    <ol class="steps">
      ${rows.map(({ name, state, text, time }) => {
        const [shape, kind] = STEP_ICONS[state];
        return html`<li>
          ${icon(shape, labels[state], kind)}<strong>${name}</strong><span class="step-text">${rich(text)}</span><span class="num dim">${time}</span>
        </li>`;
      })}
    </ol>
  </section>`;
}

function outcome({ feedback, output }: CallsPage): TemplateResult | typeof nothing {
  if (feedback === null && output === null) return nothing;
  const copy = t('Copy output item');
  return html`<div class="two">
    ${
      feedback === null
        ? nothing
        : html`<section>
            <div class="part-head"><h2>${t('Feedback to the model')}</h2></div>
            <pre class="code plain-text" tabindex="0" role="region" aria-label=${t('Feedback to the model')}>${feedback}</pre>
          </section>`
    }
    ${
      output === null
        ? nothing
        : html`<section>
            <div class="part-head">
              <h2>${t('Output item')}</h2>
              <span class="spring"></span>
              <vscode-toolbar-button icon="copy" label=${copy} title=${copy} @click=${() => send({ type: 'copy', text: output.exact })}></vscode-toolbar-button>
            </div>
            <toolspec-code .code=${output.code} label=${t('Output item')}></toolspec-code>
          </section>`
    }
  </div>`;
}
