import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { PanelCode, PanelNote, PanelPartAsk } from '../../../server/src/panelProtocol';
import { act } from '../host';
import { t } from '../l10n';
import { blockEnd, jsonTokens } from './jsonTokens';
import { partBar } from './parts';
import { visible } from './visible';

/** So many lines are shown at once; a click shows as many again. */
const PAGE_LINES = 1500;

/** JSON or text with line numbers, notes behind lines, and blocks that fold. Has no style of its own. */
class CodeView extends LitElement {
  static override readonly properties: PropertyDeclarations = {
    code: { attribute: false },
    showPart: { attribute: false },
    label: { type: String },
    shown: { state: true },
  };

  declare code: PanelCode | undefined;
  /** Shows another part of a long text. */
  declare showPart: ((ask: PanelPartAsk) => void) | undefined;
  declare label: string;
  declare shown: number;
  /** Lines whose fold the user has changed; forgotten when other lines are folded than before. */
  #toggled = new Set<number>();
  #foldedAs = '';

  constructor() {
    super();
    this.label = '';
    this.shown = PAGE_LINES;
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(): void {
    const foldedAs = (this.code?.folded ?? []).join();
    if (foldedAs !== this.#foldedAs) this.#toggled.clear();
    this.#foldedAs = foldedAs;
  }

  protected override render(): TemplateResult {
    const { code } = this;
    if (code === undefined) return html``;
    const lines = code.text.split('\n');
    const before = code.part?.first ?? 0;
    const notes = new Map(code.notes.map((note) => [note.line, note]));
    const folded = new Set(code.folded);
    const cut = new Set(code.cut ?? []);
    for (const line of this.#toggled) {
      if (folded.has(line)) folded.delete(line);
      else folded.add(line);
    }
    const rows: TemplateResult[] = [];
    let line = 0;
    for (; line < lines.length && rows.length < this.shown; line++) {
      const end = folded.has(line) ? blockEnd(lines, line) : line;
      rows.push(this.#row(code, lines, line, end, notes.get(line + before), cut.has(line)));
      line = end;
    }
    const more = lines.length - line;
    const bar =
      code.part === undefined
        ? nothing
        : this.showPart === undefined
          ? html`<p class="dim">${t('The first {0} of {1} lines. Copying gives all of it.', lines.length, code.part.total)}</p>`
          : partBar(
              code.part,
              t('The text is too long to show whole. Copying it and opening it as a document give all of it.'),
              this.showPart,
            );
    return html`${bar}<pre class="code lined" .style=${`--digits: ${String(before + lines.length).length}`} tabindex="0" role="region" aria-label=${this.label}>${rows}</pre>
      ${more > 0 ? html`<button class="link" @click=${this.#showMore}>${t('Show {0} more lines', more)}</button>` : nothing}`;
  }

  #row(
    code: PanelCode,
    lines: readonly string[],
    line: number,
    end: number,
    note: PanelNote | undefined,
    cut: boolean,
  ): TemplateResult {
    const text = lines[line]!;
    const content = code.language === 'json' ? colored(text) : visible(text);
    const canFold = code.language === 'json' && /[[{]$/.test(text);
    const toggle = (): void => this.#toggle(line);
    const closed = end > line;
    // One button for both, so that it keeps the focus.
    const fold =
      closed || (canFold && !cut && this.#toggled.has(line))
        ? html`<button
            class="fold"
            aria-expanded=${closed ? 'false' : 'true'}
            aria-label=${closed ? t('Show the folded lines') : t('Fold these lines')}
            @click=${toggle}
          >${closed ? '…' : '−'}</button>${closed ? colored(lines[end]!.trimStart()) : nothing}`
        : nothing;
    return html`<span class="l ${note?.marked === true ? 'mark' : ''}"><span class="no" aria-hidden="true">${line + 1 + (code.part?.first ?? 0)}</span>${content}${fold}${note === undefined ? nothing : noteOf(note)}
</span>`;
  }

  #toggle(line: number): void {
    if (this.#toggled.has(line)) this.#toggled.delete(line);
    else this.#toggled.add(line);
    this.requestUpdate();
  }

  readonly #showMore = (): void => {
    this.shown += PAGE_LINES;
  };
}

function colored(text: string): TemplateResult[] {
  return jsonTokens(text).map(({ kind, text: piece }) =>
    kind === '' ? html`${piece}` : html`<span class=${kind}>${visible(piece)}</span>`,
  );
}

function noteOf({ label, action }: PanelNote): TemplateResult {
  if (action === undefined) return html`<span class="hint">${label}</span>`;
  return html`<button class="hint link" @click=${() => act(action)}>${label}</button>`;
}

customElements.define('toolspec-code', CodeView);
