import type { JsonNode } from '../text/json';
import { type Message, t } from '../text/message';
import { utf8Length } from '../text/utf8';
import type { ToolDefinition, ToolSet } from '../tools/model';
import { CodexView } from './codexView';
import type { WireMode, WireNote, WireOptions } from './options';
import { type CodexPlan, planForCodex } from './plan';
import { anthropicTool } from './render/anthropic';
import { chatTool } from './render/chat';
import { mcpTool } from './render/mcp';
import type { PortableContext, PortableText } from './render/portable';
import { codexRequest, portableRequest } from './request';
import { emitSpec, emitSpecs } from './spec';

/** An exact text with what there is to know about it. */
export interface WireText {
  /** Compact JSON; empty with a `refusal`. */
  readonly text: string;
  /** UTF-8 bytes of `text`. */
  readonly bytes: number;
  readonly notes: readonly WireNote[];
  /** Why there is no text. */
  readonly refusal: WireNote | undefined;
}

/** The wire views of a set of tools in one mode. What they share is made once, on first use. */
export interface Wire {
  /** One tool: the object of itself, inside its namespace where it has one. */
  tool(tool: ToolDefinition): WireText;
  /** The tool list. */
  set(): WireText;
  /** The whole body of a request; for `mcp` the answer to `tools/list`. */
  request(): WireText;
}

/** The wire views of a set of tools. Never throws, also for half-typed files. */
export function createWire(set: ToolSet, options: WireOptions): Wire {
  const { mode } = options;
  return isPortable(mode) ? new PortableWire(set, options, mode) : new CodexWire(set, options, mode);
}

type CodexMode = 'responses' | 'lite' | 'deferred';
type PortableMode = 'chat' | 'mcp' | 'anthropic';

function isPortable(mode: WireMode): mode is PortableMode {
  return mode === 'chat' || mode === 'mcp' || mode === 'anthropic';
}

function textOf(text: string, notes: readonly WireNote[]): WireText {
  return { text, bytes: utf8Length(text), notes, refusal: undefined };
}

function refusedBy(refusal: WireNote, notes: readonly WireNote[]): WireText {
  return { text: '', bytes: 0, notes, refusal };
}

class CodexWire implements Wire {
  readonly #options: WireOptions;
  #cached: CodexPlan | undefined;
  #notesByTool: Map<ToolDefinition | undefined, WireNote[]> | undefined;

  constructor(
    readonly toolSet: ToolSet,
    options: WireOptions,
    readonly mode: CodexMode,
  ) {
    this.#options = options;
  }

  get #plan(): CodexPlan {
    this.#cached ??= planForCodex(this.toolSet, this.#options);
    return this.#cached;
  }

  tool(tool: ToolDefinition): WireText {
    const plan = this.#plan;
    if (this.#notesByTool === undefined) {
      this.#notesByTool = new Map();
      for (const note of plan.notes) {
        const list = this.#notesByTool.get(note.tool);
        if (list === undefined) this.#notesByTool.set(note.tool, [note]);
        else list.push(note);
      }
    }
    const notes = this.#notesByTool.get(tool) ?? [];
    const planned = plan.byTool.get(tool);
    if (planned === undefined) {
      const refusal = notes.find((note) => note.kind === 'refused') ?? notes[0] ?? plan.refusal ?? unknown(tool);
      return refusedBy(refusal, notes);
    }
    const { spec } = planned;
    if (this.mode !== 'deferred') return textOf(emitSpec(spec), notes);
    if (spec.kind === 'function' || spec.kind === 'custom') return textOf(emitSpec({ ...spec, deferred: true }), notes);
    const message = t('A tool of this kind cannot be deferred.');
    const note: WireNote = { kind: 'left-out', message, reason: undefined, node: tool.node, tool };
    return refusedBy(note, [...notes, note]);
  }

  set(): WireText {
    const view = new CodexView(this.#plan, this.#options);
    if (view.plan.refusal !== undefined) return refusedBy(view.plan.refusal, view.notes);
    const text = emitSpecs(view.list());
    return textOf(text, view.notes);
  }

  request(): WireText {
    const view = new CodexView(this.#plan, this.#options);
    if (view.plan.refusal !== undefined) return refusedBy(view.plan.refusal, view.notes);
    const found = this.mode === 'deferred' ? view.found() : [];
    const known = view.notes.length;
    const direct = view.direct();
    // What is no part of one half of a deferred request is part of the other.
    if (this.mode === 'deferred') view.notes.splice(known);
    return textOf(codexRequest({ mode: this.mode, direct, found }), view.notes);
  }
}

/** A tool that none of the ways through Codex took: the set it belongs to is another one. */
function unknown(tool: ToolDefinition): WireNote {
  const message = t('The tool is no part of the tools that are sent.');
  return { kind: 'left-out', message, reason: undefined, node: tool.node, tool };
}

const RENDERERS: Readonly<Record<PortableMode, (tool: ToolDefinition, context: PortableContext) => PortableText>> = {
  chat: chatTool,
  mcp: mcpTool,
  anthropic: anthropicTool,
};

class PortableWire implements Wire {
  constructor(
    readonly toolSet: ToolSet,
    readonly options: WireOptions,
    readonly mode: PortableMode,
  ) {}

  #render(tool: ToolDefinition): { readonly made: PortableText; readonly notes: WireNote[] } {
    const notes: WireNote[] = [];
    const lose = (message: Message, node: JsonNode | undefined): void => {
      notes.push({ kind: 'changed', message, reason: undefined, node, tool });
    };
    const made = RENDERERS[this.mode](tool, { options: this.options, lose });
    if ('note' in made) notes.push(made.note);
    return { made, notes };
  }

  tool(tool: ToolDefinition): WireText {
    const { made, notes } = this.#render(tool);
    return 'note' in made ? refusedBy(made.note, notes) : textOf(made.text, notes);
  }

  set(): WireText {
    const { texts, notes } = this.#list();
    return textOf(`[${texts.join(',')}]`, notes);
  }

  request(): WireText {
    const { texts, notes } = this.#list();
    return textOf(portableRequest(this.mode, `[${texts.join(',')}]`), notes);
  }

  #list(): { readonly texts: string[]; readonly notes: WireNote[] } {
    const texts: string[] = [];
    const notes: WireNote[] = [];
    for (const tool of this.toolSet.tools) {
      if (tool.local.exposure === 'hidden') {
        const message = t('The tool is hidden, so no request has it.');
        notes.push({ kind: 'left-out', message, reason: undefined, node: tool.nameNode ?? tool.node, tool });
        continue;
      }
      const { made, notes: own } = this.#render(tool);
      if ('text' in made) texts.push(made.text);
      notes.push(...own);
    }
    return { texts, notes };
  }
}
