import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourcesHash } from '../../../server/engine/sources.mjs';
import { read, root } from './sources';

const record = new Map(
  read('server/engine/llguidance.wasm.buildinfo')
    .trim()
    .split('\n')
    .map((line): [string, string] => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
);
const built = readFileSync(path.join(root, 'server/engine/llguidance.wasm'));
const licenses = read('server/engine/llguidance.licenses.txt');

describe("the provider's engine as it was built", () => {
  test('is the file of its record', () => {
    expect(createHash('sha256').update(built).digest('hex')).toBe(record.get('sha256'));
    expect(`${built.length}`).toBe(record.get('bytes'));
  });

  test('was built from the sources that are here', () => {
    expect(sourcesHash()).toBe(record.get('sources'));
  });

  test('the record names the compiler packages', () => {
    expect([...record.keys()]).toEqual(expect.arrayContaining(['cargo-web', 'rust-web-src', 'rustc-web']));
    expect([...record.keys()].some((name) => /^lld-\d+$/.test(name))).toBe(true);
  });

  test('is the version that texts speak of', () => {
    expect(record.get('llguidance')).toBe('1.9.1');
    expect(read('server/engine/crate/Cargo.lock')).toContain('name = "llguidance"\nversion = "1.9.1"');
  });

  test('has the licence of every crate that is linked in', () => {
    // Procedural macros, and what they use, run in the compiler alone.
    const compilerOnly = /^(?:heck|proc-macro2|quote|syn|unicode-ident|.+_derive|.+_macros)$/;
    const crates = [...read('server/engine/crate/Cargo.lock').matchAll(/name = "(.+)"\nversion = "(.+)"\nsource/g)]
      .filter(([, name]) => !compilerOnly.test(name!))
      .map(([, name, version]) => `${name} ${version} (`);
    expect(crates.length).toBeGreaterThan(10);
    expect(crates.filter((title) => !licenses.includes(`\n${title}`))).toEqual([]);
    expect(licenses).not.toMatch(/\bundefined\b/);
  });

  test('goes with its licences into the package', () => {
    expect(read('dist/THIRD_PARTY_NOTICES.txt')).toContain(licenses.trim());
    expect(readFileSync(path.join(root, 'dist/llguidance.wasm')).equals(built)).toBe(true);
  });
});
