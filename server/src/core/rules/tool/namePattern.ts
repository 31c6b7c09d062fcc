import { PLAIN_NAME } from '../../profiles/names';
import { TARGET_NAMES } from '../../profiles/targets';
import { nodeSpan } from '../../text/jsonTree';
import { sentences, t } from '../../text/message';
import { list, shorten } from '../../text/words';
import type { Rule } from '../rule';
import { nameRules } from './names';

/** Characters in a name that the receiver does not take. */
export const namePattern: Rule = {
  id: 'tool/name-pattern',
  section: 'file',
  summary: 'A name has characters other than ASCII letters, digits, "_" and "-"',
  levels: { openai: 'error', chat: 'error', anthropic: 'error', codex: 'error' },
  tool({ tool, on, report }) {
    const { name, nameNode } = tool;
    if (name === undefined || nameNode === undefined || name.trim() === '' || PLAIN_NAME.test(name)) return;
    const targets = nameRules(tool, on).filter(({ plain }) => plain);
    if (targets.length === 0) return;
    const bad = [...new Set([...name].filter((character) => !PLAIN_NAME.test(character)))];
    const fixed = name.trim().replace(/[^a-zA-Z0-9_-]+/gu, '_');
    report({
      node: nameNode,
      span: nodeSpan(nameNode),
      targets: targets.map(({ target }) => target),
      message: sentences(
        t(
          'The name has {0}. Other characters than letters, digits, "_" and "-" are refused, with the whole request, by {1}.',
          list(bad.map(shown), 5),
          list(targets.map(({ target }) => TARGET_NAMES[target])),
        ),
        /[a-zA-Z0-9]/.test(fixed) ? t('"{0}" would do.', shorten(fixed, 80)) : undefined,
      ),
      fixes: /[a-zA-Z0-9]/.test(fixed)
        ? [
            {
              title: t('Rename to "{0}"', shorten(fixed, 80)),
              safe: false,
              preferred: true,
              kind: 'quickfix',
              edits: () => [{ span: nodeSpan(nameNode), newText: JSON.stringify(fixed) }],
            },
          ]
        : [],
    });
  },
};

/** A character as it can be read: spaces and invisible ones by name or number. */
function shown(character: string): string | ReturnType<typeof t> {
  if (character === ' ') return t('a space');
  const code = character.codePointAt(0)!;
  if (/[\p{C}\p{Z}\p{M}]/u.test(character)) return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return `"${character}"`;
}
