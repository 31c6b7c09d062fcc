/** Diagnostics of a text that is being typed are sent so many milliseconds after the last change. */
const DELAY = 150;

/** What pushing needs of the rest of the server. */
export interface PushParts {
  /** Whether the client takes diagnostics that it has not asked for, and does not ask. */
  wanted(): boolean;
  /** Uris of the open documents. */
  open(): readonly string[];
  after(milliseconds: number, call: () => void): () => void;
  /** Judges an open document and sends what was found. */
  publish(uri: string): void;
}

/**
 * Diagnostics for clients that do not ask for them, as older editors are. Others pull them, which is better: they know
 * which files are seen.
 */
export class PushedDiagnostics {
  readonly #pending = new Map<string, () => void>();

  constructor(readonly parts: PushParts) {}

  /** A document has been opened or changed. */
  changed(uri: string): void {
    if (!this.parts.wanted()) return;
    this.#pending.get(uri)?.();
    this.#pending.set(
      uri,
      this.parts.after(DELAY, () => {
        this.#pending.delete(uri);
        this.parts.publish(uri);
      }),
    );
  }

  /** Something that findings depend on has changed: all open documents are judged anew. */
  changedAround(): void {
    if (this.parts.wanted()) for (const uri of this.parts.open()) this.changed(uri);
  }

  /** A document has been closed, so nothing is said of it any more. */
  closed(uri: string): void {
    this.#pending.get(uri)?.();
    this.#pending.delete(uri);
    if (this.parts.wanted()) this.parts.publish(uri);
  }
}
