import * as vscode from 'vscode';
import type { SampleCallInfo, SampleFileInfo } from '../../../server/src/samplesProtocol';

/** What a test item stands for. */
export type TestSubject =
  | { readonly kind: 'file'; readonly uri: string }
  | { readonly kind: 'tool'; readonly uri: string; readonly tool: string }
  | { readonly kind: 'call'; readonly uri: string; readonly index: number };

/** Samples files, their tools and their calls as items of the Test Explorer. */
export class TestTree {
  readonly #subjects = new WeakMap<vscode.TestItem, TestSubject>();
  readonly #known = new Map<string, SampleFileInfo>();
  /** How calls ended, by the ids of their items. */
  readonly #states = new Map<string, string>();
  #dependencies: ReadonlySet<string> | undefined;

  constructor(readonly controller: vscode.TestController) {}

  /** What an item stands for. */
  subject(item: vscode.TestItem): TestSubject | undefined {
    return this.#subjects.get(item);
  }

  /** What was last known of a file. */
  info(uri: string): SampleFileInfo | undefined {
    return this.#known.get(uri);
  }

  /** Files that have been listed. */
  get files(): readonly SampleFileInfo[] {
    return [...this.#known.values()];
  }

  /** Whether calls depend on a file that is no samples file. */
  dependsOn(uri: string): boolean {
    this.#dependencies ??= new Set(this.files.flatMap(({ dependencies }) => dependencies));
    return this.#dependencies.has(uri);
  }

  /** A call has ended. Its tool and its file tell how many of theirs passed. */
  note(uri: string, index: number, state: string): void {
    this.#states.set(callId(uri, index), state);
    const file = this.controller.items.get(uri);
    if (file !== undefined) this.#describe(file);
  }

  /** Replaces all files. */
  setFiles(files: readonly SampleFileInfo[]): void {
    this.#known.clear();
    this.controller.items.replace(files.map((file) => this.#fileItem(file)));
  }

  /** Adds a file, or makes its items anew. */
  setFile(file: SampleFileInfo): void {
    const present = this.controller.items.get(file.uri);
    if (present === undefined) this.controller.items.add(this.#fileItem(file));
    else this.#fill(present, file);
  }

  /** A file has gone. */
  removeFile(uri: string): void {
    this.#known.delete(uri);
    this.#dependencies = undefined;
    this.controller.items.delete(uri);
  }

  /** The item of a file, or of one of its calls. */
  item(uri: string, index?: number): vscode.TestItem | undefined {
    const file = this.controller.items.get(uri);
    if (file === undefined || index === undefined) return file;
    for (const [, tool] of file.children) {
      const call = tool.children.get(callId(uri, index));
      if (call !== undefined) return call;
    }
    return undefined;
  }

  /** The calls that an item stands for, by file. */
  callsOf(item: vscode.TestItem): { readonly uri: string; readonly indexes: readonly number[] } | undefined {
    const subject = this.subject(item);
    if (subject === undefined) return undefined;
    if (subject.kind === 'call') return { uri: subject.uri, indexes: [subject.index] };
    const calls = this.info(subject.uri)?.calls ?? [];
    const chosen = subject.kind === 'file' ? calls : calls.filter(({ tool }) => tool === subject.tool);
    return { uri: subject.uri, indexes: chosen.map(({ index }) => index) };
  }

  #fileItem(file: SampleFileInfo): vscode.TestItem {
    const uri = vscode.Uri.parse(file.uri, true);
    const item = this.controller.createTestItem(file.uri, vscode.workspace.asRelativePath(uri, false), uri);
    this.#subjects.set(item, { kind: 'file', uri: file.uri });
    this.#fill(item, file);
    return item;
  }

  #fill(item: vscode.TestItem, file: SampleFileInfo): void {
    for (const call of this.#known.get(file.uri)?.calls ?? []) this.#states.delete(callId(file.uri, call.index));
    this.#known.set(file.uri, file);
    this.#dependencies = undefined;
    item.error = file.failure ?? undefined;
    const byTool = new Map<string, SampleCallInfo[]>();
    for (const call of file.calls) {
      const calls = byTool.get(call.tool);
      if (calls === undefined) byTool.set(call.tool, [call]);
      else calls.push(call);
    }
    item.children.replace(
      [...byTool].map(([tool, calls], place) => {
        const made = this.#toolItem(item, file.uri, tool, calls);
        made.sortText = String(place).padStart(6, '0');
        return made;
      }),
    );
    this.#describe(item);
  }

  /** `2/3` beside a file and each tool, once calls of theirs have been run. */
  #describe(file: vscode.TestItem): void {
    let [passed, ended, total] = [0, 0, 0];
    for (const [, tool] of file.children) {
      const states = [...tool.children].map(([id]) => this.#states.get(id));
      const own = states.filter((state) => state === 'passed').length;
      const known = states.filter((state) => state !== undefined).length;
      tool.description = known === 0 ? '' : `${own}/${states.length}`;
      passed += own;
      ended += known;
      total += states.length;
    }
    file.description = ended === 0 ? '' : `${passed}/${total}`;
  }

  #toolItem(file: vscode.TestItem, uri: string, tool: string, calls: readonly SampleCallInfo[]): vscode.TestItem {
    const id = `${uri}#${tool}`;
    const item =
      file.children.get(id) ??
      this.controller.createTestItem(id, tool === '' ? vscode.l10n.t('(no tool)') : tool, file.uri);
    this.#subjects.set(item, { kind: 'tool', uri, tool });
    item.children.replace(
      calls.map(({ index, name, range }) => {
        const known = callId(uri, index);
        const call = item.children.get(known) ?? this.controller.createTestItem(known, name, file.uri);
        call.label = name;
        call.sortText = String(index).padStart(6, '0');
        call.range = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
        this.#subjects.set(call, { kind: 'call', uri, index });
        return call;
      }),
    );
    return item;
  }
}

function callId(uri: string, index: number): string {
  return `${uri}#/calls/${index}`;
}
