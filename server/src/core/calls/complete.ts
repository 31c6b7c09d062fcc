import { insertProperty } from '../text/edits';
import { emitJson, emitString } from '../text/emit';
import type { TextEdit } from '../text/finding';
import type { JsonNode } from '../text/json';
import { propertySpan } from '../text/jsonTree';
import { type Message, t } from '../text/message';
import type { Span } from '../text/span';
import { ownLineIndent } from '../text/style';
import { propertiesOf, schemasAt, typeWords } from './argumentSchema';
import { type JsonCursor, jsonCursor } from './cursor';
import type { Definitions } from './definitions';
import { keyword, type SchemaView, viewOf } from './drift/schemaView';
import type { SampleCall, SampleFile } from './model';
import { targetOf } from './places';
import { CALL_OUTCOMES } from './read';
import type { CallTool } from './toolTable';

/** Something that can be written at a place of a samples file. */
export interface SampleCompletion {
  readonly label: string;
  readonly kind: 'tool' | 'namespace' | 'file' | 'property' | 'value';
  /** JSON text. With `$1` where the cursor goes on, if `snippet`. */
  readonly insert: string;
  readonly snippet: boolean;
  readonly detail: Message | undefined;
  readonly documentation: string | undefined;
  readonly replace: Span;
  /** Changes elsewhere that belong to it. */
  readonly more: readonly TextEdit[];
  /** Place in the list. */
  readonly rank: number;
}

export interface CompleteOptions {
  /** Paths of files that a samples file may name, from its folder. */
  readonly files: { readonly definitions: readonly string[]; readonly modules: readonly string[] };
  /** Leave out what the published schema offers. */
  readonly withoutShape: boolean;
}

type Draft = Pick<SampleCompletion, 'label' | 'kind' | 'insert'> & Partial<SampleCompletion>;

/** What can be written at an offset of a samples file. */
export function sampleCompletions(
  file: SampleFile,
  definitions: Definitions,
  offset: number,
  options: CompleteOptions,
): readonly SampleCompletion[] {
  const cursor = jsonCursor(file.document, offset);
  if (cursor === undefined) return [];
  return draftsAt(file, definitions, cursor, options).map((draft, rank) => ({
    snippet: false,
    detail: undefined,
    documentation: undefined,
    more: [],
    rank,
    replace: cursor.replace,
    ...draft,
    insert: cursor.kind === 'value' && cursor.needsComma ? `${draft.insert},` : draft.insert,
  }));
}

function draftsAt(
  file: SampleFile,
  definitions: Definitions,
  cursor: JsonCursor,
  { files, withoutShape }: CompleteOptions,
): readonly Draft[] {
  const [first, second, third, fourth] = cursor.path;
  const { tools } = definitions.table;
  const isValue = cursor.kind === 'value';
  if (first === 'definitions' && isValue) {
    const named = new Set(file.definitions.map(({ path }) => path));
    const current = currentText(file, cursor);
    return files.definitions.filter((path) => path === current || !named.has(path)).map((path) => text(path, 'file'));
  }
  if (first === 'handlers' && cursor.path.length === 1 && !isValue) {
    const present = new Set(cursor.container.properties.map(({ key }) => key));
    present.delete(cursor.property?.key ?? '');
    const names = [...new Set(tools.map(({ given }) => given)), '*'].filter((name) => !present.has(name));
    return names.map((name) => key(name, '{$1}', cursor, { kind: 'tool' }));
  }
  if (first === 'handlers' && third === 'module' && isValue) return files.modules.map((path) => text(path, 'file'));
  if (first !== 'calls' || typeof second !== 'number') return [];
  const call = file.calls.find(({ index }) => index === second);
  if (call === undefined) return [];
  if (third === 'tool' && cursor.path.length === 3) return isValue ? toolNames(call, tools, file.document.text) : [];
  if (third === 'namespace' && isValue) {
    return [...new Set(tools.flatMap(({ namespace }) => namespace ?? []))].map((name) => text(name, 'namespace'));
  }
  if (third === 'expect' && (fourth === 'outcome' || fourth === 'state') && isValue && !withoutShape) {
    return CALL_OUTCOMES.map((outcome) => text(outcome, 'value'));
  }
  if (third !== 'arguments') return [];
  const tool = targetOf(call, definitions);
  const root = tool?.tool.schemaNode;
  return root === undefined ? [] : inArguments(call, root, cursor);
}

function currentText({ document }: SampleFile, { replace }: JsonCursor): string {
  const raw = document.text.slice(replace.start, replace.end);
  return raw.replace(/^"|"$/g, '');
}

/** The tools by their names; where a name is not enough, its namespace is written too. */
function toolNames(call: SampleCall, tools: readonly CallTool[], source: string): Draft[] {
  const wanted = call.namespace;
  const property = call.node.get('tool');
  return tools
    .filter(({ namespace }) => wanted === undefined || (namespace ?? '') === wanted)
    .map((tool): Draft => {
      const same = tools.filter(({ given }) => given === tool.given);
      const qualify = wanted === undefined && same.length > 1 && tool.namespace !== undefined;
      return {
        ...text(tool.given, 'tool'),
        label: qualify ? `${tool.namespace}.${tool.given}` : tool.given,
        detail: tool.payload === 'custom' ? t('custom tool') : t('function'),
        documentation: tool.tool.description,
        more: qualify && property !== undefined ? before(call.node, property, source, tool.namespace!) : [],
      };
    });
}

/** The namespace in front of the tool, on a line of its own if the tool has one. */
function before(
  call: JsonNode,
  tool: NonNullable<ReturnType<JsonNode['get']>>,
  source: string,
  name: string,
): TextEdit[] {
  const indent = ownLineIndent(source, tool.keyStart);
  const colon =
    source.slice(tool.keyEnd).startsWith(':') && !source.slice(tool.keyEnd + 1).startsWith(' ') ? ':' : ': ';
  if (call.properties.length === 0) return insertProperty(source, call, 'namespace', emitString(name));
  const start = propertySpan(tool).start;
  const newText = `"namespace"${colon}${emitString(name)},${indent === undefined ? ' ' : `\n${indent}`}`;
  return [{ span: { start, end: start }, newText }];
}

function inArguments({ payload, node }: SampleCall, root: JsonNode, cursor: JsonCursor): Draft[] {
  const path = cursor.path.slice(3);
  const value = payload?.node ?? node.value('arguments');
  if (cursor.kind === 'key') {
    const views = schemasAt(root, path, value);
    const present = new Set(cursor.container.properties.map(({ key: each }) => each));
    present.delete(cursor.property?.key ?? '');
    const properties = propertiesOf(views).filter(({ name }) => !present.has(name));
    properties.sort((a, b) => Number(b.required) - Number(a.required));
    return properties.map(({ name, required, node: schema }) => {
      const view = viewOf(schema, root);
      const words = typeWords([view]);
      return key(name, start(view), cursor, {
        detail: required ? t('{0}, required', words) : t('{0}', words),
        documentation: keyword(view, 'description')[0]?.string,
      });
    });
  }
  if (path.length === 0) return [];
  const drafts = new Map<string, Draft>();
  for (const view of schemasAt(root, path, value)) {
    for (const written of valuesOf(view)) {
      const documentation = keyword(view, 'description')[0]?.string;
      drafts.set(written, { label: written, kind: 'value', insert: written, documentation });
    }
  }
  return [...drafts.values()];
}

/** The values that a schema names, as JSON text. */
function valuesOf(view: SchemaView): string[] {
  const listed = [...keyword(view, 'const'), ...keyword(view, 'enum').flatMap(({ items }) => items)];
  if (listed.length > 0) return listed.map((node) => emitJson(node));
  const types = keyword(view, 'type').flatMap((node) => (node.kind === 'array' ? node.items : [node]));
  const suggested = [...keyword(view, 'default'), ...keyword(view, 'examples').flatMap(({ items }) => items)];
  return [
    ...suggested.map((node) => emitJson(node)),
    ...types.flatMap(({ string }) => (string === 'boolean' ? ['true', 'false'] : string === 'null' ? ['null'] : [])),
  ];
}

/** How a value begins, for the snippet behind a key. */
function start(view: SchemaView): string {
  const [constant] = keyword(view, 'const');
  if (constant !== undefined) return escaped(emitJson(constant));
  if (keyword(view, 'enum').length > 0) return '$1';
  const words = typeWords([view]);
  if (words === 'object' || (words === '' && keyword(view, 'properties').length > 0)) return '{$1}';
  if (words === 'array') return '[$1]';
  return words === 'string' ? '"$1"' : '$1';
}

function escaped(snippet: string): string {
  return snippet.replace(/[\\$}]/g, '\\$&');
}

function text(value: string, kind: SampleCompletion['kind']): Draft {
  return { label: value, kind, insert: emitString(value) };
}

/** A key, with the beginning of its value where there is none yet. */
function key(name: string, value: string, cursor: JsonCursor, more: Partial<Draft>): Draft {
  const quoted = emitString(name);
  if (cursor.hasColon) return { label: name, kind: 'property', insert: quoted, ...more };
  const comma = cursor.needsComma ? ',' : '';
  return { label: name, kind: 'property', insert: `${escaped(quoted)}: ${value}${comma}`, snippet: true, ...more };
}
