import type { Reference } from '../../schema/references';
import { replaceValue } from '../../text/edits';
import { emitString } from '../../text/emit';
import { nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { Rule, ToolContext } from '../rule';
import { type SchemaPart, schemaParts } from './common';
import { meantReference } from './refFixes';

/**
 * A reference within the schema that names nothing: clients that resolve references drop the tool or the whole server
 * ("can't resolve reference #/$defs/X from id #", Ajv).
 */
export const unresolvedRef: Rule = {
  id: 'schema/unresolved-ref',
  section: 'schema',
  summary: 'A reference names a definition that does not exist',
  levels: { all: 'error' },
  tool(context) {
    for (const part of context.memo(schemaParts)) {
      for (const reference of part.references.list) {
        if (reference.target === undefined && isOurs(context, part, reference)) report(context, part, reference);
      }
    }
  },
};

/** Addresses elsewhere may exist. Relative ones have nothing to start from; `schema/ref-not-local` says it where it speaks. */
function isOurs(context: ToolContext, { root, output }: SchemaPart, { form }: Reference): boolean {
  if (form === 'absolute') return false;
  if (form !== 'relative') return true;
  return !root.has('$id') && (output || !(context.on('openai') || context.on('codex')));
}

function report(context: ToolContext, part: SchemaPart, reference: Reference): void {
  const { node, text } = reference;
  const meant = meantReference(part.root, reference);
  context.report({
    node,
    span: nodeSpan(node),
    message:
      meant === undefined
        ? t(
            '"{0}" names nothing in this schema, so nobody can tell what is allowed here. Clients drop the tool for it.',
            text,
          )
        : t('"{0}" names nothing in this schema. Did you mean "{1}"?', text, meant),
    fixes:
      meant === undefined
        ? []
        : [
            {
              title: t('Change the reference to "{0}"', meant),
              safe: false,
              preferred: true,
              kind: 'quickfix',
              edits: () => replaceValue(node, emitString(meant)),
            },
          ],
  });
}
