/** Numbers from 0 to below 1, the same for the same seed. */
export declare function randomOf(seed: number): () => number;

/** Makes grammars by chance; `recorded` are grammars that changes start from. */
export declare function grammarMaker(
  random: () => number,
  recorded: readonly string[],
): Readonly<Record<'any' | 'made' | 'grown' | 'glued' | 'mutated', () => string>>;
