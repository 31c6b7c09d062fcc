import type { CallReport } from '../core/calls/report';
import { canonicalUri } from './uris';

/** What the last run of a stored call came to. */
interface Known {
  /** The call as it stood in the file. */
  readonly text: string;
  readonly report: CallReport;
}

/** Results of the last runs of stored calls, whoever asked for them. A call that has changed has none. */
export class LastRuns {
  readonly #files = new Map<string, Map<number, Known>>();
  readonly #running = new Map<string, number>();

  /** A call of a file begins. */
  begin(uri: string, index: number): void {
    const key = keyOf(uri, index);
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
  }

  /** A call of a file has ended. `text` is that of the file. */
  end(uri: string, report: CallReport, text: string): void {
    const { node, index } = report.call;
    const file = canonicalUri(uri);
    const known = this.#files.get(file) ?? new Map<number, Known>();
    this.#files.set(file, known);
    known.set(index, { text: text.slice(node.offset, node.end), report });
    this.leave(uri, index);
  }

  /** A call that began is not run any more, whether it has ended or not. */
  leave(uri: string, index: number): void {
    const key = keyOf(uri, index);
    const count = (this.#running.get(key) ?? 0) - 1;
    if (count > 0) this.#running.set(key, count);
    else this.#running.delete(key);
  }

  isRunning(uri: string, index: number): boolean {
    return this.#running.has(keyOf(uri, index));
  }

  /** What became of a call as it stands there now. Calls before it may have come or gone. */
  of(uri: string, index: number, text: string): CallReport | undefined {
    const known = this.#files.get(canonicalUri(uri));
    const there = known?.get(index);
    if (there === undefined || there.text === text) return there?.report;
    return [...(known?.values() ?? [])].find((each) => each.text === text)?.report;
  }

  /** All reports about tools of a definition file, of those samples files whose results hold. */
  about(uri: string, holds: (samples: string) => boolean): CallReport[] {
    const own = canonicalUri(uri);
    const found: CallReport[] = [];
    for (const [samples, file] of this.#files) {
      if (!holds(samples)) continue;
      for (const { report } of file.values()) {
        if (report.target !== undefined && canonicalUri(report.target.uri) === own) found.push(report);
      }
    }
    return found;
  }

  /** Forgets all results of a file. */
  forget(uri: string): void {
    this.#files.delete(canonicalUri(uri));
  }

  /** Forgets results of calls that a file does not hold any more. */
  keep(uri: string, texts: ReadonlySet<string>): void {
    const known = this.#files.get(canonicalUri(uri));
    for (const [index, { text }] of known ?? []) if (!texts.has(text)) known!.delete(index);
  }
}

const keyOf = (uri: string, index: number): string => `${canonicalUri(uri)}#${index}`;
