import { type CompileOptions, compileSchema } from '../core/schema/compile';
import type { JsonNode } from '../core/text/json';
import type { CompiledSchema } from '../core/wire/options';
import type { FileState } from './files';

/** So many texts are remembered, in characters: some 10,000 tools. */
const MOST_CHARACTERS = 24_000_000;

/**
 * Compiled schemas by their source text. An edit makes all nodes of a file anew, but it changes one schema: what comes
 * of the others is known. Only texts are kept, so that no former document stays in memory.
 */
export class CompileMemory {
  readonly #known = new Map<string, CompiledSchema>();
  #characters = 0;

  compile(state: FileState, node: JsonNode, options: CompileOptions): CompiledSchema {
    const source = sourceOf(state, node);
    if (source === undefined) return compileSchema(node, options);
    const { profile, ...rest } = options;
    const key = `${JSON.stringify([profile?.id, profile?.budgetBytes, rest])}\n${source}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { text, refusal } = compileSchema(node, options);
    // A refusal names a place, which an edit elsewhere moves.
    if (refusal !== undefined) return { text, refusal };
    const made: CompiledSchema = { text, refusal: undefined };
    this.#characters += key.length + text.length;
    if (this.#characters > MOST_CHARACTERS) {
      this.#known.clear();
      this.#characters = key.length + text.length;
    }
    this.#known.set(key, made);
    return made;
  }
}

/** How a node is written; `undefined` for one that stands in no file. */
function sourceOf({ input, result }: FileState, node: JsonNode): string | undefined {
  let root = node;
  while (root.parent !== undefined) root = root.parent;
  return root === result.document.root ? input.text.slice(node.offset, node.end) : undefined;
}
