import type { Refusal } from '../../schema/compile';
import { type Message, sentences, t } from '../../text/message';
import { codexRoute } from '../../tools/model';
import type { Rule } from '../rule';

/** Codex cannot read the schema (0.171.0, observed). */
export const schemaUnsupported: Rule = {
  id: 'codex/schema-unsupported',
  section: 'codex',
  summary: 'Codex refuses the tool because it cannot read its schema',
  levels: { codex: 'error' },
  tool(context) {
    const refusal = context.compile()?.refusal;
    if (refusal === undefined || refusal.kind === 'null-root') return;
    const route = codexRoute(context.tool.shape);
    const scope =
      route === 'dynamic'
        ? t('One dynamic tool that is refused stops the whole thread from starting.')
        : route === 'mcp'
          ? t('The other tools of the server stay.')
          : undefined;
    context.report({
      node: refusal.node,
      message: sentences(reason(refusal, context.profile.maxSchemaNesting), scope),
    });
  },
};

function reason(refusal: Refusal, levels: number): Message {
  if (refusal.kind === 'nesting') {
    return t('Codex refuses this tool: it reads {0} levels of nesting in a schema, and this is one deeper.', levels);
  }
  if (refusal.kind === 'request') {
    return t('Codex refuses this tool: an integer beyond 64 bits stops its request ({0}).', refusal.message);
  }
  const help = advice(refusal);
  return sentences(t('Codex refuses this tool: {0}.', refusal.message), help);
}

/** What stands at the place in words, because the client's reason never says where it looked. */
function advice({ node }: Refusal): Message | undefined {
  const key = node.property?.key ?? node.parent?.property?.key;
  if (node.kind === 'array' && key === 'items') return t('"items" must be one schema, not a list of them.');
  switch (key) {
    case 'required':
      return t('"required" must be a list of strings.');
    case 'enum':
      return t('"enum" must be a list of values.');
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return t('"{0}" must be a list of schemas.', key);
    case 'properties':
      return t('"properties" must map names to schemas.');
    case '$ref':
    case 'description':
      return t('"{0}" must be a string.', key);
    case 'minItems':
      return t('"minItems" must be a plain whole number.');
    case 'type':
      return t('Beside a reference or a combinator Codex leaves the type as it is, and this one is unknown.');
    default:
      return undefined;
  }
}
