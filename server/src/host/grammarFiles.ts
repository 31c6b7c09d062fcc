import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Importer } from '../core/grammar/load/definitions';
import { decodeText, MAX_FILE_BYTES } from './files';

/** The id of the grammars that come with Lark starts with this; they import nothing from the disk. */
const LIBRARY = 'lark:';

/**
 * Gives the texts of the grammars that a grammar in `folder` imports with a dot in front. Ids are absolute paths. The
 * names of an import hold no `..`, so everything lies below the folder of the importing file. Files that cannot be read
 * count as missing.
 */
export function grammarImporter(folder: string): Importer {
  return ({ path: asked, relative, from }) => {
    if (!relative || from?.startsWith(LIBRARY) === true) return undefined;
    const file = path.resolve(from === undefined ? folder : path.dirname(from), asked);
    const text = readGrammarText(file);
    return text === undefined ? undefined : { file, text };
  };
}

/** The text of a grammar file; `undefined` when it cannot be read. */
export function readGrammarText(file: string): string | undefined {
  try {
    const facts = statSync(file);
    if (!facts.isFile() || facts.size > MAX_FILE_BYTES) return undefined;
    const read = decodeText(readFileSync(file));
    return 'text' in read ? read.text : undefined;
  } catch {
    return undefined;
  }
}
