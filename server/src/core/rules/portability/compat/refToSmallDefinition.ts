import type { Reference } from '../../../schema/references';
import { joinEdits } from '../../../text/edits';
import { emitJson } from '../../../text/emit';
import type { Fix } from '../../../text/finding';
import { nodeSpan } from '../../../text/jsonTree';
import { t } from '../../../text/message';
import { utf8Length } from '../../../text/utf8';
import { bytes } from '../../../text/words';
import type { Rule, ToolContext } from '../../rule';
import { inputPart, reachableSchemas, type SchemaPart } from '../../schema/common';
import { canInline, inline, removeDefinition } from '../../schema/refFixes';
import { hasTargetInside } from '../../schema/refIndex';

/** Bytes of compact JSON up to which a definition is small. */
const SMALL_BYTES = 200;

/**
 * A reference to a definition that nothing else uses. Clients of MCP servers and those in front of Gemini often show
 * "any" for a reference, or refuse it; written in its place the schema costs nothing more.
 */
export const refToSmallDefinition: Rule = {
  id: 'compat/ref-to-small-definition',
  section: 'portability',
  summary: 'A definition is small and used once, so it could stand in place of the reference',
  levels: { mcp: 'hint', gemini: 'hint' },
  tool(context) {
    const part = inputPart(context);
    for (const reference of part?.references.list ?? []) {
      if (!context.memo(reachableSchemas).has(reference.site.node)) continue;
      const size = sizeOfOnlyUse(part!, reference);
      if (size === undefined || size > SMALL_BYTES) continue;
      context.report({
        node: reference.node,
        span: nodeSpan(reference.node),
        message: t(
          'This definition has {0} and is used only here. Many clients do not follow references; written in this place it needs none.',
          bytes(size),
        ),
        fixes: fixesOf(context, part!, reference),
      });
    }
  },
};

/** The bytes of a definition of the root that this reference alone uses; `undefined` for any other. */
function sizeOfOnlyUse({ root, references }: SchemaPart, { target }: Reference): number | undefined {
  const property = target?.property;
  const table = property?.owner.property;
  if (target === undefined || (table?.key !== '$defs' && table?.key !== 'definitions') || table.owner !== root) {
    return undefined;
  }
  if (references.to(target).length !== 1 || hasTargetInside(references, target)) return undefined;
  return target.end - target.offset > SMALL_BYTES * 20 ? undefined : utf8Length(emitJson(target));
}

function fixesOf({ document: { text } }: ToolContext, { references }: SchemaPart, reference: Reference): Fix[] {
  if (!canInline(references, reference)) return [];
  return [
    {
      title: t('Write the definition here'),
      safe: true,
      preferred: true,
      kind: 'quickfix',
      edits: () => joinEdits(inline(text, reference), removeDefinition(text, reference.target!)),
    },
  ];
}
