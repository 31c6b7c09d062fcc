import type { Diagnostic } from 'vscode-languageserver';
import type { Files } from './files';
import type { GrammarChecks } from './grammarChecks';
import { toDiagnostic } from './toDiagnostic';
import { canonicalUri, resolveUri } from './uris';

/** What `ClosedGrammars` works with. */
export interface ClosedGrammarParts {
  readonly files: Files;
  readonly grammarChecks: GrammarChecks;
  send(uri: string, diagnostics: Diagnostic[]): void;
}

/**
 * Findings of grammar files that open files name by `$file` and that are not open themselves. Clients pull for open
 * documents alone, so these are pushed, to the file that is wrong.
 */
export class ClosedGrammars {
  /** Grammar files by the open file that names them. */
  readonly #named = new Map<string, readonly string[]>();
  /** What clients show: the stamp of the findings by grammar. */
  readonly #shown = new Map<string, string>();
  #work: Promise<void> = Promise.resolve();

  constructor(readonly parts: ClosedGrammarParts) {}

  /** An open file has been checked. */
  async update(uri: string): Promise<void> {
    const state = await this.parts.files.state(uri);
    const named = (state?.result.set.tools ?? []).flatMap(({ format }) => {
      if (format?.file === undefined || format.syntax === 'regex') return [];
      const target = resolveUri(uri, format.file);
      return target === undefined ? [] : [canonicalUri(target)];
    });
    if (named.length > 0) this.#named.set(uri, named);
    else if (!this.#named.delete(uri)) return;
    await this.settle();
  }

  /** A document has been closed. */
  close(uri: string): Promise<void> {
    this.#named.delete(uri);
    return this.settle();
  }

  /** Files, settings or the set of open documents have changed. One after the other, so that the newest is sent last. */
  settle(): Promise<void> {
    if (this.#named.size > 0 || this.#shown.size > 0) this.#work = this.#work.then(() => this.#settle());
    return this.#work;
  }

  async #settle(): Promise<void> {
    const open = new Set(this.parts.files.sources.open().map(canonicalUri));
    const wanted = new Set([...this.#named.values()].flat().filter((uri) => !open.has(uri)));
    for (const uri of [...this.#shown.keys()]) if (!wanted.has(uri)) this.#show(uri, '', []);
    for (const uri of wanted) {
      const checked = await this.parts.grammarChecks.of(uri);
      if (checked === undefined) this.#show(uri, '', []);
      else if (this.#shown.get(uri) !== checked.stamp) {
        const diagnostics = checked.findings.map((finding) => toDiagnostic(finding, checked));
        this.#show(uri, checked.stamp, diagnostics);
      }
    }
  }

  #show(uri: string, stamp: string, diagnostics: Diagnostic[]): void {
    if (diagnostics.length === 0 && !this.#shown.has(uri)) return;
    if (diagnostics.length === 0) this.#shown.delete(uri);
    else this.#shown.set(uri, stamp);
    this.parts.send(uri, diagnostics);
  }
}
