import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type {
  GrammarAsk,
  GrammarPage,
  PanelDefinition,
  PanelDiagram,
  PanelNext,
} from '../../../server/src/panelProtocol';
import { send } from '../host';
import { t } from '../l10n';
import { answer, icon } from '../parts/answer';
import type { NameFollowed } from '../parts/diagram';
import { placeLink } from '../parts/link';
import { withSide } from '../parts/sideList';
import type { TextEditor, TextRange, TextSelected, TextTyped } from '../parts/textEditor';
import type { NodeChosen, NodePointed } from '../parts/treeView';
import { verdicts } from '../parts/verdicts';
import { rich } from '../rich';
import '../parts/diagram';
import '../parts/textEditor';
import '../parts/treeView';

const ICONS: Readonly<Record<PanelDefinition['kind'], string>> = {
  rule: 'symbol-method',
  template: 'symbol-structure',
  terminal: 'symbol-string',
};

/** A grammar: both engines about an input, its tree, what may come next, and diagrams of the rules. */
class GrammarView extends LitElement {
  static override readonly properties: PropertyDeclarations = {
    page: { attribute: false },
    ask: { attribute: false },
    text: { attribute: false },
    pointed: { state: true },
    selected: { state: true },
  };

  declare page: GrammarPage | undefined;
  declare ask: GrammarAsk;
  declare text: string;
  declare change: (ask: GrammarAsk) => void;
  declare write: (of: string, text: string) => void;
  declare pointed: TextRange | undefined;
  declare selected: TextRange | undefined;
  #of = '';
  #seed = 0;

  constructor() {
    super();
    this.ask = {};
    this.text = '';
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(): void {
    if (this.page?.of === this.#of) return;
    this.#of = this.page?.of ?? '';
    this.pointed = undefined;
    this.selected = undefined;
  }

  protected override render(): TemplateResult {
    const { page } = this;
    if (page === undefined) return html``;
    const content = html`${answer(page.answer)} ${verdicts(page.verdicts)}
      <div class="two input-and-tree">${this.#input(page)}${this.#tree(page)}</div>
      ${page.diagram === null ? html`<p class="dim no-diagram">${rich(page.noDiagram)}</p>` : this.#diagram(page.diagram)}
      ${this.#walk(page)}`;
    if (page.definitions.length === 0) return content;
    const terminals = page.definitions.filter(({ kind }) => kind === 'terminal');
    const rules = page.definitions.filter(({ kind }) => kind !== 'terminal');
    const item = ({ name, kind, uses }: PanelDefinition) => ({
      key: name,
      icon: icon(ICONS[kind], undefined, 'plain'),
      label: name,
      code: true,
      note: uses,
    });
    return withSide(
      {
        title: t('Rules'),
        note: t('used'),
        pickNote: page.definitions.find(({ name }) => name === page.diagram?.name)?.uses ?? '',
        pick: t('Rule'),
        pickNone: t('(no rule)'),
        groups: [
          { title: '', items: rules.map(item) },
          ...(terminals.length === 0 ? [] : [{ title: t('Terminals'), items: terminals.map(item) }]),
        ],
        chosen: page.diagram?.name,
        choose: (rule) => this.#follow(rule),
      },
      content,
    );
  }

  #follow(rule: string): void {
    if (rule !== this.page?.diagram?.name) this.change({ ...this.ask, rule });
  }

  #input(page: GrammarPage): TemplateResult {
    const { text } = this;
    const current = text === page.input;
    const { next } = page;
    return html`<section>
      <div class="part-line">
        <h2>${t('Input')}</h2>
        <span class="dim remark">${rich(page.from)}</span>
        <span class="spring"></span>
        <vscode-button secondary @click=${this.#generate}>${t('Generate')}</vscode-button>
      </div>
      <toolspec-text
        .value=${text}
        .marks=${current ? page.marks : []}
        .range=${this.pointed}
        label=${t('Input')}
        @text-typed=${(event: TextTyped) => this.write(page.of, event.text)}
        @text-selected=${(event: TextSelected) => {
          this.selected = event.range;
        }}
      ></toolspec-text>
      <div class="part-line"><h2>${t('May come next')}</h2><span class="dim">${rich(next.title)}</span></div>
      ${
        next.options.length === 0
          ? nothing
          : html`<div class="chips">${next.options.map((option) => this.#chip(option, page))}</div>`
      }
      ${next.notes.map((note) => html`<p class="dim">${rich(note)}</p>`)}
    </section>`;
  }

  #chip({ begun, label, insert, title }: PanelNext, { stop }: GrammarPage): TemplateResult {
    const put = (): void => {
      this.querySelector<TextEditor>('toolspec-text')?.insert(insert, { start: stop, end: this.text.length });
    };
    return html`<button class="chip" title=${title} @click=${put}><span class="dim">${begun}</span>${label}</button>`;
  }

  readonly #generate = (): void => {
    this.#seed = (this.#seed % 1000) + 1;
    send({ type: 'generate', seed: this.#seed });
  };

  #tree({ tree }: GrammarPage): TemplateResult {
    const rows =
      tree.rows.length === 0
        ? nothing
        : html`<toolspec-tree
            .rows=${tree.rows}
            .range=${this.selected}
            label=${t('Parse tree')}
            @node-pointed=${(event: NodePointed) => {
              this.pointed = event.range;
            }}
            @node-chosen=${(event: NodeChosen) => this.querySelector<TextEditor>('toolspec-text')?.select(event.range)}
          ></toolspec-tree>`;
    return html`<section>
      <div class="part-line"><h2>${t('Parse tree')}</h2><span class="dim">${rich(tree.title)}</span></div>
      ${rows} ${tree.note === '' ? nothing : html`<p class="dim">${rich(tree.note)}</p>`}
    </section>`;
  }

  #diagram({ name, svg, place, source, usedBy, findings }: PanelDiagram): TemplateResult {
    return html`<section class="railroad-part">
      <div class="part-head">
        <h2>${t('Railroad')}</h2>
        <code title=${source}>${name}</code>
        <span class="spring"></span>
        ${placeLink(place)}
      </div>
      <div class="diagram-scroll" tabindex="0" role="region" aria-label=${t('Railroad of {0}', name)}>
        <toolspec-diagram .svg=${svg} @name-followed=${(event: NameFollowed) => this.#follow(event.name)}></toolspec-diagram>
      </div>
      ${
        usedBy.length === 0
          ? nothing
          : html`<p class="dim">${t('Used by')} ${usedBy.map(
              (rule) => html`<button class="link" @click=${() => this.#follow(rule)}><code>${rule}</code></button> `,
            )}</p>`
      }
      ${findings.map((finding) => html`<div class="rule-finding">${answer(finding)}</div>`)}
    </section>`;
  }

  #walk({ walk }: GrammarPage): TemplateResult {
    const toggle = (): void => {
      const { walk: on, ...rest } = this.ask;
      this.change(on === true ? rest : { ...rest, walk: true });
    };
    const label = walk === null ? t('Step through generation') : t('Hide the steps');
    return html`<section class="walk-part">
      <div class="part-head">
        <h2>${t('Generation')}</h2>
        <span class="dim">${t('what a model meets, character by character')}</span>
        <span class="spring"></span>
        <vscode-button secondary @click=${toggle}>${label}</vscode-button>
      </div>
      ${
        walk === null
          ? nothing
          : html`<p class="walk-verdict">${rich(walk.verdict)}</p>
              <div class="walk" tabindex="0" role="region" aria-label=${t('Steps of generation')}>
                <table>
                  <thead><tr><th scope="col">${t('Place')}</th><th scope="col">${t('Text')}</th><th scope="col">${t('May come next')}</th></tr></thead>
                  <tbody>${walk.rows.map(
                    ({ place, shown, next, refused, start, end }) => html`<tr
                      class=${refused ? 'refused' : ''}
                      @mouseenter=${() => {
                        this.pointed = { start, end };
                      }}
                      @mouseleave=${() => {
                        this.pointed = undefined;
                      }}
                    ><td class="dim">${place}</td><td><code>${shown}</code></td><td><code>${next}</code></td></tr>`,
                  )}</tbody>
                </table>
              </div>`
      }
    </section>`;
  }
}

customElements.define('toolspec-grammar', GrammarView);

/** The page Grammar. */
export function grammarView(
  page: GrammarPage,
  text: string,
  ask: GrammarAsk,
  change: (ask: GrammarAsk) => void,
  write: (of: string, text: string) => void,
): TemplateResult {
  return html`<toolspec-grammar .page=${page} .text=${text} .ask=${ask} .change=${change} .write=${write}></toolspec-grammar>`;
}
