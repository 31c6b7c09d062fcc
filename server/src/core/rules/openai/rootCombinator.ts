import { ROOT_COMBINATORS } from '../../profiles/openai';
import { TARGET_NAMES, type Target } from '../../profiles/targets';
import { t } from '../../text/message';
import { list } from '../../text/words';
import type { Rule } from '../rule';

const JUDGES = Object.entries(ROOT_COMBINATORS) as [keyof typeof ROOT_COMBINATORS, readonly string[]][];
const KEYWORDS = ROOT_COMBINATORS.openai;

/** Combinators at the root of a schema, which the API refuses whatever `strict` says. */
export const rootCombinator: Rule = {
  id: 'schema/root-combinator',
  section: 'openai',
  summary: 'A combinator, "enum" or "not" stands at the root of the parameters',
  levels: { openai: 'error', anthropic: 'error', codex: 'error' },
  tool({ tool, on, report }) {
    const root = tool.schemaNode;
    if (root?.kind !== 'object' || tool.kind !== 'function') return;
    for (const keyword of KEYWORDS) {
      const value = root.value(keyword);
      if (value === undefined || value.kind === 'null') continue;
      const targets: Target[] = JUDGES.filter(([target, words]) => words.includes(keyword) && on(target)).map(
        ([target]) => target,
      );
      if (targets.length === 0) continue;
      const names = targets.map((target) =>
        target === 'codex' ? t('the provider behind Codex') : TARGET_NAMES[target],
      );
      report({
        node: value,
        targets,
        message: t(
          '"{0}" stands at the root of the parameters. The whole request is refused for it, with and without strict, by {1}. Make the properties optional instead, and check in the handler which of them go together.',
          keyword,
          list(names),
        ),
      });
    }
  },
};
