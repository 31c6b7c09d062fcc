import {
  LSPErrorCodes,
  PrepareRenameRequest,
  type PrepareRenameResult,
  RenameRequest,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { renamable, renameProblem } from '../../core/grammar/service/navigation';
import { plain } from '../convert';
import { feature } from '../feature';

/** Gives a rule, a terminal, a parameter or a tree node another name wherever it stands, also in other files. */
export const renames = feature({
  type: RenameRequest.type,
  announce: (capabilities) => {
    capabilities.renameProvider = { prepareProvider: true };
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri }, position, newName }, context): Promise<WorkspaceEdit | null> {
    const place = await context.grammars.at(uri, position, true);
    if (place === undefined) return null;
    const { text, offset, links, world } = place;
    const problem = renameProblem(links, text.id, offset, newName);
    if (problem !== undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, plain(problem));
    const edits = [...(links.rename(text.id, offset, newName) ?? [])].map(
      ([file, each]) => [world.text(file)!, each] as const,
    );
    if (context.client.capabilities.workspace?.workspaceEdit?.documentChanges === true) {
      return { documentChanges: edits.map(([where, each]) => where.documentEdit(each)) };
    }
    const changes: NonNullable<WorkspaceEdit['changes']> = {};
    for (const [where, each] of edits) changes[where.uri] = [...(changes[where.uri] ?? []), ...where.edits(each)];
    return { changes };
  },
});

/** What a rename would be about. */
export const prepareRenames = feature({
  type: PrepareRenameRequest.type,
  announce: (capabilities) => {
    capabilities.renameProvider = { prepareProvider: true };
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri }, position }, context): Promise<PrepareRenameResult | null> {
    const place = await context.grammars.at(uri, position);
    if (place === undefined) return null;
    const { text, offset, links } = place;
    const found = renamable(links, text.id, offset);
    return found === undefined ? null : { range: text.range(found.span), placeholder: found.name };
  },
});
