import { exposureOf, lensStatus, rowStatus } from '../core/budget/lens';
import { REQUEST_LIMITS } from '../core/profiles/openai';
import { pointerOf } from '../core/text/jsonTree';
import { t } from '../core/text/message';
import { shorten } from '../core/text/words';
import type { ToolDefinition } from '../core/tools/model';
import type { ToolListFile, ToolListParams, ToolListResult, ToolListTool } from '../protocol';
import type { FileState, Files } from './files';
import { say } from './language';
import { canonicalUri, relativePath } from './uris';

/** More of a description is not shown. */
const DESCRIPTION_LENGTH = 200;

/** What lists of tools ask of the rest of the server. */
export interface ToolListParts {
  readonly files: Files;
  /** Uris of the files of tools in all folders of the workspace. */
  findTools(): Promise<readonly string[]>;
  /** Uris of the open documents. */
  open(): readonly string[];
}

/** The tools of a folder: files on disk as they are, open ones as they stand in their editors. */
export class ToolLists {
  constructor(readonly parts: ToolListParts) {}

  async list(params: ToolListParams): Promise<ToolListResult> {
    const { tools, advisedTools, advisedNamespaceTools } = REQUEST_LIMITS;
    const limits = { tools, start: advisedTools, namespace: advisedNamespaceTools };
    if ('file' in params) {
      const file = await this.#file(params.file, undefined);
      return { files: file === undefined ? [] : [file], limits };
    }
    // Files that settings or a config name among the tools are listed once they are open, under the address they have there.
    const all = new Map(
      [...(await this.parts.findTools()), ...this.parts.open()].map((uri) => [canonicalUri(uri), uri]),
    );
    const found = [...all.values()].filter((uri) => relativePath(params.folder, uri) !== undefined);
    const files: ToolListFile[] = [];
    // One after the other: a folder may have thousands of files, and none is needed at once.
    for (const uri of found.sort()) {
      const file = await this.#file(uri, params.folder);
      if (file !== undefined) files.push(file);
    }
    return { files, limits };
  }

  async #file(uri: string, folder: string | undefined): Promise<ToolListFile | undefined> {
    const { files } = this.parts;
    const state = (await files.state(uri)) ?? (await files.closed(uri));
    if (state === undefined || state.kind !== 'tools') return undefined;
    const tools = state.result.set.tools.map((tool) => toolOf(tool, state));
    const { root, problems } = state.result.document;
    // An empty file is one that is about to be written.
    const broken = problems.length > 0 && root !== undefined;
    return {
      uri,
      name: relativePath(folder ?? files.sources.workspaceFolder(uri) ?? '', uri) ?? uri,
      tools,
      start: tools.filter(({ exposure }) => exposure === 'direct').length,
      problem: broken ? say(t('The file is not JSON everywhere, so tools may be missing.')) : null,
    };
  }
}

function toolOf(tool: ToolDefinition, state: FileState): ToolListTool {
  const size = state.size(tool);
  return {
    pointer: pointerOf(tool.node),
    name: tool.name ?? '',
    namespace: tool.namespace?.name ?? '',
    status: say(lensStatus(tool, size)),
    short: say(rowStatus(tool, size)),
    state:
      size === undefined
        ? 'fine'
        : size.refusal !== undefined
          ? 'refused'
          : size.sourceBytes > size.budgetBytes
            ? 'over'
            : 'fine',
    exposure: exposureOf(tool),
    description: shorten((tool.description ?? '').replace(/\s+/g, ' ').trim(), DESCRIPTION_LENGTH),
    range: state.lines.range({ start: tool.node.offset, end: tool.node.end }),
  };
}
