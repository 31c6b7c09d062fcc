import type { JsonNode } from '../../text/json';
import type { ToolDefinition } from '../model';
import { type ReadContext, readByPlan } from './common';

/** Reads an entry of `languageModelTools`, with the text for the model as its description. Source: VS Code 1.91. */
export function readVscode(node: JsonNode, context: ReadContext): ToolDefinition {
  return readByPlan(node, context, { shape: 'vscode', kind: 'function', descriptionKey: 'modelDescription' });
}
