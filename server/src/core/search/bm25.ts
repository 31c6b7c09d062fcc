import type { SearchProfile } from '../profiles/search';

/** What one word of a query gives to the score of one document. */
export interface ScorePart {
  readonly token: string;
  /** How often the query has it. */
  readonly repeats: number;
  /** Documents that have it. */
  readonly documents: number;
  /** How often this document has it. */
  readonly frequency: number;
  /** `ln(1 + (N − n + 0.5) / (n + 0.5))` with N documents, of which n have the word. */
  readonly idf: number;
  /** `f (k1 + 1) / (f + k1 (1 − b + b · length / average))` with f times in this document. */
  readonly weight: number;
  /** `idf · weight`, as often as the query has the word. */
  readonly score: number;
}

/** A document that has a word of the query. */
export interface Ranked {
  /** Its place in the list. */
  readonly index: number;
  readonly score: number;
  /** By the first place in the query. */
  readonly parts: readonly ScorePart[];
}

const f32 = Math.fround;

/**
 * An index of documents, each a list of tokens, that ranks them by BM25 as the Rust package `bm25` 2.3.2 does, in 32-bit
 * floating point. That package tells tokens apart by a hash of 32 bits; two that share one are not modelled.
 */
export class Bm25 {
  /** Mean number of tokens. */
  readonly average: number;
  readonly #documents = new Map<string, number>();
  readonly #counts: ReadonlyMap<string, number>[] = [];
  readonly #lengths: number[] = [];

  constructor(
    documents: readonly (readonly string[])[],
    readonly profile: Pick<SearchProfile, 'k1' | 'b'>,
  ) {
    let total = 0;
    for (const tokens of documents) {
      const counts = new Map<string, number>();
      for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
      for (const token of counts.keys()) this.#documents.set(token, this.documentsWith(token) + 1);
      this.#counts.push(counts);
      this.#lengths.push(tokens.length);
      total += tokens.length;
    }
    this.average = documents.length === 0 ? 0 : f32(total / documents.length);
  }

  /** How many documents have the token. */
  documentsWith(token: string): number {
    return this.#documents.get(token) ?? 0;
  }

  /** Tokens of a document. */
  length(index: number): number {
    return this.#lengths[index]!;
  }

  /** Every document with a token of the query, the best first; equal scores in the order of the documents. */
  rank(query: readonly string[]): Ranked[] {
    const ranked: Ranked[] = [];
    for (const [index, counts] of this.#counts.entries()) {
      const parts = new Map<string, ScorePart>();
      let score = 0;
      for (const token of query) {
        const frequency = counts.get(token);
        if (frequency === undefined) continue;
        const known = parts.get(token);
        const idf = known?.idf ?? this.idf(token);
        const weight = known?.weight ?? this.weight(frequency, this.length(index));
        const one = f32(idf * weight);
        score = f32(score + one);
        const documents = this.documentsWith(token);
        const repeats = (known?.repeats ?? 0) + 1;
        parts.set(token, { token, repeats, documents, frequency, idf, weight, score: f32((known?.score ?? 0) + one) });
      }
      if (parts.size > 0) ranked.push({ index, score, parts: [...parts.values()] });
    }
    return ranked.sort((a, b) => b.score - a.score || a.index - b.index);
  }

  /** How rare a token is. */
  idf(token: string): number {
    const having = this.documentsWith(token);
    const numerator = f32(f32(this.#counts.length - having) + 0.5);
    return f32(Math.log(f32(1 + f32(numerator / f32(having + 0.5)))));
  }

  /** What a token's frequency counts in a document of this length. */
  weight(frequency: number, length: number): number {
    const k1 = f32(this.profile.k1);
    const b = f32(this.profile.b);
    const relative = f32(f32(length) / this.average);
    const scaled = f32(k1 * f32(f32(1 - b) + f32(b * relative)));
    return f32(f32(frequency * f32(k1 + 1)) / f32(frequency + scaled));
  }
}
