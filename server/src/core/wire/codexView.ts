import { t } from '../text/message';
import type { ToolDefinition } from '../tools/model';
import type { WireNote, WireOptions } from './options';
import { type CodexPlan, type PlannedTool, standing } from './plan';
import { deferredSpecs } from './render/deferred';
import { liteSpecs } from './render/lite';
import { mergeNamespaces, type ToolSpec } from './spec';

/** The tool lists that Codex makes of a set, for one reading: `notes` grows with each list that is made. */
export class CodexView {
  readonly notes: WireNote[];
  readonly #options: WireOptions;
  /** Tools of which the definition, or the way they take, says that only tool search finds them. */
  readonly #anyMarked: boolean;

  constructor(
    readonly plan: CodexPlan,
    options: WireOptions,
  ) {
    this.#options = options;
    this.notes = [...this.plan.notes];
    this.#anyMarked = this.plan.tools.some((each) => each.tool !== undefined && isMarked(each));
  }

  /** The list in the form of the mode: `tools` of a request, of Lite's item, or of what a tool search gives back. */
  list(): ToolSpec[] {
    if (this.#options.mode === 'deferred') return this.found();
    return this.direct();
  }

  /** Tools that stand in every request. */
  direct(): ToolSpec[] {
    const { mode, provider } = this.#options;
    const chosen: ToolSpec[] = [];
    for (const planned of this.plan.tools) {
      if (planned.tool === undefined) chosen.push(standing(planned));
      else if (this.#isDirect(planned)) chosen.push(standing(planned));
    }
    let specs: ToolSpec[] = mergeNamespaces(chosen);
    if (provider?.namespaces === false) specs = this.#withoutNamespaces(specs);
    else if (mode === 'lite') specs = liteSpecs(specs);
    return specs;
  }

  /** Tools as a search gives them back. Empty where the provider has no namespaces, which tool search needs. */
  found(): ToolSpec[] {
    if (this.#options.provider?.namespaces === false) {
      const message = t('The provider has no namespaces, and without them there is no tool search.');
      this.notes.push({ kind: 'left-out', message, reason: undefined, node: undefined, tool: undefined });
      return [];
    }
    const chosen: ToolSpec[] = [];
    for (const planned of this.plan.tools) {
      if (planned.tool === undefined) continue;
      const reason = this.#notFound(planned);
      if (reason === undefined) chosen.push(standing(planned));
      else this.#leaveOut(planned.tool, reason);
    }
    return deferredSpecs(chosen);
  }

  /**
   * Why a search cannot find the tool. It can when it is marked, or comes by MCP, whose tools Codex defers all; in a set
   * without any mark, every tool that can be deferred is shown in this form.
   */
  #notFound({ exposure, spec, tool }: PlannedTool): Reason | undefined {
    if (exposure === 'hidden') return 'hidden';
    if (spec.kind !== 'function' && spec.kind !== 'custom') return 'kind';
    if (exposure === 'direct') return 'direct';
    const found = exposure === 'deferred' || spec.deferred || tool.shape === 'mcp' || !this.#anyMarked;
    return found ? undefined : 'direct';
  }

  #isDirect(planned: PlannedTool): boolean {
    const { exposure, spec, tool } = planned;
    const { mode, provider, webSearch } = this.#options;
    if (exposure === 'hidden') return this.#leaveOut(tool, 'hidden');
    const searched = mode === 'deferred' && this.#notFound(planned) === undefined;
    if (exposure === 'deferred' || searched) return this.#leaveOut(tool, 'deferred');
    if (spec.kind === 'web_search' && (webSearch === 'disabled' || provider?.webSearch === false)) {
      return this.#leaveOut(tool, 'web-search');
    }
    const hosted = spec.kind === 'web_search' || spec.kind === 'hosted';
    return mode === 'lite' && hosted ? this.#leaveOut(tool, 'lite') : true;
  }

  #leaveOut(tool: ToolDefinition, why: Reason): false {
    const node = tool.nameNode ?? tool.node;
    this.notes.push({ kind: 'left-out', message: LEFT_OUT[why], reason: undefined, node, tool });
    return false;
  }

  #withoutNamespaces(specs: readonly ToolSpec[]): ToolSpec[] {
    return specs.filter((spec) => {
      if (spec.kind !== 'namespace') return true;
      const message = t('The provider has no namespaces, so the tools of "{0}" are left out.', spec.name);
      this.notes.push({ kind: 'left-out', message, reason: undefined, node: spec.node, tool: undefined });
      return false;
    });
  }
}

type Reason = keyof typeof LEFT_OUT;

const LEFT_OUT = {
  hidden: t('The tool is hidden, so no request has it.'),
  deferred: t('The tool is deferred: only a tool search shows it to the model.'),
  direct: t('The tool stands in every request, so no tool search gives it back.'),
  kind: t('A tool of this kind cannot be deferred.'),
  lite: t('Responses Lite has no tools that run at the provider.'),
  'web-search': t('Web search is switched off.'),
};

function isMarked({ exposure, spec }: PlannedTool): boolean {
  return exposure === 'deferred' || ((spec.kind === 'function' || spec.kind === 'custom') && spec.deferred);
}
