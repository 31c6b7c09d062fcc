// Draws media/icon.png from media/source/icon.svg with a headless Chromium. Run after a change of the drawing.
import { readFileSync } from 'node:fs';
import { launchChromium } from '../test/editor/vscode/serve.mjs';

const SIZE = 256;
const svg = readFileSync('media/source/icon.svg', 'utf8');
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
await page.screenshot({ path: 'media/icon.png', omitBackground: true });
await browser.close();
