import { emitJson, emitString } from '../../text/emit';
import type { JsonNode } from '../../text/json';
import { type Message, t } from '../../text/message';
import { flatNameOf } from '../../tools/flatName';
import type { ToolDefinition } from '../../tools/model';
import type { WireNote, WireOptions } from '../options';

/** A tool in another target's form, or why there is none. */
export type PortableText = { readonly text: string } | { readonly note: WireNote };

/** What a renderer of another target's form is given. */
export interface PortableContext {
  readonly options: WireOptions;
  /** Takes note of what the form loses. */
  readonly lose: (message: Message, node: JsonNode | undefined, tool: ToolDefinition) => void;
}

/** A note that a tool is not part of the form. */
export function leftOut(message: Message, tool: ToolDefinition): { readonly note: WireNote } {
  return { note: { kind: 'left-out', message, reason: undefined, node: tool.nameNode ?? tool.node, tool } };
}

/** A note that a tool without a name has no form. */
export function nameless(tool: ToolDefinition): { readonly note: WireNote } {
  const message = t('The tool has no name, so it cannot be sent.');
  return { note: { kind: 'refused', message, reason: undefined, node: tool.nameNode ?? tool.body, tool } };
}

/** The name with its namespace before it, for forms that have no namespaces. */
export function flatName(tool: ToolDefinition, name: string, { lose }: PortableContext): string {
  const flat = flatNameOf(tool, name);
  if (flat !== name) lose(t('There are no namespaces here, so the name becomes "{0}".', flat), tool.nameNode, tool);
  return flat;
}

/** `"description":…`, or nothing where the tool has none. */
export function descriptionMember(tool: ToolDefinition): string[] {
  return tool.description === undefined ? [] : [`"description":${emitString(tool.description)}`];
}

/** The source schema, made an object with type `object` at its root where the target demands that. */
export function objectSchema(tool: ToolDefinition, { lose }: PortableContext): string {
  const { schemaNode } = tool;
  if (schemaNode === undefined) return '{"type":"object","properties":{}}';
  if (schemaNode.kind !== 'object') {
    lose(t('The schema must be an object here, so it becomes one that takes any object.'), schemaNode, tool);
    return '{"type":"object"}';
  }
  const text = emitJson(schemaNode);
  const type = schemaNode.value('type');
  if (type === undefined) {
    if (schemaNode.properties.length > 0 && !schemaNode.has('properties')) {
      lose(t('The root of the schema must say the type "object" here, so it is put in.'), schemaNode, tool);
    }
    return `{"type":"object"${text === '{}' ? '' : ','}${text.slice(1)}`;
  }
  if (type.string !== 'object') lose(t('The root of the schema must have the type "object" here.'), type, tool);
  return text;
}

/** Takes note of a deferral that the form cannot say. */
export function loseDeferral(tool: ToolDefinition, { lose }: PortableContext): void {
  if (tool.deferred) lose(t('Tools cannot be deferred here, so this one is always sent.'), tool.deferNode, tool);
}
