import { insertProperties, type NewMember } from '../../text/edits';
import type { JsonNode } from '../../text/json';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { hasOpenaiShape } from './common';

const KNOWN_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'null', 'object']);

/** The parameters of a function must be an object schema at the root. */
export const rootNotObject: Rule = {
  id: 'schema/root-not-object',
  section: 'openai',
  summary: 'The root of the parameters does not have the type "object"',
  levels: { openai: 'error' },
  tool({ tool, document, report }) {
    const root = tool.schemaNode;
    if (root === undefined || tool.kind !== 'function' || !hasOpenaiShape(tool)) return;
    if (root.kind === 'boolean') {
      report({
        node: root,
        message: t('The parameters must be an object schema. The request is refused for a boolean schema.'),
      });
    }
    if (root.kind !== 'object') return;
    const type = root.value('type');
    if (type === undefined && !root.has('type')) {
      report({
        node: root,
        message: t(
          'The root of the parameters has no type. OpenAI demands "object" there, with and without strict, and refuses the whole request.',
        ),
        fixes: [
          {
            title: t('Make it an object'),
            safe: false,
            preferred: true,
            kind: 'quickfix',
            edits: () => insertProperties(document.text, root, missing(root, tool.strict === true), { after: null }),
          },
        ],
      });
    } else if (type !== undefined && type.string !== 'object' && names(type).every((word) => KNOWN_TYPES.has(word))) {
      report({
        node: root,
        message: t(
          'The type of the root is {0}. OpenAI demands "object" there, with and without strict, and refuses the whole request. Put the value into a property.',
          names(type).join(', ') || t('no type'),
        ),
      });
    }
  },
};

/** What makes an object of a root, so that no other rule about objects has to speak next. */
function missing(root: JsonNode, strict: boolean): NewMember[] {
  const wanted: NewMember[] = [['type', '"object"']];
  if (!root.has('properties')) wanted.push(['properties', '{}']);
  if (strict && !root.has('properties') && !root.has('additionalProperties'))
    wanted.push(['additionalProperties', 'false']);
  return wanted;
}

/** The words of a type; a value that is none is the concern of another rule. */
function names(type: {
  readonly string: string | undefined;
  readonly items: readonly { readonly string: string | undefined }[];
}): string[] {
  return [type.string, ...type.items.map((item) => item.string)].filter((word) => word !== undefined);
}
