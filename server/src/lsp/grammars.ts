import type { Location, Position, Range, TextDocumentEdit, TextEdit } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { GrammarDocument } from '../core/grammar/ast';
import { libraryText } from '../core/grammar/libraries';
import type { ImportRequest } from '../core/grammar/load/definitions';
import { parseGrammar } from '../core/grammar/parse';
import { type FilePlace, importPath } from '../core/grammar/resolve';
import { type GrammarFiles, GrammarLinks } from '../core/grammar/resolveFiles';
import type { GrammarFileFact } from '../core/grammar/surroundings';
import { EmbeddedText } from '../core/text/embedded';
import type { TextEdit as CoreEdit } from '../core/text/finding';
import { parseJson } from '../core/text/json';
import { pointerOf } from '../core/text/jsonTree';
import { LineIndex } from '../core/text/lines';
import type { Span } from '../core/text/span';
import { baseNameOf } from '../core/tools/local';
import type { ToolDefinition } from '../core/tools/model';
import { readTools } from '../core/tools/read';
import { DOCUMENT_SCHEME } from '../protocol';
import type { Around, Files } from './files';
import { baseName, canonicalUri, parentUri, pathFrom, resolveUri } from './uris';

const LIBRARY = 'lark:';

/** So many files are looked through for uses of a name; workspaces hold a few. */
const MOST_FILES = 2000;

/** A file of tools. */
interface ToolText {
  readonly uri: string;
  readonly text: string;
  readonly version: number | undefined;
  readonly lines: LineIndex;
  readonly tools: readonly ToolDefinition[];
}

/** What was found around a file of tools the last time. */
interface KnownAround {
  readonly text: string;
  readonly tools: readonly ToolDefinition[];
  /** Everything that it depends on beyond the text. */
  readonly parts: readonly unknown[];
  readonly stamp: number;
}

/** Tools whose grammars import or are in files of their own. */
function toolsThatLeadAway(uri: string, text: string): readonly ToolDefinition[] {
  if (!text.includes('"$file"') && !text.includes('%import')) return [];
  const { tools } = readTools(parseJson(text), { baseName: baseNameOf(baseName(uri)) });
  return tools.filter(
    ({ format }) => format?.file !== undefined || format?.definitionNode?.string?.includes('%import') === true,
  );
}

/** One grammar: a file, a JSON string of a tool definition file, or one of Lark's own. */
export class GrammarText {
  constructor(
    /** Names the grammar among others: canonical uri of the document, with the pointer of the string inside JSON. */
    readonly id: string,
    /** The document that it stands in. */
    readonly uri: string,
    /** Of an open document. */
    readonly version: number | undefined,
    /** Of the document that it stands in. */
    readonly lines: LineIndex,
    readonly document: GrammarDocument,
    readonly embedded: EmbeddedText | undefined,
    /** The tool whose grammar it is, for one inside JSON. */
    readonly tool: ToolDefinition | undefined,
  ) {}

  /** The place in the document of a part of the grammar. */
  span(span: Span): Span {
    return this.embedded === undefined ? span : this.embedded.spanToDocument(span);
  }

  range(span: Span): Range {
    return this.lines.range(this.span(span));
  }

  /** Whether a place in the document belongs to the grammar. */
  contains(offset: number): boolean {
    return this.embedded?.contains(offset) ?? true;
  }

  /** The offset in the grammar of a place in the document. */
  offset(position: Position): number {
    const offset = this.lines.offset(position);
    return this.embedded === undefined ? offset : this.embedded.toText(offset);
  }

  /** The part of the grammar that a part of the document stands for; `undefined` outside. */
  part(range: Range): Span | undefined {
    const span = { start: this.lines.offset(range.start), end: this.lines.offset(range.end) };
    return this.embedded === undefined ? span : this.embedded.spanToText(span);
  }

  /** Edits of the document that do to the grammar what `edits` say. */
  edits(edits: readonly CoreEdit[]): TextEdit[] {
    const mapped = this.embedded === undefined ? edits : this.embedded.edits(edits);
    return mapped.map(({ span, newText }) => ({ range: this.lines.range(span), newText }));
  }

  /** A part of the document as a whole edit, with the version where it is known. */
  documentEdit(edits: readonly CoreEdit[]): TextDocumentEdit {
    return { textDocument: { uri: this.uri, version: this.version ?? null }, edits: this.edits(edits) };
  }
}

/** A place in a grammar, with the grammars that its names lead to. */
export interface GrammarPlace {
  readonly text: GrammarText;
  readonly offset: number;
  readonly world: World;
  readonly links: GrammarLinks;
}

/** Grammars of open documents and of files, each parsed once per text. */
export class Grammars {
  readonly #parsed = new Map<string, { readonly text: string; readonly document: GrammarDocument }>();
  readonly #around = new Map<string, KnownAround>();
  readonly #disk = new Map<string, Promise<string | undefined>>();
  #found: Promise<readonly string[]> | undefined;
  #foundTools: Promise<readonly string[]> | undefined;
  readonly #inClosed = new Map<string, { readonly text: string; readonly grammars: readonly GrammarText[] }>();

  /**
   * @param find gives the uris of all grammar files of the workspace
   * @param findTools gives those of all files of tools
   * @param watched whether the client tells when one of them changes
   */
  constructor(
    readonly files: Files,
    readonly find: () => Promise<readonly string[]>,
    readonly findTools: () => Promise<readonly string[]>,
    readonly watched: () => boolean,
  ) {}

  /** Files have changed, come or gone. */
  forget(): void {
    this.#found = undefined;
    this.#foundTools = undefined;
    this.#disk.clear();
  }

  /** A document has been closed. */
  close(uri: string): void {
    const name = canonicalUri(uri);
    this.#disk.delete(name);
    this.#around.delete(uri);
    for (const id of this.#parsed.keys()) if (id === name || id.startsWith(`${name}\n`)) this.#parsed.delete(id);
  }

  /** Whether an open document is a grammar as a whole. */
  isFile(uri: string): boolean {
    const document = this.files.sources.document(uri);
    return document !== undefined && (document.languageId === 'lark' || isGrammarName(uri));
  }

  /** The grammars of an open document, in text order. */
  async in(uri: string): Promise<readonly GrammarText[]> {
    const document = this.files.sources.document(uri);
    if (document === undefined) return [];
    if (this.isFile(uri)) return [this.#file(uri, document.getText(), document.version)];
    const state = await this.files.state(uri);
    if (state === undefined) return [];
    const { version, lines, input, result } = state;
    return this.#embedded({ uri: state.uri, text: input.text, version, lines, tools: result.set.tools });
  }

  /** The grammar at a place of an open document. With `everywhere` all grammars of the workspace are read along. */
  async at(uri: string, position: Position, everywhere = false): Promise<GrammarPlace | undefined> {
    for (const text of await this.in(uri)) {
      if (!text.contains(text.lines.offset(position))) continue;
      const world = await this.world([text], everywhere);
      return { text, offset: text.offset(position), world, links: new GrammarLinks(world) };
    }
    return undefined;
  }

  /** As `at` with `everywhere`, also for files that are not open and for Lark's own grammars. */
  async atAny(uri: string, position: Position): Promise<GrammarPlace | undefined> {
    const open = this.#open(uri);
    if (open !== undefined) return this.at(open.uri, position, true);
    const path = libraryPath(uri);
    const text = path === undefined ? await this.#read(uri) : libraryGrammar(LIBRARY + path);
    if (text === undefined) return undefined;
    const world = await this.world([text], true);
    return { text, offset: text.offset(position), world, links: new GrammarLinks(world) };
  }

  /** Some grammars with those that they import, or with all of the workspace. */
  async world(texts: readonly GrammarText[], everywhere = false): Promise<World> {
    if (!this.watched()) this.forget();
    const world = new World();
    for (const text of texts) world.add(text);
    if (everywhere) for (const text of await this.all()) world.add(text);
    await this.#follow(world);
    return world;
  }

  /** Grammars of the workspace that import from one. */
  async importersOf(text: GrammarText): Promise<readonly string[]> {
    return (await this.world([text], true)).importers(text.id);
  }

  /** All grammars of the workspace: in files of their own and in files of tools, open or not. */
  async all(): Promise<readonly GrammarText[]> {
    const found: GrammarText[] = [];
    const seen = new Set<string>();
    for (const uri of this.files.sources.open()) {
      seen.add(canonicalUri(uri));
      found.push(...(await this.in(uri)));
    }
    this.#found ??= this.find();
    for (const uri of (await this.#found).slice(0, MOST_FILES)) {
      const text = seen.has(canonicalUri(uri)) ? undefined : await this.#read(uri);
      if (text !== undefined) found.push(text);
    }
    this.#foundTools ??= this.findTools();
    for (const uri of (await this.#foundTools).slice(0, MOST_FILES)) {
      if (!seen.has(canonicalUri(uri))) found.push(...(await this.#closed(uri)));
    }
    return found;
  }

  /** The grammars of a file of tools that is not open. */
  async #closed(uri: string): Promise<readonly GrammarText[]> {
    const name = canonicalUri(uri);
    const text = await this.#text(uri);
    if (text === undefined || !text.includes('"definition"')) return [];
    const known = this.#inClosed.get(name);
    if (known?.text === text) return known.grammars;
    const { tools } = readTools(parseJson(text), { baseName: baseNameOf(baseName(uri)) });
    const grammars = this.#embedded({ uri, text, version: undefined, lines: new LineIndex(text), tools });
    this.#inClosed.set(name, { text, grammars });
    return grammars;
  }

  /** Names of the grammar files beside a document, without their extension. */
  async beside(uri: string): Promise<string[]> {
    this.#found ??= this.find();
    const own = canonicalUri(uri);
    const others = [...(await this.#found), ...this.files.sources.open().filter(isGrammarName)].map(canonicalUri);
    const names = others.filter((each) => each !== own && parentUri(each) === parentUri(own)).map(baseName);
    return [...new Set(names.map((name) => name.replace(/\.lark$/, '')))].sort();
  }

  /** As `file`, as it is on disk now: whoever asks is about to write. */
  fresh(uri: string): Promise<GrammarText | undefined> {
    this.#disk.delete(canonicalUri(uri));
    return this.file(uri);
  }

  /** The grammar file of a uri, open or on disk. */
  async file(uri: string): Promise<GrammarText | undefined> {
    const open = this.#open(uri);
    return open === undefined ? this.#read(uri) : this.#file(open.uri, open.getText(), open.version);
  }

  /** What lies around an open file of tools, for grammars that it holds or names; `undefined` where it has none of that. */
  async around(uri: string, text: string): Promise<Around | undefined> {
    const before = this.#around.get(uri);
    const tools = before?.text === text ? before.tools : toolsThatLeadAway(uri, text);
    if (tools.length === 0) {
      this.#around.set(uri, { text, tools, parts: [], stamp: before?.stamp ?? 0 });
      return undefined;
    }
    const lines = new LineIndex(text);
    const world = await this.world(this.#embedded({ uri, text, version: undefined, lines, tools }));
    const parts: unknown[] = world.texts.map(({ document }) => document);
    const facts = new Map<string, GrammarFileFact>();
    for (const { format } of tools) {
      const target = format?.file === undefined ? undefined : resolveUri(uri, format.file);
      if (format?.file === undefined || target === undefined) continue;
      const found = await this.file(target);
      const others = found === undefined ? await this.#namesFrom(uri) : [];
      facts.set(format.file, found === undefined ? { there: false, others } : { there: true });
      parts.push(format.file, found?.document ?? others.join());
    }
    const latest = this.#around.get(uri);
    const same = latest?.parts.length === parts.length && parts.every((part, i) => part === latest.parts[i]);
    const stamp = same ? latest.stamp : (latest?.stamp ?? 0) + 1;
    this.#around.set(uri, { text, tools, parts, stamp });
    const importer = world.importer(canonicalUri(uri));
    return { surroundings: { importer, grammarFile: (path) => facts.get(path) }, stamp };
  }

  /** All grammar files of the workspace, as a file names them. */
  async #namesFrom(uri: string): Promise<string[]> {
    this.#found ??= this.find();
    const open = this.files.sources.open().filter(isGrammarName);
    const all = new Set([...(await this.#found), ...open].map(canonicalUri));
    return [...all].flatMap((each) => pathFrom(canonicalUri(uri), each) ?? []).sort();
  }

  #open(uri: string): TextDocument | undefined {
    const { sources } = this.files;
    const known = sources.document(uri);
    if (known !== undefined) return known;
    const name = canonicalUri(uri);
    const same = sources.open().find((each) => canonicalUri(each) === name);
    return same === undefined ? undefined : sources.document(same);
  }

  async #follow(world: World): Promise<void> {
    // The list grows while it is walked through.
    for (const text of world.texts) {
      for (const item of text.document.items) {
        if (item.kind !== 'import') continue;
        // Behind the dot of an import that is being typed the path has no name yet.
        const typed = item.broken ? [`${item.path.map((part) => part.text).join('/')}.lark`] : [];
        for (const path of [importPath(item), ...typed]) {
          const target = targetOf({ path, relative: item.relative, from: text.id });
          if (target === undefined || world.has(target)) continue;
          const found = target.startsWith(LIBRARY) ? libraryGrammar(target) : await this.file(target);
          if (found !== undefined) world.add(found);
        }
      }
    }
  }

  async #read(uri: string): Promise<GrammarText | undefined> {
    const text = await this.#text(uri);
    return text === undefined ? undefined : this.#file(uri, text, undefined);
  }

  /** The text of a file that is not open. */
  async #text(uri: string): Promise<string | undefined> {
    const name = canonicalUri(uri);
    let reading = this.#disk.get(name);
    if (reading === undefined) {
      reading = this.files.sources.read(uri);
      this.#disk.set(name, reading);
    }
    const text = await reading;
    // It may come before anyone tells.
    if (text === undefined) this.#disk.delete(name);
    return text;
  }

  #file(uri: string, text: string, version: number | undefined): GrammarText {
    const id = canonicalUri(uri);
    return new GrammarText(id, uri, version, new LineIndex(text), this.#parse(id, text), undefined, undefined);
  }

  #embedded({ uri, text, version, lines, tools }: ToolText): GrammarText[] {
    return tools.flatMap((tool) => {
      const node = tool.format?.definitionNode;
      if (node === undefined || node.kind !== 'string' || tool.format?.type !== 'grammar') return [];
      if (tool.format.file !== undefined || tool.format.syntax === 'regex') return [];
      const embedded = new EmbeddedText(text, node.offset);
      const id = `${canonicalUri(uri)}\n${pointerOf(node)}`;
      const document = this.#parse(id, embedded.text);
      return [new GrammarText(id, uri, version, lines, document, embedded, tool)];
    });
  }

  #parse(id: string, text: string): GrammarDocument {
    const known = this.#parsed.get(id);
    if (known?.text === text) return known.document;
    const document = parseGrammar(text);
    this.#parsed.set(id, { text, document });
    return document;
  }
}

/** A set of grammars that refer to each other. */
export class World implements GrammarFiles {
  /** In the order in which they came. */
  readonly texts: GrammarText[] = [];
  readonly #byId = new Map<string, GrammarText>();
  #importers: Map<string, string[]> | undefined;

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  add(text: GrammarText): void {
    if (this.#byId.has(text.id)) return;
    this.#byId.set(text.id, text);
    this.texts.push(text);
    this.#importers = undefined;
  }

  text(file: string): GrammarText | undefined {
    return this.#byId.get(file);
  }

  document(file: string): GrammarDocument | undefined {
    const known = this.#byId.get(file);
    if (known !== undefined || !file.startsWith(LIBRARY)) return known?.document;
    const library = libraryGrammar(file);
    if (library !== undefined) this.add(library);
    return library?.document;
  }

  resolve(request: ImportRequest): string | undefined {
    const target = targetOf(request);
    return target !== undefined && this.document(target) !== undefined ? target : undefined;
  }

  importers(file: string): readonly string[] {
    if (this.#importers === undefined) {
      this.#importers = new Map();
      for (const { id, document } of this.texts) {
        for (const item of document.items) {
          const target =
            item.kind === 'import'
              ? targetOf({ path: importPath(item), relative: item.relative, from: id })
              : undefined;
          if (target === undefined) continue;
          const known = this.#importers.get(target);
          if (known === undefined) this.#importers.set(target, [id]);
          else if (known.at(-1) !== id) known.push(id);
        }
      }
    }
    return this.#importers.get(file) ?? [];
  }

  /** Gives the texts of imports, as the loader of grammars asks for them. */
  importer(own: string): (request: ImportRequest) => { readonly file: string; readonly text: string } | undefined {
    return ({ path, relative, from }) => {
      const file = this.resolve({ path, relative, from: from ?? own });
      const document = file === undefined ? undefined : this.document(file);
      return document === undefined ? undefined : { file: file!, text: document.text };
    };
  }

  /** A place as the protocol has it. */
  location({ file, span }: FilePlace): Location | undefined {
    const text = this.#byId.get(file);
    return text === undefined ? undefined : { uri: text.uri, range: text.range(span) };
  }
}

/** The grammar that an import reads: a file beside the importing one, or one of Lark's own. */
function targetOf({ path, relative, from }: ImportRequest): string | undefined {
  if (!relative) return libraryText(path) === undefined ? undefined : `${LIBRARY}${path}`;
  if (from === undefined || from.startsWith(LIBRARY)) return undefined;
  const target = resolveUri(from.split('\n')[0]!, `./${path}`);
  return target === undefined ? undefined : canonicalUri(target);
}

const libraries = new Map<string, GrammarText>();

function libraryGrammar(id: string): GrammarText | undefined {
  let library = libraries.get(id);
  if (library === undefined) {
    const path = id.slice(LIBRARY.length);
    const text = libraryText(path);
    if (text === undefined) return undefined;
    const uri = `${DOCUMENT_SCHEME}:/lark/${path}`;
    library = new GrammarText(id, uri, undefined, new LineIndex(text), parseGrammar(text), undefined, undefined);
    libraries.set(id, library);
  }
  return library;
}

/** The text of a read-only document about one of Lark's own grammars; `undefined` for other addresses. */
export function libraryContent(uri: string): string | undefined {
  const path = libraryPath(uri);
  return path === undefined ? undefined : libraryText(path);
}

function libraryPath(uri: string): string | undefined {
  return new RegExp(`^${DOCUMENT_SCHEME}:/lark/([a-z]+\\.lark)$`).exec(uri)?.[1];
}

/** Whether a file is a grammar by its name. */
export function isGrammarName(uri: string): boolean {
  return baseName(uri).endsWith('.lark');
}
