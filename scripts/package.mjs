// Packs what is built into a .vsix: `node scripts/package.mjs [file]`, by default dist/toolspec.vsix.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce');
const options = [
  '--no-dependencies', // The bundles hold them.
  '--allow-missing-repository',
  '--no-rewrite-relative-links', // Without a repository there is nothing to rewrite them to.
];
const { status } = spawnSync(
  process.execPath,
  [vsce, 'package', ...options, '--out', process.argv[2] ?? 'dist/toolspec.vsix'],
  { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: ['ignore', 'inherit', 'inherit'] },
);
process.exitCode = status ?? 1;
