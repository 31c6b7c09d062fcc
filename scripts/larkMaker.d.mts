/** A grammar with the set-up of a parser and texts for it, as `toolspec grammar parse --jsonl` takes them. */
export interface LarkCase {
  readonly grammar: string;
  readonly options: Readonly<Record<string, string | boolean>>;
  readonly inputs: readonly string[];
}

/** Makes cases by chance. */
export declare function larkMaker(random: () => number): () => LarkCase;
