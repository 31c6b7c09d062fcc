import { type Patch, type PatchChunk, PatchFault, type PatchHunk } from './applyPatchModel';
import { type PlacedLine, trim, trimEnd, trimmedLines } from './rustLines';

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const ENVIRONMENT = '*** Environment ID:';
const ADD = '*** Add File: ';
const DELETE = '*** Delete File: ';
const UPDATE = '*** Update File: ';
const MOVE = '*** Move to: ';
const END_OF_FILE = '*** End of File';
const HEREDOC = ['<<EOF', "<<'EOF'", '<<"EOF"'];

const HEADERS = `Valid hunk headers: '${ADD}{path}', '${DELETE}{path}', '${UPDATE}{path}'`;
const ROWS = "Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)";

/**
 * Reads a patch as the hand-written parser of Codex's `apply_patch` does (0.148.0, behavior observed on texts of each
 * kind), which is not what the grammar says. Throws `PatchFault` at the first fault.
 */
export function parsePatch(text: string): Patch {
  const all = trimmedLines(text);
  const lines = withoutHeredoc(all, text.length);
  const parser = new PatchParser(lines);
  return parser.parse();
}

/** Checks the first and the last line; unwraps what a shell would have unwrapped. */
function withoutHeredoc(lines: readonly PlacedLine[], length: number): readonly PlacedLine[] {
  const fault = boundaryFault(lines, length);
  if (fault === undefined) return lines;
  if (lines.length < 4 || !HEREDOC.includes(lines[0]!.text) || !lines.at(-1)!.text.endsWith('EOF')) throw fault;
  const inner = lines.slice(1, -1);
  const innerFault = boundaryFault(inner, length);
  if (innerFault !== undefined) throw innerFault;
  return inner;
}

function boundaryFault(lines: readonly PlacedLine[], length: number): PatchFault | undefined {
  const [first] = lines;
  if (first === undefined || trim(first.text) !== BEGIN) {
    return new PatchFault(`invalid patch: The first line of the patch must be '${BEGIN}'`, first?.offset ?? length);
  }
  const last = lines.at(-1)!;
  if (trim(last.text) === END) return undefined;
  return new PatchFault(`invalid patch: The last line of the patch must be '${END}'`, last.offset);
}

class PatchParser {
  readonly #hunks: PatchHunk[] = [];
  /** Indexes of the lines with headers. */
  readonly #headers: number[] = [];

  constructor(private readonly lines: readonly PlacedLine[]) {}

  parse(): Patch {
    let at = 1;
    const environment = this.#environment(at);
    if (environment !== undefined) at++;
    const last = this.lines.length - 1;
    for (; at < last; at++) this.#line(at);
    this.#close(last);
    const offset = (index: number): number => this.lines[index]!.offset;
    return {
      environment: environment === undefined ? undefined : { name: environment, offset: offset(1) },
      hunks: this.#hunks,
      headers: this.#headers.map(offset),
      end: offset(last),
    };
  }

  #environment(at: number): string | undefined {
    const value = environmentOf(this.lines[at]!);
    if (value === undefined) return undefined;
    if (value === '') throw this.#plain('apply_patch environment_id cannot be empty', at);
    if (environmentOf(this.lines[at + 1]!) !== undefined) {
      throw this.#plain('apply_patch environment_id cannot be specified more than once', at + 1);
    }
    return value;
  }

  #line(at: number): void {
    const { text } = this.lines[at]!;
    const hunk = this.#hunks.at(-1);
    if (hunk?.kind === 'update') {
      this.#updateLine(hunk, text, at);
      return;
    }
    if (hunk?.kind === 'add' && text.startsWith('+')) {
      hunk.lines.push(text.slice(1));
      return;
    }
    const line = trim(text);
    if (!this.#startHunk(line, at)) throw this.#fault(`'${line}' is not a valid hunk header. ${HEADERS}`, at);
  }

  /** Whether the line is a header; then its hunk is the current one. */
  #startHunk(line: string, at: number): boolean {
    const hunk = hunkOf(line);
    if (hunk === undefined) return false;
    this.#close(at);
    this.#hunks.push(hunk);
    this.#headers.push(at);
    return true;
  }

  /** The hunk before line `at` is complete. */
  #close(at: number): void {
    const hunk = this.#hunks.at(-1);
    if (hunk?.kind !== 'update') return;
    const chunk = hunk.chunks.at(-1);
    if (chunk === undefined)
      throw this.#fault(`Update file hunk for path '${hunk.path}' is empty`, this.#headers.at(-1)!);
    if (isEmpty(chunk)) throw this.#fault('Update hunk does not contain any lines', at);
  }

  #updateLine(hunk: PatchHunk & { kind: 'update' }, text: string, at: number): void {
    // Blanks before a header make it a line of context.
    const line = trimEnd(text);
    if (this.#startHunk(line, at)) return;
    const { chunks } = hunk;
    const chunk = chunks.at(-1);
    if (chunk === undefined && hunk.moveTo === undefined && line.startsWith(MOVE)) {
      hunk.moveTo = line.slice(MOVE.length);
      return;
    }
    if (line === '@@' || line.startsWith('@@ ')) {
      if (chunk !== undefined && isEmpty(chunk)) throw this.#unexpected(text, at);
      chunks.push({ context: line === '@@' ? undefined : line.slice(3), old: [], new: [], endOfFile: false });
      return;
    }
    if (line === END_OF_FILE && chunk?.endOfFile !== true) {
      if (chunk !== undefined && isEmpty(chunk)) throw this.#fault('Update hunk does not contain any lines', at);
      // Before any chunk it says nothing.
      if (chunk !== undefined) chunk.endOfFile = true;
      return;
    }
    const sign = text[0];
    const row = sign === undefined || sign === ' ' || sign === '+' || sign === '-';
    if (chunk !== undefined && (chunk.endOfFile ? sign !== undefined : !row && !isEmpty(chunk))) {
      throw this.#fault(`Expected update hunk to start with a @@ context marker, got: '${text}'`, at);
    }
    if (!row) throw this.#unexpected(text, at);
    const target = chunk ?? { context: undefined, old: [], new: [], endOfFile: false };
    if (chunk === undefined) chunks.push(target);
    if (sign !== '+') target.old.push(text.slice(1));
    if (sign !== '-') target.new.push(text.slice(1));
  }

  #unexpected(text: string, at: number): PatchFault {
    return this.#fault(`Unexpected line found in update hunk: '${text}'. ${ROWS}`, at);
  }

  #fault(message: string, at: number): PatchFault {
    return this.#plain(`invalid hunk at line ${at + 1}, ${message}`, at);
  }

  #plain(message: string, at: number): PatchFault {
    return new PatchFault(message, this.lines[at]!.offset);
  }
}

function environmentOf({ text }: PlacedLine): string | undefined {
  const line = trim(text);
  return line.startsWith(ENVIRONMENT) ? trim(line.slice(ENVIRONMENT.length)) : undefined;
}

function hunkOf(line: string): PatchHunk | undefined {
  const path = (header: string): string | undefined =>
    line.startsWith(header) ? line.slice(header.length) : undefined;
  const added = path(ADD);
  if (added !== undefined) return { kind: 'add', path: added, lines: [] };
  const deleted = path(DELETE);
  if (deleted !== undefined) return { kind: 'delete', path: deleted };
  const updated = path(UPDATE);
  return updated === undefined ? undefined : { kind: 'update', path: updated, moveTo: undefined, chunks: [] };
}

function isEmpty(chunk: PatchChunk): boolean {
  return chunk.old.length === 0 && chunk.new.length === 0;
}
