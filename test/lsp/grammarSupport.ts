import { test } from 'vitest';
import type { Position, Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { applyEdits } from '../../server/src/core/text/edits';
import { LineIndex } from '../../server/src/core/text/lines';
import { FOLDER, Session, type SessionOptions } from './harness';

/** A grammar that a session has open: as a file, or in a string of a tool definition. */
export class OpenGrammar {
  /** The grammar without its marks. */
  readonly text: string;
  /** Offsets of the cursor marks `‸` and spans of the marks `⟦…⟧`, in text order. */
  readonly cursors: readonly number[];
  readonly spans: readonly { readonly start: number; readonly end: number }[];
  /** The text of the document. */
  readonly document: string;
  readonly uri: string;
  readonly #lines: LineIndex;
  readonly #start: number;

  constructor(
    readonly session: Session,
    marked: string,
    readonly inJson: boolean,
  ) {
    const cursors: number[] = [];
    const spans: { start: number; end: number }[] = [];
    const open: number[] = [];
    let text = '';
    for (const c of marked) {
      if (c === '‸') cursors.push(text.length);
      else if (c === '⟦') open.push(text.length);
      else if (c === '⟧') spans.push({ start: open.pop()!, end: text.length });
      else text += c;
    }
    this.text = text;
    this.cursors = cursors;
    this.spans = spans.sort((a, b) => a.start - b.start);
    this.document = inJson ? jsonOf(text) : text;
    this.uri = `${FOLDER}/${inJson ? 'patch.tool.json' : 'own.lark'}`;
    this.#lines = new LineIndex(this.document);
    this.#start = inJson ? this.document.indexOf('"definition": "') + '"definition": "'.length : 0;
  }

  /** The offset in the document, found by escaping what stands in front. */
  offset(offset: number): number {
    return this.inJson ? this.#start + escaped(this.text.slice(0, offset)).length : offset;
  }

  position(offset = this.cursors[0]!): Position {
    return this.#lines.position(this.offset(offset));
  }

  range({ start, end }: { start: number; end: number }): Range {
    return { start: this.position(start), end: this.position(end) };
  }

  /** The marked ranges. */
  get ranges(): Range[] {
    return this.spans.map((span) => this.range(span));
  }

  /** What stands in a range of the document, as the grammar has it. */
  at(range: Range): string {
    const part = this.document.slice(this.#lines.offset(range.start), this.#lines.offset(range.end));
    return this.inJson ? (JSON.parse(`"${part}"`) as string) : part;
  }

  /** The grammar after edits of the document. */
  edited(edits: readonly TextEdit[]): string {
    const text = applyEdits(
      this.document,
      [...edits]
        .map(({ range, newText }) => ({
          span: { start: this.#lines.offset(range.start), end: this.#lines.offset(range.end) },
          newText,
        }))
        .sort((a, b) => a.span.start - b.span.start),
    );
    return this.inJson ? (JSON.parse(text) as { format: { definition: string } }).format.definition : text;
  }

  /** The grammar after a workspace edit. */
  changed(edit: WorkspaceEdit): string {
    const changes = (edit.documentChanges ?? []).flatMap((change) =>
      'edits' in change && change.textDocument.uri === this.uri ? (change.edits as TextEdit[]) : [],
    );
    return this.edited(changes);
  }

  /** Asks for something about the document, at the cursor where the request wants a place. */
  ask<T>(method: string, more: object = {}): Promise<T> {
    const textDocument = { uri: this.uri };
    const at = this.cursors.length > 0 ? { position: this.position() } : {};
    return this.session.request<T>(method, { textDocument, ...at, ...more });
  }
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A custom tool with the grammar in a string. */
export function jsonOf(text: string): string {
  const tool = { type: 'custom', name: 'patch', description: 'Changes files.' };
  return `${JSON.stringify({ ...tool, format: { type: 'grammar', syntax: 'lark', definition: text } }, null, 2)}\n`;
}

/** Runs a test twice: on the grammar in a file of its own, and on the same text in an escaped JSON string. */
export function inBoth(
  title: string,
  marked: string,
  run: (grammar: OpenGrammar) => Promise<void>,
  options: SessionOptions = {},
): void {
  for (const inJson of [false, true]) {
    test(`${title}, ${inJson ? 'inside JSON' : 'in a file'}`, async () => {
      const session = await Session.start(options);
      try {
        const grammar = new OpenGrammar(session, marked, inJson);
        await session.open(grammar.uri, grammar.document, inJson ? 'json' : 'lark');
        await run(grammar);
        const faults = session.logged.filter((line) => line.includes(' failed: '));
        if (faults.length > 0) throw new Error(faults.join('\n'));
      } finally {
        await session.stop();
      }
    });
  }
}
