import { addCall, emptySamples, type NewCall } from '../core/calls/addCall';
import { exampleArguments, exampleInput } from '../core/calls/example';
import { type CallTool, ToolTable } from '../core/calls/toolTable';
import { codexProfile, DEFAULT_CODEX_PROFILE } from '../core/profiles/codex';
import type { TextEdit } from '../core/text/finding';
import { parseJson } from '../core/text/json';
import { LineIndex } from '../core/text/lines';
import { t } from '../core/text/message';
import type { Span } from '../core/text/span';
import { baseNameOf } from '../core/tools/local';
import type { ToolDefinition } from '../core/tools/model';
import { readTools } from '../core/tools/read';
import type { AddSampleParams, AddSampleResult, AddSampleTool } from '../samplesProtocol';
import type { Files } from './files';
import { say } from './language';
import type { Samples } from './samples';
import { checkOptions } from './settings';
import { toolFor } from './toolAt';
import { baseName, canonicalUri, parentUri, pathFrom, resolveUri } from './uris';

/** Makes sample calls for tools: in the samples file beside their definitions, or in one that is open. Writes nothing. */
export class NewSamples {
  constructor(
    readonly files: Files,
    readonly samples: Samples,
  ) {}

  /** What adding a call changes; or which tools there are to choose from; or why there is none. Never rejects. */
  async add(params: AddSampleParams): Promise<AddSampleResult> {
    const { uri, tool, namespace } = params;
    const stored = this.samples.isFile(uri);
    const all = stored ? await this.#toolsOf(uri) : (await this.#tableOf(uri)).tools.filter(takesCalls);
    const here = stored ? all : await this.#toolsAt(params, all);
    const wanted = tool === undefined ? here : here.filter((each) => isNamed(each, tool, namespace));
    if (wanted.length === 0) {
      return { kind: 'none', reason: say(t('There is no tool here that calls could be stored for.')) };
    }
    if (wanted.length > 1) return { kind: 'tools', tools: wanted.map((each) => choice(each, all)) };
    return this.#added(stored ? uri : await this.fileFor(uri), wanted[0]!, all);
  }

  /** The samples file for the tools of a definition file: the one of its name, else the only one beside it that names it. */
  async fileFor(definition: string): Promise<string> {
    const stem = baseName(definition).replace(/(?:\.tools?)?\.jsonc?$/i, '');
    const own = `${encodeURI(stem)}.samples.json`;
    const candidates = [own, `${own}c`].map((name) => `${parentUri(definition)}/${name}`);
    for (const uri of candidates) if ((await this.files.sources.read(uri)) !== undefined) return uri;
    const beside: string[] = [];
    for (const uri of await this.samples.all()) {
      if (parentUri(canonicalUri(uri)) !== parentUri(canonicalUri(definition))) continue;
      const state = await this.samples.state(uri);
      const { loaded = [] } = state?.result.definitions ?? {};
      if (loaded.some((each) => canonicalUri(each.uri) === canonicalUri(definition))) beside.push(uri);
    }
    return beside.length === 1 ? beside[0]! : candidates[0]!;
  }

  /** The tools that a samples file may call. */
  async #toolsOf(uri: string): Promise<readonly CallTool[]> {
    const state = await this.samples.state(uri);
    return (state?.result.definitions.table.tools ?? []).filter(takesCalls);
  }

  /** The tool of an open definition file at a place; all of them where no place is given. */
  async #toolsAt({ uri, offset, pointer }: AddSampleParams, all: readonly CallTool[]): Promise<readonly CallTool[]> {
    if (offset === undefined && pointer === undefined) return all;
    const state = await this.files.state(uri);
    const place = offset === undefined ? { tool: pointer ?? '' } : { offset };
    const found = state === undefined ? undefined : toolFor(state, place);
    return found === undefined ? [] : all.filter((each) => isSame(each.tool, found));
  }

  async #tableOf(uri: string): Promise<ToolTable> {
    const { sources } = this.files;
    const text = await sources.read(uri);
    const config = await sources.configs.configFor(uri, sources.workspaceFolder(uri));
    const { profile } = checkOptions(await sources.settings(uri), config?.config);
    const set = readTools(parseJson(text ?? ''), { baseName: baseNameOf(uri) });
    return new ToolTable([{ uri, set }], codexProfile(profile ?? '', undefined) ?? DEFAULT_CODEX_PROFILE);
  }

  async #added(uri: string, tool: CallTool, all: readonly CallTool[]): Promise<AddSampleResult> {
    const kind = tool.payload === 'custom' ? 'custom' : 'function';
    const payload =
      kind === 'custom' ? exampleInput(await this.#grammarOf(tool)) : exampleArguments(tool.tool.schemaNode);
    const call: NewCall = {
      name: say(t('example')),
      tool: tool.given,
      namespace: choice(tool, all).namespace ?? undefined,
      kind,
      payload,
      outcome: 'accepted',
    };
    const present = await this.files.sources.read(uri);
    const path = relative(uri, tool.uri);
    const names = present === undefined ? [] : ((await this.samples.state(uri))?.result.definitions.loaded ?? []);
    const known = names.some((each) => canonicalUri(each.uri) === canonicalUri(tool.uri));
    const added = addCall(present ?? emptySamples([path]), call, present === undefined || known ? undefined : path);
    if (added === undefined) {
      return { kind: 'none', reason: say(t('{0} is no samples file that a call could be added to.', baseName(uri))) };
    }
    return changeOf(uri, present, added.text, added.payload);
  }

  async #grammarOf({ tool, uri }: CallTool): Promise<string | undefined> {
    const { format } = tool;
    if (format?.type !== 'grammar' || format.syntax === 'regex') return undefined;
    if (format.file === undefined) return format.definitionNode?.string;
    const file = resolveUri(uri, format.file);
    return file === undefined ? undefined : this.files.sources.read(file);
  }
}

function takesCalls({ payload }: CallTool): boolean {
  return payload !== 'tool-search';
}

function isNamed(tool: CallTool, name: string, namespace: string | undefined): boolean {
  return (tool.given === name || tool.name === name) && (namespace === undefined || tool.namespace === namespace);
}

function isSame(a: ToolDefinition, b: ToolDefinition): boolean {
  return a.name === b.name && a.namespace?.name === b.namespace?.name && a.node.offset === b.node.offset;
}

/** How a call names a tool: with its namespace where another one has the same name. */
function choice(tool: CallTool, all: readonly CallTool[]): AddSampleTool {
  const alone = all.filter(({ given }) => given === tool.given).length === 1;
  return {
    tool: tool.given,
    namespace: alone ? null : (tool.namespace ?? null),
    description: tool.tool.description ?? '',
  };
}

/** The path of a file from another, as samples files write it. */
export function relative(from: string, to: string): string {
  const path = pathFrom(canonicalUri(from), canonicalUri(to));
  if (path === undefined) return to;
  return path.startsWith('../') ? path : `./${path}`;
}

/** What makes a file have a text: the one part in which it differs, or the whole of a new file. */
export function changeOf(uri: string, present: string | undefined, text: string, select: Span): AddSampleResult {
  const selection = new LineIndex(text).range(select);
  if (present === undefined) return { kind: 'new', uri, text, selection };
  const { span, newText } = difference(present, text);
  return { kind: 'edit', uri, edit: { range: new LineIndex(present).range(span), newText }, selection };
}

/** The one part in which two texts differ. */
function difference(before: string, after: string): TextEdit {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { span: { start, end: before.length - end }, newText: after.slice(start, after.length - end) };
}
