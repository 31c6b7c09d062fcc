import {
  type CallHierarchyIncomingCall,
  CallHierarchyIncomingCallsRequest,
  type CallHierarchyItem,
  type CallHierarchyOutgoingCall,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  SymbolKind,
} from 'vscode-languageserver';
import { type CallItem, called, callers, callItems } from '../../core/grammar/service/navigation';
import type { ServerContext } from '../context';
import { feature } from '../feature';
import type { GrammarPlace, World } from '../grammars';
import { baseName } from '../uris';

/** The rule or terminal at a place, as the root of a hierarchy of uses. */
export const callHierarchies = feature({
  type: CallHierarchyPrepareRequest.type,
  announce: (capabilities) => {
    capabilities.callHierarchyProvider = true;
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri }, position }, context): Promise<CallHierarchyItem[] | null> {
    const place = await context.grammars.at(uri, position);
    if (place === undefined) return null;
    const { text, offset, links, world } = place;
    return callItems(links, text.id, offset).flatMap((item) => toItem(item, world) ?? []);
  },
});

/** Which definitions use one. */
export const incomingCalls = feature({
  type: CallHierarchyIncomingCallsRequest.type,
  announce: (capabilities) => {
    capabilities.callHierarchyProvider = true;
  },
  empty: null,
  about: () => undefined,
  async handle({ item }, context): Promise<CallHierarchyIncomingCall[] | null> {
    const place = await find(item, context);
    const own = place && callItems(place.links, place.text.id, place.offset)[0];
    if (place === undefined || own === undefined) return null;
    return callers(place.links, own).flatMap((call) => {
      const from = toItem(call.item, place.world);
      const text = place.world.text(call.item.file);
      if (from === undefined || text === undefined) return [];
      return [{ from, fromRanges: call.places.map((span) => text.range(span)) }];
    });
  },
});

/** Which definitions one uses. */
export const outgoingCalls = feature({
  type: CallHierarchyOutgoingCallsRequest.type,
  announce: (capabilities) => {
    capabilities.callHierarchyProvider = true;
  },
  empty: null,
  about: () => undefined,
  async handle({ item }, context): Promise<CallHierarchyOutgoingCall[] | null> {
    const place = await find(item, context);
    const own = place && callItems(place.links, place.text.id, place.offset)[0];
    const text = own && place?.world.text(own.file);
    if (place === undefined || own === undefined || text === undefined) return null;
    return called(place.links, own).flatMap((call) => {
      const to = toItem(call.item, place.world);
      return to === undefined ? [] : [{ to, fromRanges: call.places.map((span) => text.range(span)) }];
    });
  },
});

function toItem({ file, name, terminal, span, nameSpan }: CallItem, world: World): CallHierarchyItem | undefined {
  const text = world.text(file);
  if (text === undefined) return undefined;
  const kind = terminal ? SymbolKind.Constant : SymbolKind.Function;
  const detail = text.tool?.name ?? baseName(text.uri);
  // The file's own name leads back to it: several grammars may stand in one document.
  return { name, kind, detail, uri: text.uri, range: text.range(span), selectionRange: text.range(nameSpan) };
}

/** The place that an item stands for: in an open document, in a file, or in one of Lark's own grammars. */
function find({ uri, selectionRange }: CallHierarchyItem, context: ServerContext): Promise<GrammarPlace | undefined> {
  return context.grammars.atAny(uri, selectionRange.start);
}
