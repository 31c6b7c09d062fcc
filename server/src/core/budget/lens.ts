import { type Message, t } from '../text/message';
import { utf8Length } from '../text/utf8';
import { bytes } from '../text/words';
import type { Exposure, ToolDefinition } from '../tools/model';
import { passesGo, type ToolSize } from './sizes';

/** Where a tool goes, by its own words and those of `x-toolspec`. */
export function exposureOf(tool: ToolDefinition): Exposure {
  return tool.local.exposure ?? (tool.deferred ? 'deferred' : 'direct');
}

/**
 * The fact about a tool that its lens line opens with, for example
 * `6,120 of 5,000 bytes · descriptions and definitions go`. Without a size (the target Codex is off, or the tool has
 * no schema) it names what there is.
 */
export function lensStatus(tool: ToolDefinition, size: ToolSize | undefined): Message {
  return exposed(tool, size === undefined ? unsized(tool) : sizeStatus(size, tool.local.trusted));
}

/** The same in the fewest words, for a row of a list: `6,120 bytes`. The budget is the same in all rows. */
export function rowStatus(tool: ToolDefinition, size: ToolSize | undefined): Message {
  if (size === undefined || size.refusal !== undefined) return lensStatus(tool, size);
  return exposed(tool, bytes(size.sourceBytes));
}

function exposed(tool: ToolDefinition, main: Message): Message {
  const exposure = exposureOf(tool);
  if (exposure === 'deferred') return t('{0} · deferred', main);
  return exposure === 'hidden' ? t('{0} · hidden from the model', main) : main;
}

/** The size of a schema in a few words: what is held against the budget, and what goes. */
export function sizeStatus(size: ToolSize, trusted: boolean): Message {
  if (size.refusal !== undefined) return t('Codex refuses this tool');
  if (trusted && size.sourceBytes > size.budgetBytes) {
    return t('{0} of {1} · trusted, so nothing is shrunk', size.sourceBytes, bytes(size.budgetBytes));
  }
  const used = t('{0} of {1}', size.sourceBytes, bytes(size.budgetBytes));
  if (size.sourceBytes <= size.budgetBytes) return used;
  if (size.passes.length === 0) return t('{0} · no pass finds anything to take, sent as it is', used);
  const go = t('{0} · {1}', used, passesGo(size.passes));
  return size.overBudget ? t('{0} · still {1}, sent as it is', go, bytes(size.bytes)) : go;
}

function unsized(tool: ToolDefinition): Message {
  if (tool.kind === 'custom') {
    const text = tool.format?.definitionNode?.string;
    if (tool.format?.type !== 'grammar') return t('free text');
    return text === undefined || tool.format.file !== undefined
      ? t('grammar')
      : t('grammar, {0}', bytes(utf8Length(text)));
  }
  if (tool.kind === 'tool-search') return t('tool search');
  if (tool.kind === 'web-search') return t('web search');
  if (tool.kind === 'hosted') return t('runs at the provider');
  return tool.schemaNode === undefined ? t('no schema') : t('function');
}
