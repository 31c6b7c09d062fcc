import { type Message, t } from '../text/message';
import { didYouMean } from '../text/words';
import { dottedName, namespaceKey, TOOL_SEARCH, type ToolTable } from './toolTable';

/** Why a name leads to no tool, and what may have been meant. */
export interface UnknownTool {
  readonly message: Message;
  readonly right: { readonly part: 'namespace' | 'tool'; readonly to: string } | undefined;
}

/** Says what a name that no tool has comes to. */
export function unknownTool(table: ToolTable, namespace: string | undefined, name: string): UnknownTool {
  const elsewhere = namespace === undefined ? { kind: 'none' as const } : table.find(undefined, name);
  if (elsewhere.kind === 'one') {
    const to = elsewhere.tool.namespace ?? 'functions';
    const message = t('The namespace "{0}" has no tool "{1}"; it is in "{2}".', namespace!, name, to);
    return { message, right: { part: 'namespace', to } };
  }
  if (namespaceKey(namespace) === '') {
    if (name === TOOL_SEARCH) {
      return { message: t('"{0}" takes arguments, and no raw input.', name), right: undefined };
    }
    if (table.hosted.has(name)) {
      const message = t('The provider runs "{0}" itself, so no call of it reaches the client.', name);
      return { message, right: undefined };
    }
    const inside = table.tools.find((tool) => tool.namespace === name);
    if (inside !== undefined) {
      const message = t('"{0}" is a namespace. A call names one of its tools, such as "{1}".', name, inside.name);
      return { message, right: undefined };
    }
  }
  const shown = dottedName(namespace, name);
  const near = name === '' ? undefined : didYouMean(name, table.names);
  if (near === undefined) return { message: t('No definition file has a tool "{0}".', shown), right: undefined };
  const message = t('No definition file has a tool "{0}". Did you mean "{1}"?', shown, near);
  return { message, right: { part: 'tool', to: near } };
}
