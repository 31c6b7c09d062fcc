/** Languages that the product speaks beside English, as VS Code names them. */
export const LANGUAGES: readonly string[];

/** Every text for people with the files that it stands in, and calls (`file:line`) whose text is no literal. */
export function collectTexts(): { texts: Map<string, string[]>; computed: string[] };

/** What a translation has to hold as its text does: `{0}`, and code between backticks; sorted. */
export function marksOf(text: string): string[];

/** What is wrong with a translation, in words; `undefined` when nothing is. */
export function problemOf(text: string, translation: string | undefined): string | undefined;

/** A file of texts, or an empty one where there is none. */
export function readTexts(file: string): Record<string, string>;

/** Names of the files of a language: texts of the sources, texts of the manifest. */
export function filesOf(language: string): { bundle: string; manifest: string };

/** A bundle in a made-up language, in which a text that was not translated is seen at once. */
export function pseudoBundle(texts: Iterable<string>): Record<string, string>;
