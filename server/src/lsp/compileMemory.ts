import { type CompileOptions, compileSchema } from '../core/schema/compile';
import type { JsonNode } from '../core/text/json';
import type { CompiledSchema } from '../core/wire/options';
import type { FileState } from './files';
import { TextMemory } from './textMemory';

/** So many characters are remembered: some 10,000 tools. */
const MOST_CHARACTERS = 24_000_000;

/** Compiled schemas by how they are written. */
export class CompileMemory {
  readonly #known = new TextMemory<CompiledSchema>(MOST_CHARACTERS, ({ text }) => text.length);

  compile(state: FileState, node: JsonNode, options: CompileOptions): CompiledSchema {
    if (!standsIn(state, node)) return compileSchema(node, options);
    const { profile, via, trusted, extraNesting } = options;
    const how = `${profile?.id} ${profile?.budgetBytes} ${via} ${trusted} ${extraNesting}`;
    const known = this.#known.get(how, state, node);
    if (known !== undefined) return known;
    const { text, refusal } = compileSchema(node, options);
    // A refusal names a place, which an edit elsewhere moves.
    if (refusal !== undefined) return { text, refusal };
    const made: CompiledSchema = { text, refusal: undefined };
    this.#known.set(how, state, node, made);
    return made;
  }
}

/** Whether a node is one of the file's. */
function standsIn({ result }: FileState, node: JsonNode): boolean {
  let root = node;
  while (root.parent !== undefined) root = root.parent;
  return root === result.document.root;
}
