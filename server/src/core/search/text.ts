import { EmbeddedText } from '../text/embedded';
import { type JsonNode, parseJson } from '../text/json';
import { effectiveProperties, keySpan, nodeSpan, resolveTokens } from '../text/jsonTree';
import type { Span } from '../text/span';
import { compareUtf8 } from '../text/utf8';
import type { ToolDefinition } from '../tools/model';
import type { PlannedTool } from '../wire/plan';
import { rustTrim } from '../wire/rustText';
import { defaultDescription } from '../wire/spec';

/**
 * What a part of a search text is.
 *
 * - `name`: the tool's name; `name-words`: the same with spaces for underscores
 * - `flat-name`: namespace and name of an MCP tool as one word
 * - `property`: the name of a property; `schema`: a description inside of the schema
 * - `server`, `title`: of an MCP tool
 * - `syntax`: the grammar syntax of a custom tool
 */
export type SearchPart =
  | 'name'
  | 'name-words'
  | 'flat-name'
  | 'description'
  | 'property'
  | 'schema'
  | 'namespace'
  | 'namespace-description'
  | 'server'
  | 'title'
  | 'syntax';

/** A part of a search text. */
export interface SearchPiece {
  readonly part: SearchPart;
  /** Without white space around it; never empty. */
  readonly text: string;
  /** Offset of the part in the search text. */
  readonly offset: number;
  /** The place in the definition file of a part of `text`; `undefined` where it is not written in the file. */
  place(span: Span): Span | undefined;
}

/** What tool search knows of a tool. */
export interface SearchText {
  readonly text: string;
  readonly pieces: readonly SearchPiece[];
}

/** Where a piece comes from: a string, or the key of a member. */
interface Literal {
  readonly start: number;
  readonly whole: Span;
  /** The piece says the same as the literal. */
  readonly exact: boolean;
}
type Origin = Literal | undefined;

/**
 * The text by which tool search finds a tool: pieces without white space around them, joined by spaces (public source
 * of Codex 0.148.0). Functions and customs of their own and in namespaces have their names, descriptions and what the
 * *compiled* schema still says of properties; tools of MCP servers have their names and top-level properties.
 *
 * @param file the text of the definition file
 */
export function searchText(planned: PlannedTool, file: string): SearchText {
  return new TextBuilder(planned, file).build();
}

class TextBuilder {
  readonly #pieces: SearchPiece[] = [];
  #length = 0;
  readonly #tool: ToolDefinition;

  constructor(
    readonly planned: PlannedTool,
    readonly file: string,
  ) {
    this.#tool = planned.tool;
  }

  build(): SearchText {
    if (this.#tool.shape === 'mcp') this.#mcp();
    else this.#own();
    return { text: this.#pieces.map(({ text }) => text).join(' '), pieces: this.#pieces };
  }

  #add(part: SearchPart, raw: string, from: Origin | (() => Origin)): void {
    const text = rustTrim(raw);
    if (text === '') return;
    const offset = this.#length;
    this.#length += text.length + 1;
    const lead = raw.indexOf(text);
    const place = (span: Span): Span | undefined => {
      const origin = typeof from === 'function' ? from() : from;
      if (origin === undefined || !origin.exact) return origin?.whole;
      const embedded = new EmbeddedText(this.file, origin.start);
      return embedded.spanToDocument({ start: lead + span.start, end: lead + span.end });
    };
    this.#pieces.push({ part, text, offset, place });
  }

  #own(): void {
    const { spec, namespace } = this.planned;
    const tool = this.#tool;
    if (namespace !== undefined) {
      this.#add('namespace', namespace.name, this.#ofNamespace(tool.namespace?.nameNode, namespace.name));
      const origin = this.#ofNamespace(tool.namespace?.descriptionNode, namespace.description);
      this.#add('namespace-description', namespace.description, origin);
    }
    if (spec.kind !== 'function' && spec.kind !== 'custom') return;
    const name = this.#of(tool.nameNode, spec.name);
    this.#add('name', spec.name, name);
    if (spec.kind === 'function') this.#add('name-words', spec.name.replaceAll('_', ' '), name);
    this.#add('description', spec.description, this.#of(tool.descriptionNode, spec.description));
    if (spec.kind === 'custom') {
      const syntax = tool.format?.syntax ?? '';
      const grammar = tool.format?.node.value('grammar') ?? tool.format?.node;
      this.#add('syntax', syntax, this.#of(grammar?.value('syntax'), syntax));
      return;
    }
    this.#schema(spec.parameters, tool.schemaNode);
  }

  #schema(parameters: string, source: JsonNode | undefined): void {
    for (const { part, text, path } of schemaWords(parameters)) {
      this.#add(part, text, () => {
        const place = source === undefined ? undefined : resolveTokens(source, path);
        if (part === 'schema') return this.#of(place, text);
        const property = place?.property;
        return property === undefined ? undefined : literal(property.keyStart, keySpan(property));
      });
    }
  }

  #mcp(): void {
    const { spec, namespace } = this.planned;
    if (spec.kind !== 'function') return;
    const tool = this.#tool;
    const raw = tool.name ?? spec.name;
    const name = this.#of(tool.nameNode, raw);
    const whole = name === undefined ? undefined : { ...name, exact: false };
    if (namespace !== undefined) this.#add('flat-name', `${namespace.name}${spec.name}`, whole);
    this.#add('name', spec.name, spec.name === raw ? name : whole);
    this.#add('name', raw, name);
    this.#add('server', tool.local.server, undefined);
    const title = tool.node.value('title') ?? tool.node.value('annotations')?.value('title');
    if (title?.string !== undefined) this.#add('title', title.string, this.#of(title, title.string));
    this.#add('description', tool.description ?? '', this.#of(tool.descriptionNode, tool.description ?? ''));
    // The default sentence is put in later, where namespaces are merged.
    if (namespace !== undefined && namespace.description !== defaultDescription(namespace.name)) {
      this.#add('namespace-description', namespace.description, undefined);
    }
    const properties = tool.schemaNode?.value('properties');
    const members = properties === undefined ? [] : effectiveProperties(properties);
    for (const property of [...members].sort((a, b) => compareUtf8(a.key, b.key))) {
      this.#add('property', property.key, literal(property.keyStart, keySpan(property)));
    }
  }

  #ofNamespace(node: JsonNode | undefined, text: string): Origin {
    const written =
      node ?? (this.#tool.shape === 'codex-dynamic-legacy' ? this.#tool.node.value('namespace') : undefined);
    return this.#of(written, text);
  }

  /** The string in the file, if it says the same. */
  #of(node: JsonNode | undefined, text: string): Origin {
    if (node?.kind !== 'string' || node.text !== text) return undefined;
    return literal(node.offset, nodeSpan(node));
  }
}

function literal(start: number, whole: Span): Literal {
  return { start, whole, exact: true };
}

/** A piece of a search text that a compiled schema gives, with the keys that lead to it from the schema's root. */
interface SchemaWord {
  readonly part: 'property' | 'schema';
  readonly text: string;
  readonly path: readonly string[];
}

/** Pieces of the schemas that were read last: while somebody types, one schema of a thousand changes. */
const remembered = new Map<string, readonly SchemaWord[]>();
const MAX_SCHEMAS = 5000;

function schemaWords(parameters: string): readonly SchemaWord[] {
  let words = remembered.get(parameters);
  if (words === undefined) {
    const found: SchemaWord[] = [];
    walkSchema(parseJson(parameters).root, [], found);
    words = found;
    if (remembered.size >= MAX_SCHEMAS) remembered.clear();
    remembered.set(parameters, words);
  }
  return words;
}

/** A compiled schema nests no deeper than Codex reads, so recursion is bounded. */
function walkSchema(compiled: JsonNode | undefined, path: readonly string[], found: SchemaWord[]): void {
  if (compiled?.kind !== 'object') return;
  const description = compiled.value('description')?.string;
  if (description !== undefined) found.push({ part: 'schema', text: description, path: [...path, 'description'] });
  const members = compiled.value('properties');
  for (const { key, value } of members === undefined ? [] : effectiveProperties(members)) {
    const place = [...path, 'properties', key];
    found.push({ part: 'property', text: key, path: place });
    walkSchema(value, place, found);
  }
  walkSchema(compiled.value('items'), [...path, 'items'], found);
  for (const [index, branch] of (compiled.value('anyOf')?.items ?? []).entries()) {
    walkSchema(branch, [...path, 'anyOf', String(index)], found);
  }
}
