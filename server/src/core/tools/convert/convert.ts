import { emitJson, emitString } from '../../text/emit';
import { type JsonNode, parseJson } from '../../text/json';
import { effectiveProperties } from '../../text/jsonTree';
import { t } from '../../text/message';
import { prettyJson } from '../../text/pretty';
import { flatNameOf, namespaceOf } from '../flatName';
import { LOCAL_KEY } from '../local';
import type { ToolDefinition, ToolNamespace, ToolSet } from '../model';
import { object, ToolWriter } from './function';
import { type Loss, LossReport } from './loss';
import { type ConvertTarget, TARGET_FACTS, targetName } from './targets';

/** Definitions in another shape. */
export interface Converted {
  /** JSON, two spaces per level, with a line feed at the end. Numbers keep their spelling. */
  readonly text: string;
  /** Tools in it. */
  readonly tools: number;
  /** What the source has and the text has not, and what had to be put in, by the places in the source. */
  readonly losses: readonly Loss[];
}

/**
 * Converts definitions of any shape into a definition file of another one. Nothing is compiled, and facts under
 * `x-toolspec` and grammars in files stay, since the result is a file for people, not what goes on the wire.
 *
 * Never throws. Every value of the source that is not in the result is named by the losses.
 */
export function convertTools(set: ToolSet, target: ConvertTarget): Converted {
  return new Converter(set, target).convert();
}

interface Group {
  readonly name: string;
  readonly tools: string[];
}

class Converter {
  readonly #report = new LossReport();
  readonly #texts: (string | Group)[] = [];
  readonly #groups = new Map<string, Group>();
  #tools = 0;

  constructor(
    readonly set: ToolSet,
    readonly target: ConvertTarget,
  ) {}

  convert(): Converted {
    const { set, target } = this;
    for (const entry of set.entries) {
      if ('tool' in entry) this.#entry(entry.tool);
      else this.#namespace(entry.namespace);
    }
    const facts = this.#around();
    this.#comments();
    this.#sameNames();
    const texts = this.#texts.map((each) => (typeof each === 'string' ? each : groupText(each)));
    const single = set.container === 'single' && texts.length === 1 ? texts[0] : undefined;
    const text = single ?? listText(texts, facts, target);
    return { text: `${prettyJson(parseJson(text).root!)}\n`, tools: this.#tools, losses: this.#report.losses };
  }

  #write(tool: ToolDefinition): string | undefined {
    const text =
      tool.shape === this.target
        ? emitJson(tool.node)
        : new ToolWriter(tool, this.target, this.#report, this.set.document.text).write();
    if (text !== undefined) this.#tools++;
    return text;
  }

  #entry(tool: ToolDefinition): void {
    const text = this.#write(tool);
    if (text === undefined) return;
    const name = TARGET_FACTS[this.target].namespaces ? namespaceOf(tool) : undefined;
    if (name === undefined) {
      this.#texts.push(text);
      return;
    }
    // Flat dynamic tools name their namespaces one by one.
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = { name, tools: [] };
      this.#groups.set(name, group);
      this.#texts.push(group);
    }
    group.tools.push(text);
  }

  #namespace(namespace: ToolNamespace): void {
    const { node, tools } = namespace;
    if (namespace.shape === this.target && tools.every(({ shape }) => shape === this.target)) {
      this.#texts.push(emitJson(node));
      this.#tools += tools.length;
      return;
    }
    const { namespaces } = TARGET_FACTS[this.target];
    const name = targetName(this.target);
    const texts = tools.flatMap((tool) => this.#write(tool) ?? []);
    const known = new Set(tools.map((tool) => tool.node));
    for (const item of node.value('tools')?.items ?? []) {
      if (!known.has(item)) this.#report.at('lost', 'warning', item, undefined, t('This is no tool, so it goes.'));
    }
    if (!namespaces) {
      const message = t(
        '{0} has no namespaces: the tools stand on their own, and what the namespace says of itself goes.',
        name,
      );
      this.#report.at('unwrapped', 'warning', node, undefined, message);
      this.#texts.push(...texts);
      return;
    }
    if (texts.length === 0 && this.target === 'codex-dynamic') {
      this.#report.at('lost', 'warning', node, undefined, t('{0} has no namespaces without tools.', name));
      return;
    }
    this.#texts.push(this.#namespaceText(namespace, texts));
  }

  #namespaceText({ node }: ToolNamespace, texts: readonly string[]): string {
    const target = targetName(this.target);
    const members: [string, string][] = [['type', '"namespace"']];
    for (const { key, value } of effectiveProperties(node)) {
      if (value === undefined || key === 'type' || key === 'tools') continue;
      if (key === 'name' || key === LOCAL_KEY || (key === 'description' && value.kind === 'string')) {
        members.push([key, emitJson(value)]);
      } else if (key === 'description' && TARGET_FACTS[this.target].descriptionRequired) {
        const message = t('{0} demands a description, so an empty one stands there.', target);
        this.#report.at('changed', 'info', value, undefined, message, '""');
        members.push([key, '""']);
      } else {
        this.#report.at('lost', 'warning', value, undefined, t('{0} has no place for "{1}", so it goes.', target, key));
      }
    }
    if (!node.has('description') && TARGET_FACTS[this.target].descriptionRequired) {
      const message = t('{0} demands a description, so an empty one stands there.', target);
      this.#report.added(node, 'description', '""', undefined, message);
      members.push(['description', '""']);
    }
    members.push(['tools', `[${texts.join(',')}]`]);
    return object(members);
  }

  /**
   * What stands around the tools goes, but for local facts, of which the outermost object's stay. A manifest that has
   * tools among much else is no file of tools, so nothing is said of the rest.
   */
  #around(): string | undefined {
    const { root } = this.set.document;
    const { container } = this.set;
    if (root === undefined || container === 'single' || container === 'language-model-tools') return undefined;
    const inside = new Set<JsonNode>();
    const entries = new Set<JsonNode>();
    for (const entry of this.set.entries) {
      const { node } = 'tool' in entry ? entry.tool : entry.namespace;
      entries.add(node);
      for (let at = node.parent; at !== undefined && !inside.has(at); at = at.parent) inside.add(at);
    }
    let facts: string | undefined;
    const stack: JsonNode[] = [root];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const children = node.kind === 'array' ? node.items : effectiveProperties(node).map(({ value }) => value!);
      for (const child of children) {
        if (entries.has(child)) continue;
        if (inside.has(child)) stack.push(child);
        else if (child.property?.key === LOCAL_KEY && facts === undefined) facts = emitJson(child);
        else if (child !== this.set.listNode) this.#loseAround(child);
      }
    }
    return facts;
  }

  #loseAround(node: JsonNode): void {
    const key = node.property?.key;
    const message =
      key === undefined ? t('This is no tool, so it goes.') : t('"{0}" stands beside the tools, so it goes.', key);
    this.#report.at('lost', key === undefined ? 'warning' : 'info', node, undefined, message);
  }

  #comments(): void {
    const { root, problems } = this.set.document;
    const comments = problems.filter(({ code }) => code === 'comment').length;
    if (comments === 0 || root === undefined) return;
    const message = comments === 1 ? t('The comment of the file goes.') : t('The comments of the file go.');
    this.#report.at('note', 'info', root, undefined, message);
  }

  /** Names that were apart by their namespaces and are not any more. */
  #sameNames(): void {
    if (TARGET_FACTS[this.target].namespaces) return;
    const seen = new Set<string>();
    for (const tool of this.set.tools) {
      if (tool.name === undefined) continue;
      const flat = flatNameOf(tool, tool.name);
      if (seen.has(flat) && flat !== tool.name) {
        this.#report.at(
          'note',
          'warning',
          tool.nameNode ?? tool.node,
          tool,
          t('Another tool is called "{0}" here too.', flat),
        );
      }
      seen.add(flat);
    }
  }
}

function groupText({ name, tools }: Group): string {
  const members: [string, string][] = [
    ['type', '"namespace"'],
    ['name', emitString(name)],
    ['description', '""'],
    ['tools', `[${tools.join(',')}]`],
  ];
  return object(members);
}

/** The list of tools, in an object where the target wants one or where facts of the file stay. */
function listText(texts: readonly string[], facts: string | undefined, target: ConvertTarget): string {
  const list = `[${texts.join(',')}]`;
  if (target !== 'mcp' && facts === undefined) return list;
  const key = target === 'codex-dynamic' ? 'dynamicTools' : 'tools';
  return object([...(facts === undefined ? [] : [[LOCAL_KEY, facts] as const]), [key, list] as const]);
}
