// Collects the licences of the packages whose code is in a bundle.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';

/**
 * The folders, relative to the project, of the packages that the given esbuild inputs belong to, sorted. A package
 * nested in another one's node_modules is a package of its own.
 * @param {string[]} inputs Paths as esbuild's metafile names them.
 * @returns {string[]}
 */
export function packageFolders(inputs) {
  const folders = inputs.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/**
 * Name, version, licence id and full licence text of an installed package.
 * @param {string} folder
 * @returns {{ name: string, version: string, license: string, text: string }}
 */
export function packageLicense(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each));
  // For packages that come without one, its text is kept here.
  const kept = new URL(`licenses/${name.replace('/', '-')}.txt`, import.meta.url);
  const source = file ? `${folder}/${file}` : existsSync(kept) ? kept : undefined;
  const text = source === undefined ? '' : readFileSync(source, 'utf8').replaceAll('\r\n', '\n').trim();
  return { name, version, license: typeof license === 'string' ? license : (license?.type ?? ''), text };
}

/**
 * The licences of data from elsewhere among the project's own sources: `name.ts` has that of its data beside it, as
 * `name.license.txt`.
 * @param {string[]} inputs Paths as esbuild's metafile names them.
 * @returns {string[]}
 */
export function dataLicenses(inputs) {
  const files = inputs
    .filter((path) => !path.includes('node_modules/'))
    .map((path) => path.replace(/\.ts$/, '.license.txt'));
  return [...new Set(files)]
    .sort()
    .filter((file) => file.endsWith('.license.txt') && existsSync(file))
    .map((file) => readFileSync(file, 'utf8').trim());
}

/**
 * Writes one text with the licence of every package in the bundles, and of data from elsewhere.
 * @param {string[]} inputs Paths as esbuild's metafile names them.
 * @param {string} target
 */
export async function writeNotices(inputs, target) {
  const packages = packageFolders(inputs)
    .filter((folder) => existsSync(`${folder}/package.json`))
    .map(packageLicense);
  const parts = packages.map(
    ({ name, version, license, text }) =>
      `${name} ${version} (${license})\n\n${text || `The package has no licence file; its manifest says ${license}.`}\n`,
  );
  const data = dataLicenses(inputs).map((text) => `${text}\n`);
  const head = 'ToolSpec contains code of the following packages. Each one stands under its own licence.\n';
  await writeFile(target, [head, ...parts, ...data].join(`\n${'-'.repeat(80)}\n\n`));
}
