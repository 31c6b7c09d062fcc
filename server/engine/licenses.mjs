// Prints the licence texts of everything that is linked into the built file: crates by Cargo.lock, and the parts of
// Rust's standard library. `node licenses.mjs FOLDER`, where FOLDER holds the source of the standard library.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const TARGET = 'wasm32-unknown-unknown';
const OWN = new Set(['provider-engine', 'instant']);

/** Where a crate gives the choice, the first of these files is taken. */
const CHOICE = ['LICENSE-MIT', 'LICENSE', 'LICENSE.txt', 'LICENSE-ZLIB', 'COPYING'];

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** The crates that are linked in, with their folders. */
function crates() {
  const args = ['metadata', '--format-version', '1', '--locked', '--filter-platform', TARGET];
  const options = { cwd: new URL('crate', import.meta.url), encoding: /** @type {const} */ ('utf8'), maxBuffer: 1e8 };
  const { packages, resolve } = JSON.parse(
    execFileSync(process.env['CARGO'] ?? 'cargo', args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const byId = new Map(packages.map((/** @type {any} */ each) => [each.id, each]));
  const nodes = new Map(resolve.nodes.map((/** @type {any} */ each) => [each.id, each]));
  const found = new Map();
  const pending = [resolve.root];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (found.has(id)) continue;
    const crate = byId.get(id);
    // Procedural macros run in the compiler; nothing of them is linked in.
    if (crate.targets.some((/** @type {any} */ target) => target.kind.includes('proc-macro'))) continue;
    found.set(id, crate);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) {
      if (kinds.some((/** @type {any} */ each) => each.kind === null)) pending.push(pkg);
    }
  }
  return [...found.values()].filter(({ name }) => !OWN.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @param {string} file */
const text = (file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim();

/** @param {string} folder */
function licenceOf(folder) {
  const file = CHOICE.map((name) => path.join(folder, name)).find((each) => existsSync(each));
  if (file === undefined) throw new Error(`${folder} has no licence text`);
  const tables = path.join(folder, 'src/unicode_tables/LICENSE-UNICODE');
  return existsSync(tables) ? `${text(file)}\n\nIts Unicode tables:\n\n${text(tables)}` : text(file);
}

/**
 * A crate that the standard library has in its vendor folder; its licence file is not there, so the text is that of MIT.
 * @param {string} library
 * @param {string} name
 */
function vendored(library, name) {
  const vendor = path.join(library, 'library/vendor');
  const folder = readdirSync(vendor).find((each) => each.replace(/-\d[^-]*$/, '') === name);
  if (folder === undefined) throw new Error(`the standard library has no ${name}`);
  const manifest = text(path.join(vendor, folder, 'Cargo.toml'));
  const field = (/** @type {string} */ key) => new RegExp(`^${key} = "?([^"\\n]*)"?$`, 'm').exec(manifest)?.[1];
  const author = /^authors = \["([^"<]*?) *</m.exec(manifest)?.[1];
  return [`${name} ${field('version')} (${field('license')})`, `Copyright (c) ${author}\n\n${MIT}`];
}

const library = process.argv[2];
if (library === undefined) throw new Error('Name the folder with the source of the standard library.');
const release = execFileSync(process.env['RUSTC'] ?? 'rustc', ['--version'], { encoding: 'utf8' }).split(' ')[1];
const std = [
  [`Rust's standard library ${release} (MIT OR Apache-2.0)`, `Copyright (c) The Rust Project Contributors\n\n${MIT}`],
  [
    `compiler_builtins of Rust ${release} (MIT AND Apache-2.0 WITH LLVM-exception AND (MIT OR Apache-2.0))`,
    `Copyright (c) Jorge Aparicio and the Rust Project Contributors. Parts are derived from LLVM's compiler-rt, whose\n` +
      `LLVM exception lets portions in object form go without its notices; parts from musl's mathematical functions,\n` +
      `Copyright (c) 2005-2020 Rich Felker, et al.\n\n${MIT}`,
  ],
  ...['cfg-if', 'dlmalloc', 'hashbrown', 'rustc-demangle'].map((name) => vendored(library, name)),
];
const parts = [
  ...crates().map(({ name, version, license, manifest_path: manifest }) => [
    `${name} ${version} (${license})`,
    licenceOf(path.dirname(manifest)),
  ]),
  ...std,
];
const head = 'llguidance.wasm contains code of the following Rust crates. Each one stands under its own licence.\n';
process.stdout.write(
  [head, ...parts.map(([title, licence]) => `${title}\n\n${licence}\n`)].join(`\n${'-'.repeat(80)}\n\n`),
);
