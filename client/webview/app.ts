import { html, nothing, render, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import {
  PANEL_PAGES,
  type PanelLink,
  type PanelModel,
  type PanelPageName,
  type PanelToolGroup,
  type PanelToolKey,
} from '../../server/src/panelProtocol';
import type { PanelState, ToPanel } from '../src/panel/messages';
import { keepState, send } from './host';
import { t } from './l10n';
import { callsView } from './pages/calls';
import { compileView } from './pages/compile';
import { grammarView } from './pages/grammar';
import { searchView } from './pages/search';
import { wireView } from './pages/wire';
import { answer, empty } from './parts/answer';
import { placeLink } from './parts/link';

/** An answer that takes longer than this (milliseconds) shows that it is on its way. */
const BUSY_AFTER = 300;

/** Longer words in a tab are a sign where the page is narrow, so that all tabs stay in sight: the page says them too. */
const SHORT_BADGE = 11;

/** Texts that stand in no file are kept for so many calls and grammars. */
const MOST_DRAFTS = 12;

/** The whole page: draws what the extension sends, and tells it what the user does. */
export class App {
  #state: PanelState | undefined;
  #model: PanelModel | undefined;
  #groups: readonly PanelToolGroup[] = [];
  #none: (ToPanel & { type: 'none' })['reason'] | undefined;
  #busy = false;
  /** Counts the states that were sent, so that an answer to an older one does not take back what was typed since. */
  #sent = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly root: HTMLElement) {}

  receive(message: ToPanel): void {
    switch (message.type) {
      case 'busy':
        this.#timer ??= setTimeout(() => {
          this.#busy = true;
          this.#draw();
        }, BUSY_AFTER);
        return;
      case 'model':
        this.#model = message.model;
        this.#groups = message.model.list.groups ?? this.#groups;
        this.#none = undefined;
        break;
      case 'none':
        this.#model = undefined;
        this.#none = message.reason;
        break;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#busy = false;
    if (this.#state === undefined || message.after >= this.#sent) {
      this.#state = message.state;
      keepState(message.state);
    }
    this.#draw();
  }

  #change(part: Partial<PanelState>): void {
    if (this.#state === undefined) return;
    this.#state = { ...this.#state, ...part };
    keepState(this.#state);
    send({ type: 'state', state: this.#state, serial: ++this.#sent });
  }

  /** Keeps what the user has typed; `undefined` goes back to what is stored. */
  readonly #write = (of: string, text: string | undefined): void => {
    const others = (this.#state?.drafts ?? []).filter((each) => each.of !== of);
    const own = text === undefined ? [] : [{ of, text }];
    this.#change({ drafts: [...others, ...own].slice(-MOST_DRAFTS) });
    if (text === undefined) this.#draw();
  };

  /** The text of a call or a grammar as it is now: what is typed goes before what has come. */
  #text({ of, text }: { readonly of: string; readonly text: string }): string {
    return this.#state?.drafts?.find((each) => each.of === of)?.text ?? text;
  }

  #draw(): void {
    render(this.#view(), this.root);
  }

  #view(): TemplateResult {
    const model = this.#model;
    const state = this.#state;
    if (state === undefined) return html``;
    if (model === undefined) return html`<main>${this.#nothing()}</main>`;
    return html`${this.#head(model, state)}
      ${this.#busy ? html`<vscode-progress-bar indeterminate aria-label=${t('Working')}></vscode-progress-bar>` : nothing}
      ${this.#tabs(model, state)}`;
  }

  #nothing(): TemplateResult {
    const { uri, pinned } = this.#state!;
    const name = decodeURIComponent(uri?.split('/').pop() ?? '');
    const reasons = {
      gone: t('`{0}` cannot be opened. It may have been deleted or renamed.', name),
      'no-file': t('Open a file with tool definitions, such as `weather.tools.json`. The panel follows the editor.'),
      'not-ours': t('The file in front holds no tool definitions. Open one, and the panel follows.'),
      failed: t('The language server does not answer. The output says why.'),
    };
    const link: PanelLink | undefined =
      this.#none === 'failed'
        ? { label: t('Show Output'), action: { kind: 'command', command: 'toolspec.showOutput' } }
        : // Without a tool there is no pin to take out.
          pinned
          ? { label: t('Follow the editor'), action: { kind: 'command', command: 'toolspec.togglePanelPin' } }
          : this.#none === 'gone'
            ? undefined
            : { label: t('Create sample files'), action: { kind: 'command', command: 'toolspec.createSamples' } };
    return empty({
      title: t('No tool to show.'),
      detail: reasons[this.#none ?? 'no-file'],
      ...(link === undefined ? {} : { link }),
    });
  }

  #head({ tool, missing }: PanelModel, { pinned }: PanelState): TemplateResult {
    const label = pinned ? t('Pinned: stays on this tool') : t('Pin: stay on this tool');
    const none = missing === null && this.#groups.every(({ tools }) => tools.length === 0);
    return html`<header class="head">
      ${none ? html`<span class="dim">${t('No tool')}</span>` : toolPicker(this.#groups, tool?.key, missing, (key) => this.#change({ tool: key }))}
      ${tool === null ? nothing : html`<span class="place" title=${tool.place.label}>${placeLink(tool.place)}</span><span class="kind dim" title=${tool.kind}>${tool.kind}</span>`}
      <span class="spring"></span>
      <vscode-toolbar-button
        icon=${pinned ? 'pinned' : 'pin'}
        label=${label}
        title=${label}
        toggleable
        ?checked=${pinned}
        @click=${() => this.#change({ pinned: !pinned })}
      ></vscode-toolbar-button>
    </header>`;
  }

  #tabs(model: PanelModel, { page }: PanelState): TemplateResult {
    const titles: Readonly<Record<PanelPageName, string>> = {
      wire: t('Wire'),
      compile: t('Compile'),
      calls: t('Calls'),
      grammar: t('Grammar'),
      search: t('Search'),
    };
    const select = (event: CustomEvent<{ selectedIndex: number }>): void => {
      const chosen = PANEL_PAGES[event.detail.selectedIndex];
      if (chosen !== undefined && chosen !== page) this.#change({ page: chosen });
    };
    return html`<vscode-tabs selected-index=${PANEL_PAGES.indexOf(page)} @vsc-tabs-select=${select}>
      ${PANEL_PAGES.map((each) => {
        const badge = model.badges[each];
        return html`<vscode-tab-header slot="header">${titles[each]}${
          badge === undefined
            ? nothing
            : html`<vscode-badge slot="content-after" variant="counter" title=${badge.title} class=${badge.label.length > SHORT_BADGE ? 'long' : ''}><span class="badge-label">${badge.label}</span><span class="badge-sign" aria-hidden="true">!</span></vscode-badge>`
        }</vscode-tab-header>`;
      })}
      ${PANEL_PAGES.map(
        (each) =>
          html`<vscode-tab-panel>${
            each === page ? html`<main class=${this.#busy ? 'stale' : ''}>${this.#page(model)}</main>` : nothing
          }</vscode-tab-panel>`,
      )}
    </vscode-tabs>`;
  }

  #page(model: PanelModel): TemplateResult {
    const { content, broken } = model;
    return html`${broken === null ? nothing : answer(broken)}${this.#content(content)}`;
  }

  #content(content: PanelModel['content']): TemplateResult {
    switch (content.name) {
      case 'empty':
        return empty(content.empty);
      case 'wire':
        return wireView(content, (wire) => this.#change({ wire }));
      case 'compile':
        return compileView(content, (compile) => this.#change({ compile }));
      case 'calls':
        return callsView(content, this.#text(content), {
          choose: ({ key, tool }) => this.#change({ tool, calls: { sample: key } }),
          write: this.#write,
        });
      case 'grammar': {
        const text = this.#text({ of: content.of, text: content.input });
        const ask = this.#state?.grammar ?? {};
        return grammarView(content, text, ask, (grammar) => this.#change({ grammar }), this.#write);
      }
      case 'search':
        return searchView(content, this.#state?.search ?? content.ask, (search) => this.#change({ search }));
    }
  }
}

/** The tools of the file, those of one namespace together. */
function toolPicker(
  groups: readonly PanelToolGroup[],
  chosen: PanelToolKey | undefined,
  missing: PanelToolKey | null,
  choose: (key: PanelToolKey) => void,
): TemplateResult {
  const keys = groups.flatMap(({ tools }) => tools);
  const option = (key: PanelToolKey): TemplateResult =>
    html`<option .value=${key.pointer} .selected=${live(key.pointer === chosen?.pointer)}>${nameOf(key)}</option>`;
  const pick = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    const key = keys.find(({ pointer }) => pointer === value);
    if (key !== undefined) choose(key);
  };
  return html`<select class="tool-pick" aria-label=${t('Tool')} @change=${pick}>
    ${
      missing === null
        ? nothing
        : html`<option value="" disabled .selected=${live(true)}>${t('Gone: {0}', nameOf(missing))}</option>`
    }
    ${groups.map(({ namespace, tools }) =>
      namespace === '' ? tools.map(option) : html`<optgroup label=${namespace}>${tools.map(option)}</optgroup>`,
    )}
  </select>`;
}

function nameOf({ name }: PanelToolKey): string {
  return name === '' ? t('(without a name)') : name;
}
