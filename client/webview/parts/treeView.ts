import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { PanelTreeRow } from '../../../server/src/panelProtocol';
import { t } from '../l10n';
import type { TextRange } from './textEditor';

/** The node that is pointed at, by mouse or by keyboard; `undefined` when none is any more. */
export class NodePointed extends Event {
  constructor(readonly range: TextRange | undefined) {
    super('node-pointed', { bubbles: true });
  }
}

/** A node whose text is wanted to be selected. */
export class NodeChosen extends Event {
  constructor(readonly range: TextRange) {
    super('node-chosen', { bubbles: true });
  }
}

/** A tree of nodes that stand for parts of a text: one stop for the keyboard, with arrow keys inside. */
export class TreeView extends LitElement {
  static override readonly properties: PropertyDeclarations = {
    rows: { attribute: false },
    range: { attribute: false },
    label: { type: String },
    current: { state: true },
  };

  declare rows: readonly PanelTreeRow[];
  /** The part of the text that is selected there. */
  declare range: TextRange | undefined;
  declare label: string;
  declare current: number;

  constructor() {
    super();
    this.rows = [];
    this.label = '';
    this.current = 0;
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('range') && this.range !== undefined) {
      this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
    }
  }

  protected override render(): TemplateResult {
    const chosen = this.#innermost();
    const stop = Math.min(this.current, this.rows.length - 1);
    const shown = this.rows.map((row, index) => this.#row(row, index, index === chosen, index === stop));
    return html`<div class="tree" role="tree" aria-label=${this.label} @mouseleave=${() => this.#point(undefined)}>${shown}</div>`;
  }

  #row(row: PanelTreeRow, index: number, chosen: boolean, stop: boolean): TemplateResult {
    const { depth, name, text, open } = row;
    const next = this.rows[index + 1];
    return html`<div
      role="treeitem"
      class="node ${open ? 'open' : ''}"
      aria-level=${depth + 1}
      aria-selected=${chosen ? 'true' : 'false'}
      aria-expanded=${next !== undefined && next.depth > depth ? 'true' : nothing}
      tabindex=${stop ? '0' : '-1'}
      title=${open ? t('This would complete the input.') : nothing}
      @mouseenter=${() => this.#point(index)}
      @focus=${() => this.#focused(index)}
      @blur=${() => this.#point(undefined)}
      @keydown=${(event: KeyboardEvent) => this.#key(event, index)}
      @click=${() => this.#choose(row)}
    >${Array.from({ length: depth }, () => html`<span class="guide"></span>`)}<span class="node-name">${name}</span
    >${text === undefined ? nothing : html` <span class="string">${text}</span>`}</div>`;
  }

  /** The innermost node that holds what is selected in the text. */
  #innermost(): number {
    const { range, rows } = this;
    if (range === undefined) return -1;
    let found = -1;
    rows.forEach(({ start, end, open }, index) => {
      const holds = start <= range.start && range.end <= end && start < end && !open;
      if (!holds) return;
      const best = rows[found];
      if (best === undefined || end - start <= best.end - best.start) found = index;
    });
    return found;
  }

  #focused(index: number): void {
    this.current = index;
    this.#point(index);
  }

  #point(index: number | undefined): void {
    const row = index === undefined ? undefined : this.rows[index];
    this.dispatchEvent(new NodePointed(row === undefined || row.open ? undefined : row));
  }

  #choose(row: PanelTreeRow): void {
    if (!row.open) this.dispatchEvent(new NodeChosen(row));
  }

  #key(event: KeyboardEvent, index: number): void {
    const target = this.#target(event.key, index);
    if (event.key === 'Enter' || event.key === ' ') this.#choose(this.rows[index]!);
    else if (target === undefined) return;
    else this.querySelectorAll<HTMLElement>('[role="treeitem"]')[target]?.focus();
    event.preventDefault();
  }

  #target(key: string, index: number): number | undefined {
    const { rows } = this;
    const depth = rows[index]!.depth;
    switch (key) {
      case 'ArrowDown':
        return Math.min(index + 1, rows.length - 1);
      case 'ArrowUp':
        return Math.max(index - 1, 0);
      case 'Home':
        return 0;
      case 'End':
        return rows.length - 1;
      case 'ArrowRight':
        return (rows[index + 1]?.depth ?? 0) > depth ? index + 1 : index;
      case 'ArrowLeft': {
        for (let i = index - 1; i >= 0; i--) if (rows[i]!.depth < depth) return i;
        return index;
      }
      default:
        return undefined;
    }
  }
}

customElements.define('toolspec-tree', TreeView);
