/**
 * The provider's own grammar engine, as the rest of the product sees it. OpenAI enforces a custom tool's grammar with
 * llguidance; the engine behind this interface is llguidance 1.9.1 over single bytes. How it runs is the host's affair:
 * nothing here knows of WebAssembly or of workers.
 */

/** What `format.syntax` of a custom tool may say (OpenAI guide Function calling, 2026). */
export type ProviderSyntax = 'lark' | 'regex';

/** The engine's own limits; what is left out has the engine's default. Hosts may set others, which are not published. */
export interface ProviderLimits {
  /** Items in a row of the parser; 2,000. */
  readonly itemsInRow?: number;
  /** Work for building the lexer; 1,000,000. */
  readonly initialLexerFuel?: number;
  /** Work of the lexer for one mask; 200,000. */
  readonly stepLexerFuel?: number;
  /** Items of the parser for one mask; 50,000. */
  readonly stepItems?: number;
  /** States of the lexer; 250,000. */
  readonly lexerStates?: number;
  /** Symbols of the grammar; 500,000. */
  readonly grammarSize?: number;
}

export interface ProviderGrammar {
  readonly syntax: ProviderSyntax;
  readonly text: string;
  readonly limits?: ProviderLimits;
}

/** What came of a call: a value, or the engine's own words about why there is none. */
export type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

/** What may come next. */
export interface NextBytes {
  /** In ascending order. */
  readonly bytes: readonly number[];
  /** The text may end here. */
  readonly end: boolean;
}

/** A compiled grammar with a place in a text. Must be freed. */
export interface ProviderMatcher {
  /** What the engine remarks about a grammar that it takes. */
  readonly warnings: readonly string[];
  /** Takes bytes until one is refused. `error` says why the engine gave up, if it did. */
  consume(bytes: Uint8Array): Attempt<{ readonly taken: number; readonly error: string | undefined }>;
  /** Whether the text may end here. */
  accepting(): Attempt<boolean>;
  /** The engine's mask, as a model gets it. With some grammars this does not come back. */
  allowedNext(): Attempt<NextBytes>;
  /** The bytes that are taken when each is tried by itself. Comes back where the mask does not. */
  triedNext(): Attempt<NextBytes>;
  /** The bytes that must follow; the engine ends what would never end after some ten thousand. */
  forced(): Attempt<Uint8Array>;
  /** Back to the beginning of the text. */
  reset(): void;
  /** A second matcher at the same place. */
  fork(): ProviderMatcher;
  free(): void;
}

export interface ProviderEngine {
  /** Compiles a grammar, or gives the whole text of the engine's refusal. */
  compile(grammar: ProviderGrammar): Attempt<ProviderMatcher>;
}

/** What is asked of the engine in one go. */
export type ProviderJob =
  | {
      readonly kind: 'load';
      readonly grammar: ProviderGrammar;
      /** Also whether the engine can go on after the first byte. */
      readonly begin?: boolean;
    }
  | {
      readonly kind: 'judge';
      readonly grammar: ProviderGrammar;
      readonly inputs: readonly string[];
      /** Also what may come next, what is forced, and which terminals that is; else the verdicts alone. */
      readonly next?: boolean;
    }
  | { readonly kind: 'walk'; readonly grammar: ProviderGrammar; readonly input: string }
  | {
      readonly kind: 'generate';
      readonly grammar: ProviderGrammar;
      readonly seed: number;
      readonly count: number;
      /** No text gets longer than this many bytes. */
      readonly mostBytes: number;
    };

/** The engine's verdict on a text. Offsets are UTF-16 units; lines and columns count from 1. */
export interface ProviderVerdict {
  readonly accepted: boolean;
  /** UTF-8 bytes that are taken before the first refusal. */
  readonly prefix: number;
  /** Where the first character begins that is not taken whole; the end of the text when all are. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  /** The text could end after the taken part. */
  readonly mayEnd: boolean;
  /** Why the engine gave up, in its own words, when it was not a refused character. */
  readonly error: string | undefined;
}

/** A terminal that could come, as Lark reads the grammar. */
export interface ProviderTerminal {
  /** Lark's name for it, made up where the grammar has none. */
  readonly name: string;
  /** The text that it stands for, if it is always the same. */
  readonly text: string | undefined;
  /** How many UTF-16 units of it are there already. */
  readonly begun: number;
}

/** Code points from one to another, both included. */
export type CharacterRange = readonly [first: number, last: number];

/** What may come next, in characters. */
export interface ProviderNext {
  readonly characters: readonly CharacterRange[];
  /** Further characters beyond ASCII may come, too many to be listed. */
  readonly more: boolean;
  /** The bytes of which the characters are made. Within a character they are what continues it. */
  readonly bytes: readonly number[];
  /** The taken part ends within a character. */
  readonly within: boolean;
  readonly end: boolean;
}

/** What a generating model meets at a place. */
export interface ProviderGeneration {
  /** The text that must follow, without the bytes of an unfinished character; at most 2,000 UTF-16 units of it. */
  readonly forced: string;
  /** Bytes that must follow, all of them. */
  readonly forcedBytes: number;
  /** Why the engine gives no mask here, in its own words: generation fails at this place. */
  readonly error: string | undefined;
}

/** One byte of a walked text. */
export interface ProviderStep {
  /** Bytes before this one. */
  readonly at: number;
  /** The byte, or `undefined` at the end of the text. */
  readonly byte: number | undefined;
  readonly taken: boolean;
  /** Bytes that are allowed here, as ranges with both ends included. */
  readonly allowed: readonly CharacterRange[];
  /** Generation could stop here. */
  readonly end: boolean;
  /** How many bytes must follow, this one included; 0 when there is a choice. */
  readonly forced: number;
  /** The text that must follow; given once, where a forced run begins. */
  readonly forcedText?: string;
  /** Why the engine gives no mask here. */
  readonly error?: string;
}

/** Jobs give their answer in parts, so that what is known stays when the rest never comes. */
export type ProviderPart =
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'loaded'; readonly warnings: readonly string[] }
  | { readonly kind: 'begun'; readonly failure: ProviderFailure | undefined }
  | { readonly kind: 'verdict'; readonly input: number; readonly verdict: ProviderVerdict }
  | { readonly kind: 'next'; readonly input: number; readonly next: Attempt<ProviderNext> }
  | { readonly kind: 'generation'; readonly input: number; readonly generation: ProviderGeneration }
  | { readonly kind: 'terminals'; readonly input: number; readonly terminals: readonly ProviderTerminal[] }
  | { readonly kind: 'steps'; readonly steps: readonly ProviderStep[] }
  | { readonly kind: 'text'; readonly text: string };

/** The engine's refusal of a grammar. Lines and columns count from 1, columns in UTF-16 units. */
export interface ProviderRefusal {
  /** Everything that the engine says. */
  readonly text: string;
  /** Its first line, with the place as the engine writes it. */
  readonly firstLine: string;
  /** The first line without the place, and what the parser of an expression says. */
  readonly message: string;
  /** The place, if the engine gives one. Its line may lie behind the end of the grammar. */
  readonly place: { readonly line: number; readonly byteColumn: number } | undefined;
  /** UTF-16 offset of that place in the grammar, within the text. */
  readonly offset: number | undefined;
}

/** The engine takes a grammar, and gives up on the first byte of a text. */
export interface ProviderFailure {
  /** What it says. */
  readonly error: string;
  /** It does so for every byte that was tried, and a text that is empty is none of the grammar. */
  readonly always: boolean;
}

/** What is known about one input. */
export interface JudgedInput {
  readonly verdict: ProviderVerdict;
  readonly next: Attempt<ProviderNext> | undefined;
  readonly generation: ProviderGeneration | undefined;
  /** The terminals that could come or go on there, by name, when that could be found out. */
  readonly terminals: readonly ProviderTerminal[] | undefined;
}

/** How a job ended. */
export type ProviderEnd =
  | { readonly state: 'done' }
  /** It took longer than it may. What is missing in the answer is what was being worked on. */
  | { readonly state: 'timed-out'; readonly milliseconds: number }
  /** The engine broke: a panic with its words, or too little memory or stack. */
  | { readonly state: 'crashed'; readonly cause: 'panic' | 'memory' | 'stack' | 'worker'; readonly detail: string }
  /** A newer question with the same key took its place. */
  | { readonly state: 'outdated' }
  /** There is no engine on this host. */
  | { readonly state: 'unavailable'; readonly detail: string };

/** The whole answer, as far as it came. */
export interface ProviderAnswer {
  readonly end: ProviderEnd;
  readonly load:
    | { readonly ok: true; readonly warnings: readonly string[] }
    | { readonly ok: false; readonly refusal: ProviderRefusal }
    | undefined;
  /** Of a job that begins a text, if there is one. */
  readonly failure?: ProviderFailure | undefined;
  /** By the index of the input; missing where the job ended before. */
  readonly inputs: readonly (JudgedInput | undefined)[];
  readonly steps: readonly ProviderStep[];
  readonly texts: readonly string[];
}

export interface ProviderAskOptions {
  /** Questions with the same key are about the same text: a newer one makes the older ones outdated. */
  readonly key?: string;
  readonly milliseconds?: number;
}

/** The engine as hosts inject it. Never rejects. */
export interface Provider {
  ask(job: ProviderJob, options?: ProviderAskOptions): Promise<ProviderAnswer>;
}
