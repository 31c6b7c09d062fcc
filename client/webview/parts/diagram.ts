import { html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';

/** A name in a diagram that was followed. */
export class NameFollowed extends Event {
  constructor(readonly name: string) {
    super('name-followed', { bubbles: true });
  }
}

/** A railroad diagram as the server draws it; its names lead to other diagrams. */
export class Diagram extends LitElement {
  static override readonly properties: PropertyDeclarations = { svg: { attribute: false } };

  declare svg: string;

  constructor() {
    super();
    this.svg = '';
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override render(): TemplateResult {
    return html`<div class="diagram" @click=${this.#follow}></div>`;
  }

  protected override updated(): void {
    const box = this.querySelector('.diagram');
    const root = new DOMParser().parseFromString(this.svg, 'image/svg+xml').documentElement;
    if (root.localName === 'svg') box?.replaceChildren(document.adoptNode(root));
  }

  readonly #follow = (event: Event): void => {
    const anchor = (event.target as Element).closest('a');
    if (anchor === null) return;
    event.preventDefault();
    this.dispatchEvent(new NameFollowed(decodeURIComponent((anchor.getAttribute('href') ?? '').slice(1))));
  };
}

customElements.define('toolspec-diagram', Diagram);
