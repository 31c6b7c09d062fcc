import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Importer } from '../core/grammar/load/definitions';
import type { GrammarSurroundings } from '../core/grammar/surroundings';
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

/** What lies around a file of tools in `folder`, for the grammars that its tools hold or name. */
export function grammarSurroundings(folder: string): GrammarSurroundings {
  return {
    importer: grammarImporter(folder),
    grammarFile(named) {
      const file = path.resolve(folder, named);
      if (isFile(file)) return { there: true };
      const folders = new Set([folder, path.dirname(file)]);
      return { there: false, others: [...folders].flatMap((each) => grammarsIn(each, folder)) };
    },
  };
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Paths of the grammars of a folder, as files in another folder name them. */
function grammarsIn(folder: string, from: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.lark'));
    return names.map((name) => path.relative(from, path.join(folder, name)).replaceAll(path.sep, '/')).sort();
  } catch {
    return [];
  }
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
