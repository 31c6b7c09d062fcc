import { emitJson, emitString } from '../../text/emit';
import type { JsonNode, JsonProperty } from '../../text/json';
import { effectiveProperties } from '../../text/jsonTree';
import { t } from '../../text/message';
import { flatNameOf, namespaceOf } from '../flatName';
import { LOCAL_KEY } from '../local';
import type { ToolDefinition, ToolShape } from '../model';
import { SCHEMA_KEYS, SHAPE_NAMES } from '../shapes';
import { inJsonSchema } from './dialect';
import type { LossReport } from './loss';
import { type ConvertTarget, TARGET_FACTS, type TargetFacts, targetName } from './targets';

/** Where a shape has the schema of results. */
const OUTPUT_KEYS: Partial<Record<ToolShape, string>> = { responses: 'output_schema', mcp: 'outputSchema' };
const STRICT_SHAPES: ReadonlySet<ToolShape> = new Set<ToolShape>(['responses', 'chat', 'anthropic']);
const DEFER_KEYS: Partial<Record<ToolShape, string>> = {
  responses: 'defer_loading',
  anthropic: 'defer_loading',
  'codex-dynamic': 'deferLoading',
  'codex-dynamic-legacy': 'deferLoading',
};
const TITLE_KEYS: Partial<Record<ToolShape, string>> = { mcp: 'title', vscode: 'displayName' };

/** A schema for a function that declares none. */
const NO_PARAMETERS = '{"type":"object","properties":{}}';

/** Members of a result as JSON texts. */
type Member = readonly [key: string, text: string];

/** Writes one tool in another shape and takes note of what that costs. */
export class ToolWriter {
  readonly #facts: TargetFacts;
  readonly #consumed = new Set<JsonProperty>();
  readonly #name: string;

  constructor(
    readonly tool: ToolDefinition,
    readonly target: ConvertTarget,
    readonly report: LossReport,
    readonly file: string,
  ) {
    this.#facts = TARGET_FACTS[target];
    this.#name = targetName(target);
  }

  /** The JSON text of the tool; `undefined` when the shape has no such tool. */
  write(): string | undefined {
    const { tool, target } = this;
    if (tool.kind === 'custom' ? !this.#facts.customs : tool.kind !== 'function') {
      const message =
        tool.kind === 'custom'
          ? t('{0} has no tools with a grammar or free text, so the tool goes.', this.#name)
          : t('{0} has no tool of this kind, so the tool goes.', this.#name);
      this.report.at('lost', 'error', tool.node, tool, message);
      return undefined;
    }
    this.#take(tool.node, 'type', (value) => value.kind === 'string');
    if (tool.body !== tool.node) this.#consumed.add(tool.body.property!);
    const members = tool.kind === 'custom' ? this.#custom() : this.#function();
    const local = this.#local();
    this.#rest();
    const kind = tool.kind === 'custom' ? 'custom' : 'function';
    const all = [...members, ...local];
    if (target === 'chat') return object([['type', emitString(kind)], [kind, object(members)], ...local]);
    if (target === 'mcp' || target === 'anthropic') return object(all);
    return object([['type', emitString(kind)], ...all]);
  }

  #custom(): Member[] {
    return [...this.#nameMember(), ...this.#description(), ...this.#deferral(), ...this.#format()];
  }

  #function(): Member[] {
    const { target } = this;
    const head = [...this.#nameMember(), ...this.#titleMember(), ...this.#description()];
    const strict = this.#strict();
    const defer = this.#deferral();
    const schema = this.#schema();
    const output = this.#output();
    const flags = [...strict, ...defer];
    return target === 'responses'
      ? [...head, ...flags, ...schema, ...output]
      : [...head, ...schema, ...output, ...flags];
  }

  /** The value of a member that the result takes over; it is then no loss. */
  #take(
    owner: JsonNode,
    key: string | undefined,
    wanted: (value: JsonNode) => boolean = () => true,
  ): JsonNode | undefined {
    const property = key === undefined ? undefined : owner.get(key);
    if (property?.value === undefined || !wanted(property.value)) return undefined;
    this.#consumed.add(property);
    return property.value;
  }

  #nameMember(): Member[] {
    const { tool } = this;
    const value = this.#take(tool.body, 'name');
    const namespaced = tool.shape === 'codex-dynamic-legacy' ? this.#take(tool.node, 'namespace') : undefined;
    if (value === undefined) return [];
    if (value.string === undefined || this.#facts.namespaces) return [['name', emitJson(value)]];
    const flat = flatNameOf(tool, value.string);
    if (flat !== value.string) {
      const message = t('{0} has no namespaces, so the name becomes "{1}".', this.#name, flat);
      this.report.at('changed', 'warning', value, tool, message, emitString(flat));
      if (namespaced !== undefined) {
        this.report.at('lost', 'warning', namespaced, tool, t('{0} has no namespaces.', this.#name));
      }
    }
    return [['name', emitString(flat)]];
  }

  #titleMember(): Member[] {
    const { titleKey } = this.#facts;
    if (titleKey === undefined) return [];
    const title = this.#take(this.tool.node, TITLE_KEYS[this.tool.shape], (value) => value.kind === 'string');
    return title === undefined ? [] : [[titleKey, emitJson(title)]];
  }

  #description(): Member[] {
    const { tool } = this;
    const key = tool.shape === 'vscode' ? 'modelDescription' : 'description';
    const value = this.#take(tool.body, key, (node) => node.kind === 'string');
    if (value !== undefined) return [['description', emitJson(value)]];
    if (!this.#facts.descriptionRequired) return [];
    const message = t('{0} demands a description, so an empty one stands there.', this.#name);
    const present = this.#take(tool.body, key);
    if (present === undefined) this.report.added(tool.body, key, '""', tool, message);
    else this.report.at('changed', 'warning', present, tool, message, '""');
    return [['description', '""']];
  }

  #schema(): Member[] {
    const { tool } = this;
    const key = SCHEMA_KEYS[this.target];
    const property = tool.schemaNode?.property ?? tool.body.get(tool.schemaKey);
    const node = property?.value;
    if (property === undefined || node === undefined || node.kind === 'null') {
      if (!this.#facts.schemaRequired) return [];
      const message = t('{0} demands a schema, so one without properties stands there.', this.#name);
      if (property === undefined || node === undefined) {
        this.report.added(tool.body, tool.schemaKey, NO_PARAMETERS, tool, message);
      } else {
        this.#consumed.add(property);
        this.report.at('changed', 'info', node, tool, message, NO_PARAMETERS);
      }
      return [[key, NO_PARAMETERS]];
    }
    this.#consumed.add(property);
    const plain = inJsonSchema(tool, node, this.file);
    if (plain !== undefined) {
      const message = t('The types of {0} become those of JSON Schema.', SHAPE_NAMES[tool.shape]);
      this.report.at('changed', 'info', node, tool, message, emitJson(plain));
    }
    return [[key, this.#rooted(plain ?? node, node)]];
  }

  /** The schema with the type `object` at its root, where the target demands that. */
  #rooted(schema: JsonNode, source: JsonNode): string {
    const { tool } = this;
    if (!this.#facts.objectSchema) return emitJson(schema);
    if (schema.kind !== 'object') {
      const message = t('{0} demands an object here, so the schema becomes one that takes any object.', this.#name);
      this.report.at('changed', 'warning', source, tool, message, '{"type":"object"}');
      return '{"type":"object"}';
    }
    const text = emitJson(schema);
    const type = schema.value('type');
    if (type === undefined) {
      const message = t('{0} demands the type "object" at the root of the schema, so it is put in.', this.#name);
      this.report.added(source, 'type', '"object"', tool, message);
      return `{"type":"object"${text === '{}' ? '' : ','}${text.slice(1)}`;
    }
    if (type.string !== 'object') {
      const message = t('{0} refuses a schema without the type "object" at its root. It stays as it is.', this.#name);
      this.report.at('note', 'warning', source, tool, message);
    }
    return text;
  }

  #output(): Member[] {
    const { outputSchemaKey } = this.#facts;
    if (outputSchemaKey === undefined) return [];
    const value = this.#take(this.tool.body, OUTPUT_KEYS[this.tool.shape], (node) => node.kind !== 'null');
    return value === undefined ? [] : [[outputSchemaKey, emitJson(value)]];
  }

  /**
   * Strict mode. OpenAI Responses tries it where nothing is said, all others take that as false; so a missing word becomes
   * false on the way to Responses, and a mode that cannot be said is false from there on.
   */
  #strict(): Member[] {
    const { tool, target } = this;
    const known = STRICT_SHAPES.has(tool.shape);
    const value = known
      ? this.#take(tool.body, 'strict', (node) => node.kind === 'boolean' || node.kind === 'null')
      : undefined;
    const said = value?.boolean;
    if (said === undefined) {
      const unset = tool.shape === 'responses' || target === 'responses';
      if (!unset) {
        if (value !== undefined) this.report.at('lost', 'info', value, tool, t('Null says nothing here.'));
        return [];
      }
      const message =
        target === 'responses'
          ? t(
              'Where nothing is said, OpenAI tries strict mode, and {0} does not: "strict" is put in.',
              SHAPE_NAMES[tool.shape],
            )
          : t('Where nothing is said, OpenAI tries strict mode, and {0} does not.', this.#name);
      if (value === undefined) this.report.added(tool.body, 'strict', 'false', tool, message);
      else this.report.at('changed', 'info', value, tool, message, 'false');
      return target === 'responses' ? [['strict', 'false']] : [];
    }
    if (this.#facts.strict) return [['strict', String(said)]];
    if (said) {
      this.report.at('changed', 'warning', value!, tool, t('{0} has no strict mode.', this.#name), 'false');
    }
    return [];
  }

  #deferral(): Member[] {
    const { tool } = this;
    const { deferKey, deferNeedsNamespace } = this.#facts;
    const own = DEFER_KEYS[tool.shape];
    const deferNode = tool.deferNode;
    if (own === undefined || deferNode?.kind !== 'boolean' || deferNode.property === undefined) return [];
    const possible = !tool.deferred || !deferNeedsNamespace || namespaceOf(tool) !== undefined;
    if (deferKey !== undefined && possible) {
      this.#consumed.add(deferNode.property);
      return [[deferKey, String(tool.deferred)]];
    }
    this.#consumed.add(deferNode.property);
    const message =
      deferKey === undefined
        ? t('{0} cannot defer a tool, so this one is always sent.', this.#name)
        : t('{0} defers tools in namespaces only, and this one stands in none.', this.#name);
    this.report.at('lost', tool.deferred ? 'warning' : 'info', deferNode, tool, message);
    return [];
  }

  /** The format of a custom tool; `{"$file": …}` stays, since the result is a definition file too. */
  #format(): Member[] {
    const { tool, target } = this;
    const { format } = tool;
    const property = format?.node.property;
    if (format === undefined || property === undefined) return [];
    this.#consumed.add(property);
    const { node } = format;
    const nested = node.value('grammar');
    const inner = nested?.kind === 'object' && tool.shape === 'chat' ? nested : node;
    const lose = (each: JsonProperty): void => {
      if (each.value === undefined) return;
      this.report.at('lost', 'info', each.value, tool, t('{0} has no member "{1}" here.', this.#name, each.key));
    };
    const isText = format.type === 'text';
    for (const each of effectiveProperties(node)) {
      if (each.key === 'type' || each.value === nested) continue;
      if (inner !== node || isText || (each.key !== 'syntax' && each.key !== 'definition')) lose(each);
    }
    if (nested !== undefined && inner === node) lose(nested.property!);
    if (isText) return [['format', '{"type":"text"}']];
    if (inner !== node) {
      for (const each of effectiveProperties(inner)) {
        if (each.key !== 'syntax' && each.key !== 'definition') lose(each);
      }
    }
    if (node.value('type')?.string !== 'grammar') {
      this.report.added(node, 'type', '"grammar"', tool, t('A format with a grammar says so.'));
    }
    const parts: Member[] = [];
    for (const key of ['syntax', 'definition']) {
      const value = inner.value(key);
      if (value !== undefined) parts.push([key, emitJson(value)]);
    }
    const grammar: Member = ['type', '"grammar"'];
    return [
      ['format', target === 'chat' ? object([grammar, ['grammar', object(parts)]]) : object([grammar, ...parts])],
    ];
  }

  #local(): Member[] {
    const facts = this.#take(this.tool.node, LOCAL_KEY) ?? this.#take(this.tool.body, LOCAL_KEY);
    return facts === undefined ? [] : [[LOCAL_KEY, emitJson(facts)]];
  }

  /** What nothing took over is lost. */
  #rest(): void {
    const { tool } = this;
    const owners = tool.body === tool.node ? [tool.node] : [tool.node, tool.body];
    for (const owner of owners) {
      for (const { key, value } of effectiveProperties(owner)) {
        if (value === undefined || this.#consumed.has(owner.get(key)!)) continue;
        const isNull = value.kind === 'null';
        const message = isNull
          ? t('{0} takes no null here, which says nothing anyway.', this.#name)
          : t('{0} has no place for "{1}", so it goes.', this.#name, key);
        this.report.at('lost', isNull ? 'info' : 'warning', value, tool, message);
      }
    }
  }
}

/** An object as JSON text. */
export function object(members: readonly Member[]): string {
  return `{${members.map(([key, text]) => `${emitString(key)}:${text}`).join(',')}}`;
}
