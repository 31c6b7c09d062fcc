import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const AXE = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SAMPLES = new URL('../../../samples/', import.meta.url);

/** The page of the panel, inside of the frames that the workbench puts around it. */
export async function panelOf(workbench) {
  const outer = workbench.page.frameLocator('iframe.webview.ready');
  const inner = outer.frameLocator('iframe#active-frame');
  await inner.locator('#panel').waitFor();
  return inner;
}

/** Copies sample files into the workspace. */
export function copySamples(workbench, ...names) {
  for (const name of names) fs.copyFileSync(new URL(name, SAMPLES), path.join(workbench.root, name));
}

export function write(workbench, name, text) {
  fs.writeFileSync(path.join(workbench.root, name), text);
}

/** Opens a file with the panel beside it, on a page. */
export async function openPanel(workbench, file, page) {
  await workbench.command('View: Focus First Editor Group');
  await workbench.openFile(file);
  await workbench.command('ToolSpec: Open Panel');
  const panel = await panelOf(workbench);
  await panel.locator('header .tool-pick').waitFor();
  await choosePage(panel, page);
  return panel;
}

/** Chooses a page by its tab. */
export async function choosePage(panel, page) {
  await panel.getByRole('tab', { name: new RegExp(`^${page}`) }).click();
  await panel.getByRole('tab', { name: new RegExp(`^${page}`), selected: true }).waitFor();
  await settled(panel);
}

/** Waits until what is shown is the newest. */
export async function settled(panel) {
  await panel.locator('vscode-tab-panel main:not(.stale)').waitFor();
}

/** The sentence that a page begins with. */
export function title(panel) {
  return panel.locator('vscode-tab-panel main .answer .title, vscode-tab-panel main .empty .title').first();
}

/** The frame that holds the page. */
async function frameOf(workbench) {
  const panel = await panelOf(workbench);
  const element = await panel.locator('#panel').elementHandle();
  return element.ownerFrame();
}

/** Fails on faults that axe-core calls serious or worse. The page allows no foreign script, so it is evaluated. */
export async function checkAccessibility(workbench, what) {
  const frame = await frameOf(workbench);
  await frame.evaluate(AXE);
  const violations = await frame.evaluate(async () => {
    const { violations: found } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} — ${failureSummary}`).join('\n')}`,
      );
  });
  assert.deepEqual(violations, [], what);
}

/** Where the keyboard is in the page, in words: role or element, and name. */
export async function focused(workbench) {
  const frame = await frameOf(workbench);
  return frame.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    if (element === null) return '';
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim().replace(/\s+/g, ' ') ?? '';
    return `${element.getAttribute('role') ?? element.localName}: ${name.slice(0, 80)}`;
  });
}

/**
 * Presses Tab from stop to stop, until the keyboard is at what a pattern names. Fails where a stop is not seen to have
 * the focus, and where the way goes back: up and to the left.
 */
export async function walk(workbench, last, most = 60) {
  const stops = [];
  for (let i = 0; i < most; i++) {
    const stop = { name: await focused(workbench), ...(await look(workbench)) };
    const before = stops.at(-1);
    assert.ok(stop.shown, `The focus is not seen at ${stop.name}`);
    if (before !== undefined) {
      const back = stop.bottom <= before.top && stop.left < before.right;
      assert.ok(!back, `The way goes back from ${before.name} to ${stop.name}`);
    }
    stops.push(stop);
    if (last.test(stop.name)) return stops.map(({ name }) => name);
    await workbench.page.keyboard.press('Tab');
  }
  return assert.fail(`The keyboard does not reach ${last}. It was at:\n${stops.map(({ name }) => name).join('\n')}`);
}

/** Where the keyboard is on the page, and whether that is to be seen: by a line around it or around what shows it. */
async function look(workbench) {
  const frame = await frameOf(workbench);
  return frame.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    // A radio button is shown by the label beside it, a text by the box around it, a link of a diagram by its box.
    const shows = [
      element,
      element.nextElementSibling,
      element.closest('.text-edit'),
      element.querySelector('rect'),
      element.getRootNode().host,
    ];
    const line = (each) => {
      const style = getComputedStyle(each);
      const focus = getComputedStyle(document.documentElement).getPropertyValue('--vscode-focusBorder').trim();
      const probe = document.createElement('span');
      probe.style.color = focus;
      document.body.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return (
        (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0) ||
        style.borderTopColor === color ||
        style.borderBottomColor === color ||
        style.stroke === color
      );
    };
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return { top, bottom, left, right, shown: shows.some((each) => each instanceof Element && line(each)) };
  });
}

/** Presses Tab until the keyboard is at what a pattern names. */
export async function tabTo(workbench, pattern, most = 40) {
  const seen = [];
  for (let i = 0; i < most; i++) {
    const at = await focused(workbench);
    if (pattern.test(at)) return;
    seen.push(at);
    await workbench.page.keyboard.press('Tab');
  }
  assert.fail(`The keyboard does not reach ${pattern}. It was at:\n${seen.join('\n')}`);
}
