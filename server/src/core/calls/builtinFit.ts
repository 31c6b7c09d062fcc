import type { HandlerSpec } from '../config/handlers';
import { type Message, t } from '../text/message';
import type { ToolDefinition } from '../tools/model';

/** What decides whether a builtin handler can read the calls of a tool. */
export interface FitTool extends Pick<ToolDefinition, 'kind' | 'name'> {
  readonly format: { readonly type: string | undefined } | undefined;
}

/**
 * Why a builtin handler can say nothing about the calls of a tool; `undefined` where it can, and for handlers of other
 * kinds.
 */
export function unsuitedBuiltin(spec: HandlerSpec | undefined, tool: FitTool): Message | undefined {
  if (spec?.kind !== 'builtin') return undefined;
  const custom = tool.kind === 'custom';
  const name = tool.name ?? '';
  switch (spec.name) {
    case 'grammar':
      if (!custom) {
        return t(
          'The builtin handler "grammar" reads the input of a custom tool by its grammar. "{0}" is a function, so it can say nothing about its calls.',
          name,
        );
      }
      if (tool.format?.type === 'grammar') return undefined;
      return t(
        'The builtin handler "grammar" reads input by the grammar of its tool. "{0}" has none and takes every text, so it can say nothing about its calls.',
        name,
      );
    case 'json-schema':
      if (!custom) return undefined;
      return t(
        'The builtin handler "json-schema" reads the arguments of a function by its schema. "{0}" is a custom tool, so it can say nothing about its calls.',
        name,
      );
    case 'apply_patch':
      if (custom) return undefined;
      return t(
        'The builtin handler "apply_patch" reads raw text. "{0}" is a function, whose arguments are JSON, so it would reject every call.',
        name,
      );
    default:
      return undefined;
  }
}

/** The builtin handler that says what the contract of a tool says; `undefined` for free text. */
export function suitedBuiltin(tool: FitTool): 'grammar' | 'json-schema' | undefined {
  if (tool.kind !== 'custom') return 'json-schema';
  return tool.format?.type === 'grammar' ? 'grammar' : undefined;
}
