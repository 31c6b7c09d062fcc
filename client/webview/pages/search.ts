import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { PanelSearchHit, PanelSearchMiss, SearchAsk, SearchPage } from '../../../server/src/panelProtocol';
import { act } from '../host';
import { formatNumber, t } from '../l10n';
import { answer } from '../parts/answer';
import { placeLink } from '../parts/link';
import { rich } from '../rich';

/** What tool search finds. The query stands above the answer: without one there is none. */
export function searchView(page: SearchPage, ask: SearchAsk, change: (ask: SearchAsk) => void): TemplateResult {
  const { hits, misses, moreMisses, notSearched } = page;
  const query = (event: Event): void => change({ ...ask, query: (event.target as HTMLInputElement).value });
  const limit = (event: Event): void => {
    const value = Number((event.target as HTMLInputElement).value);
    if (Number.isSafeInteger(value) && value > 0) change({ ...ask, limit: value });
  };
  const all = (event: Event): void => change({ ...ask, all: (event.target as HTMLInputElement).checked });
  return html`<form class="search-bar" role="search" @submit=${(event: Event) => event.preventDefault()}>
      <input
        class="field grow"
        type="search"
        aria-label=${t('Query')}
        placeholder=${t('What would the model look for?')}
        .value=${live(ask.query)}
        @input=${query}
      />
      <label>${t('Limit')} <input class="field small" type="number" min="1" .value=${String(ask.limit)} @change=${limit} /></label>
      <label><input type="checkbox" .checked=${ask.all} @change=${all} /> ${t('All tools')}</label>
    </form>
    ${answer(page.answer)}
    ${page.reading === '' ? nothing : html`<p class="dim reading">${rich(page.reading)}</p>`}
    ${
      hits.length === 0
        ? nothing
        : html`<div class="part-head"><h2>${t('Found')}</h2><span class="spring"></span><span class="dim">${t('score')}</span></div>
            <div class="hits">${hits.map((hit, index) => found(hit, page.best, index === 0))}</div>
            ${page.moreHits > 0 ? html`<p class="dim">${t('and {0} more', page.moreHits)}</p>` : nothing}`
    }
    ${page.note === '' ? nothing : html`<p class="dim">${rich(page.note)}</p>`}
    ${
      misses.length === 0
        ? nothing
        : html`<div class="part-head"><h2>${t('Not found')}</h2><span class="dim">${t('no word in common')}</span></div>
            ${list(misses)} ${moreMisses > 0 ? html`<p class="dim">${t('and {0} more', moreMisses)}</p>` : nothing}`
    }
    ${
      notSearched.length === 0
        ? nothing
        : html`<details class="losses">
            <summary><strong>${t('Not searched')}</strong> <span class="dim">${formatNumber(notSearched.length)}</span></summary>
            ${list(notSearched)}
          </details>`
    }`;
}

function found(hit: PanelSearchHit, best: number, open: boolean): TemplateResult {
  const share = best === 0 ? 0 : (100 * hit.score) / best;
  return html`<details class="hit" ?open=${open}>
    <summary>
      <span class="num rank">${hit.rank}</span>
      <code class="hit-name">${hit.name}${hit.within ? nothing : html` <span class="dim">${t('beyond the limit')}</span>`}</code>
      <span class="hit-words">${hit.words.map(({ token }) => html`<mark>${token}</mark> `)}</span>
      <span class="meter" aria-hidden="true"><span .style=${`width: ${share}%`}></span></span>
      <span class="num">${hit.score.toFixed(4)}</span>
    </summary>
    <div class="hit-detail">
      <table>
        <thead>
          <tr>
            <th scope="col">${t('Word')}</th>
            <th scope="col" class="num">${t('In tools')}</th>
            <th scope="col" class="num">${t('Times here')}</th>
            <th scope="col" class="num">${t('Rarity')}</th>
            <th scope="col" class="num">${t('Weight')}</th>
            <th scope="col" class="num">${t('Adds')}</th>
          </tr>
        </thead>
        <tbody>
          ${hit.words.map(
            ({ token, documents, frequency, idf, weight, score }) => html`<tr>
              <th scope="row"><code>${token}</code></th>
              <td class="num">${documents}</td>
              <td class="num">${frequency}</td>
              <td class="num">${idf.toFixed(4)}</td>
              <td class="num">${weight.toFixed(4)}</td>
              <td class="num">${score.toFixed(4)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
      <p class="dim search-text">
        ${t('Search text:')}
        ${hit.text.map(({ text, marked }) => (marked ? html`<mark>${text}</mark>` : text))}
      </p>
      <p>${placeLink(hit.place)}</p>
    </div>
  </details>`;
}

function list(misses: readonly PanelSearchMiss[]): TemplateResult {
  return html`<ul class="plain rows misses">
    ${misses.map(
      ({ name, place, why }) => html`<li class="row miss">
        <button class="link" @click=${() => act({ kind: 'place', place })}><code>${name}</code></button
        ><span class="what">${rich(why)}</span>
      </li>`,
    )}
  </ul>`;
}
