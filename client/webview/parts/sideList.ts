import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';

/** A row of a list beside a page. */
export interface SideItem {
  readonly key: string;
  readonly icon: TemplateResult;
  /** For the picker of a narrow page, where there are no icons. */
  readonly sign?: string;
  readonly label: string;
  readonly code: boolean;
  readonly note: string;
}

export interface SideGroup {
  readonly title: string;
  readonly items: readonly SideItem[];
}

export interface SideList {
  readonly title: string;
  readonly note: string;
  /** Beside the picker. */
  readonly pickNote: string;
  readonly tool?: TemplateResult;
  /** Name of the picker. */
  readonly pick: string;
  /** In the picker, where nothing of the list is shown. */
  readonly pickNone: string;
  readonly groups: readonly SideGroup[];
  readonly chosen: string | undefined;
  choose(key: string): void;
}

/** A page with a list beside it; where there is no room the list is a picker above it. */
export function withSide(side: SideList, content: TemplateResult): TemplateResult {
  const items = side.groups.flatMap((group) => group.items);
  const stop = items.some(({ key }) => key === side.chosen) ? side.chosen : items[0]?.key;
  const option = ({ key, sign, label }: SideItem): TemplateResult =>
    html`<option .value=${key} .selected=${live(key === side.chosen)}>${sign === undefined ? '' : `${sign} `}${label}</option>`;
  return html`<div class="with-side">
    <nav class="side-list" aria-label=${side.title}>
      <div class="side-head"><h2>${side.title}</h2><span class="dim">${side.note}</span><span class="spring"></span>${side.tool ?? nothing}</div>
      ${
        items.length === 0
          ? nothing
          : html`<div role="listbox" aria-label=${side.title} @keydown=${move}>
              ${side.groups.map(
                ({ title, items: own }) => html`<div role="group" aria-label=${title === '' ? side.title : title}>
                  ${title === '' ? nothing : html`<div class="group-title dim" aria-hidden="true">${title}</div>`}
                  ${own.map(
                    (item) => html`<div
                      role="option"
                      class="side-item"
                      title=${item.label}
                      aria-selected=${item.key === side.chosen ? 'true' : 'false'}
                      tabindex=${item.key === stop ? '0' : '-1'}
                      @click=${() => side.choose(item.key)}
                    >${item.icon}<span class="side-label ${item.code ? 'code-font' : ''}">${item.label}</span><span class="side-note dim">${item.note}</span></div>`,
                  )}
                </div>`,
              )}
            </div>`
      }
    </nav>
    <div class="side-pick">
      ${
        items.length === 0
          ? html`<span>${side.title}</span>`
          : html`<label>${side.pick}
        <select @change=${(event: Event) => side.choose((event.target as HTMLSelectElement).value)}>
          ${
            side.chosen === undefined
              ? html`<option value="" disabled .selected=${live(true)}>${side.pickNone}</option>`
              : nothing
          }
          ${side.groups.map(({ title, items: own }) =>
            title === '' ? own.map(option) : html`<optgroup label=${title}>${own.map(option)}</optgroup>`,
          )}
        </select>
      </label>`
      }
      <span class="dim pick-note">${side.pickNote}</span>
      ${side.tool ?? nothing}
    </div>
    <div class="side-content">${content}</div>
  </div>`;
}

/** Arrow keys go from row to row, and the one that is reached is chosen. */
function move(event: KeyboardEvent): void {
  const rows = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('[role="option"]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const to =
    event.key === 'ArrowDown'
      ? Math.min(at + 1, rows.length - 1)
      : event.key === 'ArrowUp'
        ? Math.max(at - 1, 0)
        : event.key === 'Home'
          ? 0
          : event.key === 'End'
            ? rows.length - 1
            : undefined;
  const row = to === undefined || at < 0 ? undefined : rows[to];
  if (row === undefined) return;
  event.preventDefault();
  row.focus();
  row.click();
}
