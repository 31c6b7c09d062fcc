import {
  DefinitionRequest,
  type DocumentLink,
  DocumentLinkRequest,
  type Location,
  type LocationLink,
  type Position,
} from 'vscode-languageserver';
import { touches } from '../../core/text/span';
import type { ServerContext } from '../context';
import { feature } from '../feature';
import type { FileState } from '../files';
import { sampleDefinition, sampleLinks } from '../sampleAssist';
import { resolveUri } from '../uris';

const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Where a name of a grammar is defined, also in other files; the tool of a sample call; the file that a path names. */
export const definitions = feature({
  type: DefinitionRequest.type,
  announce: (capabilities) => {
    capabilities.definitionProvider = true;
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri }, position }, context): Promise<Location[] | LocationLink[] | null> {
    const linkSupport = context.client.capabilities.textDocument?.definition?.linkSupport === true;
    if (context.samples.isFile(uri)) {
      const found = await sampleDefinition(uri, position, context);
      if (found === undefined) return null;
      const { location, origin, lines } = found;
      return linkSupport ? [toLink(location, lines.range(origin))] : [location];
    }
    const place = await context.grammars.at(uri, position);
    if (place === undefined) return fileDefinition(uri, position, context, linkSupport);
    const { text, offset, links, world } = place;
    const origin = links.at(text.id, offset);
    const found = links.definitions(text.id, offset).flatMap((each) => world.location(each) ?? []);
    if (!linkSupport || origin === undefined) return found;
    return found.map((each) => toLink(each, text.range(origin.name.span)));
  },
});

function toLink({ uri, range }: Location, originSelectionRange: LocationLink['originSelectionRange']): LocationLink {
  return { targetUri: uri, targetRange: range, targetSelectionRange: range, originSelectionRange };
}

async function fileDefinition(
  uri: string,
  position: Position,
  context: ServerContext,
  linkSupport: boolean,
): Promise<Location[] | LocationLink[] | null> {
  const state = await context.files.state(uri);
  if (state === undefined) return null;
  const offset = state.lines.offset(position);
  const link = fileReferences(state).find(({ start, end }) => touches({ start, end }, offset));
  if (link === undefined) return null;
  const location = { uri: link.target, range: START };
  return linkSupport ? [toLink(location, state.lines.range(link))] : [location];
}

/** The `$file` references of a tool definition file: places between the quotes, and what they name. */
function fileReferences(state: FileState): { readonly start: number; readonly end: number; readonly target: string }[] {
  return state.result.set.tools.flatMap(({ format }) => {
    const node = format?.definitionNode;
    if (format?.file === undefined || format.file === '' || node === undefined) return [];
    const target = resolveUri(state.uri, format.file);
    return target === undefined ? [] : [{ start: node.offset + 1, end: node.end - 1, target }];
  });
}

/** Names of grammar files in tool definitions open the files. */
export const documentLinks = feature({
  type: DocumentLinkRequest.type,
  announce: (capabilities) => {
    capabilities.documentLinkProvider = { resolveProvider: false };
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri } }, context): Promise<DocumentLink[] | null> {
    if (context.samples.isFile(uri)) return sampleLinks(uri, context);
    const state = await context.files.state(uri);
    if (state === undefined) return null;
    return fileReferences(state).map((link) => ({ range: state.lines.range(link), target: link.target }));
  },
});
