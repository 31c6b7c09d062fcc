import { handlerShape, sourceShape } from '../../config/handlers';
import { repeatedOuts } from '../../config/sources';
import { CODEX_PROFILES } from '../../profiles/codex';
import { TARGETS } from '../../profiles/targets';
import { LEVELS } from '../../text/finding';
import { nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import { arrayOf, boolean, mapOf, objectOf, oneOf, shapeFaults, string, wholeNumber } from '../../text/shapes';
import type { BaseContext, Rule } from '../rule';

const CONFIG = objectOf({
  targets: arrayOf(oneOf([...TARGETS, 'all'])),
  include: arrayOf(string),
  exclude: arrayOf(string),
  rules: mapOf(oneOf(['off', ...LEVELS])),
  budgetBytes: wholeNumber,
  profile: oneOf(CODEX_PROFILES.map((profile) => profile.id)),
  provider: objectOf({ namespaces: boolean, webSearch: boolean }),
  webSearch: oneOf(['disabled', 'cached', 'indexed', 'live']),
  handlers: mapOf(handlerShape),
  sources: arrayOf(sourceShape),
});

/** What the config file may hold. A faulty value counts as absent, so it must not go unnoticed. */
export const configShape: Rule = {
  id: 'config/shape',
  section: 'config',
  summary: 'The config file has an unknown key or a value of the wrong kind',
  levels: { all: 'error' },
  file(context) {
    const { root } = context.document;
    if (root === undefined) return;
    for (const fault of shapeFaults(root, CONFIG)) context.report(fault);
    reportRepeats(context);
  },
};

/** The rule where an editor checks the file against the JSON Schema of config files: what no schema can say. */
export const configBeyondSchema: Rule = { ...configShape, file: reportRepeats };

function reportRepeats({ document, report }: BaseContext): void {
  for (const { node, first } of repeatedOuts(document)) {
    report({
      node,
      span: nodeSpan(node),
      message: t(
        'A source before this one writes "{0}" too. One would overwrite the other, so neither is stored. Give each a file of its own.',
        node.string ?? '',
      ),
      related: [{ span: nodeSpan(first), message: t('It stands here first.') }],
    });
  }
}
