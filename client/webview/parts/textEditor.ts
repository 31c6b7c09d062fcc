import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { PanelMark } from '../../../server/src/panelProtocol';
import { jsonTokens } from './jsonTokens';

/** A part of the text that is pointed at. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Longer texts have no colors. */
const MOST_COLORED = 20_000;

/** What the user has typed. */
export class TextTyped extends Event {
  constructor(readonly text: string) {
    super('text-typed', { bubbles: true });
  }
}

/** What the user has selected. */
export class TextSelected extends Event {
  constructor(readonly range: TextRange) {
    super('text-selected', { bubbles: true });
  }
}

/**
 * A text to be edited, with colors and marks. The text that is seen stands in a layer behind a transparent text area of
 * the same measures, so that marks can lie under parts of it.
 */
export class TextEditor extends LitElement {
  static override readonly properties: PropertyDeclarations = {
    value: { attribute: false },
    marks: { attribute: false },
    range: { attribute: false },
    label: { type: String },
    language: { type: String },
  };

  declare value: string;
  declare marks: readonly PanelMark[];
  declare range: TextRange | undefined;
  declare label: string;
  declare language: 'json' | 'text';

  constructor() {
    super();
    this.value = '';
    this.marks = [];
    this.label = '';
    this.language = 'text';
  }

  /** Puts a text in the place of a part, as if it had been typed: it can be taken back by the editor's own undo. */
  insert(text: string, { start, end }: TextRange): void {
    const area = this.querySelector('textarea');
    if (area === null) return;
    area.focus();
    area.setSelectionRange(start, end);
    document.execCommand('insertText', false, text);
  }

  /** Selects a part. */
  select({ start, end }: TextRange): void {
    const area = this.querySelector('textarea');
    area?.focus();
    area?.setSelectionRange(start, end);
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override render(): TemplateResult {
    return html`<div class="text-edit">
      <pre class="behind" aria-hidden="true">${this.#pieces()}
</pre>
      <textarea
        spellcheck="false"
        autocomplete="off"
        aria-label=${this.label}
        aria-invalid=${this.marks.length > 0 ? 'true' : nothing}
        .value=${live(this.value)}
        @input=${this.#input}
        @select=${this.#select}
        @keyup=${this.#select}
        @click=${this.#select}
      ></textarea>
    </div>`;
  }

  readonly #input = (event: Event): void => {
    this.value = (event.target as HTMLTextAreaElement).value;
    // Marks are about another text until the answer comes.
    this.marks = [];
    this.dispatchEvent(new TextTyped(this.value));
  };

  readonly #select = (event: Event): void => {
    const { selectionStart, selectionEnd } = event.target as HTMLTextAreaElement;
    this.dispatchEvent(new TextSelected({ start: selectionStart, end: selectionEnd }));
  };

  /** The text cut where anything about it changes. */
  #pieces(): TemplateResult[] {
    const { value, range } = this;
    const tokens = this.#tokens();
    const layers: Layer[] = this.marks.map(({ start, end, kind }) => ({ start, end, name: `mark-${kind}` }));
    if (range !== undefined && range.end > range.start) layers.push({ ...range, name: 'pointed' });
    const cuts = [...new Set([0, value.length, ...[...tokens, ...layers].flatMap(({ start, end }) => [start, end])])]
      .filter((at) => at >= 0 && at <= value.length)
      .sort((a, b) => a - b);
    const pieces: TemplateResult[] = [];
    let token = 0;
    for (let i = 0; i + 1 < cuts.length; i++) {
      const from = cuts[i]!;
      const to = cuts[i + 1]!;
      while (token < tokens.length && tokens[token]!.end <= from) token++;
      const own = tokens[token];
      const names = layers.filter(({ start, end }) => start <= from && to <= end).map(({ name }) => name);
      if (own !== undefined && own.start <= from) names.push(own.name);
      const text = value.slice(from, to);
      pieces.push(names.length === 0 ? html`${text}` : html`<span class=${names.join(' ')}>${text}</span>`);
    }
    return pieces;
  }

  /** Colored parts, one behind the other. */
  #tokens(): Layer[] {
    if (this.language !== 'json' || this.value.length > MOST_COLORED) return [];
    const tokens: Layer[] = [];
    let at = 0;
    for (const line of this.value.split('\n')) {
      let column = at;
      for (const { kind, text } of jsonTokens(line)) {
        if (kind !== '') tokens.push({ start: column, end: column + text.length, name: kind });
        column += text.length;
      }
      at += line.length + 1;
    }
    return tokens;
  }
}

interface Layer extends TextRange {
  readonly name: string;
}

customElements.define('toolspec-text', TextEditor);
