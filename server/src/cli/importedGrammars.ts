import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { GrammarDocument } from '../core/grammar/ast';
import { parseGrammar } from '../core/grammar/parse';
import { importPath } from '../core/grammar/resolve';
import { parseJson } from '../core/text/json';
import { readTools } from '../core/tools/read';
import { readRegularFile } from '../host/files';
import { readGrammarText } from '../host/grammarFiles';

/**
 * Which grammar files others import from. Those that a command is about are asked, and the grammars in the folders from
 * which a file can be reached: its own and those above, as far as the working directory.
 */
export class ImportedGrammars {
  readonly #imported = new Set<string>();
  readonly #asked = new Set<string>();
  readonly #folders = new Set<string>();
  #readAll: Promise<void> | undefined;

  /** @param files absolute paths of what the command is about: grammars and files of tools */
  constructor(
    readonly files: readonly { readonly file: string }[],
    readonly cwd: string,
  ) {}

  /** Whether another grammar imports from a file. */
  async has(file: string): Promise<boolean> {
    this.#readAll ??= this.#read(this.files.map((each) => each.file));
    await this.#readAll;
    const top = path.resolve(this.cwd);
    for (let folder = path.dirname(file); !this.#imported.has(file); folder = path.dirname(folder)) {
      if (!this.#folders.has(folder)) {
        this.#folders.add(folder);
        await this.#read(await grammarsIn(folder));
      }
      if (folder === top || !folder.startsWith(top)) break;
    }
    return this.#imported.has(file);
  }

  async #read(files: readonly string[]): Promise<void> {
    for (const file of files) {
      if (this.#asked.has(file)) continue;
      this.#asked.add(file);
      for (const document of await grammarsOf(file)) {
        for (const item of document.items) {
          if (item.kind === 'import' && item.relative)
            this.#imported.add(path.resolve(path.dirname(file), importPath(item)));
        }
      }
    }
  }
}

async function grammarsIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.lark')).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

/** The grammars of a file that may import something: its own text, or those of its tools. */
async function grammarsOf(file: string): Promise<GrammarDocument[]> {
  if (!/\.jsonc?$/.test(file)) {
    const text = readGrammarText(file);
    return text?.includes('%import') === true ? [parseGrammar(text)] : [];
  }
  const read = await readRegularFile(file);
  if (!('text' in read) || !read.text.includes('%import')) return [];
  const { tools } = readTools(parseJson(read.text), { baseName: path.basename(file) });
  return tools.flatMap(({ format }) => {
    const definition = format?.definitionNode?.string;
    return definition?.includes('%import') === true ? [parseGrammar(definition)] : [];
  });
}
