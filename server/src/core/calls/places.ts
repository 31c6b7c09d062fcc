import type { JsonNode } from '../text/json';
import { keySpan, nodeSpan, placeAt } from '../text/jsonTree';
import type { Span } from '../text/span';
import { schemasAt } from './argumentSchema';
import { pathOf } from './cursor';
import type { Definitions } from './definitions';
import { keyword, type SchemaView } from './drift/schemaView';
import type { SampleCall, SampleFile } from './model';
import type { CallTool } from './toolTable';

/** What stands at a place of a samples file and leads elsewhere. */
export type SamplePlace =
  | { readonly kind: 'tool'; readonly span: Span; readonly target: CallTool }
  /** A key of the arguments, with its schemas in the definition file. */
  | {
      readonly kind: 'property';
      readonly span: Span;
      readonly target: CallTool;
      readonly name: string;
      readonly required: boolean;
      readonly views: readonly SchemaView[];
      /** The schema of the property in the definition file. */
      readonly schema: JsonNode;
    }
  | FilePlace;

/** The path of a file, between its quotes. */
export interface FilePlace {
  readonly kind: 'file';
  readonly span: Span;
  readonly path: string;
}

/** What an offset of a samples file is at; `undefined` where that leads nowhere. */
export function samplePlaceAt(file: SampleFile, definitions: Definitions, offset: number): SamplePlace | undefined {
  const found = filePlaces(file).find(({ span }) => span.start <= offset && offset <= span.end);
  if (found !== undefined) return found;
  const call = file.calls.find(({ node }) => node.offset <= offset && offset <= node.end);
  const target = call === undefined ? undefined : targetOf(call, definitions);
  if (call === undefined || target === undefined) return undefined;
  const { toolNode } = call;
  if (toolNode !== undefined && toolNode.offset <= offset && offset <= toolNode.end) {
    return { kind: 'tool', span: nodeSpan(toolNode), target };
  }
  return propertyAt(call, target, offset);
}

function propertyAt({ payload }: SampleCall, target: CallTool, offset: number): SamplePlace | undefined {
  const root = target.tool.schemaNode;
  if (payload?.kind !== 'arguments' || payload.raw || root === undefined) return undefined;
  const place = placeAt(payload.node, offset);
  if (place?.key === undefined) return undefined;
  const { node, key } = place;
  const path = pathOf(node).slice(pathOf(payload.node).length);
  const owners = schemasAt(root, path, payload.node);
  const schema = owners.flatMap((view) => keyword(view, 'properties').flatMap((list) => list.value(key.key) ?? []))[0];
  if (schema === undefined) return undefined;
  const required = owners.some((view) =>
    keyword(view, 'required').some(({ items }) => items.some(({ string }) => string === key.key)),
  );
  const views = schemasAt(root, [...path, key.key], payload.node);
  return { kind: 'property', span: keySpan(key), target, name: key.key, required, views, schema };
}

/** The tool that a call means, where that is one. */
export function targetOf({ tool, namespace }: SampleCall, { table }: Definitions): CallTool | undefined {
  const found = tool === undefined ? undefined : table.find(namespace, tool);
  return found?.kind === 'one' ? found.tool : undefined;
}

/** Every path of a file that a samples file names: definitions, modules of handlers, inputs. */
export function filePlaces({ definitions, handlers, calls }: SampleFile): readonly FilePlace[] {
  const nodes = [
    ...definitions.map(({ node }) => node),
    ...handlers.flatMap(({ spec, node }) => (spec?.kind === 'module' ? (node.value('module') ?? []) : [])),
    ...calls.flatMap(({ payload }) => (payload?.kind === 'input-file' ? payload.node : [])),
  ];
  return nodes.flatMap((node): FilePlace[] =>
    node.text === '' ? [] : [{ kind: 'file', span: { start: node.offset + 1, end: node.end - 1 }, path: node.text }],
  );
}
