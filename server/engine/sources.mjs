// Prints one hash over everything of this folder that the built file depends on, so that a test can tell whether the
// committed file was built from the committed sources without a compiler.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const FILES = [
  'build.sh',
  'crate/Cargo.lock',
  'crate/Cargo.toml',
  'crate/instant-stub/Cargo.toml',
  'crate/instant-stub/src/lib.rs',
  'crate/src/lib.rs',
];

/** The hash of the sources, in hexadecimal digits. */
export function sourcesHash() {
  const hash = createHash('sha256');
  for (const file of FILES) {
    const bytes = readFileSync(new URL(file, import.meta.url));
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(sourcesHash());
