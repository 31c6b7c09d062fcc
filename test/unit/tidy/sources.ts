import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root folder, with a slash at its end. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

const SKIPPED = new Set(['node_modules', 'dist', 'out', 'coverage', '.git', '.vscode-test']);

/** Paths relative to the root, with `/`, of all files below a folder that belong to the project, sorted. */
export function filesBelow(folder: string, pattern = /./): string[] {
  const found: string[] = [];
  const pending = [folder];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    for (const entry of readdirSync(path.join(root, current), { withFileTypes: true })) {
      const relative = path.posix.join(current, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) pending.push(relative);
      else if (entry.isFile() && pattern.test(relative)) found.push(relative);
    }
  }
  return found.sort();
}

/** The text of a file of the project. */
export const read = (relative: string): string => readFileSync(path.join(root, relative), 'utf8');

/** A JSON file of the project. */
export const readJson = <T>(relative: string): T => JSON.parse(read(relative)) as T;

/** The bundles that `npm run build` makes, by name. */
export const BUNDLES = [
  'client',
  'extension',
  'languageClient',
  'server',
  'cli',
  'engineWorker',
  'browserEngineWorker',
  'web/client',
  'web/server',
  'handlerHost',
  'mcpClient',
  'tokens',
  'validator',
] as const;

interface Metafile {
  inputs: Record<string, { imports: { path: string; kind: string; external?: boolean }[] }>;
  outputs: Record<string, { bytes: number; inputs: Record<string, { bytesInOutput: number }> }>;
}

/** What esbuild recorded about a bundle. */
export const metafile = (bundle: string): Metafile => readJson<Metafile>(`out/meta/${bundle.replace('/', '.')}.json`);
