/** The part of snowball-stemmers 0.6.0 that is used; the package has no types of its own. */
declare module 'snowball-stemmers' {
  export function newStemmer(language: 'english'): { stem(word: string): string };
}
