import type { Target } from '../../profiles/targets';
import { pointerTokens, type Reference } from '../../schema/references';
import type { Fix } from '../../text/finding';
import { nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { Rule, ToolContext } from '../rule';
import { type SchemaPart, schemaParts } from './common';
import { canInline, inline, moveToDefinitions } from './refFixes';

/**
 * Valid JSON Schema, but clients that copy or inline definitions only look into `$defs`: a schema object that Zod
 * meets twice becomes such a reference, and clients show "any", send null or refuse the list of tools for it.
 */
export const refOutsideDefs: Rule = {
  id: 'schema/ref-outside-defs',
  section: 'schema',
  summary: 'A reference points into the schema, but not to a definition',
  levels: { mcp: 'warning', gemini: 'warning', openai: 'warning' },
  tool(context) {
    for (const part of context.memo(schemaParts)) {
      const targets: { targets?: Target[] } = part.output ? { targets: ['mcp'] } : {};
      for (const reference of part.references.list) {
        if (!isOutside(reference)) continue;
        context.report({
          node: reference.node,
          span: nodeSpan(reference.node),
          message: t(
            '"{0}" points to a schema that is no definition. That is valid, but many clients only follow references into "$defs". Write the schema here, or move it there.',
            reference.text,
          ),
          fixes: fixesOf(context, part, reference),
          ...targets,
        });
      }
    }
  },
};

function isOutside({ form, text, target }: Reference): boolean {
  if (form !== 'pointer' || target === undefined) return false;
  const first = pointerTokens(text.slice(1))?.[0];
  if (first === undefined || first === '$defs' || first === 'definitions') return false;
  const table = target.property?.owner.property?.key;
  return table !== '$defs' && table !== 'definitions';
}

function fixesOf({ document: { text } }: ToolContext, { root, references }: SchemaPart, reference: Reference): Fix[] {
  const fixes: Fix[] = [];
  if (canInline(references, reference)) {
    fixes.push({
      title: t('Write the schema here'),
      safe: true,
      preferred: true,
      kind: 'quickfix',
      edits: () => inline(text, reference),
    });
  }
  const move = moveToDefinitions(text, root, references, reference.target!);
  if (move !== undefined) {
    fixes.push({
      title: t('Move the schema to the definitions, as "{0}"', move.reference),
      safe: false,
      preferred: fixes.length === 0,
      kind: 'quickfix',
      edits: () => move.edits(),
    });
  }
  return fixes;
}
