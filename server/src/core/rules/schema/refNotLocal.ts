import { type Reference, rootDefinitions } from '../../schema/references';
import { replaceValue } from '../../text/edits';
import { emitString } from '../../text/emit';
import type { Fix } from '../../text/finding';
import { nodeSpan } from '../../text/jsonTree';
import { type Message, sentences, t } from '../../text/message';
import type { Rule, ToolContext } from '../rule';
import { inputPart, type SchemaPart } from './common';
import { definitionReference, meantReference, moveToDefinitions } from './refFixes';

/**
 * OpenAI's guide Structured model outputs (2026) knows references to definitions and to the root (`#`) only; Codex
 * 0.171.0 sends every other reference as it is (observed).
 */
export const refNotLocal: Rule = {
  id: 'schema/ref-not-local',
  section: 'schema',
  summary: 'A reference leads out of the schema, or names an "$id"',
  levels: { openai: 'error', codex: 'error' },
  tool(context) {
    const part = inputPart(context);
    if (part === undefined) return;
    for (const reference of part.references.list) {
      if (reference.form !== 'relative' && reference.form !== 'absolute') continue;
      const advice = adviceFor(context, part, reference);
      context.report({
        node: reference.node,
        span: nodeSpan(reference.node),
        message: sentences(
          reference.target === undefined
            ? t('"{0}" leads out of this schema, and nothing is fetched for a tool.', reference.text)
            : t(
                '"{0}" is found by its "$id", which only JSON Schema validators do: providers follow references that start with "#".',
                reference.text,
              ),
          advice.message,
        ),
        fixes: advice.fixes,
      });
    }
  },
};

interface Advice {
  readonly message: Message;
  readonly fixes: readonly Fix[];
}

function adviceFor(context: ToolContext, { root, references }: SchemaPart, reference: Reference): Advice {
  const { node, target } = reference;
  const { text } = context.document;
  const write = (to: string): Message => t('Write "{0}".', to);
  const change = (to: string, safe: boolean): Fix => ({
    title: t('Change the reference to "{0}"', to),
    safe,
    preferred: true,
    kind: 'quickfix',
    edits: () => replaceValue(node, emitString(to)),
  });
  if (target === undefined) {
    const meant = meantReference(root, reference);
    return meant === undefined
      ? { message: t('Put what it names under "$defs" and refer to that.'), fixes: [] }
      : { message: write(meant), fixes: [change(meant, false)] };
  }
  if (target === root) return { message: write('#'), fixes: [change('#', !reference.embedded)] };
  const definition = rootDefinitions(root).find(({ property }) => property.value === target);
  if (definition !== undefined) {
    const to = definitionReference(definition.table, definition.name);
    return { message: write(to), fixes: [change(to, !reference.embedded)] };
  }
  const move = moveToDefinitions(text, root, references, target);
  if (move === undefined) return { message: t('Put what it names under "$defs" and refer to that.'), fixes: [] };
  return {
    message: t('Move what it names under "$defs" and write "{0}".', move.reference),
    fixes: [
      {
        title: t('Move it to the definitions, as "{0}"', move.reference),
        safe: false,
        preferred: true,
        kind: 'quickfix',
        edits: () => move.edits(),
      },
    ],
  };
}
