import { GEMINI_HOSTED_KEYS } from '../profiles/toolTypes';
import type { JsonNode } from '../text/json';
import { type Message, t } from '../text/message';
import { list } from '../text/words';
import { detectItem, type Expectation } from './detectItem';
import type { ContainerKind, ToolShape } from './model';

/** What a file holds: the items that are to be read as tools, and why. */
export interface Container {
  readonly kind: ContainerKind;
  /** Every item of the list, or the single tool. */
  readonly items: readonly JsonNode[];
  readonly listNode: JsonNode | undefined;
  /** The shape that the container demands or suggests. */
  readonly expected: Expectation | undefined;
  readonly reasons: readonly Message[];
  /** Objects around the list, from the outermost: their `x-toolspec` gives defaults. */
  readonly owners: readonly JsonNode[];
}

/** Keys that only a request body has beside its tools. */
const BODY_KEYS = ['model', 'input', 'instructions', 'tool_choice'];

/**
 * Finds the list of tools in a document, whatever is wrapped around it, the most specific form first.
 * The shape of each item is judged apart from this (`detectItem`).
 */
export function detectContainer(root: JsonNode | undefined): Container {
  const finder = new ContainerFinder();
  if (root === undefined) return finder.none(t('The file is empty.'));
  return finder.find(root);
}

class ContainerFinder {
  readonly #reasons: Message[] = [];
  readonly #owners: JsonNode[] = [];

  find(root: JsonNode): Container {
    if (root.kind === 'array') return this.#array(root);
    if (root.kind !== 'object') return this.none(t('Tool definitions are objects or lists of objects.'));
    this.#owners.push(root);
    return this.#object(this.#unwrap(root));
  }

  none(reason: Message): Container {
    return this.#found('none', [], undefined, undefined, reason);
  }

  #found(
    kind: ContainerKind,
    items: readonly JsonNode[],
    listNode: JsonNode | undefined,
    expected: Expectation | undefined,
    reason: Message,
  ): Container {
    return { kind, items, listNode, expected, reasons: [...this.#reasons, reason], owners: this.#owners };
  }

  /** Out of a JSON-RPC response (`result`), a request (`params`), or a bare `result`. */
  #unwrap(root: JsonNode): JsonNode {
    for (const key of ['result', 'params'] as const) {
      const inner = root.value(key);
      if (inner?.kind !== 'object' || root.has('tools') || !(inner.has('tools') || inner.has('dynamicTools'))) continue;
      this.#reasons.push(
        root.has('jsonrpc')
          ? t('The object is a JSON-RPC message, so its "{0}" is read.', key)
          : t('The object holds the tools in its "{0}".', key),
      );
      this.#owners.push(inner);
      return inner;
    }
    return root;
  }

  #array(root: JsonNode): Container {
    if (root.items.some(isGeminiEntry)) return this.#gemini(root);
    return this.#found('array', root.items, root, undefined, t('The file is a list.'));
  }

  #object(object: JsonNode): Container {
    return (
      this.#languageModelTools(object) ??
      this.#marked(object) ??
      this.#dynamicTools(object) ??
      this.#declarations(object) ??
      this.#tools(object) ??
      this.#functions(object) ??
      this.#single(object)
    );
  }

  #languageModelTools(object: JsonNode): Container | undefined {
    for (const owner of [object, object.value('contributes')]) {
      const tools = owner?.value('languageModelTools');
      if (owner === undefined || tools?.kind !== 'array') continue;
      if (owner !== object) this.#owners.push(owner);
      const expected: Expectation = { shape: 'vscode', evidence: 'languageModelTools' };
      const reason = t('The list stands under "{0}".', 'languageModelTools');
      return this.#found('language-model-tools', tools.items, tools, expected, reason);
    }
    return undefined;
  }

  /** Objects whose `type` says what they are, and bodies with such an object among their input. */
  #marked(object: JsonNode): Container | undefined {
    const type = object.value('type')?.string;
    const tools = object.value('tools');
    const expected: Expectation = { shape: 'responses', evidence: 'type' };
    if (type === 'tool_search_output' && tools?.kind === 'array') {
      return this.#found(
        'tool-search-output',
        tools.items,
        tools,
        expected,
        t('The object is the output of tool search.'),
      );
    }
    if (type === 'additional_tools' && tools?.kind === 'array') {
      const reason = t('The object is the input item that carries tools in Responses Lite.');
      return this.#found('lite-body', tools.items, tools, expected, reason);
    }
    if (type === 'namespace') return undefined;
    const input = object.value('input');
    if (input?.kind !== 'array') return undefined;
    const lists = input.items
      .filter((item) => item.value('type')?.string === 'additional_tools')
      .map((item) => item.value('tools'))
      .filter((node) => node?.kind === 'array');
    if (lists.length === 0) return undefined;
    if (tools?.kind === 'array') lists.unshift(tools);
    const items = lists.flatMap((node) => node!.items);
    const reason = t('The body has an input item of type "{0}", as in Responses Lite.', 'additional_tools');
    return this.#found('lite-body', items, lists[0], { shape: 'responses', evidence: 'input' }, reason);
  }

  #dynamicTools(object: JsonNode): Container | undefined {
    const tools = object.value('dynamicTools');
    if (tools?.kind !== 'array') return undefined;
    const expected: Expectation = { shape: 'codex-dynamic', evidence: 'dynamicTools' };
    return this.#found(
      'dynamic-tools',
      tools.items,
      tools,
      expected,
      t('The list stands under "{0}".', 'dynamicTools'),
    );
  }

  #declarations(object: JsonNode): Container | undefined {
    if (isGeminiEntry(object)) return this.#gemini(object);
    const tools = object.value('tools');
    return tools?.kind === 'array' && tools.items.some(isGeminiEntry) ? this.#gemini(tools) : undefined;
  }

  /** Gemini's lists: one object with declarations, or a list of such objects with hosted tools between. */
  #gemini(holder: JsonNode): Container {
    const items: JsonNode[] = [];
    let listNode: JsonNode | undefined;
    for (const entry of holder.kind === 'array' ? holder.items : [holder]) {
      const declarations = declarationsOf(entry);
      if (declarations === undefined) items.push(entry);
      else {
        listNode ??= declarations;
        for (const item of declarations.items) items.push(item);
      }
    }
    const expected: Expectation = { shape: 'gemini', evidence: 'functionDeclarations' };
    const reason = t('The list stands under "{0}".', 'functionDeclarations');
    return this.#found('function-declarations', items, listNode ?? holder, expected, reason);
  }

  #tools(object: JsonNode): Container | undefined {
    const tools = object.value('tools');
    if (tools?.kind !== 'array' || object.value('type')?.string === 'namespace') return undefined;
    const shapes = new Set<ToolShape>();
    for (const item of tools.items) {
      const guess = detectItem(item);
      if (guess?.fits.length === 1) shapes.add(guess.fits[0]!);
    }
    const messages = object.has('messages');
    if (shapes.has('anthropic') ? messages || object.has('max_tokens') : messages && object.has('system')) {
      const reason = t(
        'The object has "{0}" and "{1}", as a request to Anthropic.',
        'tools',
        messages ? 'messages' : 'max_tokens',
      );
      return this.#found('anthropic-body', tools.items, tools, { shape: 'anthropic', evidence: undefined }, reason);
    }
    if (messages) {
      const reason = t('The object has "{0}" and "{1}", as a request to Chat Completions.', 'tools', 'messages');
      return this.#found('chat-body', tools.items, tools, { shape: 'chat', evidence: undefined }, reason);
    }
    const marks = BODY_KEYS.filter((key) => object.has(key));
    if (marks.length > 0 && !shapes.has('mcp') && !shapes.has('anthropic')) {
      if (shapes.has('chat') && !shapes.has('responses')) {
        const reason = t(
          'The object has {0} beside a list of nested tools, as a request body.',
          list(marks.map(quoted)),
        );
        return this.#found('chat-body', tools.items, tools, { shape: 'chat', evidence: undefined }, reason);
      }
      const reason = t(
        'The object has {0} beside "{1}", as a request to OpenAI Responses.',
        list(marks.map(quoted)),
        'tools',
      );
      return this.#found('responses-body', tools.items, tools, { shape: 'responses', evidence: marks[0] }, reason);
    }
    return this.#toolsAlone(object, tools, shapes);
  }

  #toolsAlone(object: JsonNode, tools: JsonNode, shapes: ReadonlySet<ToolShape>): Container {
    const untyped = tools.items.every((item) => !item.has('type'));
    const mark = ['nextCursor', '_meta'].find((key) => object.has(key));
    const wrapped = this.#owners.length > 1 && this.#owners[0]!.has('jsonrpc');
    const others = [...shapes].some((shape) => shape !== 'mcp');
    if (untyped && (mark !== undefined || wrapped)) {
      const reason = t('The object has the form of an MCP answer to tools/list.');
      return this.#found('mcp-list', tools.items, tools, { shape: 'mcp', evidence: mark ?? 'result' }, reason);
    }
    const schemas = tools.items.some((item) => item.has('inputSchema'));
    if (untyped && schemas && !others) {
      const reason = t(
        'The object has a list under "{0}" whose items have "{1}" and no "{2}".',
        'tools',
        'inputSchema',
        'type',
      );
      return this.#found('mcp-list', tools.items, tools, { shape: 'mcp', evidence: undefined }, reason);
    }
    return this.#found('tools-object', tools.items, tools, undefined, t('The object has a list under "{0}".', 'tools'));
  }

  /** The older list of Chat Completions. */
  #functions(object: JsonNode): Container | undefined {
    const functions = object.value('functions');
    if (functions?.kind !== 'array') return undefined;
    const kind = object.has('messages') || object.has('model') ? 'chat-body' : 'tools-object';
    const expected: Expectation = { shape: 'chat-legacy', evidence: undefined };
    return this.#found(kind, functions.items, functions, expected, t('The list stands under "{0}".', 'functions'));
  }

  #single(object: JsonNode): Container {
    const guess = detectItem(object);
    if (guess?.fallback === undefined) return this.none(noToolReason(object));
    return this.#found('single', [object], object, undefined, t('The file is one object.'));
  }
}

function quoted(key: string): string {
  return `"${key}"`;
}

/** Why an object is no tool, in terms of the keys that it has. */
function noToolReason(object: JsonNode): Message {
  if (object.properties.length === 0) return t('The object is empty.');
  if (object.has('tools')) return t('"{0}" is not a list.', 'tools');
  const keys = [...new Set(object.properties.map((property) => property.key))].map(quoted);
  return t(
    'The object has {0}, and none of the keys that hold a schema or a list of tools ("parameters", "inputSchema", "input_schema", "tools").',
    list(keys, 4),
  );
}

/** Gemini's declarations in an entry of its `tools`, in either spelling. */
function declarationsOf(node: JsonNode): JsonNode | undefined {
  const declarations = node.value('functionDeclarations') ?? node.value('function_declarations');
  return declarations?.kind === 'array' ? declarations : undefined;
}

function isGeminiEntry(node: JsonNode): boolean {
  return declarationsOf(node) !== undefined;
}

/** Whether an entry of Gemini's `tools` is a tool that Google runs, such as `{"googleSearch": {}}`. */
export function isGeminiHosted(node: JsonNode): boolean {
  return node.properties.some((property) => GEMINI_HOSTED_KEYS.has(property.key));
}
