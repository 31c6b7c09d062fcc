import { type JsonNode, parseJson } from '../text/json';
import { pointerOf } from '../text/jsonTree';
import { t } from '../text/message';
import type { ToolDefinition } from '../tools/model';
import { loadValidator, noteMessage } from './contractSchema';
import { atResult } from './findings';
import type { CallFinding } from './report';

/**
 * A stored or live answer of a tool against its output schema: a `CallToolResult` (MCP 2025-06-18: `content`,
 * `structuredContent`, `isError`) or a bare value. A tool with an output schema must give structured content, except with
 * an error. Pointers start with `/result`. Never rejects.
 */
export async function judgeResult(tool: ToolDefinition, result: JsonNode): Promise<readonly CallFinding[]> {
  const schema = tool.outputSchemaNode;
  if (schema === undefined) return [];
  const { validatorOf } = await loadValidator();
  const validator = validatorOf(schema);
  let value = result;
  if (isToolResult(result)) {
    if (result.value('isError')?.boolean === true) return [];
    const structured = result.value('structuredContent');
    if (structured === undefined) {
      const inText = textThatFits(result, (node) => validator.accepts(node));
      const message = inText
        ? t(
            'The tool has an output schema, so its result must have "structuredContent". The text holds JSON that fits: send it there, too.',
          )
        : t('The tool has an output schema, so its result must have "structuredContent".');
      return [atResult('call/missing-structured-content', 'error', message, '')];
    }
    value = structured;
  }
  const judgment = validator.judge(value);
  const findings = judgment.faults.map(({ node, message }) =>
    atResult(
      'call/output-schema',
      'error',
      t('The result does not fit the output schema. {0}', message),
      pointerOf(node, result),
    ),
  );
  for (const note of judgment.notes) {
    const { level, message } = noteMessage(note);
    findings.push(atResult('call/output-schema', level, message, pointerOf(value, result)));
  }
  return findings;
}

/** Whether a value has the form of an MCP result: it could also be a value of the tool's own. */
function isToolResult(result: JsonNode): boolean {
  if (result.kind !== 'object') return false;
  if (result.has('structuredContent') || result.value('isError')?.kind === 'boolean') return true;
  const content = result.value('content');
  return content?.kind === 'array' && content.items.every((item) => item.value('type')?.kind === 'string');
}

/** Whether a text block holds JSON that fits. */
function textThatFits(result: JsonNode, fits: (node: JsonNode) => boolean): boolean {
  return (result.value('content')?.items ?? []).some((block) => {
    const text = block.value('type')?.string === 'text' ? block.value('text')?.string : undefined;
    if (text === undefined) return false;
    const { root, problems } = parseJson(text);
    return root !== undefined && problems.length === 0 && root.kind === 'object' && fits(root);
  });
}
