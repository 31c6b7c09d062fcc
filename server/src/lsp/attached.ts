import { loadDefinitions } from '../core/calls/definitions';
import { isSampleFileName } from '../core/calls/fileNames';
import type { SamplePayload } from '../core/calls/model';
import { readSamples } from '../core/calls/read';
import { routeCall } from '../core/calls/route';
import type { CallTool } from '../core/calls/toolTable';
import type { SampleWorkspace } from '../core/calls/workspace';
import type { ProviderSyntax } from '../core/grammar/provider';
import { codexProfile } from '../core/profiles/codex';
import { providerSyntax } from '../core/rules/grammar/embedded';
import { parseJson } from '../core/text/json';
import { pointerOf } from '../core/text/jsonTree';
import { LineIndex } from '../core/text/lines';
import { t } from '../core/text/message';
import type { Span } from '../core/text/span';
import type { ToolDefinition } from '../core/tools/model';
import type { Files } from './files';
import { baseName, canonicalUri, resolveUri } from './uris';

/** A stored input of a custom tool, with the grammar that it is for. */
export interface AttachedSample {
  /** The samples file. */
  readonly uri: string;
  readonly lines: LineIndex;
  readonly name: string | undefined;
  /** Where the input stands in the samples file, or is named there. */
  readonly span: Span;
  readonly input: string;
  readonly payload: SamplePayload;
  /** The tool, with the file that defines it. */
  readonly definition: CallTool;
  /** The whole call in the samples file. */
  readonly call: Span;
  readonly tool: string;
  readonly syntax: ProviderSyntax;
  /** Id of the grammar, as `GrammarText` has it. */
  readonly grammar: string;
}

/** So many samples files of a workspace are read. */
const MOST_FILES = 200;

/** The ending of files that `find` is asked for. */
export const SAMPLES_ENDING = '.samples.json';

/** Inputs in the samples files of the workspace, for the grammars that judge them. */
export class AttachedSamples {
  #found: Promise<readonly string[]> | undefined;

  /** @param find gives the uris of all samples files of the workspace */
  constructor(
    readonly files: Files,
    readonly find: () => Promise<readonly string[]>,
  ) {}

  /** Files have changed, come or gone. */
  forget(): void {
    this.#found = undefined;
  }

  /** All samples whose grammar has this id, in the order of the files. */
  async of(grammar: string): Promise<readonly AttachedSample[]> {
    this.#found ??= this.find();
    const open = this.files.sources.open().filter((uri) => isSampleFileName(baseName(uri)));
    const known = new Set(open.map(canonicalUri));
    const others = (await this.#found).filter((uri) => !known.has(canonicalUri(uri)));
    const all = await Promise.all([...open, ...others].slice(0, MOST_FILES).map((uri) => this.in(uri)));
    return all.flat().filter((sample) => sample.grammar === grammar);
  }

  /** The inputs of one samples file. */
  async in(uri: string): Promise<readonly AttachedSample[]> {
    const { sources } = this.files;
    const text = await sources.read(uri);
    // Most samples are about functions, which have no grammar.
    if (text === undefined || !/"input(?:File)?"/.test(text)) return [];
    const workspace = workspaceOf(this.files);
    const file = readSamples(parseJson(text), uri);
    const settings = await sources.settings(uri);
    const config = await sources.configs.configFor(uri, sources.workspaceFolder(uri));
    const profile = codexProfile(config?.config.profile ?? settings.profile ?? '');
    const { table } = await loadDefinitions(file, uri, workspace, profile);
    const lines = new LineIndex(text);
    const found: AttachedSample[] = [];
    for (const { node, payload, tool, namespace, name } of file.calls) {
      if (payload === undefined || payload.kind === 'arguments' || tool === undefined) continue;
      const read = payload.kind === 'input' ? { text: payload.text } : await workspace.read(payload.path, uri);
      if ('failure' in read) continue;
      const route = routeCall({ name: tool, namespace, kind: 'input', text: read.text }, table);
      const definition = route.kind === 'tool' ? route.target : undefined;
      const grammar = definition && grammarOf(definition);
      if (definition === undefined || grammar === undefined) continue;
      const call = { start: node.offset, end: node.end };
      found.push({
        uri,
        lines,
        name,
        span: { start: payload.node.offset, end: payload.node.end },
        input: read.text,
        payload,
        definition,
        call,
        tool,
        ...grammar,
      });
    }
    return found;
  }
}

/** Files as samples name them: open editors go before the disk. */
export function workspaceOf(files: Files): SampleWorkspace {
  const { sources } = files;
  return {
    async read(path, from) {
      const uri = resolveUri(from, path);
      const text = uri === undefined ? undefined : await sources.read(uri);
      return uri === undefined || text === undefined
        ? { failure: t('does not exist') }
        : { uri, text, tools: files.toolsOf(uri, text) };
    },
  };
}

function grammarOf({
  tool,
  uri,
}: {
  readonly tool: ToolDefinition;
  readonly uri: string;
}): Pick<AttachedSample, 'grammar' | 'syntax'> | undefined {
  const { format } = tool;
  const syntax = providerSyntax(format?.syntax);
  if (format?.type !== 'grammar' || syntax === undefined) return undefined;
  if (format.file !== undefined) {
    const file = resolveUri(uri, format.file);
    return file === undefined ? undefined : { grammar: canonicalUri(file), syntax };
  }
  const node = format.definitionNode;
  return node?.kind === 'string' ? { grammar: `${canonicalUri(uri)}\n${pointerOf(node)}`, syntax } : undefined;
}
