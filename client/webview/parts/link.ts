import { html, type TemplateResult } from 'lit';
import type { PanelAction, PanelLink, PanelPlace } from '../../../server/src/panelProtocol';
import { act } from '../host';

/** A link that does something; it is a button for the keyboard and for screen readers where it goes nowhere. */
export function link({ label, action }: PanelLink): TemplateResult {
  if (action.kind === 'rule') {
    return html`<a class="link" href=${action.href} @click=${prevented(action)}>${label}</a>`;
  }
  return html`<button class="link" @click=${() => act(action)}>${label}</button>`;
}

/** A link to a place in a file. */
export function placeLink(place: PanelPlace): TemplateResult {
  return link({ label: place.label, action: { kind: 'place', place } });
}

function prevented(action: PanelAction): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    act(action);
  };
}
