import { handlerShape, sourceShape } from '../../config/handlers';
import { CODEX_PROFILES } from '../../profiles/codex';
import { TARGETS } from '../../profiles/targets';
import { LEVELS } from '../../text/finding';
import { arrayOf, boolean, mapOf, objectOf, oneOf, shapeFaults, string, wholeNumber } from '../../text/shapes';
import type { Rule } from '../rule';

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
  },
};
