import { recursions, referenceCycles } from '../../schema/references';
import { nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { inputPart } from './common';

/**
 * Recursion is valid, and OpenAI supports it through definitions. Clients that write references out, as those in front
 * of Gemini's `parameters` must, fail on it ("RecursionError"), and Gemini itself unrolls it to a limited depth.
 */
export const recursive: Rule = {
  id: 'schema/recursive',
  section: 'schema',
  summary: 'A schema contains itself, which clients that inline references cannot do',
  levels: { gemini: 'info' },
  tool(context) {
    const part = inputPart(context);
    if (part === undefined || part.references.list.length === 0) return;
    const circular = new Set(referenceCycles(part.references).flat());
    for (const { schema, references } of recursions(part.references)) {
      if (references.some((reference) => circular.has(reference))) continue;
      context.report({
        node: schema,
        message: t(
          'This schema contains itself. OpenAI takes recursion through definitions, but Gemini has no references in "parameters", and clients that write them out never end. Spell out as many levels as are needed.',
        ),
        related: references
          .slice(0, 10)
          .map(({ node }) => ({ span: nodeSpan(node), message: t('recursion returns from here') })),
      });
    }
  },
};
