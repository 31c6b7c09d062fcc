import { describe, expect, test } from 'vitest';
import { dataLicenses, packageFolders, packageLicense } from '../../../scripts/notices.mjs';
import { BUNDLES, metafile, read, readJson } from './sources';

/** Licences whose code may be part of a work under the MIT licence, given their texts go with it. */
const COMPATIBLE = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Apache-2.0',
]);

const bundled = packageFolders(BUNDLES.flatMap((name) => Object.keys(metafile(name).inputs))).map(packageLicense);

describe('licenses of bundled packages', () => {
  test('the bundles have packages in them', () => {
    expect(bundled.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['jsonc-parser', 'vscode-jsonrpc', 'vscode-languageclient', 'vscode-languageserver']),
    );
  });

  test('every license goes with ours', () => {
    expect(bundled.filter(({ license }) => !COMPATIBLE.has(license))).toEqual([]);
  });

  test("Lark's grammars have their licence beside them", () => {
    const [text] = dataLicenses(['server/src/core/grammar/libraries.ts', 'server/src/core/grammar/lex.ts']);
    expect(text).toMatch(/Lark 1\.3\.1\.\n\nCopyright © 2017 Erez Shinan\n/);
  });

  test('every license text is in the notices', () => {
    const notices = read('dist/THIRD_PARTY_NOTICES.txt');
    const missing = bundled.filter(
      ({ name, version, license, text }) =>
        !notices.includes(`${name} ${version} (${license})`) || text === '' || !notices.includes(text),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test('versions are exact, and every bundled package that we name is a development dependency', () => {
    const manifest = readJson<Record<string, Record<string, string>>>('package.json');
    // Bundles hold their packages, so nobody who installs ToolSpec installs them again.
    expect(manifest['dependencies']).toBeUndefined();
    const loose = Object.entries(manifest['devDependencies'] ?? {}).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    );
    expect(loose).toEqual([]);
  });
});
