import { type CompileResult, compileSchema } from '../../schema/compile';
import { applyEdits } from '../../text/edits';
import type { Fix, TextEdit } from '../../text/finding';
import { type JsonNode, parseJson } from '../../text/json';
import { pointerOf, resolvePointer } from '../../text/jsonTree';
import { t } from '../../text/message';
import { bytes } from '../../text/words';
import { compileOptions } from '../../wire/compileOptions';
import type { ToolContext } from '../rule';
import { inputPart } from '../schema/common';
import { canInline, inline } from '../schema/refFixes';

/**
 * Writing a definition in place of its reference saves it from the second pass, if it survives the later ones too.
 * That is tried out before it is offered. It adds bytes, so it is never applied unasked.
 */
export function inlineFix(context: ToolContext, result: CompileResult, node: JsonNode, name: string): Fix[] {
  const references = inputPart(context)?.references;
  const reference = references?.at(node);
  if (references === undefined || reference === undefined || !canInline(references, reference)) return [];
  const edits = (): TextEdit[] => inline(context.document.text, reference);
  const survives = sizeAfter(context, result.source, node, edits());
  if (survives === undefined || survives <= '{}'.length) return [];
  return [
    {
      title: t('Inline "{0}": {1} survive', name, bytes(survives)),
      safe: false,
      preferred: true,
      kind: 'quickfix',
      edits,
    },
  ];
}

/** Bytes that the node takes on the wire after the edits; `undefined` when it is not there. */
function sizeAfter(
  context: ToolContext,
  root: JsonNode,
  node: JsonNode,
  edits: readonly TextEdit[],
): number | undefined {
  const inside = edits.map(({ span, newText }) => ({
    span: { start: span.start - root.offset, end: span.end - root.offset },
    newText,
  }));
  if (inside.some(({ span }) => span.start < 0 || span.end > root.end - root.offset)) return undefined;
  const changed = parseJson(applyEdits(context.document.text.slice(root.offset, root.end), inside)).root;
  if (changed === undefined) return undefined;
  const place = resolvePointer(changed, pointerOf(node, root));
  return place && compileSchema(changed, compileOptions(context.tool, context.profile)).sizeAfter(place);
}
