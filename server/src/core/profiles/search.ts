/** The numbers and words of one edition of tool search. */
export interface SearchProfile {
  /** Where the data comes from. */
  readonly source: string;
  /** How fast more of a word stops to count. */
  readonly k1: number;
  /** How much the length of a search text counts, 0 to 1. */
  readonly b: number;
  /** Tools that a search gives back when the model names no limit. */
  readonly limit: number;
  /** Words that are never searched, in lower case. */
  readonly stopWords: ReadonlySet<string>;
  /** The tool as the model sees it, as JSON text, without its description. */
  readonly definition: string;
}

/** Words of one apostrophe form: `n't` and `'s` make two entries each of these. */
const NEGATED =
  'ain aren couldn didn doesn don hadn hasn haven isn mightn mustn needn shan shouldn wasn weren won wouldn';

/**
 * The English stop words of NLTK in the edition of 179 words (2017 to 2024). Later editions add pronouns with
 * `'d`, `'ll`, `'m` and `'ve`.
 */
const STOP_WORDS: ReadonlySet<string> = new Set([
  ...words("i me my myself we our ours ourselves you you're you've you'll you'd your yours yourself yourselves"),
  ...words("he him his himself she she's her hers herself it it's its itself they them their theirs themselves"),
  ...words("what which who whom this that that'll these those am is are was were be been being have has had having"),
  ...words('do does did doing a an the and but if or because as until while of at by for with about against between'),
  ...words('into through during before after above below to from up down in out on off over under again further then'),
  ...words('once here there when where why how all any both each few more most other some such no nor not only own'),
  ...words("same so than too very s t can will just should should've now d ll m o re ve y ma"),
  ...words(NEGATED),
  ...words(NEGATED)
    .filter((word) => word !== 'ain')
    .map((word) => `${word}'t`),
]);

function words(text: string): string[] {
  return text.split(' ');
}

/**
 * Tool search of Codex: BM25 for English as the Rust package `bm25` 2.3.2 computes it, with its default numbers (public
 * source of Codex 0.148.0 and of the package).
 */
export const CODEX_SEARCH: SearchProfile = {
  source: 'Codex 0.148.0, public source; bm25 2.3.2',
  k1: 1.2,
  b: 0.75,
  limit: 8,
  stopWords: STOP_WORDS,
  // The limit is declared as a number, and read as a whole one.
  definition:
    '{"type":"tool_search","execution":"client","description":"","parameters":{"type":"object","properties":{"limit":{"type":"number"},"query":{"type":"string"}},"required":["query"],"additionalProperties":false}}',
};
