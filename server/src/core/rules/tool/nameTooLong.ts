import { TARGET_NAMES } from '../../profiles/targets';
import { nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import { list } from '../../text/words';
import type { Rule } from '../rule';
import { characters, nameRules } from './names';

/** A name longer than the receiver takes. */
export const nameTooLong: Rule = {
  id: 'tool/name-too-long',
  section: 'file',
  summary: 'A name is longer than its receivers take',
  levels: { openai: 'error', codex: 'error', chat: 'error', anthropic: 'error', gemini: 'error' },
  tool({ tool, on, report }) {
    const { name, nameNode } = tool;
    if (name === undefined || nameNode === undefined) return;
    const length = characters(name);
    const targets = nameRules(tool, on).filter((rule) => length > rule.length);
    if (targets.length === 0) return;
    const limits = targets.map((rule) => t('{0} takes {1}', TARGET_NAMES[rule.target], rule.length));
    report({
      node: nameNode,
      span: nodeSpan(nameNode),
      targets: targets.map(({ target }) => target),
      message: t(
        'The name has {0} characters: {1}. The whole request is refused for a longer one.',
        length,
        list(limits),
      ),
    });
  },
};
