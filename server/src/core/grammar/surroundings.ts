import type { Importer, ImportRequest } from './load/definitions';

/** Whether a path leads to a grammar; where not, which grammars lie around, as such paths. */
export type GrammarFileFact = { readonly there: true } | { readonly there: false; readonly others: readonly string[] };

/** Grammar files around a file of tools, as far as the host has read them. */
export interface GrammarSurroundings {
  /** Gives what grammars in the file's strings import. */
  readonly importer: Importer;
  /** What is at the path of a `$file` reference, relative to the file; `undefined` where that is not known. */
  grammarFile(path: string): GrammarFileFact | undefined;
}

/** A question to an importer, and the text that came. */
interface Answer {
  readonly request: ImportRequest;
  readonly file: string | undefined;
  readonly text: string | undefined;
}

/** Remembers what an importer was asked, so that what came of it can be told to hold still. */
export class RecordedImports {
  readonly answers: Answer[] = [];
  readonly importer: Importer;

  constructor(inner: Importer | undefined) {
    this.importer = (request) => {
      const found = inner?.(request);
      this.answers.push({ request, file: found?.file, text: found?.text });
      return found;
    };
  }
}

/** Whether an importer would give the same again. */
export function stillGives(importer: Importer | undefined, answers: readonly Answer[]): boolean {
  return answers.every(({ request, file, text }) => {
    const found = importer?.(request);
    return found?.file === file && found?.text === text;
  });
}
